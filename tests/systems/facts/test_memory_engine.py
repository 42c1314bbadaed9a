"""What a store's database may be, and what is said when it cannot be used."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.full_disk import Mounted, nothing_grows
from tests.memory_files import Keeping

from remem.base.errors import Refused
from remem.model.citation import Citation
from remem.model.entry import Status
from remem.store.databases.rows import BadDatabase
from remem.systems.facts.database.lazy_rows import read_memories
from remem.systems.facts.database.row_records import BadStore, StoreReadOnly, StoreUnavailable
from remem.systems.facts.records import NewMemory

NEW = NewMemory("acme/ferry", "berths", "They are numbered", (Citation("a.py", 1, 2),))
SEEDED = """
CREATE TABLE public.agent_memory (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(), repo TEXT NOT NULL, subject TEXT NOT NULL,
    fact TEXT NOT NULL, reason TEXT, citations JSONB NOT NULL DEFAULT '[]'::jsonb,
    created_by TEXT, created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    refreshed_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded', 'invalid')),
    supersedes_id UUID REFERENCES public.agent_memory (id),
    superseded_by_id UUID REFERENCES public.agent_memory (id),
    verification_count INT NOT NULL DEFAULT 0, last_verified_at TIMESTAMPTZ,
    last_verified_by TEXT, tenant_id TEXT NOT NULL DEFAULT 'default',
    embedding TEXT DEFAULT 'a column of their own'
);
CREATE UNIQUE INDEX their_unique_fact ON public.agent_memory (repo, subject, fact)
    WHERE status = 'active';
CREATE TABLE public.agent_memory_telemetry (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    memory_id UUID NOT NULL REFERENCES public.agent_memory (id) ON DELETE CASCADE,
    event TEXT NOT NULL, agent_id TEXT, session_id TEXT, verification_result JSONB,
    duration_ms INT, created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    tenant_id TEXT NOT NULL DEFAULT 'default'
);
INSERT INTO public.agent_memory (repo, subject, fact, citations)
    VALUES ('acme/ferry', 'piers', 'They have no numbers', '[{"path": "b.py", "line_start": 1}]')
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".remem" / "memory.db"


@pytest.fixture
def kept(path: Path) -> Path:
    """A store with one memory, closed again."""
    store = Keeping.open(path)
    store.store(NEW)
    store.close()
    return path


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as sql:
        sql.execute(statement, values)
        sql.commit()


def test_looking_at_what_is_not_there_makes_nothing(path: Path) -> None:
    store = Keeping.open(path)

    assert store.recent("acme/ferry") == ()
    assert store.all() == read_memories(path) == ()
    assert store.usage("acme/ferry") == ()
    assert not path.parent.exists()


def test_the_file_is_its_owners_alone_and_waits_for_nobody(kept: Path) -> None:
    assert kept.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(kept)) as sql:
        assert sql.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert [each.name for each in kept.parent.iterdir()] == ["memory.db"]


def test_reading_rows_without_the_store_gives_the_same(kept: Path) -> None:
    store = Keeping.open(kept)
    made = store.recent("acme/ferry")[0].id
    store.supersede(store.refresh(made).id, "another")

    assert [*read_memories(kept)] == [*store.all()]
    assert [memory.has_held for memory in read_memories(kept)] == [True, False]
    store.close()


def test_what_others_wrote_into_a_row_hides_no_other(kept: Path) -> None:
    change(kept, "PRAGMA ignore_check_constraints = ON")
    with closing(sqlite3.connect(kept)) as sql:
        sql.execute("PRAGMA ignore_check_constraints = ON")
        for number, (cited, status) in enumerate(
            [("nope", "active"), ('[{"path": 1}, {"path": "b", "line_start": 2}]', "active"),
             ("[]", "draft"), ("{}", "active"), (b"\xff", "active")]
        ):  # fmt: skip
            sql.execute(
                "INSERT INTO agent_memory (id, repo, subject, fact, citations, status, created_at,"
                " refreshed_at) VALUES (?, 'acme/ferry', 's', ?, ?, ?, 'yesterday', '2026-05-04')",
                (f"id {number}", f"fact {number}", cited, status),
            )
        sql.commit()

    store = Keeping.open(kept)
    found = {memory.id: memory for memory in store.all()}

    assert [*read_memories(kept)] == [*store.all()]
    assert len(found) == 6
    assert [problem.field for problem in found["id 0"].problems] == ["citations"]
    assert found["id 1"].citations == (Citation("b", 2, 2),)
    assert "citation 1" in found["id 1"].problems[0].message
    assert found["id 2"].status is Status.INVALID
    assert found["id 3"].created_at is None
    assert store.search_path("acme/ferry", "b")[0].id == "id 1"
    store.close()


