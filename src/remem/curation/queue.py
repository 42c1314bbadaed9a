"""Everything that waits for a decision: derived from the library on each look, nothing is kept.

What an item's verbs write is planned in `verbs.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from remem.curation.detect_verbs import detect_items
from remem.curation.gate_findings import found_by_gate, told_of_gate, violated_items
from remem.curation.item import Item, Like, Why, hashed, item_id, suspects_in
from remem.curation.known import alike, merged_into, origin_of
from remem.curation.learning_coming import PROTOCOL_START, proposed
from remem.curation.learning_queue import waits
from remem.curation.records import coming_of, finding_at
from remem.curation.rejected import rejections, suppressed
from remem.curation.retro import Outcome, is_met_again, outcome
from remem.curation.workspace_queue import gathered
from remem.errors import UnknownRef
from remem.formats.sniper.config import settings_of
from remem.formats.sniper.marks import mark_of, marked
from remem.formats.sniper.retros import PART
from remem.library import Library
from remem.model.aside import Reverted
from remem.model.change import Json, texts_in
from remem.model.entry import Entry, Status
from remem.model.learning import LEARNING
from remem.model.own import Proposal
from remem.model.retro import FINDING, Finding, Retro
from remem.model.shaktra import SHAKTRA
from remem.model.similar import Alike, fingerprint, likeness
from remem.model.source import Source
from remem.model.workspace import WORKSPACE
from remem.text import count
from remem.workspaces import is_whole

PROPOSAL: Final = "proposal"
_VERIFIED: Final = "verified"


def _stale(library: Library) -> Iterable[Item]:
    """Return what no longer holds of verified memory, where there is some."""
    if not library.of_format(_VERIFIED):
        return ()
    from remem.curation.reanchor import stale_items

    return stale_items(library)


def _observed(library: Library) -> Iterable[Item]:
    """Return what a consolidation would do; its arithmetic is loaded only where it has stories."""
    if not library.of_format(SHAKTRA):
        return ()
    from remem.curation.consolidation_queue import observed_items

    return observed_items(library)


def _overridden(library: Library) -> Iterable[Item]:
    """Return where a repository and its workspace disagree, where it is in one."""
    if not library.of_format(WORKSPACE):
        return ()
    from remem.curation.workspace_override import override_items

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
    finding all of its kind are, because it may be known.
    """
    waiting = gathered(library, _waiting)
    if not is_whole(library):
        return waiting
    from remem.curation.promotion_found import shared_items, told_of_others

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
    return tuple(items)


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
    found = [
        Like(match.entry.ref, match.entry.title, match.alike, match.ratio, _relation(match.alike))
        for match in alike(library, item.kind, item.title)
        if match.entry.ref != item.ref
    ]
    for rejection in rejections(library).values():
        near = likeness(item.title, rejection.text) if rejection.kind == item.kind else None
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
    if suppressed(library, entry.kind, entry.title) is not None and source.part == "inbox":
        return None
    return _candidate_item(library, source, entry)


def _candidate_item(library: Library, source: Source, entry: Entry) -> Item:
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
    if finding.section in PROTOCOL_START and entry not in proposed(library, source):
        return None
    coming = coming_of(library, entry)
    if suppressed(library, coming.kind, coming.text) is not None:
        return None
    if merged_into(library, coming.kind, coming.text) is not None:
        return None
    matches = alike(library, coming.kind, coming.text)
    exact = [match.entry for match in matches if match.alike is Alike.EXACT]
    stem = source.path.stem
    if exact and not _meets_again(library, exact, stem, retro, finding):
        return None
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


def _meets_again(
    library: Library, exact: list[Entry], stem: str, retro: Retro, finding: Finding
) -> bool:
    """Tell whether a candidate from elsewhere is met once more; anything else is known."""
    return all(
        entry.status is Status.CANDIDATE
        and is_met_again(_fields_of(library, entry), stem, retro, finding)
        for entry in exact
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
            return "the retro recommends it with high confidence", "approve"
        case Outcome.KEEP:
            return "the retro recommends it with medium confidence", "keep"
        case _:
            is_gate = bool(finding.check)
            return "nothing tracks what the review gate stopped" if is_gate else (
                "the retro recommends it, and `memory.auto_codify` is off"
            ), ""


def _evidence(retro: Retro, finding: Finding) -> Iterator[str]:
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
    if suppressed(library, coming.kind, coming.text) is not None:
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
    if found is None:
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
