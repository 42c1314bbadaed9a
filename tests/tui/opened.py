"""Opens the demo in a folder of the test's own, with a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from tests.demo_files import demo_at
from tests.tui.journey import Journey, until

from remem.base.clock import Clock
from remem.cli.typed_commands import typed_commands
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_crew, build_demo, home_of
from remem.tui.app import RememApp
from remem.tui.widgets.line_list import LineList

MEMORY = ".sniper/memory"


class HeadlessApp(RememApp):
    """Without a terminal there is nothing to hand over to an editor."""

    def suspend(self) -> Any:
        return nullcontext()


@dataclass
class Opened:
    """A person in front of the demo."""

    journey: Journey
    bench: Session
    app: RememApp

    def read(self, path: str) -> bytes:
        return (self.bench.root / path).read_bytes()

    @property
    def cursor(self) -> Any:
        row = self.journey.pilot.app.screen.query_one(".pane-list", LineList).row
        return row.key if row is not None else None

    async def write(self, path: str, edit: Callable[[bytes], bytes]) -> None:
        """Write as an agent does, and let the screen hear of it."""
        file = self.bench.root / path
        file.write_bytes(edit(file.read_bytes()))
        await asyncio.to_thread(self.bench.refresh, {file})

    async def go_to(self, title: str) -> None:
        """Put the cursor of the queue on an item."""
        item = next(item for item in self.bench.queue() if title in item.title)
        queue = self.journey.pilot.app.screen.query_one(".pane-list", LineList)
        await until(lambda: queue.move_to(item.id))
        await self.journey.rest()


@asynccontextmanager
async def opened(
    tmp_path: Path,
    *,
    start: str = "review",
    size: tuple[int, int] = (120, 36),
    settings: str = "",
    prepare: Callable[[Path], None] = lambda project: None,
    crew: bool = False,
    night: bool = False,
    shell: bool = False,
) -> AsyncIterator[Opened]:
    """Open the demo on a screen and wait until everything is counted.

    Args:
        tmp_path: Where it is built.
        start: The screen.
        size: Of the terminal.
        settings: The person's configuration.
        prepare: Is given the project before it is opened.
        crew: The repository with the team of thirty instead.
        shell: The palette has the commands of the shell besides.
        night: Its agents wrote overnight, as they do for `remem demo`.
    """
    numbers = count(1)
    clock = Clock(lambda: datetime(2026, 5, 4, 9, 30, tzinfo=UTC), lambda: f"{next(numbers):016x}")
    at = tmp_path / "demo"
    project = build_demo(at, clock, night=True) if night else demo_at(at)
    if crew:
        project = build_crew(at)
    prepare(project)
    places = Places.of(home_of(project))
    if settings:
        places.config.mkdir(parents=True)
        (places.config / "config.yaml").write_text(settings)
    bench = Session.open(project, places, door="tui", clock=clock)
    # A second goes by between two looks at the clock: every key was let go before the next one.
    commands = typed_commands if shell else None
    app = HeadlessApp(bench, start=start, seconds=count(1.0).__next__, commands=commands)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Opened(await Journey(pilot).rest(), bench, app)
    bench.close()
