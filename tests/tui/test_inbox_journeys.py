"""A morning after a night of agents: from Start to an empty inbox, by keys alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.tui.opened import Opened, opened

from remem.cli.open import farewell
from remem.core.verbs.verbs import APPROVE, REJECT
from remem.core.waiting.item import Item, Why
from remem.core.waiting.kinds import UNREVIEWED
from remem.demo.content.claude import MEMORY
from remem.tui.verbs import APPLY_PLAN, FILTER, MARK, SKIP, SUGGESTED, UNDO, UP
from remem.tui.widgets.line_list import LineList
from remem.views.review.review_summary import summary
from remem.views.review.unreviewed import told

BASTIEN = "home/.night-watch/agents/Bastien/memories/project/main.md"
HISTORY = ".squad/agents/dunlin/history.md"
NOTE = "Ferry times come from the harbour board, never from the printed table."


def wrote(data: bytes) -> bytes:
    """Change the first bullet, take out the next two, add one."""
    lines = data.splitlines(keepends=True)
    bullets = [place for place, line in enumerate(lines) if line.startswith(b"- ")]
    lines[bullets[0]] = lines[bullets[0]].rstrip() + b" Checked twice.\n"
    left = [line for place, line in enumerate(lines) if place not in bullets[1:3]]
    return b"".join((*left, f"- {NOTE}\n".encode()))


def inbox(desk: Opened) -> list[Item]:
    return [item for item in desk.bench.queue() if item.waiting == UNREVIEWED]


async def test_what_an_agent_wrote_is_reviewed_discarded_and_undone_by_keys(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        before = desk.read(HISTORY)
        await desk.write(HISTORY, wrote)
        after = desk.read(HISTORY)
        await desk.journey.rest()
        found = desk.bench.library.aside.unreviewed.values()
        assert Counter(each.what for each in found) == {"removed": 2, "changed": 1, "new": 1}

        await desk.go_to(NOTE)
        desk.journey.sees("Mark as reviewed", "Discard", "new since you last looked")
        await desk.journey.use(APPROVE)
        await desk.journey.rest()
        assert (len(inbox(desk)), desk.read(HISTORY)) == (3, after)
        assert "| dunlin (Squad) | ≈" in summary(desk.app.desk)
        for item in inbox(desk):
            await desk.go_to(item.title)
            desk.journey.sees("for      dunlin")
        left = len(desk.bench.queue())
        await desk.journey.use(SKIP)
        told = farewell(desk.app.desk)
        assert told == f"reviewed 1 of {left + 1}, 1 skipped, {left - 1} left"

        await desk.journey.use(UNDO)
        await desk.journey.rest()
        for item in inbox(desk):
            await desk.go_to(item.title)
            await desk.journey.use(REJECT)
            is_gone = desk.bench.library.aside.unreviewed[item.ref].what == "removed"
            desk.journey.sees("Put back because" if is_gone else "Discard because")
            desk.journey.sees("removed by mistake" if is_gone else "already covered")
            await desk.journey.reason("1")
            await desk.journey.rest()
        assert (inbox(desk), desk.read(HISTORY)) == ([], before)
        made = summary(desk.app.desk)
        assert "## Approve" not in made
        assert "dunlin (Squad)" not in made
        assert "## Put back (2)" in made
        assert "## Discard (2)" in made


@pytest.mark.slow
async def test_all_that_is_suggested_of_an_event_is_marked_after_its_plan(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.write(HISTORY, wrote)
        after = desk.read(HISTORY)
        await desk.journey.rest()
        await desk.go_to(NOTE)

        await desk.journey.use(SUGGESTED)
        desk.journey.sees("Mark as reviewed (2)", "2 items still need your decision")
        desk.journey.sees_not("marks", ".json")
        gone = [each for each in desk.bench.library.aside.unreviewed.values() if not each.digest]
        desk.journey.sees(*(f"  - {each.title[:40]}" for each in gone))
        await desk.journey.use(APPLY_PLAN)
        await desk.journey.rest()

        found = desk.bench.library.aside.unreviewed.values()
        assert [each.what for each in found] == ["removed", "removed"]
        assert desk.read(HISTORY) == after


@pytest.mark.slow
async def test_several_that_are_marked_are_named_before_they_are_reviewed(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.write(HISTORY, wrote)
        await desk.journey.rest()
        await desk.go_to(NOTE)
        await desk.journey.use(MARK, UP, UP, MARK)
        await desk.journey.use(APPROVE)

        desk.journey.sees("Mark 2 entries as reviewed", f"new: {NOTE}", "Mark as reviewed (enter)")
        desk.journey.sees_not("marks", ".json")


@pytest.mark.slow
async def test_a_changed_line_stands_whole_before_and_after_the_change(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.write(HISTORY, lambda data: data.replace(b"kiosk", b"booth", 1))
        await desk.journey.rest()
        (item,) = inbox(desk)

        written = told(desk.bench, item).written

        signed = [(line.sign, line.text) for line in written if line.sign.strip()]
        assert [sign for sign, _ in signed] == ["-", "+"]
        assert "kiosk" in signed[0][1]
        assert "booth" in signed[1][1]
        assert "booth" not in signed[0][1]


@pytest.mark.slow
async def test_the_queue_is_filtered_by_what_a_card_says(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        await desk.write(HISTORY, wrote)
        await desk.journey.rest()
        await desk.journey.use(FILTER)
        await desk.journey.types("removed since you last looked")

        queue = desk.journey.pilot.app.screen.query_one(".pane-list", LineList)
        keys = {queue.rows.row(place).key for place in range(len(queue.rows))}
        assert {item.id for item in inbox(desk) if item.reason is Why.TAKEN_OUT} <= keys
        assert not {item.id for item in desk.bench.queue() if item.waiting != UNREVIEWED} & keys


@pytest.mark.slow
async def test_start_names_the_files_that_were_written_to(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        await desk.write(HISTORY, wrote)
        await desk.journey.rest()

        desk.journey.sees("4 entries unreviewed since", "enter Review")


@pytest.mark.slow
async def test_start_leads_to_what_was_written_and_six_keys_empty_the_inbox(tmp_path: Path) -> None:
    async with opened(tmp_path, start="start") as desk:
        before = desk.read(HISTORY)
        await desk.write(HISTORY, wrote)
        await desk.journey.rest()
        await desk.journey.pilot.press("tab", *["j"] * _place_of("unreviewed since", desk), "enter")
        await desk.journey.rest()
        shown = {item.id: item for item in inbox(desk)}
        assert desk.cursor in shown

        await desk.journey.use(SUGGESTED)
        desk.journey.sees("Accept 2 suggestions")
        await desk.journey.use(APPLY_PLAN)
        await desk.journey.rest()
        while inbox(desk):
            await desk.go_to(inbox(desk)[0].title)
            await desk.journey.use(REJECT)
            await desk.journey.reason("1")
            await desk.journey.rest()

        lines = before.splitlines(keepends=True)
        first = next(place for place, line in enumerate(lines) if line.startswith(b"- "))
        lines[first] = lines[first].rstrip() + b" Checked twice.\n"
        assert desk.read(HISTORY) == b"".join((*lines, f"- {NOTE}\n".encode()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [(120, 36), pytest.param((80, 24), marks=pytest.mark.slow(reason="the same, narrow"))]
)
async def test_a_morning_after_a_night_of_agents_ends_with_an_empty_inbox(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="start", night=True, size=size) as desk:
        journey = desk.journey
        journey.sees("21 entries in 5 files unreviewed")
        await journey.pilot.press("tab", *["j"] * _place_of("unreviewed since", desk), "enter")
        await journey.rest()
        # One pass took fifteen entries out: the range from here to the end of its group comes back.
        await journey.pilot.press("v", "]", "k", "r", "1", "enter")
        await journey.rest()
        await journey.pilot.press("enter")
        await journey.rest()
        captain = ".claude/agent-memory/release-captain/MEMORY.md"
        assert desk.read(captain).decode() == MEMORY
        assert Counter(desk.bench.library.aside.unreviewed[i.ref].what for i in inbox(desk)) == {
            "new": 5,
            "changed": 1,
        }

        keys = 0
        while waiting := {item.id: item for item in inbox(desk)}:
            here = waiting.get(desk.cursor)
            if here is None:
                pressed = ["["]
            elif any(each.suggested and each.group == here.group for each in waiting.values()):
                pressed = ["A", "enter"]
            else:
                journey.sees("possible conflict with" if "90 s" in here.title else "‼")
                pressed = ["r", "1", "enter"]
            for key in pressed:
                await journey.pilot.press(key)
                await journey.rest()
            keys += len(pressed)
            assert keys < 40
        assert "mirror" not in (tmp_path / "demo" / BASTIEN).read_text()
        assert desk.read("CLAUDE.md").count(b"first time it needs 40 s") == 1
        assert b"make boards" in desk.read("CLAUDE.md")
        assert "reviewed 21 of" in farewell(desk.app.desk)
        await journey.pilot.press("0")
        await journey.rest()
        journey.sees_not("unreviewed since")


def _place_of(words: str, desk: Opened) -> int:
    """Return how many findings stand above the one with these words."""
    rows = desk.app.screen.query_one("#worth", LineList).rows
    found = (place for place in range(len(rows)) if words in str(rows.row(place)))
    return next(found)


def dots(desk: Opened) -> int:
    """Return how many rows of the queue are marked as changed while somebody watched."""
    queue = desk.journey.pilot.app.screen.query_one("#queue", LineList)
    rows = [queue.render_line(line).text for line in range(queue.size.height)]
    return sum("•" in row for row in rows)


async def test_what_was_written_before_or_came_back_by_undo_is_not_marked_as_just_written(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, night=True) as desk:
        assert inbox(desk)
        assert dots(desk) == 0

        removed = next(i for i in inbox(desk) if i.title.startswith("**Queimada**"))
        await desk.go_to(removed.title)
        await desk.journey.use(REJECT)
        await desk.journey.reason("1")
        await desk.journey.rest()
        await desk.journey.use(UNDO)
        await desk.journey.rest()
        assert dots(desk) == 0


async def test_a_card_tells_the_same_tokens_of_a_start_as_status(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, night=True) as desk:
        starts = {
            each.name: f"{'' if each.exact else '≈'}{each.tokens:,}" for each in desk.bench.agents()
        }

        lines = [line.text for item in inbox(desk) for line in told(desk.bench, item).starts]

        costs = [line.split("  ")[0] for line in lines if " at the next start: " in line]
        assert {"Tomasz", "dunlin"} <= set(costs)
        for line in (each for each in lines if " at the next start: " in each):
            assert line.rsplit(" ", 1)[1] == starts[line.split("  ")[0]]
            was, now = line.rpartition(": ")[2].split(" → ")
            added = int(line.split("  ")[1].split(" tokens")[0].lstrip("≈"))
            assert int(now.strip("≈").replace(",", "")) == added + int(
                was.strip("≈").replace(",", "")
            )
