"""A person compares what stands here with another time, and asks since when a line stands."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest
from tests.code_files import commit, git
from tests.tui.opened import MEMORY, Opened, opened

from remem.model.change import Intent
from remem.model.entry import Ref
from remem.tui.screens.browse import BrowseScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import AGENT, CLOSE_COMPARE, COMPARE, LOADED, OTHER_RETRO, WHY
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import TreeList

RULES = f"{MEMORY}/conventions.yaml"
DUNLIN = ".squad/agents/dunlin/history.md"
OLD = b"Every consumer of the booking stream is idempotent"
NEW = b"Every consumer of any booking stream is idempotent"
HOSTILE = "[bold]Ropes[/] \x1b[31mare dry\u202e"


def without_git(project: Path) -> None:
    """Take the demo's own repository away."""
    rmtree(project / ".git")


def under_git(project: Path) -> None:
    """Commit the demo twice: in the second one a rule reads otherwise, and a lesson came."""
    without_git(project)
    git(project, "init", "-q", "-b", "main")
    commit(project, "first of all")
    rules, lessons = project / RULES, project / DUNLIN
    rules.write_bytes(rules.read_bytes().replace(OLD, NEW, 1))
    lessons.write_text(f"{lessons.read_text()}\n- {HOSTILE}\n")
    commit(project, "[red]second[/] \x1b[2J of two")


async def choose(desk: Opened, text: str) -> None:
    await desk.journey.types(text)
    await desk.journey.pilot.press("enter")
    await desk.journey.rest()


async def whose(desk: Opened, name: str) -> None:
    await desk.journey.use(AGENT)
    await choose(desk, name)


async def stand_on(desk: Opened, ref: Ref) -> None:
    screen = desk.app.screen
    assert isinstance(screen, BrowseScreen)
    assert screen.query_one("#entries", LineList).move_to(ref)
    await desk.journey.rest()


@pytest.mark.slow
async def test_a_prompt_is_shown_as_it_was_at_a_commit(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", prepare=under_git) as desk:
        before = desk.read(RULES)
        await whose(desk, "dunlin")
        await desk.journey.use(COMPARE)
        desk.journey.sees("Compare dunlin with", "first of all", "sprint-7-retro", "2026-05-04")
        desk.journey.sees("[red]second[/] ␛[2J of two")

        await choose(desk, "first")

        desk.journey.sees("dunlin · ", "→ now", "tokens (+", "added  persona@squad:dunlin#")
        desk.journey.sees("+ - [bold]Ropes[/] ␛[31mare dry")
        assert "\x1b" not in screen_text(desk.app)
        await desk.journey.use(OTHER_RETRO)
        await choose(desk, "HEAD")
        desk.journey.sees("dunlin · HEAD → now", "no differences")
        await desk.journey.use(CLOSE_COMPARE)
        assert desk.read(RULES) == before
        assert not desk.bench.past.changes()


@pytest.mark.slow
async def test_of_what_lies_outside_the_repository_it_is_said_that_no_past_is_known(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="prompt", prepare=under_git, size=(120, 36)) as desk:
        await whose(desk, "Tomasz")
        await desk.journey.use(LOADED, COMPARE)
        await choose(desk, "HEAD~1")
        desk.journey.sees("git does not have ~/.night-watch/", "counts as it is now")
        await desk.journey.use(CLOSE_COMPARE)


async def test_the_past_of_a_lesson_outside_the_repository_is_not_called_unchanged(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", prepare=under_git, size=(120, 36)) as desk:
        lessons = desk.bench.library.of_kind("lesson")
        await stand_on(desk, next(each.ref for each in lessons if "Tomasz" in str(each.ref)))
        await desk.journey.use(COMPARE)
        await choose(desk, "HEAD~1")
        desk.journey.sees("how that was is not known")
        desk.journey.sees_not("unchanged since then")


@pytest.mark.slow
async def test_a_time_that_was_not_is_said(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", prepare=under_git, size=(80, 24)) as desk:
        await whose(desk, "backend-engineer")
        await desk.journey.use(COMPARE)

        await choose(desk, "--x")

        desk.journey.sees("is not a commit")


@pytest.mark.slow
async def test_an_entry_and_a_file_are_shown_then_and_now(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", prepare=under_git) as desk:
        await stand_on(desk, desk.bench.library.resolve("conv-001").ref)
        await desk.journey.use(COMPARE)
        await choose(desk, "HEAD~1")
        desk.journey.sees("sniper:conv-001 · HEAD~1 → now", "of the booking", "of any booking")
        await desk.journey.use(CLOSE_COMPARE)
        await stand_on(desk, desk.bench.library.resolve("conv-002").ref)
        await desk.journey.use(COMPARE)
        await choose(desk, "HEAD~1")
        desk.journey.sees("unchanged since then")
        await desk.journey.use(CLOSE_COMPARE)

        screen = desk.app.screen
        tree = screen.query_one("#tree", TreeList)
        assert isinstance(screen, BrowseScreen)
        assert tree.move_to(("source", desk.bench.root / RULES))
        screen.call_pane(tree)
        await desk.journey.rest()
        await desk.journey.use(COMPARE)
        await choose(desk, "HEAD~1")

        desk.journey.sees("conventions · HEAD~1 → now", "of any booking")


@pytest.mark.slow
async def test_an_entry_that_came_since_is_said_to_have_come(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", prepare=under_git) as desk:
        came = next(e for e in desk.bench.library.of_kind("lesson") if "Ropes" in e.title)
        await stand_on(desk, came.ref)
        await desk.journey.use(COMPARE)

        await choose(desk, "HEAD~1")

        desk.journey.sees("it did not exist then")


async def test_without_a_repository_the_key_says_why(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", prepare=without_git) as desk:
        await desk.journey.use(COMPARE)

        desk.journey.sees("this is not a git repository")


async def test_the_demo_is_shown_as_it_was_in_march(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", night=True) as desk:
        await whose(desk, "backend-engineer")
        await desk.journey.use(COMPARE)
        desk.journey.sees("Take in the retro of sprint 6", "Ines Carvalho")

        await choose(desk, "2026-03-01")

        desk.journey.sees("2026-03-01 → now", "719 → 1,483 tokens")


@pytest.mark.slow
async def test_why_tells_since_when_and_by_whom_a_line_stands(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", prepare=under_git, size=(140, 50)) as desk:
        await whose(desk, "backend-engineer")
        view = desk.app.screen.query_one("#prompt", TextView)
        view.go_to_ref(desk.bench.library.resolve("conv-001").ref)
        await desk.journey.rest()
        desk.journey.sees_not("stands so since")

        await desk.journey.use(WHY)

        desk.journey.sees(
            "It is in the prompt", "oldest line is unchanged since", "by Ada in", "first"
        )
        desk.journey.sees("newest line is from", "[red]second[/]")


@pytest.mark.slow
async def test_what_is_not_committed_is_told_from_the_history(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", prepare=under_git, size=(140, 50)) as desk:
        bench = desk.bench
        entry = bench.library.resolve("conv-001")
        rule = {"rule": "Consumers may see an event twice"}
        bench.apply(Intent("edit", {entry.ref: entry.digest}, {"fields": {**rule}}))
        await desk.journey.rest()

        told = bench.past.traced(bench.library, bench.library.resolve("conv-001"))

        assert told[0] == "This text is not committed"
        assert told[1].startswith("remem wrote it on 2026-05-04 09:30 for a person via")
        assert "conv-001" in told[1]
