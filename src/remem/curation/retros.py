"""A sprint's retro as a person looks at it: its findings, what became of them, and how two differ.

It only reads. What the rules make of a finding is `ingest.py`'s, and what a person may do with one
is the queue's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from remem.curation.ingest import Fate, Judged, judge
from remem.curation.item import Item
from remem.curation.queue import queue
from remem.curation.retro import met_in
from remem.disk.history import Logged
from remem.disk.merge import Clash
from remem.disk.patch import merge_in, reverse
from remem.disk.steps import Edited, Made, Step
from remem.formats.sniper import retros
from remem.formats.sniper.stores import StoreEntries
from remem.library import FileChange, Library
from remem.model.entry import Entry, Problem, Ref, Status
from remem.model.retro import CATEGORIES, Finding
from remem.model.similar import Alike, Matcher
from remem.model.source import Source

State: TypeAlias = Literal[
    "open", "known", "kept", "confirmed", "rejected", "watched", "ignored", "note"
]
"""`kept` is a candidate and `confirmed` in force because of this retro; `known` was there before;
`note` is for reading."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """One finding, and what became of it."""

    ref: Ref
    section: str
    text: str
    evidence: str
    stories: tuple[str, ...]
    occurrences: int
    outcome: str
    """What the rules make of it now: `confirmed`, `kept`, `promoted`, `counted`, `open`, …"""
    why: str
    """One sentence without a full stop."""
    suggested: str
    """The verb that the queue suggests; empty = none."""
    state: State
    entry: Ref | None
    """The entry that it became, or that says the same or nearly."""
    is_item: bool
    """It waits in the queue."""


@dataclass(frozen=True, slots=True)
class RetroView:
    """A sprint's retro with all that it found."""

    name: str
    sprint: int | None
    date: str
    stories_completed: int | None
    stories_carried_over: int | None
    problems: tuple[Problem, ...]
    groups: Mapping[str, tuple[FindingView, ...]]
    """Category → findings in file order; empty categories are left out."""

    @property
    def findings(self) -> Iterator[FindingView]:
        return (each for group in self.groups.values() for each in group)


@dataclass(frozen=True, slots=True)
class Pair:
    """A finding of the later retro beside that of the earlier one."""

    before: Finding
    after: Finding


@dataclass(frozen=True, slots=True)
class RetroDiff:
    """How the findings of one retro differ from those of an earlier one."""

    recurring: tuple[Pair, ...]
    new: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    worse: tuple[Pair, ...]
    """Of the recurring ones: met more often, or recommended to codify now."""


def retro_view(library: Library, source: Source) -> RetroView:
    """Return what a retro found and what became of it; of one that cannot be read, its problems."""
    _, retro = retros.parsed(source)
    items = {item.ref: item for item in queue(library)}
    judged = judge(library, source)
    groups: dict[str, tuple[FindingView, ...]] = {}
    for category, sections in CATEGORIES.items():
        found = (each for each in judged if each.finding.section in sections)
        views = tuple(_view(library, source, each, items.get(each.entry.ref)) for each in found)
        if views:
            groups[category] = views
    return RetroView(
        source.path.stem,
        retro.sprint if retro else None,
        retro.date if retro else "",
        retro.completed if retro else None,
        retro.carried_over if retro else None,
        source.problems,
        groups,
    )


def retro_diff(before: Source, after: Source) -> RetroDiff:
    """Compare two retros, the earlier first: findings are the same by their text, or near to it."""
    old, new = _findings(before), _findings(after)
    pairs = tuple(_pairs(old, new))
    was, now = {id(pair.before) for pair in pairs}, {id(pair.after) for pair in pairs}
    return RetroDiff(
        pairs,
        tuple(each for each in new if id(each) not in now),
        tuple(each for each in old if id(each) not in was),
        tuple(pair for pair in pairs if _is_worse(pair)),
    )


def retro_effect(
    library: Library, source: Source, history: Sequence[tuple[Logged, Sequence[Step]]]
) -> tuple[FileChange, ...]:
    """Return what a retro did to memory: each file without it, and as it stands.

    What others wrote since stands on both sides. A step that cannot be told apart from that is left
    out.

    Args:
        library: Where it lies.
        source: The retro.
        history: Changes with their steps, newest first.
    """
    refs = _entries_of(library, source.path.stem)
    now = {each.path: each.data for each in library.of_format("sniper")}
    stores = {each.path for each in library.of_format("sniper") if each.entries and _is_fed(each)}
    without = dict(now)
    for logged, steps in history:
        if not logged.undone and _is_of(logged, source, refs):
            for step in steps:
                if isinstance(step, Edited | Made) and step.path in stores:
                    without[step.path] = _taken_off(without[step.path], step)
    return tuple(
        FileChange(path, without[path], data) for path, data in now.items() if without[path] != data
    )


