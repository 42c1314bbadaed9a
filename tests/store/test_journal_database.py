"""What the journal's database does when it is old, new, locked, broken, moved, or shared."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.store.committing import World
from tests.store.test_journal import ROOT, STEPS, ids, journal_at, logged

from remem.model.change import Intent
from remem.store.changes.steps import all_to_json
from remem.store.history.journal_database import VERSION, BadJournal, Database
from remem.store.history.journal_records import Actor, logged_to_json
from remem.store.io import Disk

FIRST_VERSION = """
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, root BLOB NOT NULL,
    actor TEXT NOT NULL, logged TEXT NOT NULL, steps BLOB NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0, superseded INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE finished (op TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE touched (
    seq INTEGER NOT NULL REFERENCES changes (seq), path BLOB NOT NULL, PRIMARY KEY (path, seq)
) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from tests.store.committing import World
from tests.store.test_journal import ROOT, journal_at, logged
journal = journal_at(Path(sys.argv[1]))
for number in range(8):
    journal.prepare()
    name = f"{sys.argv[2]}{number}"
    journal.record(name, logged(name), ())
"""


def build_first_version(path: Path) -> None:
    path.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path / "journal.db")) as sql:
        sql.execute("PRAGMA journal_mode = WAL")
        sql.executescript(FIRST_VERSION)
        for name, undone in (("aa", 1), ("bb", 0)):
            told = logged_to_json(logged(name))
            for later in ("git", "set_off", "follows"):
                told.pop(later)
            steps = zlib.compress(json.dumps(all_to_json(STEPS)).encode())
            row = sql.execute(
                "INSERT INTO changes (id, root, actor, logged, steps, undone)"
                " VALUES (?, ?, 'person', ?, ?, ?)",
                (name, os.fsencode(ROOT), json.dumps(told), steps, undone),
            )
            sql.execute("INSERT INTO finished VALUES (?)", (name,))
            sql.execute("INSERT INTO touched VALUES (?, ?)", (row.lastrowid, b"/other/x.md"))
        sql.commit()


def query(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path / "journal.db")) as sql:
        return sql.execute(statement).fetchall()


def test_a_history_of_the_first_version_is_read_on(tmp_path: Path) -> None:
    build_first_version(tmp_path)
    journal = journal_at(tmp_path)

    found = journal.changes(ROOT)

    assert ids(found) == ["bb", "aa"]
    assert [one.undone for one in found] == [False, True]
    assert journal.steps("aa") == STEPS
    assert journal.has_finished("bb")
    assert ids(journal.changes(Path("/other"))) == ["bb", "aa"]
    assert journal.outside(ROOT) == ()
    assert query(tmp_path, "PRAGMA user_version") == [(VERSION,)]


def test_a_history_of_the_first_version_knows_when_its_changes_were(tmp_path: Path) -> None:
    build_first_version(tmp_path)

    journal_at(tmp_path).changes(ROOT)

    assert query(tmp_path, "SELECT DISTINCT at FROM changes") == [
        (int(logged("aa").time.timestamp()),)
    ]


def test_a_history_of_the_first_version_goes_on(tmp_path: Path) -> None:
    build_first_version(tmp_path)
    journal = journal_at(tmp_path)
    journal.prepare()

    journal.record("cc", logged("cc"), STEPS)
    journal.mark_redone("op1", "aa", ())

    assert ids(journal.standing(ROOT)) == ["cc", "bb", "aa"]


def test_an_ingest_of_the_first_version_is_the_persons_and_late_bytes_are_nobodys(
    tmp_path: Path,
) -> None:
    build_first_version(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as sql:
        earlier: tuple[tuple[str, Actor, str], ...] = (
            ("cc", "person", "approve"),
            ("dd", "auto", "retro.ingest"),
            ("ee", "agent", "propose"),
            ("ff", "auto", "late"),
        )
        for name, actor, verb in earlier:
            told = logged_to_json(replace(logged(name, actor=actor), intent=Intent(verb)))
            for later in ("git", "set_off", "follows"):
                told.pop(later)
            sql.execute(
                "INSERT INTO changes (id, root, actor, logged, steps) VALUES (?, ?, ?, ?, ?)",
                (name, os.fsencode(ROOT), actor, json.dumps(told), b""),
            )
        sql.commit()
    journal = journal_at(tmp_path)

    last = journal.last_to_undo(ROOT)
    journal.mark_undone("op", "dd", ())
    before = journal.last_to_undo(ROOT)
    set_off = {each.id: each.origin.set_off for each in journal.changes(ROOT)}

    assert (last and last.id, before and before.id) == ("dd", "cc")
    assert [set_off[name] for name in ("cc", "dd", "ee", "ff")] == ["person", "person", "agent", ""]


def test_what_an_older_remem_that_had_it_open_writes_is_no_damage(tmp_path: Path) -> None:
    """It was there before the marks were, and goes on with the statements that it knows."""
    journal = journal_at(tmp_path)
    journal.prepare()
    for name in ("aa", "bb", "cc"):
        journal.record(name, logged(name), STEPS)

    with closing(sqlite3.connect(tmp_path / "journal.db")) as older:
        older.execute("UPDATE changes SET superseded = 0, undone = 1, undone_as = id WHERE seq = 3")
        older.execute("UPDATE changes SET settled = 'git' WHERE seq = 1")
        older.commit()
    found = journal_at(tmp_path)

    last = found.last_to_undo(ROOT)
    assert found.damage() is None
    assert last == found.get("bb")
    assert (found.get("aa").settled, found.get("cc").undone) == ("git", True)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as sql:
        marks = sql.execute("SELECT mark = 0 FROM changes ORDER BY seq").fetchall()
    assert marks == [(1,), (0,), (1,)]


def damage(path: Path) -> None:
    (path / "journal.db").write_bytes(b"no database at all, and long enough to be looked at" * 99)


def damage_inside(path: Path) -> None:
    data = bytearray((path / "journal.db").read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    (path / "journal.db").write_bytes(data)


def make_newer(path: Path) -> None:
    with closing(sqlite3.connect(path / "journal.db")) as sql:
        sql.execute(f"PRAGMA user_version = {VERSION + 1}")


def replace_by_folder(path: Path) -> None:
    (path / "journal.db").unlink()
    (path / "journal.db").mkdir()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (damage, "damaged"),
        (damage_inside, "damaged"),
        (make_newer, "newer version of remem"),
        (replace_by_folder, "permission denied"),
    ],
    ids=["no database", "torn pages", "newer", "folder"],
)
def test_a_history_of_no_use_says_so_and_is_left_as_it_is(
    tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.record("aa", logged("aa"), STEPS)
    journal.close()
    spoil(tmp_path)
    database = tmp_path / "journal.db"
    before = database.read_bytes() if database.is_file() else None

    with pytest.raises(BadJournal, match=said) as raised:
        journal.changes(ROOT)
    with pytest.raises(BadJournal, match=said):
        journal.record("bb", logged("bb"), STEPS)

    assert raised.value.hint
    assert (database.read_bytes() if database.is_file() else None) == before


@pytest.mark.parametrize("spoil", [make_newer])
def test_without_a_history_nothing_is_changed(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with World(tmp_path).build() as world:
        world.commit(world.splice(b"candidate", b"confirmed"))
        world.journal.close()
        spoil(world.state)
        before, running = world.picture(), list((world.state / "running").iterdir())

        with pytest.raises(BadJournal):
            world.commit(world.splice(b"confirmed", b"archived"))

        assert world.picture() == before
        assert list((world.state / "running").iterdir()) == running


def test_a_history_that_another_holds_is_waited_for_and_then_told(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(BadJournal, match="another remem process is writing") as raised:
            journal.record("aa", logged("aa"), STEPS)

        assert "try again" in raised.value.hint
        assert journal.changes(ROOT) == ()
        other.execute("ROLLBACK")
    journal.record("aa", logged("aa"), STEPS)
    assert ids(journal.changes(ROOT)) == ["aa"]


class RefusedAtOnce(sqlite3.Connection):
    """As SQLite answers one of two that begin a log at once."""

    left = 3

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        if "journal_mode" in sql and RefusedAtOnce.left:
            RefusedAtOnce.left -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, *more)


def test_a_history_that_others_begin_at_the_same_time_is_begun_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RefusedAtOnce, "left", 3)
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=RefusedAtOnce))
    journal = journal_at(tmp_path)

    journal.prepare()
    journal.record("aa", logged("aa"), STEPS)

    assert ids(journal.changes(ROOT)) == ["aa"]
    assert RefusedAtOnce.left == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_history_that_may_not_be_written_says_so(tmp_path: Path) -> None:
    journal_at(tmp_path).prepare()
    (tmp_path / "journal.db").chmod(0o400)

    with pytest.raises(BadJournal, match="may not be"):
        journal_at(tmp_path).record("aa", logged("aa"), ())


def test_a_history_that_turns_read_only_says_so_and_writes_nothing(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.database.connection().execute("PRAGMA query_only = 1")

    with pytest.raises(BadJournal, match="permission denied"):
        journal.record("aa", logged("aa"), STEPS)

    assert journal.changes(ROOT) == ()
    assert not journal.has_finished("aa")


FLIP_AND_TELL = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    if sys.argv[2] == "flip":
        file.seek(18)
        file.write(b"\\x12")
    try:  # the bytes that a connection to a database with a log holds a shared lock on
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, (1 << 30) + 2)
    except OSError:
        print("held")
"""


def test_to_find_out_that_its_head_is_damaged_drops_no_lock_of_another_connection(
    tmp_path: Path,
) -> None:
    def other(act: str) -> str:
        path = str(tmp_path / "journal.db")
        told = [sys.executable, "-c", FLIP_AND_TELL, path, act]
        return subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()

    reader = journal_at(tmp_path)
    reader.prepare()
    reader.record("aa", logged("aa"), STEPS)
    reader.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert other("flip") == "held"

    with pytest.raises(BadJournal, match="its header") as raised:
        journal_at(tmp_path).record("bb", logged("bb"), STEPS)

    assert raised.value.is_damaged
    assert other("look") == "held"
    reader.close()
    assert other("look") == ""


def test_a_history_moved_away_while_it_is_open_is_begun_anew_and_that_is_told(
    tmp_path: Path,
) -> None:
    journal = journal_at(tmp_path / "state")
    journal.prepare()
    journal.record("aa", logged("aa"), STEPS)
    (tmp_path / "away").mkdir()
    for file in (tmp_path / "state").glob("journal.db*"):
        file.rename(tmp_path / "away" / file.name)

    before = journal.changes(ROOT)
    with pytest.raises(BadJournal, match="missing"):
        journal.prepare()
    told = journal.mend(logged("aa").time)
    journal.prepare()
    journal.record("bb", logged("bb"), STEPS)

    assert before == ()
    assert told == "the history was damaged: 0 changes recovered and can be undone"
    assert ids(journal_at(tmp_path / "state").changes(ROOT)) == ["bb"]
    assert ids(journal_at(tmp_path / "away").changes(ROOT)) == ["aa"]


def test_only_its_owner_can_read_any_file_of_the_history(tmp_path: Path) -> None:
    state = tmp_path / "state"
    before = os.umask(0)
    try:
        journal = journal_at(state)
        journal.prepare()
        journal.record("aa", logged("aa"), STEPS)

        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()}
    finally:
        os.umask(before)

    assert modes.pop("running") == 0o700
    assert {"journal.db", "journal.db-wal", "journal.db-shm"} == set(modes)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(state.stat().st_mode) == 0o700


