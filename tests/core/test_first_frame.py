"""A frame is shown again only where all that it was made of is as it was."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from remem.base.clock import Clock
from remem.core.first_frame import FirstFrame, Opening, kept_frame
from remem.store.io import Disk

FRAME = "\x1b[1;1H\x1b[38;2;1;2;3m project \x1b[0m"
SIZE = (120, 36)


def later(seconds: float) -> Clock:
    """Return a clock that is ahead: what was written before is older than a tick."""
    return Clock(now=lambda: datetime.now(UTC) + timedelta(seconds=seconds))


@pytest.fixture
def opening(tmp_path: Path) -> Opening:
    (tmp_path / "root" / "rules").mkdir(parents=True)
    (tmp_path / "root" / "CLAUDE.md").write_text("- Be brief.\n")
    state = tmp_path / "home" / ".local" / "state" / "remem"
    state.mkdir(parents=True)
    (state / "left").write_text("review")
    return Opening.of(str(tmp_path / "root"), tmp_path / "home", {"TERM": "xterm"}, SIZE)


def kept(
    opening: Opening, *, frame: str = FRAME, before_noting: Callable[[], object] = int
) -> bool:
    """Open it once, as the screens do, and tell whether its frame was kept."""
    first = FirstFrame(opening, later(3))
    root, home = opening.start, opening.home
    assert home is not None
    first.disk.read(root / "CLAUDE.md")
    first.disk.names(root / "rules")
    first.disk.kind(root / "AGENTS.md")
    first.disk.read(home / ".local" / "state" / "remem" / "left")
    first.drawn(frame, SIZE)
    first.disk.kind(root / "later.md")
    before_noting()
    first.note()
    return first.keep()


def shown(opening: Opening) -> str | None:
    return kept_frame(Disk(), Clock(), opening)


def test_a_frame_is_shown_where_nothing_changed_and_its_owner_alone_can_read_it(
    opening: Opening,
) -> None:
    assert kept(opening)

    assert shown(opening) == FRAME
    assert opening.path.stat().st_mode & 0o777 == 0o600


def test_a_frame_that_is_known_is_not_written_again(opening: Opening) -> None:
    assert kept(opening)

    assert not kept(opening)
    assert shown(opening) == FRAME


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "CLAUDE.md").write_text("- Be loud!.\n"),
        lambda root: (root / "CLAUDE.md").unlink(),
        lambda root: (root / "AGENTS.md").write_text("- Come later.\n"),
        lambda root: (root / "rules" / "new.md").write_text("- Come later.\n"),
        lambda root: (root / "CLAUDE.md").chmod(0o600),
    ],
    ids=["written", "removed", "came", "came-to-a-folder", "other-rights"],
)
def test_a_frame_is_none_once_what_it_was_made_of_changed(
    opening: Opening, change: Callable[[Path], object]
) -> None:
    assert kept(opening)

    change(opening.start)

    assert shown(opening) is None


def test_times_that_are_put_back_hide_no_change(opening: Opening) -> None:
    file = opening.start / "CLAUDE.md"
    assert kept(opening)
    before = file.stat()

    file.write_text("- Be loud.!\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert shown(opening) is None


def test_what_is_asked_after_the_frame_is_not_of_it(opening: Opening) -> None:
    assert kept(opening)

    (opening.start / "later.md").write_text("- Was not looked at.\n")

    assert shown(opening) == FRAME


def test_what_remem_writes_anew_with_the_same_in_it_changes_nothing(opening: Opening) -> None:
    assert opening.home is not None
    left = opening.home / ".local" / "state" / "remem" / "left"
    assert kept(opening)

    left.write_text("review")
    (opening.start / "rules" / "passing").touch()
    (opening.start / "rules" / "passing").unlink()
    assert shown(opening) == FRAME

    left.write_text("start")
    assert shown(opening) is None


def test_another_terminal_environment_or_day_has_a_frame_of_its_own(opening: Opening) -> None:
    assert kept(opening)

    assert shown(replace(opening, size=(80, 24))) is None
    assert shown(replace(opening, environment={"TERM": "xterm", "NO_COLOR": "1"})) is None
    assert kept_frame(Disk(), later(86_400), opening) is None
    assert shown(replace(opening, environment={"TERM": "xterm", "SHLVL": "3"})) == FRAME


def test_what_was_written_while_it_was_drawn_may_be_in_it_or_not(opening: Opening) -> None:
    file = opening.start / "CLAUDE.md"
    first = FirstFrame(opening, Clock())
    file.write_text("- Be loud!!\n")
    first.disk.read(file)
    first.drawn(FRAME, SIZE)
    first.note()

    assert not first.keep()
    assert shown(opening) is None


def test_a_frame_of_another_size_than_the_terminal_had_is_not_kept(opening: Opening) -> None:
    first = FirstFrame(opening, later(3))
    first.drawn(FRAME, (80, 24))
    first.note()

    assert not first.keep()


@pytest.mark.parametrize("control", ["\x1b]52;c;aGk=\x07", "\x1b[?1049l", "\n", "\x1b[6n", "\x07"])
def test_nothing_but_text_colours_and_places_reaches_the_terminal(
    opening: Opening, control: str
) -> None:
    kept(opening, frame=FRAME + control)

    assert shown(opening) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"form": 1}'])
def test_a_note_that_is_damaged_is_none(opening: Opening, damage: bytes) -> None:
    assert kept(opening)

    opening.path.write_bytes(damage)

    assert shown(opening) is None


def test_a_note_of_another_form_is_none(opening: Opening) -> None:
    assert kept(opening)
    value = json.loads(opening.path.read_bytes())

    opening.path.write_text(json.dumps({**value, "form": 0}))

    assert shown(opening) is None


def test_what_a_table_has_before_it_is_written_into_it_counts(opening: Opening) -> None:
    table = opening.start / "facts.db"
    table.write_bytes(b"rows")
    first = FirstFrame(opening, later(3))
    first.disk.kind(table)
    first.drawn(FRAME, SIZE)
    first.note()
    assert first.keep()

    (opening.start / "facts.db-wal").write_bytes(b"more rows")

    assert shown(opening) is None
