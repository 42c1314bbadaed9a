"""Decides on one part of a consolidation: count it, or leave it uncounted for good.

`approve` and `reject` come here for observations; everything else they do is `decide.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.verbs.verb import Planner
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
from remem.systems.shaktra.records import SHAKTRA

_OnParts: TypeAlias = Callable[[Library, Intent, list[Part]], Change]


def or_count(otherwise: Planner) -> Planner:
    """Let `approve` count what was observed, and do what it does on anything else."""
    return lambda library, intent: _in_turn(library, intent, otherwise, _plan_take, "Approve")


def or_leave_out(otherwise: Planner) -> Planner:
    """Let `reject` count what was observed as nothing, and do what it does on anything else."""
    return lambda library, intent: _in_turn(library, intent, otherwise, _plan_leave, "Reject")


def _in_turn(
    library: Library, intent: Intent, otherwise: Planner, on_parts: _OnParts, verb: str
) -> Change:
    """Plan what is no observation first, then story by story, all as one change."""
    named = _stories(library, intent)
    if not named:
        return otherwise(library, intent)
    groups: dict[str, dict[Ref, str]] = {}
    for ref, digest in intent.shown.items():
        groups.setdefault(named.get(ref, ""), {})[ref] = digest
    draft, now, changes = Draft(library), library, list[Change]()
    for story in sorted(groups):
        asked = replace(intent, shown=groups[story])
        made = on_parts(now, asked, _parts(now, asked)) if story else otherwise(now, asked)
        changes.append(replace(made, intent=intent))
        if len(groups) > 1:
            draft.take(made.effects)
            now = library.preview(draft.effects())
    if len(changes) == 1:
        return changes[0]
    return Change(
        intent,
        f"{verb} {count(intent.shown, 'entry', 'entries')}",
        draft.effects(),
        changes[0].reason,
        {old: new for each in changes for old, new in each.touched.items()},
        "; ".join(each.receipt for each in changes if each.receipt),
        tuple(note for each in changes for note in each.notes),
    )


def _stories(library: Library, intent: Intent) -> dict[Ref, str]:
    """Return the story of each ref that stands for a part of a consolidation."""
    found: dict[Ref, str] = {}
    for ref, digest in intent.shown.items():
        part = part_at(library, library.entry(ref, digest)) if ref.format == SHAKTRA else None
        if part is not None:
            found[ref] = part.story
    return found


def _parts(library: Library, intent: Intent) -> list[Part]:
    parts = (part_at(library, entry) for entry in chosen(library, intent))
    return [part for part in parts if part is not None]


def _plan_take(library: Library, intent: Intent, parts: list[Part]) -> Change:
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


def _plan_leave(library: Library, intent: Intent, parts: list[Part]) -> Change:
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
    reason = intent.text("reason")
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
