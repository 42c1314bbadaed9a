"""What the settings of Codex change: what it trusts, how much it takes, which names it looks for.

Seen of Codex 0.171.0 on 2026-11-28: where a person trusts a folder, `.codex/config.toml` counts in
each folder from the top of the checkout down to where it is started, the nearest first, before the
person's own. A folder that is called untrusted has none of its instructions loaded. Its memories
are in each first request where they are on; a request that comes without them before it, at times,
is that of the agent that sums them up in the background.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.core.system import Ground
from remem.model.loader import Above, Loads, SettingsText, Tool, without
from remem.systems.plain.plain_layouts import AGENTS
from remem.systems.plain.tools.codex_stops import (
    ON_BY,
    USED_BY,
    of_table,
    read_settings,
    stops,
    valued,
)
from remem.systems.plain.tools.tool_ids import CODEX_MEMORY, CODEX_UNTRUSTED, UNTRUSTED, Said

_FILE: Final = ".codex/config.toml"
_TRUSTED: Final = "trusted"
_NOT_TRUSTED: Final = "untrusted"
_MARKS: Final = "project_root_markers"
"""The key whose names mark the top of a project, in the place of `.git`; a project's is ignored."""
_PROMPT: Final = "instructions"
"""The key whose text stands for its system prompt, if no file does."""
_ADDED: Final = "developer_instructions"
"""The key whose text stands behind that."""


def codex_settings(
    ground: Ground, folder: Path, users: Said
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what each settings file is called and says, the one that wins first.

    Args:
        ground: Where the root is.
        folder: Where Codex is started.
        users: A person's own settings; they say which folders are trusted.
    """
    for path in _in_folders(ground, folder, users):
        value = read_settings(ground, path)
        if value is not None:
            yield ground.shown(path), value
    yield from users


def _in_folders(ground: Ground, folder: Path, users: Said) -> Iterator[Path]:
    """Yield where settings of trusted folders lie, from where it is started up to the top."""
    top = _top(ground, folder, _marks(users))
    for up in (folder, *folder.parents) if top is not None else (folder,):
        if up.is_relative_to(ground.root) and _level(ground, up, users) == _TRUSTED:
            yield up / _FILE
        if up == top:
            return


def _marks(users: Said) -> tuple[str, ...]:
    """Return the names that mark the top of a project; an empty one marks none."""
    found = next((value for _, value in _all(users, _MARKS) if isinstance(value, list)), [".git"])
    return tuple(each for each in found if isinstance(each, str) and each)


def _top(ground: Ground, folder: Path, marks: Sequence[str]) -> Path | None:
    """Return the nearest folder that has one of these names, from where it is started up."""
    ups = (folder, *folder.parents)
    return next((up for up in ups if any(ground.disk.kind(up / mark) for mark in marks)), None)


def with_names(tool: Tool, layouts: Iterable[str]) -> Tool:
    """Return Codex with the names of files that its settings add to its own.

    Args:
        tool: As it comes.
        layouts: Those of the names, in the order in which they count.
    """
    beside = ["agents-override-md", AGENTS]
    proofs = next(each.proofs for each in tool.loads if each.layout == AGENTS)
    for layout in layouts:
        row = Loads(
            layout=layout,
            above=Above.CHECKOUT,
            unless_beside=tuple(beside),
            even_empty=True,
            proofs=proofs,
        )
        tool = replace(tool, loads=(*tool.loads, row))
        beside.append(layout)
    return tool


def codex(ground: Ground, folder: Path, tool: Tool, found: Said, users: Said) -> Tool:
    """Return Codex as its settings have it.

    Args:
        ground: Where the root is.
        folder: Where it is started.
        tool: As it comes.
        found: Its settings, the one that wins first.
        users: Those of them that are a person's own.
    """
    level = _level(ground, folder, users)
    own = frozenset(x.layout for x in tool.loads if x.above is Above.CHECKOUT and not x.lists)
    if level == _TRUSTED:
        loads = (replace(x, never="") if x.never == UNTRUSTED else x for x in tool.loads)
        tool = replace(tool, loads=tuple(loads))
    most = next((v for v in _all(found, "project_doc_max_bytes") if _is_number(v[1])), None)
    if most is not None and most[1] > 0:
        tool = replace(tool, most_bytes=most[1])
    loads = (
        replace(x, never=_off(found, x.never)) if x.layout in CODEX_MEMORY else x
        for x in tool.loads
    )
    tool = replace(tool, loads=tuple(loads))
    if most is not None and most[1] == 0:
        tool = without(tool, own, f"`project_doc_max_bytes` in `{most[0]}` is 0")
    tool = replace(tool, marks=_marks(users))
    if level == _NOT_TRUSTED:
        why = f"`trust_level` in `{users[0][0]}` calls the folder `{_NOT_TRUSTED}`"
        tool = without(tool, own, why)
    unseen = (each for each in tool.unseen if level != _TRUSTED or each != CODEX_UNTRUSTED)
    paths = (ground.usual(_FILE), *_in_folders(ground, folder, users))
    stopped = stops(ground, paths, found, users)
    said = tuple(_texts(ground, found))
    return replace(tool, said=said, unseen=tuple(unseen), stopped=stopped)


def _texts(ground: Ground, found: Said) -> Iterator[SettingsText]:
    has_file = any(True for _ in _all(found, "model_instructions_file"))
    for key in (_ADDED,) if has_file else (_PROMPT, _ADDED):
        said = next((each for each in _all(found, key) if isinstance(each[1], str)), None)
        if said is not None and said[1].strip():
            path = ground.place(said[0])
            yield SettingsText(f"`{key}`", said[1], said[0], path, is_prompt=key == _PROMPT)


def _all(found: Said, key: str) -> Iterator[tuple[str, Any]]:
    """Yield the values of a key, each with its settings file, the one that wins first."""
    return ((name, value[key]) for name, value in found if key in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _level(ground: Ground, folder: Path, users: Said) -> str:
    """Return what a person calls a folder, or the top of its checkout; empty = nothing."""
    tops = (up for up in (folder, *folder.parents) if ground.disk.kind(up / ".git"))
    for place in (folder, next(tops, folder)):
        for _, value in users:
            said = value.get("projects")
            one = said.get(str(place)) if isinstance(said, dict) else None
            level = one.get("trust_level") if isinstance(one, dict) else None
            if isinstance(level, str):
                return level
    return ""


def _off(found: Said, unset: str) -> str:
    """Return why a session gets no memories; empty = it does.

    Args:
        found: The settings, the one that wins first.
        unset: The reason where they say nothing of it.
    """
    features = of_table(found, "features")
    switches = ((key, *valued(features, key)) for key in ON_BY)
    key, name, value = next((each for each in switches if each[1]), ("", "", None))
    if not name:
        return unset
    if value is not True:
        return f"memories are off: `{key}` in `[features]` of `{name}` is not `true`"
    name, value = valued(of_table(found, "memories"), USED_BY)
    return f"`{USED_BY}` in `[memories]` of `{name}` is not `true`" if name and not value else ""
