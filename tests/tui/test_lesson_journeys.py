"""A person tidies up the memory of a persona, by keys alone."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Hashable
from pathlib import Path

import pytest
from tests.tui.opened import Opened, opened

from remem.core.verbs.verbs import ARCHIVE, EDIT, MERGE, PROMOTE
from remem.systems.personas.persona_verbs import LESSON_PIN, MOVE
from remem.tui.verbs import APPLY_PLAN, FIX, HEALTH, LOADED, MARK, NEXT_PANE, PREVIOUS_PANE, UNDO
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import TreeList

MAIN = ".night-watch/agents/Tomasz/memories/project/main.md"
RELEASE = ".claude/agent-memory/release-captain/MEMORY.md"


def main_of(desk: Opened) -> Path:
    return desk.bench.places.home / MAIN


def heavy(project: Path) -> None:
    """Give Tomasz more than fits."""
    path = project.parent / "home" / MAIN
    more = "".join(
        f"\n## 2026-04-{day:02d}\n- {'the tide table has an edition ' * 12}{day}\n"
        for day in range(1, 29)
    )
    path.write_text(path.read_text() + more)


async def stand_on(desk: Opened, key: Hashable) -> None:
    """Go to the sources and put the cursor on one of them."""
    tree = desk.journey.pilot.app.screen.query_one(TreeList)
    if not tree.has_focus:
        await desk.journey.use(PREVIOUS_PANE)
    assert tree.move_to(key), key
    await desk.journey.rest()


async def stand_on_lesson(desk: Opened, path: Path, start: str) -> str:
    """Put the cursor of the list on the lesson that begins so, and return its text."""
    await stand_on(desk, ("source", path))
    await desk.journey.use(NEXT_PANE)
    entry = next(e for e in desk.bench.library.of_kind("lesson") if e.title.startswith(start))
    entries = desk.journey.pilot.app.screen.query_one("#entries", LineList)
    assert entries.move_to(entry.ref)
    await desk.journey.rest()
    return entry.title


async def choose(desk: Opened, text: str) -> None:
    await desk.journey.types(text)
    await desk.journey.pilot.press("enter")
    await desk.journey.rest()


@pytest.mark.slow
async def test_the_document_tells_what_of_it_reaches_the_prompt(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(160, 40), prepare=heavy) as desk:
        await stand_on(desk, ("source", main_of(desk)))

        view = desk.journey.pilot.app.screen.query_one("#entry", TextView)
        assert "loaded: last 8,000 characters" in " ".join(each.text for each in view.lines[:2])
        await desk.journey.use(LOADED)
        rules = [line.text for line in view.lines if line.rule]
        marked = [line for line in view.lines if line.layer]
        prices = [line.tokens for line in view.lines if line.tokens is not None]
        desk.journey.sees("lessons reach the prompt", "budget of 2,000 tokens")
        assert rules[0].startswith("not in the prompt: ")
        assert rules[1] == "back in the prompt"
        assert {line.letter for line in marked} >= {"●", "○"}
        assert len(prices) > 40
        assert [line.text for line in view.lines if line.number] == (
            main_of(desk).read_text().split("\n")
        )

        await stand_on(desk, ("source", desk.bench.root / RELEASE))
        assert "budget of 2,000 tokens" in view.lines[0].text
        await desk.journey.use(LOADED)
        assert "loaded: first 200 lines or 25,000 characters" in view.lines[0].text


@pytest.mark.slow
async def test_a_lesson_is_moved_pinned_and_promoted_by_one_key_each(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(80, 24)) as desk:
        before = main_of(desk).read_bytes()
        waiting = len(desk.bench.queue())
        last = [e for e in desk.bench.library.of_kind("lesson") if "Tomasz" in e.ref.id][-1]
        title = await stand_on_lesson(desk, main_of(desk), last.title)

        await desk.journey.use(LESSON_PIN)
        assert main_of(desk).read_text().startswith(f"- {title}\n")
        await desk.journey.use(UNDO)
        assert main_of(desk).read_bytes() == before

        await desk.journey.use(PROMOTE)
        desk.journey.sees("Promote to", "convention", "learning")
        await choose(desk, "conv")
        assert len(desk.bench.queue()) == waiting + 1

        await desk.journey.use(MOVE)
        desk.journey.sees("Move to", "(head)")
        await choose(desk, "Ines")
        other = main_of(desk).parents[3] / "Ines/memories/project/main.md"
        assert title in other.read_text()
        assert title not in main_of(desk).read_text()
        assert len(desk.bench.journal.changes(desk.bench.root)) == 3


async def test_a_heading_in_the_tree_stands_for_the_lessons_below_it(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40), crew=True) as desk:
        path = desk.bench.root / ".squad/agents/anouk/history.md"
        before, archive = path.read_bytes(), path.with_name("history-archive.md")
        source = next(s for s in desk.bench.library.sources if s.path == path)
        under = [e.title for e in source.entries if e.context == source.entries[1].context]
        assert len(under) == 3
        await stand_on(desk, ("section", path, source.entries[1].context))

        await desk.journey.use(ARCHIVE)
        desk.journey.sees("Archive 3 entries")
        await desk.journey.use(APPLY_PLAN)

        lines = [line[2:] for line in archive.read_text().splitlines() if line[:2] == "- "]
        assert lines == under
        assert path.exists()

        await desk.journey.use(UNDO)
        assert path.read_bytes() == before
        await stand_on(desk, ("persona", "Anouk", ""))
        await desk.journey.use(ARCHIVE)
        desk.journey.sees("Archive Anouk to")


@pytest.mark.slow
async def test_lessons_are_merged_and_old_ones_archived_after_their_plan(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(140, 40), prepare=heavy) as desk:
        own = [e for e in desk.bench.library.of_kind("lesson") if "Tomasz" in e.ref.id]
        await stand_on_lesson(desk, main_of(desk), own[0].title)
        await desk.journey.use(MARK, MARK, MARK, MERGE)
        desk.journey.sees("Merge into")
        await choose(desk, own[0].title[:20])
        desk.journey.sees("merged · 0 lost, 0 added", "Cancel (esc)")
        await desk.journey.use(APPLY_PLAN)
        assert f"- {own[0].title}\n  - also" in main_of(desk).read_text()

        await desk.journey.use(HEALTH)
        rows = desk.journey.pilot.app.screen.query_one(".pane-list", LineList)
        texts = [
            "".join(part.text for part in rows.rows.row(i).label) for i in range(len(rows.rows))
        ]
        place = next(i for i, text in enumerate(texts) if "of 2,000 tokens" in text)
        assert rows.move_to(rows.rows.row(place).key)
        await desk.journey.rest()
        await desk.journey.use(FIX)
        desk.journey.sees("Archive", "sections of Tomasz before", "0 lost, 0 added")
        await desk.journey.use(APPLY_PLAN)
        assert main_of(desk).with_name("archive.md").exists()


@pytest.mark.slow
async def test_a_profile_is_edited_where_the_persona_stands_or_says_why_not(
    tmp_path: Path,
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys\nwith open(sys.argv[1], 'a') as file:\n    file.write('Ask first.\\n')\n"
    )
    settings = f"editor: {sys.executable} {script}\n"
    async with opened(tmp_path, start="browse", size=(140, 40), settings=settings) as desk:
        path = desk.bench.root / ".claude/agents/release-captain.md"
        before = path.read_bytes()

        await stand_on(desk, ("persona", "Tomasz", ""))
        await desk.journey.use(EDIT)
        desk.journey.sees("remem does not edit")
        await stand_on(desk, ("persona", "release-captain", ""))
        await desk.journey.use(EDIT)

        assert path.read_bytes() == before + b"Ask first.\n"
        desk.journey.sees("Edited the profile of release-captain")


@pytest.mark.slow
async def test_the_selection_stays_on_its_lesson_through_every_revision(tmp_path: Path) -> None:
    async with opened(tmp_path, start="browse", size=(120, 36)) as desk:
        path = desk.bench.root / RELEASE
        lessons = [
            e for e in desk.bench.library.of_kind("lesson") if "release-captain#" in e.ref.id
        ]
        kept = lessons[len(lessons) // 2]
        await stand_on_lesson(desk, path, kept.title)
        original = path.read_bytes()
        revisions = (
            original.replace(b"# ", b"- one above\n\n# ", 1),
            original + b"\n## Later\n\n- appended\n",
            original.replace(b"\n", b"\r\n"),
            b"".join(line for line in original.splitlines(keepends=True) if b"90 s" not in line),
            original,
        )

        for revision in revisions:
            path.write_bytes(revision)
            await asyncio.to_thread(desk.bench.refresh, {path})
            await desk.journey.rest()

            assert desk.bench.library.has(kept.ref)
            assert desk.cursor == kept.ref


async def test_a_lesson_that_was_edited_stays_under_the_cursor(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\npath = pathlib.Path(sys.argv[1])\n"
        "path.write_text(path.read_text().replace('text: \"', 'text: \"Always: '))\n"
    )
    settings = f"editor: {sys.executable} {script}\n"
    async with opened(tmp_path, start="browse", size=(120, 36), settings=settings) as desk:
        path = desk.bench.root / RELEASE
        lessons = [
            e for e in desk.bench.library.of_kind("lesson") if "release-captain#" in e.ref.id
        ]
        await stand_on_lesson(desk, path, lessons[3].title)

        await desk.journey.use(EDIT)

        (now,) = [e for e in desk.bench.library.of_kind("lesson") if e.title.startswith("Always: ")]
        assert now.ref != lessons[3].ref
        assert desk.cursor == now.ref

        await desk.journey.use(UNDO)
        assert desk.cursor == lessons[3].ref
