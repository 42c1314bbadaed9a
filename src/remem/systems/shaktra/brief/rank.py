"""Which entries matter to a story, how much and why: the arithmetic of a briefing (FORMATS 5.3).

Pure, and without a model: what a person sees beside an entry is what was counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.relation.content_words import stem_of
from remem.model.entry import Entry, Ref, Status
from remem.model.prompt import Reason, Verdict
from remem.model.source import Deferred
from remem.systems.shaktra.brief.story import Story
from remem.systems.shaktra.records import (
    AntiPattern,
    MemorySettings,
    Principle,
    Procedure,
    Stored,
    plain,
)

MOST: Final = 10
"""The highest that an entry can match."""
TRIGGERED: Final = 8
"""What an anti-pattern matches at least when the story says one of its triggers."""
NAME_WEIGHT: Final = 2
"""A keyword that equals a tag, a category or a trigger counts as so many in a text."""
TDD: Final = "tdd"
"""The workflow of a story, unless another one is named."""
GENERAL: Final = "general"
"""Procedures for it are for every workflow."""
_PLACES: Final = 6
"""Decimals of a score that count: ties are ties in spite of how floats are kept."""
_NAMED: Final = 6
"""Words of each kind that a relevance names."""
_DIGITS: Final = 18
"""Of a number in an id that is compared as one."""
OUT_OF_FORCE: Final = {
    Status.CANDIDATE: "its status is unknown",
    Status.ARCHIVED: "it is archived",
    Status.SUPERSEDED: "another entry superseded it",
    Status.INVALID: "it was invalidated",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What an entry says, as stories are held against it."""

    names: frozenset[str]
    """Tags, categories and triggers, as they are compared."""
    triggers: tuple[str, ...]
    """Of an anti-pattern, as it has them."""
    text: str
    """Its texts, case folded."""


@dataclass(frozen=True, slots=True)
class Held:
    """An entry with its record, and what that says."""

    entry: Entry
    record: Stored
    said: Said


@dataclass(frozen=True, slots=True)
class Matched:
    """What of a story an entry speaks of."""

    triggers: tuple[str, ...] = ()
    """Of an anti-pattern, as it has them: those that the story says."""
    names: tuple[str, ...] = ()
    """Keywords that equal a tag, a category or a trigger."""
    words: tuple[str, ...] = ()
    """Other keywords that stand in its texts."""

    @property
    def semantic(self) -> int:
        """How much it matters, from 0 to 10."""
        return semantic_of(len(self.names), len(self.words), is_triggered=bool(self.triggers))

    @property
    def relevance(self) -> str:
        """One sentence that names what matched."""
        parts = []
        if self.triggers:
            said = _listed([f'"{" ".join(each.split())}"' for each in self.triggers])
            parts.append(f"triggered by {said} in the story")
        if self.names:
            parts.append(f"it is about {_listed(self.names)}")
        if self.words:
            parts.append(f"its text mentions {_listed(self.words)}")
        sentence = "; ".join(parts)
        return f"{sentence[:1].upper()}{sentence[1:]}."


def semantic_of(names: int, words: int, *, is_triggered: bool) -> int:
    """Return how much an entry matters, from 0 to 10.

    Args:
        names: Keywords that equal a tag, a category or a trigger.
        words: Other keywords that stand in its texts.
        is_triggered: The story says one of its triggers.
    """
    counted = min(MOST, NAME_WEIGHT * names + words)
    return max(counted, TRIGGERED) if is_triggered else counted


@dataclass(frozen=True, slots=True)
class Chosen:
    """An entry that a story is briefed with."""

    held: Held
    matched: Matched
    score: float
    """How much it matters, times how sure it is."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a story is briefed with, and why everything else is left out."""

    chosen: tuple[Chosen, ...]
    """Best first, of all three stores."""
    out: Sequence[Verdict]
    """Told when somebody asks."""
    active: int
    """Entries in force, of which a briefing is made."""


