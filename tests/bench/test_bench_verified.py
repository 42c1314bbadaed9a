"""Verified memory among 100,000: the store on both databases, and the tools over stdio."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import pytest
from mcp.client.stdio import stdio_client
from tests import postgres
from tests.bench.measure import Report, in_turns, p95, process, process_cpu, python, shown
from tests.mcp.clients import Agent, agent
from tests.memory_files import Keeping

from mcp import ClientSession, StdioServerParameters
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.citation import Citation
from remem.systems.facts.database.row_records import DATABASE
from remem.systems.facts.records import NewMemory

MANY = 100_000
FILES = 2_000
REPO = "project"
COLUMNS = "id, repo, subject, fact, citations, created_at, refreshed_at"
REFERENCE = "MCP_REFERENCE_SERVER"
"""Names `dist/index.js` of `@modelcontextprotocol/server-memory`, to be measured beside it."""
ENTITIES = MANY


def rows() -> Iterator[tuple[str, ...]]:
    for number in range(MANY):
        place = {"path": f"src/part{number % FILES}.py", "line_start": 1 + number % 40}
        cited = json.dumps([{**place, "line_end": place["line_start"], "snippet": "value = 1"}])
        at = f"2026-{1 + number % 9:02}-{1 + number % 28:02}T09:30:{number % 60:02}.000000Z"
        name = f"{number:08x}-0000-4000-8000-000000000000"
        fact = f"Part {number} is closed before part {number * 7 % MANY} is opened"
        yield (name, REPO, f"part {number % 90}", fact, cited, at, at)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with 100,000 memories in its own file, and the code that they cite."""
    root = tmp_path_factory.mktemp("many") / REPO
    (root / "src").mkdir(parents=True)
    for number in range(FILES):
        (root / f"src/part{number}.py").write_text("value = 1\n" * 40)
    store = Keeping.open(root / DATABASE)
    with store.base.writing():
        pass
    store.close()
    with closing(sqlite3.connect(root / DATABASE)) as sql:
        sql.executemany(
            f"INSERT INTO agent_memory ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows(),
        )
        sql.commit()
    return root


@pytest.fixture(scope="module")
def many_on_a_server() -> Iterator[str]:
    import psycopg

    if postgres.why_not():
        pytest.skip(postgres.why_not())
    with postgres.server() as server:
        address = server.format(name="postgres")
        store = Keeping.open(address)
        with store.base.writing():
            pass
        store.close()
        copy = f"COPY agent_memory ({COLUMNS}) FROM STDIN"
        with psycopg.connect(address, autocommit=True) as sql:
            with sql.cursor().copy(copy.encode()) as copying:
                for row in rows():
                    copying.write_row(row)
            sql.execute("ANALYZE")
        yield address


def taken(times: int, act: Callable[[int], object]) -> float:
    """Return the milliseconds of one call, the median."""
    act(-1)
    found: list[float] = []
    for number in range(times):
        begin = perf_counter()
        act(number)
        found.append((perf_counter() - begin) * 1_000)
    return median(found)


def measure(report: Report, name: str, store: Keeping, floor: str) -> None:
    times = report.rounds * 20
    cited = (Citation("src/part7.py", 1, 1, snippet="value = 1"),)
    acts: dict[str, Callable[[int], object]] = {
        "store": lambda n: store.store(NewMemory(REPO, "new", f"New {name} {n}", cited)),
        "recent(50)": lambda _: store.recent(REPO, 50),
        "search-path": lambda n: store.search_path(REPO, f"src/part{n % FILES}.py"),
    }
    for what, act in acts.items():
        measured = taken(times, act)
        report.plain(
            f"{what} among 100,000 memories, {name}", "≤ 10 ms", f"{shown(measured)} ms", floor
        )
    assert len(store.recent(REPO, 50)) == 50
    assert len(store.search_path(REPO, "src/part3.py")) == 50


def test_the_store_in_a_file(report: Report, many: Path, tmp_path: Path) -> None:
    store = Keeping.open(many / DATABASE)
    with closing(sqlite3.connect(tmp_path / "bare.db", isolation_level=None)) as bare:
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = FULL")
        bare.execute("CREATE TABLE t (a TEXT)")
        commit = taken(
            report.rounds * 20, lambda n: bare.execute("INSERT INTO t VALUES (?)", [str(n)])
        )

    measure(report, "SQLite", store, f"{shown(commit)} ms: one durable commit")
    store.close()


