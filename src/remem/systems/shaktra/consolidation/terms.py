"""The words of consolidation: what goes into it, and what comes out (FORMATS 5.2).

Plain values; `outcome.py` makes one of the other, and nothing here reads or writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final

from remem.base.frozen import dataclass
from remem.core.relation.already_said import ConflictFact
from remem.core.relation.normal_form import norm
from remem.model.change import Json
from remem.model.entry import Ref, Status
from remem.systems.shaktra.records import (
    AntiPattern,
    Observation,
    Principle,
    Procedure,
    Settings,
    Stored,
    plain,
)

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+(?![a-z])|(?<=[。！？])\s*|\n\s*\n")
_NUMBER: Final = re.compile(r"(\d+)$")


@dataclass(frozen=True, slots=True)
class Noted:
    """One observation, as it is held against entries and other observations."""

    ref: Ref
    story: str
    record: Observation
    sha: str
    """Tells it from another one under the same id."""
    place: str
    """File and line, as people read them."""
    title: str
    """Its text in normal form."""
    words: frozenset[str]
    """Its tags as they are compared."""
    sentences: tuple[str, ...]
    """In normal form."""

    @property
    def name(self) -> str:
        return self.record.id

    @property
    def turn(self) -> tuple[int, str]:
        """Its place among the observations of its story."""
        return number_in(self.record.id)

    @property
    def weight(self) -> tuple[int, str, tuple[int, str]]:
        """The most important first; then by story and id."""
        return (-self.record.importance, self.story, self.turn)


def noted(ref: Ref, story: str, record: Observation, sha: str, place: str) -> Noted:
    """Return an observation with what it is compared by."""
    sentences = tuple(filter(None, map(norm, sentences_of(record.text))))
    words = frozenset(map(plain, record.tags))
    return Noted(ref, story, record, sha, place, norm(record.text), words, sentences)


@dataclass(frozen=True, slots=True)
class Held:
    """One entry as memory holds it, with what observations are held against."""

    ref: Ref
    record: Stored
    status: Status
    title: str
    words: frozenset[str]
    """Categories and tags."""
    guidance: tuple[str, ...]

    @property
    def kind(self) -> str:
        return self.record.kind

    @property
    def age(self) -> tuple[int, str]:
        return number_in(self.record.id)


def held(ref: Ref, record: Stored, status: Status) -> Held:
    """Return an entry with what it is compared by."""
    match record:
        case Principle():
            words, guidance = (*record.categories, *record.tags), record.guidance
        case AntiPattern():
            words, guidance = record.tags, (record.recommended_approach,)
        case Procedure():
            words, guidance = record.tags, (record.text,)
    plain_guidance = tuple(filter(None, map(norm, guidance)))
    return Held(
        ref, record, status, norm(record.says), frozenset(map(plain, words)), plain_guidance
    )


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in force that may say otherwise: what is about it waits for a person."""

    name: str
    text: str
    words: str
    """The content words that both have."""
    opposes: bool = True
    """It may say the opposite; else it says nearly the same."""
    because: str = ""
    """What decided it, as a clause; empty = the words that both have."""

    @property
    def told(self) -> str:
        said = "possible conflict with" if self.opposes else "similar to"
        because = self.because or f"both say {self.words}"
        told = f"{said} `{self.name}` ({because}): {self.text}"
        return ConflictFact(told) if self.opposes else told


@dataclass(frozen=True, slots=True)
class Memory:
    """All that a story is consolidated into."""

    held: tuple[Held, ...]
    settings: Settings
    rejected: Callable[[str, str], str]
    """Kind and text → why that was rejected before; empty = it was not."""
    proposed: frozenset[str]
    """Texts in normal form that wait as proposals already."""
    today: str
    elsewhere: Callable[[str, str], Sequence[Doubt]] = lambda kind, text: ()
    """Kind and text → what other systems have in force that may say otherwise."""
    has_limits: bool = True
    """False where the settings cannot be read: then nothing is merged or archived by itself."""


@dataclass(frozen=True, slots=True)
class Story:
    """What one story brings."""

    id: str
    fresh: tuple[Noted, ...]
    """What no consolidation counted yet, in the order of their ids."""
    recent: tuple[Noted, ...]
    """All of this story and the two before it."""
    everywhere: tuple[Noted, ...]
    """All of every story."""
    is_incident: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """What one observation does to an entry."""

    by: Noted
    does: str
    """`reinforce`, `weaken`, `contradict`, `repeat`."""
    how: str
    """Why it is about this entry, in words."""
    delta: float
    """Before it was clamped."""
    after: float


@dataclass(frozen=True, slots=True)
class Changed:
    """An entry that is there already, and what becomes of it."""

    entry: Held
    after: float
    shares: tuple[Share, ...]
    fields: Mapping[str, Json]
    """What is to be set."""
    fate: str = ""
    """`archived`, `superseded`, or empty."""
    why: str = ""
    """Of its fate; without one, why a person is asked about it."""
    beside: str = ""
    """What the entry says that it is like, where a person is asked which of them stays."""

    @property
    def before(self) -> float:
        return self.entry.record.confidence


@dataclass(frozen=True, slots=True)
class Made:
    """An entry that comes of observations: written, or proposed to a person."""

    kind: str
    text: str
    fields: Mapping[str, Json]
    by: tuple[Noted, ...]
    """Those of the story first."""
    why: str
    notes: tuple[str, ...] = ()
    is_proposed: bool = False
    doubts: tuple[Doubt, ...] = ()
    """Why it is proposed although it would be written otherwise."""

    @property
    def confidence(self) -> float:
        found = self.fields.get("confidence")
        return float(found) if isinstance(found, int | float) else 0.0


@dataclass(frozen=True, slots=True)
class Dropped:
    """An observation that was looked at, and nothing comes of it."""

    by: Noted
    why: str
    proposal: bool = False
    """A proposal says it already, and tells of this as well."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """An observation that seems to bear an entry out, and may say otherwise."""

    entry: Held
    share: Share
    """What it would do."""
    doubts: tuple[Doubt, ...]

    @property
    def by(self) -> Noted:
        return self.share.by


@dataclass(frozen=True, slots=True)
class Merged:
    """Two entries that say the same: one stays."""

    stays: Held
    leaves: Held
    overlap: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a consolidation would do."""

    changed: tuple[Changed, ...] = ()
    """In the order of the stores."""
    made: tuple[Made, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    merged: tuple[Merged, ...] = ()
    left_out: tuple[Dropped, ...] = field(default=())
    """What cannot count until somebody mends it."""
    waiting: tuple[Unsure, ...] = ()
    """What counts once a person says that it is about the entry."""
    alike: tuple[Merged, ...] = ()
    """What is merged only by a person: the texts are not the same."""


def number_in(name: str) -> tuple[int, str]:
    """Return what ids are sorted by: their number, then the whole."""
    match = _NUMBER.search(name)
    return (int(match[1]) if match else 1 << 62, name)


def sentences_of(text: str) -> tuple[str, ...]:
    """Split a text into its sentences, each on one line."""
    parts = (" ".join(part.split()) for part in _SENTENCE_END.split(text))
    return tuple(part for part in parts if part)
