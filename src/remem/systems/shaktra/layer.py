"""What of Shaktra's memory reaches a prompt: a story's briefing, for one role (FORMATS 5.3).

Where the story has no briefing yet, what `remem brief` would write is shown; without a story, the
entries of the role that are surest. Nothing is ever written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.base.text import count
from remem.core.system import Ground
from remem.model.entry import Entry, Ref, Status
from remem.model.prompt import NO_TEXT, Ask, Offer, Piece, Reason, Section, Verdict, one_line
from remem.model.roles import matches, plain
from remem.model.source import Source
from remem.systems.shaktra.brief.briefing import (
    Briefed,
    BriefingFile,
    briefed_in,
    briefing_among,
    briefing_from,
    story_of,
)
from remem.systems.shaktra.brief.rank import TDD, Held, Ranking, best_of, rank, said_by
from remem.systems.shaktra.documents import settings_of, story_names
from remem.systems.shaktra.lists import records_of
from remem.systems.shaktra.records import (
    SHAKTRA,
    WORKFLOWS,
    AntiPattern,
    BriefedAntiPattern,
    BriefedPrinciple,
    Principle,
    Procedure,
    Stored,
)
from remem.systems.shaktra.source import (
    ANTI_PATTERNS,
    PRINCIPLES,
    PROCEDURES,
    ListSource,
    stores_among,
)

LAYER: Final = "briefing"
SECTIONS: Final[Mapping[str, Section]] = {
    LAYER: Section(LAYER, "## Briefing"),
    PRINCIPLES: Section(PRINCIPLES, "### Principles", LAYER),
    ANTI_PATTERNS: Section(ANTI_PATTERNS, "### Anti-Patterns", LAYER),
    PROCEDURES: Section(PROCEDURES, "### Procedures", LAYER),
}
_STORES: Final = 8
"""Stores whose entries are remembered beside the one that is asked for."""
_IsFor = Callable[[Sequence[str]], bool]


def offer(ground: Ground, sources: Sequence[Source], ask: Ask) -> Offer | None:
    """Return the layer before its budget; `None` where the root keeps no Shaktra memory."""
    if not stores_among(sources) and not (ask.story and briefing_among(sources, ask.story)):
        return None
    is_for = _receiver(ground, ask)
    if ask.story and ask.story in story_names(sources):
        return _of_story(ground, sources, ask, is_for)
    offered = _without_story(sources, is_for)
    if not ask.story:
        return offered
    remark = f"unknown story `{ask.story}`; showing the prompt without a story"
    return Offer(
        LAYER,
        offered.pieces,
        offered.sections,
        verdicts=offered.verdicts,
        remarks=(remark,),
    )


def held_in(sources: Sequence[Source]) -> Iterator[Held]:
    """Yield every entry of the stores with what it says."""
    for store in stores_among(sources):
        yield from _HELD.of(store)


class _HeldLast:
    """What the entries of stores say, made once: the next snapshot has most of them still."""

    def __init__(self, most: int = 20_000) -> None:
        """Keep what stores of so many entries say; larger ones are gone through each time."""
        self._most = most
        self._last: dict[Path, tuple[Sequence[object], tuple[Held, ...]]] = {}

    def of(self, store: ListSource) -> Iterable[Held]:
        if len(store.items) > self._most:
            return (Held(e, record, said_by(record)) for e, record in records_of(store))
        items, held = self._last.get(store.path, ((), ()))
        if items is not store.items:
            # A record that was taken over from the snapshot before is the same object.
            known = {id(each.record): each.said for each in held}
            held = tuple(
                Held(entry, record, known.get(id(record)) or said_by(record))
                for entry, record in records_of(store)
            )
            self._last = {**dict([*self._last.items()][-_STORES:]), store.path: (store.items, held)}
        return held


_HELD: Final = _HeldLast()


def _receiver(ground: Ground, ask: Ask) -> _IsFor:
    """Return what tells whether an entry for some roles is for those who ask."""
    asked: tuple[str, ...] = (ask.role,) if ask.role else ()
    if not asked:
        given = {plain(name): roles for name, roles in ground.roles.items()}
        asked = tuple(given.get(plain(ask.persona), ()))
    known: dict[tuple[str, ...], bool] = {}

    def is_for(roles: Sequence[str]) -> bool:
        key = tuple(roles)
        if key not in known:
            known[key] = not asked or any(matches(role, key) for role in asked)
        return known[key]

    return is_for


def _without_story(sources: Sequence[Source], is_for: _IsFor) -> Offer:
    mine: list[Held] = []
    verdicts: list[Verdict] = []
    for held in held_in(sources):
        if says_nothing(held.record):
            verdicts.append(Verdict(held.entry.ref, Reason.STATUS, NO_TEXT))
        elif is_for(held.record.roles):
            mine.append(held)
        elif held.entry.status is Status.ACTIVE:  # of others the composer says what became of them
            verdicts.append(_of_others(held.entry, held.record.roles))
    best, out = best_of(mine, settings_of(sources).memory)
    pieces = [
        Piece(held.entry.ref, piece(held.record), (place,), _section(held.record))
        for place, held in enumerate(best)
    ]
    return Offer(LAYER, _arranged(pieces), SECTIONS, verdicts=(*verdicts, *out))


def _of_story(ground: Ground, sources: Sequence[Source], ask: Ask, is_for: _IsFor) -> Offer:
    workflow = plain(ask.phase) if plain(ask.phase) in WORKFLOWS else TDD
    story = story_of(sources, ask.story)
    ranking = rank(story, held_in(sources), settings_of(sources).memory, workflow)
    file = briefing_among(sources, ask.story)
    if file is not None and file.briefing is not None:
        briefing, is_written = file.briefing, True
    else:
        briefing, is_written = briefing_from(story, ranking), False
    entries = {held.entry.ref.id: held.entry for held in reversed([*held_in(sources)])}
    pieces: list[Piece] = []
    verdicts: list[Verdict] = []
    unknown: list[str] = []
    gone: list[str] = []
    for place, briefed in enumerate(briefed_in(briefing)):
        entry = entries.pop(briefed.id, None)
        ref = entry.ref if entry is not None else Ref(SHAKTRA, briefed.id or "?", ground.project)
        if entry is None:
            unknown.append(briefed.id)
        elif entry.status is not Status.ACTIVE:
            gone.append(briefed.id)
        if is_for(briefed.roles):
            record = _as_stored(briefed)
            why = one_line(briefed.relevance).removesuffix(".")
            pieces.append(Piece(ref, piece(record), (place,), _section(record), why=why))
        elif entry is not None and entry.status is Status.ACTIVE:
            verdicts.append(_of_others(entry, briefed.roles))
    verdicts += _left_out(ask.story, ranking, entries, is_written=is_written)
    remarks = (*_remarks(ask, file, is_empty=not pieces), *_misfits(unknown, gone))
    return Offer(LAYER, tuple(pieces), SECTIONS, verdicts=tuple(verdicts), remarks=remarks)


def _left_out(
    story: str, ranking: Ranking, left: Mapping[str, Entry], *, is_written: bool
) -> Iterator[Verdict]:
    """Yield why each entry that is in no list of the briefing is in none."""
    refs = {entry.ref for entry in left.values()}
    for verdict in ranking.out:
        if verdict.ref in refs or not is_written:
            yield verdict
    if not is_written:
        return
    for chosen in ranking.chosen:
        if chosen.held.entry.ref in refs:
            detail = (
                f"the briefing of {story} was written without it, and it scores "
                f"{chosen.score:g} now; `remem brief {story}` rewrites it"
            )
            yield Verdict(chosen.held.entry.ref, Reason.SCOPE, detail)


def _remarks(ask: Ask, file: BriefingFile | None, *, is_empty: bool) -> tuple[str, ...]:
    remarks: list[str] = []
    anew = f"`remem brief {ask.story}` writes"
    if file is None:
        remarks.append(f"{ask.story} has no briefing yet; showing what {anew}")
    elif file.briefing is None:
        remarks.append(f"`{file.source.name}` cannot be read; showing what memory has today")
    elif file.faults:
        faults = f"in `{file.source.name}` {file.faults[0].message}"
        more = len(file.faults) - 1
        remarks.append(f"{faults}, beside {count(more, 'other odd field')}" if more else faults)
    if is_empty:
        whom = ask.role or ask.persona
        remarks.append(
            f"the briefing of {ask.story} has nothing" + (f" for {whom}" if whom else "")
        )
    return tuple(remarks)


def _misfits(unknown: Sequence[str], gone: Sequence[str]) -> Iterator[str]:
    if unknown:
        yield f"the briefing names {_named(unknown)}, which no store has"
    if gone:
        yield f"the briefing names {_named(gone)}, no longer active"


def _named(ids: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in ids)


def _of_others(entry: Entry, roles: Sequence[str]) -> Verdict:
    return Verdict(entry.ref, Reason.ROLE, f"it is for {', '.join(roles)}")


def _arranged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Put pieces below their sections; the best ones of each stand first."""
    order = (PRINCIPLES, ANTI_PATTERNS, PROCEDURES)
    return tuple(sorted(pieces, key=lambda each: (order.index(each.section), each.rank)))


