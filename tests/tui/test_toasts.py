"""What is said in a toast hides no line that is read: panes end above it while it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.opened import opened
from textual.widgets._toast import Toast

from remem.base.errors import Already, NotPossible
from remem.core.verbs.verbs import APPROVE
from remem.tui.screens.base import RememScreen
from remem.tui.textual_private import screen_text
from remem.tui.verbs import (
    EVERYWHERE,
    HEALTH,
    NEXT_MATCH,
    PREVIOUS_MATCH,
    RESTORE_FOUND,
    REVIEW,
)

MESSAGE = "Fix: no agent command is configured for what this would start"
HINT = "set `agent.command` in config.yaml, or use `persona compact NAME --prompt-only`"
SIZES = (
    pytest.param((60, 20), marks=pytest.mark.slow),
    (80, 24),
    pytest.param((100, 30), marks=pytest.mark.slow),
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("start", ["health", "review", "browse", "history", "start", "prompt"])
async def test_a_toast_of_several_lines_takes_its_room_from_the_panes(
    tmp_path: Path, start: str, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, start=start, size=size) as desk:
        screen = desk.app.screen
        before = {pane: pane.content_region for pane in screen.query(".pane")}
        desk.app.notify(f"{MESSAGE}\n{HINT}", markup=False)
        await desk.journey.rest()

        (toast,) = screen.query(Toast)
        assert toast.region.height >= 2
        assert toast.region.bottom == size[1] - 1
        desk.journey.sees("? Help", MESSAGE[:40], HINT[-9:])
        for pane in screen.query(".pane"):
            assert not pane.content_region.overlaps(toast.region), screen_text(desk.app)
            assert pane.content_region.offset == before[pane].offset

        toast._expire()
        await desk.journey.rest()
        assert {pane: pane.content_region for pane in screen.query(".pane")} == before


async def test_a_toast_takes_no_room_on_a_screen_where_it_does_not_stand_any_more(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="review", size=(80, 24)) as desk:
        desk.app.notify(f"{MESSAGE}\n{HINT}", severity="error", markup=False)
        await desk.journey.use(HEALTH)

        (toast,) = desk.app.screen.query(Toast)
        panes = [*desk.app.screen.query(".pane")]
        assert not any(pane.content_region.overlaps(toast.region) for pane in panes)

        desk.app.clear_notifications()
        await desk.journey.use(REVIEW)
        panes += [*desk.app.screen.query(".pane")]
        assert not any(pane.styles.padding.bottom for pane in panes)


async def test_what_is_so_already_is_no_error(tmp_path: Path) -> None:
    async with opened(tmp_path, start="review", size=(80, 24)) as desk:
        for error, is_wrong in ((Already("it is so already"), False), (NotPossible(MESSAGE), True)):
            desk.app.clear_notifications()
            desk.app.show_error(error)
            await desk.journey.rest()

            (toast,) = desk.app.screen.query(Toast)
            assert toast.has_class("-error") is is_wrong


async def test_what_was_said_of_a_screen_goes_with_it_but_no_error_and_no_undo(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, start="review", size=(80, 24)) as desk:
        for text, has_failed, is_undoable, stays in (
            ("copied 1 line", False, False, False),
            ("copied: Approved conv-018 · u to undo", False, False, False),
            ("Approved conv-018", False, True, True),
            (MESSAGE, True, False, True),
        ):
            await desk.journey.use(REVIEW)
            screen = desk.app.screen
            assert isinstance(screen, RememScreen)
            screen.say(text, bad=has_failed, undoable=is_undoable)
            await desk.journey.rest()
            await desk.journey.use(HEALTH)

            said = [str(toast.render()) for toast in desk.app.screen.query(Toast)]
            assert any(each.startswith(text) for each in said) is stays, said


@pytest.mark.parametrize("start", ["browse", "history", "prompt"])
async def test_the_keys_of_matches_say_that_nothing_is_searched(tmp_path: Path, start: str) -> None:
    settings = "keymap: {find.filter: è}\n"
    async with opened(tmp_path, start=start, size=(80, 24), settings=settings) as desk:
        for verb in (NEXT_MATCH, PREVIOUS_MATCH):
            before = desk.cursor if start != "prompt" else None
            await desk.journey.use(verb)

            desk.journey.sees("press è and type a search first")
            assert start == "prompt" or desk.cursor == before
            desk.app.clear_notifications()


async def test_find_tells_the_key_of_undo_as_the_settings_have_it(tmp_path: Path) -> None:
    async with opened(tmp_path, settings="keymap: {undo: é}\n") as desk:
        refs = [desk.bench.library.resolve("conv-018")]
        desk.bench.apply(desk.bench.intend("approve", refs))
        await desk.journey.use(EVERYWHERE)
        await desk.journey.types("approve sniper:conv-018")
        await desk.journey.use(RESTORE_FOUND)

        desk.journey.sees("é undoes it")


async def test_what_is_said_of_a_change_names_the_key_of_undo_as_the_settings_have_it(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, settings="keymap: {undo: é}\n") as desk:
        await desk.go_to("Feature flags")
        await desk.journey.use(APPROVE)

        desk.journey.sees("é to undo")
