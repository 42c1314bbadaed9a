"""Draws the screens of the demo as SVG, the same bytes each time.

Fixed clock and ids, a demo in a temporary folder, no path, version or time on the screen. It
writes nothing but the pictures.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count as counting
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from remem.base.clock import Clock
from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_crew, build_demo, home_of
from remem.model.change import Intent
from remem.store.cache_file import put
from remem.store.io import Disk
from remem.tui.app import RememApp
from remem.tui.verbs import ORDER, TEAM
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.tree_list import TreeList

NOW: Final = datetime(2026, 5, 6, 9, 30, tzinfo=UTC)
"""The day after the demo's last lesson."""
WIDE: Final = (120, 36)
SMALL: Final = (80, 24)
_QUIET: Final = 4
"""Pauses in a row in which no worker is seen."""
_UNIQUE: Final = re.compile(r"terminal-\d+")
_FETCHED: Final = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: a screen, its size, and what is done on it first."""

    mode: str
    size: tuple[int, int] = WIDE
    build: Callable[[Path], Path] | None = None
    """Makes another folder of the demo and returns it; `None` = the demo's project."""
    prepare: Callable[[Session, Path], None] | None = None
    pose: Callable[[RememApp, Pilot[Any]], Awaitable[None]] | None = None


def still_clock() -> Clock:
    """Return a clock that stands still and counts its ids."""
    numbers = counting(1)
    return Clock(now=lambda: NOW, new_id=lambda: f"{next(numbers):032x}")


def take(folder: Path, names: Sequence[str] = ()) -> tuple[Path, ...]:
    """Draw screens into a folder and return the pictures' paths.

    Args:
        folder: Made if it is missing.
        names: Those of `SHOTS`; empty = all.

    Raises:
        NotPossible: There is no such screen.
    """
    disk = Disk()
    pictures = draw(names)
    found = {folder / f"{name}.svg": data for name, data in pictures.items()}
    for path, data in found.items():
        put(disk, path, data)
    return tuple(found)


def draw(names: Sequence[str] = ()) -> Mapping[str, bytes]:
    """Return the pictures by name, as `take` writes them."""
    unknown = [name for name in names if name not in SHOTS]
    if unknown:
        known = ", ".join(f"`{name}`" for name in SHOTS)
        raise NotPossible(f"no screen is called `{unknown[0]}`", hint=f"choose from {known}")
    with _still_terminal(), TemporaryDirectory(prefix="remem-shots-") as folder:
        return {
            name: asyncio.run(_draw(shot, Path(folder) / name))
            for name, shot in SHOTS.items()
            if not names or name in names
        }


def demo_bench(folder: Path, build: Callable[[Path], Path] | None = None) -> Session:
    """Build a demo in `folder` and return a session on it in which nothing moves."""
    project = build_demo(folder, still_clock())
    home = home_of(project)
    project = build(folder) if build is not None else project
    session = Session.open(project, Places.of(home), door="tui", clock=still_clock())
    session.load_counter()
    for _ in session.library.complete():
        pass
    return session


async def at_rest(app: RememApp, pilot: Pilot[Any]) -> None:
    """Wait until nothing has been under way for a while but the watching.

    What a thread posts begins the next thread only after a message or two.
    """
    quiet = 0
    while quiet < _QUIET:
        await pilot.pause()
        busy = [each for each in app.workers if each.group != "watch" and not each.is_finished]
        quiet = 0 if busy or app.is_about_to_begin else quiet + 1
        for worker in busy:
            with suppress(WorkerCancelled):
                await worker.wait()


async def _draw(shot: Shot, folder: Path) -> bytes:
    session = demo_bench(folder, shot.build)
    if shot.prepare is not None:
        shot.prepare(session, folder)
    app = RememApp(session, start=shot.mode)
    async with app.run_test(size=shot.size) as pilot:
        await at_rest(app, pilot)
        if shot.pose is not None:
            await shot.pose(app, pilot)
            await at_rest(app, pilot)
        svg = app.export_screenshot(title="remem")
    # Textual names the picture's parts after a checksum; a diff should show what is drawn. The
    # fonts that it would fetch from elsewhere give way to what the reader's machine has.
    return _UNIQUE.sub("terminal", _FETCHED.sub("", svg)).encode()


