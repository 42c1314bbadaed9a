"""A change that a crash cut in two is settled by whoever comes next, before anything is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from tests.cli.conftest import Answer, Shell
from tests.hostile.crashing import (
    CASES,
    Case,
    Ends,
    Harbour,
    approve_all,
    crash,
    ends_of,
    memory_folder,
)

from remem.core.session import Session
from remem.core.settings import Places
from remem.mcp.calls import answer
from remem.mcp.server_state import Call, ServerState
from remem.mcp.tools import TOOLS
from remem.store.io import Disk

pytestmark = pytest.mark.slow

BULK: Final = next(case for case in CASES if case.act is approve_all)
TITLE: Final = "Approve 100 entries"
LOOKS: Final = (
    ("list", "--json"),
    ("show", "conv-060", "--json"),
    ("queue", "--json"),
    ("compose", "--role", "backend-engineer"),
    ("why", "conv-060", "--role", "backend-engineer"),
    ("search", "harbour", "--json"),
    ("export",),
    ("history",),
    ("status", "--json"),
    ("persona", "list"),
)


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Death of a process loses nothing that was written, so durability may be skipped here."""
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.fixture(scope="module")
def halves() -> Iterator[tuple[Harbour, Ends, int]]:
    """Return a harbour, both ends of a bulk approval, and a call between its two files."""
    with TemporaryDirectory(dir=memory_folder()) as folder:
        harbour = BULK.at(Path(folder))
        ends = ends_of(harbour, BULK)
        yield harbour, ends, _between(harbour, ends, BULK)
        harbour.close()


def _between(harbour: Harbour, ends: Ends, case: Case) -> int:
    """Return a call at which one of two files is written and the other is not."""
    for at in ends.disk.effects:
        crash(harbour, case, at, "after")
        live = {name for name, value in ends.before.items() if ends.after[name] != value}
        picture = harbour.picture()
        if {picture[name] == ends.after[name] for name in live} == {True, False}:
            return at
    raise AssertionError("no call is between two files")


def _ask(harbour: Harbour, *words: str) -> Answer:
    return Shell(harbour.root, harbour.home)(*words)


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
def test_nobody_who_looks_is_given_half_a_change(
    halves: tuple[Harbour, Ends, int], words: tuple[str, ...]
) -> None:
    harbour, ends, at = halves
    harbour.put_back()
    whole = _ask(harbour, *words)
    crash(harbour, BULK, at, "after")
    assert harbour.picture() != ends.before

    found = _ask(harbour, *words)

    assert (found.code, found.raw) == (whole.code, whole.raw)
    assert f"note: rolled back after a crash: {TITLE}" in found.err
    assert harbour.picture() == ends.before
    assert "crash" not in _ask(harbour, *words).err


def test_an_agent_is_given_no_half_a_change(halves: tuple[Harbour, Ends, int]) -> None:
    harbour, ends, at = halves
    crash(harbour, BULK, at, "after")
    tool = next(each for each in TOOLS if each.name == "memory_compose")
    state = ServerState(harbour.root, harbour.places, "s1")

    told = answer(Call(state, tool.read({"role": "backend-engineer"}), "claude"))
    state.close()

    assert "rule number" not in json.dumps(told)
    assert harbour.picture() == ends.before


def test_screens_that_are_open_see_nothing_of_a_change_that_another_process_left_undone(
    halves: tuple[Harbour, Ends, int],
) -> None:
    harbour, ends, at = halves
    harbour.put_back()
    screens = Session.open(harbour.root, Places.of(harbour.home), door="tui")
    states = {entry.ref: entry.status for s in screens.library.complete() for entry in s.entries}
    shown: list[object] = []
    screens.subscribe(lambda library, _: shown.append(library))
    _die_meanwhile(harbour, at)

    screens.refresh()
    screens.close()

    after = {e.ref: e.status for s in screens.library.complete() for e in s.entries}
    assert (after, shown) == (states, [])
    assert screens.unfinished.told() == (f"rolled back after a crash: {TITLE}",)
    assert harbour.picture() == ends.before


def test_what_another_process_rolls_back_is_no_change_from_outside_on_an_open_screen(
    halves: tuple[Harbour, Ends, int],
) -> None:
    harbour, _, at = halves
    harbour.put_back()
    screens = Session.open(harbour.root, Places.of(harbour.home), door="tui")
    screens.begin()
    _die_meanwhile(harbour, at)
    with Disk().lock(harbour.places.state / "lock"):
        screens.refresh()  # somebody else is at it

    told = _ask(harbour, "list").err
    screens.refresh()

    assert f"rolled back after a crash: {TITLE}" in told
    assert [(each.path.name, each.cause) for each in screens.past.outside()] == []
    screens.close()


def test_undo_settles_what_was_cut_short_and_says_that_this_was_all(
    halves: tuple[Harbour, Ends, int],
) -> None:
    harbour, ends, at = halves
    crash(harbour, BULK, at, "after")

    undone = _ask(harbour, "undo")

    assert undone.code == 0
    assert f"rolled back after a crash: {TITLE}" in undone.err
    assert "nothing else to undo" in undone.err
    assert harbour.picture() == ends.before


def test_who_cannot_settle_a_change_says_that_it_is_unfinished(
    halves: tuple[Harbour, Ends, int],
) -> None:
    harbour, ends, at = halves
    crash(harbour, BULK, at, "after")
    before = harbour.picture()

    with Disk().lock(harbour.places.state / "lock"):
        found = _ask(harbour, "list", "--json")

    assert found.code == 0
    assert "note: a change is unfinished and may be partly visible" in found.err
    assert harbour.picture() == before != ends.before


def test_with_nothing_under_way_a_reader_looks_into_one_folder_and_makes_nothing(
    tmp_path: Path,
) -> None:
    (tmp_path / "root").mkdir()
    asked: list[tuple[str, str]] = []

    class Told(Disk):
        def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            if args and str(args[0]).endswith(("running", "journal.db", "lock")):
                asked.append((name, Path(args[0]).name))
            return super().perform(name, call, *args, **kwargs)

    places = Places.of(tmp_path / "home")
    Session.open(tmp_path / "root", places, door="cli", disk=Told())

    assert {name for name, _ in asked} <= {"names", "stamp"}
    assert {folder for _, folder in asked} == {"running"}
    assert len(asked) <= 5
    assert not places.state.exists()


def _die_meanwhile(harbour: Harbour, at: int) -> None:
    from tests.failing_disk import DyingDisk, Killed

    with pytest.raises(Killed):
        approve_all(harbour.bench(DyingDisk(at, "after")))
    harbour.abandon()
