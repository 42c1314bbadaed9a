"""Whose turn it is: a key's frame comes before what threads do behind the screen."""

from collections.abc import Callable
from threading import Thread
from time import monotonic

import pytest

from remem.base import turns
from remem.base.turns import (
    behind_the_screen,
    change_seen,
    frame_drawn,
    give_way,
    in_turns,
    key_pressed,
)

GIVEN = 0.05
"""Seconds that a key has for its frame at the most."""
TRIES = 20
"""A busy machine may hold up any of them; not all."""


def in_a_thread(work: Callable[[], float]) -> float:
    taken: list[float] = []
    thread = Thread(target=lambda: taken.append(work()))
    thread.start()
    thread.join()
    return taken[0]


def after_the_key() -> float:
    """Return the seconds from a key until a thread behind the screen may go on."""

    def work() -> float:
        with behind_the_screen():
            pressed = monotonic()
            key_pressed()
            give_way()
            return monotonic() - pressed

    return in_a_thread(work)


def test_a_thread_behind_the_screen_stands_back_while_a_key_has_no_frame() -> None:
    assert after_the_key() >= GIVEN


def test_it_goes_on_soon_after_the_frame() -> None:
    def work() -> float:
        with behind_the_screen():
            pressed = monotonic()
            key_pressed()
            frame_drawn()
            give_way()
            return monotonic() - pressed

    assert min(in_a_thread(work) for _ in range(TRIES)) < GIVEN


def test_a_thread_that_somebody_waits_for_does_not_stand_back() -> None:
    def work() -> float:
        pressed = monotonic()
        key_pressed()
        give_way()
        return monotonic() - pressed

    assert min(in_a_thread(work) for _ in range(TRIES)) < GIVEN / 5


def test_whoever_has_left_the_place_behind_the_screen_does_not_stand_back() -> None:
    def work() -> float:
        with behind_the_screen(), behind_the_screen():
            pass
        pressed = monotonic()
        key_pressed()
        give_way()
        return monotonic() - pressed

    assert min(in_a_thread(work) for _ in range(TRIES)) < GIVEN / 5


def test_frames_without_a_key_hold_nobody_up() -> None:
    assert after_the_key() >= GIVEN  # the key's time is over

    def work() -> float:
        with behind_the_screen():
            drawn = monotonic()
            frame_drawn()
            give_way()
            return monotonic() - drawn

    assert min(in_a_thread(work) for _ in range(TRIES)) < GIVEN / 5


def test_whatever_goes_through_things_in_turns_stands_back_at_the_first_of_them() -> None:
    def work() -> float:
        with behind_the_screen():
            pressed = monotonic()
            key_pressed()
            assert list(in_turns("abc")) == ["a", "b", "c"]
            return monotonic() - pressed

    assert in_a_thread(work) >= GIVEN


def after_a_change() -> float:
    """Return the seconds from a change on disk until a thread behind the screen may go on."""

    def work() -> float:
        with behind_the_screen():
            seen = monotonic()
            change_seen()
            give_way()
            return monotonic() - seen

    return in_a_thread(work)


def test_a_change_on_disk_has_its_frame_first_but_one_of_many_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "_next_change", 0.0)

    first, *others = (after_a_change() for _ in range(4))

    assert first >= 2 * GIVEN
    assert min(others) < GIVEN / 5
