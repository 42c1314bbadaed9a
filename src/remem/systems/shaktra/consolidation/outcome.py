"""What comes of a story's observations: the arithmetic and the rules, as one pure function.

`consolidate` is deterministic and does not care in which order a file has them; what it merges
`Upkeep` decides, by how near two texts are (`similarity.py`). Which files that would
change is `plan_consolidation.py`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.relation.normal_form import norm
from remem.core.relation.subject import InForce, Standing
from remem.model.change import Json
from remem.model.entry import Ref, Status
from remem.systems.shaktra.consolidation.similarity import (
    Doubts,
    best_match,
    covers,
    does_to,
    doubt_of,
    is_one_pattern,
    same_pairs,
)
from remem.systems.shaktra.consolidation.terms import (
    Changed,
    Dropped,
    Held,
    Made,
    Memory,
    Merged,
    Noted,
    Outcome,
    Share,
    Story,
    Unsure,
    sentences_of,
)
from remem.systems.shaktra.faults import LONGEST, SHORTEST
from remem.systems.shaktra.records import (
    ANTI_PATTERN,
    CATEGORIES,
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
    SEVERITIES,
    WEAKEN,
    WORKFLOWS,
    AntiPattern,
    plain,
    roles_for,
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
            self.left_out.append(Dropped(noted, f"it names `{name}`, which does not exist"))
        elif len(found) > 1:
            self.left_out.append(Dropped(noted, f"{len(found)} entries have the id `{name}`"))
        elif found[0].status is not Status.ACTIVE:
            why = f"`{name}` is {found[0].status}; restore it if it is still true"
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
                *(doubt_of(e.key, e) for e in before),
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
        does = does_to(noted, match.entry)
        delta = self._deltas[does]
        doubts = () if self._approved else self.doubts.of_match(noted, match.entry)
        if doubts:
            after = clamped(match.entry.record.confidence + delta)
            share = Share(noted, does, match.how, delta, after)
            self.waiting.append(Unsure(match.entry, share, doubts))
        else:
            self.work.count(match.entry, noted, does, match.how, delta)
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
            used += self._make_anti_pattern([noted, *same], "an incident of that severity")
        failed = [e for e in unmatched if _is_unresolved(e)]
        for noted in sorted(failed, key=lambda each: each.weight):
            if noted in used:
                continue
            group = _pattern(noted, failed, filter(_is_unresolved, self._before(unmatched)))
            group = [each for each in group if each not in used]
            if len(group) >= FINDINGS:
                why = f"{count(group, 'finding')} of one unresolved pattern"
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
                why = f"{count(group, 'occurrence')} in {count(stories, 'story', 'stories')}"
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
                return (
                    f"`{entry.record.id}` says it but is {entry.status}; restore it "
                    "if it is still true"
                )
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
            self.made.append(self.single(kind, noted))

    def single(self, kind: str, noted: Noted) -> Made:
        """Return what one observation makes."""
        is_proposed = kind != PRINCIPLE or noted.record.importance < CREATED_FROM
        why = f"importance {noted.record.importance}"
        if kind == ANTI_PATTERN:
            rationales = [e for e in self._story.recent if e.record.type == RATIONALE]
            return anti_pattern_of(
                [noted],
                rationales,
                self._story.id,
                self.start,
                f"{why}, 1 occurrence",
                proposed=True,
            )
        if kind == PROCEDURE:
            why = f"{why}, 1 occurrence"
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
            f"{made.why}, {count(len(made.by) + 1, 'occurrence')}",
            made.notes,
            made.is_proposed,
        )


def made_alone(memory: Memory, story: Story, noted: Noted) -> Made:
    """Return the entry that one observation makes where a person lets it stand for itself."""
    run = _Run(memory, story, (noted,), approved=True)
    return run.single(store_of(noted), noted)


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


_MOST_GUIDANCE: Final = 5
_MOST_CATEGORIES: Final = 3
_ASSUMED: Final = "maintainability"
_NO_SEVERITY: Final = "P2"


def too_short(noted: Noted) -> bool:
    """Tell whether a text cannot be a principle's."""
    return len(one_line(noted.record.text)) < SHORTEST


