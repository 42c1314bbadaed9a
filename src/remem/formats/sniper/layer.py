"""The memory layer of a prompt: which entries, in which order, under which heads (FORMATS 1.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.formats.protocol import Ground
from remem.formats.sniper.config import settings_of
from remem.formats.sniper.stores import entries_of, stores_among
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask, Offer, Piece, Reason, Section, Verdict
from remem.model.roles import matches, plain
from remem.model.source import Source

LAYER: Final = "project memory"
ABSENT: Final = (
    "No project memory available.\nThis is either a new project or memory has not been initialized."
)
NOT_FOR_ROLE: Final = "No project memory applies to this role."
TRUNCATED: Final = (
    "Note: Memory layer truncated to fit token budget. Full memory available at .sniper/memory/"
)
SECTIONS: Final = {
    "conventions": Section("conventions", "## Project Memory — Conventions You Must Follow"),
    "anti-patterns": Section("anti-patterns", "## Anti-Patterns — Do NOT Do These"),
    "decisions": Section("decisions", "## Key Decisions"),
}
_WAITS: Final = {
    Status.CANDIDATE: "it is a candidate and waits for a decision",
    Status.ARCHIVED: "it is no longer in force",
    Status.SUPERSEDED: "another decision took its place",
    Status.INVALID: "it is invalid",
}


def offer(ground: Ground, sources: Sequence[Source], ask: Ask) -> Offer | None:
    """Return the layer before its budget; `None` where the root keeps no SNIPER memory."""
    settings = settings_of(sources)
    stores = stores_among(sources)
    entries = [entry for source in stores for entry in source.entries]
    if not settings.memory.enabled:
        detail = "`memory.enabled` is `false` in `.sniper/config.yaml`"
        return Offer(
            LAYER, verdicts=tuple(Verdict(e.ref, Reason.DISABLED, detail) for e in entries)
        )
    if not stores and not sources and ground.disk.kind(ground.root / ".sniper") != "folder":
        return None
    asked = _asked(ground, ask)
    return Offer(
        LAYER,
        pieces=tuple(_pieces(stores, asked)),
        sections=SECTIONS,
        cap=ask.budget or settings.memory.token_budget,
        empty=NOT_FOR_ROLE if stores else ABSENT,
        note=TRUNCATED,
        verdicts=tuple(v for v in (_verdict(entry, asked) for entry in entries) if v),
    )


def _asked(ground: Ground, ask: Ask) -> tuple[str, ...]:
    """Return the roles asked for; a persona stands for the roles that the settings give it."""
    if ask.role:
        return (ask.role,)
    given = {plain(name): roles for name, roles in ground.roles.items()}
    return tuple(given.get(plain(ask.persona), ()))


def _is_for(entry: Entry, asked: tuple[str, ...]) -> bool:
    return not asked or any(matches(role, entry.roles) for role in asked)


def _verdict(entry: Entry, asked: tuple[str, ...]) -> Verdict | None:
    if entry.status is not Status.ACTIVE:
        return Verdict(entry.ref, Reason.STATUS, _WAITS[entry.status])
    if not _is_for(entry, asked):
        return Verdict(entry.ref, Reason.ROLE, f"it is for {', '.join(entry.roles or ())}")
    return None


def _pieces(stores: Sequence[Source], asked: tuple[str, ...]) -> Iterator[Piece]:
    for source in stores:
        for number, entry in enumerate(source.entries):
            if entry.status is not Status.ACTIVE or not _is_for(entry, asked):
                continue
            yield Piece(
                entry.ref,
                entries_of(source).printed(number).piece,
                rank=(*entry.rank, number),
                section=source.part,
                always=entry.rank[:1] == (1,),
            )
