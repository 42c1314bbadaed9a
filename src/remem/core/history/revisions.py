"""A root as it stood at a commit, and what a branch does to memory.

The same systems read from git's objects instead of the disk. Nothing is checked out and nothing is
written. What git does not keep is as it is now: the home folder, ignored files, databases,
repositories that lie inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.commit_ranges import Ends, commit_before, commit_named, ends_of, repository_at
from remem.code.trees import Leaf, Objects, kept_outside, tree_of
from remem.core.history.memory_diff import AgentChange, Compared, EntryChange, compared
from remem.core.library import DATABASE, Library, stamps_of
from remem.core.prompt.counter import Counter
from remem.core.relation.alike_in_library import like_any, said_in_force
from remem.core.relation.normal_form import Alike
from remem.core.settings import Config, Places, read_config, settings_files
from remem.core.setup import ground_of
from remem.model.entry import Entry
from remem.model.prompt import Ask
from remem.store.replaced_folder import Held

_DAY: Final = re.compile(r"\s*\d{4}-\d{2}-\d{2}")
_NEAR: Final = {"today": 0, "yesterday": 1, "last week": 7, "last month": 30}
"""Words for a day → how many days ago it was."""
_AGO: Final = re.compile(r"(?P<many>\d{1,5}) (?P<span>day|week|month)s?(?: ago)?")
_SPANS: Final = {"day": 1, "week": 7, "month": 30}
_FAR: Final = 36_500
_LOGS: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")


class Revisions:
    """The past of one root, as git has it; what was read once is not read again."""

    def __init__(self, now: Library, places: Places) -> None:
        """Find the repository.

        Args:
            now: The newest snapshot; it says where the root lies and what time it is.
            places: Where the user's settings lie.

        Raises:
            NotPossible: The root lies in no repository.
        """
        self._now = now
        self._places = places
        self.top: Path = repository_at(now.ground.disk, now.ground.root)
        self._objects = Objects(self.top)
        self._opened: dict[str, tuple[Library, Config]] = {}
        self._last = now

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep the program that hands out bytes running meanwhile."""
        with self._objects:
            yield

    def ends(self, asked: str) -> Ends:
        """Return the ends of a range; raises `NotPossible` where there are none."""
        return ends_of(self.top, asked)

    def commit(self, asked: str) -> str:
        """Return the commit that a revision or a day stands for; raises `NotPossible`."""
        day = day_of(asked)
        if day is not None:
            return commit_before(self.top, day)
        try:
            return commit_named(self.top, asked)
        except NotPossible:
            day = day_in_words(asked, self._now.ground.given.clock.today())
            if day is None:
                raise
            return commit_before(self.top, day)

    def at(self, commit: str) -> tuple[Library, Config]:
        """Return the root as a commit has it, with the settings that it has there."""
        if commit not in self._opened:
            self._opened[commit] = self._open(commit)
        return self._opened[commit]

    def _open(self, commit: str) -> tuple[Library, Config]:
        ground = self._now.ground
        leaves = tree_of(self.top, commit)
        beside = [path for path, leaf in leaves.items() if _is_as_now(path, leaf)]
        things = {path: leaf for path, leaf in leaves.items() if not _is_as_now(path, leaf)}
        elsewhere = [*self._kept_outside, *beside, ".git"]
        disk = Held(ground.disk, self.top, things, self._objects.read, elsewhere)
        config, _ = read_config(disk, ground.root, self._places)
        given = (disk, ground.given.clock, ground.root, self._places, config)
        then = ground_of(*given, self._now.formats)
        # Facts are proved by the code that is checked out, as everything that git does not keep.
        kept = ground.given
        given_then = replace(then.given, prove=kept.prove, cache=kept.cache)
        ground = replace(then, given=given_then)
        # Of files that have the same bytes there, what was read of them is taken over.
        library = replace(self._last, ground=ground).refresh()
        self._last = library
        return library, config

    def beside(self, most: int) -> bytes | None:
        """Return what tells apart all that the past shares with the present.

        That is what git does not keep. `None` = it cannot be said: whether rows on a server changed
        is known once they are read.

        Args:
            most: Entries of a root for which prompts are composed; where the rows alone are more,
                nobody asks which of them hold, and they are not looked at for this.
        """
        ground, sources = self._now.ground, self._now.sources
        if ground.given.server is not None:
            return None
        outside = [self.top / name for name in self._kept_outside]
        user = settings_files(ground.root, self._places)["user"]
        parts: list[object] = [ground.root, ground.home, self.top, outside, ground.disk.stamp(user)]
        parts += [
            (source.path, source.layout, source.digest, ground.disk.stamp(source.path))
            for source in sources
            if not source.path.is_relative_to(self.top)
            or any(source.path.is_relative_to(each) for each in outside)
        ]
        databases = [source for source in sources if source.path.suffix == DATABASE]
        parts += [(each.path, stamps_of(ground.disk, each.path)) for each in databases]
        if sum(len(each.entries) for each in databases) <= most:
            parts += map(self._offered, dict.fromkeys(each.format for each in databases))
        return repr(parts).encode("utf-8", "surrogateescape")

    def _offered(self, system: str) -> list[str]:
        """Return what a system with rows puts into a prompt now.

        The rows are the same at every commit, but which of them hold is seen in the code that is
        checked out.
        """
        now = self._now
        offers = now.format(system).composer.offers(now.ground, now.of_format(system), Ask())
        return [piece.text for offer in offers for piece in offer.pieces]

    @cached_property
    def _kept_outside(self) -> tuple[str, ...]:
        return kept_outside(self._now.ground.disk, self.top)