def text_for(kind: str, noted: Noted) -> str:
    """Return the text that an entry of that kind would have."""
    text = noted.record.text
    return _shortened(text) if kind == PRINCIPLE else one_line(text)


def one_line(text: str) -> str:
    """Return a text with its line breaks as blanks."""
    return " ".join(text.split())


def principle_of(
    noted: Noted, story: str, start: float, why: str, *, proposed: bool = False
) -> Made:
    """Return the principle that an observation makes."""
    tags = [*dict.fromkeys(noted.record.tags)]
    words = dict.fromkeys(map(plain, tags))
    found = [word for word in words if word in CATEGORIES][:_MOST_CATEGORIES]
    notes: tuple[str, ...] = ()
    if not found:
        notes = (f"no tag of `{noted.name}` is a category; `{_ASSUMED}` is assumed",)
    categories = found or [_ASSUMED]
    text = _shortened(noted.record.text)
    fields: dict[str, Json] = {
        "text": text,
        "categories": [*categories],
        "guidance": [*sentences_of(noted.record.text)[:_MOST_GUIDANCE]],
        "confidence": start,
        "source_count": 1,
        "tags": [*tags],
        "roles": [*roles_for((*categories, *tags))],
        "source": story,
    }
    return Made(PRINCIPLE, text, fields, (noted,), why, notes, proposed)


def anti_pattern_of(
    group: Sequence[Noted],
    rationales: Iterable[Noted],
    story: str,
    start: float,
    why: str,
    *,
    proposed: bool = False,
) -> Made:
    """Return the anti-pattern that failures of one pattern make; the first one gives its text."""
    text, tags = one_line(group[0].record.text), _tags(group)
    severities = [s for s in SEVERITIES if any(each.record.severity == s for each in group)]
    words = frozenset(map(plain, tags))
    fixes = sorted((e for e in rationales if e.words & words), key=lambda each: each.weight)
    fields: dict[str, Json] = {
        "failed_approach": text,
        "failure_mode": "",
        "severity": severities[0] if severities else _NO_SEVERITY,
        "recommended_approach": one_line(fixes[0].record.text) if fixes else "",
        "trigger_patterns": [*tags],
        "confidence": start,
        "tags": [*tags],
        "roles": [*roles_for(tags)],
        "source": story,
    }
    return Made(ANTI_PATTERN, text, fields, _of_story(group, story), why, (), proposed)


def procedure_of(
    group: Sequence[Noted], story: str, start: float, why: str, *, proposed: bool = False
) -> Made:
    """Return the procedure that a pattern of work makes; the first one gives its text."""
    text, tags = one_line(group[0].record.text), _tags(group)
    flows = [word for word in WORKFLOWS if word in frozenset(map(plain, tags))]
    fields: dict[str, Json] = {
        "text": text,
        "confidence": start,
        "source_count": len(group),
        "tags": [*tags],
        "roles": [*roles_for(tags)],
        "applies_to": [*(flows or ["general"])],
        "source": story,
    }
    return Made(PROCEDURE, text, fields, _of_story(group, story), why, (), proposed)


def _tags(group: Sequence[Noted]) -> list[str]:
    return [*dict.fromkeys(tag for each in group for tag in each.record.tags)]


def _of_story(group: Sequence[Noted], story: str) -> tuple[Noted, ...]:
    own = sorted((each for each in group if each.story == story), key=lambda each: each.turn)
    others = [each for each in group if each.story != story]
    return (*own, *others)


