"""A repository with a few verified memories, and the ways in which its code moves on."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.code_files import repository

from remem.base.clock import Clock
from remem.code.citations import filled
from remem.code.worktree import Worktree
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Change, RowEdit
from remem.model.citation import Citation
from remem.store.io import Disk
from remem.systems.facts.database.memory_store import MemoryStore
from remem.systems.facts.records import NOBODY, Actor, Correction, Memory, NewMemory, Stored
from remem.systems.facts.write_facts import Writing

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
Cited = Sequence[tuple[str, int, int]]


SECONDS = count(1)


class Keeping(MemoryStore):
    """A store with the verbs that write, without a history."""

    @property
    def _writing(self) -> Writing:
        return Writing(self, lambda change: self.write(rows_of(change)))

    def store(self, new: NewMemory, actor: Actor = NOBODY) -> Stored:
        return self._writing.store(new, actor)

    def refresh(self, memory: str, *given: Any, **more: Any) -> Memory:
        return self._writing.refresh(self.held(memory), *given, **more)

    def invalidate(self, memory: str, *given: Any, **more: Any) -> Memory:
        return self._writing.invalidate(self.held(memory), *given, **more)

    def supersede(self, memory: str, *given: Any, **more: Any) -> str:
        return self._writing.supersede(self.held(memory), Correction(*given, **more))


def rows_of(change: Change) -> tuple[RowEdit, ...]:
    """Return the edits of a change of rows."""
    return tuple(each for each in change.effects if isinstance(each, RowEdit))


def ticking() -> Clock:
    """Return a clock that goes on by a second with every look, and numbers its names."""
    return Clock(lambda: NOW + timedelta(seconds=next(SECONDS)), lambda: f"{next(SECONDS):032x}")


def store(
    top: Path, subject: str, fact: str, cited: Cited, *, repo: str = "", why: str = ""
) -> str:
    """Keep a memory as an agent does, and return its id."""
    kept = Keeping.open(top / ".remem" / "memory.db", clock=ticking())
    try:
        citations = filled([Citation(*each) for each in cited], Worktree(Disk(), top))
        new = NewMemory(repo or top.name, subject, fact, citations, why or None, "Robin")
        return kept.store(new).id
    finally:
        kept.close()


@cache
def _made() -> Path:
    """Make the repository once; who wants one gets a copy."""
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    top = repository(folder / "shop")
    store(
        top,
        "Version constants",
        "The API version stands in two files that change together.",
        [("src/version.py", 3, 3), ("src/client.ts", 2, 2)],
        why="Clients break when they differ.",
    )
    store(top, "Calls", "Every call goes through one function.", [("src/client.ts", 3, 5)])
    store(top, "Speaking", "The version is asked for, never copied.", [("src/version.py", 6, 7)])
    return top


def shop(folder: Path) -> Path:
    """Return a repository called `shop` with three memories."""
    return shutil.copytree(_made(), folder / "shop")


def opened(top: Path) -> Session:
    """Open it as the command line does."""
    places = Places.of(top.parent / "home")
    return Session.open(top, places, door="cli", clock=ticking())


def push_down(path: Path, lines: int = 2) -> None:
    """Put lines above all others of a file."""
    path.write_text("// new\n" * lines + path.read_text())


def change(path: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
