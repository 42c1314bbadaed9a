"""What is said in a toast hides no line that is read: panes end above it while it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.opened import opened
from textual.widgets._toast import Toast

from remem.tui.textual_private import screen_text
from remem.tui.verbs import HEALTH, REVIEW

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
        desk.app.notify(f"{MESSAGE}\n{HINT}", markup=False)
        await desk.journey.use(HEALTH)

        (toast,) = desk.app.screen.query(Toast)
        panes = [*desk.app.screen.query(".pane")]
        assert not any(pane.content_region.overlaps(toast.region) for pane in panes)

        desk.app.clear_notifications()
        await desk.journey.use(REVIEW)
        panes += [*desk.app.screen.query(".pane")]
        assert not any(pane.styles.padding.bottom for pane in panes)
