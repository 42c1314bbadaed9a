"""Plans a layout for a folder that no layout reads yet.

It goes into the root's own settings, where a team shares it. How a tool loads the folder nobody can
tell from its name, so that stays open until a person writes it there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.own_folder import FOLDER, ignore_file
from remem.edit import yaml_splice
from remem.edit.yaml_read import Value
from remem.edit.yaml_write import render
from remem.model.change import Change, Create, Effect, Intent, Splice
from remem.model.entry import digest_of
from remem.store.io import Unreadable
from remem.store.paths import contained

if TYPE_CHECKING:
    from remem.core.verbs.layout_verbs import LayoutAdd

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
            f"there is no folder `{place}` in the root", hint="name a folder below the root"
        )
    name = _NOT_IN_A_NAME.sub("-", place.casefold()).strip("-")
    if name in {*(each.name for each in ground.plain), *(each.name for each in ground.layouts)}:
        raise NotPossible(f"there is a layout `{name}` already", hint="edit `.remem/config.yaml`")
    tool = args.tool.strip()
    item: dict[str, Value] = {"name": name}
    if tool:
        item["tool"] = tool
    item |= {
        "base": "root",
        "files": [f"{place}/**/*.md"],
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