def _view(library: Library, source: Source, judged: Judged, item: Item | None) -> FindingView:
    finding = judged.finding
    return FindingView(
        ref=judged.entry.ref,
        section=finding.section,
        text=finding.text,
        evidence=finding.evidence,
        stories=finding.stories,
        occurrences=finding.occurrences,
        outcome=judged.fate,
        why=item.why if item is not None else judged.why,
        suggested=item.suggested if item is not None else "",
        state=_state(library, source, judged, item),
        entry=judged.known.ref if judged.known is not None else None,
        is_item=item is not None,
    )


def _state(library: Library, source: Source, judged: Judged, item: Item | None) -> State:
    match judged.fate:
        case Fate.REJECTED:
            return "rejected"
        case Fate.IGNORE:
            return "ignored"
        case Fate.NOTE | Fate.EMPTY:
            return "note"
        case Fate.KNOWN if judged.known is not None:
            return _came_of(library, source, judged.known)
        case _:
            return "open" if item is not None else "watched"


def _came_of(library: Library, source: Source, entry: Entry) -> State:
    """Tell what an entry owes to a retro."""
    fields = library.format_of(entry).fields(library.source_of(entry), entry)
    if source.path.stem not in met_in(fields):
        return "known"
    return "kept" if entry.status is Status.CANDIDATE else "confirmed"


def _findings(source: Source) -> tuple[Finding, ...]:
    _, retro = retros.parsed(source)
    return retro.findings if retro is not None else ()


def _pairs(old: Sequence[Finding], new: Sequence[Finding]) -> Iterator[Pair]:
    """Pair findings of one kind, each once, exact ones before near ones."""
    matchers: dict[str, Matcher[int]] = {}
    left: set[int] = set()
    for wanted in (Alike.EXACT, Alike.NEAR):
        taken = {number for number, _ in enumerate(new) if number in left}
        for number, finding in enumerate(new):
            if number in taken:
                continue
            group = _group(finding)
            if group not in matchers:
                texts = ((n, each.text) for n, each in enumerate(old) if _group(each) == group)
                matchers[group] = Matcher(texts)
            for match in matchers[group].like(finding.text):
                if match.likeness.alike is wanted and ~match.key not in left:
                    left |= {number, ~match.key}
                    yield Pair(old[match.key], finding)
                    break


def _group(finding: Finding) -> str:
    """Gate failures and anti-patterns are the same thing met in two places."""
    return finding.kind or finding.section


def _is_worse(pair: Pair) -> bool:
    before, after = pair.before, pair.after
    is_codified = before.recommendation != "codify" and after.recommendation == "codify"
    return after.occurrences > before.occurrences or is_codified


def _is_fed(source: Source) -> bool:
    return isinstance(source.entries, StoreEntries)


def _entries_of(library: Library, stem: str) -> frozenset[Ref]:
    """Return the entries that a retro brought, or that were met in it; few are parsed for it."""
    needle = stem.encode()
    found: set[Ref] = set()
    for source in library.of_format("sniper"):
        entries = source.entries
        if not isinstance(entries, StoreEntries) or needle not in source.data:
            continue
        for number, span in enumerate(entries.spans.items):
            is_named = source.data.find(needle, span.start, span.end) >= 0
            if is_named and stem in met_in(entries.parsed(number).value):
                found.add(entries.ref(number))
    return frozenset(found)


def _is_of(logged: Logged, source: Source, refs: frozenset[Ref]) -> bool:
    """Tell whether a change was about a retro's findings, or about what came of them."""
    start = f"{source.path.stem}/"
    asked = (*logged.touched, *(ref for ref in logged.touched.values() if ref is not None))
    return any(ref in refs or ref.id.startswith(start) for ref in asked)


def _taken_off(data: bytes, step: Edited | Made) -> bytes:
    if isinstance(step, Made):
        return b"" if data == step.data else data
    merged = merge_in(data, reverse(step.patches), step.size_after)
    return data if isinstance(merged, Clash) else merged
