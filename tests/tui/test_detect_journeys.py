"""A check by machine is written with its matches in sight, and waits where a hint can be read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verbs import APPROVE, REJECT
from remem.systems.sniper.sniper_verbs import DETECT
from remem.tui.screens.detect import DetectScreen
from remem.tui.verbs import APPLY_PLAN, CANCEL_CHOICE, CANCEL_PLAN, UNDO

CONVENTIONS = f"{MEMORY}/conventions.yaml"
RULES = """\
conventions:
  - id: conv-001
    rule: "Logging goes through the logger"
    examples: {positive: "log.info(x)", negative: "print(x)"}
    applies_to: [backend-engineer]
"""
HINTED = RULES.replace("    examples", '    detection_hint: "no print() calls"\n    examples')


def under_git(project: Path, rules: str) -> None:
    """Put a store with one rule and a file that breaks it under git."""
    (project / CONVENTIONS).write_text(rules)
    (project / "tool.py").write_text("print(1)\nlog.info(2)\n" + "a" * 60 + "!\n")
    subprocess.run(["git", "init", "-q", str(project)], check=True)


async def open_panel(person: Opened) -> DetectScreen:
    await person.journey.use(DETECT)
    screen = person.app.screen
    assert isinstance(screen, DetectScreen)
    return screen


async def types(person: Opened, text: str) -> None:
    """Type anew into the field that has the focus, and wait until it was searched."""
    screen = person.app.screen
    assert isinstance(screen, DetectScreen)
    await person.journey.pilot.press("ctrl+u")
    await person.journey.types(text)
    screen.search()
    await person.journey.rest()


@pytest.mark.slow
async def test_matches_and_examples_are_shown_while_a_pattern_is_typed_and_then_it_is_written(
    tmp_path: Path,
) -> None:
    def prepare(project: Path) -> None:
        under_git(project, RULES)

    async with opened(tmp_path, start="browse", prepare=prepare, size=(80, 24)) as person:
        before = person.read(CONVENTIONS)
        await open_panel(person)
        await types(person, r"\bprint\(")
        person.journey.sees("1 match, ", "tool.py:1", "negative example as expected")

        await types(person, r"\blog\.")
        person.journey.sees("positive example WRONG RESULT", "tool.py:2")
        await types(person, r"print(")
        person.journey.sees("is not a valid pattern")
        await person.journey.pilot.press("enter")
        assert isinstance(person.app.screen, DetectScreen)

        await types(person, r"\bprint\(")
        await person.journey.pilot.press("enter")
        await person.journey.rest()
        person.journey.sees("+     detect:")
        assert person.read(CONVENTIONS) == before

        await person.journey.use(CANCEL_PLAN)
        assert (await open_panel(person)).typed["forbid"] == r"\bprint\("
        await person.journey.pilot.press("enter")
        await person.journey.rest()
        await person.journey.use(APPLY_PLAN)
        assert (
            person.read(CONVENTIONS) == before + b'    detect:\n      forbid: "\\\\bprint\\\\("\n'
        )

        await person.journey.use(UNDO)
        assert person.read(CONVENTIONS) == before


@pytest.mark.slow
async def test_a_pattern_that_backtracks_forever_is_stopped_and_leaving_ends_the_search(
    tmp_path: Path,
) -> None:
    def prepare(project: Path) -> None:
        under_git(project, RULES)
        for number in range(40):
            (project / f"slow{number}.py").write_text("a" * 60 + "!\n")

    async with opened(tmp_path, start="browse", prepare=prepare) as person:
        await open_panel(person)
        await types(person, "^(a|a)+$")
        person.journey.sees("more than 100 ms per file", "more files not checked")

        await types(person, "^(a|a)+b$")
        await person.journey.use(CANCEL_CHOICE)
        assert not isinstance(person.app.screen, DetectScreen)
        person.journey.sees_not("searching …")


@pytest.mark.slow
async def test_what_a_hint_says_waits_with_its_matches_and_a_writes_it(tmp_path: Path) -> None:
    def prepare(project: Path) -> None:
        under_git(project, HINTED)

    async with opened(tmp_path, prepare=prepare, size=(140, 40)) as person:
        before = person.read(CONVENTIONS)
        await person.go_to("Logging goes through")
        person.journey.sees("its text can be checked", "automatically: `no print()")
        person.journey.sees("in the current code", "tool.py:1  print(1)")

        await person.journey.use(APPROVE)
        assert b"detect:" in person.read(CONVENTIONS)
        await person.journey.use(UNDO)
        assert person.read(CONVENTIONS) == before

        await person.go_to("Logging goes through")
        await person.journey.use(REJECT)
        await person.journey.pilot.press("enter")
        await person.journey.rest()
        assert person.read(CONVENTIONS) == before
        assert all("Logging goes" not in item.title for item in person.bench.queue())
