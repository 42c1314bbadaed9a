"""A person works on all repositories at once, and in one that inherits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import count
from pathlib import Path

import pytest
from tests.sniper_files import CONVENTIONS
from tests.tui.journey import Journey
from tests.tui.opened import HeadlessApp, Opened
from tests.workspace_files import SHARED, workspace

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import ADD, APPROVE, KEEP_BOTH, MERGE, SCOPE, SUPERSEDE
from remem.model.entry import Status
from remem.tui.verbs import AGENT, APPLY_PLAN, BROWSE, DOWN, HEALTH, NEXT_PANE, PROMPT, UNDO

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@asynccontextmanager
async def doubting(tmp_path: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Opened]:
    """Open a repository whose one candidate says the opposite of what all repositories share."""
    waits = {"rule": NO_SPACES, "status": "candidate"}
    root = workspace(tmp_path, [SPACES], {"api": [waits]})
    api = root / "repositories" / "api"
    with closing(Session.open(api, Places.of(tmp_path / "home"), door="tui")) as bench:
        app = HeadlessApp(bench, start="review", seconds=count(1.0).__next__)
        async with app.run_test(size=size, notifications=True) as pilot:
            desk = Opened(await Journey(pilot).rest(), bench, app)
            await desk.go_to(NO_SPACES)
            yield desk


async def test_a_rule_of_one_repository_is_kept_beside_what_all_share(tmp_path: Path) -> None:
    async with doubting(tmp_path) as desk:
        before = desk.read(CONVENTIONS)
        desk.journey.sees("possible conflict with", "l Limit scope · b Keep both")
        desk.journey.sees_not("S Supersede")
        await desk.journey.use(SUPERSEDE)
        desk.journey.sees("active in other repositories too")

        await desk.journey.use(KEEP_BOTH)
        await desk.journey.types("this one is generated")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("Keep sniper:conv-001 beside workspace:conv-001")
        await desk.journey.use(APPLY_PLAN)

        assert desk.bench.library.resolve("sniper:conv-001").status is Status.ACTIVE
        assert not [each for each in desk.bench.queue() if NO_SPACES in each.title]
        await desk.journey.use(UNDO)
        assert desk.read(CONVENTIONS) == before


async def test_what_conflicts_is_offered_to_no_merge(tmp_path: Path) -> None:
    async with doubting(tmp_path, (120, 36)) as desk:
        desk.journey.sees("possible conflict with", "b Keep both")
        desk.journey.sees_not("m Merge")

        await desk.journey.use(MERGE)

        desk.journey.sees("what conflicts is never merged")


async def test_only_the_rule_of_one_repository_is_limited_and_not_what_all_share(
    tmp_path: Path,
) -> None:
    async with doubting(tmp_path) as desk:
        await desk.journey.use(SCOPE)
        desk.journey.sees("1 of 1 · Who gets this")
        await desk.journey.types("qa-engineer")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)

        assert desk.bench.library.resolve("sniper:conv-001").roles == ("qa-engineer",)
        assert not [each for each in desk.bench.queue() if NO_SPACES in each.title]
