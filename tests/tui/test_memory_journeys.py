"""A person with verified memory before them: what is cited is seen, what moved is put right."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.memory_files import change, push_down, shop, ticking
from tests.tui.journey import Journey, until
from tests.tui.opened import HeadlessApp

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import APPROVE, REJECT
from remem.model.entry import Status
from remem.model.prompt import Ask
from remem.tui.textual_private import screen_text
from remem.tui.verbs import APPLY_PLAN, BROWSE, DOWN, FIX, HEALTH, PROMPT, REVIEW, SUGGESTED, UNDO

"""Seconds in which a change on disk has to be seen."""


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return shop(tmp_path)


@asynccontextmanager
async def seated(
    top: Path, start: str = "review", size: tuple[int, int] = (140, 44)
) -> AsyncIterator[tuple[Journey, Session]]:
    bench = Session.open(top, Places.of(top.parent / "home"), door="tui", clock=ticking())
    app = HeadlessApp(bench, start=start, seconds=count(1.0).__next__)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield await Journey(pilot).rest(), bench
    bench.close()


async def test_a_memory_is_browsed_with_the_code_that_proves_it(top: Path) -> None:
    async with seated(top, start="browse") as (journey, _):
        journey.sees(
            "The API version stands in two files that change",
            "valid: every cited line is unchanged",
            "src/version.py:3  holds",
            "API_VERSION = 4",
            "export const API_VERSION = 4",
        )


async def test_a_fact_whose_lines_stand_can_be_called_wrong_where_it_is_browsed(top: Path) -> None:
    async with seated(top, start="browse") as (journey, bench):
        before = bench.library
        journey.sees("r Invalidate", "valid: every cited line is unchanged")

        await journey.use(REJECT)
        await journey.reason("4")
        journey.sees("invalid")
        gone = [each.status for each in bench.library.entries()]
        assert "two files" not in bench.compose(Ask(role="reviewer")).text
        (await journey.use(UNDO)).sees("Undone")

        assert gone.count(Status.INVALID) == 1
        assert [each.status for each in bench.library.entries()] == [
            each.status for each in before.entries()
        ]


@pytest.mark.slow
async def test_what_moved_is_put_right_by_one_key_undone_and_put_right_at_once(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    async with seated(top) as (journey, bench):
        journey.sees("a Re-anchor", "r Invalidate", "its cited lines moved")

        await journey.use(APPROVE)
        journey.sees("1/2 decided", 'Re-anchored "')
        (await journey.use(UNDO)).sees("Undone")
        (await journey.use(SUGGESTED)).sees("Re-anchor (2)")
        await journey.use(APPLY_PLAN)

        assert bench.queue() == ()
        await journey.use(BROWSE, DOWN, DOWN, DOWN)
        journey.sees("versions", "superseded  ", "→ ")


async def test_a_changed_line_shows_both_texts_and_obeys_neither(top: Path) -> None:
    """What agents write into code is as hostile as what they write into memory."""
    evil = "API_VERSION = 5  # \x1b]0;owned\x07\u202e"
    change(top / "src" / "version.py", "API_VERSION = 4", evil)
    async with seated(top) as (journey, bench):
        journey.sees("a Supersede", "- API_VERSION = 4", "+ API_VERSION = 5", "⟦U+202E⟧")
        assert not {"\x1b", "\u202e"} & set(screen_text(journey.pilot.app))

        await journey.use(REJECT)
        await journey.reason("4")

        assert bench.queue() == ()
        assert "two files" not in bench.compose(Ask(role="reviewer")).text


async def test_the_prompt_says_why_a_memory_is_out(top: Path) -> None:
    change(top / "src" / "version.py", "API_VERSION = 4", "API_VERSION = 5")
    (top / ".claude" / "agents").mkdir(parents=True)
    (top / ".claude" / "agents" / "reviewer.md").write_text(
        "---\nname: reviewer\ndescription: d\n---\nReview.\n"
    )
    async with seated(top, start="prompt") as (journey, _):
        await journey.use(PROMPT)

        journey.sees("Repository Memories", "Every call goes", "1 entry out", "`src/version.py:")


async def test_code_that_moves_is_seen_in_health_at_once_and_mended_there(top: Path) -> None:
    async with seated(top, start="health") as (journey, bench):
        journey.sees("no problems found")

        push_down(top / "src" / "client.ts")
        told = "`Calls`: src/client.ts:3-5 moved to line 5"
        await until(lambda: told in screen_text(journey.pilot.app))

        await journey.rest()
        await journey.use(FIX)
        await journey.use(APPLY_PLAN)
        assert len(bench.queue()) == 1


async def test_a_small_screen_shows_it_too(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    async with seated(top, size=(80, 24)) as (journey, _):
        journey.sees("The API version stands")
        await journey.use(HEALTH)
        journey.sees("Version constants")
        await journey.use(REVIEW)
        journey.sees("0/2")
