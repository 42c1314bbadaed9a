"""A person finds a rule that an agent is told twice, and keeps one copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened

from remem.tui.screens.health import HealthScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import APPLY_PLAN, CANCEL_CHOICE, FIX, UNDO
from remem.tui.widgets.line_list import LineList

RULES = f"{MEMORY}/conventions.yaml"
CLAUDE = "CLAUDE.md"
RULE = "Every consumer of the booking stream is idempotent"
HOSTILE = "[b]A rope[/b] is \x1b[31mnever\x1b[0m left wet overnight"
AGAIN = f"# Slipway\n\n- {RULE}\n- {HOSTILE}\n"


def told_again(project: Path) -> None:
    (project / CLAUDE).write_text(AGAIN)
    rules = project / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "ropes.md").write_text(f"- {HOSTILE}\n")


async def stand_on(desk: Opened, text: str) -> None:
    """Put the cursor of Health on a finding."""
    problems = desk.app.screen.query_one("#problems", LineList)
    rows = [row for row in problems.rows if not row.is_header]
    row = next(r for r in rows if "same rule" in r.label[0].text and text in r.label[0].text)
    assert problems.move_to(row.key)
    await desk.journey.rest()


@pytest.mark.slow
async def test_the_copies_are_chosen_from_and_every_files_diff_is_shown_first(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="health", size=(140, 45), prepare=told_again) as desk:
        assert isinstance(desk.app.screen, HealthScreen)
        before = desk.read(RULES)
        await stand_on(desk, "Every consumer")
        desk.journey.sees("F Keep one copy")

        await desk.journey.use(FIX)
        desk.journey.sees("Which copy to keep", "CLAUDE.md", RULES, "suggested")
        await desk.journey.types("conventions")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("CLAUDE.md", f"- - {RULE}", "0 lost, 0 added")
        assert desk.read(CLAUDE) == AGAIN.encode()

        await desk.journey.use(APPLY_PLAN)
        assert desk.read(CLAUDE) == AGAIN.replace(f"- {RULE}\n", "").encode()
        assert desk.read(RULES) == before
        desk.journey.sees("Kept sniper:conv-001 in conventions, remove 1 copy")
        await desk.journey.use(UNDO)
        assert desk.read(CLAUDE) == AGAIN.encode()


@pytest.mark.slow
async def test_leaving_the_choice_writes_nothing_and_no_text_is_obeyed(tmp_path: Path) -> None:
    async with opened(tmp_path, start="health", size=(80, 24), prepare=told_again) as desk:
        await stand_on(desk, "[b]A rope[/b]")

        await desk.journey.use(FIX)
        desk.journey.sees("Which copy to keep", "ropes.md")
        assert "\x1b" not in screen_text(desk.app)
        await desk.journey.use(CANCEL_CHOICE)

        assert desk.read(CLAUDE) == AGAIN.encode()
        assert not desk.bench.past.changes()
