"""Proposals as they wait in `.remem/proposals/`: each becomes an entry when it is approved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from remem.core.library import Library
from remem.core.own_folder import OWN
from remem.core.waiting.item import Item, Why, item_id, suspects_in
from remem.core.waiting.kinds import (
    Act,
    Coming,
    OfEntries,
    usual,
)
from remem.core.waiting.rejected import suppressed
from remem.model.change import Json, texts_in
from remem.model.entry import Entry, Status
from remem.model.proposals_and_rejections import PROPOSAL, Proposal, text_of
from remem.model.record import read_record
from remem.model.source import Source

_NOT_THEIRS: Final = ("id", "status")
"""Fields that whoever proposes has no say in: the store numbers, and the person decides."""


class Proposals(OfEntries):
    """What an agent or a person proposed, and has no home yet."""

    id = PROPOSAL
    order = 5
    claims = (PROPOSAL,)
    system = OWN
    kind = PROPOSAL
    status = Status.CANDIDATE
    asks_again = True
    is_compared = True

    def items(self, library: Library) -> Iterator[Item]:
        for source in library.of_format(OWN):
            for entry in library.format(OWN).reader.waiting(source):
                is_open = entry.kind == PROPOSAL and entry.status is Status.CANDIDATE
                item = _item(library, source, entry) if is_open else None
                if item is not None:
                    yield item

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        return usual(library, entry)

    def coming(self, library: Library, entry: Entry) -> Coming:
        return _coming(library, library.source_of(entry), entry)


def _coming(library: Library, source: Source, entry: Entry) -> Coming:
    fields = library.format_of(entry).reader.fields(source, entry)
    proposal, _ = read_record(Proposal, fields)
    coming = {name: each for name, each in proposal.fields.items() if name not in _NOT_THEIRS}
    if proposal.by:
        coming |= {k: v for k, v in _origin(library, proposal).items() if k not in coming}
    whose, whence = library.whose(proposal.kind, coming), str(fields.get("door") or "")
    return Coming(
        proposal.kind, text_of(proposal), coming, proposal.target, whence=whence, whose=whose
    )


def _origin(library: Library, proposal: Proposal) -> Mapping[str, Json]:
    """Return the fields by which the entry says who proposed it, where its system has any."""
    day = library.ground.given.clock.today().isoformat()
    homes = (x for x in library.formats if proposal.kind in x.kinds and x.name != OWN)
    home = next((x for x in homes if proposal.target in ("", x.name)), None)
    origin = home.facets.origin if home is not None else None
    return origin(proposal.kind, proposal.by, day) if origin is not None else {}


def _item(library: Library, source: Source, entry: Entry) -> Item | None:
    coming = _coming(library, source, entry)
    if suppressed(library, coming.kind, coming.text, coming.whose) is not None:
        return None
    away = (each.facets.is_away for each in library.formats)
    if coming.whose and any(is_away(library, coming.fields) for is_away in away if is_away):
        return None
    record = library.format_of(entry).reader.record(source, entry)
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
        why=(proposal.why if proposal else "") or "proposed, not in a store yet",
        reason=Why.PROPOSAL,
        evidence=tuple(fact for fact in facts if fact),
        roles=entry.roles,
        suggested="",
        verbs=("approve", "reject", "edit"),
        suspects=suspects,
        waiting=Proposals.id,
        stands_by=source.path,
    )
