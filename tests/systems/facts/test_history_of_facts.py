"""Facts are in the history like all else: every door's writing verbs, undone to the same rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.failing_disk import HARMLESS, CountingDisk, DyingDisk, Killed
from tests.systems.facts.test_service import REPO, new

from remem import VerifiedMemoryProvider
from remem.base.clock import Clock
from remem.base.errors import ChangedOnDisk, NotPossible, RememError
from remem.cli.agents.memory import memory as memory_group
from remem.cli.agents.memory_look import LOOKS as LOOKING
from remem.cli.main import run
from remem.core.session import Session
from remem.core.settings import Places
from remem.mcp.calls import answer
from remem.mcp.server_state import Call, ServerState
from remem.mcp.tools import TOOLS
from remem.model.change import Change, RowEdit
from remem.store.databases.row_sets import RowSets
from remem.store.history.journal_records import Logged
from remem.systems.facts.database.tables import EVENTS, MEMORY
from remem.systems.facts.service import VerifiedMemory
from remem.systems.facts.write_facts import Writing

pytestmark = pytest.mark.slow

BERTH = "src/berth.ts"
CITED = {"path": BERTH, "line_start": 1, "line_end": 2}
TELEMETRY = {"retrieved", "verified_valid", "applied"}
TOOLS_BY_NAME = {tool.name.replace("_", ".", 1): tool for tool in TOOLS}


@dataclass
class Dock:
    """A folder with one fact, and the doors to it."""

    root: Path
    home: Path
    url: str | None

    def __post_init__(self) -> None:
        self.first = ""

    def service(self, **given: Any) -> VerifiedMemory:
        return VerifiedMemory(self.root, Places.of(self.home), url=self.url, **given)

    def cli(self, *arguments: str) -> None:
        code = run(["memory", *arguments, "--root", str(self.root), "--home", str(self.home)])
        assert code == 0

    def mcp(self, tool: str, **given: Any) -> None:
        state = ServerState(self.root, Places.of(self.home), "run-1")
        try:
            answer(Call(state, TOOLS_BY_NAME[tool].read(given), "pilot"))
        finally:
            state.close()

    def provider(self, method: str, *given: Any) -> None:
        with VerifiedMemoryProvider(
            self.root, home=self.home, url=self.url, agent="pilot"
        ) as memory:
            getattr(memory, method)(*given)

    def bench(self) -> Session:
        places = replace(Places.of(self.home), database=self.url or "")
        return Session.open(self.root, places, door="cli")

    def history(self) -> tuple[Logged, ...]:
        bench = self.bench()
        try:
            return bench.past.changes()
        finally:
            bench.close()

    def undo(self, name: str | None = None) -> None:
        bench = self.bench()
        try:
            bench.undo(name)
        finally:
            bench.close()

    def redo(self) -> None:
        bench = self.bench()
        try:
            bench.redo()
        finally:
            bench.close()

    def rows(self) -> tuple[list[Any], list[Any]]:
        """Return every column of every fact, and of every event that is no telemetry."""
        service = self.service()
        try:
            if not service.store.base.is_there:
                return [], []
            with service.store.base.reading() as sql:
                kept = sql.execute(select(MEMORY).order_by(MEMORY.c.id)).all()
                told = sql.execute(select(EVENTS).order_by(EVENTS.c.id)).all()
        finally:
            service.close()
        return [tuple(each) for each in kept], [
            tuple(each) for each in told if each.event not in TELEMETRY
        ]

    def push_down(self) -> Dock:
        path = self.root / BERTH
        path.write_text("new\n" + path.read_text())
        return self


@pytest.fixture(params=["sqlite", "postgres"])
def pier(
    request: pytest.FixtureRequest, dock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Dock:
    url = request.getfixturevalue("postgres_store") if request.param == "postgres" else None
    if url is not None:
        monkeypatch.setenv("REMEM_DATABASE_URL", url)
    made = Dock(dock, tmp_path / "home", url)
    service = made.service(door="mcp", actor="agent")
    made.first = service.keep(new()).stored.id
    service.close()
    return made


Write = Callable[[Dock], None]
WRITES: dict[tuple[str, str], Write] = {
    ("cli", "store"): lambda it: it.cli(
        "store", "--subject", "s", "--fact", "f", "--cite", f"{BERTH}:1-2"
    ),
    ("cli", "refresh"): lambda it: it.cli("refresh", it.first),
    ("cli", "invalidate"): lambda it: it.cli("invalidate", it.first, "--reason", "no"),
    ("cli", "supersede"): lambda it: it.cli("supersede", it.first, "--fact", "They are lettered"),
    ("cli", "reanchor"): lambda it: it.push_down().cli("reanchor"),
    ("mcp", "memory.store"): lambda it: it.mcp(
        "memory.store", repo=REPO, subject="s", fact="f", citations=[CITED]
    ),
    ("mcp", "memory.refresh"): lambda it: it.mcp("memory.refresh", memory_id=it.first),
    ("mcp", "memory.invalidate"): lambda it: it.mcp("memory.invalidate", memory_id=it.first),
    ("mcp", "memory.supersede"): lambda it: it.mcp(
        "memory.supersede", old_memory_id=it.first, new_fact="They are lettered"
    ),
    ("provider", "store"): lambda it: it.provider("store", "s", "f", [f"{BERTH}:1-2"]),
    ("provider", "refresh"): lambda it: it.provider("refresh", it.first),
    ("provider", "use"): lambda it: it.provider("use", it.first),
    ("provider", "invalidate"): lambda it: it.provider("invalidate", it.first),
    ("provider", "reanchor"): lambda it: it.push_down().provider("reanchor"),
    ("provider", "supersede"): lambda it: it.provider("supersede", it.first, "They are lettered"),
}
"""Door and verb → a use of it that writes."""


@pytest.mark.parametrize(("door", "verb"), WRITES, ids=[" ".join(each) for each in WRITES])
def test_every_writing_verb_is_in_the_history_and_undone_to_the_same_rows(
    pier: Dock, door: str, verb: str
) -> None:
    before, known = pier.rows(), len(pier.history())

    WRITES[door, verb](pier)
    after, (done, *earlier) = pier.rows(), pier.history()
    if door == "cli":
        pier.undo()
    else:
        pier.undo(done.id)
    restored = pier.rows()
    pier.redo()

    assert len(earlier) == known
    assert (done.origin.door, done.origin.actor) == (door, "person" if door == "cli" else "agent")
    assert done.origin.set_off == done.origin.actor
    assert done.intent.verb == f"memory.{verb.removeprefix('memory.').replace('use', 'refresh')}"
    assert after != before
    assert restored == before
    assert pier.rows() == after


def test_every_writing_verb_of_facts_is_tried_here() -> None:
    tried = {door: {verb for where, verb in WRITES if where == door} for door, _ in WRITES}
    looks = {each.name for each in LOOKING}
    telemetry = {"log-applied", "memory.log_applied", "log_applied"}
    change = {"retire", "memory.propose"}  # a change by the session, tried with those
    reading = {
        "memory.get_recent", "memory.search_by_path", "memory.compose", "memory.why",
        "memory.read_citation", "memory.verify_citations", "memory.stats", "memory.search",
        "memory.history",
    }  # fmt: skip
    methods = {
        name
        for name, each in vars(VerifiedMemoryProvider).items()
        if callable(each) and not name.startswith("_")
    }
    provided = {name for name in methods if name.removeprefix("a") not in methods - {name}}
    asking = {
        *("recent", "search_path", "usable", "for_prompt", "verify", "stats", "close"),
        *("get", "search", "history", "read_citation", "judge"),
    }

    assert set(memory_group.commands) - looks - telemetry - change == tried["cli"]
    assert {*TOOLS_BY_NAME} - reading - telemetry - change == tried["mcp"]
    assert provided - asking - telemetry == tried["provider"]


def test_undo_takes_back_what_a_person_did_and_an_agents_change_by_its_id(pier: Dock) -> None:
    WRITES["cli", "store"](pier)
    stored = pier.rows()
    WRITES["mcp", "memory.invalidate"](pier)
    agents = pier.history()[0]

    pier.undo()
    with pytest.raises(NotPossible, match="nothing to undo"):
        pier.undo()
    pier.undo(agents.id)

    assert len(stored[0]) == 2
    assert [row[0] for row in pier.rows()[0]] == [pier.first]
    assert pier.rows()[0][0][9] == "active"


def test_how_often_a_fact_was_used_is_there_again_when_its_storing_is_done_again(
    dock: Path, tmp_path: Path
) -> None:
    pier = Dock(dock, tmp_path / "home", None)
    WRITES["cli", "store"](pier)
    (stored,) = pier.service().recent(REPO, 9)
    pier.cli("log-applied", stored.memory.id)
    pier.mcp("memory.get_recent", repo=REPO)

    def used() -> list[tuple[str, int, int]]:
        return [
            (each.memory.id, each.applied, each.retrieved) for each in pier.service().usage(REPO)
        ]

    before = used()
    pier.undo()
    without = used()
    pier.redo()

    assert before == [(stored.memory.id, 1, 2)]
    assert without == []
    assert used() == before


@pytest.mark.parametrize("verb", [verb for door, verb in WRITES if door == "cli"])
def test_every_writing_command_says_how_to_take_it_back(
    pier: Dock, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    WRITES["cli", verb](pier)

    told = capsys.readouterr()

    assert f"; `remem undo {pier.history()[0].id}` undoes it" in told.err
    assert "undo" not in told.out


def test_undo_says_which_fact_somebody_changed_since(pier: Dock) -> None:
    WRITES["cli", "refresh"](pier)
    WRITES["mcp", "memory.refresh"](pier)
    before = pier.rows()

    with pytest.raises(ChangedOnDisk, match=pier.first):
        pier.undo()

    assert pier.rows() == before
    assert not pier.history()[1].undone


def test_all_that_was_reanchored_at_once_is_one_change(pier: Dock) -> None:
    WRITES["cli", "store"](pier)
    before = pier.rows()

    WRITES["cli", "reanchor"](pier)
    done = pier.history()[0]
    pier.undo()

    assert done.title == "Re-anchor 2 facts"
    assert len(done.touched) == 4
    assert pier.rows() == before


def test_what_only_looks_or_logs_is_no_change(pier: Dock) -> None:
    known = pier.history()

    pier.cli("recent")
    pier.cli("log-applied", pier.first)
    pier.mcp("memory.verify_citations", repo=REPO, citations=[{**CITED, "line_start": 2}])
    pier.provider("usable")

    assert pier.history() == known


def test_many_clients_at_once_lose_nothing(dock: Path, tmp_path: Path) -> None:
    pier = Dock(dock, tmp_path / "home", None)

    def work(client: int) -> None:
        service = pier.service(door="mcp", actor="agent")
        try:
            for number in range(3):
                service.keep(new(f"fact {client} {number}"))
        finally:
            service.close()

    with ThreadPoolExecutor(20) as clients:
        [*clients.map(work, range(20))]

    kept, told = pier.rows()
    assert (len(kept), len(told)) == (60, 60)
    assert len(pier.history()) == 60


def test_two_who_found_a_fact_valid_at_once_both_count_and_each_is_undone_exactly(
    pier: Dock,
) -> None:
    before = pier.rows()
    one, other = pier.service(), pier.service()
    read = one.store.held(pier.first)

    other.writing.refresh(other.store.held(pier.first), "bo")
    between = pier.rows()
    found = one.writing.refresh(read, "al")
    one.close()
    other.close()

    (kept,) = [row for row in pier.rows()[0] if row[0] == pier.first]
    assert list(kept).count(2) == 1
    assert found.last_verified_by == "al"
    pier.undo()
    assert pier.rows() == between
    pier.undo()
    assert pier.rows() == before


def test_what_was_found_valid_is_planned_once_however_many_look(dock: Path, tmp_path: Path) -> None:
    pier = Dock(dock, tmp_path / "home", None)
    service = pier.service()
    pier.first = service.keep(new()).stored.id
    read, planned = service.store.held(pier.first), list[Change]()

    def carry(change: Change) -> None:
        if not planned:  # somebody else was faster by a moment
            service.writing.refresh(read, "bo")
        planned.append(change)
        RowSets(service.store).write([each for each in change.effects if isinstance(each, RowEdit)])

    Writing(service.store, carry).refresh(read, "al")

    assert len(planned) == 1
    assert service.store.held(pier.first).verification_count == 2
    service.close()


def calls_of(act: Callable[[VerifiedMemory], object], folder: Path) -> list[str]:
    disk = CountingDisk()
    pier = standing(folder)
    service = pier.service(disk=disk, door="mcp", actor="agent")
    act(service)
    service.close()
    return disk.calls


def standing(folder: Path) -> Dock:
    """Return a dock with one fact, made in a folder of its own."""
    root = folder / "dock"
    (root / "src").mkdir(parents=True)
    (root / BERTH).write_text("first\nsecond\nthird\nfourth\n")
    pier = Dock(root, folder / "home", None)
    service = pier.service()
    pier.first = service.keep(new()).stored.id
    service.close()
    return pier


def test_whatever_call_is_the_last_one_history_and_rows_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends at each call in turn; what was not told as done is whole or not there."""
    monkeypatch.setattr("os.fsync", lambda _: None)  # a process that ends loses no bytes

    def act(service: VerifiedMemory) -> None:
        service.keep(new("They are lettered", start=1))

    calls = calls_of(act, tmp_path / "counted")
    outcomes: set[tuple[int, int]] = set()
    for at, name in enumerate(calls, 1):
        if name in HARMLESS:
            continue
        pier = standing(tmp_path / str(at))
        service = pier.service(disk=DyingDisk(at, "after"), door="mcp", actor="agent")
        with suppress(Killed):
            act(service)
        with suppress(Killed, RememError):
            service.close()
        bench = pier.bench()
        bench.begin()
        rows, history = len(pier.rows()[0]), len(bench.past.changes())
        bench.close()

        assert rows == history, (at, name)
        assert not [*(Places.of(pier.home).state / "running").iterdir()]
        outcomes.add((rows, history))
    assert outcomes == {(1, 1), (2, 2)}


