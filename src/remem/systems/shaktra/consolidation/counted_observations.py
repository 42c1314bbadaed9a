"""The observations that were counted: looked up before a consolidation, added to by it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, TypeAlias

from remem.base.errors import Refused
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.own_folder import CONSOLIDATED, FOLDER, ignore_file, shared_list
from remem.edit import yaml_splice
from remem.edit.yaml_index import index
from remem.edit.yaml_read import parse_item
from remem.edit.yaml_write import render
from remem.model.change import Create, Json
from remem.model.record import read_record
from remem.model.source import MEND, Source
from remem.systems.shaktra.records import Consumed

Key: TypeAlias = tuple[str, str, str]
"""Story, id and digest of an observation."""
Moved: TypeAlias = Mapping[str, tuple[float, float]]
"""Entry's id → its confidence before and after."""
_PAIR: Final = 2


def sha_of(value: Mapping[str, Any]) -> str:
    """Return 64 hexadecimal digits that stand for what an observation says, however written."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def consumed(library: Library) -> frozenset[Key]:
    """Return story, id and digest of every observation that was counted at this root.

    Raises:
        Refused: The list cannot be read, so that everything would be counted again.
    """
    source = _readable(library)
    return frozenset(_known(source.data)) if source is not None else frozenset()


def moved_by(library: Library) -> Mapping[Key, Moved]:
    """Return what each counted observation did to which entries, where that was kept.

    Raises:
        Refused: The list cannot be read.
    """
    source = _readable(library)
    found = _known(source.data) if source is not None else {}
    return {key: moved for key, moved in found.items() if moved is not None}


def record(draft: Draft, story: str, counted: Sequence[tuple[str, str, Moved]]) -> None:
    """Add observations of a story to the draft, each as id, digest, and what it moved.

    Raises:
        Refused: The list cannot be written.
    """
    if not counted:
        return
    library = draft.library
    rows = [
        _row(story, name, digest, {entry: [*steps] for entry, steps in moved.items()})
        for name, digest, moved in counted
    ]
    there = shared_list(library.sources, CONSOLIDATED)
    if there is None:
        path = library.ground.root / FOLDER / f"{CONSOLIDATED}.yaml"
        data = render({CONSOLIDATED: [*rows]})
        draft.take((*ignore_file(library.ground), Create(path, data)))
        return
    if not there.is_writable:
        raise _unreadable(there)
    draft.take_on_base(there.splices(yaml_splice.add_items(there.data, CONSOLIDATED, rows)))


def _row(story: str, name: str, digest: str, moved: dict[str, Json]) -> dict[str, Json]:
    return {"story": story, "observation": name, "sha256": digest, "moved": moved}


def _readable(library: Library) -> Source | None:
    source = shared_list(library.sources, CONSOLIDATED)
    if source is not None and any(problem.blocks_writing for problem in source.problems):
        raise _unreadable(source)
    return source


def _unreadable(source: Source) -> Refused:
    return Refused(
        f"`{source.path}` cannot be read, so nothing can be counted",
        hint=MEND,
    )


@lru_cache(maxsize=8)
def _known(data: bytes) -> Mapping[Key, Moved | None]:
    values = (parse_item(data, span).value for span in index(data, CONSOLIDATED).items)
    found = (read_record(Consumed, value)[0] for value in values)
    return {(each.story, each.observation, each.sha256): _steps(each) for each in found}


def _steps(consumed: Consumed) -> Moved | None:
    if consumed.moved is None:
        return None
    pairs = consumed.moved.items()
    return {entry: (steps[0], steps[1]) for entry, steps in pairs if len(steps) == _PAIR}
