"""The parts of a consolidation that a person decides on one by one: to count, or to leave.

Each observation goes into one part, which the queue shows under that observation's ref; what is
merged or archived beside that stands under the entry's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from remem.base.errors import NotPossible, RememError
from remem.base.frozen import dataclass
from remem.core.draft import Draft, chosen
from remem.core.library import Library
from remem.core.relation.relation import may_oppose, relate
from remem.core.verbs.verb import Planner
from remem.core.waiting.decision_records import record as reject
from remem.core.waiting.grouped_plans import planned_in_turn
from remem.core.waiting.rejected import Sent, kept_both
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.systems.shaktra.consolidation.counted_observations import record
from remem.systems.shaktra.consolidation.outcome import consolidate, made_alone
from remem.systems.shaktra.consolidation.plan_consolidation import capture, change_of
from remem.systems.shaktra.consolidation.story import (
    Case,
    case_of,
    is_captured,
    open_stories,
)
from remem.systems.shaktra.consolidation.terms import (
    Changed,
    Doubt,
    Held,
    Made,
    Merged,
    Noted,
    Outcome,
    Share,
)
from remem.systems.shaktra.merge_by_hand import superseded_by
from remem.systems.shaktra.records import PRINCIPLE, SHAKTRA, Principle

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Reject


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that consolidating a story would do."""

    ref: Ref
    story: str
    does: Changed | Made
    observations: tuple[Noted, ...]
    """Of the story; none where only what follows from the rest is done."""
    touches: frozenset[str]
    """Ids of entries that may be merged or archived with it."""
    doubts: tuple[Doubt, ...] = ()
    """What in force may say otherwise."""

    @property
    def conflicts(self) -> bool:
        """Tell whether anything in force possibly says the opposite."""
        return any(doubt.opposes for doubt in self.doubts)

    @property
    def is_pair(self) -> bool:
        """Tell whether two entries stand against each other, and no observation is about either."""
        return not self.observations and self.conflicts


def waiting_parts(library: Library) -> tuple[Part, ...]:
    """Return all that waits, story by story; a story that cannot be read is left out."""
    # Where there is no Shaktra, no snapshot is kept for it either.
    return _waiting_parts(library) if library.of_format(SHAKTRA) else ()


@lru_cache(maxsize=2)
def _waiting_parts(library: Library) -> tuple[Part, ...]:
    found: dict[Ref, Part] = {}
    is_kept = kept_both(library.sources)
    for name in open_stories(library):
        try:
            case = case_of(library, name)
        except RememError:
            continue
        for part in parts_of(case):
            if is_kept is None or not _stands_beside(part, is_kept):
                found.setdefault(part.ref, part)
    return tuple(found.values())


def _stands_beside(part: Part, is_kept: Callable[[str, str], bool]) -> bool:
    """Tell whether a person said why both entries of a pair stay."""
    if not part.is_pair or isinstance(part.does, Made):
        return False
    return is_kept(part.does.entry.record.says, part.does.beside)


def part_at(library: Library, entry: Entry) -> Part | None:
    """Return the part that stands under an entry's ref."""
    if entry.ref.format != SHAKTRA:
        return None
    return next((part for part in waiting_parts(library) if part.ref == entry.ref), None)


def parts_of(case: Case) -> Iterator[Part]:
    """Yield the parts of one story, in the order of their observations."""
    if case.is_empty and not case.outcome.waiting:
        return
    own = {each.ref for each in case.story.fresh}
    parts = [
        Part(each.shares[0].by.ref, case.story.id, each, _noted(each.shares), frozenset())
        for each in case.outcome.changed
        if each.shares
    ]
    for each in case.outcome.waiting:
        would = Changed(each.entry, each.share.after, (each.share,), {})
        parts.append(Part(each.by.ref, case.story.id, would, (each.by,), frozenset(), each.doubts))
    for made in case.outcome.made:
        by = tuple(each for each in made.by if each.ref in own)
        parts.append(Part(by[0].ref, case.story.id, made, by, frozenset(), made.doubts))
    yield from sorted(parts, key=lambda part: part.observations[0].turn)
    yield from _upkeep(case)


