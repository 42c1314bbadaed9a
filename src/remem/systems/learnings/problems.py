"""Learnings that are worth a look: stale, idle, old, too many, or overtaken by a changed plan.

A flag changes nothing (FORMATS 2.4); the verb beside it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.code.git import committed_at
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.model.change import Json
from remem.model.entry import Entry, Problem
from remem.store.io import Disk, Stamp, Unreadable
from remem.systems.learnings import events as events
from remem.systems.learnings.read import reading_of, runs_of
from remem.systems.learnings.records import IN_FORCE, LEARNING, Learning, time_of
from remem.systems.learnings.source import (
    FOLDER,
    VELOCITY,
    LearningSource,
    learning_sources,
    record_of,
)
from remem.systems.learnings.upgrade_plan import upgradable
from remem.systems.learnings.upkeep import prunable
from remem.systems.sniper.config import settings_of
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_record import Shape

CROWDED_ABOVE: Final = 30
"""Records in force from which curation is suggested (FORMATS 2.4)."""
MOST_NAMED: Final = 20
"""Flags of one sort that have a row each."""
PLANS: Final = ("docs/spec.md", "docs/architecture.md")
"""Files whose change may overtake a learning about other files."""
_Held: TypeAlias = tuple[LearningSource, Entry, Learning]


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at all learnings in force found."""

    held: int
    decaying: int
    stale: tuple[Issue, ...]
    drifts: tuple[Issue, ...]


def learning_issues(library: Library) -> Iterator[Issue]:
    """Yield what is worth a look among the learnings of a root."""
    found = looked_at(library)
    folder = library.ground.root / FOLDER
    yield from _few(
        found.stale, folder, "are stale: unused for long, and in none of the last protocols"
    )
    yield from _few(found.drifts, folder, "were confirmed before the plans changed")
    if found.decaying:
        message = f"{count(found.decaying, 'idle learning')} would lose confidence"
        hint = "`remem learn decay` lists them; add `--apply` to write it"
        yield Issue(Problem("decay-due", message, hint, folder), verb="learn.decay")
    if found.held > CROWDED_ABOVE:
        yield _crowd(folder, found.held)
    yield from _upkeep(library, folder)


def looked_at(library: Library) -> Looked:
    """Return which learnings in force are idle, stale, or older than the plans they rest on."""
    held = [*_in_force(library)]
    today = library.ground.given.clock.today()
    protocols = _last_protocols(library, [record for _, _, record in held])
    plans = [(name, at) for name in PLANS if (at := _changed_at(library, name)) is not None]
    recent = (today - timedelta(days=events.IDLE_GRACE - 1)).isoformat()
    decaying, stale, drifts = 0, list[Issue](), list[Issue]()
    for source, entry, record in held:
        quiet = _is_quiet(record, recent)
        if quiet and not entry.is_read_only and _decays(source, today):
            decaying += 1
        if quiet and _is_stale(record, protocols, today):
            stale.append(_stale(library, source, entry, record, today))
        drifted = next((name for name, at in plans if _drifted(record, at)), "")
        if drifted:
            drifts.append(_drift(library, source, entry, drifted))
    return Looked(len(held), decaying, tuple(stale), tuple(drifts))


def _few(found: Sequence[Issue], folder: Path, what: str) -> Iterator[Issue]:
    """Yield issues one by one, or where they are very many one that counts them."""
    if len(found) <= MOST_NAMED:
        yield from found
        return
    problem = found[0].problem
    message = f"{len(found):,} learnings {what}"
    yield Issue(Problem(problem.code, message, problem.hint, folder))


def _in_force(library: Library) -> Iterator[_Held]:
    for source in learning_sources(library.of_format(LEARNING)):
        record = record_of(source)
        if record is not None and not source.archived and record.status in IN_FORCE:
            yield source, source.entries[0], record


def _is_quiet(record: Learning, recent: str) -> bool:
    """Tell from bare texts whether nothing may have happened since a day."""
    told = (each for each in reversed(record.history) if not events.is_decay(each))
    return record.created_at[:10] < recent and not any(e.timestamp[:10] >= recent for e in told)


def _decays(source: LearningSource, today: date) -> bool:
    reading = reading_of(source)
    if reading is None or not reading.is_writable:
        return False
    return events.decay(reading, today) is not None


