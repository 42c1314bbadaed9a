"""How many keys a lead of thirty personas with 2,500 lessons needs for what is done each week."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened

from remem.base.clock import Clock
from remem.core.verbs.verbs import APPROVE, ARCHIVE
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    APPLY_PLAN,
    ARCHIVE_OLD,
    DOWN,
    FILTER,
    HISTORY,
    MARK,
    ORDER,
    PALETTE,
    TEAM,
    UNDO,
)
from remem.tui.widgets.line_list import LineList

AGENTS = ".squad/agents"
CONVENTIONS = f"{MEMORY}/conventions.yaml"


def _two_thousand_more(project: Path) -> None:
    for number, folder in enumerate(sorted((project / AGENTS).iterdir())):
        if folder.name.startswith("_"):
            continue
        sections = [
            f"\n### {date(2025, 1, 1) + timedelta(days=3 * n)}\n\n"
            f"- The {folder.name} of lane {n} keeps ledger {number * 100 + n} at pier {n % 9}\n"
            for n in range(56)
        ]
        with (folder / "history.md").open("a") as file:
            file.write("".join(sections))


async def _typed(desk: Opened, text: str) -> int:
    await desk.journey.types(text)
    await desk.journey.rest()
    return 1  # a name is one thing to say


async def _pressed(desk: Opened, *keys: object) -> int:
    for key in keys:
        if isinstance(key, str):
            await desk.journey.pilot.press(key)
            await desk.journey.rest()
        else:
            await desk.journey.use(key)  # type: ignore[arg-type]
    return len(keys)


@pytest.mark.slow
async def test_what_a_lead_does_each_week_takes_few_keys(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", crew=True, prepare=_two_thousand_more) as desk:
        assert sum(len(s.entries) for s in desk.bench.library.sources) >= 2_500
        agents = desk.bench.root / AGENTS
        keys: dict[str, int] = {}
        keys["the team, by tokens"] = await _pressed(desk, TEAM, ORDER, "enter")
        who = desk.journey.pilot.app.screen.query_one("#who", LineList)
        assert who.row is not None
        first = str(who.row.key[1])  # type: ignore[index]

        keys["rename"] = await _pressed(desk, PERSONA_RENAME)
        keys["rename"] += await _typed(desk, "Quill")
        keys["rename"] += await _pressed(desk, "enter", APPLY_PLAN)
        assert (agents / "quill/history.md").exists(), first
        await desk.journey.rest()

        keys["archive"] = await _pressed(desk, ARCHIVE, APPLY_PLAN)
        assert (agents / "_alumni/quill/history.md").exists()

        keys["archive three"] = await _pressed(desk, MARK, DOWN, MARK, DOWN, MARK, ARCHIVE)
        keys["archive three"] += await _pressed(desk, APPLY_PLAN)
        assert len([*(agents / "_alumni").iterdir()]) == 6

        keys["find one"] = await _pressed(desk, FILTER) + await _typed(desk, "Zelda")
        keys["find one"] += await _pressed(desk, "enter")
        keys["old sections"] = await _pressed(desk, ARCHIVE_OLD)
        keys["old sections"] += await _pressed(desk, "enter", APPLY_PLAN)
        assert (agents / "zelda/history-archive.md").exists()

        print(keys)  # noqa: T201 - shown with `-s`
        assert keys["rename"] <= 4
        assert keys["archive"] <= 4
        assert keys == {
            "the team, by tokens": 3,
            "rename": 4,
            "archive": 2,
            "archive three": 7,
            "find one": 3,
            "old sections": 3,
        }


@pytest.mark.slow
async def test_a_line_typed_in_the_palette_does_it_from_anywhere_in_four_keys(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", crew=True, shell=True) as desk:
        agents = desk.bench.root / AGENTS
        before = {path: path.read_bytes() for path in agents.rglob("*") if path.is_file()}

        async def line(text: str) -> int:
            keys = await _pressed(desk, PALETTE) + await _typed(desk, text)
            return keys + await _pressed(desk, "enter", APPLY_PLAN)

        assert await line("persona rename Zelda Quill") == 4
        assert (agents / "quill/history.md").exists()
        assert await line("remem persona archive Quill Yusuf") == 4
        assert (agents / "_alumni/quill/history.md").exists()
        assert (agents / "_alumni/yusuf/history.md").exists()
        await _pressed(desk, UNDO, UNDO)
        assert {path: path.read_bytes() for path in agents.rglob("*") if path.is_file()} == before


@pytest.mark.slow
async def test_the_palette_has_each_verb_on_personas_once_with_its_key(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start", crew=True, shell=True) as desk:
        agents = desk.bench.root / AGENTS
        await _pressed(desk, TEAM, PALETTE)
        await _typed(desk, "archive persona")
        choices = desk.app.screen.query_one("#choices", LineList)
        rows = [choices.rows.row(at) for at in range(len(choices.rows))]
        told = ["".join(span.text for span in row.label) for row in rows]
        assert [each for each in told if each.startswith("Archive")] == [
            "Archive persona         Archive the persona's memory.",
        ]
        assert choices.move_to("verb persona.archive")
        await _pressed(desk, "enter", APPLY_PLAN)
        assert (agents / "_alumni/amadi/history.md").exists()


async def test_a_line_that_asks_for_nothing_says_so_and_one_of_the_shell_runs_when_whole(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", shell=True) as desk:
        await _pressed(desk, PALETTE)
        await _typed(desk, "persona rename Nobody")
        await _pressed(desk, "enter")
        desk.journey.sees("Missing argument 'NEW_NAME'")

        await _pressed(desk, PALETTE)
        await _typed(desk, "persona rename Nobody 'Quill")
        await _pressed(desk, "enter")
        desk.journey.sees("No closing quotation")

        await _pressed(desk, PALETTE)
        await _typed(desk, "persona list --sort tokens")
        desk.journey.sees("remem persona list --sort tokens  run it")
        await _pressed(desk, "enter")
        desk.journey.sees("remem persona list --sort tokens: done")

        await _pressed(desk, "escape", HISTORY, PALETTE)
        await _typed(desk, "persona archive Ines")
        desk.journey.sees("persona archive Ines  run it")
        await _pressed(desk, "enter")
        desk.journey.sees("remem persona archive Ines: ")

        await _pressed(desk, "escape", PALETTE)
        await _typed(desk, "persona archive --dry-run")
        desk.journey.sees("persona archive --dry-run  type on, or run it")
        await _pressed(desk, "enter")
        desk.journey.sees("Run a command: remem", "persona archive --dry-run")

        await _pressed(desk, "escape", PALETTE)
        await _typed(desk, "forget CLAUDE.md")
        desk.journey.sees("forget CLAUDE.md  type on, or run it")
        await _pressed(desk, "enter")
        desk.journey.sees("Run a command: remem", "forget CLAUDE.md")


async def test_a_command_for_which_nothing_has_to_be_typed_is_done_at_once_as_its_key_does(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="review", shell=True) as desk:
        before = desk.read(CONVENTIONS)
        await desk.go_to("Feature flags")
        await _pressed(desk, APPROVE)
        assert desk.read(CONVENTIONS) != before

        await _pressed(desk, PALETTE)
        await _typed(desk, "undo")
        choices = desk.app.screen.query_one("#choices", LineList)
        assert choices.move_to("remem undo")
        await _pressed(desk, "enter")
        assert desk.read(CONVENTIONS) == before
        desk.journey.sees("Undone", "[2 Review")

        await _pressed(desk, PALETTE)
        await _typed(desk, "persona list")
        assert desk.app.screen.query_one("#choices", LineList).move_to("remem persona list")
        await _pressed(desk, "enter")
        desk.journey.sees("remem persona list: done")

        await _pressed(desk, "escape", PALETTE)
        await _typed(desk, "learn prune")
        assert desk.app.screen.query_one("#choices", LineList).move_to("remem learn prune")
        await _pressed(desk, "enter")
        desk.journey.sees_not("Run a command")


async def test_a_persona_goes_to_the_folder_that_the_plan_named_however_long_it_was_read(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", shell=True) as desk:
        begins, seconds = datetime(2026, 5, 4, 9, 30, tzinfo=UTC), count()
        ticking = Clock(lambda: begins + timedelta(seconds=next(seconds)), desk.bench.clock.new_id)
        desk.bench.clock = ticking
        given = desk.bench.library.ground.given
        ground = replace(desk.bench.library.ground, given=replace(given, clock=ticking))
        desk.bench._library = desk.bench.library.on(ground)

        await _pressed(desk, PALETTE)
        await _typed(desk, "persona archive Ines")
        await _pressed(desk, "enter")
        (named,) = {*re.findall(r"Ines-20\d{6}T\d{6}Z", screen_text(desk.app))}
        await _pressed(desk, APPLY_PLAN)

        away = desk.bench.places.home / ".night-watch/agents/.archived"
        assert [each.name for each in away.iterdir() if each.name.startswith("Ines")] == [named]
