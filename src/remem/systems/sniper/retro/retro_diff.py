"""How what a retro found differs from what an earlier one found.

A finding recurs where the earlier retro says the same, or nearly, or where memory says it and was
met in an earlier retro: by the relation that makes the queue say *seen again*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.already_said import alike
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import Alike
from remem.model.entry import Entry
from remem.model.source import Source
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_files import files_of
from remem.systems.sniper.retro.retro_record import Finding
from remem.systems.sniper.retro.retro_rules import met_in
from remem.systems.sniper.retro.retro_view import said
from remem.systems.sniper.seen import merged_into


class Course(StrEnum):
    """What became of a finding from one retro to the next, in the order in which it is told."""

    WORSE = "got worse"
    """Met more often, of a higher severity, or recommended to codify only now."""
    RECURRING = "recurring"
    BETTER = "got better"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Side:
    """A finding in its retro."""

    source: Source
    entry: Entry
    finding: Finding

    @property
    def said(self) -> Mapping[str, str]:
        """What the retro says of it, beside its text."""
        return said(self.source, self.finding)


@dataclass(frozen=True, slots=True)
class Compared:
    """One finding of either retro, or one of both."""

    course: Course
    before: Side | None
    after: Side | None
    known: Entry | None = None
    """The memory that says it, where an earlier retro than this one met that."""
    met: tuple[str, ...] = ()
    """The retros in which it was met before."""

    @property
    def side(self) -> Side:
        """The later one; the earlier one where it is gone."""
        found = self.after or self.before
        assert found is not None
        return found

    def changes(self) -> tuple[tuple[str, str, str], ...]:
        """Return what both retros say of it and say otherwise: name, then and now."""
        if self.before is None or self.after is None:
            return ()
        was, now = self.before.said, self.after.said
        return tuple(
            (name, was.get(name, ""), now.get(name, ""))
            for name in _COUNTED
            if was.get(name, "") != now.get(name, "")
        )


_COUNTED: Final = ("occurrences", "failures", "severity", "recommendation", "confidence", "stories")
_SEVERITY: Final = {"low": 1, "medium": 2, "high": 3}


def retro_diff(library: Library, before: Source, after: Source) -> tuple[Compared, ...]:
    """Compare two retros, the earlier first; in the order of what became of a finding."""
    old, new = _sides(before), _sides(after)
    pairs = dict(_pairs(old, new))
    found = [_compared(library, side, _at(old, pairs.get(n))) for n, side in enumerate(new)]
    gone = set(range(len(old))) - set(pairs.values())
    found += [Compared(Course.GONE, old[number], None) for number in sorted(gone)]
    order = [*Course]
    return tuple(sorted(found, key=lambda each: order.index(each.course)))


def _sides(source: Source) -> list[Side]:
    _, retro = retro_entries.parsed(source)
    findings = retro.findings if retro is not None else ()
    return [Side(source, *each) for each in zip(source.entries, findings, strict=False)]


def _at(sides: Sequence[Side], number: int | None) -> Side | None:
    return None if number is None else sides[number]


def _pairs(old: Sequence[Side], new: Sequence[Side]) -> Iterator[tuple[int, int]]:
    """Pair findings of one kind by number, the later first, each once, exact ones before near."""
    matchers: dict[str, Matcher[int]] = {}
    left: set[int] = set()
    for wanted in (Alike.EXACT, Alike.NEAR):
        taken = {number for number, _ in enumerate(new) if number in left}
        for number, side in enumerate(new):
            if number in taken:
                continue
            group = _group(side.finding)
            if group not in matchers:
                of_group = [n for n, each in enumerate(old) if _group(each.finding) == group]
                matchers[group] = Matcher((n, old[n].finding.text) for n in of_group)
            for match in matchers[group].like(side.finding.text):
                if match.likeness.alike is wanted and ~match.key not in left:
                    left |= {number, ~match.key}
                    yield number, match.key
                    break


def _group(finding: Finding) -> str:
    """Gate failures and anti-patterns are the same thing met in two places."""
    return finding.kind or finding.section


def _compared(library: Library, after: Side, before: Side | None) -> Compared:
    if before is not None:
        return Compared(_course(before, after), before, after)
    known, met = _met_before(library, after)
    return Compared(Course.RECURRING if met else Course.NEW, None, after, known, met)


def _met_before(library: Library, side: Side) -> tuple[Entry | None, tuple[str, ...]]:
    """Return the memory that says a finding, and the other retros that it was met in."""
    kind, text = side.finding.kind, side.finding.text
    if kind not in (CONVENTION, ANTI_PATTERN) or not text.strip():
        return None, ()
    same = [each.entry for each in alike(library, kind, text) if each.alike is Alike.EXACT]
    merged = merged_into(library, kind, text)
    stems = {each.path.stem for each in files_of(library)}
    for entry in (*same, *((merged,) if merged is not None else ())):
        fields = library.format_of(entry).reader.fields(library.source_of(entry), entry)
        met = sorted((met_in(fields) & stems) - {side.source.path.stem})
        if met:
            return entry, tuple(met)
    return None, ()


def _course(before: Side, after: Side) -> Course:
    was, now = before.finding, after.finding
    both = was.occurrences and now.occurrences
    steps = [now.occurrences - was.occurrences] if both else []
    told_before, told_after = before.said, after.said
    if "severity" in told_before and "severity" in told_after:
        steps.append(_SEVERITY.get(now.severity, 2) - _SEVERITY.get(was.severity, 2))
    steps.append((now.recommendation == "codify") - (was.recommendation == "codify"))
    if any(step > 0 for step in steps):
        return Course.WORSE
    return Course.BETTER if any(step < 0 for step in steps) else Course.RECURRING
