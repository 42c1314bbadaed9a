"""A tool's own list of its start held against remem's, row by row.

Which rows there are must agree. Tokens are each one's own estimate and are told, never compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from remem.base.frozen import dataclass
from remem.core.prompt.start_sum import RowKind, SumRow
from remem.store.io import real_path
from remem.systems.plain.own_list import Listed

_COMPARED = (RowKind.FILE, RowKind.AGENT, RowKind.SKILL)


class Who(StrEnum):
    """Who has a row."""

    BOTH = "both"
    REMEM = "remem"
    TOOL = "tool"
    BROUGHT = "brought"
    """The tool has it, and brings it itself: it lies in no file that remem reads."""


@dataclass(frozen=True, slots=True)
class Held:
    """One row of both lists."""

    kind: str
    name: str
    who: Who
    tokens: int | None
    """As remem counts; `None` = it has no such row."""
    theirs: str
    """As the tool prints them; empty = it has no such row."""
    source: str = ""
    """Where the tool says that it comes from."""


def hold(
    rows: Sequence[SumRow], listed: Sequence[Listed], root: Path, home: Path
) -> tuple[Held, ...]:
    """Return every row of both lists once: remem's in its order, then what the tool has alone.

    Args:
        rows: Of the tool's start, as remem has it.
        listed: As the tool has it.
        root: What a path in the list is from, where it is no whole one.
        home: What `~` stands for in it.
    """
    return tuple(_held(rows, listed, root, home))


def differing(held: Sequence[Held]) -> int:
    """Return how many rows only one of both has."""
    return sum(each.who in (Who.REMEM, Who.TOOL) for each in held)


def _held(
    rows: Sequence[SumRow], listed: Sequence[Listed], root: Path, home: Path
) -> Iterator[Held]:
    theirs: dict[tuple[str, str], Listed] = {}
    for each in listed:
        theirs.setdefault((each.kind, _called(each, root, home)), each)
    for row in rows:
        if row.kind not in _COMPARED:
            continue
        keys = [(row.kind.value, name) for name in _names(row)]
        key = next((key for key in keys if key in theirs), None)
        found = theirs.pop(key) if key is not None else None
        who = Who.BOTH if found is not None else Who.REMEM
        tokens, source = (found.tokens, found.source) if found is not None else ("", "")
        yield Held(row.kind.value, row.name, who, row.tokens, tokens, source)
    for each in theirs.values():
        who = Who.BROUGHT if each.comes_with_tool else Who.TOOL
        yield Held(each.kind, each.name, who, None, each.tokens, each.source)


def _called(listed: Listed, root: Path, home: Path) -> str:
    if listed.kind != RowKind.FILE:
        return listed.name.casefold()
    name = listed.name
    path = home / name[2:] if name.startswith("~/") else root / name
    return str(real_path(path))


def _names(row: SumRow) -> tuple[str, ...]:
    if row.kind is RowKind.FILE:
        return (str(real_path(row.path)),) if row.path is not None else ()
    return tuple(name.casefold() for name in (row.name, row.also) if name)