def test_rows_that_others_wrote_before_remem_came_are_found_by_their_files(kept: Path) -> None:
    change(kept, "DROP TABLE memory_path")
    for name in ("new", "changed", "gone"):
        change(kept, f"DROP TRIGGER memory_path_{name}")
    change(kept, "PRAGMA user_version = 0")

    store = Keeping.open(kept)
    store.store(NewMemory("acme/ferry", "more", "than before", (Citation("b.py", 1, 1),)))

    assert [each.subject for each in store.search_path("acme/ferry", "a.py")] == ["berths"]
    store.close()


@pytest.mark.parametrize("data", [b"SQLite format 3\0 and then nothing", b"x" * 5000])
def test_what_is_no_database_is_said_to_be_none(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)

    with pytest.raises(BadStore, match=r"not a database|damaged"):
        Keeping.open(path).store(NEW)
    with pytest.raises(BadDatabase):
        read_memories(path)

    assert path.read_bytes() == data


def test_a_store_of_a_newer_remem_is_refused(kept: Path) -> None:
    change(kept, "PRAGMA user_version = 99")

    with pytest.raises(BadStore, match="newer version of remem") as told:
        Keeping.open(kept).store(NEW)
    with pytest.raises(BadStore, match="newer version of remem"):
        Keeping.open(kept).recent("acme/ferry")

    assert (told.value.exit_code, told.value.hint) == (2, "upgrade remem")


def test_a_locked_store_is_waited_for_and_then_told(kept: Path) -> None:
    store = Keeping.open(kept, busy=0.05)

    with closing(sqlite3.connect(kept, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="another program is writing") as told:
            store.store(NEW)
        assert len(store.recent("acme/ferry")) == 1

    assert told.value.exit_code == 4
    assert store.store(NEW).status == "refreshed"
    store.close()


def test_a_store_that_was_taken_away_is_made_again(kept: Path) -> None:
    store = Keeping.open(kept)
    store.recent("acme/ferry")

    kept.unlink()

    assert store.recent("acme/ferry") == ()
    assert store.store(NEW).status == "created"
    assert len(read_memories(kept)) == 1
    store.close()


def test_a_link_in_a_repository_chooses_no_file_of_the_users(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(tmp_path / "precious")

    with pytest.raises(Refused, match="is a link"):
        Keeping.open(path).store(NEW)

    assert not (tmp_path / "precious").exists()


@pytest.fixture
def unwritable() -> Iterator[Path]:
    """A store in a folder that may only be read, by whoever runs the test."""
    folder = Path(tempfile.mkdtemp(prefix="remem-", dir="/tmp"))
    folder.chmod(0o755)
    store = Keeping.open(folder / "memory.db")
    store.store(NEW)
    store.close()
    (folder / "memory.db").chmod(0o444)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:  # who may write whatever the mode says
        os.seteuid(65534)
    yield folder / "memory.db"
    if is_root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_store_on_a_full_disk_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    first = Keeping.open(path)
    first.store(NEW)
    first.close()
    (tmp_path / "memory.db-wal").touch()
    full = os.statvfs_result((4096, 4096, 1000, 0, 0, 1000, 900, 900, 0, 255))
    store = Keeping.open(path, disk=Mounted(full))

    with nothing_grows():
        found = store.recent("acme/ferry")
        with pytest.raises(StoreReadOnly, match="the disk is full") as told:
            store.store(NEW)

    assert len(found) == 1
    assert told.value.hint.startswith("free some space")
    store.close()


def test_a_store_that_may_only_be_read_is_read(unwritable: Path) -> None:
    store = Keeping.open(unwritable)

    before = store.recent("acme/ferry")
    with pytest.raises(StoreReadOnly, match="permission denied") as told:
        store.store(NEW)
    after = store.recent("acme/ferry")

    store.close()
    assert len(before) == len(after) == 1
    assert told.value.exit_code == 4
    assert [each.name for each in unwritable.parent.iterdir()] == ["memory.db"]


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://root:hunter2@db/x", "`mysql` is not a supported"),
        ("sqlite:///x.db", "`sqlite` is not a supported"),
        ("just words", "has no scheme"),
        ("postgresql://u:hunter2@host:notaport/x", "is not valid"),
    ],
)
def test_an_address_of_another_kind_is_refused(address: str, says: str) -> None:
    with pytest.raises(BadStore, match=says) as told:
        Keeping.open(address)

    assert "hunter2" not in f"{told.value} {told.value.hint}"


