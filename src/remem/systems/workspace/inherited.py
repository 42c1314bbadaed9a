"""Puts what a repository inherits into its layer of project memory (FORMATS 1.10, 1.13).

Entries of the workspace stand first in each section, those that the repository overrides are out;
everything else about a layer is the formats' and the budget's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.model.entry import Ref
from remem.model.prompt import Offer, Piece, Reason, Verdict
from remem.model.source import Source
from remem.systems.workspace.inherit import Override, overridden

DISABLED: Final = "the memory of this repository is switched off"


def joined(inherited: Offer, own: Offer | None, sources: Sequence[Source]) -> Offer:
    """Return the repository's layer with what it inherits.

    Args:
        inherited: What the workspace offers.
        own: What the repository does; `None` = it keeps no memory.
        sources: All that the prompt is composed of.
    """
    counting = _counting(inherited, own, overridden(sources))
    return counting if own is None else _together(counting, own)


def _counting(inherited: Offer, own: Offer | None, overrides: Mapping[Ref, Override]) -> Offer:
    """Take out what is overridden, or told to someone else by an entry with the same text."""
    told = {piece.ref for piece in own.pieces} if own is not None else set()
    pieces: list[Piece] = []
    verdicts = [*inherited.verdicts]
    for piece in inherited.pieces:
        found = overrides.get(piece.ref)
        # Who does not get the repository's wording keeps the workspace's: the rule is the same.
        if found is None or not (found.said or found.by.ref in told):
            pieces.append(piece)
        else:
            verdicts.append(Verdict(piece.ref, Reason.OVERRIDDEN, _why(found)))
    return replace(inherited, pieces=tuple(pieces), verdicts=tuple(verdicts))


def _why(found: Override) -> str:
    name = found.by.ref.without_place()
    said = "overrides it" if found.said else "says the same"
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