def rank(
    story: Story, entries: Iterable[Held], settings: MemorySettings, workflow: str = TDD
) -> Ranking:
    """Judge every entry for a story.

    Args:
        story: What it is about.
        entries: Of all stores, in any order.
        settings: Threshold and cap.
        workflow: Procedures for another one stay out; empty = any.
    """
    judge = Judge(story, settings, plain(workflow))
    fitting: list[tuple[float, float]] = []
    found: list[Held] = []
    unfit: list[Held] = []
    active = 0
    for held in entries:
        active += held.entry.status is Status.ACTIVE
        score = judge.score(held)
        if score is None:
            unfit.append(held)
        else:
            fitting.append((-score, -held.record.confidence))
            found.append(held)
    most = max(0, settings.max_briefing_entries)
    # Ids count among equals only, and where the briefing ends is all that is asked for at once.
    last = sorted(fitting)[:most][-1:]
    first = [at for at, each in enumerate(fitting) if last and each <= last[0]]
    best = sorted(first, key=lambda at: (fitting[at], id_order(found[at].entry.ref), at))[:most]
    chosen = [Chosen(found[at], judge.match(found[at].said), -fitting[at][0]) for at in best]

    def out() -> tuple[Verdict, ...]:
        rest = sorted(
            set(range(len(found))) - set(best),
            key=lambda at: (fitting[at], id_order(found[at].entry.ref), at),
        )
        full = f"{count(most, 'other')} rank higher and fill the briefing"
        told = {each[0]: f"it scores {-each[0]:g}, and {full}" for each in fitting}
        behind = (Verdict(found[at].entry.ref, Reason.LIMIT, told[fitting[at][0]]) for at in rest)
        return (*map(judge.why_out, unfit), *behind)

    return Ranking(tuple(chosen), Deferred(out), active)


def best_of(
    entries: Iterable[Held], settings: MemorySettings
) -> tuple[tuple[Held, ...], tuple[Verdict, ...]]:
    """Return what agents get without a story, the surest first, and why the others do not.

    Args:
        entries: Those of the role that is asked for.
        settings: Threshold and cap.
    """
    found: list[Held] = []
    out: list[Verdict] = []
    for held in entries:
        unfit = unfit_for_briefing(held, settings)
        if unfit is not None:
            out.append(unfit)
        else:
            found.append(held)
    found.sort(key=lambda each: (-each.record.confidence, id_order(each.entry.ref)))
    most = max(0, settings.max_briefing_entries)
    detail = f"{count(most, 'other')} have higher confidence and fill the briefing"
    out += (Verdict(each.entry.ref, Reason.LIMIT, detail) for each in found[most:])
    return tuple(found[:most]), tuple(out)


def unfit_for_briefing(held: Held, settings: MemorySettings) -> Verdict | None:
    """Return why an entry is in no briefing at all; `None` where it may be in one."""
    ref, status = held.entry.ref, held.entry.status
    if status is not Status.ACTIVE:
        return Verdict(ref, Reason.STATUS, OUT_OF_FORCE[status])
    least, confidence = settings.briefing_confidence_threshold, held.record.confidence
    if confidence < least:
        return Verdict(ref, Reason.CONFIDENCE, f"its confidence is {confidence:g}, below {least:g}")
    return None


def said_by(record: Stored) -> Said:
    """Return what an entry says."""
    triggers: tuple[str, ...] = ()
    match record:
        case Principle():
            names, texts = (*record.tags, *record.categories), (record.text, *record.guidance)
        case AntiPattern():
            triggers = record.trigger_patterns
            names = (*record.tags, *triggers)
            texts = (record.failed_approach, record.failure_mode, record.recommended_approach)
        case Procedure():
            names, texts = record.tags, (record.text,)
    return Said(frozenset(map(plain, names)), triggers, "\n".join(texts).casefold())


def tier_of(active: int, settings: MemorySettings) -> int:
    """Return how the original would look through so many entries: 1 all at once, 3 in chunks."""
    if active <= settings.retrieval_tier1_max:
        return 1
    return 2 if active <= settings.retrieval_tier2_max else 3