def test_a_fact_makes_no_file_and_asks_the_history_for_two_commits(tmp_path: Path) -> None:
    pier = standing(tmp_path)
    disk = CountingDisk()
    service = pier.service(disk=disk, door="mcp", actor="agent")
    service.keep(new("They are lettered", start=1))
    already = len(disk.calls)

    service.keep(new("They are painted", start=2))
    service.close()

    effects = [name for name in disk.calls[already:] if name not in (*HARMLESS, "read_beneath")]
    assert effects == ["journal", "journal"]


@pytest.mark.parametrize("verb", ["memory.store", "memory.supersede", "memory.invalidate"])
def test_rows_that_a_crash_left_out_of_the_history_come_into_it_and_are_undone(
    tmp_path: Path, verb: str
) -> None:
    pier = standing(tmp_path)
    before = pier.rows()
    state = ServerState(pier.root, Places.of(pier.home), "run-1")
    disk = JournalDying(Places.of(pier.home).state)
    state.memory = pier.service(disk=disk, door="mcp", actor="agent")
    given_to: dict[str, dict[str, Any]] = {
        "memory.store": {"repo": REPO, "subject": "s", "fact": "f", "citations": [CITED]},
        "memory.supersede": {"old_memory_id": pier.first, "new_fact": "They are lettered"},
        "memory.invalidate": {"memory_id": pier.first},
    }

    with pytest.raises(Killed):
        answer(Call(state, TOOLS_BY_NAME[verb].read(given_to[verb]), "pilot"))
    state.close()
    bench = pier.bench()
    bench.begin()
    settled, *earlier = bench.past.changes()
    bench.undo(settled.id)
    bench.close()

    assert (settled.intent.verb, len(earlier)) == (verb, 1)
    assert pier.rows() == before


