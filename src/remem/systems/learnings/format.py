"""SNIPER's learning records as a format: what lies where, and who answers for it (FORMATS 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.system import Addition, AddsMany, Ground, Parts
from remem.model.change import Delete, Effect, Json
from remem.model.entry import Entry, Status
from remem.model.globs import is_inside, overlaps
from remem.model.prompt import NO_TEXT, Ask, Offer, Piece, Reason, Section, Verdict, sentence
from remem.model.record import Record
from remem.model.roles import matches, plain
from remem.model.source import Source
from remem.systems.learnings import read
from remem.systems.learnings.read import Signal, signal_of
from remem.systems.learnings.records import HIGH_FROM, LEARNING, Learning, is_expired
from remem.systems.learnings.source import (
    SIGNAL,
    LearningSource,
    discover,
    learning_sources,
    record_of,
)
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.records import LearningSettings
from remem.systems.sniper.spawn_prompt import paths_owned

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.kinds import Waiting


class Learnings(AddsMany, Parts):
    """Learnings of one repository, one file each, and the signals that some of them come from."""

    name = LEARNING
    kinds = (LEARNING,)

    def discover(self, ground: Ground) -> Iterator[Source]:
        yield from discover(ground)

    def read(self, source: Source, data: bytes, before: Source | None = None) -> Source:
        return read.read(_own(source), data)

    def waits(self, library: Library) -> Sequence[Waiting]:
        from remem.systems.learnings.waiting import Learnings as Waits
        from remem.systems.learnings.waiting import ProtocolFindings, Signals

        return (ProtocolFindings(), Waits(), Signals())

    def waiting(self, source: Source) -> Iterator[Entry]:
        if read.may_wait(_own(source)):
            yield from source.entries

    def record(self, source: Source, entry: Entry) -> Record | None:
        own = _own(source)
        if own.part == SIGNAL:
            return read.signal_of(own)
        reading = read.reading_of(own)
        return None if reading is None else reading.record

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        return dict(read.fields_of(_own(source)))

    def body(self, source: Source, entry: Entry) -> str:
        return source.data.decode("utf-8", "replace")

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> tuple[Effect, ...]:
        from remem.systems.learnings import edits

        own = _own(source)
        return edits.set_fields(own, fields, own.told())

    def set_status(self, source: Source, entry: Entry, status: Status) -> tuple[Effect, ...]:
        from remem.systems.learnings import edits

        own = _own(source)
        return edits.set_status(own, entry, status, own.told())

    def remove(self, source: Source, entry: Entry) -> tuple[Effect, ...]:
        """A signal goes to the archive; a record goes with its file."""
        from remem.systems.learnings import edits

        own = _own(source)
        if own.part == SIGNAL:
            return (edits.to_archive(own),)
        return (Delete(source.path, source.data, source.digest),)

    def add_all(
        self,
        ground: Ground,
        sources: Sequence[Source],
        kind: str,
        several: Sequence[Mapping[str, Json]],
    ) -> tuple[Addition, ...]:
        from remem.systems.learnings import edits

        if kind != LEARNING:
            raise NotPossible(f"learnings store no `{kind}`", hint=f"they store `{LEARNING}`")
        return edits.add_all(ground, sources, several)

    def offers(self, ground: Ground, sources: Sequence[Source], ask: Ask) -> tuple[Offer, ...]:
        found = offer(ground, sources, ask)
        return () if found is None else (found,)

    def role_names(self, ground: Ground, sources: Sequence[Source]) -> tuple[str, ...]:
        found = (
            role for s in learning_sources(sources) for e in s.entries for role in e.roles or ()
        )
        return tuple(dict.fromkeys(found))


def _own(source: Source) -> LearningSource:
    assert isinstance(source, LearningSource)
    return source


LAYER: Final = "learnings"
SECTIONS: Final = {LAYER: Section(LAYER, "## Learnings")}
_OUT: Final = {
    Status.CANDIDATE: "draft and needs a decision",
    Status.ARCHIVED: "it is archived",
    Status.SUPERSEDED: "another learning superseded it",
    Status.INVALID: "it is invalid, or cannot be read",
}
_WORD: Final = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a prompt is composed for, as scopes are held against it."""

    roles: tuple[str, ...]
    phase: str
    files: tuple[str, ...]
    owned: tuple[str, ...]
    words: frozenset[str]
    """Of role, phase and task: what a signal's tags are held against."""
    settings: LearningSettings
    ground: Ground


def offer(ground: Ground, sources: Sequence[Source], ask: Ask) -> Offer | None:
    """Return the layer; `None` where there are no learnings, nor signals that stand for them."""
    asked = _asked(ground, sources, ask)
    records = learning_sources(sources)
    if not any(not source.archived for source in records):
        return _legacy(sources, asked)
    fit: list[tuple[Entry, Learning]] = []
    verdicts: list[Verdict] = []
    for source in records:
        entry, record = source.entries[0], record_of(source)
        out = _why_out(entry, record, asked)
        if out is not None:
            verdicts.append(out)
        elif record is not None:
            fit.append((entry, record))
    fit.sort(key=lambda each: each[0].rank)
    limit = max(0, asked.settings.composition_limit)
    verdicts += [
        Verdict(entry.ref, Reason.LIMIT, f"{limit} others rank higher") for entry, _ in fit[limit:]
    ]
    pieces = tuple(
        Piece(e.ref, printed(record), e.rank, LAYER, why=_why_in(record, asked))
        for e, record in fit[:limit]
    )
    return Offer(LAYER, pieces, SECTIONS, verdicts=tuple(verdicts))


