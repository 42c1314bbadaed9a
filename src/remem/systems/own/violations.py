"""What the gate found broken and nobody looked at yet: which entry each finding is evidence of.

A finding of an entry in force waits by itself; one of a candidate goes with the candidate, which it
makes ready to be confirmed. A finding whose entry is gone is no evidence of anything and does not
wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.own_folder import FOLDER, OWN
from remem.core.relation.normal_form import exact
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.model.change import Json
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source
from remem.systems.own.found_by_gate import PART, VIOLATION, finding_of
from remem.systems.own.records import GateFinding, Place

_GROUP: Final = "review gate"
OTHERWISE: Final = "the rule changed since; run `remem check --record` again"
"""Why such a finding is evidence of nothing now."""
DECIDES: Final = "approving counts it as seen again; rejecting accepts these places from now on"
"""What deciding on such a finding means."""
_SHOWN: Final = 5
"""Places that a card names; the others are counted."""
_IN_USE: Final = frozenset({Status.ACTIVE, Status.CANDIDATE})


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of the gate and the entry that it is evidence of."""

    entry: Entry
    """The finding, as it waits."""
    source: Source
    """The file that it waits in."""
    finding: GateFinding
    rule: Entry

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the rule was broken; what was damaged in the file is no place."""
        return tuple(place for place in self.finding.places if place.path and place.mark)

    @property
    def is_of_these_words(self) -> bool:
        """Tell whether the rule still says what it said when the gate looked."""
        return exact(self.finding.text, self.rule.title)


def gate_source(library: Library) -> Source | None:
    """Return the file that findings wait in which are made at this root."""
    path = library.ground.root / FOLDER / f"{PART}.yaml"
    return next((each for each in library.of_format(OWN) if each.path == path), None)


def found_by_gate(library: Library) -> Mapping[Ref, Found]:
    """Return what waits, by the entry that it is evidence of; the first of two findings counts."""
    known: dict[Ref, Found] = {}
    for source in library.of_format(OWN):
        if source.part != PART:
            continue
        for entry in source.entries:
            found = _found(library, source, entry)
            if found is not None and found.places:
                known.setdefault(found.rule.ref, found)
    return known


def found_at(library: Library, entry: Entry) -> Found | None:
    """Return what an entry of the file stands for; `None` where its rule no longer exists."""
    return _found(library, library.source_of(entry), entry) if entry.kind == VIOLATION else None


def violated_items(library: Library) -> Iterator[Item]:
    """Yield an item for each entry in force that the gate found broken."""
    for found in found_by_gate(library).values():
        if found.rule.status is Status.ACTIVE:
            yield _item(library, found)


def told_of_gate(here: Found, item: Item) -> Item:
    """Say of a candidate that the gate found it broken: with that evidence it can be confirmed."""
    if "approve" not in item.verbs:
        return item
    if not here.is_of_these_words:
        return replace(item, evidence=(*item.evidence, OTHERWISE))
    return replace(
        item,
        why=f"the gate found this candidate violated in {_places(here)}",
        evidence=(*item.evidence, *_evidence(here)),
        suggested="" if item.suspects else "approve",
    )


def marks_in(fields: Mapping[str, Json]) -> frozenset[str]:
    """Return what stands for the places that an entry's `seen` counted already."""
    seen = fields.get("seen")
    ones = (one for one in (seen if isinstance(seen, list) else ()) if isinstance(one, Mapping))
    lists = (one.get("places") for one in ones)
    told = (str(each) for places in lists if isinstance(places, list) for each in places)
    return frozenset(each.rpartition("#")[2] for each in told)


def _found(library: Library, source: Source, entry: Entry) -> Found | None:
    finding = finding_of(source, entry)
    try:
        here = replace(Ref.parse(finding.rule), place=source.place)
        rule = library.entry(here) if library.has(here) else library.resolve(finding.rule)
    except UnknownRef:
        return None
    return Found(entry, source, finding, rule) if rule.status in _IN_USE else None


def _item(library: Library, found: Found) -> Item:
    name = library.short(found.rule.ref)
    why = f"the gate found `{name}` violated in {_places(found)}"
    is_evidence = found.is_of_these_words
    suspects = suspects_in(tuple(place.path for place in found.places))
    marks = (place.mark for place in found.places)
    return Item(
        id=hashed(Why.VIOLATED, found.finding.rule, *marks),
        ref=found.entry.ref,
        digest=found.entry.digest,
        kind=VIOLATION,
        title=found.rule.title,
        group=_GROUP,
        source=found.source.name,
        why=why if is_evidence else f"{why}, but {OTHERWISE}",
        reason=Why.VIOLATED,
        evidence=(*_evidence(found), *((DECIDES,) if is_evidence else ())),
        roles=found.rule.roles,
        suggested="approve" if is_evidence and not suspects else "",
        verbs=("approve", "reject") if is_evidence else ("reject",),
        suspects=suspects,
        waiting=VIOLATION,
    )


def _places(found: Found) -> str:
    return count(len(found.places), "place")


def _evidence(found: Found) -> Iterable[str]:
    """Yield the places as a card shows them."""
    for place in found.places[:_SHOWN]:
        said = " ".join(place.text.split())
        yield f"{place.path}:{place.line} {said}".rstrip()
    more = len(found.places) - _SHOWN
    if more > 0:
        yield f"and {count(more, 'more place')}"
    looked = f" with `remem check {found.finding.looked}`" if found.finding.looked else ""
    yield f"found on {found.finding.date}{looked}"
