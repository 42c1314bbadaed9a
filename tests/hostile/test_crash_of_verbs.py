"""Whatever call of a real verb is the last one, nothing is half done once remem started again.

In the ordinary suite some calls of each verb, under `slow` all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from tests.failing_disk import CountingDisk, DyingDisk, Killed, ShortDisk
from tests.hostile.crashing import (
    CASES,
    Case,
    Ends,
    Harbour,
    crash,
    ends_of,
    memory_folder,
    start_again,
    violations,
)

Place = tuple[int, str]
Built = tuple[Case, Harbour, Ends]

STORE_LINE: Final = b"  - id: conv-900\n    rule: Someone else wrote this\n"
LESSON_LINE: Final = b"- Someone else learnt this\n"
FOREIGN: Final = {
    "conventions.yaml": STORE_LINE,
    "history.md": LESSON_LINE,
    "MEMORY.md": LESSON_LINE,
}
"""What others append, by the name of the file; a memory that moves has either of two."""
NEVER: Final = 1 << 30


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Death of a process loses nothing that was written, so durability may be skipped here."""
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.fixture(params=CASES, ids=lambda case: case.name, scope="module")
def built(request: pytest.FixtureRequest) -> Iterator[Built]:
    case: Case = request.param
    with TemporaryDirectory(dir=memory_folder()) as folder:
        harbour = case.at(Path(folder))
        yield case, harbour, ends_of(harbour, case)
        harbour.close()


def places(ends: Ends) -> list[Place]:
    """Return every place at which an end leaves another picture than the one before it."""
    found: list[Place] = []
    for at in ends.disk.effects:
        found.append((at, "before"))
        if at in ends.disk.writes:
            found.append((at, "torn"))
        found.append((at, "after"))
    return found


def some(of: Sequence[Place], step: int) -> list[Place]:
    """Return each `step`-th, the last one always."""
    return [*of[::step], of[-1]]


def wrong_after_crash(built: Built, place: Place) -> list[str]:
    case, harbour, ends = built
    crash(harbour, case, *place)
    torn = ends.torn(harbour.picture(), appending=place[1] == "torn")
    return [f"{place} {ends.disk.calls[place[0] - 1]}: {what}" for what in torn] + [
        f"{place} {ends.disk.calls[place[0] - 1]}: {what}" for what in violations(harbour, ends)
    ]


def wrong_after_crash_and_append(built: Built, place: Place) -> list[str]:
    """Let others append between the crash and the recovery, and take their lines out after it."""
    case, harbour, ends = built
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
    return wrong + violations(harbour, ends)


def die_in_recovery(harbour: Harbour, at: int, how: str) -> None:
    disk = DyingDisk(NEVER, how)
    bench = harbour.bench(disk)
    disk.calls.clear()
    disk.at = at
    try:
        bench.begin()
    except Killed:
        harbour.abandon()


def effects_of_recovery(built: Built, place: Place) -> tuple[int, ...]:
    case, harbour, _ = built
    crash(harbour, case, *place)
    disk = CountingDisk()
    bench = harbour.bench(disk)
    disk.calls.clear()
    bench.begin()
    return disk.effects


def wrong_after_two_crashes(built: Built, place: Place, again: int, how: str) -> list[str]:
    case, harbour, ends = built
    crash(harbour, case, *place)
    die_in_recovery(harbour, again, how)
    torn = ends.torn(harbour.picture(), appending=place[1] == "torn")
    return [f"{place}, then {how} {again}: {w}" for w in (*torn, *violations(harbour, ends))]


def test_killed_anywhere_a_verb_is_done_or_not_done(built: Built) -> None:
    wrong = [w for place in some(places(built[2]), 17) for w in wrong_after_crash(built, place)]

    assert wrong == []


def test_what_others_append_before_the_recovery_is_kept(built: Built) -> None:
    where = some(places(built[2]), 31)

    assert [w for place in where for w in wrong_after_crash_and_append(built, place)] == []


def test_a_recovery_that_is_killed_is_recovered(built: Built) -> None:
    wrong: list[str] = []
    for place in places(built[2])[15::40]:
        effects = effects_of_recovery(built, place)
        for again, how in zip(effects[::6], cycle(("before", "after"))):
            wrong += wrong_after_two_crashes(built, place, again, how)

    assert wrong == []


def test_a_disk_that_takes_half_of_each_write_gets_the_rest_in_more_writes(built: Built) -> None:
    case, harbour, ends = built
    harbour.put_back()
    disk = ShortDisk()

    case.act(harbour.bench(disk))

    assert len(disk.writes) > 2 * len(ends.disk.writes)
    assert harbour.picture() == ends.after


@pytest.mark.slow
def test_killed_at_every_call_a_verb_is_done_or_not_done(built: Built) -> None:
    wrong = [w for place in places(built[2]) for w in wrong_after_crash(built, place)]

    assert wrong == []


@pytest.mark.slow
def test_what_others_append_after_a_crash_at_every_call_is_kept(built: Built) -> None:
    where = places(built[2])

    assert [w for place in where for w in wrong_after_crash_and_append(built, place)] == []


@pytest.mark.slow
def test_a_recovery_killed_at_every_call_is_recovered(built: Built) -> None:
    wrong: list[str] = []
    for place in some(places(built[2]), 15):
        for again in effects_of_recovery(built, place):
            for how in ("before", "after"):
                wrong += wrong_after_two_crashes(built, place, again, how)

    assert wrong == []