def id_order(ref: Ref) -> tuple[str, int, str, int]:
    """Return what puts `PR-9` before `PR-10`."""
    prefix, _, digits = ref.id.rpartition("-")
    if digits.isdecimal() and len(digits) <= _DIGITS:
        return (prefix, int(digits), ref.id, ref.twin)
    return (ref.id, -1, ref.id, ref.twin)


class Judge:
    """Holds entries against one story."""

    def __init__(self, story: Story, settings: MemorySettings, workflow: str) -> None:
        self._story = story
        self._stems = _by_stem(story.keywords)
        self._standing = {word: _standing(stem) for word, stem in self._stems.items()}
        self._settings = settings
        self._least = settings.briefing_confidence_threshold
        self._workflow = workflow
        self._nothing = f"no word of {story.id} is in its tags or text"

    def score(self, held: Held) -> float | None:
        """Return how much an entry matters to the story; `None` = it is in no briefing of it."""
        record = held.record
        if held.entry.status is not Status.ACTIVE or record.confidence < self._least:
            return None
        if isinstance(record, Procedure) and not self._is_for_workflow(record):
            return None
        semantic = self._semantic(held.said)
        return round(semantic * record.confidence, _PLACES) if semantic else None

    def why_out(self, held: Held) -> Verdict:
        """Return why an entry that has no score has none."""
        ref, record = held.entry.ref, held.record
        unfit = unfit_for_briefing(held, self._settings)
        if unfit is not None:
            return unfit
        if isinstance(record, Procedure) and not self._is_for_workflow(record):
            named = ", ".join(record.applies_to)
            return Verdict(ref, Reason.SCOPE, f"it is for the workflow {named}")
        return Verdict(ref, Reason.SCOPE, self._nothing)

    def match(self, said: Said) -> Matched:
        """Return what of the story an entry speaks of."""
        about = self._about(said)
        triggers = tuple(each for each in said.triggers if self._says(each))
        return Matched(triggers, tuple(sorted(about)), tuple(self._spoken(said, about)))

    def _about(self, said: Said) -> frozenset[str]:
        """Return the keywords that are names of an entry, whatever ending either has."""
        stems = {stem_of(name) for name in said.names}
        return frozenset(word for word, stem in self._stems.items() if stem in stems)

    def _semantic(self, said: Said) -> int:
        """Return how much an entry matters; most matter little, and nobody asks why."""
        about = self._about(said)
        return semantic_of(
            len(about),
            len(self._spoken(said, about)),
            is_triggered=bool(said.triggers) and any(map(self._says, said.triggers)),
        )

    def _spoken(self, said: Said, about: frozenset[str]) -> list[str]:
        text = said.text
        # Most keywords stand in no part of most texts: that is quickly seen.
        met = [word for word, stem in self._stems.items() if stem in text]
        return [w for w in met if w not in about and self._standing[w].search(text)] if met else met

    def _says(self, trigger: str) -> bool:
        folded = trigger.strip().casefold()
        return bool(folded) and folded in self._story.text

    def _is_for_workflow(self, record: Procedure) -> bool:
        given = {plain(each) for each in record.applies_to}
        return not self._workflow or not given or bool(given & {self._workflow, GENERAL})


def _by_stem(keywords: Sequence[str]) -> dict[str, str]:
    """Return keyword → stem, of several with one stem the first."""
    words: dict[str, str] = {}
    for word in keywords:
        words.setdefault(stem_of(word), word)
    return {word: stem for stem, word in words.items()}


def _standing(stem: str) -> re.Pattern[str]:
    """Return what finds a word with any ending, by itself or as a part of a joined one."""
    return re.compile(rf"(?<![^\W_]){re.escape(stem)}{_ENDING}(?![^\W_])")


_ENDING: Final = "(?:e|es|s|ed|er|ers|or|ors|ing|ings|ion|ions|ies|ied|y)?"


def _listed(words: Sequence[str]) -> str:
    """Return words as a sentence has them: `a, b and c`."""
    more = len(words) - _NAMED
    parts = [*words[:_NAMED], f"{count(more, 'more word')}"] if more > 0 else [*words]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
