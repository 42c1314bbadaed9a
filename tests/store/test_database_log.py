"""A log of a database is read as SQLite reads it, and beyond the place where SQLite gives up."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from remem.store.databases.database_log import read_log
from remem.store.io import Disk

pytestmark = pytest.mark.slow

HEAD, FRAME = 32, 24 + 4096


def database_with_a_log(folder: Path, *, restarted: bool = False) -> tuple[bytes, bytes, bytes]:
    """Return a database, the log that a crash would leave beside it, and what both come to."""
    path = folder / "a.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")
        sql.execute("CREATE TABLE lamps (name)")
        if restarted:
            sql.executemany("INSERT INTO lamps VALUES (?)", [("old" * 900,)] * 9)
            sql.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        for number in range(6):
            sql.execute("INSERT INTO lamps VALUES (?)", (f"lamp {number} " * 400,))
        before, log = path.read_bytes(), (folder / "a.db-wal").read_bytes()
    return before, log, path.read_bytes()


@pytest.mark.parametrize("restarted", [False, True])
def test_a_log_gives_the_database_that_sqlite_makes_of_it(tmp_path: Path, restarted: bool) -> None:
    before, log, after = database_with_a_log(tmp_path, restarted=restarted)

    found = read_log(log)

    assert not found.is_broken
    assert found.applied_to(before) == after


@pytest.mark.parametrize("restarted", [False, True])
def test_one_flipped_bit_of_a_log_spoils_at_most_itself(tmp_path: Path, restarted: bool) -> None:
    before, log, after = database_with_a_log(tmp_path, restarted=restarted)
    ours = read_log(log)
    size = HEAD + FRAME * sum(each in log for each in ours.pages.values())
    tried = [*range(16), *range(HEAD, HEAD + 24), *range(60, size, 611)]

    for at in tried:
        for bit in (0, at % 7 + 1):
            flipped = bytearray(log)
            flipped[at] ^= 1 << bit
            found = read_log(bytes(flipped))
            image = found.applied_to(before)
            others = sum(one != two for one, two in zip(image, after, strict=True))
            assert found.is_broken, (at, bit)
            assert others <= 1, (at, bit)


def test_a_log_that_ends_in_the_middle_of_a_transaction_is_whole_up_to_there(
    tmp_path: Path,
) -> None:
    _, log, _ = database_with_a_log(tmp_path)

    for cut in (1, FRAME - 24, FRAME, FRAME + 7):
        assert not read_log(log[:-cut]).is_broken
    assert not read_log(log[: -FRAME + 24] + bytes(FRAME - 24)).is_broken
    assert not read_log(log[:20]).is_broken
    assert not read_log(bytes(len(log))).is_broken


def test_a_file_that_another_process_has_locked_is_told_from_one_that_nobody_has(
    tmp_path: Path,
) -> None:
    """So a log that somebody is writing to is not taken for the one of a crash."""
    if not Path("/proc/locks").exists():
        pytest.skip("the locks of processes are not told of here")
    database_with_a_log(tmp_path)
    path = tmp_path / "a.db"
    script = (
        "import sqlite3, sys; sql = sqlite3.connect(sys.argv[1]);"
        "sql.execute('SELECT count(*) FROM lamps').fetchone(); print('open', flush=True); input()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None
        other.stdout.readline()

        held = Disk().is_locked(tmp_path / "a.db-shm")
        shutil.copy(tmp_path / "a.db-shm", tmp_path / "free")
        free = Disk().is_locked(tmp_path / "free")
        other.communicate(b"\n")

    assert (held, free) == (True, False)
