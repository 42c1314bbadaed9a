"""What a person sees before the screens are loaded, in a real terminal."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.bench.workspaces import MARKER, project
from tests.demo_files import demo_at
from tests.tui.on_a_terminal import HELD, REMEM, ROWS, Terminal

from remem.demo.build import home_of

TAKES_OVER = "\x1b[?1000h"
"""What the screens write first."""
EMPTIES = "\x1b[?1049h"
LEAVES = "\x1b[?1049l"


class Place:
    """A root that can be opened again and again."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home
        self._open: list[Terminal] = []

    def opened(self, code: str = REMEM) -> Terminal:
        made = Terminal(code, str(self.root), "--home", str(self.home), home=self.home)
        self._open.append(made)
        return made

    def opened_before(self, code: str = REMEM) -> Terminal:
        """Open it until what a next opening may show is kept; return the next opening.

        An opening that takes more than a second draws before it has anything to draw, and keeps
        nothing; the one after it is faster.
        """
        frames = self.home / ".cache" / "remem" / "frames"
        for _ in range(4):
            first = self.opened()
            is_kept = first.comes(lambda: any(frames.glob("*[!w]")), 10)
            first.press(b"q")
            assert first.until_left() == 0
            if is_kept:
                return self.opened(code)
        raise AssertionError("no frame was kept")

    def close(self) -> None:
        for each in self._open:
            each.close()


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Place]:
    root = demo_at(tmp_path / "demo")
    place = Place(root, home_of(root))
    yield place
    place.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Callable[..., Place]]:
    made: list[Place] = []

    def of(entries: int, *, candidates: int = 1) -> Place:
        (tmp_path / "home").mkdir()
        root = project(tmp_path / "root", entries, candidates=candidates)
        made.append(Place(root, tmp_path / "home"))
        return made[-1]

    yield of
    for each in made:
        each.close()


def first_that_stays(place: Place) -> str:
    """Return a first frame over which the screens drew the same.

    On a busy machine what is counted behind it may come within their first frame: then the next
    opening is looked at.
    """
    for _ in range(3):
        first = nothing_moves(place.opened_before())
        if first:
            return first
    raise AssertionError("something moved at every opening")


def nothing_moves(terminal: Terminal) -> str:
    """Return the first frame, once the screens drew theirs in its place and nothing else.

    Empty: something else was drawn before every pane was.
    """
    terminal.until(lambda: TAKES_OVER in terminal.written)
    seen, first = terminal.seen, terminal.seen.text
    seen.painted.clear()
    rest = ""

    def has_gone_on() -> bool:
        nonlocal rest
        rest += terminal.read()
        while rest and seen.text == first:
            seen.feed(rest[:64])
            rest = rest[64:]
        return seen.text != first

    terminal.until(has_gone_on)  # with what is counted and checked behind the frame
    before = first.split("\n")
    if not seen.painted >= {*range(1, ROWS - 1)}:  # else every pane was drawn over, the same
        return ""
    assert seen.rows[1:] == before[1:]  # the top line tells what is going on behind
    seen.feed(rest)
    terminal.until(lambda: ROWS - 1 in seen.painted)
    assert seen.rows[-1] == before[-1]
    assert terminal.written.count(EMPTIES) == 1
    return first


@pytest.mark.slow
def test_the_frame_of_the_demo_stands_before_the_screens_and_they_move_nothing(demo: Place) -> None:
    first = first_that_stays(demo)

    assert "Queue" in first
    assert "sprint-7-retro" in first


@pytest.mark.slow
def test_the_frame_of_ten_thousand_entries_stands_before_the_screens_and_they_move_nothing(
    store: Callable[..., Place],
) -> None:
    first = first_that_stays(store(10_000))

    assert MARKER in first
    assert "reading …" in first  # a word where nobody counted yet


@pytest.mark.slow
def test_the_second_opening_begins_with_a_frame_also_where_nothing_waits(tmp_path: Path) -> None:
    memory = tmp_path / "root" / ".claude" / "agent-memory" / "captain" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("- Ropes are checked before the tide\n")
    (tmp_path / "home").mkdir()
    place = Place(tmp_path / "root", tmp_path / "home")

    try:
        second = place.opened_before()
        second.until(lambda: TAKES_OVER in second.written)
        first = second.written.partition(TAKES_OVER)[0]
    finally:
        place.close()

    assert "captain" in first


@pytest.mark.slow
def test_keys_pressed_on_a_frame_that_nobody_hears_yet_are_done_in_their_order(
    store: Callable[..., Place],
) -> None:
    terminal = store(40, candidates=6).opened_before(HELD)
    terminal.until_shown(MARKER)
    assert TAKES_OVER not in terminal.written

    terminal.press(b"/Case 37\r")
    os.kill(terminal.child, signal.SIGUSR1)

    terminal.until_shown("/Case 37 · 1 of 6")


@pytest.mark.slow
def test_a_terminal_is_left_as_it_was(store: Callable[..., Place]) -> None:
    terminal = store(40).opened_before(HELD)
    terminal.until_shown(MARKER)
    assert terminal.attributes != terminal.attributes_before
    os.kill(terminal.child, signal.SIGUSR1)
    terminal.until_shown("live")

    terminal.press(b"q")

    assert terminal.until_left() == 0
    assert terminal.attributes == terminal.attributes_before
    assert LEAVES in terminal.written


@pytest.mark.slow
def test_ctrl_c_before_the_screens_are_there_gives_the_terminal_back(
    store: Callable[..., Place],
) -> None:
    terminal = store(40).opened_before(HELD)
    terminal.until_shown(MARKER)
    assert TAKES_OVER not in terminal.written

    terminal.press(b"\x03")

    assert terminal.until_left() == 130
    assert "Traceback" not in terminal.written
    assert terminal.attributes == terminal.attributes_before
    assert LEAVES in terminal.written


@pytest.mark.slow
def test_what_was_written_since_is_not_shown_as_it_was(store: Callable[..., Place]) -> None:
    place = store(40)
    place.opened_before().close()
    place._open.pop()
    memory = place.root / ".sniper" / "memory" / "conventions.yaml"
    memory.write_text(memory.read_text().replace(MARKER, "Lamps are counted once"))

    terminal = place.opened()

    terminal.until_shown("Lamps are counted once")
    assert MARKER not in terminal.written
