"""A history beside which nothing can be written is read, and says why nothing is written to it."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.full_disk import Mounted, nothing_grows
from tests.store.committing import World
from tests.store.test_journal import ROOT, STEPS, ids, journal_at, logged

from remem.base.errors import WriteFailed
from remem.store.history.journal import Journal
from remem.store.history.journal_database import BadJournal
from remem.store.io import Disk

FIELDS = (
    *("f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_bavail"),
    *("f_files", "f_ffree", "f_favail", "f_flag", "f_namemax"),
)


def mounted(path: Path, **told: int) -> Mounted:
    here = os.statvfs(path)
    return Mounted(os.statvfs_result(told.get(name, getattr(here, name)) for name in FIELDS))


def written(path: Path) -> None:
    journal = journal_at(path)
    journal.prepare()
    journal.record("aa", logged("aa"), STEPS)
    journal.close()


def test_it_is_read_where_nothing_can_be_written_beside_it(tmp_path: Path) -> None:
    written(tmp_path)
    journal = journal_at(tmp_path)

    with nothing_grows():
        assert ids(journal.changes(ROOT)) == ["aa"]
        assert journal.damage() is None
        with pytest.raises(BadJournal):
            journal.record("bb", logged("bb"), STEPS)

    journal.record("cc", logged("cc"), STEPS)
    assert ids(journal.changes(ROOT)) == ["cc", "aa"]


def test_each_look_sees_what_was_written_since(tmp_path: Path) -> None:
    written(tmp_path)
    journal, other = journal_at(tmp_path), journal_at(tmp_path)
    with nothing_grows():
        assert ids(journal.changes(ROOT)) == ["aa"]
    other.record("bb", logged("bb"), STEPS)
    other.close()

    with nothing_grows():
        assert ids(journal.changes(ROOT)) == ["bb", "aa"]


def test_it_is_not_read_without_the_log_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    written(tmp_path / "a")
    open_still = journal_at(tmp_path / "a")
    open_still.record("bb", logged("bb"), STEPS)
    shutil.copytree(tmp_path / "a", tmp_path / "b", ignore=shutil.ignore_patterns("*-shm"))
    open_still.close()
    assert (tmp_path / "b/journal.db-wal").stat().st_size

    with nothing_grows(), pytest.raises(BadJournal):
        journal_at(tmp_path / "b").changes(ROOT)


@pytest.mark.parametrize(
    ("told", "says", "hint"),
    [
        ({"f_bavail": 3}, "the disk is full", "free some space"),
        ({"f_favail": 0}, "the disk is full", "free some space"),
        ({"f_flag": os.ST_RDONLY}, "the file system is read-only", "mount it for writing"),
        ({"f_blocks": 0, "f_bavail": 0}, "the disk reported an error", "check the disk"),
    ],
)
def test_why_nothing_is_written_is_what_the_system_says(
    tmp_path: Path, told: dict[str, int], says: str, hint: str
) -> None:
    written(tmp_path)
    journal = Journal(mounted(tmp_path, **told), tmp_path)

    with nothing_grows(), pytest.raises(BadJournal, match=says) as raised:
        journal.record("bb", logged("bb"), STEPS)

    assert raised.value.hint.startswith(hint)


def test_an_undo_that_fails_is_not_told_as_the_change(tmp_path: Path) -> None:
    with World(tmp_path).build() as world:
        change = world.commit(world.splice(b"candidate", b"confirmed"))
        before = world.picture()

        with nothing_grows(), pytest.raises(WriteFailed) as undoing:
            world.undo(change)

        assert world.picture() == before
        assert "`Undo: " in str(undoing.value)


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.EROFS, "mount it for writing"),
        (errno.ENOSPC, "free some space"),
        (errno.EACCES, "fix its permissions"),
    ],
)
def test_where_no_history_can_be_made_the_hint_is_about_the_disk(
    tmp_path: Path, number: int, hint: str
) -> None:
    class Refusing(Disk):
        def perform(self, name: str, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            if name in ("mkdir", "create", "chmod"):
                raise OSError(number, os.strerror(number))
            return super().perform(name, call, *args, **kwargs)

    with pytest.raises(BadJournal) as raised:
        Journal(Refusing(), tmp_path / "state").prepare()

    assert hint in raised.value.hint
