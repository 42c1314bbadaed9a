"""What comes of a story's observations: the arithmetic and the rules, as one pure function.

`consolidate` is deterministic and does not care in which order a file has them. Which files that
would change is `consolidation.py`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from remem.base.text import count
from remem.core.relation.similar import norm
from remem.core.relation.subject import InForce, Standing
from remem.model.entry import Status
from remem.systems.shaktra.consolidation_doubts import Doubts, speaks_against
from remem.systems.shaktra.consolidation_made import (
    anti_pattern_of,
    principle_of,
    procedure_of,
    text_for,
    too_short,
)
from remem.systems.shaktra.consolidation_match import best_match, covers, is_one_pattern
from remem.systems.shaktra.consolidation_terms import (
    Doubt,
    Dropped,
    Made,
    Memory,
    Noted,
    Outcome,
    Share,
    Story,
    Unsure,
)
from remem.systems.shaktra.consolidation_upkeep import Upkeep
from remem.systems.shaktra.consolidation_work import Work, clamped
from remem.systems.shaktra.records import (
    ANTI_PATTERN,
    CHECK,
    CONTRADICT,
    DEVIATION,
    FINDING,
    GAP,
    INCIDENT,
    OBSERVATION,
    PRINCIPLE,
    PROCEDURE,
    RATIONALE,
    REINFORCE,
    WEAKEN,
)

CREATED_FROM: Final = 7
"""Importance from which a principle is made at once."""
PROPOSED_FROM: Final = 4
"""Importance from which a person is asked."""
AT_ONCE_FROM: Final = 9
"""Importance from which one incident is an anti-pattern."""
FINDINGS: Final = 2
"""Unresolved findings of one pattern that make an anti-pattern."""
TIMES: Final = 3
"""Observations of one pattern that make a procedure."""
STORIES: Final = 2
"""Stories that they have to be from at least."""
OF_WORK: Final = (OBSERVATION, DEVIATION, GAP)
"""Types that a procedure may come of."""


def store_of(noted: Noted) -> str:
    """Return the kind of entry that an observation may become or bear out."""
    record = noted.record
    if record.type == INCIDENT or (record.type == FINDING and not record.resolved):
        return ANTI_PATTERN
    return PROCEDURE if record.type == GAP else PRINCIPLE


def consolidate(
    memory: Memory,
    story: Story,
    *,
    only: frozenset[str] | None = None,
    upkeep: frozenset[str] | None = None,
    approved: bool = False,
) -> Outcome:
    """Return what comes of a story's observations that were not counted yet.

    Args:
        memory: What there is.
        story: What is new, and what it is held against.
        only: Ids of the observations to count now; `None` = all.
        upkeep: Ids of entries that may be merged or archived beside those that observations
            touch; `None` = all.
        approved: A person looked at what is counted: nothing of it waits for one.
    """
    fresh = [each for each in story.fresh if only is None or each.name in only]
    run = _Run(memory, story, sorted(fresh, key=lambda each: each.turn), approved=approved)
    run.count()
    rest = Upkeep(memory, run.work, run.made, upkeep, run.doubts)
    return rest.finish(run.dropped, run.left_out, run.waiting)


class _Run:
    """Steps 1 to 6 of one consolidation."""

    def __init__(
        self, memory: Memory, story: Story, fresh: Sequence[Noted], *, approved: bool
    ) -> None:
        self._memory = memory
        self._story = story
        self._fresh = fresh
        settings = memory.settings.memory
        more = memory.settings.incident.incident_confidence_multiplier if story.is_incident else 1
        self.start = min(1.0, round(settings.confidence_start * more, 4))
        self._deltas = {
            REINFORCE: round(settings.confidence_reinforce * more, 4),
            WEAKEN: -settings.confidence_weaken,
            CONTRADICT: -settings.confidence_contradict,
        }
        self._approved = approved
        self.doubts = Doubts(memory)
        self.work = Work(memory)
        self.made: list[Made] = []
        self.dropped: list[Dropped] = []
        self.left_out: list[Dropped] = []
        self.waiting: list[Unsure] = []

    def count(self) -> None:
        unmatched: list[Noted] = []
        for noted in self._fresh:
            if noted.record.type == CHECK:
                self._check(noted)
            elif not self._matched(noted):
                unmatched.append(noted)
        left = self._without(unmatched, self._anti_patterns(unmatched))
        left = self._without(left, self._procedures(left))
        for noted in sorted(left, key=lambda each: each.weight):
            self._alone(noted)
        self.made.sort(key=lambda made: made.by[0].turn)
        if not self._approved:
            self._hold_back()

    @staticmethod
    def _without(found: Iterable[Noted], used: Iterable[Noted]) -> list[Noted]:
        gone = {each.ref for each in used}
        return [each for each in found if each.ref not in gone]

    def _check(self, noted: Noted) -> None:
        """Step 3 for what was held against an entry by name."""
        name, does = noted.record.principle_id or "", noted.record.relationship or ""
        found = [each for each in self._memory.held if each.record.id == name]
        if not found:
            self.left_out.append(Dropped(noted, f"it names `{name}`, which is not there"))
        elif len(found) > 1:
            self.left_out.append(Dropped(noted, f"{len(found)} entries have the id `{name}`"))
        elif found[0].status is not Status.ACTIVE:
            why = f"`{name}` is {found[0].status}; restore it if it holds"
            self.dropped.append(Dropped(noted, why))
        else:
            how = "it was checked against it"
            self.work.count(found[0], noted, does, how, self._deltas[does])

    def _hold_back(self) -> None:
        """Only propose what is new while something in force may say otherwise."""
        coming: list[Standing[str]] = []
        for place, made in enumerate(self.made):
            before = InForce(coming).against(made.kind, made.text)
            doubts = (
                *self.doubts.of(made.kind, made.text),
                *(Doubt(e.key, e.text, e.words, speaks_against(e)) for e in before),
            )
            if doubts:
                self.made[place] = replace(made, is_proposed=True, doubts=doubts)
            elif not made.is_proposed:
                coming.append(Standing(made.by[0].name, made.kind, made.text))

    def _matched(self, noted: Noted) -> bool:
        """Step 2: bear out the entry that says this already, or leave it to a person.

        No observation of this kind names an entry: that it is about one is a guess from words, and
        the opposite has the same words.
        """
        match = best_match(noted, self.work.active(store_of(noted)))
        if match is None:
            return False
        delta = self._deltas[REINFORCE]
        doubts = () if self._approved else self.doubts.of_match(noted, match.entry)
        if doubts:
            after = clamped(match.entry.record.confidence + delta)
            share = Share(noted, REINFORCE, match.how, delta, after)
            self.waiting.append(Unsure(match.entry, share, doubts))
        else:
            self.work.count(match.entry, noted, REINFORCE, match.how, delta)
        return True

    def _anti_patterns(self, unmatched: Sequence[Noted]) -> list[Noted]:
        """Step 5; return the observations that went into one."""
        used: list[Noted] = []
        grave = (
            each
            for each in unmatched
            if each.record.type == INCIDENT and each.record.importance >= AT_ONCE_FROM
        )
        for noted in sorted(grave, key=lambda each: each.weight):
            if noted in used:
                continue
            others = (e for e in unmatched if e.ref != noted.ref and e not in used)
            same = [e for e in others if e.record.type == INCIDENT and _same(noted, e)]
            used += self._make_anti_pattern([noted, *same], "an incident of that weight")
        failed = [e for e in unmatched if _is_unresolved(e)]
        for noted in sorted(failed, key=lambda each: each.weight):
            if noted in used:
                continue
            group = _pattern(noted, failed, filter(_is_unresolved, self._before(unmatched)))
            group = [each for each in group if each not in used]
            if len(group) >= FINDINGS:
                why = f"{count(group, 'finding')} of one pattern that nobody resolved"
                used += self._make_anti_pattern(group, why)
        return used

    def _make_anti_pattern(self, group: list[Noted], why: str) -> list[Noted]:
        own = self._own(group)
        if not self._is_new(ANTI_PATTERN, group[0], own):
            return own
        rationales = [e for e in self._story.recent if e.record.type == RATIONALE]
        made = anti_pattern_of(group, rationales, self._story.id, self.start, why)
        self.made.append(made)
        return own

    def _procedures(self, unmatched: Sequence[Noted]) -> list[Noted]:
        """Step 6; return the observations that went into one."""
        used: list[Noted] = []
        working = [each for each in unmatched if each.record.type in OF_WORK]
        known = self._without(self._story.everywhere, self._elsewhere(unmatched))
        others = [each for each in known if each.record.type in OF_WORK]
        for noted in sorted(working, key=lambda each: each.weight):
            group = [] if noted in used else _pattern(noted, working, others)
            group = [each for each in group if each not in used]
            if len(group) < TIMES or len({each.story for each in group}) < STORIES:
                continue
            own = self._own(group)
            used += own
            if self._is_new(PROCEDURE, group[0], own):
                stories = len({each.story for each in group})
                why = f"met {count(group, 'time')} in {count(stories, 'story', 'stories')}"
                self.made.append(procedure_of(group, self._story.id, self.start, why))
        return used

    def _own(self, group: Iterable[Noted]) -> list[Noted]:
        """Return those of a group that are counted with it."""
        fresh = {each.ref for each in self._fresh}
        return [each for each in group if each.ref in fresh]

    def _elsewhere(self, unmatched: Iterable[Noted]) -> list[Noted]:
        """Return what is new in the story and was counted on an entry, or is not counted now."""
        return self._without(self._story.fresh, unmatched)

    def _before(self, unmatched: Iterable[Noted]) -> list[Noted]:
        """Return what stands beside the unmatched in the last stories."""
        return self._without(self._story.recent, self._elsewhere(unmatched))

    def _is_new(self, kind: str, first: Noted, own: Sequence[Noted]) -> bool:
        """Tell whether memory lacks what would be made; else say why nothing is."""
        why = self._known(kind, first)
        self.dropped += [Dropped(each, why) for each in own] if why else []
        return not why

    def _known(self, kind: str, noted: Noted) -> str:
        """Return why something is not made of an observation; empty = it may be."""
        for entry in self._memory.held:
            if entry.kind != kind:
                continue
            is_same = entry.title == noted.title
            if kind != PRINCIPLE:
                is_same = is_same or covers(entry, noted)
            elif entry.status is not Status.ACTIVE:
                is_same = is_same or best_match(noted, (entry,)) is not None
            if is_same and entry.status is Status.ACTIVE:
                return f"`{entry.record.id}` is of that pattern"
            if is_same:
                return f"`{entry.record.id}` says it and is {entry.status}; restore it if it holds"
        rejected = self._memory.rejected(kind, text_for(kind, noted))
        return f"it was rejected before: {rejected}" if rejected else ""

    def _alone(self, noted: Noted) -> None:
        """Step 4, and what happens to findings and gaps that stand alone."""
        kind, importance = store_of(noted), noted.record.importance
        why = self._known(kind, noted)
        if not why and norm(text_for(kind, noted)) in self._memory.proposed:
            why = "a proposal says it, which now names this story too"
            self.dropped.append(Dropped(noted, why, proposal=True))
        elif why:
            self.dropped.append(Dropped(noted, why))
        elif self._repeats(kind, noted):
            return
        elif importance < PROPOSED_FROM:
            self.dropped.append(
                Dropped(noted, f"its importance is {importance}, below {PROPOSED_FROM}")
            )
        elif kind == PRINCIPLE and too_short(noted):
            self.dropped.append(Dropped(noted, "its text is too short for a principle"))
        else:
            self.made.append(self._single(kind, noted))

    def _single(self, kind: str, noted: Noted) -> Made:
        is_proposed = kind != PRINCIPLE or noted.record.importance < CREATED_FROM
        why = f"importance {noted.record.importance}"
        if kind == ANTI_PATTERN:
            rationales = [e for e in self._story.recent if e.record.type == RATIONALE]
            return anti_pattern_of(
                [noted], rationales, self._story.id, self.start, f"{why}, met once", proposed=True
            )
        if kind == PROCEDURE:
            why = f"{why}, met once"
            return procedure_of([noted], self._story.id, self.start, why, proposed=True)
        return principle_of(noted, self._story.id, self.start, why, proposed=is_proposed)

    def _repeats(self, kind: str, noted: Noted) -> bool:
        """Add an observation to what the same story made already, if it says the same."""
        for place, made in enumerate(self.made):
            if made.kind == kind and any(_same(each, noted) for each in made.by):
                self.made[place] = self._with(made, noted)
                return True
        return False

    def _with(self, made: Made, noted: Noted) -> Made:
        fields = dict(made.fields)
        if "source_count" in fields:
            fields["source_count"] = len(made.by) + 1
        return Made(
            made.kind,
            made.text,
            fields,
            (*made.by, noted),
            f"{made.why}, said {count(len(made.by) + 1, 'time')}",
            made.notes,
            made.is_proposed,
        )


def _is_unresolved(noted: Noted) -> bool:
    return noted.record.type == FINDING and not noted.record.resolved


def _same(one: Noted, other: Noted) -> bool:
    """Tell whether two observations say the same: what only resembles it is an entry of its own."""
    return one.title == other.title


def _pattern(noted: Noted, own: Iterable[Noted], others: Iterable[Noted]) -> list[Noted]:
    """Return an observation, then all that are of one pattern with it, the weightiest first."""
    known = {each.ref: each for each in (*own, *others)}
    known.pop(noted.ref, None)
    group = [each for each in known.values() if is_one_pattern(noted, each)]
    return [noted, *sorted(group, key=lambda each: each.weight)]