def test_the_store_on_a_server(report: Report, many_on_a_server: str) -> None:
    import psycopg

    with psycopg.connect(many_on_a_server, autocommit=True) as sql:
        asked = taken(report.rounds * 20, lambda _: sql.execute("SELECT 1").fetchone())
    store = Keeping.open(many_on_a_server)

    measure(report, "PostgreSQL", store, f"{shown(asked)} ms: one bare question")
    store.close()


def test_a_root_with_many_memories_opens(report: Report, many: Path, tmp_path: Path) -> None:
    times: list[float] = []
    for _ in range(report.rounds):
        begin = process_time()
        bench = Session.open(many, Places.of(tmp_path / "home"), door="cli")
        times.append((process_time() - begin) * 1_000)
        (source,) = bench.library.of_format("verified")
        assert len(source.entries) >= MANY
        bench.close()
    with closing(sqlite3.connect(many / DATABASE)) as sql:
        begin = process_time()
        found = sql.execute("SELECT * FROM agent_memory").fetchall()
        floor = (process_time() - begin) * 1_000

    assert len(found) >= MANY
    report.plain(
        "open a root with 100,000 memories, CPU",
        "stated",
        f"{shown(min(times))} ms",
        f"{shown(floor)} ms: their rows alone",
    )


SEARCHES = {
    "a rare word": "{}",
    "a word of every fact": "closed",
    "three words of every fact": "closed before opened",
    "a rare word and common ones": "{} is closed",
    "a word's start": "open",
}
TASK = "Close part {0} before it is opened again, in src/part{0}.py"


def searched(pilot: Agent, words: str, number: int) -> Awaitable[object]:
    query = words.format(40_000 + number)
    return pilot.asks("memory_search", repo=REPO, query=query, limit=10)


async def test_the_tools_over_stdio(report: Report, many: Path, tmp_path: Path) -> None:
    times = report.rounds * 15

    async def series(act: Callable[[int], Awaitable[object]]) -> float:
        found: list[float] = []
        for number in range(-2, times):
            begin = perf_counter()
            await act(number)
            if number >= 0:
                found.append((perf_counter() - begin) * 1_000)
        return p95(found)

    begin = perf_counter()
    async with agent(many, tmp_path) as pilot:
        connected = (perf_counter() - begin) * 1_000
        await pilot.asks("memory_get_recent", repo=REPO, limit=1)
        ping = await series(lambda _: pilot.session.send_ping())
        place = {"path": "src/part7.py", "line_start": 1, "line_end": 1}
        acts: dict[str, Callable[[int], Awaitable[object]]] = {
            "memory_store": lambda n: pilot.asks(
                "memory_store", repo=REPO, subject="tool", fact=f"Told {n}", citations=[place]
            ),
            "memory_search_by_path": lambda n: pilot.asks(
                "memory_search_by_path", repo=REPO, path=f"src/part{n % FILES}.py", limit=10
            ),
            **{
                f"memory_search` for {what}, `limit=10": partial(searched, pilot, words)
                for what, words in SEARCHES.items()
            },
            "memory_get_recent` with `task": lambda n: pilot.asks(
                "memory_get_recent", repo=REPO, limit=10, task=TASK.format(n % FILES)
            ),
            "memory_get_recent": lambda _: pilot.asks("memory_get_recent", repo=REPO, limit=10),
            "memory_read_citation": lambda _: pilot.asks(
                "memory_read_citation", repo=REPO, **place
            ),
        }
        for name, act in acts.items():
            measured = await series(act)
            floor = f"{shown(ping)} ms: a ping"
            report.plain(f"`{name}` over stdio, p95", "≤ 20 ms", f"{shown(measured)} ms", floor)
    report.plain("MCP client connects", "stated", f"{shown(connected)} ms", "one process")
    assert connected > 0


SDK_ALONE = "import mcp.server.lowlevel, mcp.server.stdio, mcp_types"


