"""How much everyone started with over time: a repository's commits, or what the journal saw.

It looks at a few commits spread over the life of a repository and reads each as the root stood
then. It is done step by step, newest commit first, so that it can be shown while it runs and
stopped at any of them. Nothing is checked out or written. Where no git tells how memory grew, the
journal does, as far back as remem has watched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible, RememError, WriteFailed
from remem.base.frozen import dataclass
from remem.code.git import head_commit
from remem.code.timeline import Stop, Timeline, timeline, written_since
from remem.core.history.revisions import Revisions
from remem.core.library import Library
from remem.core.prompt.agents import Agent, agents
from remem.core.prompt.compose import compose
from remem.core.prompt.counter import CHARACTERS_A_TOKEN, Counter, Estimate
from remem.core.settings import Places
from remem.model.prompt import Ask
from remem.model.source import Source, SourceKind
from remem.model.trend import Grown, Growth, Point, Starter
from remem.store.changes.steps import Edited, Made, Removed, Step
from remem.store.history.journal import Journal

SAMPLES: Final = 24
"""Commits that are looked at, the day a month ago not counted."""
MONTH: Final = 30
"""Days that *since a month* means."""
_LEAST: Final = 4
"""Commits that are looked at in a root of any size."""
_BYTES: Final = 48 << 20
"""Of memory that all samples together read, about: more of it means fewer samples."""
_COUNTED: Final = 2_000_000
"""Bytes of a file up to which its tokens are counted."""
_COMPOSED: Final = 2_000
"""Entries up to which roles are composed for, commit by commit."""
_NAMED: Final = 5
"""Files and writers that are named."""
ROLE: Final = "role"
"""Stands for the layout of a role, which has none."""
_UNCOMMITTED: Final = "not committed yet"


@dataclass(frozen=True, slots=True)
class _Start:
    """Everyone's start as the root stood once."""

    point: Point
    files: Mapping[str, int]
    """Path from the root → tokens of the whole file."""


@dataclass
class _Looking:
    """What was found up to now."""

    now: Library
    counter: Counter
    present: _Start
    found: list[Point] = field(default_factory=list)
    """Newest first."""
    beside: bytes | None = None
    """What tells apart all that git does not keep; `None` = nothing does, so nothing is kept."""

    def so_far(self, planned: int, note: str) -> Growth:
        points = (*reversed(self.found), self.present.point)
        exact = self.counter.exact
        return Growth(points, exact=exact, done=len(self.found), planned=planned, note=note)


