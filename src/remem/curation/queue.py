"""Everything that waits for a decision: derived from the library on each look, nothing is kept.

What an item's verbs write is planned in `verbs.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Final

from remem.checks.hygiene import Finding as Suspect
from remem.checks.hygiene import examine
from remem.curation.known import alike, origin_of
from remem.curation.records import coming_of, finding_at, texts_in
from remem.curation.rejected import rejections, suppressed
from remem.curation.retro import Outcome, outcome
from remem.errors import UnknownRef
from remem.formats.sniper.config import settings_of
from remem.library import Library
from remem.model.entry import Entry, Ref, Status
from remem.model.own import Proposal
from remem.model.retro import FINDING, Finding, Retro
from remem.model.similar import Alike, fingerprint, likeness
from remem.model.source import Source
from remem.text import count

PROPOSAL: Final = "proposal"


class Why(StrEnum):
    """Why an item waits; part of its id."""

    CANDIDATE = "candidate"
    FINDING = "finding"
    GATE_FAILURE = "gate-failure"
    RECURRENCE = "recurrence"
    PROPOSAL = "proposal"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that waits for a person."""

    id: str
    """12 hexadecimal digits, the same as long as the text is (FORMATS 7)."""
    ref: Ref
    digest: str
    """Of the entry that was looked at; goes into the intent."""
    kind: str
    """The entry that it is or would become: `convention`."""
    title: str
    group: str
    """The retro or the source that it is shown under."""
    source: str
    """Name of the source that it stands in."""
    why: str
    """One sentence without a full stop."""
    reason: Why
    evidence: tuple[str, ...]
    roles: tuple[str, ...] | None
    suggested: str
    """Id of the verb that remem would use; empty = none."""
    verbs: tuple[str, ...]
    suspects: tuple[Suspect, ...] = ()
    """Hidden characters, secrets, risky instructions in what it would bring into memory."""


@dataclass(frozen=True, slots=True)
class Like:
    """An entry, or a rejected text, that an item resembles."""

    ref: Ref | None
    """`None` = it was rejected before."""
    title: str
    relation: Alike
    ratio: float
    reason: str
    """One sentence without a full stop: why it matters."""


def queue(library: Library) -> tuple[Item, ...]:
    """Return all that waits, in the order of the sources and of each file.

    Entries of stores are parsed only where their bytes may make them candidates; with an open
    finding all of its kind are, because it may be known.
    """
    items: list[Item] = []
    taken: set[str] = set()
    for source in library.sources:
        for entry in library.format(source.format).waiting(source):
            item = _item(library, source, entry) if entry.status is Status.CANDIDATE else None
            if item is None:
                continue
            if entry.kind == FINDING and item.id in taken:
                continue  # one retro found the same thing twice
            while item.id in taken:
                item = replace(item, id=_hashed(item.id, str(entry.ref)))
            taken.add(item.id)
            items.append(item)
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
        id=_id(library, Why.CANDIDATE, source, entry.kind, entry.title),
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
        suspects=_suspects((entry.title, *texts_in(fields))),
    )


def _finding_item(library: Library, source: Source, entry: Entry) -> Item | None:
    """Return the item of a finding; `None` where memory or a rejection answers it already."""
    retro, finding = finding_at(source, entry)
    coming = coming_of(library, entry)
    if suppressed(library, coming.kind, coming.text) is not None:
        return None
    matches = alike(library, coming.kind, coming.text)
    exact = [match.entry for match in matches if match.alike is Alike.EXACT]
    stem = source.path.stem
    if exact and not _meets_again(library, exact, stem):
        return None
    reason = Why.GATE_FAILURE if finding.check else Why.FINDING
    why, suggested = _judged(library, finding)
    if exact:
        reason, suggested = Why.RECURRENCE, "promote"
        why = f"`{library.short(exact[0].ref)}` is a candidate that was met again"
    elif matches:
        suggested = "merge" if matches[0].alike is Alike.NEAR else ""
        why = f"{_relation(matches[0].alike)}: `{library.short(matches[0].entry.ref)}`"
    suspects = _suspects((coming.text, *texts_in(coming.fields)))
    if suspects:
        suggested, why = "", suspects[0].message
    return Item(
        id=_id(library, reason, source, coming.kind, coming.text),
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


def _meets_again(library: Library, exact: list[Entry], stem: str) -> bool:
    """Tell whether a candidate from elsewhere is met once more; anything else is known."""
    if any(entry.status is not Status.CANDIDATE for entry in exact):
        return False
    for entry in exact:
        fields = library.format_of(entry).fields(library.source_of(entry), entry)
        origin = origin_of(fields)
        if origin is not None and origin.ref == stem:
            return False
    return True


def _judged(library: Library, finding: Finding) -> tuple[str, str]:
    """Return why a finding waits and the verb that the rules suggest."""
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
    suspects = _suspects((coming.text, *texts_in(coming.fields)))
    return Item(
        id=_id(library, Why.PROPOSAL, source, coming.kind, coming.text),
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


def _suspects(texts: tuple[str, ...]) -> tuple[Suspect, ...]:
    found = (suspect for text in dict.fromkeys(texts) for suspect in _examined(text))
    return tuple(found)


@lru_cache(maxsize=4096)
def _examined(text: str) -> tuple[Suspect, ...]:
    return examine(text)


def _relation(alike: Alike) -> str:
    match alike:
        case Alike.EXACT:
            return "it says the same"
        case Alike.NEAR:
            return "it says nearly the same"
        case Alike.CONTRADICTION:
            return "it may contradict"


def _id(library: Library, why: Why, source: Source, kind: str, text: str) -> str:
    path = source.path
    if path.is_relative_to(library.ground.root):
        path = path.relative_to(library.ground.root)
    return _hashed(why, path.as_posix(), fingerprint(kind, text))


def _hashed(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