def said(entry: Held) -> str:
    """Return all that an entry says, on one line: its text, then each of its guidance."""
    guidance = entry.record.guidance if isinstance(entry.record, Principle) else ()
    return " · ".join(dict.fromkeys((entry.record.says, *guidance)))


def _noted(shares: tuple[Share, ...]) -> tuple[Noted, ...]:
    return tuple(share.by for share in shares)


def _upkeep(case: Case) -> Iterator[Part]:
    """Yield what is merged or archived though no observation is about it."""
    touched = {each.entry.ref for each in case.outcome.changed if each.shares}
    for each in case.outcome.changed:
        if each.shares or not each.fate:
            continue
        merged = [found for found in case.outcome.merged if found.leaves.ref == each.entry.ref]
        if any(found.stays.ref in touched for found in merged):
            continue
        names = {each.entry.record.id, *(found.stays.record.id for found in merged)}
        yield Part(each.entry.ref, case.story.id, each, (), frozenset(names))
    for found in case.outcome.alike:
        yield _merge(case, found)


def _merge(case: Case, found: Merged) -> Part:
    """Return the part of two entries that only a person merges."""
    stays, leaves = found.stays.record, found.leaves.record
    fate = Status.SUPERSEDED if found.leaves.kind == PRINCIPLE else Status.ARCHIVED
    one, other = said(found.leaves), said(found.stays)
    relation, opposes = relate(one, other), may_oppose(one, other)
    how = "possible conflict with" if opposes else "similar to"
    overlaps = f"overlap {found.overlap:.2f}"
    why = f"{how} `{stays.id}` ({overlaps})"
    # What conflicts is never merged: a person says which of the two stays, or why both do.
    will = "" if opposes else str(fate)
    would = Changed(found.leaves, leaves.confidence, (), {}, will, why, stays.says)
    doubt = Doubt(stays.id, other, "", opposes, relation.because or overlaps)
    names = frozenset({stays.id, leaves.id})
    return Part(found.leaves.ref, case.story.id, would, (), names, (doubt,))


def plan_count(library: Library, intent: Intent) -> Change:
    """Plan to count what was observed, story by story, all as one change."""
    return _story_by_story(library, intent, _plan_take)