def is_expected(state: Path) -> bool:
    """Tell whether the history expects a change of facts."""
    with closing(sqlite3.connect(state / "journal.db")) as sql:
        return bool(sql.execute("SELECT 1 FROM coming").fetchone())


def test_a_run_that_is_alive_is_left_alone(tmp_path: Path) -> None:
    """Who recovers while a fact is being written does not take it for one that a crash left."""
    pier = standing(tmp_path)
    seen: list[object] = []

    class Watching(CountingDisk):
        def perform(self, name: str, call: Any, /, *args: Any, **kwargs: Any) -> Any:
            if name == "inode" and not seen and is_expected(Places.of(pier.home).state):
                bench = pier.bench()
                seen.append(bench.pending())
                seen.append(bench.recover())
                seen.append(len(bench.past.changes()))
                bench.close()
            return super().perform(name, call, *args, **kwargs)

    service = pier.service(disk=Watching())
    service.keep(new("They are lettered", start=1))
    service.close()

    assert seen == [(), (), 1]
    assert len(pier.history()) == len(pier.rows()[0]) == 2
    assert not is_expected(Places.of(pier.home).state)


def test_what_was_expected_and_never_came_is_forgotten_in_time(tmp_path: Path) -> None:
    pier = standing(tmp_path)

    class Dying(CountingDisk):
        def perform(self, name: str, call: Any, /, *args: Any, **kwargs: Any) -> Any:
            if name == "inode" and is_expected(Places.of(pier.home).state):
                raise Killed
            return super().perform(name, call, *args, **kwargs)

    service = pier.service(disk=Dying())
    with pytest.raises(Killed):
        service.keep(new("They are lettered", start=1))
    later = Session.open(
        pier.root,
        Places.of(pier.home),
        door="cli",
        clock=Clock(lambda: datetime.now(UTC) + timedelta(minutes=5)),
    )
    (forgotten,) = later.recover()
    later.close()

    assert forgotten.outcome == "rolled back"
    assert len(pier.history()) == len(pier.rows()[0]) == 1
    assert not is_expected(Places.of(pier.home).state)


