"""What a pack would do to prompts if all that it brings were approved, told before it comes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.prompt.impact import Impact, impact
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.model.prompt import Ask, Prompt, Reason
from remem.systems.sniper.pack_plan import Arrival, Arriving, change_of
from remem.systems.sniper.sniper_verbs import PACK_IMPORT

Compose: TypeAlias = Callable[[Ask, Library], Prompt]
_NAMED: Final = 4
"""Roles that are named where all of them have the same."""


@dataclass(frozen=True, slots=True)
class Place:
    """What one entry would have in the prompt of one role."""

    role: str
    tokens: int
    reason: Reason | None
    """Why it would be out; `None` = it would be in."""


@dataclass(frozen=True, slots=True)
class PackEffects:
    """What approving all of a pack would do."""

    impacts: tuple[Impact, ...] = ()
    """Of each role whose prompt would be another one."""
    places: Mapping[Ref, tuple[Place, ...]] = field(default_factory=dict)
    """Of each new entry, role by role."""
    refs: tuple[Ref, ...] = ()
    """The new entries, in the order in which the pack has those that come in."""


def places_said(places: Sequence[Place]) -> str:
    """Return `included for backend-engineer (23 tokens), not included for qa-engineer (budget)`."""
    if len(places) > _NAMED and len({(place.tokens, place.reason) for place in places}) == 1:
        first = places[0]
        return _said(first, f"{len(places)} roles")
    return ", ".join(_said(place, place.role) for place in places) or "in no prompt"


def _said(place: Place, whose: str) -> str:
    if place.reason is not None:
        return f"not included for {whose} ({place.reason})"
    return f"included for {whose} ({place.tokens:,} tokens)"


def effects_on_prompts(
    library: Library,
    name: str,
    judged: Sequence[Arriving],
    roles: Sequence[str],
    compose: Compose,
) -> PackEffects:
    """Return what approving all of a pack would do to each role's prompt.

    Args:
        library: Where it would go.
        name: Of the pack's file.
        judged: What becomes of its entries.
        roles: Whose prompts.
        compose: Gives the prompt for an ask on a snapshot.
    """
    if not any(each.arrival is Arrival.ADDED for each in judged):
        return PackEffects()
    change = change_of(library, Intent(PACK_IMPORT.id), name, judged, in_force=True)
    refs = tuple(ref for ref in change.touched.values() if ref is not None)
    after = library.preview(change.effects)
    impacts: list[Impact] = []
    places: dict[Ref, list[Place]] = {ref: [] for ref in refs}
    for role in dict.fromkeys((*roles, *after.role_names())):
        ask = Ask(role=role)
        made = compose(ask, after)
        found = impact(compose(ask, library), made)
        if not found.changes_nothing:
            impacts.append(found)
        for verdict in made.verdicts:
            if verdict.ref in places and verdict.reason is not Reason.ROLE:
                places[verdict.ref].append(Place(role, verdict.tokens, verdict.reason))
    return PackEffects(tuple(impacts), {ref: tuple(each) for ref, each in places.items()}, refs)