def day_of(text: str) -> date | None:
    """Return the day that a text names: `2026-05-04`, with or without a time."""
    if not _DAY.match(text):
        return None
    try:
        return datetime.fromisoformat(text.strip()).date()
    except ValueError:
        return None


def day_in_words(text: str, today: date) -> date | None:
    """Return the day that words name: `yesterday`, `3 days ago`, `last week`; `None` = none."""
    words = " ".join(text.casefold().split())
    if words in _NEAR:
        return today - timedelta(days=_NEAR[words])
    match = _AGO.fullmatch(words)
    if match is None:
        return None
    return today - timedelta(days=min(int(match["many"]) * _SPANS[match["span"]], _FAR))


def _is_as_now(path: str, leaf: Leaf) -> bool:
    return leaf.kind == "module" or path.endswith(_LOGS)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two rules of which one is new or was changed, and that may say opposite things."""

    new: Entry
    other: Entry


@dataclass(frozen=True, slots=True)
class Branch:
    """Two states of one root, and what the later one brings."""

    states: Compared
    contradictions: tuple[Contradiction, ...]

    @property
    def entries(self) -> tuple[EntryChange, ...]:
        return self.states.entries

    @property
    def changed_agents(self) -> tuple[AgentChange, ...]:
        return tuple(agent for agent in self.states.agents if not agent.changes_nothing)

    @property
    def changes_nothing(self) -> bool:
        return not (self.entries or self.changed_agents)


def branch(
    before: Library, after: Library, counter: Counter, budgets: tuple[int, int] = (0, 0)
) -> Branch:
    """Compare two libraries; see `core/history/memory_diff.py` for the arguments."""
    states = compared(before, after, counter, budgets)
    return Branch(states, tuple(_contradictions(states)))


def _contradictions(states: Compared) -> Iterator[Contradiction]:
    """Yield each pair of which one text was not in force before."""
    if not states.entries:
        return
    was, now = said_in_force(states.before), said_in_force(states.after)
    for before, after in zip(was, now, strict=True):
        new = [form for form in after if form not in before]
        for one, other, likeness in like_any([*after], new):
            if likeness.alike is Alike.CONTRADICTION:
                yield Contradiction(after[one][0], after[other][0])