def _shortened(text: str) -> str:
    """Return as many sentences as a principle may hold, or the start of the first."""
    line = one_line(text)
    if len(line) <= LONGEST:
        return line
    kept = ""
    for sentence in sentences_of(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > LONGEST:
            break
        kept = longer
    return kept or f"{line[: LONGEST - 1].rsplit(' ', 1)[0]}…"


@dataclass(slots=True)
class Going:
    """One entry while it changes."""

    entry: Held
    confidence: float
    sources: int
    reinforced: str
    status: Status
    shares: list[Share] = field(default_factory=list)
    supersedes: list[str] = field(default_factory=list)
    roles: tuple[str, ...] = ()
    why: str = ""
    """Of what happened to its status."""

    @property
    def name(self) -> str:
        return self.entry.record.id

    @property
    def is_active(self) -> bool:
        return self.status is Status.ACTIVE

    def changed(self) -> Changed | None:
        """Return what became of it; `None` = nothing."""
        fields = self._fields()
        if not fields and not self.shares:
            return None
        fate = "" if self.is_active else str(self.status)
        shares = tuple(self.shares)
        return Changed(self.entry, self.confidence, shares, fields, fate, self.why)

    def _fields(self) -> dict[str, Json]:
        record, fields = self.entry.record, dict[str, Json]()
        if self.confidence != record.confidence:
            fields["confidence"] = self.confidence
        if not isinstance(record, AntiPattern):
            if self.sources != record.source_count:
                fields["source_count"] = self.sources
            if self.reinforced != record.reinforced:
                fields["last_reinforced"] = self.reinforced
        if self.roles != record.roles:
            fields["roles"] = [*self.roles]
        if self.status is not self.entry.status:
            fields["status"] = str(self.status)
        if self.supersedes:
            fields["supersedes"] = self._superseded()
        return fields

    def _superseded(self) -> Json:
        """Return the ids of what it took the place of, one as a text and several as a list."""
        before = getattr(self.entry.record, "supersedes", None) or ()
        known = (before,) if isinstance(before, str) else before
        names = [*dict.fromkeys((*known, *self.supersedes))]
        return names[0] if len(names) == 1 else [*names]


class Work:
    """All entries of memory, as they are after what was counted so far."""

    def __init__(self, memory: Memory) -> None:
        self._today = memory.today
        self._going: dict[Ref, Going] = {
            each.ref: Going(
                each,
                each.record.confidence,
                1 if isinstance(each.record, AntiPattern) else each.record.source_count,
                each.record.reinforced,
                each.status,
                roles=each.record.roles,
            )
            for each in memory.held
        }

    def __iter__(self) -> Iterator[Going]:
        return iter(self._going.values())

    def of(self, entry: Held) -> Going:
        return self._going[entry.ref]

    def active(self, kind: str) -> list[Held]:
        """Return the entries of a kind that are in force."""
        return [e.entry for e in self if e.is_active and e.entry.kind == kind]

    def count(self, entry: Held, noted: Noted, does: str, how: str, delta: float) -> None:
        """Let one observation bear an entry out, or speak against it."""
        going = self.of(entry)
        going.confidence = clamped(going.confidence + delta)
        if does == REINFORCE:
            going.sources += 1
            going.reinforced = max(going.reinforced, self._today)
        going.shares.append(Share(noted, does, how, delta, going.confidence))


def clamped(confidence: float) -> float:
    """Return a confidence as it is written: from 0 to 1, four decimals."""
    return round(min(1.0, max(0.0, confidence)), 4) + 0.0


KINDS: Final = (PRINCIPLE, ANTI_PATTERN, PROCEDURE)
MANY: Final = 1_000
"""Entries of a kind, five times any cap, of which only those are compared that were touched:
to hold all of them against each other would take seconds."""


class Upkeep:
    """Steps 7 and 8 on what a run left."""

    def __init__(
        self,
        memory: Memory,
        work: Work,
        made: Sequence[Made],
        scope: frozenset[str] | None,
        doubts: Doubts,
    ) -> None:
        self._memory = memory
        self._work = work
        self._made = list(made)
        self._scope = scope
        self._doubts = doubts
        self._merged: list[Merged] = []
        self._alike: list[Merged] = []
        self._dropped: list[Dropped] = []

    def finish(
        self,
        dropped: Sequence[Dropped],
        left_out: Sequence[Dropped],
        waiting: Sequence[Unsure],
    ) -> Outcome:
        """Return the outcome with everything in it."""
        self._dropped = [*dropped]
        for kind in KINDS:
            self._merge(kind)
        if self._memory.has_limits:
            self._archive()
            for kind in KINDS:
                self._rotate(kind)
        changed = (going.changed() for going in self._work)
        return Outcome(
            tuple(each for each in changed if each is not None),
            tuple(self._made),
            tuple(self._dropped),
            tuple(self._merged),
            tuple(left_out),
            tuple(waiting),
            tuple(self._alike),
        )

    def _may_touch(self, *several: Going) -> bool:
        if self._scope is None or any(each.shares for each in several):
            return True
        return any(each.name in self._scope for each in several)

    def _merge(self, kind: str) -> None:
        entries = self._work.active(kind)
        if len(entries) > MANY:
            entries = [entry for entry in entries if self._work.of(entry).shares]
        for overlap, first, second in same_pairs(tuple(entries)):
            one, other = self._work.of(entries[first]), self._work.of(entries[second])
            if not (one.is_active and other.is_active):
                continue
            # The surer one stays, of equal ones that with the smaller id.
            stays, leaves = sorted((one, other), key=lambda e: (-e.confidence, e.entry.age))
            is_sure = self._may_touch(one, other) and self._says_the_same(stays, leaves)
            if is_sure or self._is_asked_for(one, other):
                self._unite(stays, leaves, overlap)
            else:
                self._alike.append(Merged(stays.entry, leaves.entry, overlap))

    def _is_asked_for(self, *both: Going) -> bool:
        return self._scope is not None and all(each.name in self._scope for each in both)

    def _says_the_same(self, stays: Going, leaves: Going) -> bool:
        """Tell whether nothing is lost by it: the same texts, and nothing in force against them."""
        one, other = stays.entry, leaves.entry
        if not self._memory.has_limits:
            return False
        if one.title != other.title or {*one.guidance} != {*other.guidance}:
            return False
        return not self._doubts.of(other.kind, other.record.says, apart=(one, other))

    def _unite(self, stays: Going, leaves: Going, overlap: float) -> None:
        stays.sources += leaves.sources
        stays.reinforced = max(stays.reinforced, leaves.reinforced)
        stays.roles = tuple(dict.fromkeys((*stays.roles, *leaves.roles)))
        is_principle = stays.entry.kind == PRINCIPLE
        leaves.status = Status.SUPERSEDED if is_principle else Status.ARCHIVED
        leaves.why = f"duplicate of `{stays.name}` (overlap {overlap:.2f})"
        if is_principle:
            stays.supersedes.append(leaves.name)
        self._merged.append(Merged(stays.entry, leaves.entry, overlap))

    def _archive(self) -> None:
        least = self._memory.settings.memory.confidence_archive
        for going in self._work:
            if going.is_active and going.confidence < least and self._may_touch(going):
                going.status = Status.ARCHIVED
                going.why = f"its confidence is {going.confidence:g}, below {least:g}"

    def _rotate(self, kind: str) -> None:
        """Archive what a store has too many of: the least sure first, then the oldest."""
        most = self._cap(kind)
        active = [going for going in self._work if going.is_active and going.entry.kind == kind]
        new = [each for each in self._made if each.kind == kind and not each.is_proposed]
        over = len(active) + len(new) - most
        if over <= 0 or (self._scope is not None and not new):
            return
        today = self._memory.today
        ages: list[tuple[tuple[float, str, tuple[int, str]], Going | Made]] = [
            *((_first_to_go(going), going) for going in active),
            *(((each.confidence, today, (1 << 62, "")), each) for each in new),
        ]
        for _, each in sorted(ages, key=lambda pair: pair[0])[:over]:
            self._send_away(each, most)

    def _send_away(self, weakest: Going | Made, most: int) -> None:
        why = f"over the limit of {most}; it has the lowest confidence"
        if isinstance(weakest, Going):
            weakest.status, weakest.why = Status.ARCHIVED, why
            return
        self._made.remove(weakest)
        self._dropped += [Dropped(by, why) for by in weakest.by]

    def _cap(self, kind: str) -> int:
        settings = self._memory.settings.memory
        return {
            PRINCIPLE: settings.max_principles,
            ANTI_PATTERN: settings.max_anti_patterns,
            PROCEDURE: settings.max_procedures,
        }[kind]


def _first_to_go(going: Going) -> tuple[float, str, tuple[int, str]]:
    record = going.entry.record
    return (going.confidence, going.reinforced or record.created, going.entry.age)
