"""Which observations and briefings speak of which entry, looked up once for each snapshot.

It reads what lies below `.shaktra` and what was counted of it, and judges nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.edit.yaml_read import parse_document
from remem.model.entry import Ref
from remem.model.source import Source
from remem.systems.shaktra.brief.briefing import LISTS, briefings_among
from remem.systems.shaktra.consolidation.counted_observations import (
    Key,
    Moved,
    consumed,
    moved_by,
    sha_of,
)
from remem.systems.shaktra.consolidation.terms import number_in
from remem.systems.shaktra.documents import value_of
from remem.systems.shaktra.records import CHECK, GAP, INCIDENT, SHAKTRA, Observation
from remem.systems.shaktra.source import HANDOFF, OBSERVATIONS, STORY, ListSource

OFTEN: Final = 3
"""Stories that an entry was briefed for in vain before it stands out."""
ENTRY_ID: Final = re.compile(r"\b(?:PR|AP|PC)-\d{1,9}\b")


@dataclass(frozen=True, slots=True)
class Observed:
    """An observation with what its story says."""

    ref: Ref
    story: str
    record: Observation
    place: int
    """Among all observations, as they happened: by story, then by id."""
    is_counted: bool
    """It was consolidated already."""
    is_incident: bool
    """Its story mends a bug and observed what it was about."""
    day: str
    moved: Moved | None = field(default=None, hash=False)
    """What counting it did, where that was kept."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An observation that speaks of an entry."""

    seen: Observed
    relationship: str = ""
    """What it does to the entry; empty = it only names it."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """All that observations and briefings say of entries."""

    observed: Sequence[Observed] = ()
    """Every observation, as they happened."""
    by_id: Mapping[str, Sequence[Mention]] = field(default_factory=dict)
    """Entry's id → what names it, as it happened."""
    briefed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Entry's id → the stories whose briefing names it, in their order."""
    worked: frozenset[str] = frozenset()
    """The stories in which something was observed."""

    def of(self, id: str) -> Sequence[Mention]:  # noqa: A002 - what entries call it
        return self.by_id.get(id, ())

    def in_vain(self, id: str) -> int:  # noqa: A002 - what entries call it
        """Return how many stories were briefed with an entry and worked on; 0 = it was named."""
        if self.of(id):
            return 0
        return sum(story in self.worked for story in self.briefed.get(id, ()))


_known: Final[WeakKeyDictionary[Library, Mentions]] = WeakKeyDictionary()


def mentions(library: Library) -> Mentions:
    """Return what is said of entries in this snapshot."""
    found = _known.get(library)
    if found is None:
        found = _known[library] = _found_in(library)
    return found


@lru_cache(maxsize=4_096)
def briefed_ids(data: bytes) -> tuple[str, ...]:
    """Return the ids that a briefing's file names, each once; none where it cannot be read."""
    value = parse_document(data).value
    held = value if isinstance(value, Mapping) else {}
    items = (item for name in LISTS for item in _items(held.get(name)))
    names = (item.get("id") for item in items if isinstance(item, Mapping))
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _found_in(library: Library) -> Mentions:
    sources = library.of_format(SHAKTRA)
    stories = _Stories(sources, *_consumed(library))
    observed = tuple(stories.observed(sources))
    by_id: dict[str, list[Mention]] = {}
    for seen in observed:
        for name, mention in _mentions_in(seen):
            by_id.setdefault(name, []).append(mention)
    briefed: dict[str, list[str]] = {}
    briefings = {source.path.parent.name: source for source in briefings_among(sources)}
    for story in sorted(briefings, key=stories.turn):
        for name in briefed_ids(briefings[story].data):
            briefed.setdefault(name, []).append(story)
    return Mentions(observed, by_id, briefed, frozenset(each.story for each in observed))


def _mentions_in(seen: Observed) -> Iterator[tuple[str, Mention]]:
    record = seen.record
    checked = (record.principle_id or "") if record.type == CHECK else ""
    if checked:
        yield checked, Mention(seen, record.relationship or "")
    for name in dict.fromkeys(ENTRY_ID.findall(record.text)):
        if name != checked:
            yield name, Mention(seen)


def _consumed(library: Library) -> tuple[frozenset[Key], Mapping[Key, Moved]]:
    """Return what was counted; nothing where that cannot be read, which Health tells."""
    try:
        return consumed(library), moved_by(library)
    except Refused:
        return frozenset(), {}


class _Stories:
    """What the files of stories say of them; most are never parsed for it."""

    def __init__(
        self, sources: Sequence[Source], counted: frozenset[Key], moved: Mapping[Key, Moved]
    ) -> None:
        self._told = {s.path.stem: s for s in sources if s.part == STORY}
        self._handed = {s.path.parent.name: s for s in sources if s.part == HANDOFF}
        self._counted = counted
        self._moved = moved
        self._known = {story for story, _, _ in counted}

    def observed(self, sources: Sequence[Source]) -> Iterator[Observed]:
        lists = [s for s in sources if isinstance(s, ListSource) and s.part == OBSERVATIONS]
        place = 0
        for source in sorted(lists, key=lambda each: self.turn(each.story)):
            day, is_incident = self.day(source.story), self._is_incident(source)
            for ref, record, value in _in_turn(source):
                is_counted, moved = self._counting(source.story, record, value)
                story = source.story or source.name
                yield Observed(ref, story, record, place, is_counted, is_incident, day, moved)
                place += 1

    def turn(self, story: str) -> tuple[str, tuple[int, str]]:
        """Return its place among all: by the day it was made, else by its number."""
        return (self.day(story), number_in(story))

    def day(self, story: str) -> str:
        found = _value(self._told.get(story), "created")
        return found if isinstance(found, str) else ""

    def _is_incident(self, source: ListSource) -> bool:
        if not _value(self._told.get(source.story), "bug_id"):
            return False
        records = (read.record for read in source.items)
        return any(isinstance(r, Observation) and r.type in (INCIDENT, GAP) for r in records)

    def _counting(
        self, story: str, record: Observation, value: Mapping[str, Any]
    ) -> tuple[bool, Moved | None]:
        """Tell whether memory has it, as remem noted, else as the story says; and what it did."""
        if story in self._known:
            key = (story, record.id, sha_of(value))
            return key in self._counted, self._moved.get(key)
        return _value(self._handed.get(story), "memory_captured") is True, None


def _in_turn(source: ListSource) -> list[tuple[Ref, Observation, Mapping[str, Any]]]:
    found = [
        (entry.ref, read.record, read.value)
        for entry, read in zip(source.entries, source.items, strict=True)
        if isinstance(read.record, Observation)
    ]
    return sorted(found, key=lambda each: number_in(each[1].id))


def _value(source: Source | None, key: str) -> object:
    if source is None or key.encode() not in source.data:
        return None
    found: object = value_of(source).get(key)
    return found
