"""Whatever call of a real verb is the last one, nothing is half done once remem started again.

In the ordinary suite some calls of each verb, under `slow` all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, ParamSpec, TypeVar

import pytest
from tests.failing_disk import HARMLESS, LOOKS, CountingDisk, DyingDisk, Killed, ShortDisk
from tests.hostile.crashing import (
    Act,
    Case,
    Ends,
    Harbour,
    crash,
    ends_of,
    every_case,
    memory_folder,
    start_again,
    violations,
)

from remem.core.session import Session

pytestmark = pytest.mark.slow

P = ParamSpec("P")
R = TypeVar("R")
Place = tuple[int, str]
Built = tuple[Case, Harbour, Ends, list[Place]]

STORE_LINE: Final = b"  - id: conv-900\n    rule: Someone else wrote this\n"
LESSON_LINE: Final = b"- Someone else learnt this\n"
FOREIGN: Final = {
    "conventions.yaml": STORE_LINE,
    "history.md": LESSON_LINE,
    "MEMORY.md": LESSON_LINE,
}
"""What others append, by the name of the file; a memory that moves has either of two."""


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Death of a process loses nothing that was written, so durability may be skipped here."""
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.fixture(params=every_case(), scope="module")
def built(request: pytest.FixtureRequest) -> Iterator[Built]:
    case: Case = request.param
    with TemporaryDirectory(dir=memory_folder()) as folder:
        harbour = case.at(Path(folder))
        ends = ends_of(harbour, case)
        harbour.put_back()
        yield case, harbour, ends, places_of(harbour, case.act)
        harbour.close()


class Watching(CountingDisk):
    """Notes of each effect whether anything was written since the end of the one before it."""

    def __init__(self, harbour: Harbour) -> None:
        super().__init__()
        self.after_more: set[int] = set()
        self._harbour = harbour
        self._left: list[object] = []

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name in LOOKS or name in HARMLESS:
            return super().perform(name, call, *args, **kwargs)
        if self._harbour.all() != self._left:
            self.after_more.add(len(self.calls) + 1)
        try:
            return super().perform(name, call, *args, **kwargs)
        finally:
            self._left = self._harbour.all()


def places_of(harbour: Harbour, act: Act) -> list[Place]:
    """Return every place at which an end leaves another state than the one before it.

    To end before an effect is to end after the one before that, unless rows were written between.
    """
    disk = Watching(harbour)
    act(harbour.bench(disk))
    effects = disk.effects  # leaving is not part of it
    harbour.close()
    found: list[Place] = []
    for at in effects:
        if at in disk.after_more:
            found.append((at, "before"))
        if at in disk.writes:
            found.append((at, "torn"))
        found.append((at, "after"))
    return found


def some(of: Sequence[Place], step: int) -> list[Place]:
    """Return each `step`-th, the last one always."""
    return [*of[::step], of[-1]]


def wrong_after_crash(built: Built, place: Place) -> list[str]:
    case, harbour, ends, _ = built
    crash(harbour, case, *place)
    torn = ends.torn(harbour.picture(), appending=place[1] == "torn")
    return [f"{place} {ends.disk.calls[place[0] - 1]}: {what}" for what in torn] + [
        f"{place} {ends.disk.calls[place[0] - 1]}: {what}" for what in violations(harbour, ends)
    ]


def wrong_after_crash_and_append(built: Built, place: Place) -> list[str]:
    """Let others append between the crash and the recovery, and take their lines out after it."""
    case, harbour, ends, _ = built
    crash(harbour, case, *place)
    added = 0
    for path in live_files(harbour):
        with path.open("ab") as file:
            file.write(FOREIGN[path.name])
            added += 1
    start_again(harbour)
    wrong = violations_without_foreign(harbour, ends, added)
    return [f"{place} {ends.disk.calls[place[0] - 1]}: {what}" for what in wrong]


def live_files(harbour: Harbour) -> list[Path]:
    return [path for path in harbour.root.rglob("*") if path.name in FOREIGN]


def violations_without_foreign(harbour: Harbour, ends: Ends, added: int) -> list[str]:
    found = 0
    for path in live_files(harbour):
        data, line = path.read_bytes(), FOREIGN[path.name]
        found += data.count(line)
        path.write_bytes(data.replace(line, b""))
    wrong = [] if found == added else [f"{found} of {added} foreign lines are there"]
    return [*wrong, *violations(harbour, ends)]


def die_in_recovery(harbour: Harbour, at: int, how: str) -> None:
    try:
        harbour.bench(DyingDisk(at, how)).begin()
    except Killed:
        harbour.abandon()


def places_of_recovery(built: Built, place: Place) -> list[Place]:
    case, harbour, *_ = built
    crash(harbour, case, *place)
    return places_of(harbour, Session.begin)


def wrong_after_two_crashes(built: Built, place: Place, again: Place) -> list[str]:
    case, harbour, ends, _ = built
    crash(harbour, case, *place)
    die_in_recovery(harbour, *again)
    torn = ends.torn(harbour.picture(), appending="torn" in (place[1], again[1]))
    return [f"{place}, then {again}: {w}" for w in (*torn, *violations(harbour, ends))]


def test_killed_anywhere_a_verb_is_done_or_not_done(built: Built) -> None:
    wrong = [w for place in some(built[3], 10) for w in wrong_after_crash(built, place)]

    assert wrong == []


def test_what_others_append_before_the_recovery_is_kept(built: Built) -> None:
    where = some(built[3], 18)

    assert [w for place in where for w in wrong_after_crash_and_append(built, place)] == []


def test_a_recovery_that_is_killed_is_recovered(built: Built) -> None:
    tried = [
        (place, again)
        for place in built[3][11::20]
        for again in places_of_recovery(built, place)[::5]
    ]

    assert [w for each in tried for w in wrong_after_two_crashes(built, *each)] == []


def test_a_disk_that_takes_half_of_each_write_gets_the_rest_in_more_writes(built: Built) -> None:
    case, harbour, ends, _ = built
    harbour.put_back()
    disk = ShortDisk()

    case.act(harbour.bench(disk))

    assert len(disk.writes) > 2 * len(ends.disk.writes)
    assert harbour.picture() == ends.after


def test_killed_at_every_call_a_verb_is_done_or_not_done(built: Built) -> None:
    where = some(built[3], built[0].every)

    wrong = [w for place in where for w in wrong_after_crash(built, place)]

    assert wrong == []


def test_what_others_append_after_a_crash_at_every_call_is_kept(built: Built) -> None:
    where = some(built[3], built[0].every)

    assert [w for place in where for w in wrong_after_crash_and_append(built, place)] == []


def test_a_recovery_killed_at_every_call_is_recovered(built: Built) -> None:
    tried = [
        (place, again) for place in some(built[3], 8) for again in places_of_recovery(built, place)
    ]

    assert tried
    assert [w for each in tried for w in wrong_after_two_crashes(built, *each)] == []
