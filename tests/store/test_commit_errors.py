"""When the system refuses a call, the files are whole and what is told is true."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from tests.failing_disk import HARMLESS, RefusingDisk
from tests.hostile.crashing import (
    Case,
    Ends,
    Harbour,
    Picture,
    ends_of,
    every_case,
    memory_folder,
    settled,
)

from remem.base.errors import RememError, WriteFailed

pytestmark = pytest.mark.slow

NUMBERS: Final = (
    errno.ENOSPC,
    errno.EIO,
    errno.EACCES,
    errno.EDQUOT,
    errno.EMFILE,
    errno.EROFS,
)
NEVER: Final = 1 << 30
Built = tuple[Case, Harbour, Ends]


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system refuses is injected above it; SQLite's own syncs go on."""
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.fixture(params=every_case(), scope="module")
def built(request: pytest.FixtureRequest) -> Iterator[Built]:
    case: Case = request.param
    with TemporaryDirectory(dir=memory_folder()) as folder:
        harbour = case.at(Path(folder))
        yield case, harbour, ends_of(harbour, case)
        harbour.close()


def attempt(built: Built, disk: RefusingDisk) -> RememError | None:
    """Open all, let the `at`-th call of the verb alone be refused, and return what is told."""
    case, harbour, _ = built
    harbour.put_back()
    at, disk.at = disk.at, NEVER
    bench = harbour.bench(disk)
    disk.calls.clear()
    disk.at = at
    try:
        case.act(bench)
    except RememError as error:
        return error
    finally:
        harbour.abandon()
    return None


def calls_of(built: Built) -> list[str]:
    disk = RefusingDisk(NEVER, 0)
    assert attempt(built, disk) is None
    return disk.calls


def wrong_after_error(built: Built, disk: RefusingDisk) -> list[str]:
    _, harbour, ends = built
    place = f"{errno.errorcode[disk.number]} at {disk.at}{' and on' if disk.from_then_on else ''}"
    told = attempt(built, disk)
    picture = harbour.picture()
    wrong = [*ends.torn(picture, appending=False), *disk.asked_again]
    refused = disk.calls[disk.at - 1]
    if told is not None:
        wrong += wrong_words(told, refused)
        later = "on the next start" in str(told)
        if not later and without_names_beside(picture) != ends.before:
            wrong.append(f"not as before, but told: {told}")
    elif without_names_beside(picture) != ends.after:
        wrong.append("told that it is done, and it is not")
    found = settled(harbour, ends)
    wrong += found.wrong
    if found.side != ("after" if told is None else "before"):
        wrong.append(f"after a new start: {found.side}, but told: {told}")
    return [f"{place} {refused}: {each}" for each in wrong]


def wrong_words(told: RememError, refused: str) -> Iterator[str]:
    if refused not in HARMLESS and not isinstance(told, WriteFailed):
        yield f"a write was refused, but told: {type(told).__name__}: {told}"
    if not told.hint:
        yield f"no hint: {told}"
    if "Errno" in str(told) or str(told).endswith("."):
        yield f"not in our words: {told}"


def without_names_beside(picture: Picture) -> Picture:
    return {
        name: value
        for name, value in picture.items()
        if not name.rpartition("/")[2].startswith(".remem-")
    }


def once_each(built: Built, step: int, numbers: Sequence[int] = NUMBERS) -> Iterator[RefusingDisk]:
    """Yield a disk for one in so many places, every time another error, alone or from there on."""
    turn = cycle((number, on) for number in numbers for on in (False, True))
    for at in range(1, len(calls_of(built)) + 1, step):
        number, on = next(turn)
        yield RefusingDisk(at, number, from_then_on=on)


def test_a_refused_call_leaves_whole_files_and_a_true_sentence(built: Built) -> None:
    some = once_each(built, 9)

    assert [wrong for disk in some for wrong in wrong_after_error(built, disk)] == []


def test_every_call_may_fail_as_on_a_bad_disk_or_a_full_one(built: Built) -> None:
    calls = calls_of(built)
    begin = next(at for at, name in enumerate(calls, 1) if name not in HARMLESS)
    # Until something is written all verbs read the same files in the same way.
    places = [*range(1, begin, 5), *range(begin, len(calls) + 1, built[0].every)]

    for at in places:
        bad, full = RefusingDisk(at, errno.EIO), RefusingDisk(at, errno.ENOSPC, from_then_on=True)

        assert [*wrong_after_error(built, bad), *wrong_after_error(built, full)] == []


def test_any_call_may_fail_in_any_way(built: Built) -> None:
    some = once_each(built, 2 * built[0].every, NUMBERS[::-1])

    assert [wrong for disk in some for wrong in wrong_after_error(built, disk)] == []


def test_a_sync_that_failed_is_not_asked_of_the_same_handle_again(built: Built) -> None:
    syncs = [at for at, name in enumerate(calls_of(built), 1) if "sync" in name]
    assert syncs

    for at in syncs:
        disk = RefusingDisk(at, errno.EIO)
        told = attempt(built, disk)

        assert disk.asked_again == []
        assert told is None or "disk reported an error" in str(told)
