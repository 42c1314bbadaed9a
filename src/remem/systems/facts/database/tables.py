"""The tables of verified memory (FORMATS 6.1), as SQLite and PostgreSQL have them.

It knows no verb. Tables that another program made are used as they are; what is missing is made.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from threading import Lock
from typing import Any, Final

from sqlalchemy import (
    UUID,
    CheckConstraint,
    Column,
    Connection,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    inspect,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator, TypeEngine

from remem.systems.facts.database.row_records import json_text, read_json, read_stamp, stamp_text

VERSION: Final = 1
"""Of what remem makes; a store of a later one is refused."""


class Stamp(TypeDecorator[datetime]):
    """A time with its zone; SQLite keeps it as text in UTC with microseconds, which sorts."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            from sqlalchemy.dialects import postgresql

            return dialect.type_descriptor(postgresql.TIMESTAMP(timezone=True))
        return dialect.type_descriptor(Text())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None or dialect.name == "postgresql":
            return value
        return stamp_text(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return read_stamp(value)


class Loose(TypeDecorator[Any]):
    """JSON; a text that is none comes back as the text, since one bad row must not hide others."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            from sqlalchemy.dialects import postgresql

            return dialect.type_descriptor(postgresql.JSONB(none_as_null=True))
        return dialect.type_descriptor(Text())

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        if value is None or dialect.name == "postgresql":
            return value
        return json_text(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return read_json(value)


_ID: Final = Text().with_variant(UUID(as_uuid=False), "postgresql")
_SCHEMA: Final = MetaData()

MEMORY: Final = Table(
    "agent_memory",
    _SCHEMA,
    Column("id", _ID, primary_key=True),
    Column("repo", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("fact", Text, nullable=False),
    Column("reason", Text),
    Column("citations", Loose, nullable=False, server_default=text("'[]'")),
    Column("created_by", Text),
    Column("created_at", Stamp, nullable=False),
    Column("refreshed_at", Stamp, nullable=False),
    Column("status", Text, nullable=False, server_default=text("'active'")),
    Column("supersedes_id", _ID, ForeignKey("agent_memory.id")),
    Column("superseded_by_id", _ID, ForeignKey("agent_memory.id")),
    Column("verification_count", Integer, nullable=False, server_default=text("0")),
    Column("last_verified_at", Stamp),
    Column("last_verified_by", Text),
    Column("tenant_id", Text, nullable=False, server_default=text("'default'")),
    CheckConstraint("status in ('active', 'superseded', 'invalid')", name="agent_memory_status"),
)
EVENTS: Final = Table(
    "agent_memory_telemetry",
    _SCHEMA,
    Column("id", _ID, primary_key=True),
    Column("memory_id", _ID, ForeignKey("agent_memory.id", ondelete="CASCADE"), nullable=False),
    Column("event", Text, nullable=False),
    Column("agent_id", Text),
    Column("session_id", Text),
    Column("verification_result", Loose),
    Column("duration_ms", Integer),
    Column("created_at", Stamp, nullable=False),
    Column("tenant_id", Text, nullable=False, server_default=text("'default'")),
)
PATHS: Final = Table(
    "memory_path",
    MetaData(),
    Column("memory_id", Text, primary_key=True),
    Column("path", Text, primary_key=True),
    sqlite_with_rowid=False,
)
"""SQLite's index of cited paths; PostgreSQL has one over the citations themselves."""
Index("memory_path_path", PATHS.c.path)

_VIEW_NAME: Final = "agent_memory_stats"
_VIEW: Final = """
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
_TRIGGERS: Final = (
    f"CREATE TRIGGER memory_path_new AFTER INSERT ON agent_memory BEGIN {_PATHS_OF_NEW} END",
    "CREATE TRIGGER memory_path_changed AFTER UPDATE OF citations ON agent_memory BEGIN "
    f"DELETE FROM memory_path WHERE memory_id = old.id; {_PATHS_OF_NEW} END",
    "CREATE TRIGGER memory_path_gone AFTER DELETE ON agent_memory BEGIN "
    "DELETE FROM memory_path WHERE memory_id = old.id; END",
)
_SEEN: Final = "tenant_id = 'default' OR tenant_id = current_setting('app.current_tenant', true)"
_POSTGRES_MEMORY: Final = (
    f"COMMENT ON TABLE agent_memory IS 'remem {VERSION}'",
    "ALTER TABLE agent_memory ALTER id SET DEFAULT gen_random_uuid(), "
    "ALTER created_at SET DEFAULT now(), ALTER refreshed_at SET DEFAULT now()",
    "CREATE INDEX agent_memory_citations ON agent_memory USING gin (citations jsonb_path_ops) "
    # Otherwise what was written last is looked through row by row.
    "WITH (fastupdate = off)",
    "ALTER TABLE agent_memory ENABLE ROW LEVEL SECURITY",
    f"CREATE POLICY agent_memory_tenant ON agent_memory USING ({_SEEN})",
)
_POSTGRES_EVENTS: Final = (
    "ALTER TABLE agent_memory_telemetry ALTER id SET DEFAULT gen_random_uuid(), "
    "ALTER created_at SET DEFAULT now()",
    "ALTER TABLE agent_memory_telemetry ENABLE ROW LEVEL SECURITY",
    f"CREATE POLICY agent_memory_telemetry_tenant ON agent_memory_telemetry USING ({_SEEN})",
)


TEXTS: Final = "memory_text"
"""SQLite's index of words; PostgreSQL has one over the texts themselves."""
SEARCHED: Final = (
    "to_tsvector('english'::regconfig, agent_memory.subject || ' ' || agent_memory.fact || ' ' || "
    "coalesce(agent_memory.reason, ''))"
)
"""What PostgreSQL searches, word for word as its index has it."""
_TEXT_COLUMNS: Final = "memory_id, subject, fact, reason"
_MAKE_TEXTS: Final = (
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
_WORDS: Final = "agent_memory_words"
_POSTGRES_TEXTS: Final = (
    f"CREATE INDEX IF NOT EXISTS {_WORDS} ON agent_memory USING gin "
    f"(({SEARCHED.replace('agent_memory.', '')}))"
)


_JUDGED: Final = "agent_memory_telemetry_judged"
_MAKE_JUDGED: Final = (
    # The last verdict on a memory is found without a look at all that ever became of it.
    f"CREATE INDEX IF NOT EXISTS {_JUDGED} "
    "ON agent_memory_telemetry (memory_id, created_at DESC, event)"
)
_FILL_PATHS: Final = """
INSERT OR IGNORE INTO memory_path (memory_id, path)
SELECT kept.id, json_extract(each.value, '$.path')
FROM agent_memory AS kept,
    json_each(CASE WHEN json_valid(kept.citations) THEN kept.citations ELSE '[]' END) AS each
WHERE each.type = 'object' AND json_type(each.value, '$.path') = 'text'
"""


def version_of(connection: Connection) -> int:
    """Return which version of remem made the tables; 0 = none did."""
    if connection.dialect.name == "sqlite":
        return int(connection.exec_driver_sql("PRAGMA user_version").scalar() or 0)
    comment = connection.exec_driver_sql(
        "SELECT obj_description(to_regclass('agent_memory'), 'pg_class')"
    ).scalar()
    mark, _, number = str(comment or "").partition(" ")
    return int(number) if mark == "remem" and number.isdecimal() else 0


def has_tables(connection: Connection) -> bool:
    """Tell whether memories could be read here, whoever made the tables."""
    return inspect(connection).has_table(MEMORY.name)


def has_words(connection: Connection) -> bool:
    """Tell whether a store has its index of words; older ones get it when next written."""
    return _has(connection, TEXTS if connection.dialect.name == "sqlite" else _WORDS)


def is_whole(connection: Connection) -> bool:
    """Tell whether everything is there that this remem makes."""
    is_ours = version_of(connection) == VERSION and has_words(connection)
    return is_ours and _has(connection, _JUDGED)


def _has(connection: Connection, name: str) -> bool:
    if connection.dialect.name != "sqlite":
        found = connection.exec_driver_sql("SELECT to_regclass(%(name)s)", {"name": name})
        return found.scalar() is not None
    asked = "SELECT 1 FROM sqlite_master WHERE name = ?"
    return connection.exec_driver_sql(asked, (name,)).first() is not None


def make_tables(connection: Connection) -> None:
    """Make what is not there yet, inside the caller's transaction."""
    with _declaring:
        _add_indexes()
    if connection.dialect.name == "sqlite":
        _make_sqlite(connection)
    else:
        _make_postgres(connection)


def store_of(
    memories: Sequence[Mapping[str, object]], events: Sequence[Mapping[str, object]]
) -> bytes:
    """Return the bytes of a SQLite store that holds these rows, each with the same columns."""
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            make_tables(connection)
            connection.execute(MEMORY.insert(), memories)
            connection.execute(EVENTS.insert(), events)
        with engine.connect() as connection:
            base = connection.connection.driver_connection
            assert isinstance(base, sqlite3.Connection)
            return base.serialize()
    finally:
        engine.dispose()


_declaring: Final = Lock()


@cache
def _add_indexes() -> None:
    """Declare the tables' indexes, once and only where tables are made.

    What they say of PostgreSQL loads all that SQLAlchemy knows of it.
    """
    is_active = text("status = 'active'")
    Index(
        "agent_memory_fact",
        MEMORY.c.repo,
        MEMORY.c.subject,
        MEMORY.c.fact,
        unique=True,
        sqlite_where=is_active,
        postgresql_where=is_active,
    )
    Index(
        "agent_memory_recent",
        MEMORY.c.repo,
        MEMORY.c.refreshed_at.desc(),
        sqlite_where=is_active,
        postgresql_where=is_active,
    )
    Index("agent_memory_by_status", MEMORY.c.status)
    Index("agent_memory_tenant", MEMORY.c.tenant_id)
    Index(
        "agent_memory_chain",
        MEMORY.c.supersedes_id,
        sqlite_where=MEMORY.c.supersedes_id.is_not(None),
        postgresql_where=MEMORY.c.supersedes_id.is_not(None),
    )
    Index("agent_memory_telemetry_event", EVENTS.c.event)
    Index("agent_memory_telemetry_time", EVENTS.c.created_at.desc())


def _make_sqlite(connection: Connection) -> None:
    _SCHEMA.create_all(connection, checkfirst=True)
    if PATHS.name not in inspect(connection).get_table_names():
        PATHS.create(connection)
        _run(connection, (*_TRIGGERS, _FILL_PATHS))
    _run(connection, (_MAKE_JUDGED,))
    # A SQLite without FTS5 has no index; then every memory is looked at.
    if not has_words(connection):
        with suppress(DBAPIError), connection.begin_nested():
            _run(connection, _MAKE_TEXTS)
    if _VIEW_NAME not in inspect(connection).get_view_names():
        _run(connection, (_VIEW.format(options=""),))
    _run(connection, (f"PRAGMA user_version = {VERSION}",))


def _make_postgres(connection: Connection) -> None:
    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('remem agent_memory'))")
    found = inspect(connection).get_table_names()
    if MEMORY.name not in found:
        MEMORY.create(connection)
        _run(connection, _POSTGRES_MEMORY)
    if EVENTS.name not in found:
        EVENTS.create(connection)
        _run(connection, _POSTGRES_EVENTS)
    if _VIEW_NAME not in inspect(connection).get_view_names():
        # Without it, a view shows every tenant's rows to everyone; there since PostgreSQL 15.
        version = connection.dialect.server_version_info or (0,)
        options = "WITH (security_invoker = true)" if version >= (15,) else ""
        # For other programs alone: tables of theirs are used without the right to make a view.
        with suppress(DBAPIError), connection.begin_nested():
            _run(connection, (_VIEW.format(options=options),))
    # As good as ever on tables of others, and slower there.
    for statement in (_POSTGRES_TEXTS, _MAKE_JUDGED):
        with suppress(DBAPIError), connection.begin_nested():
            _run(connection, (statement,))


def _run(connection: Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        connection.exec_driver_sql(statement)
