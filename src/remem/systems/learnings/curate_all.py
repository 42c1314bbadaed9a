"""Curation of all learnings at once, as `/sniper-learn --review` did it: a plan, and what is left.

What needs no look is planned as one change: learnings that say the same are merged, idle ones lose
confidence, what has been archived for long goes to the archive folder. What does need one is named,
and nothing is done to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.relation.in_force import unread_settings
from remem.core.relation.pairs import pairs, problem_of
from remem.core.verbs.verb import Planner
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Ref
from remem.systems.learnings.problems import looked_at
from remem.systems.learnings.records import IN_FORCE, LEARNING
from remem.systems.learnings.source import record_of
from remem.systems.learnings.upgrade_plan import upgradable
from remem.systems.learnings.upkeep import (
    as_chosen,
    day_of,
    decay,
    decay_waits,
    decaying,
    proposals,
    prunable,
    prune,
    records_of,
    unite,
)

if TYPE_CHECKING:
    from remem.systems.learnings.learning_verbs import LearnCurate

MERGE: Final = "merge"
DECAY: Final = "decay"
ARCHIVE: Final = "archive"


@dataclass(frozen=True, slots=True)
class Step:
    """What curation would do by itself to one learning."""

    does: str
    """`merge`, `decay`, `archive`."""
    entry: Entry
    told: str


@dataclass(frozen=True, slots=True)
class Flag:
    """What a person has to decide."""

    entry: Entry
    why: str
    """One sentence without a full stop."""


@dataclass(frozen=True, slots=True)
class Curation:
    """What curating does, and what it leaves to a person."""

    steps: tuple[Step, ...]
    flags: tuple[Flag, ...]
    counts: Mapping[str, int]
    """Learnings by their own status, `archived` for those in the archive."""
    average: float | None
    """Confidence of those in force; `None` = there is none."""


def plan_curate(library: Library, intent: Intent, args: LearnCurate) -> Change:
    """Plan the upkeep of all learnings as one change, each step on what those before it leave.

    Raises:
        NotPossible: Nothing is due, or settings that count cannot be read.
    """
    off = unread_settings(library)
    if off:
        raise NotPossible(f"nothing was curated: {off}", hint="fix the settings first")
    draft, now = Draft(library), library
    touched: dict[Ref, Ref | None] = {}
    made: list[Change] = []
    for plan in _planners(args):
        try:
            part = plan(now, replace(intent, shown={}))
        except NotPossible:
            continue  # nothing of that kind is due
        made.append(part)
        touched |= part.touched
        draft.take(part.effects)
        now = library.preview(draft.effects())
    if not made:
        raise Already(
            "no learning needs merging, decay or archiving",
            hint="`remem learn curate` lists what needs a decision",
        )
    return Change(
        as_chosen(library, intent, [ref for ref in touched if library.has(ref)]),
        f"Curate {count(touched, 'learning')}",
        draft.effects(),
        touched=touched,
        receipt="; ".join(each.receipt for each in made if each.receipt),
        notes=tuple(dict.fromkeys(note for each in made for note in each.notes)),
    )


def curation(library: Library, intent: Intent, args: LearnCurate) -> Curation:
    """Return what `plan_curate` would do, and what it leaves; nothing is written."""
    steps = (*_merges(library, intent), *_decays(library, intent, args), *_archives(library, args))
    records = [(record_of(source), source.archived) for source, _ in records_of(library)]
    counts: dict[str, int] = {}
    sure: list[float] = []
    for record, archived in records:
        if record is None:
            continue
        name = "archived" if archived else record.status
        counts[name] = counts.get(name, 0) + 1
        if not archived and record.status in IN_FORCE:
            sure.append(record.confidence)
    merged = {step.entry.ref for step in steps if step.does == MERGE}
    flags = {(flag.entry.ref, flag.why): flag for flag in _flags(library, args, merged)}
    average = round(sum(sure) / len(sure), 2) if sure else None
    return Curation(steps, tuple(flags.values()), counts, average)


def _planners(args: LearnCurate) -> tuple[Planner, ...]:
    return (
        lambda library, intent: prune(library, intent, args.as_of),
        lambda library, intent: unite(library, intent, proposed=True),
        lambda library, intent: decay(library, intent, args.as_of),
    )


def _merges(library: Library, intent: Intent) -> Iterator[Step]:
    try:
        planned = unite(library, replace(intent, shown={}), proposed=True)
    except NotPossible:
        return
    for ref in planned.touched:
        if library.has(ref):
            yield Step(MERGE, library.entry(ref), "duplicate of another learning")


def _decays(library: Library, intent: Intent, args: LearnCurate) -> Iterator[Step]:
    whole = replace(intent, shown={})
    for entry, _, reading, found in decaying(library, whole, day_of(library, args.as_of)):
        if not decay_waits(library, whole, entry):
            ends = ", archived" if found.deprecates else ""
            told = f"idle for {count(found.idle, 'day')}: {reading.record.confidence:g}"
            yield Step(DECAY, entry, f"{told} → {found.after:g}{ends}")


def _archives(library: Library, args: LearnCurate) -> Iterator[Step]:
    for _, entry in prunable(library, day_of(library, args.as_of)):
        yield Step(ARCHIVE, entry, "archived for long")


def _flags(library: Library, args: LearnCurate, merged: Collection[Ref]) -> Iterator[Flag]:
    """Yield what only a person can decide: conflicts, likeness, staleness, drift, doubts."""
    for pair in pairs(library):
        if pair.is_contradiction and pair.second.kind == LEARNING:
            yield Flag(pair.second, problem_of(library, pair).message)
    for first, *others in proposals(library):
        for each in others:
            if {first.ref, each.ref} <= {*merged}:
                continue
            name = library.short(first.ref)
            yield Flag(each, f"similar to `{name}`; `remem learn merge` merges them")
    whole = Intent("learn.curate")
    for entry, *_ in decaying(library, whole, day_of(library, args.as_of)):
        waits = decay_waits(library, whole, entry)
        if waits:
            yield Flag(entry, f"it does not decay by itself: {waits}")
    for _, entry in upgradable(library):
        yield Flag(entry, "old record format; `remem learn upgrade` converts it")
    looked = looked_at(library)
    for issue in (*looked.stale, *looked.drifts):
        if issue.ref is not None:
            name = f"`{library.short(issue.ref)}` is "
            yield Flag(library.entry(issue.ref), issue.problem.message.removeprefix(name))
