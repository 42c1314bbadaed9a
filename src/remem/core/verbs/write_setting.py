"""Plans to write one setting, which is held against all the others before it is written.

A layout for a folder that no layout reads yet is one of them: it goes into the root's own settings,
where a team shares it. How a tool loads the folder nobody can tell from its name, so that stays
open until a person writes it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import NotPossible, UnknownRef
from remem.core.library import Library
from remem.core.own_folder import FOLDER, ignore_file
from remem.core.settings import Config, load_config, setting_path, settings_of
from remem.edit import yaml_splice
from remem.edit.yaml_edit import REMOVE
from remem.edit.yaml_read import Value, parse_document
from remem.edit.yaml_write import flow, render
from remem.model.change import Change, Create, Effect, Intent, Splice
from remem.model.entry import Problem, digest_of
from remem.store.io import Disk, Unreadable
from remem.store.paths import contained

if TYPE_CHECKING:
    from remem.core.verbs.settings_verbs import ConfigSet, LayoutAdd

USER, ROOT = "user", "root"
_MANY: Final = 64 * 1024
"""Bytes of a settings file above which it is not edited."""


def plan_set_setting(library: Library, intent: Intent, args: ConfigSet) -> Change:
    """Plan to set one setting, or with `unset` to take it out so that its default counts.

    Args:
        library: Of the root whose settings are meant where they are `shared`.
        intent: What asks for it.
        args: `key` as `tokens.budget`, `value` as YAML.

    Raises:
        UnknownRef: There is no such setting.
        NotPossible: The value does not fit, or the setting does not count in that file.
        Refused: The file cannot be changed without risk to what stands there.
    """
    ground, whose, key = library.ground, ROOT if args.shared else USER, args.key
    path = setting_path(key)
    if not path:
        near = get_close_matches(key.casefold(), settings_of(Config()), n=1)
        hint = f"did you mean `{near[0]}`?" if near else "`remem config show` lists them"
        raise UnknownRef(f"unknown setting `{key}`", hint=hint)
    if (args.value is None) is not args.unset:
        raise NotPossible("give a value, or `--default`", hint=f"`remem config set {key} VALUE`")
    file = ground.root / FOLDER / "config.yaml" if whose == ROOT else ground.settings
    if file is None:
        raise NotPossible("no folder for your own settings was found")
    data, values = _read(ground.disk, file)
    unset = args.unset
    value: Value = None if args.value is None else _value(args.value)
    if isinstance(value, str) and isinstance(settings_of(Config()).get(key), tuple | list):
        value = _words(value)  # a command is written as a shell takes it
    _need_fit(whose, values, path, value, unset=unset)
    effects = _effects(file, data, path, value, unset=unset)
    if whose == ROOT and effects:
        effects = (*ignore_file(ground), *effects)
    return Change(
        intent,
        f"Remove `{key}` from {_called(whose)}"
        if unset
        else f"Set `{key}` to {_shown(value)} in {_called(whose)}",
        effects,
        notes=() if not effects else ("an open TUI takes it over when it starts again",),
    )


def _called(whose: str) -> str:
    return "the team's settings" if whose == ROOT else "your settings"


def _shown(value: Value) -> str:
    return f"`{flow(value)}`"


def _read(disk: Disk, file: Path) -> tuple[bytes | None, Mapping[str, Any]]:
    """Return a settings file's bytes, `None` where there is none, and what it holds."""
    try:
        data = disk.read(file)
    except Unreadable as error:
        if error.why != "missing":
            raise
        return None, {}
    document = parse_document(data, _MANY)
    values = {} if document.value is None else document.value
    if document.problems or not isinstance(values, dict):
        raise NotPossible(
            f"`{file}` cannot be read as settings",
            hint="fix it in an editor; `remem config show` shows the error",
        )
    return data, values


def _value(text: str) -> Value:
    document = parse_document(text.encode())
    if document.problems:
        raise NotPossible(f"`{text}` is not YAML", hint="quote it: '\"a: b\"'")
    value: Value = document.value
    return value


