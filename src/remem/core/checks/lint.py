"""The checklist that entries of project memory are held against (FORMATS 1.9), and what they hide.

It tells what is missing or doubtful and mends nothing. What a file breaks outright is told by
reading it; what two entries have in common by comparing them elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.core.relation.similar import norm
from remem.model.change import Json, texts_in
from remem.model.entry import Entry, FileSpan, Problem, Status
from remem.model.source import Source
from remem.systems.sniper.records import FINDING, AntiPattern, Convention, Decision, Stored

SNIPER: Final = "sniper"
_IN_USE: Final = frozenset({Status.ACTIVE, Status.CANDIDATE})


def lint(library: Library) -> Iterator[tuple[Entry, Problem]]:
    """Yield what is missing from entries and what is hidden in them, in file order."""
    twins: dict[str, Entry] = {}
    for source in library.of_format(SNIPER):
        for entry in source.entries:
            record = library.format_of(entry).record(source, entry)
            if isinstance(record, Convention | AntiPattern | Decision):
                faults = (*_missing(record), *_doubtful(library, entry, record))
                yield from ((entry, _at(source, entry, each)) for each in faults)
                yield from _elsewhere(library, source, entry, twins)
    for source in library.sources:
        for entry in source.entries:
            if entry.kind != FINDING:
                fields = library.format_of(entry).fields(source, entry)
                yield from ((entry, _at(source, entry, each)) for each in _hidden(fields, entry))


def _missing(record: Stored) -> Iterator[Problem]:
    if not record.text.strip():
        yield Problem("no-text", "it has no text", "write what it says, or remove it")
    if isinstance(record, Convention) and not (record.rationale or "").strip():
        yield Problem("no-rationale", "it gives no reason", "add `rationale`")
    if isinstance(record, AntiPattern) and not (record.fix_pattern or "").strip():
        yield Problem("no-fix", "it does not say what to do instead", "add `fix_pattern`")
    if isinstance(record, Decision):
        yield from _undecided(record)
    if not record.applies_to:
        yield Problem("no-role", "it names no role, so that everyone loads it", "add `applies_to`")
    source = record.source
    if source is None or not source.type or not source.ref:
        yield Problem("no-source", "it does not say where it comes from", "add `source`")


def _undecided(record: Decision) -> Iterator[Problem]:
    if not record.decision.strip():
        yield Problem("no-text", "it does not say what was decided", "add `decision`")
    if not record.alternatives_considered:
        hint = "add `alternatives_considered`"
        yield Problem("no-alternatives", "it names no alternative", hint)
    if not (record.context or "").strip():
        yield Problem("no-context", "it does not say why it was needed", "add `context`")


def _doubtful(library: Library, entry: Entry, record: Stored) -> Iterator[Problem]:
    if isinstance(record, Decision) and entry.status is Status.SUPERSEDED:
        after = record.superseded_by or ""
        if not after or not any(each.ref.id == after for each in _decisions(library, entry)):
            said = f"`{after}` is not there" if after else "it does not say by what"
            yield Problem("no-successor", f"it is superseded, and {said}", "set `superseded_by`")
    if entry.status is Status.CANDIDATE and not record.seen and not _is_borne_out(record):
        yield Problem("no-evidence", "it is a candidate without evidence", "reject it, or say why")


def _is_borne_out(record: Stored) -> bool:
    reason = getattr(record, "rationale", None) or getattr(record, "why_bad", None)
    context = getattr(record, "context", None)
    return bool((reason or context or "").strip() or (record.source and record.source.ref))


def _decisions(library: Library, entry: Entry) -> Iterable[Entry]:
    return library.source_of(entry).entries


def _elsewhere(
    library: Library, source: Source, entry: Entry, twins: dict[str, Entry]
) -> Iterator[tuple[Entry, Problem]]:
    """Yield an entry whose text stands under another kind, too."""
    form = norm(entry.title)
    if entry.status not in _IN_USE or not form:
        return
    first = twins.setdefault(form, entry)
    if first.kind != entry.kind:
        message = f"it says the same as `{library.short(first.ref)}`, which is of another kind"
        yield entry, _at(source, entry, Problem("duplicate", message, "keep one of them"))


def _hidden(fields: Mapping[str, Json], entry: Entry) -> Iterator[Problem]:
    texts = dict.fromkeys((entry.title, *texts_in(fields)))
    for text in texts:
        for found in examine(text):
            hint = "look at it with `remem show`, then mend or reject the entry"
            yield Problem(found.kind.value, found.message, hint)


def _at(source: Source, entry: Entry, problem: Problem) -> Problem:
    """Say where in its file an entry with a problem begins."""
    line = source.data.count(b"\n", 0, entry.at.start) + 1 if isinstance(entry.at, FileSpan) else 0
    return Problem(problem.code, problem.message, problem.hint, source.path, line, 0, problem.field)
