"""The rows of a store of verified memory, each read as a memory when somebody asks for it.

A hundred thousand rows come in less than a second; to make memories of all of them takes longer.
It does not import SQLAlchemy; of a SQLite file it leaves no trace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias, overload

from remem.core.system import (
    SHARED,
)
from remem.model.change import RowEdit
from remem.model.entry import Status
from remem.store.databases.rows import Cell, read_query
from remem.systems.facts.database.row_records import (
    APPLIED,
    CHANGED,
    FAILED,
    JUDGEMENT,
    KEPT,
    memory_of,
)
from remem.systems.facts.records import JUDGED, EventName, Memory

MemoryRow: TypeAlias = tuple[Cell, ...]
COLUMNS: Final = (*KEPT, JUDGEMENT, APPLIED, FAILED)
"""What a row has, in this order; the values are as a SQLite file holds them."""
_AT: Final = {name: number for number, name in enumerate(COLUMNS)}
_STATUS: Final = _AT["status"]
_FACT: Final = (_AT["repo"], _AT["subject"], _AT["fact"])
_CITATIONS: Final = _AT["citations"]
_PATH: Final = re.compile(r'"path":\s*("(?:[^"\\]|\\.)*")')
"""In the JSON of citations; a quote inside of a text is escaped there."""
_COUNTED: Final = len(COLUMNS) - 2
"""How often a memory was used or failed makes it no other one."""


_JUDGED_TEXT: Final = ", ".join(f"'{each}'" for each in JUDGED)
_ALL: Final = f"""
SELECT {", ".join(f"kept.{name}" for name in KEPT)}, (
    SELECT told.event FROM agent_memory_telemetry AS told
    WHERE told.memory_id = kept.id AND told.event IN ({_JUDGED_TEXT})
    ORDER BY told.created_at DESC, told.rowid DESC LIMIT 1
) AS {JUDGEMENT}, used.applied AS {APPLIED}, used.failed AS {FAILED}
FROM agent_memory AS kept LEFT JOIN (
    SELECT memory_id, sum(event = '{EventName.APPLIED}') AS applied,
        sum(event = '{EventName.VERIFIED_INVALID}') AS failed
    FROM agent_memory_telemetry
    WHERE event IN ('{EventName.APPLIED}', '{EventName.VERIFIED_INVALID}') GROUP BY memory_id
) AS used ON used.memory_id = kept.id
WHERE kept.tenant_id IN (:tenant, '{SHARED}')
ORDER BY kept.created_at, kept.id
"""


def read_memories(database: Path, tenant: str = SHARED, before: Memories | None = None) -> Memories:
    """Return every memory of a SQLite store, oldest first; none if the file is missing.

    A file that nobody has open is read without a trace beside it.

    Raises:
        BadDatabase: It cannot be read as such a store.
    """
    return Memories(read_query(database, _ALL, {"tenant": tenant}), before)


class Memories(Sequence[Memory]):
    """Memories in the order they were stored, known by their ids."""

    def __init__(self, rows: Sequence[MemoryRow] = (), before: Memories | None = None) -> None:
        """Read nothing yet.

        Args:
            rows: As `COLUMNS` says.
            before: What was read earlier; of rows that are the same it is taken over.
        """
        self._rows = rows
        self._made: list[Memory | None] = [None] * len(rows)
        self._before = before
        if before is not None:
            before._before = None  # noqa: SLF001 - or every snapshot there ever was would be kept

    @overload
    def __getitem__(self, index: int) -> Memory: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Memory]: ...
    def __getitem__(self, index: int | slice) -> Memory | Sequence[Memory]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        found = self._made[index]
        if found is None:
            found = self._made[index] = self._make(index)
        return found

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Memories):
            return self._same == other._same
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(str(row[0]) for row in self._rows)

    @cached_property
    def places(self) -> dict[str, int]:
        """Id → place."""
        return {name: number for number, name in enumerate(self.ids)}

    def named(self, name: str) -> Memory | None:
        """Return the memory with that id."""
        place = self.places.get(name)
        return None if place is None else self[place]

    @cached_property
    def active(self) -> Active:
        """Those in force."""
        active = Status.ACTIVE.value
        return Active(self, [n for n, row in enumerate(self._rows) if row[_STATUS] == active])

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """The paths that those in force cite, each once, without reading any as a memory."""
        cells = (self._rows[place][_CITATIONS] for place in self.active.places)
        texts = (cell for cell in cells if isinstance(cell, str))
        found = dict.fromkeys(path for text in texts for path in _PATH.findall(text))
        return tuple(json.loads(path, strict=False) for path in found)

    def lines(self) -> Iterator[str]:
        """Yield one line for each, without reading any as a memory."""
        for row in self._rows:
            yield " ".join(str(row[place]) for place in (0, _STATUS, *_FACT[1:]))

    def with_edits(self, edits: Sequence[RowEdit]) -> Memories:
        """Return them as edits of their rows would leave them; what is added comes last."""
        rows = {str(row[0]): row for row in self._rows}
        for edit in edits:
            name = str(edit.key.get("id", ""))
            if not edit.after:
                rows.pop(name, None)
            elif not edit.before:
                rows[name] = _changed((name, *[None] * (len(COLUMNS) - 1)), edit)
            elif name in rows:
                rows[name] = _changed(rows[name], edit)
        return Memories([*rows.values()], self)

    @cached_property
    def _same(self) -> list[MemoryRow]:
        return [row[:_COUNTED] for row in self._rows]

    def _make(self, index: int) -> Memory:
        row = self._rows[index]
        before = self._before
        known = before.known(row) if before is not None else None
        if known is not None:
            return known
        values = dict(zip(COLUMNS, row, strict=True))
        return memory_of(values, {name: values[name] for name in CHANGED})

    def known(self, row: MemoryRow) -> Memory | None:
        """Return the memory of a row that was read already."""
        place = self.places.get(str(row[0]))
        return self._made[place] if place is not None and self._rows[place] == row else None


class Active(Sequence[Memory]):
    """The memories in force, in the order they were stored."""

    def __init__(self, memories: Memories, places: Sequence[int]) -> None:
        self._memories = memories
        self.places = places
        """Where they are among all memories."""

    @overload
    def __getitem__(self, index: int) -> Memory: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Memory]: ...
    def __getitem__(self, index: int | slice) -> Memory | Sequence[Memory]:
        if isinstance(index, slice):
            return [self._memories[place] for place in self.places[index]]
        return self._memories[self.places[index]]

    def __len__(self) -> int:
        return len(self.places)

    def around(self, memory: Memory, size: int) -> Sequence[Memory]:
        """Return those among which a memory is when they are taken so many at a time."""
        place = self._numbers[memory.id] // size * size
        return self[place : place + size]

    def keeps(self, repository: str, subject: str, fact: str) -> Iterator[str]:
        """Yield the ids of those that say this."""
        for place in self.places:
            row = self._memories._rows[place]  # noqa: SLF001 - of the same module
            if tuple(row[each] for each in _FACT) == (repository, subject, fact):
                yield str(row[0])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        ids = self._memories.ids
        return {ids[place]: number for number, place in enumerate(self.places)}


def _changed(row: MemoryRow, edit: RowEdit) -> MemoryRow:
    cells = list(row)
    for name, value in edit.after.items():
        if name in _AT and (value is None or isinstance(value, int | float | str)):
            cells[_AT[name]] = value
    for name, more in edit.adds.items():
        held = cells[_AT[name]]
        cells[_AT[name]] = more + (held if isinstance(held, int) else 0)
    return tuple(cells)