def plan_leave_out(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to count what was observed as nothing, story by story, all as one change."""

    def leave(now: Library, asked: Intent) -> Change:
        return _plan_leave(now, asked, args.reason)

    return _story_by_story(library, intent, leave)


def plan_bring_in(library: Library, intent: Intent, fields: Mapping[str, Json]) -> Change:
    """Plan to make an entry of one part's observations, to stand beside what it conflicts with.

    Raises:
        NotPossible: It is none that an entry can be made of.
    """
    (part,) = _parts(library, intent)
    case = case_of(library, part.story)
    made = _made_of(case, part)
    if made is None:
        raise NotPossible("no entry comes of it", hint="approve it, or reject it")
    made = replace(made, fields={**made.fields, **fields}, is_proposed=False, doubts=())
    ends = _is_last(library, case, [part])
    outcome = Outcome(made=(made,), dropped=case.outcome.dropped if ends else ())
    title = f"Add {_named(library, part)} of {part.story}"
    change = change_of(library, intent, case.story, outcome, title, ends=ends)
    became = next(ref for ref in change.touched if not library.has(ref))
    return replace(change, touched={**change.touched, part.ref: became})


def made_of(library: Library, part: Part) -> Made | None:
    """Return the entry that would come of a part that conflicts; `None` = it is one already."""
    return _made_of(case_of(library, part.story), part)


def _made_of(case: Case, part: Part) -> Made | None:
    if isinstance(part.does, Made):
        return part.does
    if not part.observations or not part.conflicts:
        return None
    return made_alone(case.memory, case.story, part.observations[0])


def plan_give_way(library: Library, intent: Intent, reason: str) -> Change:
    """Plan to take out of force the entries of pairs that wait; the others stay, and name them.

    Raises:
        NotPossible: One of them is in no pair.
    """
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    for part in _parts(library, intent):
        case = case_of(library, part.story)
        found = [each for each in case.outcome.alike if each.leaves.ref == part.ref]
        if not found:
            raise NotPossible(f"`{library.short(part.ref)}` conflicts with no active entry")
        old, new = draft.find(part.ref)[1], draft.find(found[0].stays.ref)[1]
        now = library.preview(draft.effects())
        named = superseded_by(now, old, new)
        archived = library.format_of(old).keeper.set_status(*draft.find(old.ref), Status.ARCHIVED)
        draft.take(archived if named is None else named)
        touched |= {part.ref: part.ref, new.ref: new.ref}
    title = f"Archive {_what(library, _parts(library, intent))}"
    return Change(intent, title, draft.effects(), reason, touched)


def _story_by_story(library: Library, intent: Intent, plan: Planner) -> Change:
    """Plan each story on what those before it leave: what is left of one tells whether it ends."""
    stories: dict[str, dict[Ref, str]] = {}
    for entry in chosen(library, intent):
        part = part_at(library, entry)
        name = part.story if part is not None else ""
        stories.setdefault(name, {})[entry.ref] = intent.shown[entry.ref]
    if len(stories) == 1:
        return plan(library, intent)
    return planned_in_turn(library, intent, [(plan, stories[name]) for name in sorted(stories)])


def _parts(library: Library, intent: Intent) -> list[Part]:
    parts = (part_at(library, entry) for entry in chosen(library, intent))
    return [part for part in parts if part is not None]


def _plan_take(library: Library, intent: Intent) -> Change:
    parts = _parts(library, intent)
    case = case_of(library, parts[0].story)
    ends = _is_last(library, case, parts)
    only = {each.name for part in parts for each in part.observations}
    if ends:
        only |= {each.by.name for each in case.outcome.dropped}
    touches = frozenset(name for part in parts for name in part.touches)
    outcome = consolidate(
        case.memory, case.story, only=frozenset(only), upkeep=touches, approved=True
    )
    # A person who approves it does what a proposal would ask for.
    made = tuple(replace(each, is_proposed=False) for each in outcome.made)
    outcome = replace(outcome, made=made)
    title = f"Consolidate {_what(library, parts)} of {case.story.id}"
    return change_of(library, intent, case.story, outcome, title, ends=ends)


def _plan_leave(library: Library, intent: Intent, reason: str) -> Change:
    parts = _parts(library, intent)
    if not all(part.observations for part in parts):
        raise NotPossible(
            "a rule produces it, so it would come back", hint="edit the entry, or approve it"
        )
    case = case_of(library, parts[0].story)
    ends, draft = _is_last(library, case, parts), Draft(library)
    left = [each for part in parts for each in part.observations]
    left += [each.by for each in case.outcome.dropped] if ends else []
    sent = [
        Sent(part.does.kind, part.does.text, part.story)
        for part in parts
        if isinstance(part.does, Made)
    ]
    if ends:
        capture(library, draft, case.story.id)
    record(draft, case.story.id, [(each.name, each.sha, {}) for each in left])
    reject(draft, sent, reason)
    refs = {part.ref: part.ref for part in parts}
    title = f"Leave out {_what(library, parts)} of {case.story.id}"
    return Change(intent, title, draft.effects(), reason, refs)


def _is_last(library: Library, case: Case, parts: list[Part]) -> bool:
    """Tell whether nothing else of the story waits."""
    taken = {part.ref for part in parts}
    left = [part for part in parts_of(case) if part.observations and part.ref not in taken]
    return not left and not is_captured(library, case.story.id)


def _what(library: Library, parts: list[Part]) -> str:
    names = [_named(library, part) for part in parts]
    return names[0] if len(names) == 1 else f"{len(names)} parts"


def _named(library: Library, part: Part) -> str:
    if part.observations:
        return ", ".join(each.name for each in part.observations)
    return library.short(part.ref)
