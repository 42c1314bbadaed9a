from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.memory_files import Keeping

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.citation import Citation
from remem.systems.facts.database.row_records import DATABASE
from remem.systems.facts.problems import upkeep_issues
from remem.systems.facts.records import Event, EventName, NewMemory

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def issues_of(root: Path, **limits: int) -> list[tuple[str, str, str]]:
    bench = Session.open(root, Places.of(root / "home"), door="cli", clock=Clock(now=lambda: NOW))
    found = [
        (issue.problem.code, issue.problem.message, issue.verb)
        for issue in upkeep_issues(bench.library, **limits)
    ]
    bench.close()
    return found


def fill(root: Path, number: int, days: int) -> list[str]:
    """Store memories, each a minute after the last, the first so many days ago."""
    times = (NOW - timedelta(days=days) + timedelta(minutes=each) for each in range(1000))
    store = Keeping.open(root / DATABASE, clock=Clock(now=lambda: next(times)))
    ids = [
        store.store(NewMemory("acme/ferry", f"s{each}", "f", (Citation("a.py", 1, 1),))).id
        for each in range(number)
    ]
    store.log([Event(ids[0], EventName.APPLIED)])
    store.close()
    return ids


def test_too_many_memories_name_the_one_that_served_least(tmp_path: Path) -> None:
    fill(tmp_path, 3, days=5)

    ((code, message, verb),) = issues_of(tmp_path, limit=2)

    assert (code, verb) == ("memory-limit", "memory.retire")
    assert message == ("`acme/ferry` has 3 active facts (recommended: 2); never used: `s1`")


def test_what_was_never_used_for_long_is_counted(tmp_path: Path) -> None:
    fill(tmp_path, 3, days=100)

    assert issues_of(tmp_path) == [
        ("memory-unused", "2 facts older than 90 days and never used", "memory.retire")
    ]


def test_a_few_fresh_memories_worry_nobody(tmp_path: Path) -> None:
    fill(tmp_path, 3, days=5)

    assert issues_of(tmp_path) == []


def test_what_often_does_not_hold_is_named_unless_it_served(tmp_path: Path) -> None:
    ids = fill(tmp_path, 3, days=5)
    store = Keeping.open(tmp_path / DATABASE)
    store.log([Event(ids[1], EventName.VERIFIED_INVALID) for _ in range(4)])
    store.log([Event(ids[2], EventName.VERIFIED_INVALID) for _ in range(3)])
    store.log([Event(ids[2], EventName.APPLIED) for _ in range(3)])
    store.close()

    assert issues_of(tmp_path) == [
        (
            "memory-often-wrong",
            "1 memory did not hold 3 times or more when somebody looked; most often `s1`, 4 times",
            "",
        )
    ]


def test_a_store_that_grows_fast_is_told(tmp_path: Path) -> None:
    fill(tmp_path, 5, days=5)

    ((code, message, _),) = issues_of(tmp_path, many=4)

    assert code == "memory-growing"
    assert message == "5 memories came within 30 days, after 0 before"


def test_facts_that_contradict_each_other_stand_on_health_until_a_person_keeps_both(
    tmp_path: Path,
) -> None:
    store = Keeping.open(tmp_path / DATABASE, clock=Clock(now=lambda: NOW))
    one, other = (
        store.store(NewMemory("acme/ferry", "berths", said, (Citation("a.py", 1, 1),))).id
        for said in ("Berths are numbered from the pier", "Berths are not numbered from the pier")
    )
    store.close()

    found = [each for each in issues_of(tmp_path) if each[0] == "contradiction"]
    with closing(Session.open(tmp_path, Places.of(tmp_path / "home"), door="cli")) as bench:
        entries = [bench.library.resolve(f"verified:{each}") for each in (one, other)]
        told = {"beside": str(entries[0].ref), "reason": "two harbours"}
        bench.apply(bench.intend("keep_both", entries, **told))

    assert [message.split(" (")[0] for _, message, _ in found] in (
        [f"possible conflict with `{one[:8]}`"],
        [f"possible conflict with `{other[:8]}`"],
    )
    assert [each for each in issues_of(tmp_path) if each[0] == "contradiction"] == []
