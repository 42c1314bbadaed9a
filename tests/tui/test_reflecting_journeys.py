"""A persona is asked what it learnt, and its long memory condensed, without leaving the screen."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic

import pytest
from tests.reflecting import desk
from tests.tui.opened import Opened, opened

from remem.tui.reflect_and_compact import why_not_compact
from remem.tui.screens.asking import AskingScreen
from remem.tui.screens.browse import BrowseScreen
from remem.tui.screens.compact import CompactScreen
from remem.tui.verbs import APPLY_PLAN, DIFF, DOWN, FIX, MARK, UNDO
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.tree_list import TreeList

INES = ".night-watch/agents/Ines/memories/project"
LESSON = "Ask which harbour a fare was tested for"
CONDENSED = (
    "Small migrations get read, large ones get approved",
    "Money as float slips through when tests compare rounded values; ask for exact cents",
    "Moons are made of cheese",
)
ANSWERS = (
    f"asked = sys.stdin.read()\nlines = {CONDENSED!r} if 'Condense' in asked else ({LESSON!r},)\n"
    "print(''.join(f'- {line}\\n' for line in lines))"
)


def settings(folder: Path, program: str) -> str:
    """Make a program the agent command, and 20 lines too many."""
    script = folder / "agent.py"
    script.write_text(f"import sys, time\n{program}\n")
    command = json.dumps([sys.executable, "-S", str(script)])
    return f"agent: {{command: {command}, timeout: 30}}\ncompaction: {{lines: 40}}\n"


def memory(person: Opened) -> Path:
    return person.bench.places.home / INES / "main.md"


async def stand_on_ines(person: Opened) -> BrowseScreen:
    screen = person.app.screen
    assert isinstance(screen, BrowseScreen)
    tree = screen.query_one("#tree", TreeList)
    assert tree.move_to(("persona", "Ines", ""))
    screen.call_pane(tree)
    await person.journey.rest()
    return screen


async def until(person: Opened, kind: type[object]) -> None:
    """Wait for an overlay while a program runs: `rest` would wait for the program."""
    end = monotonic() + 120
    while not isinstance(person.app.screen, kind) and monotonic() < end:
        await person.journey.pilot.pause()
    assert isinstance(person.app.screen, kind)


@pytest.mark.slow
async def test_a_reflection_is_asked_for_in_three_steps_and_its_lesson_waits(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse", settings=settings(tmp_path, ANSWERS)) as person:
        before, waiting = memory(person).read_bytes(), len(person.bench.queue())
        screen = await stand_on_ines(person)

        await screen.run_action("persona_reflect")
        await person.journey.rest()
        person.journey.sees("What Ines reflects on", "pr_review")
        await person.journey.reason("1")
        await person.journey.types("ok")
        await person.journey.pilot.press("enter")
        await person.journey.types("fares")
        await person.journey.pilot.press("enter")
        await person.journey.rest()

        items = person.bench.queue()
        assert len(items) == waiting + 1
        item = next(item for item in items if item.title == LESSON)
        assert "pr review: ok" in item.evidence
        assert memory(person).read_bytes() == before
        await person.journey.use(UNDO)
        assert len(person.bench.queue()) == waiting


@pytest.mark.slow
async def test_a_compaction_is_chosen_line_by_line_and_undone_to_the_byte(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", settings=settings(tmp_path, ANSWERS)) as person:
        before = memory(person).read_bytes()
        screen = await stand_on_ines(person)

        await screen.run_action("persona_compact")
        await person.journey.rest()
        assert isinstance(person.app.screen, CompactScreen)
        person.journey.sees("3 lines of the answer", "invented", "28 old lines dropped")
        person.journey.sees("units 30 = 1 kept + 1 in 1 line + 28 only in archive.md")
        await person.journey.use(DOWN)
        person.journey.sees("Money as float slipped through because the test compared")
        lines = person.app.screen.query_one(LineList)
        assert lines.move_to(("line", 2))
        await person.journey.rest()
        person.journey.sees("not based on any old line")
        assert lines.move_to(("old", 0))
        await person.journey.use(MARK)
        person.journey.sees("units 30 = 2 kept + 1 in 1 line + 27 only in archive.md")
        await person.journey.use(DIFF)
        person.journey.sees("archive.md")
        await person.journey.use(APPLY_PLAN)

        after = memory(person).read_text().splitlines()
        assert after[:2] == [f"- {line}" for line in CONDENSED[:2]]
        assert after[2].startswith("- Ask what happens on the second delivery")
        assert before in memory(person).with_name("archive.md").read_bytes()
        await person.journey.use(UNDO)
        assert memory(person).read_bytes() == before


async def test_esc_ends_the_program_and_nothing_is_written(tmp_path: Path) -> None:
    slow = settings(tmp_path, f"open({str(tmp_path / 'runs')!r}, 'w')\ntime.sleep(60)")

    async with opened(tmp_path, start="browse", settings=slow) as person:
        before = memory(person).read_bytes()
        screen = await stand_on_ines(person)
        await screen.run_action("persona_compact")
        await until(person, AskingScreen)
        end = monotonic() + 120
        while not (tmp_path / "runs").exists() and monotonic() < end:
            await person.journey.pilot.pause()
        await person.journey.pilot.press("escape")
        await until(person, BrowseScreen)

        await person.journey.rest()
        person.journey.sees("stopped; nothing was written")
        assert memory(person).read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "says"),
    [
        pytest.param("sys.exit('out of credit')", "out of credit", id="failing"),
        pytest.param("sys.stdin.read(); print('Nothing.')", "no line that begins with", id="prose"),
    ],
)
async def test_a_program_without_an_answer_says_why(
    tmp_path: Path, program: str, says: str
) -> None:
    given = settings(tmp_path, program)
    async with opened(tmp_path, start="browse", settings=given) as person:
        screen = await stand_on_ines(person)
        await screen.run_action("persona_compact")
        await person.journey.rest()

        assert person.app.screen is screen
        person.journey.sees(says)


def test_the_verb_says_why_a_memory_is_not_compacted(tmp_path: Path) -> None:
    with desk(tmp_path, "- a lesson\n" * 150) as found:
        library = found.bench.library
        reasons = [why_not_compact(library, name, "") for name in ("Rosa", "Ada")]
        found.memory.write_text("- a lesson\n" * 151)
        longer = why_not_compact(found.bench.refresh(), "Rosa", "")

    assert reasons == [
        "its memory is only 150 lines long (limit 150)",
        "it has no memory in this project",
    ]
    assert longer is None


@pytest.mark.slow
async def test_health_leads_to_the_compaction_of_a_long_memory(tmp_path: Path) -> None:
    given = settings(tmp_path, ANSWERS)
    async with opened(tmp_path, start="health", size=(80, 24), settings=given) as person:
        problems = person.app.screen.query_one("#problems", LineList)
        row = next(row for row in problems.rows if "memory of `Ines`" in row.label[0].text)
        assert problems.move_to(row.key)
        await person.journey.rest()
        await person.journey.use(FIX)

        await until(person, CompactScreen)
        await person.journey.rest()
        person.journey.sees("Compact Ines's memory", "enter apply")
        await person.journey.use(APPLY_PLAN)
        assert memory(person).read_text().splitlines()[0] == f"- {CONDENSED[0]}"
        assert not [r for r in problems.rows if "memory of `Ines`" in r.label[0].text]
