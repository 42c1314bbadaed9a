"""The checklist that entries of project memory are held against (FORMATS 1.9).

It tells what is missing or doubtful and mends nothing. What a file breaks outright is told by
reading it; what two entries have in common by comparing them elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.model.entry import Entry, Problem, Status
from remem.systems.sniper.records import AntiPattern, Convention, Decision, Stored

_IN_USE: Final = frozenset({Status.ACTIVE, Status.CANDIDATE})


def faults(library: Library) -> Iterator[tuple[Entry, Problem]]:
    """Yield what is missing from entries and what is doubtful in them, in file order."""
    twins: dict[str, Entry] = {}
    for source in library.of_format("sniper"):
        for entry in source.entries:
            record = library.format_of(entry).reader.record(source, entry)
            if isinstance(record, Convention | AntiPattern | Decision):
                found = (*_missing(record), *_doubtful(library, entry, record))
                yield from ((entry, each) for each in found)
                yield from _elsewhere(library, entry, twins)


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
        yield Problem("no-role", "it names no role, so it is for all roles", "add `applies_to`")
    source = record.source
    if source is None or not source.type or not source.ref:
        yield Problem("no-source", "it has no source", "add `source`")


def _undecided(record: Decision) -> Iterator[Problem]:
    if not record.decision.strip():
        yield Problem("no-text", "it does not say what was decided", "add `decision`")
    if not record.alternatives_considered:
        hint = "add `alternatives_considered`"
        yield Problem("no-alternatives", "it lists no alternatives", hint)
    if not (record.context or "").strip():
        yield Problem("no-context", "it has no context", "add `context`")


def _doubtful(library: Library, entry: Entry, record: Stored) -> Iterator[Problem]:
    if isinstance(record, Decision) and entry.status is Status.SUPERSEDED:
        after = record.superseded_by or ""
        beside = library.source_of(entry).entries
        if not after or not any(each.ref.id == after for each in beside):
            said = f"`{after}` does not exist" if after else "it does not say by which entry"
            yield Problem("no-successor", f"it is superseded, and {said}", "set `superseded_by`")
    if entry.status is Status.CANDIDATE and not record.seen and not _is_borne_out(record):
        yield Problem(
            "no-evidence", "it is a candidate without evidence", "reject it, or add evidence"
        )


def _is_borne_out(record: Stored) -> bool:
    reason = getattr(record, "rationale", None) or getattr(record, "why_bad", None)
    context = getattr(record, "context", None)
    return bool((reason or context or "").strip() or (record.source and record.source.ref))


def _elsewhere(
    library: Library, entry: Entry, twins: dict[str, Entry]
) -> Iterator[tuple[Entry, Problem]]:
    """Yield an entry whose text stands under another kind, too."""
    form = norm(entry.title)
    if entry.status not in _IN_USE or not form:
        return
    first = twins.setdefault(form, entry)
    if first.kind != entry.kind:
        message = f"duplicate of `{library.short(first.ref)}`, which is of another kind"
        yield entry, Problem("duplicate", message, "keep one of them")
