"""A store that is made without SQLAlchemy is one that SQLAlchemy makes."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime

from sqlalchemy import create_engine

from remem.systems.facts.database.sqlite_schema import store_of
from remem.systems.facts.database.tables import EVENTS, MEMORY, make_tables

AT = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
FACTS = [
    {
        "id": f"fact-{number}",
        "repo": "harbour",
        "subject": "Sailing keys",
        "fact": f"Berth {number} comes first",
        "reason": None,
        "citations": [{"path": "berth.ts", "line_start": number}],
        "created_at": AT,
        "refreshed_at": AT,
        "status": "active",
        "supersedes_id": "fact-0" if number else None,
    }
    for number in range(3)
]
TOLD = [{"id": "told", "memory_id": "fact-1", "event": "created", "created_at": AT}]


def of_sqlalchemy() -> bytes:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        make_tables(connection)
        connection.execute(MEMORY.insert(), FACTS)
        connection.execute(EVENTS.insert(), TOLD)
    with engine.connect() as connection:
        base = connection.connection.driver_connection
        assert isinstance(base, sqlite3.Connection)
        return base.serialize()


def content(data: bytes) -> tuple[object, ...]:
    """Return how a store is made, spaces aside, its rows, and its version."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data)
        asked = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        made = [(*rest, "".join((sql or "").split())) for *rest, sql in connection.execute(asked)]
        tables = [name for kind, name, *_ in made if kind in ("table", "view")]
        rows = {
            name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in tables
        }
        return made, rows, connection.execute("PRAGMA user_version").fetchone()


def test_tables_indexes_and_rows_are_those_that_sqlalchemy_makes() -> None:
    assert content(store_of(FACTS, TOLD)) == content(of_sqlalchemy())


def test_a_store_without_rows_is_whole() -> None:
    made, rows, version = content(store_of([], []))

    assert (version, rows["agent_memory"]) == ((1,), [])  # type: ignore[index]
    assert len(made) > 15  # type: ignore[arg-type]


def test_the_demo_is_built_without_sqlalchemy() -> None:
    script = (
        "import sys, remem.demo.build\n"
        "remem.demo.build._verified()\n"
        "assert 'sqlalchemy' not in sys.modules\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert done.stderr == b""