def _is_stale(record: Learning, protocols: frozenset[str], today: date) -> bool:
    anchor = events.anchor_of(record)
    if anchor is None or events.is_sure(record):
        return False
    idle = (today - anchor.date()).days
    return idle > events.IDLE_GRACE and protocols.isdisjoint(record.applied_in)


def _stale(
    library: Library, source: LearningSource, entry: Entry, record: Learning, today: date
) -> Issue:
    anchor = events.anchor_of(record)
    idle = (today - anchor.date()).days if anchor is not None else 0
    last = settings_of(library.of_format("sniper")).learning.staleness_threshold
    problem = Problem(
        "stale",
        f"`{library.short(entry.ref)}` is stale: idle for {count(idle, 'day')}, and in none of the "
        f"last {last} protocols",
        "archive it, or confirm it with `remem learn confirm`",
        source.path.parent,
    )
    return Issue(problem, entry.ref, "archive")


def _drifted(record: Learning, changed_at: float) -> bool:
    since = time_of(record.updated_at or record.created_at)
    return bool(record.scope.files) and since is not None and since.timestamp() < changed_at


def _drift(library: Library, source: LearningSource, entry: Entry, name: str) -> Issue:
    problem = Problem(
        "spec-drift",
        f"`{name}` changed since `{library.short(entry.ref)}` was confirmed",
        "read both, then confirm it if it still holds",
        source.path.parent,
    )
    return Issue(problem, entry.ref, "learn.confirm", {"detail": f"still holds with {name}"})


def _crowd(folder: Path, held: int) -> Issue:
    problem = Problem(
        "crowded",
        f"{held:,} active learnings (recommended: {CROWDED_ABOVE})",
        "merge duplicates, and archive what no prompt needs",
        folder,
    )
    proposed: dict[str, Json] = {"proposed": True}
    return Issue(problem, verb="learn.merge", arguments=proposed)


def _upkeep(library: Library, folder: Path) -> Iterator[Issue]:
    old = sum(1 for _ in prunable(library, library.ground.given.clock.today()))
    if old:
        days = settings_of(library.of_format("sniper")).learning.archive_after_days
        message = f"{count(old, 'learning')} archived for more than {count(days, 'day')}"
        hint = "`remem learn prune` moves them to the archive folder; nothing is deleted"
        yield Issue(Problem("prune-due", message, hint, folder), verb="learn.prune")
    older = sum(1 for each in upgradable(library) if not _asks(each[0]))
    if older:
        message = f"{count(older, 'learning')} in an old record format"
        hint = "`remem learn upgrade` converts them"
        yield Issue(Problem("older-shape", message, hint, folder), verb="learn.upgrade")


def _asks(source: LearningSource) -> bool:
    """Tell whether upgrading needs an answer first."""
    reading = reading_of(source)
    return reading is None or bool(reading.assumed)


def _last_protocols(library: Library, records: Sequence[Learning]) -> frozenset[str]:
    """Return the protocols that ran last, as retros, velocity and learnings name them."""
    when: dict[str, str] = {}
    for record in records:
        when |= dict.fromkeys(record.applied_in, "")
    for source in library.of_format(LEARNING):
        if isinstance(source, LearningSource) and source.part == VELOCITY:
            when |= {run.protocol: run.completed_at for run in runs_of(source)}
    for source in retro_entries.held(library):
        _, retro = retro_entries.parsed(source)
        if retro is not None and retro.shape is Shape.PROTOCOL:
            when[source.path.stem] = retro.date
    last = settings_of(library.of_format("sniper")).learning.staleness_threshold
    newest = sorted(when, key=lambda name: (events.day_in(name) or when[name][:10], name))
    return frozenset(newest[-last:] if last > 0 else ())


def _changed_at(library: Library, name: str) -> float | None:
    """Return when a plan changed last, in seconds since the epoch; `None` = there is none."""
    ground = library.ground
    stamp = ground.disk.stamp(ground.root / name)
    return None if stamp is None else _changed(ground.disk, ground.root, name, stamp)


@lru_cache(maxsize=16)
def _changed(disk: Disk, root: Path, name: str, stamp: Stamp) -> float | None:
    """Return the time of the commit that has these bytes, else that of the file.

    A clone gives every file the time of the cloning, so that git is asked first.
    """
    try:
        data = disk.read(root / name)
    except (Unreadable, RememError):
        return None
    committed = committed_at(root, name, data)
    return committed if committed is not None else stamp.mtime_ns / 1_000_000_000