def _section(record: Stored) -> str:
    match record:
        case Principle():
            return PRINCIPLES
        case AntiPattern():
            return ANTI_PATTERNS
        case Procedure():
            return PROCEDURES


def _as_stored(briefed: Briefed) -> Stored:
    """Return a record that is printed as the briefing has the entry."""
    if isinstance(briefed, BriefedPrinciple):
        return Principle(
            id=briefed.id,
            text=briefed.text,
            confidence=briefed.confidence,
            guidance=briefed.guidance,
        )
    if isinstance(briefed, BriefedAntiPattern):
        return AntiPattern(
            id=briefed.id,
            failed_approach=briefed.failed_approach,
            recommended_approach=briefed.recommended_approach,
            severity=briefed.severity,
        )
    return Procedure(id=briefed.id, text=briefed.text, confidence=briefed.confidence)


def says_nothing(record: Stored) -> bool:
    """Tell whether an entry has no text."""
    if isinstance(record, AntiPattern):
        return not (record.failed_approach + record.recommended_approach).strip()
    return not record.text.strip()


def piece(record: Stored) -> str:
    """Return the entry's lines in a prompt."""
    if isinstance(record, AntiPattern):
        texts = (one_line(record.failed_approach), one_line(record.recommended_approach))
        return f"- **{record.id}** ({record.severity}) {' → '.join(filter(None, texts))}"
    line = f"- **{record.id}** ({record.confidence:.2f}) {one_line(record.text)}"
    guidance = record.guidance if isinstance(record, Principle) else ()
    return "\n".join((line, *(f"  - {one_line(each)}" for each in guidance)))
