"""A person looks at what an agent gets, and why something is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verbs import ARCHIVE
from remem.model.prompt import Ask
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    AGENT,
    BACK,
    COPY,
    DOWN,
    FILTER,
    LAST,
    LOADED,
    NEXT_GROUP,
    NEXT_MATCH,
    OPEN,
    PREVIOUS_GROUP,
    PREVIOUS_MATCH,
    WHY,
)
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.glyphs import glyphs_of
from remem.views.prompts.prompt import layer_lines


def prompt_of(desk: Opened) -> TextView:
    return desk.journey.pilot.app.screen.query_one("#prompt", TextView)


def bars_are_for_their_pane(desk: Opened) -> bool:
    why = desk.journey.pilot.app.screen.query_one("#why", TextView)
    prompt = desk.bench.compose(Ask(role="backend-engineer"))
    bars = layer_lines(prompt, why.size.width - 1, glyphs_of(desk.journey.pilot.app))
    return list(why.lines[: len(bars)]) == bars


async def choose(desk: Opened, name: str) -> None:
    await desk.journey.use(AGENT)
    await desk.journey.types(name)
    await desk.journey.pilot.press("enter")
    await desk.journey.rest()


async def test_a_role_is_chosen_and_tells_why_an_entry_is_missing(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "frontend")
        desk.journey.sees("frontend-engineer · composed")

        await desk.journey.use(LAST, WHY)

        desk.journey.sees("It is not in the prompt of", "To include it")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_entry_that_the_other_pane_speaks_of_is_on_the_screen_once_another_is_chosen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="prompt", size=size) as desk:
        for name in ("backend", "Ines", "release-captain"):
            await choose(desk, name)

            view = prompt_of(desk)
            line = view.lines[view.cursor]
            shown = {each.ref for each in view._visible()}
            assert line.ref is None or line.ref in shown, name


@pytest.mark.parametrize("who", ["backend-engineer", "frontend-engineer", "developer"])
async def test_a_prompt_of_somebody_chosen_elsewhere_begins_at_its_top(
    tmp_path: Path, who: str
) -> None:
    async with opened(tmp_path, start="prompt", size=(80, 24)) as desk:
        await choose(desk, "architect")
        await desk.journey.use(DOWN, DOWN, DOWN)

        desk.app.desk.choose(None, who)
        desk.app.agent_chosen()
        await desk.journey.rest()

        view = prompt_of(desk)
        first = next(place for place, line in enumerate(view.lines) if line.ref is not None)
        assert view.cursor == first
        assert any(row.startswith("┃▌") for row in screen_text(desk.app).splitlines())


async def test_a_role_and_an_agent_of_one_name_are_told_apart_in_the_choice(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=(80, 24)) as desk:
        await desk.journey.use(AGENT)
        await desk.journey.pilot.press(*"backend-eng")

        desk.journey.sees("role · composed", "Claude Code · as loaded")


async def test_home_and_end_go_to_the_first_and_the_last_choice(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await desk.journey.use(AGENT)
        choices = desk.app.screen.query_one("#choices", LineList)

        await desk.journey.pilot.press("end")
        last = choices.row
        await desk.journey.pilot.press("home")

        assert last is not None
        assert choices.row is not None
        assert last.key == choices.rows.row(len(choices.rows) - 1).key
        assert choices.row.key == choices.rows.row(0).key


@pytest.mark.slow
async def test_what_has_no_room_stands_right_below_the_water(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=(140, 60)) as desk:
        await choose(desk, "backend")

        lines = prompt_of(desk).lines
        water = next(place for place, line in enumerate(lines) if line.rule)
        assert lines[water + 1].text.startswith("budget")
        assert re.search(r" tokens? over budget  ", lines[water + 2].text)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_bars_fit_at_once_and_when_the_terminal_gets_smaller(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start="prompt", size=size) as desk:
        await choose(desk, "backend")
        assert bars_are_for_their_pane(desk)

        await desk.journey.pilot.resize_terminal(size[0] - 20, 24)
        await desk.journey.rest()

        assert bars_are_for_their_pane(desk)


async def test_y_copies_the_exact_text(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")

        await desk.journey.use(COPY)

        text = desk.bench.compose(Ask(role="backend-engineer")).text
        assert desk.journey.pilot.app.clipboard == text.removesuffix("\n")


@pytest.mark.slow
async def test_the_key_for_the_group_before_goes_on_from_the_first_line_of_a_group(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")
        await desk.journey.use(NEXT_GROUP, NEXT_GROUP, NEXT_GROUP, NEXT_GROUP)
        seen = []
        for _ in range(4):
            await desk.journey.use(PREVIOUS_GROUP)
            seen.append(prompt_of(desk).cursor)

        assert seen == sorted({*seen}, reverse=True)


@pytest.mark.slow
async def test_the_status_row_says_what_archiving_would_free(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")
        desk.journey.sees("frees")


@pytest.mark.slow
async def test_archiving_from_the_prompt_takes_the_entry_out(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")
        view = prompt_of(desk)
        place = next(
            i for i, line in enumerate(view.lines) if "dec-" in line.text and line.ref is not None
        )
        view.go_to(place)
        ref = view.lines[place].ref
        await desk.journey.rest()

        await desk.journey.use(ARCHIVE)

        verdict = desk.bench.compose(Ask(role="backend-engineer")).verdict(ref)  # type: ignore[arg-type]
        assert verdict is not None
        assert not verdict.is_in


@pytest.mark.slow
async def test_the_cursor_stays_on_its_entry_when_the_prompt_changes(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")
        await desk.journey.use(DOWN, DOWN, DOWN)
        before = prompt_of(desk).line
        assert before is not None

        await desk.write(
            f"{MEMORY}/conventions.yaml",
            lambda data: (
                data + b"\n  - id: conv-090\n    rule: A new first rule\n    status: confirmed\n"
            ),
        )
        await desk.journey.rest()

        after = prompt_of(desk).line
        assert after is not None
        assert after.ref == before.ref


@pytest.mark.slow
async def test_n_and_shift_n_go_round_the_places_that_were_found(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")
        await desk.journey.use(FILTER)
        await desk.journey.types("sailing")
        await desk.journey.pilot.press("enter")
        view = prompt_of(desk)
        first = view.cursor

        await desk.journey.use(NEXT_MATCH)
        second = view.cursor
        await desk.journey.use(PREVIOUS_MATCH)

        assert second != first
        assert view.cursor == first
        assert "sailing" in view.lines[first].text.lower()


@pytest.mark.slow
async def test_an_agent_that_loads_files_shows_both_ways_with_their_difference(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        agent = desk.bench.agents()[0]
        await desk.journey.use(AGENT)
        await desk.journey.types(agent.tool)
        await desk.journey.pilot.press("enter")
        await desk.journey.rest()
        desk.journey.sees("· as loaded · at startup ━", "composed ")
        await desk.journey.use(LOADED)
        desk.journey.sees("· composed ━", "· as loaded")

        await desk.journey.use(LOADED)

        desk.journey.sees("· as loaded · at startup ━")


async def test_there_and_back_the_cursor_is_on_the_line_that_was_left(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "release-captain")
        await desk.journey.use(*[DOWN] * 12)
        view = prompt_of(desk)
        before = (view.cursor, view.line)
        assert view.cursor > 0

        await desk.journey.use(LOADED)
        await desk.journey.use(*[DOWN] * 3)
        there = view.cursor
        await desk.journey.use(LOADED)
        assert (view.cursor, view.line) == before

        await desk.journey.use(LOADED)
        assert view.cursor == there


@pytest.mark.slow
async def test_backspace_comes_back_to_the_line_that_was_left(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "backend")
        await desk.journey.use(DOWN, DOWN)
        before = prompt_of(desk).cursor

        await desk.journey.use(OPEN)
        desk.journey.sees("[1 Browse]")
        await desk.journey.use(BACK)

        desk.journey.sees("[3 Prompt]")
        assert prompt_of(desk).cursor == before


async def test_a_layer_and_a_name_are_chosen_for_a_role(tmp_path: Path) -> None:
    def prepare(root: Path) -> None:
        files = {
            "spawn-prompts/_template.md": "# {name}\n{process_layer}\n{cognitive_layer}\n",
            "personas/process/developer.md": "You build.\n",
            "personas/cognitive/security-first.md": "You doubt input.\n",
        }
        for name, text in files.items():
            path = root / ".sniper" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    async with opened(tmp_path, start="prompt", prepare=prepare) as desk:
        await choose(desk, "developer  role")
        await choose(desk, "security-first")
        await choose(desk, "API builder")

        desk.journey.sees("# API builder", "You doubt input.")


@pytest.mark.slow
async def test_why_is_in_sight_on_a_small_screen(tmp_path: Path) -> None:
    async with opened(tmp_path, start="prompt", size=(80, 24)) as desk:
        await desk.journey.use(WHY)

        desk.journey.sees("It is in the prompt")


async def test_a_role_that_an_agent_is_called_like_has_that_agents_start_one_key_away(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="prompt") as desk:
        await choose(desk, "release-captain")
        desk.journey.sees("release-captain · composed", "L As loaded")

        await desk.journey.use(LOADED)
        desk.journey.sees("release-captain · as loaded", "L Composed")

        await desk.journey.use(LOADED)
        desk.journey.sees("release-captain · composed")
