"""What a workspace offers to the prompts of its repositories: pieces that say where they are from.

It knows nothing of the repository: what that overrides is taken out where both meet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from remem.core.system import Ground
from remem.model.entry import Entry, Status
from remem.model.prompt import NO_TEXT, Ask, Offer, Piece, Reason, Verdict
from remem.model.source import Source
from remem.systems.sniper.layer import GIVEN, LAYER, NOT_FOR_ROLE, SECTIONS, TRUNCATED, asked_roles
from remem.systems.sniper.printing import piece, rest_of, says_nothing
from remem.systems.sniper.records import CONVENTION, MemorySettings
from remem.systems.sniper.stores import stores_among
from remem.systems.workspace import shared

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
