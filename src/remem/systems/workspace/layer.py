"""What a workspace offers to the prompts of its repositories: pieces that say where they are from.

What a repository overrides is taken out where both layers meet (`joined`, FORMATS 1.10 and 1.13).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.core.system import Ground
from remem.model.entry import Entry, Ref, Status
from remem.model.memo import kept_together
from remem.model.prompt import NO_TEXT, Ask, Offer, Piece, Reason, Verdict
from remem.model.source import Source
from remem.systems.sniper.layer import GIVEN, LAYER, NOT_FOR_ROLE, SECTIONS, TRUNCATED, asked_roles
from remem.systems.sniper.printing import piece, rest_of, says_nothing
from remem.systems.sniper.records import CONVENTION, MemorySettings
from remem.systems.sniper.stores import stores_among
from remem.systems.workspace import shared
from remem.systems.workspace.discover import APART
from remem.systems.workspace.inherit import Override, between_in, levels_of, overridden

LABEL: Final = " [WORKSPACE]"
"""Follows the id of what a repository inherits (FORMATS 1.10)."""


def offer(
    ground: Ground, sources: Sequence[Source], ask: Ask, *, refused: Collection[str] = ()
) -> Offer | None:
    """Return what the workspace gives to a prompt; `None` = it gives nothing.

    Args:
        ground: Of the repository that is composed for.
        sources: Those of the workspace.
        ask: For whom.
        refused: Places that hand no conventions down.
    """
    asked = asked_roles(ground, ask)
    given = [each for s in stores_among(sources) for each in GIVEN.by(s, asked, LABEL)]
    texts = (source for source in sources if source.part == shared.PART)
    given += [_of_text(source, entry) for source in texts for entry in source.entries]
    if not given:
        return None
    pieces = [each for each in given if isinstance(each, Piece)]
    kept = [each for each in pieces if not _stays(each, refused)]
    verdicts = [each for each in given if isinstance(each, Verdict)]
    verdicts += [_kept_back(each) for each in pieces if _stays(each, refused)]
    return Offer(
        LAYER,
        pieces=tuple(kept),
        sections=SECTIONS,
        cap=ask.budget or MemorySettings().token_budget,
        empty=NOT_FOR_ROLE,
        note=TRUNCATED,
        verdicts=tuple(verdicts),
    )


def kept_from(offer: Offer) -> Offer:
    """Return what a workspace offers to a repository that its agents do not get it in: nothing."""
    out = (
        Verdict(each.ref, Reason.NOT_LOADED, f"this repository {APART}") for each in offer.pieces
    )
    return replace(offer, pieces=(), empty="", verdicts=(*offer.verdicts, *out))


def _of_text(source: Source, entry: Entry) -> Piece | Verdict:
    record = shared.record_of(source, entry)
    if record is None or entry.status is not Status.ACTIVE:
        return Verdict(entry.ref, Reason.STATUS, NO_TEXT)
    rest = rest_of(record, entry.ref.id)
    if says_nothing(entry, rest):
        return Verdict(entry.ref, Reason.STATUS, NO_TEXT)
    text = piece(entry, rest, LABEL)
    return Piece(entry.ref, text, rank=(*entry.rank, 1), section=shared.part_of(entry.kind))


def _stays(piece: Piece, refused: Collection[str]) -> bool:
    return piece.section == shared.part_of(CONVENTION) and piece.ref.place in refused


def _kept_back(piece: Piece) -> Verdict:
    detail = "`config.memory.workspace_conventions` is `false` in `workspace.yaml`"
    return Verdict(piece.ref, Reason.DISABLED, detail)


DISABLED: Final = "the memory of this repository is turned off"


def joined(inherited: Offer, own: Offer | None, sources: Sequence[Source]) -> Offer:
    """Return the repository's layer with what it inherits.

    Args:
        inherited: What the workspace offers.
        own: What the repository does; `None` = it keeps no memory.
        sources: All that the prompt is composed of.
    """
    counting = _counting(inherited, own, overridden(sources))
    if own is None:
        return counting
    told = {piece.ref for piece in (*counting.pieces, *own.pieces)}
    warnings = (say for refs, say in _opposed(levels_of(sources)) if told.issuperset(refs))
    found = _together(counting, own)
    return replace(found, remarks=(*found.remarks, *warnings))


@kept_together
def _opposed(sources: tuple[Source, ...]) -> Sequence[tuple[tuple[Ref, Ref], str]]:
    """Return the entries of both levels that may conflict and nobody settled, each with a warning.

    Args:
        sources: Those of the levels, and what was decided in the repository.
    """
    return tuple(_warnings(sources))


def _warnings(sources: Sequence[Source]) -> Iterator[tuple[tuple[Ref, Ref], str]]:
    for found in between_in(sources):
        if found.is_contradiction:
            own, inherited = found.own.ref.without_place(), found.inherited.ref.without_place()
            told = f"`{own}` may conflict with `{inherited}`, and this prompt has both"
            hint = f"`remem workspace override {own} {inherited}` lets the repository's win"
            yield (found.own.ref, found.inherited.ref), f"{told}; {hint}"


def _counting(inherited: Offer, own: Offer | None, overrides: Mapping[Ref, Override]) -> Offer:
    """Take out what is overridden, or told to someone else by an entry with the same text."""
    told = {piece.ref for piece in own.pieces} if own is not None else set()
    pieces: list[Piece] = []
    verdicts = [*inherited.verdicts]
    for each in inherited.pieces:
        found = overrides.get(each.ref)
        # Who does not get the repository's wording keeps the workspace's: the rule is the same.
        if found is None or not (found.said or found.by.ref in told):
            pieces.append(each)
        else:
            verdicts.append(Verdict(each.ref, Reason.OVERRIDDEN, _why(found)))
    return replace(inherited, pieces=tuple(pieces), verdicts=tuple(verdicts))


def _why(found: Override) -> str:
    name = found.by.ref.without_place()
    said = "overrides it" if found.said else "is a duplicate of it"
    return f"`{name}` of this repository {said}"


def _together(inherited: Offer, own: Offer) -> Offer:
    if not own.cap and not own.pieces and not own.sections:
        off = (Verdict(piece.ref, Reason.DISABLED, DISABLED) for piece in inherited.pieces)
        return replace(own, verdicts=(*inherited.verdicts, *off, *own.verdicts))
    remarks = (*inherited.remarks, *own.remarks)
    order = [*own.sections]
    pieces = sorted((*inherited.pieces, *own.pieces), key=lambda each: order.index(each.section))
    verdicts = (*inherited.verdicts, *own.verdicts)
    return replace(own, pieces=tuple(pieces), verdicts=verdicts, remarks=remarks)