def growing(
    now: Library,
    places: Places,
    counter: Counter,
    journal: Journal,
    *,
    budget: int = 0,
    most: int = SAMPLES,
) -> Iterator[Growth]:
    """Yield the growth as far as it is known, again after every commit; the last one is whole.

    Args:
        now: The newest snapshot.
        places: Where the user's settings lie.
        counter: Counts tokens.
        journal: Tells where there is no git.
        budget: What the settings of today give every memory layer; 0 = each has its own.
        most: Commits that are looked at.
    """
    today = now.ground.given.clock.today()
    looking = _Looking(now, counter, _start(now, today, counter, budget))
    try:
        past = Revisions(now, places)
        read = sum(len(source.data) for source in now.sources)
        fewer = max(min(most, _BYTES // max(read, 1)), _LEAST)
        line = timeline(past.top, fewer, (today - timedelta(days=MONTH),))
        if not line.stops:
            yield _watched(looking, journal, "this repository has no commits yet")
            return
        looking.beside = past.beside(_COMPOSED)
        yield from _stops(looking, past, line, today - timedelta(days=MONTH))
    except NotPossible as error:
        yield _watched(looking, journal, str(error))


def _stops(looking: _Looking, past: Revisions, line: Timeline, since: date) -> Iterator[Growth]:
    """Look at one commit after the other; files and writers come with the last one."""
    note = "shallow clone: older history is unknown" if line.is_shallow else ""
    planned = len(line.stops)
    yield looking.so_far(planned, note)
    base = next((stop for stop in line.stops if stop.day <= since), line.stops[-1])
    month: _Start | None = None
    head: _Start | None = None
    with past.reading():
        for stop in line.stops:
            start = _start_at(looking, past, stop)
            looking.found.append(start.point)
            head = head or start
            month = start if stop is base else month
            if stop is not line.stops[-1]:
                yield looking.so_far(planned, note)
    assert month is not None
    assert head is not None
    whole = looking.so_far(planned, note)
    is_older = base.day <= since
    # One commit of the month is where memory was first written down: nothing grew since.
    if not is_older and (line.is_shallow or line.commits < 2):
        yield whole
        return
    before = month.files if is_older else {}
    files = _grown(before, looking.present.files)[:_NAMED]
    writers = _writers(looking, past, base if is_older else None, before)
    uncommitted = sum(looking.present.files.values()) - sum(head.files.values())
    if uncommitted:
        writers.append(Grown(_UNCOMMITTED, uncommitted))
    writers = sorted(writers, key=lambda each: (-each.tokens, each.name))
    yield replace(
        whole, since=max(base.day, since), files=files[:_NAMED], writers=(*writers[:_NAMED],)
    )


def _start_at(looking: _Looking, past: Revisions, stop: Stop) -> _Start:
    """Return everyone's start at a commit, which is looked at once for all who ever ask."""
    if looking.beside is None:
        return _looked_at(looking, past, stop)[0]
    counter, now = looking.counter, looking.now
    cache = now.ground.given.cache
    asked = ("start", stop.commit, looking.beside, counter.encoding, counter.exact)
    today = now.ground.given.clock.today().isoformat()
    known = cache.get(*asked)
    if known is not None:
        day, tokens, files = json.loads(known)
        if day in ("", today):
            return _Start(Point(stop.day, {(place, name): n for place, name, n in tokens}), files)
    start, is_composed = _looked_at(looking, past, stop)
    tokens = [[place, name, number] for (place, name), number in start.point.tokens.items()]
    # What is composed may depend on the day.
    told = [today if is_composed else "", tokens, dict(start.files)]
    cache.put(json.dumps(told).encode(), *asked)
    return start


def _looked_at(looking: _Looking, past: Revisions, stop: Stop) -> tuple[_Start, bool]:
    """Return the start at a commit, and whether any of it is composed."""
    then, settings = past.at(stop.commit)
    start = _start(then, stop.day, looking.counter, settings.tokens.budget)
    return start, any(place == ROLE for place, _ in start.point.tokens)


def _start(library: Library, day: date, counter: Counter, budget: int) -> _Start:
    found = agents(library, counter)
    tokens: dict[Starter, int] = {(each.layout, each.name): each.tokens for each in found}
    if sum(len(source.entries) for source in library.sources) <= _COMPOSED:
        tokens.update(_roles(library, counter, budget))
    files = {**_stores(library, counter), **_files(library.ground.root, found)}
    return _Start(Point(day, tokens), files)


def _roles(library: Library, counter: Counter, budget: int) -> Iterator[tuple[Starter, int]]:
    """Yield what roles start with that get anything."""
    for role in library.role_names():
        ask = Ask(role=role, budget=budget)
        prompt = compose(library, ask, counter)
        if any(verdict.is_in for verdict in prompt.verdicts):
            yield (ROLE, role), prompt.tokens


def _stores(library: Library, counter: Counter) -> Mapping[str, int]:
    """Return the tokens of the files that prompts are composed of."""
    root = library.ground.root
    return {
        source.path.relative_to(root).as_posix(): _tokens(source.data, counter)
        for source in library.sources
        if source.kind is SourceKind.STORE and not source.archived and root in source.path.parents
    }


def _tokens(data: bytes, counter: Counter) -> int:
    """Count a file; one so large that it would take seconds is estimated."""
    text = data.decode("utf-8", "replace")
    return (counter if len(data) <= _COUNTED else Estimate()).count(text)


def _text(source: Source) -> str:
    return source.data.decode("utf-8", "replace")


def _files(root: Path, found: Sequence[Agent]) -> Mapping[str, int]:
    """Return the tokens of files in the root; the home folder has no history here."""
    return {
        file.path.relative_to(root).as_posix(): file.total
        for agent in found
        for file in agent.files
        if root in file.path.parents
    }


def _grown(before: Mapping[str, int], now: Mapping[str, int]) -> tuple[Grown, ...]:
    grown = (Grown(name, now.get(name, 0) - before.get(name, 0)) for name in {**before, **now})
    return tuple(sorted((g for g in grown if g.tokens), key=lambda g: (-g.tokens, g.name)))


def _writers(
    looking: _Looking, past: Revisions, base: Stop | None, before: Mapping[str, int]
) -> list[Grown]:
    """Return what each author added to files that somebody loads, or loaded then."""
    inside = looking.now.ground.root.relative_to(past.top)
    names = {*before, *looking.present.files}
    paths = {(inside / name).as_posix() for name in names}
    written = _written(looking, past, base.commit if base is not None else "", paths)
    tokens = ((author, added // CHARACTERS_A_TOKEN) for author, added in written.items())
    return [Grown(author, added) for author, added in tokens if added]


def _written(looking: _Looking, past: Revisions, since: str, paths: set[str]) -> Mapping[str, int]:
    """Return what each author put into files since a commit, asked of git once for each HEAD."""
    ground = looking.now.ground
    head = head_commit(ground.disk, past.top)
    asked = ("written", head, since, str(past.top), "\0".join(sorted(paths)))
    known = ground.given.cache.get(*asked) if head else None
    if known is not None:
        return {str(author): int(added) for author, added in json.loads(known).items()}
    written = written_since(past.top, since, paths)
    if head:
        ground.given.cache.put(json.dumps(dict(written)).encode(), *asked)
    return written


def _watched(looking: _Looking, journal: Journal, why: str) -> Growth:
    """Return what the journal saw; where it saw nothing, the day of today alone."""
    now = looking.now
    try:
        changes = sizes_before(journal, now.ground.root)
    except WriteFailed as error:
        return replace(looking.so_far(0, f"{why}; {error}"), done=0)
    if not changes:
        return replace(looking.so_far(0, why), done=0)
    today = looking.present.point.day
    days = sorted({each.time.date() - timedelta(days=1) for each in changes})[-SAMPLES:]
    found = agents(now, looking.counter)
    points = tuple(Point(day, _tokens_on(day, changes, found)) for day in days if day < today)
    since = max(today - timedelta(days=MONTH), days[0])
    files = _grown_since(since, changes, now.ground.root, found)
    note = f"{why}; showing what remem has seen since {days[0] + timedelta(days=1)}"
    return Growth((*points, looking.present.point), since, files[:_NAMED], note=note)


def _tokens_on(
    day: date, changes: tuple[Before, ...], found: Sequence[Agent]
) -> Mapping[Starter, int]:
    """Return everyone's tokens on a day, estimated from how long their files were."""
    tokens: dict[Starter, int] = {}
    for agent in found:
        sizes = {file.path: file.total * CHARACTERS_A_TOKEN for file in agent.files}
        then = bytes_on(day, changes, sizes)
        less = sum(sizes[path] - then[path] for path in sizes) // CHARACTERS_A_TOKEN
        tokens[agent.layout, agent.name] = max(agent.tokens - less, 0)
    return tokens


def _grown_since(
    since: date, changes: tuple[Before, ...], root: Path, found: Sequence[Agent]
) -> tuple[Grown, ...]:
    now = _files(root, found)
    sizes = {root / name: tokens * CHARACTERS_A_TOKEN for name, tokens in now.items()}
    then = bytes_on(since, changes, sizes)
    before = {name: then[root / name] // CHARACTERS_A_TOKEN for name in now}
    return _grown(before, now)


_CHANGES: Final = 500
"""Changes that are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Before:
    """How long a file was until a change."""

    time: datetime
    path: Path
    bytes: int


def sizes_before(journal: Journal, root: Path) -> tuple[Before, ...]:
    """Return what files at a root were before they changed, oldest change first."""
    if not journal.exists:
        return ()
    try:
        return tuple(sorted(_all(journal, root), key=lambda each: each.time))
    except RememError:
        return ()  # a journal that cannot be read is told of elsewhere, and tells nothing here


def bytes_on(day: date, changes: tuple[Before, ...], now: Mapping[Path, int]) -> dict[Path, int]:
    """Return how long files were when a day ended.

    Args:
        day: The day.
        changes: What `sizes_before` returned.
        now: Path → bytes today.
    """
    sizes = dict(now)
    for each in reversed(changes):
        if each.time.date() <= day:
            break
        if each.path in sizes:
            sizes[each.path] = each.bytes
    return sizes


def _all(journal: Journal, root: Path) -> Iterator[Before]:
    for outside in journal.outside(root, _CHANGES):
        if outside.step is not None:
            yield from _of(outside.step, outside.time)
    for logged in journal.changes(root, _CHANGES):
        if not logged.pruned and not logged.undone:
            for step in journal.steps(logged.id):
                yield from _of(step, logged.time)


def _of(step: Step, time: datetime) -> Iterator[Before]:
    match step:
        case Edited(path=path, size=size):
            yield Before(time, path, size)
        case Made(path=path):
            yield Before(time, path, 0)
        case Removed(path=path, data=data):
            yield Before(time, path, len(data))
        case _:
            return
