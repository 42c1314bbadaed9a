"""The tables of verified memory (FORMATS 6.1), as SQLite and PostgreSQL have them.

It knows no verb. Tables that another program made are used as they are; what is missing is made.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    inspect,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator, TypeEngine

from remem.systems.facts.database.row_records import json_text, read_json, read_stamp, stamp_text
from remem.systems.facts.database.sqlite_schema import (
    FILL_PATHS,
    JUDGED,
    MAKE_JUDGED,
    MAKE_TEXTS,
    PATH_TRIGGERS,
    TEXTS,
    VERSION,
    VIEW,
    VIEW_NAME,
)


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


SEARCHED: Final = (
    "to_tsvector('english'::regconfig, agent_memory.subject || ' ' || agent_memory.fact || ' ' || "
    "coalesce(agent_memory.reason, ''))"
)
"""What PostgreSQL searches, word for word as its index has it."""
_WORDS: Final = "agent_memory_words"
_POSTGRES_TEXTS: Final = (
    f"CREATE INDEX IF NOT EXISTS {_WORDS} ON agent_memory USING gin "
    f"(({SEARCHED.replace('agent_memory.', '')}))"
)


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
    return is_ours and _has(connection, JUDGED)


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
        _run(connection, (*PATH_TRIGGERS, FILL_PATHS))
    _run(connection, (MAKE_JUDGED,))
    # A SQLite without FTS5 has no index; then every memory is looked at.
    if not has_words(connection):
        with suppress(DBAPIError), connection.begin_nested():
            _run(connection, MAKE_TEXTS)
    if VIEW_NAME not in inspect(connection).get_view_names():
        _run(connection, (VIEW.format(options=""),))
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
    if VIEW_NAME not in inspect(connection).get_view_names():
        # Without it, a view shows every tenant's rows to everyone; there since PostgreSQL 15.
        version = connection.dialect.server_version_info or (0,)
        options = "WITH (security_invoker = true)" if version >= (15,) else ""
        # For other programs alone: tables of theirs are used without the right to make a view.
        with suppress(DBAPIError), connection.begin_nested():
            _run(connection, (VIEW.format(options=options),))
    # As good as ever on tables of others, and slower there.
    for statement in (_POSTGRES_TEXTS, MAKE_JUDGED):
        with suppress(DBAPIError), connection.begin_nested():
            _run(connection, (statement,))


def _run(connection: Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        connection.exec_driver_sql(statement)
