"""Plans what is decided while a whole workspace is open: for each repository by itself.

An intent is planned as if its repository had been opened alone, so that ids, rejections and derived
files are its own. What is about several repositories at once is one change of several plans.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.library import Library
from remem.core.repositories import is_whole, repository_at, within
from remem.core.verbs.verb import Planner
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
    if not is_whole(library):
        _stay_inside(library, intent)
        return plan(library, intent)
    shared = [ref for ref in intent.shown if _is_about_all(library, intent, ref)]
    if not shared:
        return _in_each(library, intent, plan)
    if len(shared) == len(intent.shown):
        return plan(library, intent)
    from remem.core.waiting.approve import planned_in_turn

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


def _is_about_all(library: Library, intent: Intent, ref: Ref) -> bool:
    from remem.core.waiting.kinds import is_about_all

    return is_about_all(library, ref, intent.verb, intent.waiting.get(ref, ""))


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