@contextmanager
def _still_terminal() -> Iterator[None]:
    """Take away what would show in the pictures, and bring it back: colours, who draws them."""
    before = dict(os.environ)
    for name in before:
        if name == "NO_COLOR" or name.startswith("TEXTUAL"):
            del os.environ[name]
    os.environ.update(
        LOGNAME="somebody", GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull
    )
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _some_changes(session: Session, folder: Path) -> None:
    """Decide on a few things, so that there is a history."""
    waiting = list(session.library.waiting())[:3]
    for entry in waiting[:2]:
        session.apply(session.intend("approve", [entry], acknowledged=True))
    session.apply(session.intend("reject", waiting[2:], reason="too specific"))
    session.apply(Intent("persona.rename", {}, {"persona": "Tomasz", "to": "Teodor"}))
    session.undo()


async def _on_a_persona(app: RememApp, pilot: Pilot[Any]) -> None:
    """Put the cursor on a section of a persona's file."""
    tree = app.screen.query_one(TreeList)
    tree.focus()
    await pilot.pause()
    for index in range(len(tree.rows)):
        match tree.rows.key(index):
            case ("section", _, str(name)) if "Board" in name or "Layout" in name:
                tree.move_to(tree.rows.key(index))
                return
            case _:
                pass


async def _for_a_role(app: RememApp, pilot: Pilot[Any]) -> None:
    app.desk.choose(None, "backend-engineer")
    app.agent_chosen()
    await pilot.pause()


async def _on_a_likeness(app: RememApp, pilot: Pilot[Any]) -> None:
    """Put the cursor on a finding that says nearly what an entry says."""
    near = [item for item in app.desk.items() if item.suggested == "merge"]
    if near:
        app.screen.query_one("#queue", LineList).move_to(near[0].id)
    await pilot.pause()


async def _one_down(app: RememApp, pilot: Pilot[Any]) -> None:
    app.screen.query_one(".pane-list", LineList).action_move_down()
    await pilot.pause()


async def _on_the_team(app: RememApp, pilot: Pilot[Any]) -> None:
    """Switch to the team, the most tokens first, and mark two of it."""
    await pilot.press(TEAM.key)
    await at_rest(app, pilot)
    await pilot.press(ORDER.key, "enter")
    await at_rest(app, pilot)
    await pilot.press("space", "space", "g")


async def _after_an_agent_wrote(app: RememApp, pilot: Pilot[Any]) -> None:
    """Let an agent change its memory after it was looked at, and go to what it added."""
    disk, path = Disk(), app.session.root / ".squad/agents/dunlin/history.md"
    lines = disk.read(path).splitlines(keepends=True)
    bullets = [place for place, line in enumerate(lines) if line.startswith(b"- ")]
    lines[bullets[0]] = lines[bullets[0]].rstrip() + b" Checked twice.\n"
    kept = [line for place, line in enumerate(lines) if place not in bullets[1:3]]
    note = b"Ferry times come from the harbour board, never from the printed table."
    put(disk, path, b"".join((*kept, b"- %s\n" % note)))
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    await asyncio.to_thread(app.session.refresh, {path})
    await at_rest(app, pilot)
    written = next(item for item in app.desk.items() if item.title == note.decode())
    app.screen.query_one("#queue", LineList).move_to(written.id)
    await pilot.pause()


SHOTS: Final[Mapping[str, Shot]] = {
    "start": Shot("start"),
    "browse": Shot("browse", (140, 40), pose=_on_a_persona),
    "review": Shot("review", (140, 40), pose=_on_a_likeness),
    "inbox": Shot("review", (140, 40), pose=_after_an_agent_wrote),
    "team": Shot("start", build=build_crew, pose=_on_the_team),
    "review-80x24": Shot("review", SMALL, pose=_on_a_likeness),
    "prompt": Shot("prompt", pose=_for_a_role),
    "history": Shot("history", prepare=_some_changes, pose=_one_down),
    "health": Shot("health"),
}
"""Every picture of `screenshots/`, by the name of its file."""
