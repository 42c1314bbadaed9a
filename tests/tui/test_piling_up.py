"""Others write faster than the screens read: nothing piles up, and something is always shown."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event, Lock
from typing import Any, ClassVar
from weakref import ref

import pytest
from tests.sniper_files import CONVENTIONS, project
from tests.tui.journey import Journey, until

from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.tui.app import LEFT_TO_SCREENS, RememApp, six_screens
from remem.tui.latest_only import InTurn
from remem.tui.screens.browse import BrowseScreen
from remem.views.entries.entry_list import SOON

pytestmark = pytest.mark.slow

CHANGES = 12
HELD = 6
"""Snapshots that may be there at a time: the shown and the newest, and what still compares them."""


class Waiting(BrowseScreen):
    """Gathers nothing before it is let."""

    may: ClassVar[Event]
    begun: ClassVar[int]
    at_work: ClassVar[int]
    most: ClassVar[int]
    counting: ClassVar[Lock]

    def load(self) -> Any:
        kind = type(self)
        with kind.counting:
            kind.begun += 1
            kind.at_work += 1
            kind.most = max(kind.most, kind.at_work)
        kind.may.wait(60)
        with kind.counting:
            kind.at_work -= 1
        return super().load()


@pytest.fixture(autouse=True)
def _nothing_waits() -> None:
    Waiting.may, Waiting.counting = Event(), Lock()
    Waiting.begun = Waiting.at_work = Waiting.most = 0
    Waiting.may.set()


def bench_of(tmp_path: Path, many: int = 30) -> Session:
    rules = (f"  - id: conv-{n:04d}\n    rule: Case {n} keeps its lamp lit\n" for n in range(many))
    files = {CONVENTIONS: f"conventions:\n{''.join(rules)}".encode()}
    return Session.open(
        project(tmp_path, files).ground.root, Places.of(tmp_path / "home"), door="tui"
    )


@asynccontextmanager
async def running(
    tmp_path: Path, start: str = "browse", *, many: int = 30, waits: bool = False
) -> AsyncIterator[tuple[RememApp, Session, Journey]]:
    """Run the app on many entries; with `waits`, Browse gathers only when it is let."""
    bench = bench_of(tmp_path, many)
    screens = {**six_screens(), "browse": Waiting} if waits else six_screens()
    app = RememApp(bench, screens, start=start)
    async with app.run_test(size=(120, 36)) as pilot:
        yield app, bench, await Journey(pilot).rest()
    bench.close()


def write(bench: Session, number: int) -> Path:
    file = bench.root / CONVENTIONS
    late = f"  - id: x-{number}\n    rule: Late lamp {number}\n"
    file.write_bytes(file.read_bytes() + late.encode())
    return file


async def test_changes_that_come_while_a_screen_gathers_are_gathered_once_after_it(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, waits=True) as (app, bench, journey):
        Waiting.may.clear()
        Waiting.begun = Waiting.most = 0
        for number in range(CHANGES):
            await asyncio.to_thread(bench.take_in, {write(bench, number)})
            await journey.pilot.pause()
        Waiting.may.set()
        await journey.rest()

        assert Waiting.most == 1
        assert Waiting.begun < CHANGES / 2
        assert app.screen._shown == bench.library.number  # type: ignore[attr-defined]


async def test_what_was_gathered_is_shown_though_something_newer_is_there_by_then(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, waits=True) as (app, bench, journey):
        shown: list[int] = []
        show = app.screen._show  # type: ignore[attr-defined]

        def noted(number: int, data: Any, *, own: bool) -> None:
            shown.append(number)
            show(number, data, own=own)

        app.screen._show = noted  # type: ignore[attr-defined]
        Waiting.may.clear()
        Waiting.begun = 0
        await asyncio.to_thread(bench.take_in, {write(bench, 0)})
        await until(lambda: Waiting.at_work == 1)
        await asyncio.to_thread(bench.take_in, {write(bench, 1)})
        second = bench.library.number
        await journey.pilot.pause()
        Waiting.may.set()
        await journey.rest()

        assert shown[0] < second <= shown[-1]


async def test_an_app_that_is_busy_holds_no_snapshot_but_the_newest(tmp_path: Path) -> None:
    async with running(tmp_path) as (app, bench, journey):
        # In the app's own thread, which hears nothing meanwhile.
        made = [ref(bench.refresh({write(bench, number)})) for number in range(2 * CHANGES)]
        last = bench.library.number
        gc.collect()

        assert sum(library() is not None for library in made) <= HELD
        await journey.rest()
        assert app.screen._shown >= last  # type: ignore[attr-defined]


async def test_old_snapshots_of_a_long_list_go_without_the_collector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ref[Library]] = []
    async with running(tmp_path, many=SOON + 1) as (app, bench, journey):
        await until(lambda: app.is_read)
        gc.collect()
        monkeypatch.setattr(gc, "enable", lambda: None)
        gc.disable()
        for number in range(2 * CHANGES):
            library = await asyncio.to_thread(bench.refresh, {write(bench, number)})
            made.append(ref(library))
            del library
            await journey.rest()
        alive = sum(library() is not None for library in made)
        monkeypatch.undo()
        gc.enable()

    assert alive <= HELD


async def test_what_others_wrote_is_looked_after_though_no_screen_comes_to_show_it(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, waits=True) as (_, bench, journey):
        Waiting.may.clear()
        for number in range(CHANGES):
            before = bench.library.number
            write(bench, number)
            await until(lambda before=before: bench.library.number > before)  # type: ignore[misc]

        await until(lambda: bench.unfollowed <= LEFT_TO_SCREENS)
        assert bench.past.outside()
        Waiting.may.set()
        await journey.rest()


async def test_a_screen_that_takes_long_to_read_lets_keys_through_meanwhile(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, "start", waits=True) as (app, _, journey):
        Waiting.may.clear()
        app.go_to_mode("browse")
        await until(lambda: Waiting.at_work == 1)
        heard = asyncio.Event()
        app.call_later(heard.set)

        await asyncio.wait_for(heard.wait(), 30)

        assert Waiting.at_work == 1
        Waiting.may.set()
        await until(lambda: Waiting.at_work == 0)
        await journey.rest()
        await until(lambda: app.screen._shown > 0)  # type: ignore[attr-defined]
        journey.sees("Case 2 keeps its lamp lit")


def test_work_that_is_asked_for_meanwhile_is_done_once_more_and_never_beside_itself() -> None:
    turn = InTurn()
    done: list[int] = []
    begun: list[bool] = []

    def work() -> None:
        done.append(1)
        if len(done) == 1:
            begun.extend(turn.ask() for _ in range(5))

    assert turn.ask()
    turn.run(work)

    assert len(done) == 2
    assert begun == [False] * 5
    assert turn.ask()


def test_work_that_failed_is_begun_anew_when_it_is_asked_for_again() -> None:
    turn = InTurn()
    assert turn.ask()

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        turn.run(fail)

    assert turn.ask()