def _words(text: str) -> Value:
    try:
        return [*shlex.split(text)]
    except ValueError as error:
        raise NotPossible(f"`{text}` is no list of words: {error}", hint="`[a, b]`") from None


def _need_fit(
    whose: str, values: Mapping[str, Any], path: tuple[str, ...], value: Value, *, unset: bool
) -> None:
    """Refuse what the settings would report as wrong once it stands there."""
    if unset:
        return
    wanted = _with(values, path, value)
    known = _problems_in(whose, values)
    for problem in _problems_in(whose, wanted):
        if problem not in known:
            raise NotPossible(problem.message, hint=problem.hint)


def _problems_in(whose: str, values: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return what is wrong with one file's settings, held for themselves."""
    return load_config(values, {})[1] if whose == USER else load_config({}, values)[1]


def _with(values: Mapping[str, Any], path: tuple[str, ...], value: Value) -> dict[str, Any]:
    first, *rest = path
    if not rest:
        return {**values, first: value}
    inner = values.get(first)
    return {**values, first: _with(inner if isinstance(inner, Mapping) else {}, (*rest,), value)}


def _effects(
    file: Path, data: bytes | None, path: tuple[str, ...], value: Value, *, unset: bool
) -> tuple[Effect, ...]:
    if data is None:
        return () if unset else (Create(file, render(_with({}, path, value))),)
    edits = yaml_splice.set_in_document(data, path, REMOVE if unset else value)
    return tuple(
        Splice(file, e.start, e.end, data[e.start : e.end], e.new, digest_of(data)) for e in edits
    )


_NOT_IN_A_NAME: Final = re.compile(r"[^a-z0-9]+")


def plan_add_layout(library: Library, intent: Intent, args: LayoutAdd) -> Change:
    """Plan to write a layout into the root's `.remem/config.yaml`.

    Args:
        library: Of the root.
        intent: What asks for it.
        args: `folder` lies below the root; `tool` is who reads it, where somebody knows.

    Raises:
        NotPossible: There is no such folder, or a layout reads it already.
        UnsafeName: The folder leads out of the root.
        Refused: The settings cannot be changed without risk to what stands there.
    """
    ground, place = library.ground, PurePath(args.folder.strip()).as_posix().strip("/")
    folder = contained(ground.root, Path(place))
    if not place or folder == ground.root or ground.disk.kind(folder) != "folder":
        raise NotPossible(
            f"no folder `{place}` in the project", hint="name a folder inside the project"
        )
    files = f"{place}/**/*.md"
    reading = next((each.name for each in ground.plain if files in each.files), "")
    if reading:
        raise NotPossible(
            f"the layout `{reading}` reads it already", hint="edit `.remem/config.yaml`"
        )
    taken = {*(each.name for each in ground.plain), *(each.name for each in ground.layouts)}
    name = _NOT_IN_A_NAME.sub("-", place.casefold()).strip("-")
    while name in taken:
        name = f"{name}-notes"
    tool = args.tool.strip()
    item: dict[str, Value] = {"name": name}
    if tool:
        item["tool"] = tool
    item |= {
        "base": "root",
        "files": [files],
        "loader": {"kind": "not known"},
    }
    effects = (*ignore_file(ground), *_settings(library, item))
    return Change(
        intent,
        f"Read {place}/ as notes",
        effects,
    )


def _settings(library: Library, item: Mapping[str, Value]) -> tuple[Effect, ...]:
    path = library.ground.root / FOLDER / "config.yaml"
    try:
        data = library.ground.disk.read(path)
    except Unreadable as error:
        if error.why != "missing":
            raise
        return (Create(path, render({"layouts": [dict(item)]})),)
    edits = yaml_splice.add_item(data, "layouts", dict(item))
    return tuple(
        Splice(path, e.start, e.end, data[e.start : e.end], e.new, digest_of(data)) for e in edits
    )
