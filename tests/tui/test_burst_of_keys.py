"""Keys that arrive in one read, by a macro or a slow line, mean what they mean one by one."""

from pathlib import Path

import pytest
from tests.tui.opened import Opened, opened
from textual import events
from textual.widgets import Input

from remem.model.entry import Status
from remem.tui.verbs import APPLY_PLAN, UP
from remem.tui.widgets.input_line import InputLine


def burst(desk: Opened, *keys: str) -> None:
    """Let keys arrive together: none was handled when the last of them is there."""
    named = {"/": "slash", ":": "colon", "?": "question_mark"}
    for key in keys:
        character = key if len(key) == 1 else None
        desk.app.post_message(events.Key(named.get(key, key), character))


@pytest.mark.slow
@pytest.mark.parametrize("start", ["start", "browse", "review", "prompt", "history", "health"])
async def test_what_is_typed_behind_the_key_of_the_filter_is_its_text(
    tmp_path: Path, start: str
) -> None:
    async with opened(tmp_path, start=start) as desk:
        burst(desk, *"/saruxA")
        await desk.journey.rest()

        assert desk.app.screen.query_one(InputLine).text == "saruxA"
        assert desk.app.desk.done == []
        assert not desk.bench.past.changes()


@pytest.mark.slow
@pytest.mark.parametrize("before", ["2", "tab", "E"])
async def test_a_key_that_moves_the_focus_takes_it_from_no_line_that_is_opened_behind_it(
    tmp_path: Path, before: str
) -> None:
    async with opened(tmp_path, start="start") as desk:
        burst(desk, before, *"/sarux")
        await desk.journey.rest()

        assert not desk.bench.past.changes()
        assert desk.app.screen.query_one(InputLine).text == "sarux"


async def test_a_reason_that_is_typed_at_once_is_the_reason(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review") as desk:
        burst(desk, *"ruseless", "enter")
        await desk.journey.rest()

        assert b"reason: useless" in desk.read(".remem/rejected.yaml")
        assert len(desk.bench.past.changes()) == 1


@pytest.mark.parametrize("opens", [":", "f", "?"])
async def test_what_is_typed_behind_the_key_of_a_dialog_is_its_text(
    tmp_path: Path, opens: str
) -> None:
    async with opened(tmp_path, start="review") as desk:
        burst(desk, *f"{opens}arux")
        await desk.journey.rest()

        assert desk.app.screen.query_one(Input).value == "arux"
        assert not desk.bench.past.changes()


async def test_letters_that_decide_are_done_one_after_the_other(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review") as desk:
        await desk.go_to("Feature flags")
        first = [item.title for item in desk.bench.queue()][:2]

        burst(desk, "a", "a")
        await desk.journey.rest()

        assert [done.title for done in desk.app.desk.done] == first


def opposed(project: Path) -> None:
    """Add a candidate, and what active says the opposite."""
    with (project / ".sniper/memory/conventions.yaml").open("a") as file:
        file.write("  - {id: conv-801, rule: Gangways are lit by day, status: candidate}\n")
        file.write("  - {id: conv-802, rule: No gangway is lit before dusk falls}\n")


@pytest.mark.slow
async def test_an_approval_before_the_card_tells_of_a_conflict_shows_its_plan_first(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="review", prepare=opposed) as desk:
        await desk.go_to("Gangways are lit by day")
        await desk.journey.use(UP)
        before = desk.read(".sniper/memory/conventions.yaml")
        burst(desk, "j", "a")
        await desk.journey.rest()

        desk.journey.sees("conflict with `sniper:conv-802`", "No gangway is lit")
        assert desk.read(".sniper/memory/conventions.yaml") == before
        await desk.journey.use(APPLY_PLAN)

        assert desk.bench.library.resolve("conv-801").status is Status.ACTIVE


async def test_an_approval_before_the_card_is_whole_is_done_where_nothing_conflicts(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="review") as desk:
        item = next(each for each in desk.bench.queue() if not desk.bench.opposed(each))
        await desk.go_to(item.title)
        burst(desk, "k", "j", "a")
        await desk.journey.rest()

        assert len(desk.bench.past.changes()) == 1


@pytest.mark.slow
async def test_a_conflict_is_settled_by_a_key_that_is_pressed_before_the_card_tells_of_it(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="review", prepare=opposed) as desk:
        await desk.go_to("Gangways are lit by day")
        await desk.journey.use(UP)
        burst(desk, "j", "S")
        await desk.journey.rest()

        desk.journey.sees("Supersede sniper:conv-802 by sniper:conv-801")


@pytest.mark.slow
async def test_a_verb_right_behind_movements_is_asked_of_the_row_they_led_to(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="start") as desk:
        burst(desk, *"5jjF")
        await desk.journey.rest()

        desk.journey.sees("Cancel (esc)", "Upgrade (enter)")
