"""Everything that waits for a decision: derived from the library on each look, nothing is kept.

What an item's verbs write is planned in `verbs.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from remem.base.errors import UnknownRef
from remem.base.text import count
from remem.core.checks.violations import found_by_gate, told_of_gate, violated_items
from remem.core.library import Library
from remem.core.relation.in_force import against, whole
from remem.core.relation.known import alike, origin_of
from remem.core.relation.similar import Alike, fingerprint, likeness
from remem.core.relation.whole import whole_of, whole_text
from remem.core.repositories import is_whole
from remem.core.verbs.detect_verbs import detect_items
from remem.core.waiting.decided import decided
from remem.core.waiting.item import Item, Like, Why, hashed, item_id, suspects_in
from remem.core.waiting.kept_candidates import is_kept
from remem.core.waiting.records import coming_of, finding_at
from remem.core.waiting.rejected import rejections, suppressed
from remem.core.waiting.repositories import gathered
from remem.model.aside import Reverted
from remem.model.change import Json, texts_in
from remem.model.entry import Entry, Status
from remem.model.source import Source
from remem.systems.learnings.incoming import proposed
from remem.systems.learnings.records import LEARNING
from remem.systems.learnings.waiting import waits
from remem.systems.own.records import Proposal
from remem.systems.personas.waiting import rests, whose_lesson
from remem.systems.shaktra.records import SHAKTRA
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.marks import mark_of, marked
from remem.systems.sniper.records import FINDING
from remem.systems.sniper.retro_record import Finding, Retro
from remem.systems.sniper.retro_rules import Outcome, outcome, sureness
from remem.systems.sniper.retros import PART
from remem.systems.workspace.records import WORKSPACE

PROPOSAL: Final = "proposal"
_VERIFIED: Final = "verified"


def _stale(library: Library) -> Iterable[Item]:
    """Return what no longer holds of verified memory, where there is some."""
    if not library.of_format(_VERIFIED):
        return ()
    from remem.systems.facts.stale import stale_items

    return stale_items(library)


def _observed(library: Library) -> Iterable[Item]:
    """Return what a consolidation would do; its arithmetic is loaded only where it has stories."""
    if not library.of_format(SHAKTRA):
        return ()
    from remem.systems.shaktra.waiting import observed_items

    return observed_items(library)


def _overridden(library: Library) -> Iterable[Item]:
    """Return where a repository and its workspace disagree, where it is in one."""
    if not library.of_format(WORKSPACE):
        return ()
    from remem.systems.workspace.override import override_items

    return override_items(library)


FURTHER: Final[tuple[Callable[[Library], Iterable[Item]], ...]] = (
    _stale,
    _observed,
    violated_items,
    detect_items,
    _overridden,
)
"""Who else finds what waits, one line each; what they find stands after the candidates."""


def queue(library: Library) -> tuple[Item, ...]:
    """Return all that waits, in the order of the sources and of each file.

    Entries of stores are parsed only where their bytes may make them candidates; with an open
    finding or a proposal all are, because something in force may say otherwise.
    """
    waiting = gathered(library, _waiting)
    if not is_whole(library):
        return waiting
    from remem.systems.workspace.promotion_found import shared_items, told_of_others

    return (*told_of_others(library, waiting), *shared_items(library))


def _waiting(library: Library) -> tuple[Item, ...]:
    """Return what waits in one repository."""
    items: list[Item] = []
    taken: set[str] = set()
    added = _added(library)
    broken = found_by_gate(library)
    for source in library.sources:
        items += added.pop(source.path.stem, ()) if source.part == PART else ()
        for entry in library.format(source.format).waiting(source):
            may = entry.status is Status.CANDIDATE or entry.kind == LEARNING
            item = _item(library, source, entry) if may else None
            if item is None:
                continue
            item = _told_of_revert(library, told_of_gate(broken, item))
            if entry.kind == FINDING and item.id in taken:
                continue  # one retro found the same thing twice
            while item.id in taken:
                item = replace(item, id=hashed(item.id, str(entry.ref)))
            taken.add(item.id)
            items.append(item)
    items += (item for left in added.values() for item in left)
    items += (item for find in FURTHER for item in find(library))
    refs = {item.ref for item in items}
    items += (_reverted_item(library, r) for r in library.aside.reverted if r.ref not in refs)
    return tuple(_told_of_doubt(library, item) for item in items)


_ENTERS: Final = frozenset({Why.FINDING, Why.GATE_FAILURE, Why.RECURRENCE, Why.PROPOSAL})
"""Not what is a candidate of a store: listing those parses no other entry."""
_FORCE: Final = frozenset({"approve", "promote"})


def _told_of_doubt(library: Library, item: Item) -> Item:
    """Show what in force may say otherwise, whole; then nothing is suggested that adds to it."""
    if item.reason not in _ENTERS:
        return item
    found = against(library, item.kind, item.title, apart={item.ref})
    if not found:
        return item
    suggested = "" if item.suggested in _FORCE else item.suggested
    return replace(item, evidence=(*item.evidence, *whole(library, found)), suggested=suggested)


def find_item(library: Library, name: str) -> Item:
    """Return the item with that id, an unambiguous start of it, or the ref of its entry.

    Raises:
        UnknownRef: None or several have that name.
    """
    items = queue(library)
    found = [item for item in items if item.id.startswith(name)]
    found = found or [i for i in items if name in (str(i.ref), library.short(i.ref))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownRef(f"`{name}` starts {len(found)} ids", hint="write more of the id")
    raise UnknownRef(f"nothing with the id `{name}` waits", hint="`remem queue` lists what waits")


def likes(library: Library, item: Item) -> tuple[Like, ...]:
    """Return what an item is like: entries of its kind, best first, then rejected texts."""
    says = whole_of(library, library.entry(item.ref)) if library.has(item.ref) else ""
    text = says if item.title in says else item.title
    found = [
        Like(match.entry.ref, match.entry.title, match.alike, match.ratio, _relation(match.alike))
        for match in alike(library, item.kind, text)
        if match.entry.ref != item.ref
    ]
    for rejection in rejections(library).values():
        near = likeness(text, rejection.text) if rejection.kind == item.kind else None
        if near is not None:
            reason = f"rejected by {rejection.by} on {rejection.date}: {rejection.reason}"
            found.append(Like(None, rejection.text, near.alike, near.ratio, reason))
    return tuple(found)


def _item(library: Library, source: Source, entry: Entry) -> Item | None:
    if entry.kind == FINDING:
        return _finding_item(library, source, entry)
    if entry.kind == PROPOSAL:
        return _proposal_item(library, source, entry)
    if source.format == LEARNING:
        return _learning_item(library, source, entry)
    says = whole_text(source, entry)
    if source.part == "inbox" and suppressed(library, entry.kind, says) is not None:
        return None
    return _candidate_item(library, source, entry)


def _candidate_item(library: Library, source: Source, entry: Entry) -> Item | None:
    if is_kept(library, source, entry):
        return None
    each = library.format_of(entry)
    fields = each.fields(source, entry)
    origin = origin_of(fields)
    where = f"from {origin.ref or origin.type}" if origin else ""
    why = "it is a candidate in its store"
    if source.part == "inbox":
        why = "it is not yet among the team's decisions"
    facts = (where, str(fields.get("rationale") or fields.get("context") or ""))
    verbs = ("approve", "reject", "edit")
    return Item(
        id=item_id(library, Why.CANDIDATE, source, entry.kind, entry.title),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group=source.name,
        source=source.name,
        why=why,
        reason=Why.CANDIDATE,
        evidence=tuple(fact for fact in facts if fact),
        roles=entry.roles,
        suggested="",
        verbs=(*verbs, "merge") if entry.ref.format == "sniper" else verbs,
        suspects=suspects_in((entry.title, *texts_in(fields))),
    )


def _added(library: Library) -> dict[str, list[Item]]:
    """Return what `retro ingest` put into force and nobody looked at, by the retro it is from."""
    found: dict[str, list[Item]] = {}
    for source in library.of_format("sniper"):
        for entry in marked(source):
            fields = _fields_of(library, entry)
            stem = mark_of(fields)
            found.setdefault(stem, []).append(_added_item(library, source, entry, stem, fields))
    return found


def _added_item(
    library: Library, source: Source, entry: Entry, stem: str, fields: Mapping[str, Json]
) -> Item:
    where = f"it is `{library.short(entry.ref)}` now"
    facts = (where, str(fields.get("rationale") or ""))
    return Item(
        id=item_id(library, Why.ADDED, source, entry.kind, entry.title),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group=stem,
        source=source.name,
        why="`retro ingest` put it into force, and nobody looked at it yet",
        reason=Why.ADDED,
        evidence=tuple(fact for fact in facts if fact),
        roles=entry.roles,
        suggested="approve",
        verbs=("approve", "reject", "edit", "merge"),
    )


def _told_of_revert(library: Library, item: Item) -> Item:
    """Say of a candidate that waits again that it was decided on already."""
    found = library.aside.reverted_at(item.ref)
    if found is None:
        return item
    suggested = found.intent.verb if found.intent.verb in item.verbs else "approve"
    return replace(
        item,
        id=hashed(Why.REVERTED, item.id),
        reason=Why.REVERTED,
        why=_why_reverted(library, found),
        suggested="" if item.suspects else suggested,
    )


def _reverted_item(library: Library, found: Reverted) -> Item:
    """Return the item of a decision on what waits for no other one: an archived entry, an edit."""
    entry = library.entry(found.ref) if library.has(found.ref) else None
    text = fingerprint(found.kind, found.text)
    title = found.text.splitlines()[0] if found.text else found.title
    return Item(
        id=hashed(Why.REVERTED, found.change, str(found.ref), text),
        ref=found.ref,
        digest=entry.digest if entry is not None else "",
        kind=found.kind,
        title=entry.title if entry is not None else title,
        group="reverted",
        source=library.source_of(entry).name if entry is not None else "",
        why=_why_reverted(library, found),
        reason=Why.REVERTED,
        evidence=(f"`{found.path.name}` was written after it",) if found.path else (),
        roles=entry.roles if entry is not None else None,
        suggested="approve",
        verbs=("approve", "reject"),
        suspects=suspects_in((found.text,)),
    )


def _why_reverted(library: Library, found: Reverted) -> str:
    at = found.time.astimezone()
    is_today = found.time.date() == library.ground.clock.today()
    when = f"{at:%H:%M}" if is_today else f"{at:%Y-%m-%d %H:%M}"
    return f"reverted by another writer: `{found.title}` of {when}"


def _finding_item(library: Library, source: Source, entry: Entry) -> Item | None:
    """Return the item of a finding; `None` where memory or a rejection answers it already."""
    retro, finding = finding_at(source, entry)
    if finding.kind == LEARNING and entry not in proposed(library, source):
        return None
    if decided(library, entry) is not None:
        return None
    coming = coming_of(library, entry)
    matches = alike(library, coming.kind, coming.text)
    exact = [match.entry for match in matches if match.alike is Alike.EXACT]
    stem = source.path.stem
    reason = Why.GATE_FAILURE if finding.check else Why.FINDING
    why, suggested = _judged(library, finding)
    if exact:
        reason, suggested = Why.RECURRENCE, "promote"
        why = f"`{library.short(exact[0].ref)}` is a candidate that was met again"
    elif matches:
        suggested = "merge" if matches[0].alike is Alike.NEAR else ""
        why = f"{_relation(matches[0].alike)}: `{library.short(matches[0].entry.ref)}`"
    suspects = suspects_in((coming.text, *texts_in(coming.fields)))
    if suspects:
        suggested, why = "", suspects[0].message
    return Item(
        id=item_id(library, reason, source, coming.kind, coming.text),
        ref=entry.ref,
        digest=entry.digest,
        kind=coming.kind,
        title=coming.text,
        group=stem,
        source=source.name,
        why=why,
        reason=reason,
        evidence=tuple(_evidence(retro, finding)),
        roles=entry.roles,
        suggested=suggested,
        verbs=(*(("promote",) if exact else ()), "approve", "keep", "reject", "merge"),
        suspects=suspects,
    )


def _fields_of(library: Library, entry: Entry) -> Mapping[str, Json]:
    return library.format_of(entry).fields(library.source_of(entry), entry)


def _judged(library: Library, finding: Finding) -> tuple[str, str]:
    """Return why a finding waits and the verb that the rules suggest."""
    if finding.kind == LEARNING:
        return "the retro of a protocol asks for it", "approve"
    settings = settings_of(library.of_format("sniper"))
    match outcome(finding, auto_codify=settings.memory.auto_codify):
        case Outcome.CONFIRM:
            return f"the retro recommends it{sureness(finding)}", "approve"
        case Outcome.KEEP:
            return f"the retro recommends it{sureness(finding)}", "keep"
        case _:
            is_gate = bool(finding.check)
            return "nothing tracks what the review gate stopped" if is_gate else (
                "the retro recommends it, and `memory.auto_codify` is off"
            ), ""


def _evidence(retro: Retro, finding: Finding) -> Iterator[str]:
    if finding.area:
        yield f"about {finding.area.replace('_', ' ')}"
    if finding.evidence:
        yield finding.evidence
    if finding.check:
        yield f"the check `{finding.check}` failed {count(finding.occurrences, 'time')}"
    elif finding.occurrences:
        yield f"met {count(finding.occurrences, 'time')}"
    if finding.stories:
        yield f"in {', '.join(finding.stories)}"
    if retro.date:
        yield f"found on {retro.date}"


def _proposal_item(library: Library, source: Source, entry: Entry) -> Item | None:
    coming = coming_of(library, entry)
    whose = whose_lesson(coming.kind, coming.fields)
    if suppressed(library, coming.kind, coming.text, whose) is not None:
        return None
    if whose and rests(library.sources, coming.fields):
        return None
    record = library.format_of(entry).record(source, entry)
    proposal = record if isinstance(record, Proposal) else None
    facts = (
        (proposal.evidence, f"proposed by {proposal.by}" if proposal.by else "") if proposal else ()
    )
    suspects = suspects_in((coming.text, *texts_in(coming.fields)))
    return Item(
        id=item_id(library, Why.PROPOSAL, source, coming.kind, coming.text),
        ref=entry.ref,
        digest=entry.digest,
        kind=coming.kind or entry.kind,
        title=entry.title,
        group="proposals",
        source=source.name,
        why=(proposal.why if proposal else "") or "it was proposed and has no home yet",
        reason=Why.PROPOSAL,
        evidence=tuple(fact for fact in facts if fact),
        roles=entry.roles,
        suggested="",
        verbs=("approve", "reject", "edit"),
        suspects=suspects,
    )


def _learning_item(library: Library, source: Source, entry: Entry) -> Item | None:
    found = waits(library, entry)
    if found is None or (entry.status is Status.CANDIDATE and is_kept(library, source, entry)):
        return None
    fields = library.format_of(entry).fields(source, entry)
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
    )


def _relation(alike: Alike) -> str:
    match alike:
        case Alike.EXACT:
            return "it says the same"
        case Alike.NEAR:
            return "it says nearly the same"
        case Alike.CONTRADICTION:
            return "it may contradict"
