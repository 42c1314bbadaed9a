"""Packs from the keyboard, and a tree that stays short where learnings are many."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.learning_files import FOLDER, record
from tests.tui.opened import MEMORY, Opened, opened

from remem.edit.yaml_write import render
from remem.tui.screens.browse import BrowseScreen
from remem.tui.verbs import APPLY_PLAN, MARK, REVIEW, TAKE_IN
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.tree_list import TreeList

PACK = """\
exported_from: bakery
version: "1.0"
conventions:
  - {rule: "Ovens are checked before dawn", applies_to: [backend-engineer]}
  - {rule: "Every consumer of the booking stream is not idempotent"}
  - {rule: "Zero\\u200bwidth"}
"""


async def asks(person: Opened, action: str, answer: str) -> None:
    """Run a command of the palette, which has no key, and answer what it asks."""
    screen = person.app.screen
    assert isinstance(screen, BrowseScreen)
    await screen.run_action(action)
    await person.journey.rest()
    await person.journey.pilot.press(*["ctrl+u"])
    await person.journey.types(answer)
    await person.journey.pilot.press("enter")
    await person.journey.rest()


@pytest.mark.slow
async def test_the_marked_entries_go_into_a_file_and_a_missing_file_is_no_pack(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="browse") as person:
        await person.journey.use(MARK, MARK)
        await asks(person, "pack_export", "out.yaml")

        person.journey.sees("2 entries exported to out.yaml")
        pack = yaml.safe_load(person.read("out.yaml"))
        assert (len(pack["conventions"]), pack["anti_patterns"]) == (2, [])

        await asks(person, "pack_import", "none.yaml")
        person.journey.sees("does not exist")


@pytest.mark.slow
async def test_a_pack_is_shown_before_it_comes_in_and_what_hides_is_asked_for_apart(
    tmp_path: Path,
) -> None:
    def prepare(project: Path) -> None:
        (project / "pack.yaml").write_text(PACK)

    async with opened(tmp_path, start="browse", prepare=prepare) as person:
        before = person.read(f"{MEMORY}/conventions.yaml")
        await asks(person, "pack_import", "pack.yaml")
        person.journey.sees(
            "Import pack.yaml (2 entries)", "possible conflict with", "held back", "included for"
        )
        assert person.read(f"{MEMORY}/conventions.yaml") == before

        await person.journey.use(APPLY_PLAN)
        person.journey.sees("Suspicious content: review before importing", "U+200B")
        assert b"Ovens" in person.read(f"{MEMORY}/conventions.yaml")
        assert b"200b" not in person.read(f"{MEMORY}/conventions.yaml")

        await person.journey.use(TAKE_IN, APPLY_PLAN)
        await person.journey.use(REVIEW)
        assert b"200b" in person.read(f"{MEMORY}/conventions.yaml")
        assert any("Ovens are checked" in item.title for item in person.bench.queue())


async def test_very_many_learnings_are_one_row_of_the_tree(tmp_path: Path) -> None:
    def prepare(project: Path) -> None:
        for number in range(120):
            name = f"L-20260503-{number:04x}"
            text = f"Case {number}: the rule of harbour {number * 7919}"
            (project / FOLDER / f"{name}.yaml").write_bytes(render(record(name, learning=text)))

    async with opened(tmp_path, start="browse", prepare=prepare, size=(140, 40)) as person:
        tree = person.app.screen.query_one("#tree", TreeList)
        rows = [row.key for row in tree.rows]
        folder = person.bench.root / FOLDER

        assert ("folder", folder) in rows
        assert not any(key == ("source", folder / "L-20260503-0000.yaml") for key in rows)
        tree.focus()
        assert tree.move_to(("folder", folder))
        await person.journey.rest()
        entries = person.app.screen.query_one("#entries", LineList)
        assert len(entries.rows) == 124
        person.journey.sees("124 entries in 124 files", "learnings/")

        screen = person.app.screen
        assert isinstance(screen, BrowseScreen)
        person.app.desk.wanted = ("source", folder / "L-20260503-0007.yaml")
        screen._go_to_wanted()
        await person.journey.rest()
        assert person.cursor.id == "L-20260503-0007"
