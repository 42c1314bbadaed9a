"""What waits of learnings: drafts, doubts, signals, what protocols found (FORMATS 2.2–2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.waiting.candidate import is_kept
from remem.core.waiting.item import Item, Why, item_id, suspects_in
from remem.core.waiting.kinds import (
    Act,
    Coming,
    Decided,
    OfEntries,
    Plan,
    Usual,
    usual,
)
from remem.core.waiting.rejected import kept_both
from remem.model.change import texts_in
from remem.model.entry import Entry, Ref, Status
from remem.model.source import Source
from remem.systems.learnings.events import is_doubted
from remem.systems.learnings.incoming import (
    became,
    came_of,
    fields_of_finding,
    fields_of_signal,
    merged_into,
    proposed,
    why_not_proposed,
)
from remem.systems.learnings.read import signal_of
from remem.systems.learnings.records import (
    DRAFT,
    HIGH_FROM,
    IN_FORCE,
    LEARNING,
    Learning,
    is_expired,
)
from remem.systems.learnings.source import SIGNAL, LearningSource, record_of
from remem.systems.sniper.retro.retro_entries import finding_of
from remem.systems.sniper.retro.retro_record import Finding
from remem.systems.sniper.waiting import Findings, finding_at, occurrence

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Merge
    from remem.model.change import Change, Intent


class Learnings(OfEntries):
    """A learning that is a draft, expired, or doubted."""

    id = LEARNING
    order = 6
    claims = (LEARNING,)
    system = LEARNING
    kind = LEARNING
    asks_again = True
    stays = True

    def items(self, library: Library) -> Iterator[Item]:
        for source in library.of_format(LEARNING):
            for entry in library.format(LEARNING).reader.waiting(source):
                item = _item(library, source, entry, self.id) if entry.kind == LEARNING else None
                if item is not None:
                    yield item

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if entry.status is not Status.CANDIDATE and waits(library, entry) is None:
            return {}
        return usual(library, entry)


class Signals(OfEntries):
    """A signal, which becomes a learning when it is approved."""

    id = SIGNAL
    order = 7
    claims = (SIGNAL,)
    system = LEARNING
    kind = SIGNAL
    asks_again = True

    def items(self, library: Library) -> Iterator[Item]:
        for source in library.of_format(LEARNING):
            for entry in library.format(LEARNING).reader.waiting(source):
                is_open = entry.kind == SIGNAL and entry.status is Status.CANDIDATE
                item = _item(library, source, entry, self.id) if is_open else None
                if item is not None:
                    yield item

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        return usual(library, entry)

    def coming(self, library: Library, entry: Entry) -> Coming:
        source = library.source_of(entry)
        assert isinstance(source, LearningSource)
        return Coming(LEARNING, entry.title, fields_of_signal(source))


def _plan_merge(library: Library, intent: Intent, args: Merge) -> Change:
    from remem.systems.learnings.upkeep import plan_merge_findings

    return plan_merge_findings(library, intent, args)


class ProtocolFindings(Findings):
    """What the retro of a protocol asks for: it becomes a learning."""

    id = "protocol-finding"
    order = 3

    def takes(self, library: Library, entry: Entry) -> bool:
        found = finding_of(library.source_of(entry), entry)
        return found is not None and found[1].kind == LEARNING

    def merging(self) -> Plan | Usual:
        return _plan_merge

    def is_offered(self, library: Library, source: Source, entry: Entry) -> bool:
        return super().is_offered(library, source, entry) and entry in proposed(library, source)

    def settled(self, library: Library, entry: Entry) -> Decided | None:
        found, retro = super().settled(library, entry), library.source_of(entry)
        if found is not None and found.state != "known":
            return found
        into = merged_into(library, retro, entry)
        if into is not None:
            return Decided("merged", into)
        made = became(library, retro).get(entry.ref)
        if made is None:
            return found
        return Decided("kept" if made.status is Status.CANDIDATE else "confirmed", made)

    def coming(self, library: Library, entry: Entry) -> Coming:
        source = library.source_of(entry)
        retro, finding = finding_at(source, entry)
        fields, seen = fields_of_finding(source, finding), occurrence(source, retro, finding)
        return Coming(LEARNING, finding.text, fields, seen=seen, tells_itself=True)

    def judged(self, library: Library, finding: Finding) -> tuple[str, str]:
        return "proposed by a protocol retro", "approve"

    def why_not_offered(self, library: Library, source: Source, entry: Entry) -> str:
        return why_not_proposed(library, source, entry)

    def besides(self, library: Library, source: Source) -> Iterator[str]:
        made = came_of(library, source)
        if made:
            names = ", ".join(f"`{library.short(each.ref)}`" for each in made)
            yield f"{count(made, 'learning')} already came from this retro: {names}"


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
        return Waits("draft", tuple(_evidence(record)))
    if record.status not in IN_FORCE:
        return None
    if is_expired(record, library.ground.given.clock.today()):
        why = f"expired on {record.expires_at[:10]}"
        return Waits(why, tuple(_evidence(record)))
    return _doubted(library, source, record)


def _doubted(library: Library, source: LearningSource, record: Learning) -> Waits | None:
    """A recurrence asks for a person, and so do two sure learnings that say opposite things."""
    if not is_doubted(record):
        return None
    last = next(e.event for e in reversed(record.history) if e.event in _DOUBTS)
    if last == "recurrence_detected":
        return Waits("the problem recurred although this was known", tuple(_evidence(record)))
    against = next(_as_sure(library, source, record), None)
    if against is None:
        return None
    why = f"`{library.short(against)}` says the opposite, both with high confidence"
    return Waits(why, tuple(_evidence(record)))


_DOUBTS = ("recurrence_detected", "contradicted")


def _as_sure(library: Library, source: LearningSource, record: Learning) -> Iterator[Ref]:
    if record.confidence < HIGH_FROM:
        return
    for name in record.contradicted_by:
        ref = Ref(source.ref.format, name, source.ref.place)
        other = record_of(library.source_of(ref)) if library.has(ref) else None
        if other is None or other.status not in IN_FORCE or other.confidence < HIGH_FROM:
            continue
        is_kept_both = kept_both(library.sources)
        if is_kept_both is None or not is_kept_both(record.learning, other.learning):
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
    return Waits("signal, not a learning yet", evidence, "approve", ("approve", "reject"))


def _item(library: Library, source: Source, entry: Entry, kind: str) -> Item | None:
    found = waits(library, entry)
    if found is None or (entry.status is Status.CANDIDATE and is_kept(library, source, entry)):
        return None
    fields = library.format_of(entry).reader.fields(source, entry)
    suspects = suspects_in((entry.title, *texts_in(fields)))
    return Item(
        id=item_id(library, Why.CANDIDATE, source, LEARNING, entry.title),
        ref=entry.ref,
        digest=entry.digest,
        kind=LEARNING,
        title=entry.title,
        group="learnings",
        source=source.name,
        why=found.why,
        reason=Why.CANDIDATE,
        evidence=found.evidence,
        roles=entry.roles,
        suggested="" if suspects else found.suggested,
        verbs=found.verbs,
        phases=entry.phases,
        suspects=suspects,
        waiting=kind,
        stands_by=source.path,
    )
