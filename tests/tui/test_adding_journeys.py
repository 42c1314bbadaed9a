"""A person adds an entry from Browse, and it goes to what is under the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.opened import Opened, opened

from remem.core.verbs.verbs import ADD
from remem.tui.verbs import UNDO
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.tree_list import TreeList
from remem.views.entries.browse import KINDS

PETREL = ".squad/agents/petrel/history.md"
RULES = "AGENTS.md"
TEXT = "Count the buoys twice before the fog comes"


async def stand_on(desk: Opened, *key: object) -> None:
    tree = desk.app.screen.query_one("#tree", TreeList)
    tree.focus()
    await desk.journey.rest()
    assert tree.move_to(key)
    await desk.journey.rest()


async def add(desk: Opened, kind: str, text: str = TEXT) -> None:
    await desk.journey.use(ADD)
    await desk.journey.types(kind.replace("_", " "))
    await desk.journey.pilot.press("enter")
    await desk.journey.rest()
    await desk.journey.types(text)
    await desk.journey.pilot.press("enter")
    await desk.journey.rest()


def holding(desk: Opened, text: str = TEXT) -> list[str]:
    """Return the files of the project that hold a text, but for those that are made of others."""
    root = desk.bench.root
    found = (path for path in root.rglob("*") if path.is_file() and path.name != "summary.md")
    return [p.relative_to(root).as_posix() for p in found if text.encode() in p.read_bytes()]


async def test_a_lesson_goes_to_the_persona_under_the_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        before = desk.read(PETREL)
        await stand_on(desk, "persona", "Petrel", "")

        await add(desk, "lesson")

        assert holding(desk) == [PETREL]
        row = desk.app.screen.query_one("#entries", LineList).row
        assert row is not None
        assert TEXT in "".join(part.text for part in row.label)
        await desk.journey.use(UNDO)
        assert desk.read(PETREL) == before


@pytest.mark.slow
async def test_a_lesson_goes_below_the_heading_of_the_one_under_the_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        path = desk.bench.root / RULES
        path.write_text("# Here\n\n## Notes\n\n- one\n\n## More\n\n- two\n\n## Notes\n\n- three\n")
        desk.bench.refresh()
        await desk.journey.rest()
        await stand_on(desk, "source", path)
        desk.app.screen.query_one("#entries", LineList).focus()
        await desk.journey.rest()
        await desk.journey.use(ADD)
        desk.journey.sees(f"lesson in {RULES} › Here › Notes")
        await desk.journey.pilot.press("escape")

        await add(desk, "lesson")

        assert f"- one\n- {TEXT}\n\n## More" in path.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_that_is_offered_can_be_added(tmp_path: Path, kind: str) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await add(desk, kind)

        assert len(holding(desk)) == 1


@pytest.mark.slow
async def test_no_lesson_is_offered_where_no_memory_is_under_the_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await desk.journey.use(ADD)
        await desk.journey.types("lesson")

        desk.journey.sees("no matches")
