"""Whole personas in Browse: merging, several places, references; and lost text that is found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.tui.journey import until
from tests.tui.opened import Opened, opened

from remem.core.verbs.verbs import ADD, MERGE
from remem.model.change import Intent
from remem.systems.personas.persona_verbs import MOVE, PERSONA_RENAME
from remem.tui.screens.find import FindScreen
from remem.tui.verbs import APPLY_PLAN, EVERYWHERE, RESTORE_FOUND, TAKE_IN, UNDO
from remem.tui.widgets.tree_list import TreeList
from remem.views.entries.browse import KINDS

PETREL = ".squad/agents/petrel/history.md"
SCRIBE = ".claude/agent-memory/port-scribe/MEMORY.md"
PHRASE = "White on dark blue was read"


async def stand_on(desk: Opened, persona: str) -> None:
    """Put the cursor on a persona among the sources."""
    tree = desk.journey.pilot.app.screen.query_one("#tree", TreeList)
    tree.focus()
    await desk.journey.rest()
    assert tree.move_to(("persona", persona, ""))
    await desk.journey.rest()


async def found_in_the_past(desk: Opened) -> None:
    """Wait until the find overlay has looked through history and git."""

    def is_done() -> bool:
        screen = desk.journey.pilot.app.screen
        return isinstance(screen, FindScreen) and bool(screen._phrase) and not screen._left

    await until(is_done)


@pytest.mark.slow
async def test_one_persona_is_merged_into_another_and_undone(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        before = desk.read(PETREL)
        await stand_on(desk, "Dunlin")

        await desk.journey.use(MERGE)
        desk.journey.sees("Merge the memory of Dunlin")
        await desk.journey.types("into Petrel")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("units 19 = 9 of Petrel + 10 of Dunlin · 0 lost, 0 added")
        await desk.journey.use(APPLY_PLAN)
        merged = desk.read(PETREL)
        await desk.journey.use(UNDO)

        assert merged.startswith(before)
        assert b"## From Dunlin (" in merged
        assert desk.read(PETREL) == before
        assert not (desk.bench.root / ".squad/agents/_alumni/dunlin").exists()


@pytest.mark.slow
async def test_several_places_are_merged_into_one_which_then_moves(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        here = desk.bench.root / SCRIBE
        here.parent.mkdir(parents=True)
        here.write_text("- Only in the project\n")
        await asyncio.to_thread(desk.bench.refresh)
        await stand_on(desk, "port-scribe")
        desk.journey.sees("claude-project and claude-user: 0 units in both", "Only in the project")

        await desk.journey.use(MERGE)
        await desk.journey.types("claude-project →")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)

        assert not here.exists()
        assert "- Only in the project" in (desk.bench.places.home / SCRIBE).read_text()

        await desk.journey.use(MOVE)
        await desk.journey.types("claude-project")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        await desk.journey.use(APPLY_PLAN)

        assert (desk.bench.root / SCRIBE).exists()
        assert not (desk.bench.places.home / SCRIBE).exists()


@pytest.mark.slow
async def test_a_rename_offers_the_references_in_other_memories(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await stand_on(desk, "Dunlin")

        await desk.journey.use(PERSONA_RENAME)
        for _ in "Dunlin":
            await desk.journey.pilot.press("backspace")
        await desk.journey.types("Tern")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("`Dunlin` stays in", "[ ] Rewrite references too (space)")
        await desk.journey.use(TAKE_IN)
        desk.journey.sees("[x] Rewrite references too (space)")
        await desk.journey.use(TAKE_IN)
        desk.journey.sees("`Dunlin` stays in")
        await desk.journey.use(TAKE_IN)
        await desk.journey.use(APPLY_PLAN)

        assert b"**By:** Tern" in desk.read(".squad/decisions.md")
        assert (desk.bench.root / ".squad/agents/tern/history.md").exists()


@pytest.mark.slow
async def test_a_lost_phrase_is_found_and_one_key_puts_it_back(tmp_path: Path) -> None:
    async with opened(tmp_path, start="history") as desk:
        before = desk.read(PETREL)
        entry = next(e for e in desk.bench.library.entries() if e.title.startswith(PHRASE))
        intent = Intent("remove", {entry.ref: entry.digest})
        await asyncio.to_thread(desk.bench.apply, intent)
        assert desk.read(PETREL) != before

        await desk.journey.use(EVERYWHERE)
        await desk.journey.types("dark blue was")
        await found_in_the_past(desk)
        await desk.journey.rest()
        desk.journey.sees("out of history.md", "change 00000000", "ctrl+r puts it back")
        await desk.journey.use(RESTORE_FOUND)
        desk.journey.sees("Put back `dark blue was`")
        await desk.journey.use(APPLY_PLAN)

        assert desk.read(PETREL) == before


@pytest.mark.slow
async def test_a_new_persona_is_asked_for_line_by_line(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse") as desk:
        await desk.journey.use(ADD)
        await desk.journey.pilot.press(*["down"] * len(KINDS), "enter")
        await desk.journey.rest()
        for text in ("vega", "Tester", "", "Short sentences."):
            await desk.journey.types(text)
            await desk.journey.pilot.press("enter")
            await desk.journey.rest()
        desk.journey.sees("its working rules")
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()

        assert b"- Principles: Short sentences." in desk.read(".claude/agents/vega.md")