def test_a_server_that_is_out_of_reach_is_told_without_its_password(tmp_path: Path) -> None:
    store = Keeping.open(f"postgresql://u:hunter2@/x?host={tmp_path}")

    with pytest.raises(StoreUnavailable) as told:
        store.recent("acme/ferry")

    assert told.value.exit_code == 4
    assert "hunter2" not in f"{told.value} {told.value.hint}"
    assert "check that the server runs" in told.value.hint


@pytest.mark.slow
def test_tables_that_are_there_are_used_as_they_are(postgres_database: str) -> None:
    import psycopg

    with psycopg.connect(postgres_database, autocommit=True) as sql:
        sql.execute(SEEDED)

    store = Keeping.open(postgres_database)
    before = store.recent("acme/ferry")
    made = store.store(NEW).id
    store.supersede(before[0].id, "They have letters", [Citation("b.py", 1, 1)])

    assert [each.fact for each in before] == ["They have no numbers"]
    assert before[0].citations == (Citation("b.py", 1, 1),)
    assert store.search_path("acme/ferry", "a.py")[0].id == made
    assert store.stats("acme/ferry").active == 2
    store.close()
    with psycopg.connect(postgres_database) as sql:
        row = sql.execute("SELECT active_count, superseded_count FROM agent_memory_stats")
        assert row.fetchall() == [(2, 1)]
        kept = sql.execute("SELECT count(*) FROM agent_memory WHERE embedding LIKE 'a column%'")
        assert kept.fetchone() == (3,)


@pytest.mark.slow
def test_tables_of_others_need_no_right_to_make_any(postgres_database: str) -> None:
    import psycopg

    with psycopg.connect(postgres_database, autocommit=True) as sql:
        sql.execute(SEEDED)
        sql.execute("DROP ROLE IF EXISTS ferry_writer")
        sql.execute("CREATE ROLE ferry_writer LOGIN")
        sql.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        sql.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO ferry_writer")
    store = Keeping.open(postgres_database.replace("remem@", "ferry_writer@"))

    stored = store.store(NEW)

    assert stored.status == "created"
    assert store.stats("acme/ferry").active == 2
    store.close()
    with psycopg.connect(postgres_database, autocommit=True) as sql:
        sql.execute("DROP OWNED BY ferry_writer")
        sql.execute("DROP ROLE ferry_writer")


@pytest.mark.slow
def test_a_store_on_a_server_is_made_once_and_knows_its_version(postgres_database: str) -> None:
    import psycopg

    first, second = Keeping.open(postgres_database), Keeping.open(postgres_database)
    assert first.recent("acme/ferry") == second.recent("acme/ferry") == ()

    first.store(NEW)

    assert len(second.recent("acme/ferry")) == 1
    second.close()
    with psycopg.connect(postgres_database, autocommit=True) as sql:
        sql.execute("COMMENT ON TABLE agent_memory IS 'remem 99'")
    with pytest.raises(BadStore, match="newer version of remem"):
        second.recent("acme/ferry")
    first.close()


@pytest.mark.slow
def test_a_role_that_is_no_owner_sees_its_tenant_and_what_is_shared(postgres_database: str) -> None:
    import psycopg

    for tenant in ("default", "mine", "theirs"):
        store = Keeping.open(postgres_database, tenant=tenant)
        store.store(NewMemory("acme/ferry", "of", tenant, (Citation("a.py", 1, 1),)))
        store.close()

    with psycopg.connect(postgres_database, autocommit=True) as sql:
        sql.execute("DROP ROLE IF EXISTS ferry_reader")
        sql.execute("CREATE ROLE ferry_reader")
        sql.execute("GRANT SELECT ON agent_memory TO ferry_reader")
        sql.execute("SET ROLE ferry_reader")
        sql.execute("SET app.current_tenant = 'mine'")
        seen = sql.execute("SELECT fact FROM agent_memory ORDER BY fact").fetchall()
        sql.execute("RESET ROLE")
        sql.execute("REVOKE ALL ON agent_memory FROM ferry_reader")
        sql.execute("DROP ROLE ferry_reader")

    assert seen == [("default",), ("mine",)]
