"""A key that does nothing where one stands is not offered there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.opened import Opened, opened

from remem.tui.verbs import DIFF, NEXT_PANE, OPEN
from remem.tui.widgets.key_bar import KeyBar
from remem.tui.widgets.text_view import TextView

HISTORY = ".squad/agents/dunlin/history.md"
NOTE = "Ferry times come from the harbour board, never from the printed table."


def offered(desk: Opened) -> set[str]:
    return {hint.verb for hint in desk.app.screen.query_one(KeyBar).hints if not hint.blocked}


@pytest.mark.parametrize("screen", ["browse", "health"])
async def test_nothing_is_opened_from_a_pane_that_shows_what_is_open(
    tmp_path: Path, screen: str
) -> None:
    async with opened(tmp_path, start=screen) as desk:
        assert OPEN.id in offered(desk)

        while not isinstance(desk.app.focused, TextView):
            await desk.journey.use(NEXT_PANE)
        assert OPEN.id not in offered(desk)

        await desk.journey.use(NEXT_PANE)
        assert OPEN.id in offered(desk)


async def test_no_diff_is_offered_of_what_an_agent_wrote_since_its_card_shows_it_all(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as desk:
        await desk.journey.rest()
        assert DIFF.id in offered(desk)

        await desk.write(HISTORY, lambda data: data + f"- {NOTE}\n".encode())
        await desk.journey.rest()
        await desk.go_to(NOTE)
        desk.journey.sees("new since you last looked")
        assert DIFF.id not in offered(desk)

        await desk.journey.use(DIFF)
        desk.journey.sees("Diff: all that was written is shown here")
