"""Verified memory on a real PostgreSQL server, as every door has it: seen, decided, undone."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from tests.memory_files import Keeping, change, push_down, shop, ticking
from tests.tui.journey import PATIENCE, Journey, until
from tests.tui.opened import HeadlessApp

from remem.base.errors import Conflict, NotPossible
from remem.core.checks.issues import issues
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import APPROVE
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask
from remem.store.databases.row_sets import place_of
from remem.store.history.journal_records import Door
from remem.systems.facts import INVALIDATE, REANCHOR
from remem.systems.facts.database.lazy_rows import read_memories
from remem.systems.facts.database.row_records import DATABASE, StoreUnavailable
from remem.systems.facts.database.server_rows import MemoryServer
from remem.systems.facts.records import EventName, Memory, NewMemory
from remem.tui.textual_private import screen_text
from remem.tui.verbs import BROWSE, UNDO

CLIENT = "src/client.ts"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return shop(tmp_path)


@pytest.fixture
def store(top: Path, postgres_store: str) -> Iterator[Keeping]:
    """The shop's memories on a server, and none in its own file."""
    kept = Keeping.open(postgres_store, clock=ticking())
    for each in read_memories(top / DATABASE):
        new = (each.repository, each.subject, each.fact, each.citations, each.reason, "Robin")
        kept.store(NewMemory(*new))
    (top / DATABASE).unlink()
    yield kept
    kept.close()


@contextmanager
def opened(top: Path, url: str, door: Door = "cli") -> Iterator[Session]:
    places = replace(Places.of(top.parent / "home"), database=url)
    bench = Session.open(top, places, door=door, clock=ticking())
    yield bench
    bench.close()


def fact(bench: Session, words: str) -> Entry:
    return next(each for each in bench.library.of_kind("fact") if words in each.title)


def rows(store: Keeping) -> list[Memory]:
    return [*store.all()]