def test_a_slow_writer_whose_change_was_given_up_has_it_in_the_history_all_the_same(
    tmp_path: Path,
) -> None:
    """A process that was stopped for minutes, or a clock that jumped, is no crash."""
    pier = standing(tmp_path)
    given_up: list[str] = []

    class Slow(CountingDisk):
        def perform(self, name: str, call: Any, /, *args: Any, **kwargs: Any) -> Any:
            if name == "inode" and not given_up and is_expected(Places.of(pier.home).state):
                later = Session.open(
                    pier.root,
                    Places.of(pier.home),
                    door="cli",
                    clock=Clock(lambda: datetime.now(UTC) + timedelta(minutes=5)),
                )
                given_up.extend(each.outcome for each in later.recover())
                later.close()
            return super().perform(name, call, *args, **kwargs)

    service = pier.service(disk=Slow())
    before = pier.rows()
    service.keep(new("They are lettered", start=1))
    service.close()

    assert given_up == ["rolled back"]
    assert len(pier.history()) == len(pier.rows()[0]) == 2
    pier.undo()
    assert pier.rows() == before


class JournalDying(CountingDisk):
    """Ends the process when the rows are written, and the history is about to get the change."""

    def __init__(self, state: Path) -> None:
        super().__init__()
        self._state = state

    def perform(self, name: str, call: Any, /, *args: Any, **kwargs: Any) -> Any:
        if name == "journal" and is_expected(self._state):
            raise Killed
        return super().perform(name, call, *args, **kwargs)