def asked(method: str, number: int | None = None, /, **parameters: object) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": parameters}
    known = message if number is None else {**message, "id": number}
    return json.dumps(known).encode() + b"\n"


def first_answers(root: Path, home: Path) -> tuple[float, float, float]:
    """Return the milliseconds to the first answer, to that of the first call, and those of work."""
    command = [sys.executable, "-m", "remem", "mcp", "--root", str(root), "--home", str(home)]
    client = {"name": "bench", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    call = asked("tools/call", 2, name="memory_get_recent", arguments={})
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(asked("initialize", 1, **hello))
        server.stdin.flush()
        assert b'"serverInfo"' in server.stdout.readline()
        introduced = perf_counter()
        server.stdin.write(asked("notifications/initialized") + call)
        server.stdin.flush()
        assert b"verdict" in server.stdout.readline()
        done = perf_counter()
        server.stdin.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return (introduced - begin) * 1_000, (done - begin) * 1_000, cpu * 1_000


def test_a_server_answers_soon_after_its_start(report: Report, tmp_path: Path) -> None:
    root, home = tmp_path / REPO, tmp_path / "home"
    (root / "src").mkdir(parents=True)
    (root / "src/part.py").write_text("value = 1\n")
    store = Keeping.open(root / DATABASE)
    cited = (Citation("src/part.py", 1, 1, snippet="value = 1"),)
    store.store(NewMemory(REPO, "value", "The value is 1", cited))
    store.close()
    found: list[tuple[float, float, float]] = []

    def served() -> float:
        found.append(first_answers(root, home))
        return found[-1][2]

    sdk = python(SDK_ALONE)
    served()
    worked, alone, imported = in_turns(
        report.rounds, served, lambda: process_cpu(sdk), lambda: process(sdk)
    )

    introduced, answered, _ = map(median, zip(*found, strict=True))
    floor_is = "the SDK is imported"
    goal = "≤ 1.5 ×"
    report.ratio("MCP: start to the answer of `initialize`", goal, introduced, imported, floor_is)
    report.ratio("MCP: start to the answer of a first call", goal, answered, imported, floor_is)
    ratio = report.ratio("MCP: a first call and the end, CPU", "stated", worked, alone, floor_is)
    first = shown(answered - introduced)
    report.plain("MCP: a first call after `initialize`", "≤ 300 ms", f"{first} ms", "no floor")
    assert ratio > 0.5


async def test_the_reference_server_in_the_same_run(report: Report, tmp_path: Path) -> None:
    if not os.environ.get(REFERENCE):
        pytest.skip(f"`{REFERENCE}` names no reference server")
    entities = tmp_path / "memory.jsonl"
    known = [
        {
            "type": "entity",
            "name": f"e{number}",
            "entityType": "fact",
            "observations": [row[3], f"unique{number:05}"],
        }
        for number, row in zip(range(ENTITIES), rows(), strict=False)
    ]
    entities.write_text("".join(f"{json.dumps(each)}\n" for each in known))
    server = StdioServerParameters(
        command="node", args=[os.environ[REFERENCE]], env={"MEMORY_FILE_PATH": str(entities)}
    )

    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        calls: dict[str, Callable[[int], dict[str, object]]] = {
            "search_nodes": lambda n: {"query": f"unique{n:05}"},
            "create_entities": lambda n: {
                "entities": [{"name": f"n{n}", "entityType": "fact", "observations": ["x"]}]
            },
        }
        for name, arguments in calls.items():
            found: list[float] = []
            for number in range(report.rounds * 4):
                begin = perf_counter()
                await session.call_tool(name, arguments(number))
                found.append((perf_counter() - begin) * 1_000)
            what = f"reference server, `{name}` among {ENTITIES:,}, p95"
            report.plain(what, "stated", f"{shown(p95(found))} ms", "another program")
        begin = perf_counter()
        everything = await session.call_tool("search_nodes", {"query": "closed"})
        took = (perf_counter() - begin) * 1_000
        size = sum(len(getattr(part, "text", "")) for part in everything.content) / 1e6
        what = f"reference server, a common word among {ENTITIES:,}, {size:.1f} MB of answer"
        report.plain(what, "stated", f"{shown(took)} ms", "another program")
    assert len(entities.read_text().splitlines()) > ENTITIES