def test_its_memories_are_browsed_checked_and_composed(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    change(top / CLIENT, "send(path)", "post(path)")

    with opened(top, postgres_store) as bench:
        assert len([*bench.library.of_kind("fact")]) == 3
        assert "asked for, never copied" in bench.compose(Ask(role="reviewer")).text
        assert "Every call" not in bench.compose(Ask(role="reviewer")).text
        (item,) = bench.queue()
        assert item.ref == fact(bench, "Every call").ref
        assert "citation-changed" in {issue.problem.code for issue in issues(bench.library)}


def test_a_decision_is_undone_to_the_same_rows_and_done_again(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    push_down(top / CLIENT)
    before = rows(store)

    with opened(top, postgres_store) as bench:
        calls, speaking = fact(bench, "Every call"), fact(bench, "asked for")
        bench.apply(bench.intend(REANCHOR, [calls]))
        bench.apply(bench.intend(INVALIDATE, [speaking], reason="wrong"))
        after = rows(store)
        bench.undo()
        bench.undo()

        assert [each.row for each in rows(store)] == [each.row for each in before]
        bench.redo()
        bench.redo()
        assert [each.row for each in rows(store)] == [each.row for each in after]
        assert fact(bench, "asked for").status is Status.INVALID
        assert [str(each.ref.id) for each in bench.library.of_kind("fact")] == [
            each.id for each in after
        ]


def test_a_row_that_moved_meanwhile_stops_the_decision(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    push_down(top / CLIENT)
    with opened(top, postgres_store) as bench:
        intent = bench.intend(REANCHOR, [fact(bench, "Every call")])
        store.invalidate(fact(bench, "Every call").ref.id, "someone was faster")
        before = rows(store)

        with pytest.raises(Conflict):
            bench.apply(intent)

        assert rows(store) == before


def test_what_others_write_is_seen_and_no_look_is_taken_for_a_change(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    with opened(top, postgres_store) as bench:
        number = bench.library.number
        bench.ask_server()
        assert bench.library.number == number

        with psycopg.connect(postgres_store, autocommit=True) as sql:
            sql.execute("UPDATE agent_memory SET fact = 'By hand' WHERE subject = 'Calls'")
        bench.ask_server()

        assert fact(bench, "By hand").context == "Calls"


def test_memories_of_other_repositories_stay_where_they_are(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    known = rows(store)[0]
    store.store(NewMemory("ada/else", "there", "Over there it is so.", known.citations))

    with opened(top, postgres_store) as bench:
        assert all("Over there" not in each.title for each in bench.library.of_kind("fact"))


def test_a_server_that_is_gone_is_a_problem_and_the_rest_works(top: Path, tmp_path: Path) -> None:
    url = f"postgresql://remem:hunter2@/x?host={tmp_path}"
    (top / ".sniper" / "memory").mkdir(parents=True)
    (top / ".sniper" / "memory" / "conventions.yaml").write_text(
        "conventions:\n  - id: conv-001\n    rule: Keep it small\n    status: confirmed\n"
    )

    with opened(top, url) as bench:
        told = {problem.code: problem.message for _, _, problem in bench.library.problems()}
        assert "cannot be used" in told["store-unavailable"]
        assert "is ignored" in told["memory-unused-file"]
        assert "hunter2" not in str(told)
        assert "Keep it small" in bench.compose(Ask(role="reviewer")).text


def test_a_server_that_stops_answering_holds_nobody_up(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    with opened(top, postgres_store) as bench, psycopg.connect(postgres_store) as sql:
        assert isinstance(bench.server, MemoryServer)
        bench.server.patience = 0.3
        calls = fact(bench, "Every call")
        processes = others(sql)
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            bench.ask_server()
            with pytest.raises(StoreUnavailable, match="did not answer"):
                bench.apply(bench.intend(INVALIDATE, [calls]))
            (source,) = bench.library.of_format("verified")
            assert [problem.code for problem in source.problems] == ["store-unavailable"]
            assert len(source.entries) == 3
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
            for late in (each for each in threading.enumerate() if each.name == "remem-server"):
                late.join(PATIENCE)

        bench.ask_server()
        assert bench.library.of_format("verified")[0].problems == ()
        assert fact(bench, "Every call").status is Status.ACTIVE


def test_a_change_on_another_server_is_not_undone_here(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    with opened(top, postgres_store) as bench:
        bench.apply(bench.intend(INVALIDATE, [fact(bench, "Every call")]))
    before = rows(store)

    with opened(top, "") as bench, pytest.raises(NotPossible, match="not the database"):
        bench.undo()

    assert rows(store) == before


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("postgresql://ada:secret@db.example:6543/team", "postgresql:/ada@db.example:6543/team"),
        ("postgres://db.example/team?password=secret", "postgresql:/db.example/team"),
        ("postgresql://u@/x?host=/run/pg", "postgresql:/u@run/pg/x"),
        ("postgresql://u:pw@h:nonsense/x", "postgresql:/?"),
    ],
)
def test_the_name_of_a_place_never_has_the_password(url: str, place: str) -> None:
    assert str(place_of(url)) == place


@pytest.mark.slow
async def test_a_person_decides_on_a_server_and_sees_what_others_write(
    top: Path, store: Keeping, postgres_store: str
) -> None:
    push_down(top / CLIENT)
    with opened(top, postgres_store, "tui") as bench:
        app = HeadlessApp(bench, start="review")
        app.ask_seconds, app.rest_times = 0.05, 0
        async with app.run_test(size=(140, 44), notifications=True) as pilot:
            journey = Journey(pilot)
            await until(lambda: "a Re-anchor" in screen_text(app))
            await journey.rest()

            await journey.use(APPROVE)
            journey.sees("1/2 decided", 'Re-anchored "')
            assert len(rows(store)) == 4
            await journey.use(UNDO)
            assert len(rows(store)) == 3

            cited = rows(store)[2].citations
            store.store(NewMemory("shop", "Heard", "Told while the screen is open.", cited))
            await journey.use(BROWSE)
            await until(lambda: "Told while the screen" in screen_text(app))
            assert told(store) == [EventName.CREATED]


def told(store: Keeping) -> list[EventName]:
    """Return the events that there are: looking and drawing leave none."""
    return [name for name, number in store.telemetry("shop").counts.items() if number]


def others(sql: psycopg.Connection[tuple[object, ...]]) -> list[int]:
    """Return the processes of the server that answer anybody else, and the one that makes them."""
    found = sql.execute(
        "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        "AND backend_type = 'client backend'"
    )
    processes = [int(str(pid)) for (pid,) in found]
    parent = Path(f"/proc/{processes[0]}/stat").read_text().rpartition(")")[2].split()[1]
    return [int(parent), *processes]


async def test_the_top_line_says_that_a_server_is_away(top: Path, tmp_path: Path) -> None:
    (top / DATABASE).unlink()
    nobody = f"postgresql://nobody@/none?host={tmp_path}"
    with opened(top, nobody, "tui") as bench:
        app = HeadlessApp(bench, start="health")
        async with app.run_test(size=(140, 44), notifications=True):
            await until(lambda: "server away" in screen_text(app))


async def test_start_says_how_many_facts_are_in_force(top: Path, tmp_path: Path) -> None:
    places = Places.of(tmp_path / "home")
    bench = Session.open(top, places, door="tui")
    app = HeadlessApp(bench, start="start")
    async with app.run_test(size=(140, 44), notifications=True):
        await until(lambda: "3 facts stored" in screen_text(app))
    bench.close()


async def test_a_root_of_facts_alone_opens_what_everyone_is_given(
    top: Path, tmp_path: Path
) -> None:
    bench = Session.open(top, Places.of(tmp_path / "home"), door="tui")
    app = HeadlessApp(bench, start="start")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(lambda: "everyone" in screen_text(app))
        await pilot.press("enter")
        await until(lambda: "everyone · composed" in screen_text(app))
    bench.close()