def printed(record: Learning) -> str:
    """Return a learning as an agent reads it: sure ones with what to avoid and to do instead."""
    if record.confidence < HIGH_FROM:
        return f"- [MEDIUM] {sentence(record.learning)}"
    parts = [sentence(record.learning)]
    if record.anti_pattern.strip():
        parts.append(f"Anti-pattern: {sentence(record.anti_pattern)}")
    if record.correction.strip():
        parts.append(f"Instead: {sentence(record.correction)}")
    return f"- [HIGH] {' '.join(parts)}"


def _asked(ground: Ground, sources: Sequence[Source], ask: Ask) -> _Asked:
    roles: tuple[str, ...] = (ask.role,) if ask.role else ()
    if not roles and ask.persona:
        given = {plain(name): found for name, found in ground.roles.items()}
        roles = given.get(plain(ask.persona), ())
    owned = (path for role in roles for path in paths_owned(sources, plain(role)))
    settings = settings_of(sources).learning
    words = frozenset(_WORD.findall(f"{' '.join(roles)} {ask.phase} {ask.task}".casefold()))
    return _Asked(roles, plain(ask.phase), ask.files, tuple(owned), words, settings, ground)


def _why_out(entry: Entry, record: Learning | None, asked: _Asked) -> Verdict | None:
    """Return why a record reaches no prompt of those who ask; `None` where it does."""
    if record is None or entry.status is not Status.ACTIVE:
        return Verdict(entry.ref, Reason.STATUS, _OUT.get(entry.status, ""))
    if not record.learning.strip():
        return Verdict(entry.ref, Reason.STATUS, NO_TEXT)
    least = asked.settings.min_confidence
    if record.confidence < least:
        detail = f"its confidence is {record.confidence:g}, below {least:g}"
        return Verdict(entry.ref, Reason.CONFIDENCE, detail)
    if is_expired(record, asked.ground.given.clock.today()):
        return Verdict(entry.ref, Reason.EXPIRED, f"it expired on {record.expires_at[:10]}")
    scope = record.scope
    if asked.roles and not any(matches(role, scope.agents or None) for role in asked.roles):
        return Verdict(entry.ref, Reason.ROLE, f"it is for {', '.join(scope.agents)}")
    if asked.phase and scope.phases and asked.phase not in map(plain, scope.phases):
        return Verdict(entry.ref, Reason.SCOPE, f"it is for the phases {', '.join(scope.phases)}")
    if asked.files and scope.files and not _touches(scope.files, asked):
        return Verdict(entry.ref, Reason.SCOPE, f"it is for {', '.join(scope.files)}")
    return None


def _why_in(record: Learning, asked: _Asked) -> str:
    """Return what of its scope lets a record in besides the role; empty = nothing does."""
    globs = record.scope.files
    if not asked.files or not globs:
        return ""
    fits = [path for path in asked.files if any(is_inside(path, glob) for glob in globs)]
    return f"its files match `{fits[0]}`" if fits else "its files match those of the role"


def _touches(globs: Sequence[str], asked: _Asked) -> bool:
    if any(is_inside(path, glob) for path in asked.files for glob in globs):
        return True
    return any(overlaps(path, glob) for path in asked.owned for glob in globs)


def _legacy(sources: Sequence[Source], asked: _Asked) -> Offer | None:
    """Return the best signals, as they were composed before there were learnings."""
    signals = [s for s in sources if isinstance(s, LearningSource) and s.part == SIGNAL]
    scored = [
        (_score(signal_of(source), asked), entry, signal_of(source))
        for source in signals
        for entry in source.entries
    ]
    if not scored:
        return None
    best = sorted(
        (each for each in scored if each[0] > 0), key=lambda each: (-each[0], _newest(each[1]))
    )
    limit = max(0, asked.settings.composition_limit)
    chosen = {entry.ref for _, entry, _ in best[:limit]}
    pieces = tuple(
        Piece(entry.ref, f"- {sentence(signal.text)}", (number,), LAYER)
        for number, (_, entry, signal) in enumerate(best[:limit])
    )
    verdicts = tuple(
        Verdict(entry.ref, Reason.LIMIT, f"{limit} others rank higher")
        if score > 0
        else Verdict(entry.ref, Reason.SCOPE, "neither its files nor its tags match")
        for score, entry, _ in scored
        if entry.ref not in chosen
    )
    return Offer(LAYER, pieces, SECTIONS, verdicts=verdicts)


def _newest(entry: Entry) -> tuple[int, str]:
    return (-int(entry.date.replace("-", "") or 0), entry.ref.id)


def _score(signal: Signal, asked: _Asked) -> int:
    """Two for each file that overlaps what is worked on, one for each tag that is asked for."""
    places = (*asked.files, *asked.owned)
    files = sum(any(overlaps(f, p) for p in places) for f in signal.affected_files or ())
    return 2 * files + sum(plain(tag) in asked.words for tag in signal.relevance_tags or ())
