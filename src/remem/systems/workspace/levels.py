"""Where a repository and its workspace say nearly the same, or may contradict each other.

It compares what both put into force and decides nothing: the repository's entry is meant to win,
and a person says so with one key (`override.py`). What is overridden already is settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from weakref import WeakKeyDictionary

from remem.base.frozen import dataclass
from remem.core.checks.problem import Issue
from remem.core.library import Library
from remem.core.relation.similar import Alike, Likeness, fingerprint
from remem.core.waiting.rejected import rejections
from remem.model.entry import Entry, Problem, Ref
from remem.systems.sniper.stores import StoreEntries
from remem.systems.workspace.inherit import (
    BOTH,
    SNIPER,
    counts,
    declared,
    holds_on,
    like_below,
    names_of,
    overridden,
    said_of,
)
from remem.systems.workspace.records import WORKSPACE

OVERRIDE: Final = "workspace.override"
"""The verb that settles it."""
OF: Final = "of"
"""Its argument: the ref of the workspace's entry."""


@dataclass(frozen=True, slots=True)
class Between:
    """Two entries of one kind, one of each level."""

    own: Entry
    inherited: Entry
    likeness: Likeness

    @property
    def is_contradiction(self) -> bool:
        return self.likeness.alike is Alike.CONTRADICTION


def between_levels(library: Library) -> tuple[Between, ...]:
    """Return what a repository says otherwise than its workspace, and nobody has settled."""
    return tuple(each for found in _between(library).values() for each in found)


def between_for(library: Library, ref: Ref) -> tuple[Between, ...]:
    """Return what one entry of a repository says otherwise than its workspace."""
    return _between(library).get(ref, ())


def _between(library: Library) -> Mapping[Ref, tuple[Between, ...]]:
    """Return it by the repository's entry, worked out once for each snapshot."""
    found = _FOUND.get(library)
    if found is None:
        groups: dict[Ref, list[Between]] = {}
        for each in _compared(library):
            groups.setdefault(each.own.ref, []).append(each)
        found = _FOUND[library] = {ref: tuple(group) for ref, group in groups.items()}
    return found


def _compared(library: Library) -> Iterator[Between]:
    inherited = [s for s in library.of_format(WORKSPACE) if s.entries]
    own = tuple(s for s in library.of_format(SNIPER) if isinstance(s.entries, StoreEntries))
    if not inherited or not own:
        return
    settled = overridden(library.sources).keys()
    found = (
        Between(by, entry, likeness)
        for source in inherited
        for entry in source.entries
        if counts(entry) and entry.ref not in settled
        for by, likeness in like_below(own, entry)
        if by.kind == entry.kind and likeness.alike is not Alike.EXACT
    )
    left = rejections(library)
    for each in found:
        if not left or fingerprint(BOTH, said_by(each)) not in left:
            yield each


_FOUND: WeakKeyDictionary[Library, Mapping[Ref, tuple[Between, ...]]] = WeakKeyDictionary()


def said_by(found: Between) -> str:
    """Return what is kept of two entries that a person left both in force."""
    return said_of(found.inherited, found.own)


def level_issues(library: Library) -> Iterator[Issue]:
    """Yield what needs an `overrides:`, and what says one and overrides nothing."""
    if not library.of_format(WORKSPACE):
        return
    for found in between_levels(library):
        yield _issue(library, found)
    yield from _dangling(library)


def _issue(library: Library, found: Between) -> Issue:
    own, inherited = library.short(found.own.ref), library.short(found.inherited.ref)
    how = "may contradict" if found.is_contradiction else "says nearly the same as"
    told = "" if found.likeness.checked else " (whether it contradicts is not checked)"
    message = f"`{own}` {how} `{inherited}`{told}: {found.own.title} | {found.inherited.title}"
    hint = f"agents get both; write `overrides: {inherited}` where the repository's is meant to win"
    path = library.source_of(found.own).path
    problem = Problem("between-levels", message, hint, path)
    return Issue(problem, found.own.ref, OVERRIDE, {OF: str(found.inherited.ref)})


def _dangling(library: Library) -> Iterator[Issue]:
    known = {
        name: (source, entry)
        for source in library.of_format(WORKSPACE)
        for entry in source.entries
        for name in names_of(entry.ref)
    }
    for entry, name in declared(library.of_format(SNIPER)):
        if name not in known:
            message = (
                f"`{library.short(entry.ref)}` overrides `{name}`, which the workspace has not"
            )
            hint = "name an entry of the workspace, or take `overrides` out"
            path = library.source_of(entry).path
            yield Issue(Problem("overrides-nothing", message, hint, path), entry.ref)
            continue
        reason = holds_on(entry, *known[name])
        if reason:
            message = f"`{library.short(entry.ref)}` does not override `{name}`: {reason}"
            hint = "take `overrides` out, or change the entry of the workspace"
            path = library.source_of(entry).path
            yield Issue(Problem("overrides-in-vain", message, hint, path), entry.ref)
