import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from remem.base.errors import ChangedOnDisk, Refused, WriteFailed
from remem.model.change import Json, RowEdit
from remem.store.changes.steps import RowsSet, from_json, opposite, to_json
from remem.store.databases.rows import (
    BadDatabase,
    _transaction,
    read_query,
    read_rows,
    rows_hold,
    set_rows,
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA journal_mode = WAL")
        sql.execute("CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, active INTEGER)")
        sql.executemany("INSERT INTO people VALUES (?, ?, ?)", [("a", "Hill", 1), ("b", "Mara", 0)])
        sql.commit()
    return path


@pytest.fixture
def agent(database: Path) -> Iterator[sqlite3.Connection]:
    """Hold the database open as its own program does."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("SELECT * FROM people").fetchall()
        yield connection


def rename(database: Path, before: Json = "Hill", after: Json = "Priya") -> RowEdit:
    return RowEdit(database, "people", {"id": "a"}, {"name": before}, {"name": after})


def test_columns_of_all_rows_are_read(database: Path) -> None:
    assert read_rows(database, "people", ["name", "active"]) == (
        {"name": "Hill", "active": 1},
        {"name": "Mara", "active": 0},
    )


def test_reading_leaves_no_trace(database: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in database.parent.iterdir()}

    read_rows(database, "people", ["name"])
    rows_hold([rename(database)])

    after = {path.name: path.stat().st_mtime_ns for path in database.parent.iterdir()}
    assert after == before
    assert list(after) == ["state.db"]


def test_what_an_agent_has_just_written_is_read(database: Path, agent: sqlite3.Connection) -> None:
    agent.execute("UPDATE people SET name = 'Fresh' WHERE id = 'a'")

    assert read_rows(database, "people", ["name"])[0] == {"name": "Fresh"}


def test_half_a_transaction_of_a_program_that_was_killed_is_not_read(tmp_path: Path) -> None:
    live, left = tmp_path / "live.db", tmp_path / "left.db"
    with closing(sqlite3.connect(live, isolation_level=None)) as sql:
        sql.execute("CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT)")
        sql.execute("INSERT INTO people VALUES ('a', 'Hill')")
        sql.execute("PRAGMA cache_size = 1")
        sql.execute("BEGIN IMMEDIATE")
        sql.execute("UPDATE people SET name = 'half'")
        more = [(f"{number}", "x" * 900) for number in range(400)]
        sql.executemany("INSERT INTO people VALUES (?, ?)", more)
        for end in ("", "-journal"):  # what a kill leaves, pages and the way back from them
            beside = left.with_name(f"{left.name}{end}")
            beside.write_bytes(live.with_name(f"{live.name}{end}").read_bytes())

    with pytest.raises(BadDatabase):
        read_rows(left, "people", ["name"])
    set_rows([RowEdit(left, "people", {"id": "a"}, {"name": "Hill"}, {"name": "Priya"})])

    assert read_rows(left, "people", ["name"]) == ({"name": "Priya"},)


def test_a_missing_database_has_no_rows_and_is_not_made(tmp_path: Path) -> None:
    assert read_rows(tmp_path / "state.db", "people", ["name"]) == ()
    assert not rows_hold([rename(tmp_path / "state.db")])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\0 and then nothing", b"x" * 5000])
def test_what_is_no_database_is_said_to_be_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "state.db").write_bytes(data)

    with pytest.raises(BadDatabase, match=r"state\.db"):
        read_rows(tmp_path / "state.db", "people", ["name"])


@pytest.mark.parametrize(
    ("table", "column"), [("people", "nope"), ("nope", "name"), ("people`; --", "name")]
)
def test_a_missing_table_or_column_is_said_to_be_missing(
    database: Path, table: str, column: str
) -> None:
    with pytest.raises(BadDatabase):
        read_rows(database, table, [column])


def test_only_the_named_columns_of_the_row_are_written(database: Path) -> None:
    set_rows([rename(database)])

    assert read_rows(database, "people", ["id", "name", "active"]) == (
        {"id": "a", "name": "Priya", "active": 1},
        {"id": "b", "name": "Mara", "active": 0},
    )


def test_a_row_that_holds_something_else_is_not_written(database: Path) -> None:
    with pytest.raises(ChangedOnDisk, match="changed after it was shown"):
        set_rows([rename(database, before="Eve")])

    assert read_rows(database, "people", ["name"])[0] == {"name": "Hill"}


def test_a_row_that_is_gone_is_not_made(database: Path) -> None:
    edit = RowEdit(database, "people", {"id": "zz"}, {"name": "Hill"}, {"name": "Priya"})

    with pytest.raises(ChangedOnDisk):
        set_rows([edit])


def test_a_row_that_is_not_there_is_added_and_taken_out_again(database: Path) -> None:
    added = RowEdit(database, "people", {"id": "c"}, {}, {"name": "Eve", "active": None})
    taken = RowEdit(database, "people", {"id": "c"}, added.after, {})

    assert rows_hold([added])
    set_rows([added])
    assert rows_hold([taken])
    assert read_rows(database, "people", ["id", "name", "active"])[2] == {
        "id": "c",
        "name": "Eve",
        "active": None,
    }
    set_rows([taken])

    assert len(read_rows(database, "people", ["id"])) == 2


def test_edits_are_carried_out_together_or_not_at_all(database: Path) -> None:
    other = RowEdit(database, "people", {"id": "b"}, {"name": "Eve"}, {"name": "Ada"})

    with pytest.raises(ChangedOnDisk):
        set_rows([rename(database), other])

    assert read_rows(database, "people", ["name"]) == ({"name": "Hill"}, {"name": "Mara"})


def test_a_row_that_somebody_else_added_is_not_overwritten(database: Path) -> None:
    with pytest.raises(ChangedOnDisk, match="changed after it was shown"):
        set_rows([RowEdit(database, "people", {"id": "a"}, {}, {"name": "Eve"})])


def test_a_row_that_changed_since_it_was_added_stays(database: Path) -> None:
    with pytest.raises(ChangedOnDisk):
        set_rows([RowEdit(database, "people", {"id": "a"}, {"name": "Eve"}, {})])

    assert read_rows(database, "people", ["name"])[0] == {"name": "Hill"}


def test_a_query_gives_rows_in_its_order(database: Path) -> None:
    found = read_query(database, "SELECT name FROM people WHERE id = :id", {"id": "b"})

    assert found == [("Mara",)]
    assert read_query(database.with_name("none.db"), "SELECT 1", {}) == []
    with pytest.raises(BadDatabase):
        read_query(database, "SELECT 1 FROM nope", {})


def test_nothing_is_compared_and_written_as_nothing(database: Path) -> None:
    set_rows([rename(database, after=None)])
    set_rows([rename(database, before=None, after="Back")])

    assert read_rows(database, "people", ["name"])[0] == {"name": "Back"}


def test_a_key_that_names_several_rows_is_refused(database: Path) -> None:
    with closing(sqlite3.connect(database)) as sql:
        sql.execute("INSERT INTO people VALUES ('c', 'Hill', 1)")
        sql.commit()
    edit = RowEdit(database, "people", {"name": "Hill"}, {"active": 1}, {"active": 0})

    with pytest.raises(Refused, match="more than one row"):
        set_rows([edit])


def test_a_database_that_stays_locked_ends_in_a_message(
    database: Path, agent: sqlite3.Connection
) -> None:
    agent.execute("BEGIN IMMEDIATE")

    with pytest.raises(WriteFailed, match="locked"):
        set_rows([rename(database)], busy=0.05)


def test_a_missing_database_is_not_made_by_writing(tmp_path: Path) -> None:
    with pytest.raises(WriteFailed):
        set_rows([rename(tmp_path / "state.db")])

    assert list(tmp_path.iterdir()) == []


def test_a_column_that_decides_nothing_may_hold_anything_and_undo_puts_that_back(
    database: Path,
) -> None:
    stale = RowEdit(
        database,
        "people",
        {"id": "a"},
        {"active": 1, "name": "who it was when this was planned"},
        {"active": 1, "name": "Priya"},
        loose=("name",),
    )

    (done,) = set_rows([stale])
    undone = opposite(RowsSet((done,)))
    assert isinstance(undone, RowsSet)

    assert read_rows(database, "people", ["name"])[0] == {"name": "Priya"}
    set_rows(undone.edits)
    assert read_rows(database, "people", ["name"])[0] == {"name": "Hill"}


def test_what_counts_is_added_to_whatever_stands_and_taken_off_again(database: Path) -> None:
    held = {"name": "Hill"}
    once = RowEdit(database, "people", {"id": "a"}, held, held, {"active": 2})
    step = from_json(to_json(RowsSet((once,))))
    assert isinstance(step, RowsSet)

    set_rows(step.edits)
    set_rows(step.edits)
    undone = opposite(step)
    assert isinstance(undone, RowsSet)

    assert read_rows(database, "people", ["active"])[0] == {"active": 5}
    set_rows(undone.edits)
    assert read_rows(database, "people", ["active"])[0] == {"active": 3}


def test_a_database_that_is_full_says_so_and_not_that_nothing_is_to_be_taken_back(
    tmp_path: Path,
) -> None:
    with closing(sqlite3.connect(tmp_path / "rows.db", isolation_level=None)) as sql:
        sql.execute("CREATE TABLE told (text)")
        sql.execute("PRAGMA max_page_count = 4")

        with pytest.raises(sqlite3.OperationalError, match="full"), _transaction(sql):
            sql.execute("INSERT INTO told VALUES (?)", ("x" * 100_000,))

        assert not sql.in_transaction
        assert sql.execute("SELECT count(*) FROM told").fetchone() == (0,)