class ClosedByAnother(Disk):
    """Another process, the last that had the history open, takes its log away as it is read."""

    def read(self, path: Path) -> bytes:
        if path.name.endswith("-wal"):
            path.unlink()
        return super().read(path)


def test_a_log_that_goes_while_it_is_looked_at_is_no_fault(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    journal.close()
    (tmp_path / "journal.db-wal").write_bytes(b"of a process that ends now")
    database = Database(ClosedByAnother(), tmp_path / "journal.db")

    database.probe()

    assert database.rows("SELECT * FROM changes", {}) == []


@pytest.mark.parametrize("older", [False, True], ids=["new", "first version"])
def test_processes_that_begin_at_once_record_everything(tmp_path: Path, older: bool) -> None:
    if older:
        build_first_version(tmp_path)
    top = str(Path(__file__).parents[2])
    workers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name, top])
        for name in ("x", "y", "z")
    ]

    codes = [worker.wait(timeout=60) for worker in workers]

    found = set(ids(journal_at(tmp_path).changes(ROOT))) - {"aa", "bb"}
    assert codes == [0, 0, 0]
    assert found == {f"{name}{number}" for name in "xyz" for number in range(8)}


def test_threads_of_one_process_share_it(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    names = [f"t{number}" for number in range(24)]

    def write(name: str) -> int:
        journal.record(name, logged(name), ())
        return len(journal.changes(ROOT))

    with ThreadPoolExecutor(6) as pool:
        seen = list(pool.map(write, names))

    assert sorted(ids(journal.changes(ROOT))) == sorted(names)
    assert max(seen) == len(names)


def test_each_record_is_one_commit(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    commits: list[str] = []
    journal.database.connection().set_trace_callback(
        lambda statement: commits.append(statement) if statement == "COMMIT" else None
    )

    journal.record("aa", logged("aa"), STEPS)
    journal.mark_undone("op1", "aa", STEPS)
    journal.mark_redone("op2", "aa", STEPS)
    journal.mark_held("op3")
    journal.settle("aa", "git")

    assert len(commits) == 5


def test_the_tables_are_looked_at_again_once_another_process_wrote(tmp_path: Path) -> None:
    journal = journal_at(tmp_path)
    journal.prepare()
    asked: list[str] = []
    journal.database.connection().set_trace_callback(asked.append)

    journal.prepare()
    assert not [each for each in asked if each.startswith("SELECT")]

    with closing(sqlite3.connect(journal.path)) as other, other:
        other.execute("DELETE FROM chores")
    journal.prepare()
    assert len([each for each in asked if each.startswith("SELECT")]) >= 9
