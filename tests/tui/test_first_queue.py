"""The first frame of a large store shows what is found at a glance, and no number before all is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.bench.workspaces import MARKER, project
from textual.events import Key

from remem.core.session import Session
from remem.core.settings import Places
from remem.tui.app import RememApp
from remem.tui.textual_private import screen_text
from remem.tui.widgets.input_line import InputLine

ADDED = "Buoys are lit from the shore"


class FirstFrame(RememApp):
    """Keeps what the screen shows before anything follows the first frame."""

    first = ""

    def begin(self) -> None:
        self.first = self.first or screen_text(self)
        super().begin()


def opened(root: Path, home: Path, **options: Any) -> FirstFrame:
    return FirstFrame(Session.open(root, Places.of(home), door="tui"), **options)


@pytest.mark.parametrize(("entries", "is_large"), [(40, False), (2_400, True)])
def test_what_every_entry_is_searched_for_comes_behind_the_first_frame_of_a_large_store(
    entries: int, is_large: bool, tmp_path: Path
) -> None:
    root = project(tmp_path / "root", entries)
    store = root / ".sniper" / "memory" / "conventions.yaml"
    text = store.read_text()
    line = next(each for each in text.splitlines() if "rule:" in each)
    store.write_text(
        text.replace(
            line, f'    rule: "{ADDED}"\n    seen: [{{ref: sprint-1-retro, auto: true}}]', 1
        )
    )
    app = opened(root, tmp_path / "home")

    async def until_there() -> str:
        async with app.run_test(size=(120, 36)) as pilot:
            for _ in range(200):
                await pilot.pause()
                if ADDED in screen_text(app):
                    break
            return screen_text(app)

    last = asyncio.run(until_there())

    assert MARKER in app.first
    assert [each in app.first for each in (ADDED, "0/1", "0/2 decided")] == [not is_large] * 3
    assert ADDED in last
    assert "0/2 decided" in last


class Impatient(FirstFrame):
    """Is typed into before its first frame stands on the terminal."""

    def begin(self) -> None:
        if not self.first:
            for key in "/aqu":
                self.post_message(Key("slash" if key == "/" else key, key))
        super().begin()


def test_what_is_typed_before_the_first_frame_goes_where_it_was_meant_to_go(tmp_path: Path) -> None:
    root = project(tmp_path / "root", 40)
    store = root / ".sniper" / "memory" / "conventions.yaml"
    before = store.read_bytes()
    session = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    app = Impatient(session)

    async def typed() -> str:
        async with app.run_test(size=(120, 36)) as pilot:
            line = app.screen.query_one(InputLine)
            for _ in range(200):
                await pilot.pause()
                if line.question is not None and len(line.text) == 3:
                    break
            return line.text

    assert asyncio.run(typed()) == "aqu"
    assert store.read_bytes() == before
