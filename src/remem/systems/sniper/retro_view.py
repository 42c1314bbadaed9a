"""A sprint's retro as a person looks at it: its findings, what became of them, and how two differ.

It only reads. What the rules make of a finding is `ingest.py`'s, and what a person may do with one
is the queue's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from remem.core.library import FileChange, Library
from remem.core.relation.similar import Alike, Matcher
from remem.edit.merge_lines import Clash
from remem.edit.patch import merge_in, reverse
from remem.model.entry import Ref
from remem.model.source import Source
from remem.store.records import Logged
from remem.store.steps import Edited, Made, Step
from remem.systems.sniper import retros
from remem.systems.sniper.retro_record import Finding
from remem.systems.sniper.retro_rules import met_in
from remem.systems.sniper.stores import StoreEntries


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
