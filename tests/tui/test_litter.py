"""Nothing that the screens let go of waits for the garbage collector."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.bench.workspaces import project
from tests.tui.journey import Journey
from textual.dom import DOMNode
from textual.strip import Strip

from remem.core.session import Session
from remem.core.settings import Places
from remem.edit.yaml_read import compose
from remem.tui.app import RememApp
from remem.tui.screens.help import HelpScreen

pytestmark = pytest.mark.slow

ENTRIES = 400
TIMES = 4
SLOW = pytest.mark.slow


class Watched(NamedTuple):
    journey: Journey
    bench: Session
    store: Path

    async def write(self, number: int) -> None:
        with self.store.open("a") as file:
            file.write(f"  - id: conv-x{number}\n    rule: Late rule {number} of the harbour\n")
        await asyncio.to_thread(self.bench.take_in, {self.store})
        await self.journey.rest()


@asynccontextmanager
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    root = project(tmp_path / "harbour", ENTRIES)
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    app = RememApp(bench)
    async with app.run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).rest()
        yield Watched(journey, bench, root / ".sniper/memory/conventions.yaml")
    bench.close()


async def press(journey: Journey, *keys: str) -> None:
    for key in keys:
        await journey.pilot.press(key)
        await journey.rest()


@contextmanager
def litter() -> Iterator[Counter[type]]:
    """Count what only the collector finds of what came and was let go of in the block.

    What earlier tests left in memos, and these let go of meanwhile, is none of it.
    """
    found: Counter[type] = Counter()
    often = gc.get_threshold()
    gc.unfreeze()
    gc.collect()
    earlier = {id(each) for each in gc.get_objects()}
    gc.set_threshold(0)
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.unfreeze()
        gc.collect()
        found.update(type(each) for each in gc.garbage if id(each) not in earlier)
    finally:
        gc.set_debug(0)
        gc.set_threshold(*often)
        gc.garbage.clear()
        gc.collect()


def ours(found: Counter[type]) -> dict[str, int]:
    return {kind.__name__: n for kind, n in found.items() if kind.__module__.startswith("remem.")}


@pytest.mark.parametrize("screen", ["2", *(pytest.param(each, marks=SLOW) for each in "134567")])
async def test_a_change_leaves_nothing_of_ours_and_no_line_of_the_screen_as_garbage(
    tmp_path: Path, screen: str
) -> None:
    async with watched(tmp_path) as seen:
        await press(seen.journey, screen)
        await seen.write(0)
        with litter() as found:
            for number in range(1, TIMES + 1):
                await seen.write(number)

    assert ours(found) == {}
    assert found[Strip] + found[DOMNode] == 0


async def test_keys_and_other_screens_leave_nothing_of_ours_and_no_line_as_garbage(
    tmp_path: Path,
) -> None:
    keys = (*"jkjk", "pagedown", "tab", *"3j1j2", "slash", "escape")
    async with watched(tmp_path) as (journey, *_):
        await press(journey, *"1232", "j", "pagedown")
        with litter() as found:
            await press(journey, *keys)

    assert ours(found) == {}
    assert found[Strip] + found[DOMNode] == 0


async def test_an_overlay_that_was_closed_leaves_itself_what_it_showed_and_nothing_else_of_ours(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path) as (journey, *_):
        await press(journey, "question_mark", "escape", "2", "j")
        with litter() as found:
            for _ in range(TIMES):
                await press(journey, "question_mark", "escape")

    assert set(ours(found)) <= {
        "HelpScreen",
        "_HelpLine",
        "Offer",
        "TextView",
        "_Styles",
        "TextLine",
        "Span",
    }
    assert found[HelpScreen] <= TIMES


def test_yaml_that_was_read_by_ruamel_leaves_no_garbage() -> None:
    compose(b"rule: {a: [1, 2]}\n")
    with litter() as found:
        compose(b"rule: {a: [1, 2]}\n")

    # Screens of tests before this one may go only now.
    made = ("ruamel.", "remem.edit.yaml_events")
    assert not [kind for kind in found if kind.__module__.startswith(made)]
