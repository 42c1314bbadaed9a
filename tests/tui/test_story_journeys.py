"""A person looks at what an agent gets for a story, writes it, and sees how sure an entry is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.shaktra_briefs import FILES, STORIES, check_of, put
from tests.tui.journey import Journey
from tests.tui.opened import HeadlessApp, Opened

from remem.core.session import Session
from remem.core.settings import Places
from remem.systems.shaktra.shaktra_verbs import BRIEF
from remem.tui.verbs import AGENT, APPLY_PLAN, HEALTH, LAST, PALETTE, UNDO, WHY
from remem.tui.widgets.text_view import TextView

BRIEFING = f"{STORIES}/ST-040/.briefing.yml"


@asynccontextmanager
async def shop(tmp_path: Path, start: str) -> AsyncIterator[Opened]:
    """Open a project that has nothing but Shaktra's memory."""
    root, home = tmp_path / "shop", tmp_path / "home"
    put(root, {**FILES, **check_of("ST-010", "reinforce", "reinforce")})
    home.mkdir()
    bench = Session.open(root, Places.of(home), door="tui")
    app = HeadlessApp(bench, start=start, seconds=count(1.0).__next__)
    async with app.run_test(size=(140, 50), notifications=True) as pilot:
        yield Opened(await Journey(pilot).rest(), bench, app)
    bench.close()


async def choose(desk: Opened, name: str) -> None:
    await desk.journey.use(AGENT)
    await desk.journey.types(name)
    await desk.journey.pilot.press("enter")
    await desk.journey.rest()


def text_of(desk: Opened) -> str:
    view = desk.journey.pilot.app.screen.query_one("#prompt", TextView)
    return "\n".join(line.text for line in view.lines)


@pytest.mark.slow
async def test_a_story_is_chosen_beside_a_role_and_shows_what_is_left_out(tmp_path: Path) -> None:
    async with shop(tmp_path, "prompt") as desk:
        await choose(desk, "quality")
        await choose(desk, "ST-040")

        desk.journey.sees("sw-quality · ST-040 · composed", "ST-040 has no briefing yet")
        inside, _, outside = text_of(desk).partition("entries out")
        assert "**AP-001** (P1)" in inside
        assert "**PR-001**" not in inside
        assert "its confidence is 0.32, below 0.4" in outside
        assert "it is for the workflow bugfix" in outside
        await desk.journey.use(LAST, WHY)
        desk.journey.sees("It is not in the prompt of `sw-quality`")

        await choose(desk, "sdm")
        desk.journey.sees("sdm · ST-040 · composed")
        await choose(desk, "no st")
        desk.journey.sees("sdm · composed").sees_not("ST-040")


@pytest.mark.slow
async def test_the_briefing_is_written_from_the_palette_or_by_its_key_after_its_plan(
    tmp_path: Path,
) -> None:
    async with shop(tmp_path, "prompt") as desk:
        await choose(desk, "ST-040")

        await desk.journey.use(PALETTE)
        await desk.journey.types("write b")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Brief ST-040 with 4 entries")
        await desk.journey.use(APPLY_PLAN)

        assert b"relevant_principles" in desk.read(BRIEFING)
        desk.journey.sees_not("has no briefing yet")
        await desk.journey.use(UNDO)
        assert not (desk.bench.root / BRIEFING).exists()
        await desk.journey.use(BRIEF)
        desk.journey.sees("Brief ST-040 with 4 entries")
        await desk.journey.use(APPLY_PLAN)
        assert b"relevant_principles" in desk.read(BRIEFING)


async def test_w_shows_the_ledger_with_what_if_and_health_what_is_nearly_archived(
    tmp_path: Path,
) -> None:
    async with shop(tmp_path, "browse") as desk:
        await desk.journey.use(WHY)

        desk.journey.sees("shaktra:PR-001  confidence", "0.6 → 0.68", "0.68 → 0.76", "ST-010")
        desk.journey.sees("one more contradiction takes it from", "stays active")
        await desk.journey.use(HEALTH)
        desk.journey.sees("shaktra:PR-003` is close to being archived", "F Archive")
