"""What waits until the first frame stands: nothing takes a turn away from drawing it."""

from __future__ import annotations

import gc
from pathlib import Path

from tests.bench.workspaces import project
from tests.tui.journey import until
from textual.screen import Screen

from remem.core.session import Session
from remem.core.settings import Places
from remem.tui.app import MODES, RememApp
from remem.tui.textual_private import screen_text


class Held(RememApp):
    """Begins with the rest when it is let."""

    is_let = False

    def begin(self) -> None:
        if self.is_let:
            super().begin()


class Looking(Screen[None]):
    """Notes whether garbage is looked for while it is made."""

    looked: bool | None = None

    def on_mount(self) -> None:
        self.looked = gc.isenabled()


def session(tmp_path: Path) -> Session:
    return Session.open(project(tmp_path / "root", 3), Places.of(tmp_path / "home"), door="tui")


async def test_the_first_card_is_gathered_once_its_frame_stands(tmp_path: Path) -> None:
    app = Held(session(tmp_path), start="review")
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        await pilot.pause()

        assert "0/" in screen_text(app)
        assert not [each for each in app.workers if each.group == "card"]
        assert "Approve writes" not in screen_text(app)

        app.is_let = True
        app.begin()

        await until(lambda: "Approve writes" in screen_text(app))


async def test_garbage_is_looked_for_from_the_first_frame_on(tmp_path: Path) -> None:
    app = RememApp(session(tmp_path), dict.fromkeys(MODES, Looking))
    async with app.run_test() as pilot:
        await pilot.pause()

        screen = app.screen
        assert isinstance(screen, Looking)
        assert screen.looked is False
        assert gc.isenabled()
