"""A SQLite store of verified memory, as the statements that make one (FORMATS 6.1).

It does not import SQLAlchemy, so that a store of known rows is made in a moment. What both kinds
of database have, `tables.py` declares; a test holds the two against each other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from typing import Final

from remem.systems.facts.database.row_records import json_text, stamp_text

VERSION: Final = 1
"""Of what remem makes; a store of a later one is refused."""
_TABLES: Final = (
    """CREATE TABLE agent_memory (
    id TEXT NOT NULL,
    repo TEXT NOT NULL,
    subject TEXT NOT NULL,
    fact TEXT NOT NULL,
    reason TEXT,
    citations TEXT DEFAULT '[]' NOT NULL,
    created_by TEXT,
    created_at TEXT NOT NULL,
    refreshed_at TEXT NOT NULL,
    status TEXT DEFAULT 'active' NOT NULL,
    supersedes_id TEXT,
    superseded_by_id TEXT,
    verification_count INTEGER DEFAULT 0 NOT NULL,
    last_verified_at TEXT,
    last_verified_by TEXT,
    tenant_id TEXT DEFAULT 'default' NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT agent_memory_status CHECK (status in ('active', 'superseded', 'invalid')),
    FOREIGN KEY(supersedes_id) REFERENCES agent_memory (id),
    FOREIGN KEY(superseded_by_id) REFERENCES agent_memory (id)
)""",
    "CREATE INDEX agent_memory_by_status ON agent_memory (status)",
    "CREATE INDEX agent_memory_recent ON agent_memory (repo, refreshed_at DESC) "
    "WHERE status = 'active'",
    "CREATE UNIQUE INDEX agent_memory_fact ON agent_memory (repo, subject, fact) "
    "WHERE status = 'active'",
    "CREATE INDEX agent_memory_tenant ON agent_memory (tenant_id)",
    "CREATE INDEX agent_memory_chain ON agent_memory (supersedes_id) "
    "WHERE supersedes_id IS NOT NULL",
    """CREATE TABLE agent_memory_telemetry (
    id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    event TEXT NOT NULL,
    agent_id TEXT,
    session_id TEXT,
    verification_result TEXT,
    duration_ms INTEGER,
    created_at TEXT NOT NULL,
    tenant_id TEXT DEFAULT 'default' NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(memory_id) REFERENCES agent_memory (id) ON DELETE CASCADE
)""",
    "CREATE INDEX agent_memory_telemetry_time ON agent_memory_telemetry (created_at DESC)",
    "CREATE INDEX agent_memory_telemetry_event ON agent_memory_telemetry (event)",
    """CREATE TABLE memory_path (
    memory_id TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (memory_id, path)
) WITHOUT ROWID""",
    "CREATE INDEX memory_path_path ON memory_path (path)",
)
VIEW_NAME: Final = "agent_memory_stats"
VIEW: Final = """
CREATE VIEW agent_memory_stats {options} AS SELECT
    repo, tenant_id,
    count(*) FILTER (WHERE status = 'active') AS active_count,
    count(*) FILTER (WHERE status = 'superseded') AS superseded_count,
    count(*) FILTER (WHERE status = 'invalid') AS invalid_count,
    avg(verification_count) FILTER (WHERE status = 'active') AS avg_verifications,
    max(refreshed_at) FILTER (WHERE status = 'active') AS last_refresh,
    min(created_at) AS first_memory,
    max(created_at) AS latest_memory
FROM agent_memory GROUP BY repo, tenant_id
"""
_PATHS_OF_NEW: Final = """
    INSERT OR IGNORE INTO memory_path (memory_id, path)
    SELECT new.id, json_extract(each.value, '$.path')
    FROM json_each(CASE WHEN json_valid(new.citations) THEN new.citations ELSE '[]' END) AS each
    WHERE each.type = 'object' AND json_type(each.value, '$.path') = 'text';
