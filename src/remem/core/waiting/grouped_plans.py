"""Plans an intent about whatever was picked, and makes one change of the plans.

What deciding on one item writes is planned in `approve.py`, `reject.py` and `merge.py`.

It is parted twice. By repository, where a whole workspace is open: each is planned as if it alone
had been opened, so that ids, rejections and derived files are its own, and only what is about
several at once sees all of them. Then a decision by the reason why each item waits: what is decided
in the same way is planned together, on what the plans before it leave. So any marks can be mixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.repositories import repository_at, within
from remem.core.verbs.args import Args
from remem.core.verbs.verb import Planner
from remem.core.waiting.approve import (
    plan_approve,
    plan_keep,
    plan_promote,
    plan_promote_met,
)
from remem.core.waiting.kinds import Act, Plan, Usual, act_on, is_about_all
from remem.core.waiting.merge import need_no_conflict, plan_merge, plan_merge_met
from remem.core.waiting.reject import plan_reject
from remem.model.change import Change, Intent, touched_paths
from remem.model.entry import Ref

REPOSITORY: Final = "repository"
"""Argument of an intent without refs: which repository it is about."""
_OTHER: Final = ("into", "instead_of")
"""Arguments that name another entry; it has to stand in the same repository."""
_OUTSIDE: Final = frozenset({"reject"})
"""What keeps a record beside the workspace, which only reads from there when it is open."""


def planned_apart(library: Library, intent: Intent, plan: Planner) -> Change:
    """Return what an intent would write, planned in each repository that it is about.

    Raises:
        NotPossible: It joins entries of several repositories.
    """
    if not library.is_whole:
        _stay_inside(library, intent)
        return plan(library, intent)
    shared = [
        ref
        for ref in intent.shown
        if is_about_all(library, ref, intent.verb, intent.waiting.get(ref, ""))
    ]
    if not shared:
        return _in_each(library, intent, plan)
    if len(shared) == len(intent.shown):
        return plan(library, intent)
    own = {ref: digest for ref, digest in intent.shown.items() if ref not in shared}
    above = {ref: digest for ref, digest in intent.shown.items() if ref in shared}

    def in_each(now: Library, asked: Intent) -> Change:
        return _in_each(now, asked, plan)

    return planned_in_turn(library, intent, [(in_each, own), (plan, above)])


def _in_each(library: Library, intent: Intent, plan: Planner) -> Change:
    """Return what an intent would write, planned in each repository as if it were alone."""
    groups = _groups(library, intent)
    if len(groups) == 1:
        (name,) = groups
        return _in(library, name, plan, intent)
    plans = [
        _in(library, name, plan, replace(intent, shown={r: intent.shown[r] for r in refs}))
        for name, refs in groups.items()
    ]
    return _together(intent, plans)


def _stay_inside(library: Library, intent: Intent) -> None:
    if intent.verb in _OUTSIDE and any(map(library.is_shared, intent.shown)):
        raise NotPossible(
            "workspace proposals are rejected in the workspace",
            hint="open the workspace; `remem workspace show` shows its path",
        )


def _in(library: Library, name: str, plan: Planner, intent: Intent) -> Change:
    """Plan in one repository; an entry that another joins or replaces has to stand there too."""
    view = within(library, name)
    for other in filter(None, map(intent.text, _OTHER)):
        if ":" in other and library.has(Ref.parse(other)) and not view.has(Ref.parse(other)):
            raise NotPossible(
                "these are in different repositories",
                hint="promote one of them to the workspace instead, where it is for all",
            )
    change = plan(view, intent)
    return replace(change, title=f"{change.title} in {name}") if name else change


def _groups(library: Library, intent: Intent) -> dict[str, list[Ref]]:
    """Return the refs by the repository that they stand in."""
    if not intent.shown:
        return {intent.text(REPOSITORY): []}
    groups: dict[str, list[Ref]] = {}
    for ref in intent.shown:
        groups.setdefault(repository_at(library, ref), []).append(ref)
    return groups


def _together(intent: Intent, plans: list[Change]) -> Change:
    """Return several plans as one change.

    Raises:
        NotPossible: Two of them write the same file.
    """
    writes = Counter(path for each in plans for path in touched_paths(each.effects))
    twice = next((path for path, times in writes.items() if times > 1), None)
    if twice is not None:
        raise NotPossible(
            f"both repositories would write `{twice}`", hint="decide on them one by one"
        )
    entries = count(len(intent.shown), "entry", "entries")
    return Change(
        intent,
        f"{intent.verb.capitalize()} {entries} in {len(plans)} repositories",
        tuple(effect for each in plans for effect in each.effects),
        next((each.reason for each in plans if each.reason), ""),
        {old: new for each in plans for old, new in each.touched.items()},
        " · ".join(filter(None, (each.receipt for each in plans))),
        tuple(dict.fromkeys(note for each in plans for note in each.notes)),
    )


_USUAL: Final[Mapping[Usual, Plan]] = {
    Usual.APPROVE: plan_approve,
    Usual.REJECT: plan_reject,
    Usual.KEEP: plan_keep,
    Usual.PROMOTE: plan_promote,
    Usual.PROMOTE_MET: plan_promote_met,
    Usual.MERGE_MET: plan_merge_met,
}
_OWN: Final[Mapping[str, Plan]] = {
    "approve": plan_approve,
    "keep": plan_keep,
    "reject": plan_reject,
    "merge": plan_merge,
    "promote": plan_promote,
}
"""What plans a verb on what does not wait for it; mostly it says why nothing can be decided."""


def planner(act: Act) -> Plan:
    """Return what plans something that is done with what waits."""
    return _USUAL[act.plan] if isinstance(act.plan, Usual) else act.plan


def plan_decision(library: Library, intent: Intent, args: Args) -> Change:
    """Plan a decision on all that was picked in one repository.

    Raises:
        NotPossible: Something does not wait for it, or nothing new comes of what was edited.
        Unacknowledged: It would bring a secret or hidden characters into memory.
    """
    if intent.verb == "merge":
        _need_mergeable(library, intent, args)
    waiting: dict[Plan, dict[Ref, str]] = {}
    others: dict[Plan, dict[Ref, str]] = {}
    for ref, digest in intent.shown.items():
        act = act_on(library, ref, intent.verb, intent.waiting.get(ref, ""))
        groups = others if act is None else waiting
        plan = _own(library, intent, ref) if act is None else planner(act)
        groups.setdefault(plan, {})[ref] = digest
    # An entry may leave for an older one when it is merged: what waits goes into it before that.
    ordered = [*waiting.items(), *others.items()]
    if intent.arguments.get("fields") and any(plan != plan_approve for plan, _ in ordered):
        raise NotPossible(
            "only findings and candidates can be edited first", hint="approve it as it is"
        )
    if len(ordered) < 2:
        plan = ordered[0][0] if ordered else _OWN[intent.verb]
        return plan(library, intent, args)
    parts = [(_as_told(plan, args), shown) for plan, shown in ordered]
    made = planned_in_turn(library, intent, parts)
    return replace(made, title=_mixed(library, intent) or made.title)


def _mixed(library: Library, intent: Intent) -> str:
    """Return a title that says what becomes of how many; empty where it is one thing of all."""
    said: Counter[str] = Counter()
    for ref in intent.shown:
        act = act_on(library, ref, intent.verb, intent.waiting.get(ref, ""))
        said[(act.says if act is not None else "") or intent.verb] += 1
    if len(said) < 2:
        return ""
    each = (f"{does.lower()} {often:,}" for does, often in said.items())
    return f"Decide on {count(intent.shown, 'entry', 'entries')}: {', '.join(each)}"


def _need_mergeable(library: Library, intent: Intent, args: Args) -> None:
    """Let nothing be merged that conflicts with the entry which would take it in."""
    into = getattr(args, "into", "")
    if into:
        picked = (library.entry(ref) for ref in intent.shown if library.has(ref))
        need_no_conflict(library, picked, library.resolve(into))


def _own(library: Library, intent: Intent, ref: Ref) -> Plan:
    """Return what plans a verb on an entry that does not wait for it."""
    if intent.verb == "promote" and library.has(ref):
        entry = library.entry(ref)
        facets = library.format_of(entry).facets
        if facets.promote is not None and entry.kind in facets.promoted_as_copy:
            return facets.promote
    return _OWN[intent.verb]


def _as_told(plan: Plan, args: Args) -> Planner:
    return lambda library, intent: plan(library, intent, args)


def planned_in_turn(
    library: Library, intent: Intent, parts: Sequence[tuple[Planner, Mapping[Ref, str]]]
) -> Change:
    """Return several plans as one change, each made on what those before it leave."""
    draft, now, made = Draft(library), library, list[Change]()
    touched: dict[Ref, Ref | None] = {}
    for plan, shown in parts:
        part = plan(now, replace(intent, shown=_as_it_stands(library, now, shown)))
        made.append(part)
        # What a plan before it left may go on under another ref.
        left = {old: part.touched.get(new, new) if new else new for old, new in touched.items()}
        touched = {**left, **part.touched}
        draft.take(part.effects)
        now = library.preview(draft.effects())
    return Change(
        intent,
        f"{intent.verb.capitalize()} {count(intent.shown, 'entry', 'entries')}",
        draft.effects(),
        next((each.reason for each in made if each.reason), ""),
        touched,
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
