"""What tools answer while a PostgreSQL server dies, comes back, or may only be read: the truth."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests import postgres
from tests.mcp.test_answers_that_fit import store
from tests.mcp.test_tools import REPO, ask

from remem.base.errors import RememError
from remem.core.settings import ADDRESS, Places
from remem.mcp.server_state import ServerState
from remem.systems.facts.database.row_records import StoreUnavailable

pytestmark = pytest.mark.slow
SEED = """
CREATE TABLE agent_memory (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), repo TEXT NOT NULL,
    subject TEXT NOT NULL, fact TEXT NOT NULL, reason TEXT, citations JSONB NOT NULL DEFAULT '[]',
    created_by TEXT, created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    refreshed_at TIMESTAMPTZ NOT NULL DEFAULT now(), status TEXT NOT NULL DEFAULT 'active',
    supersedes_id UUID REFERENCES agent_memory(id),
    superseded_by_id UUID REFERENCES agent_memory(id),
    verification_count INT NOT NULL DEFAULT 0, last_verified_at TIMESTAMPTZ, last_verified_by TEXT,
    tenant_id TEXT NOT NULL DEFAULT 'default');
CREATE TABLE agent_memory_telemetry (id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    memory_id UUID NOT NULL REFERENCES agent_memory(id) ON DELETE CASCADE, event TEXT NOT NULL,
    agent_id TEXT, session_id TEXT, verification_result JSONB, duration_ms INT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(), tenant_id TEXT NOT NULL DEFAULT 'default');
INSERT INTO agent_memory (repo, subject, fact, citations) VALUES ('dock', 'pumps',
    'The pump runs dry before pier 7', '[{"path": "src/pump.ts", "line_start": 1, "line_end": 1}]');
CREATE ROLE agent LOGIN;
GRANT SELECT, INSERT, UPDATE ON agent_memory, agent_memory_telemetry TO agent;
"""


@pytest.fixture
def address() -> Iterator[str]:
    if postgres.why_not():
        pytest.skip(postgres.why_not())
    with postgres.server() as server:
        yield server.format(name="postgres")


def house_at(root: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> ServerState:
    monkeypatch.setenv(ADDRESS, address)
    (root / REPO / "src").mkdir(parents=True, exist_ok=True)
    (root / REPO / "src/pump.ts").write_text("start\nstop\n")
    return ServerState(root / REPO, Places.of(root / "home"), "run-1")


def control(address: str, *words: str) -> None:
    folder = Path(address.partition("host=")[2])
    postgres._run("pg_ctl", "-D", folder / "data", "-w", *words)


def test_a_server_that_dies_is_told_and_used_again_once_it_is_back(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = house_at(tmp_path, address, monkeypatch)
    made = store(state, "The pump runs dry before pier 7", ("src/pump.ts", 1))
    folder = Path(address.partition("host=")[2])
    control(address, "-m", "immediate", "stop")
    try:
        for tool, given in (
            ("memory_get_recent", {"task": "the pump"}),
            ("memory_search", {"query": "pump"}),
            ("memory_history", {"memory_id": made}),
            ("memory_compose", {"role": "backend-engineer"}),
        ):
            with pytest.raises(StoreUnavailable):
                ask(state, tool, **given)
        with pytest.raises(StoreUnavailable):
            store(state, "Another", ("src/pump.ts", 2))
    finally:
        sockets = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
        control(address, "-l", str(folder / "log"), "-o", sockets, "start")

    found = ask(state, "memory_search", query="pump")
    assert [each["id"] for each in found["memories"]] == [made]
    assert store(state, "Another", ("src/pump.ts", 2)) != made
    state.close()


def test_a_server_that_may_only_be_read_is_searched_and_refuses_to_keep(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = house_at(tmp_path, address, monkeypatch)
    store(state, "The pump runs dry before pier 7", ("src/pump.ts", 1))
    state.close()
    with psycopg.connect(address, autocommit=True) as sql:
        sql.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")

    state = house_at(tmp_path, address, monkeypatch)
    found = ask(state, "memory_search", query="dry pumps")
    with pytest.raises(RememError, match="it is read-only"):
        store(state, "Another", ("src/pump.ts", 2))

    assert [each["verdict"] for each in found["memories"]] == ["valid"]
    state.close()


def test_the_tables_of_another_program_are_searched_without_rights_to_change_them(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(address, autocommit=True) as sql:
        sql.execute(SEED.encode())
    agent = address.replace("remem@", "agent@")
    state = house_at(tmp_path, agent, monkeypatch)

    found = ask(state, "memory_search", query="pumps")
    made = store(state, "The pump is oiled", ("src/pump.ts", 2))

    assert [each["verdict"] for each in found["memories"]] == ["unchecked"]
    assert made in {each["id"] for each in ask(state, "memory_get_recent")["memories"]}
    state.close()
