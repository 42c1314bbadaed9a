"""Who applied what: lines that agents log, ids that code names, and what nobody ever takes up.

Agents of Shaktra write `MEMORY: [developer] applying PR-001 — …` while they work. Nothing of it is
kept: a log is counted whenever it is given. Finding ids in code is `code/ids_in_code.py`'s.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.code.ids_in_code import Reference, References
from remem.core.library import Library
from remem.model.entry import Entry, Status
from remem.systems.shaktra.brief.rank import id_order
from remem.systems.shaktra.mentions import OFTEN, mentions
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.shaktra.source import STORES, stores_among

PREFIXES: Final = tuple(kept.prefix for kept in STORES)
_ID: Final = rb"(?:" + b"|".join(each.encode() for each in PREFIXES) + rb")-\d{1,9}"
_APPLYING: Final = re.compile(
    rb"MEMORY:[ \t]*\[([^\]\r\n]{1,80})\][ \t]*applying[ \t]+"
    rb"(%b(?:[ \t]*(?:,|&|and)[ \t]*%b){0,15})" % (_ID, _ID)
)
_IDS: Final = re.compile(_ID)
_ESCAPES: Final = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])"
)
"""What a terminal obeys: colours stand between the words of many logs."""
_MARGIN: Final = 1_024
"""Bytes at the end of a piece that may hold the beginning of a line's words."""


@dataclass(frozen=True, slots=True)
class Logged:
    """What logs say: how often each agent applied each id."""

    counts: Mapping[tuple[str, str], int]
    """By id and agent."""

    def of(self, id: str) -> Mapping[str, int]:  # noqa: A002 - what entries call it
        """Return the agents that applied an entry, the busiest first."""
        found = {agent: many for (name, agent), many in self.counts.items() if name == id}
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


@dataclass(frozen=True, slots=True)
class Use:
    """What became of one entry."""

    entry: Entry
    briefed: tuple[str, ...]
    """The stories whose briefing names it."""
    logged: Mapping[str, int]
    """Agent → times that a log says it applied the entry."""
    references: tuple[Reference, ...]
    """Where code names it."""
    observed: int
    """Observations that name it."""
    in_vain: int
    """Stories that were briefed with it and worked on, while no observation names it."""

    @property
    def times(self) -> int:
        return sum(self.logged.values())

    @property
    def is_applied(self) -> bool:
        return bool(self.times or self.references or self.observed)

    @property
    def is_neglected(self) -> bool:
        """It was briefed often, and nothing that was looked at says that it was applied."""
        in_force = self.entry.status is Status.ACTIVE
        return in_force and self.in_vain >= OFTEN and not self.is_applied


def count_log(pieces: Iterable[bytes]) -> Logged:
    """Count the lines by which agents say what they apply.

    Args:
        pieces: A log in pieces of any size; words that two of them share are found.
    """
    counts: Counter[tuple[str, str]] = Counter()
    kept = b""
    for piece in pieces:
        held = kept + piece
        if b"\x1b" in held:
            held = _ESCAPES.sub(b"", held)
        sure = max(0, len(held) - _MARGIN)
        kept = held[_counted(held, sure, counts) :]
    _counted(kept, len(kept) + 1, counts)
    return Logged(dict(counts))


def _counted(held: bytes, sure: int, counts: Counter[tuple[str, str]]) -> int:
    """Count what begins before `sure` and return from where on the rest is looked at again."""
    rest = sure
    if b"MEMORY:" not in held:
        return rest
    for match in _APPLYING.finditer(held):
        if match.start() >= sure:
            break
        agent = " ".join(match[1].decode("utf-8", "replace").split())
        for name in _IDS.findall(match[2]):
            counts[name.decode(), agent] += 1
        rest = max(rest, match.end())
    return rest


def uses(library: Library, logged: Logged, code: References) -> tuple[Use, ...]:
    """Return what became of every entry of Shaktra's stores, in the order of stores and ids."""
    sources = library.of_format(SHAKTRA)
    said = mentions(library)
    named: dict[str, list[Reference]] = {}
    for each in code.found:
        named.setdefault(each.id, []).append(each)
    return tuple(
        Use(
            entry,
            tuple(said.briefed.get(entry.ref.id, ())),
            logged.of(entry.ref.id),
            tuple(named.get(entry.ref.id, ())),
            len(said.of(entry.ref.id)),
            said.in_vain(entry.ref.id),
        )
        for store in stores_among(sources)
        for entry in sorted(store.entries, key=lambda each: id_order(each.ref))
    )


def unknown_ids(library: Library, logged: Logged) -> tuple[str, ...]:
    """Return the ids that logs name and no store has, sorted."""
    stores = stores_among(library.of_format(SHAKTRA))
    known = {entry.ref.id for store in stores for entry in store.entries}
    return tuple(sorted({name for name, _ in logged.counts} - known))


def busiest(found: Sequence[Use]) -> Iterator[Use]:
    """Yield what was applied, the most often first, then what was not, the most briefed first."""
    yield from sorted(
        found,
        key=lambda use: (-use.times, -len(use.references), -use.observed, -len(use.briefed)),
    )
