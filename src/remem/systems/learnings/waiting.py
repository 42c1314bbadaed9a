"""Why a learning or a signal waits for a person, as its files tell it (FORMATS 2.2–2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from remem.core.library import Library
from remem.model.entry import Entry, Ref
from remem.systems.learnings.events import HIGH_FROM, is_doubted
from remem.systems.learnings.read import signal_of
from remem.systems.learnings.records import DRAFT, IN_FORCE, Learning, is_expired
from remem.systems.learnings.source import SIGNAL, LearningSource, record_of


@dataclass(frozen=True, slots=True)
class Waits:
    """What a person should know who decides."""

    why: str
    """One sentence without a full stop."""
    evidence: tuple[str, ...] = ()
    suggested: str = ""
    verbs: tuple[str, ...] = ("approve", "reject", "edit", "merge")


def waits(library: Library, entry: Entry) -> Waits | None:
    """Return why a learning or a signal waits; `None` where it does not."""
    source = library.source_of(entry)
    if not isinstance(source, LearningSource):
        return None
    if source.part == SIGNAL:
        return _signal(source)
    record = record_of(source)
    if record is None or source.archived or entry.is_read_only:
        return None
    if record.status == DRAFT:
        return Waits("it is a draft", tuple(_evidence(record)))
    if record.status not in IN_FORCE:
        return None
    if is_expired(record, library.ground.clock.today()):
        why = f"its time was over on {record.expires_at[:10]}"
        return Waits(why, tuple(_evidence(record)))
    return _doubted(library, source, record)


def _doubted(library: Library, source: LearningSource, record: Learning) -> Waits | None:
    """A recurrence asks for a person, and so do two sure learnings that say opposite things."""
    if not is_doubted(record):
        return None
    last = next(e.event for e in reversed(record.history) if e.event in _DOUBTS)
    if last == "recurrence_detected":
        return Waits("the problem came back although this was known", tuple(_evidence(record)))
    against = next(_as_sure(library, source, record), None)
    if against is None:
        return None
    why = f"`{library.short(against)}` says the opposite, and both are sure"
    return Waits(why, tuple(_evidence(record)))


_DOUBTS = ("recurrence_detected", "contradicted")


def _as_sure(library: Library, source: LearningSource, record: Learning) -> Iterator[Ref]:
    if record.confidence < HIGH_FROM:
        return
    for name in record.contradicted_by:
        ref = Ref(source.ref.format, name, source.ref.place)
        other = record_of(library.source_of(ref)) if library.has(ref) else None
        if other is not None and other.status in IN_FORCE and other.confidence >= HIGH_FROM:
            yield ref


def _evidence(record: Learning) -> Iterator[str]:
    yield f"confidence {record.confidence:g}"
    origin = record.source
    if origin.detail:
        yield origin.detail
    if origin.protocol_id:
        yield f"from {origin.protocol_id}"
    told = [each for each in record.history if each.event != "created"]
    if told:
        last = told[-1]
        yield " · ".join(filter(None, (last.timestamp[:10], last.event, last.detail)))


def _signal(source: LearningSource) -> Waits:
    signal = signal_of(source)
    facts = (
        f"{signal.type.replace('_', ' ')} {signal.source}".strip(),
        signal.details or "",
        f"in {', '.join(signal.affected_files)}" if signal.affected_files else "",
    )
    evidence = tuple(fact for fact in facts if fact)
    return Waits("it is a signal and no learning yet", evidence, "approve", ("approve", "reject"))
