"""Plans what a person decides on whatever was picked: each by the reason why it waits.

What is decided in the same way is planned together, on what the plans before it leave; all of it is
one change. So any marks can be mixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.base.text import count
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.verbs.args import Args
from remem.core.verbs.verb import Planner
from remem.core.waiting import decide
from remem.core.waiting.kinds import Plan, act_on
from remem.model.change import Change, Intent
from remem.model.entry import Ref

_OWN: Final[Mapping[str, Plan]] = {
    "approve": decide.plan_approve,
    "keep": decide.plan_keep,
    "reject": decide.plan_reject,
}
"""What plans a verb on what does not wait: it says why nothing can be decided there."""


def plan_decision(library: Library, intent: Intent, args: Args) -> Change:
    """Plan a decision on all that was picked in one repository.

    Raises:
        NotPossible: Something does not wait for it.
        Unacknowledged: It would bring a secret or hidden characters into memory.
    """
    groups: dict[Plan, dict[Ref, str]] = {}
    for ref, digest in intent.shown.items():
        act = act_on(library, ref, intent.verb, intent.waiting.get(ref, ""))
        plan = act.plan if act is not None else _OWN[intent.verb]
        groups.setdefault(plan, {})[ref] = digest
    if len(groups) < 2:
        return next(iter(groups), _OWN[intent.verb])(library, intent, args)
    parts = [(_as_told(plan, args), shown) for plan, shown in groups.items()]
    return planned_in_turn(library, intent, parts)


def _as_told(plan: Plan, args: Args) -> Planner:
    return lambda library, intent: plan(library, intent, args)


def planned_in_turn(
    library: Library, intent: Intent, parts: Sequence[tuple[Planner, Mapping[Ref, str]]]
) -> Change:
    """Return several plans as one change, each made on what those before it leave."""
    draft, now, made = Draft(library), library, list[Change]()
    for plan, shown in parts:
        part = plan(now, replace(intent, shown=_as_it_stands(library, now, shown)))
        made.append(part)
        draft.take(part.effects)
        now = library.preview(draft.effects())
    return Change(
        intent,
        f"{intent.verb.capitalize()} {count(intent.shown, 'entry', 'entries')}",
        draft.effects(),
        next((each.reason for each in made if each.reason), ""),
        {old: new for each in made for old, new in each.touched.items()},
        "; ".join(each.receipt for each in made if each.receipt),
        tuple(dict.fromkeys(note for each in made for note in each.notes)),
    )


def _as_it_stands(library: Library, now: Library, shown: Mapping[Ref, str]) -> dict[Ref, str]:
    """Return digests for what this very change has altered; anything else must be as drawn."""
    found = dict(shown)
    for ref, digest in shown.items():
        if now is not library and library.has(ref) and now.has(ref):
            is_as_drawn = not digest or library.entry(ref).digest == digest
            found[ref] = now.entry(ref).digest if is_as_drawn else digest
    return found
