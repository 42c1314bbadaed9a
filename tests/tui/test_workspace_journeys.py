"""A person works on all repositories at once, and in one that inherits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.sniper_files import CONVENTIONS
from tests.tui.journey import Journey
from tests.tui.opened import HeadlessApp, Opened
from tests.workspace_files import SHARED, workspace

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import ADD, APPROVE
from remem.tui.verbs import AGENT, BROWSE, DOWN, HEALTH, NEXT_PANE, PROMPT, UNDO

SPACES = "Indent every source file of the service with four spaces"
NO_SPACES = "Do not indent every source file of the service with four spaces"


@asynccontextmanager
async def seated(
    tmp_path: Path, at: str = "", *, start: str = "browse", size: tuple[int, int] = (140, 36)
) -> AsyncIterator[Opened]:
    """Open a workspace of two repositories, or one of these, on a screen."""
    logs: dict[str, object] = {"rule": "Services log JSON", "applies_to": ["backend-engineer"]}
    own = {"rule": "Pages log text", "overrides": "conv-001"}
    root = workspace(
        tmp_path, [logs, SPACES], {"api": ["Consumers are idempotent", NO_SPACES], "web": [own]}
    )
    bench = Session.open(root / at, Places.of(tmp_path / "home"), door="tui")
    app = HeadlessApp(bench, start=start)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Opened(await Journey(pilot).rest(), bench, app)
    bench.close()


async def test_one_tree_holds_what_is_shared_and_every_repository(tmp_path: Path) -> None:
    async with seated(tmp_path) as desk:
        desk.journey.sees("workspace", "api", "web", "Consumers are idempotent", "Pages log text")
        desk.journey.sees("overridden  in web: sniper:conv-001 overrides it")


@pytest.mark.slow
async def test_an_entry_is_added_where_the_cursor_is(tmp_path: Path) -> None:
    async with seated(tmp_path) as desk:
        await desk.journey.use(NEXT_PANE, NEXT_PANE)
        await desk.journey.use(*[DOWN] * 3)
        await desk.journey.use(ADD)
        await desk.journey.types("convention")
        await desk.journey.pilot.press("enter")
        await desk.journey.types("Ship small")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert b"Ship small" in desk.read(f"repositories/api/{CONVENTIONS}")
        assert b"Ship small" not in desk.read(SHARED)


async def test_one_key_settles_what_levels_disagree_on(tmp_path: Path) -> None:
    async with seated(tmp_path, start="review") as desk:
        desk.journey.sees("api · workspace", "Override", "Keep both", "workspace `")

        await desk.journey.use(APPROVE)

        stored = desk.read(f"repositories/api/{CONVENTIONS}")
        assert b'overrides: "workspace:conv-002"' in stored

        await desk.journey.use(UNDO)

        assert b"overrides" not in desk.read(f"repositories/api/{CONVENTIONS}")


@pytest.mark.slow
async def test_a_prompt_is_chosen_by_role_and_repository(tmp_path: Path) -> None:
    async with seated(tmp_path, start="prompt") as desk:
        await desk.journey.use(AGENT)
        desk.journey.sees("backend-engineer · api", "backend-engineer · web")
        await desk.journey.types("web")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        desk.journey.sees("backend-engineer · web · composed", "Pages log text", "overridden 1")
        desk.journey.sees_not("Consumers are idempotent")


async def test_inside_a_repository_what_it_inherits_is_shown(tmp_path: Path) -> None:
    async with seated(tmp_path, "repositories/web", size=(80, 24)) as desk:
        desk.journey.sees("Services log JSON", "Pages log text")
        desk.journey.sees_not("Consumers are idempotent")


@pytest.mark.slow
async def test_health_shows_both_texts_and_what_mends_it(tmp_path: Path) -> None:
    async with seated(tmp_path, "repositories/api") as desk:
        await desk.journey.use(BROWSE, HEALTH)

        desk.journey.sees("possible conflict with", "Override")


@pytest.mark.slow
async def test_a_change_of_the_workspace_reaches_a_repositorys_prompt(tmp_path: Path) -> None:
    async with seated(tmp_path, "repositories/api", start="prompt") as desk:
        file = tmp_path / "acme" / SHARED
        await desk.write(str(file), lambda data: data.replace(b"log JSON", b"log YAML"))
        await desk.journey.use(PROMPT)

        desk.journey.sees("Services log YAML")
