"""Decides on one part of a consolidation: count it, or leave it uncounted for good."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remem.base.errors import NotPossible
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.verbs.verb import Planner
from remem.core.waiting.approve import planned_in_turn
from remem.core.waiting.decide import chosen
from remem.core.waiting.rejected import Sent
from remem.core.waiting.rejected import record as reject
from remem.model.change import Change, Intent
from remem.model.entry import Ref
from remem.systems.shaktra.consolidation import capture, change_of
from remem.systems.shaktra.consolidation_parts import Part, part_at, parts_of
from remem.systems.shaktra.consolidation_rules import consolidate
from remem.systems.shaktra.consolidation_story import Case, case_of, is_captured
from remem.systems.shaktra.consolidation_terms import Made
from remem.systems.shaktra.consumed import record

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Reject


def plan_count(library: Library, intent: Intent) -> Change:
    """Plan to count what was observed, story by story, all as one change."""
    return _story_by_story(library, intent, _plan_take)


def plan_leave_out(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to count what was observed as nothing, story by story, all as one change."""

    def leave(now: Library, asked: Intent) -> Change:
        return _plan_leave(now, asked, args.reason)

    return _story_by_story(library, intent, leave)


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
            "it follows from a rule and would come back", hint="edit the entry, or approve it"
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