"""
# As triggers, so that a row which another program writes is found by its paths as well.
PATH_TRIGGERS: Final = (
    f"CREATE TRIGGER memory_path_new AFTER INSERT ON agent_memory BEGIN {_PATHS_OF_NEW} END",
    "CREATE TRIGGER memory_path_changed AFTER UPDATE OF citations ON agent_memory BEGIN "
    f"DELETE FROM memory_path WHERE memory_id = old.id; {_PATHS_OF_NEW} END",
    "CREATE TRIGGER memory_path_gone AFTER DELETE ON agent_memory BEGIN "
    "DELETE FROM memory_path WHERE memory_id = old.id; END",
)
TEXTS: Final = "memory_text"
"""SQLite's index of words; PostgreSQL has one over the texts themselves."""
_TEXT_COLUMNS: Final = "memory_id, subject, fact, reason"
MAKE_TEXTS: Final = (
    f"CREATE VIRTUAL TABLE {TEXTS} USING fts5"
    "(memory_id UNINDEXED, subject, fact, reason, tokenize = 'porter unicode61')",
    f"CREATE TRIGGER {TEXTS}_new AFTER INSERT ON agent_memory BEGIN INSERT INTO {TEXTS} "
    f"({_TEXT_COLUMNS}) VALUES (new.id, new.subject, new.fact, new.reason); END",
    # By id and not by row number, which another program may change when it tidies the file.
    f"CREATE TRIGGER {TEXTS}_changed AFTER UPDATE OF subject, fact, reason ON agent_memory "
    "WHEN old.subject IS NOT new.subject OR old.fact IS NOT new.fact "
    f"OR old.reason IS NOT new.reason BEGIN DELETE FROM {TEXTS} WHERE memory_id = old.id; "
    f"INSERT INTO {TEXTS} ({_TEXT_COLUMNS}) "
    "VALUES (new.id, new.subject, new.fact, new.reason); END",
    f"CREATE TRIGGER {TEXTS}_gone AFTER DELETE ON agent_memory BEGIN "
    f"DELETE FROM {TEXTS} WHERE memory_id = old.id; END",
    f"INSERT INTO {TEXTS} ({_TEXT_COLUMNS}) SELECT id, subject, fact, reason FROM agent_memory",
)
JUDGED: Final = "agent_memory_telemetry_judged"
MAKE_JUDGED: Final = (
    # The last verdict on a memory is found without a look at all that ever became of it.
    f"CREATE INDEX IF NOT EXISTS {JUDGED} "
    "ON agent_memory_telemetry (memory_id, created_at DESC, event)"
)
FILL_PATHS: Final = """
INSERT OR IGNORE INTO memory_path (memory_id, path)
SELECT kept.id, json_extract(each.value, '$.path')
FROM agent_memory AS kept,
    json_each(CASE WHEN json_valid(kept.citations) THEN kept.citations ELSE '[]' END) AS each
WHERE each.type = 'object' AND json_type(each.value, '$.path') = 'text'
"""


def store_of(
    memories: Sequence[Mapping[str, object]], events: Sequence[Mapping[str, object]]
) -> bytes:
    """Return the bytes of a store that holds these rows, each with the same columns."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for statement in (*_TABLES, *PATH_TRIGGERS, MAKE_JUDGED):
            connection.execute(statement)
        # A SQLite without FTS5 has no index of words; then every memory is looked at.
        with suppress(sqlite3.OperationalError):
            for statement in MAKE_TEXTS:
                connection.execute(statement)
        connection.execute(VIEW.format(options=""))
        connection.execute(f"PRAGMA user_version = {VERSION}")
        _insert(connection, "agent_memory", memories)
        _insert(connection, "agent_memory_telemetry", events)
        return connection.serialize()


def _insert(
    connection: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, object]]
) -> None:
    if not rows:
        return
    names = [*rows[0]]
    asked = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    connection.executemany(asked, ([_kept(row[name]) for name in names] for row in rows))


def _kept(value: object) -> object:
    """Return a value as a column has it."""
    if isinstance(value, datetime):
        return stamp_text(value)
    return json_text(value) if isinstance(value, list | dict) else value
