"""What an agent wrote against another agent's lesson is settled on its card, by keys alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import count
from pathlib import Path

import pytest
from tests.tui.journey import Journey
from tests.tui.opened import HeadlessApp, Opened
from tests.workspace_files import files

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import KEEP_BOTH, MERGE, SUPERSEDE
from remem.tui.verbs import APPLY_PLAN, UNDO

RULE = "Rebase feature branches before a merge"
AGAINST = "Never rebase feature branches before a merge"
ANN, BOB = (f".claude/agent-memory/{name}/MEMORY.md" for name in ("ann", "bob"))


@asynccontextmanager
async def opposed(tmp_path: Path, size: tuple[int, int]) -> AsyncIterator[Opened]:
    """Open on what an agent noted since a person looked, against the lesson of another agent."""
    about = "---\nname: {0}\ndescription: works\nmemory: project\n---\nWork.\n"
    root = files(
        tmp_path / "shop",
        {
            **{f".claude/agents/{name}.md": about.format(name) for name in ("ann", "bob")},
            ANN: f"# Memory\n\n- {RULE}\n",
            BOB: "# Memory\n\n- Names are short\n",
        },
    )
    with closing(Session.open(root, Places.of(tmp_path / "home"), door="tui")) as bench:
        app = HeadlessApp(bench, start="review", seconds=count(1.0).__next__)
        async with app.run_test(size=size, notifications=True) as pilot:
            desk = Opened(await Journey(pilot).rest(), bench, app)
            await desk.write(BOB, lambda data: data + f"- {AGAINST}\n".encode())
            await desk.journey.rest()
            await desk.go_to(AGAINST)
            yield desk


@pytest.mark.slow
async def test_its_card_says_why_and_offers_what_settles_it_and_no_merge(tmp_path: Path) -> None:
    async with opposed(tmp_path, (120, 36)) as desk:
        desk.journey.sees("possible conflict with `persona:ann", "one rejects what", RULE)
        desk.journey.sees("S Supersede · b Keep both")
        desk.journey.sees_not("m Merge", "l Limit scope")

        await desk.journey.use(MERGE)

        desk.journey.sees("what conflicts is never merged")


async def test_both_are_kept_with_a_reason(tmp_path: Path) -> None:
    async with opposed(tmp_path, (80, 24)) as desk:
        before = desk.read(BOB)

        await desk.journey.use(KEEP_BOTH)
        await desk.journey.reason("1")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)

        assert desk.bench.queue() == ()
        assert desk.read(BOB) == before
        await desk.journey.use(UNDO)
        assert [each.title for each in desk.bench.queue()] == [AGAINST]


async def test_it_takes_the_place_of_the_other_after_its_plan(tmp_path: Path) -> None:
    async with opposed(tmp_path, (80, 24)) as desk:
        before = desk.read(ANN)

        await desk.journey.use(SUPERSEDE)
        desk.journey.sees('Supersede "Rebase feature branches')
        await desk.journey.use(APPLY_PLAN)

        assert RULE.encode() not in desk.read(ANN)
        assert AGAINST.encode() in desk.read(BOB)
        await desk.journey.use(UNDO)
        assert desk.read(ANN) == before
