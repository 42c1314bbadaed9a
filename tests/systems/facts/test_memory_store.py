"""The same claims of both databases."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from tests.memory_files import Keeping
from tests.racing_disk import RacingDisk

from remem.base.clock import Clock
from remem.base.errors import NotPossible, Refused, UnknownRef
from remem.model.citation import Citation
from remem.model.entry import Status
from remem.systems.facts.database.row_records import BadMemory
from remem.systems.facts.database.tables import MEMORY
from remem.systems.facts.records import Actor, Event, EventName, NewMemory, Stats, words_of

REPO = "acme/ferry"
CITED = (Citation("src/berth.py", 3, 4, sha="a" * 40, snippet_hash="b" * 64, snippet="one\ntwo"),)
OPEN = Callable[..., Keeping]


class Ticking:
    """A clock whose every look is a second after the last."""

    def __init__(self) -> None:
        self.time = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)

    def now(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


def new(fact: str = "Berths are numbered from the pier", **others: Any) -> NewMemory:
    values: dict[str, Any] = {
        "repository": REPO,
        "subject": "berths",
        "fact": fact,
        "citations": CITED,
    }
    return NewMemory(**{**values, **others})


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "sqlite":
        return tmp_path / ".remem" / "memory.db"
    return str(request.getfixturevalue("postgres_store"))


@pytest.fixture
def open_store(where: Path | str) -> Iterator[OPEN]:
    opened: list[Keeping] = []
    clock = Clock(now=Ticking().now)

    def open_one(tenant: str = "default") -> Keeping:
        opened.append(Keeping.open(where, tenant=tenant, clock=clock))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OPEN) -> Keeping:
    return open_store()


def events(store: Keeping) -> dict[EventName, int]:
    counts = store.telemetry(REPO).counts
    return {name: number for name, number in counts.items() if number}


def facts(memories: Sequence[object]) -> list[str]:
    return [memory.fact for memory in memories]  # type: ignore[attr-defined]


def test_what_is_stored_comes_back_whole(store: Keeping) -> None:
    cited = (Citation("a b/é.py", 1, 2, unknown={"by": {"tool": [1, None]}}),)

    stored = store.store(new(citations=cited, reason="Two ferries met", created_by="Mara"))

    (kept,) = store.recent(REPO)
    assert stored.status == "created"
    assert (kept.id, kept.fact, kept.citations) == (stored.id, new().fact, cited)
    assert (kept.reason, kept.created_by, kept.status) == ("Two ferries met", "Mara", "active")
    assert kept.created_at == kept.refreshed_at == datetime(2026, 5, 4, 9, 30, 1, tzinfo=UTC)
    assert (kept.verification_count, kept.has_held, kept.problems) == (0, False, ())


def test_a_store_that_was_never_written_is_empty(store: Keeping) -> None:
    store.store(new(repository="acme/other"))

    assert store.recent(REPO) == ()
    assert store.search_path(REPO, "src/berth.py") == ()
    assert store.stats(REPO) == Stats(REPO)
    assert store.active_count(REPO) == 0


def test_the_same_fact_again_refreshes_and_keeps_the_reason(store: Keeping) -> None:
    first = store.store(new(reason="Two ferries met"))
    other = (Citation("src/pier.py", 9, 9),)

    again = store.store(new(citations=other))
    named = store.store(new(citations=other, reason="Another reason"))

    (kept,) = store.recent(REPO)
    assert (again.id, again.status) == (first.id, "refreshed")
    assert (named.id, kept.reason) == (first.id, "Another reason")
    assert kept.citations == other
    assert kept.refreshed_at is not None
    assert kept.created_at is not None
    assert kept.refreshed_at > kept.created_at
    assert events(store) == {EventName.CREATED: 1, EventName.REFRESHED: 2}


def test_the_same_fact_after_it_was_invalidated_is_new(store: Keeping) -> None:
    first = store.store(new())
    store.invalidate(first.id)

    again = store.store(new())

    assert again.status == "created"
    assert again.id != first.id


@pytest.mark.parametrize(
    ("others", "named"),
    [
        pytest.param({"citations": ()}, "needs citations", id="no citations"),
        pytest.param({"fact": " "}, "needs a `fact`", id="no fact"),
        pytest.param({"subject": ""}, "needs a `subject`", id="no subject"),
        pytest.param({"repository": ""}, "needs a `repo`", id="no repository"),
        pytest.param({"fact": "a\0b"}, "no database can store", id="NUL"),
        pytest.param({"fact": "a\ud800b"}, "no database can store", id="surrogate"),
        pytest.param({"reason": "a\0b"}, "no database can store", id="NUL in the reason"),
        pytest.param({"created_by": "\ud800"}, "no database can store", id="surrogate in the name"),
        pytest.param({"fact": "界" * 900}, "bytes together", id="too long for an index"),
        pytest.param(
            {"citations": (Citation("a", 1, 1, snippet="a\0"),)},
            "no database can store",
            id="snippet",
        ),
    ],
)
def test_what_no_database_could_keep_is_refused(
    tmp_path: Path, others: dict[str, Any], named: str
) -> None:
    store = Keeping.open(tmp_path / "memory.db")

    with pytest.raises(BadMemory, match=named):
        store.store(new(**others))

    assert store.recent(REPO) == ()


def test_the_longest_fact_that_is_taken_fits_into_the_index(store: Keeping) -> None:
    fact = "".join(f"{number:x}" for number in range(4000))[:2480]  # nothing to compress

    store.store(new(fact))

    assert facts(store.recent(REPO)) == [fact]


def test_the_last_refreshed_come_first(store: Keeping) -> None:
    ids = [store.store(new(f"fact {number}")).id for number in range(4)]
    store.refresh(ids[1])

    assert facts(store.recent(REPO, 3)) == ["fact 1", "fact 3", "fact 2"]


def test_memories_are_found_by_a_file_that_they_cite(store: Keeping) -> None:
    both = (*CITED, Citation("src/pier.py", 1, 1), Citation("src/pier.py", 7, 8))
    first = store.store(new("both", citations=both))
    store.store(new("one"))
    gone = store.store(new("gone", citations=both))
    store.invalidate(gone.id)

    assert facts(store.search_path(REPO, "src/pier.py")) == ["both"]
    assert facts(store.search_path(REPO, "src/berth.py")) == ["one", "both"]
    assert store.search_path(REPO, "src/%") == ()
    store.supersede(first.id, "both", CITED)
    assert store.search_path(REPO, "src/pier.py") == ()


def test_refreshing_counts_and_tells_by_whom(store: Keeping) -> None:
    made = store.store(new())

    store.refresh(made.id, "Mara", Actor("reviewer", "run-1", 12), valid_citations=1)
    kept = store.refresh(made.id)

    assert (kept.verification_count, kept.last_verified_by) == (2, "")
    assert kept.last_verified_at == kept.refreshed_at
    assert kept.has_held


def test_what_held_last_is_told_by_the_last_verdict(store: Keeping) -> None:
    made = store.store(new())

    store.log([Event(made.id, EventName.VERIFIED_VALID)])
    held = store.get(made.id).has_held
    store.log([Event(made.id, EventName.VERIFIED_INVALID), Event(made.id, EventName.APPLIED)])

    assert held
    assert not store.get(made.id).has_held


def test_superseding_keeps_the_chain_both_ways(store: Keeping) -> None:
    first = store.store(new("one", reason="Two ferries met")).id

    second = store.supersede(first, "two")
    third = store.supersede(second, "three", [Citation("x.py", 1, 1)], "Another", "Mara")

    chain = [store.get(each) for each in (first, second, third)]
    assert facts(chain) == ["one", "two", "three"]
    assert [each.status for each in chain] == ["superseded", "superseded", "active"]
    assert [each.superseded_by for each in chain] == [second, third, ""]
    assert [each.supersedes for each in chain] == ["", first, second]
    assert [each.reason for each in chain] == ["Two ferries met", "Two ferries met", "Another"]
    assert chain[1].citations == CITED
    assert facts(store.recent(REPO)) == ["three"]
    assert events(store) == {
        EventName.CREATED: 1,
        EventName.SUPERSEDED: 2,
        EventName.CORRECTED: 2,
    }


def test_a_memory_can_be_superseded_by_the_same_fact_elsewhere(store: Keeping) -> None:
    old = store.store(new()).id

    made = store.supersede(old, new().fact, [Citation("src/berth.py", 30, 31)])

    assert store.get(made).citations == (Citation("src/berth.py", 30, 31),)
    assert store.get(old).status is Status.SUPERSEDED


def test_superseding_by_what_another_one_says_changes_nothing(store: Keeping) -> None:
    old = store.store(new("one")).id
    store.store(new("two"))

    with pytest.raises(NotPossible, match="already states this fact"):
        store.supersede(old, "two")

    assert store.get(old).status is Status.ACTIVE
    assert sorted(facts(store.recent(REPO))) == ["one", "two"]
    assert events(store) == {EventName.CREATED: 2}


@pytest.mark.parametrize("verb", ["refresh", "invalidate", "supersede"])
def test_only_what_is_active_can_be_changed(store: Keeping, verb: str) -> None:
    gone = store.store(new()).id
    made = store.supersede(gone, "another")
    more: dict[str, tuple[object, ...]] = {"supersede": ("a",)}

    with pytest.raises(NotPossible, match="is superseded, not active") as told:
        getattr(store, verb)(gone, *more.get(verb, ()))

    assert made in told.value.hint


@pytest.mark.parametrize(
    "name", ["0b5f1d0e-5a0e-4c39-9d53-6a1f3f7a2c11", "nope", "", "' OR 1 = 1 --"]
)
def test_an_id_that_nobody_has_is_unknown(store: Keeping, name: str) -> None:
    store.store(new())

    for verb in (store.get, store.refresh, store.invalidate):
        with pytest.raises(UnknownRef, match="no fact"):
            verb(name)
    with pytest.raises(UnknownRef, match="no fact"):
        store.log([Event(name, EventName.APPLIED)])

    assert events(store) == {EventName.CREATED: 1}


def test_a_person_may_write_the_start_of_an_id(store: Keeping) -> None:
    made = store.store(new()).id

    assert store.named(made[:8]).id == made
    assert store.named(f"verified:{made.upper()}").id == made
    with pytest.raises(UnknownRef):
        store.named("%%%%")


def test_every_event_is_kept_with_agent_session_and_duration(store: Keeping) -> None:
    made = store.store(new()).id

    logged = store.log(
        Event(made, name, "reviewer", "run-1", {"reason": "x"}, 7) for name in EventName
    )

    counts = store.telemetry(REPO)
    assert logged == 8
    assert set(counts.counts) == set(EventName)
    assert counts.counts[EventName.RETRIEVED] == 1
    assert (counts.verified, counts.invalid_rate) == (3, 1 / 3)
    assert counts.average_ms == 7


def test_usage_lists_what_served_least_first(store: Keeping) -> None:
    ids = [store.store(new(f"fact {number}")).id for number in range(3)]
    store.log([Event(ids[0], EventName.APPLIED), Event(ids[0], EventName.APPLIED)])
    store.log([Event(ids[2], EventName.APPLIED), Event(ids[1], EventName.RETRIEVED)])

    usage = store.usage(REPO)

    assert [(each.memory.id, each.applied, each.retrieved) for each in usage] == [
        (ids[1], 0, 1),
        (ids[2], 1, 0),
        (ids[0], 2, 0),
    ]
    assert usage[0].last_applied is None
    assert usage[1].last_applied is not None


def test_statistics_count_by_status(store: Keeping) -> None:
    ids = [store.store(new(f"fact {number}")).id for number in range(4)]
    store.refresh(ids[0])
    store.invalidate(ids[1])
    store.supersede(ids[2], "better")

    found = store.stats(REPO)

    assert (found.active, found.superseded, found.invalid) == (3, 1, 1)
    assert found.average_verifications == pytest.approx(1 / 3)
    assert found.first_memory is not None
    assert found.latest_memory is not None
    assert found.first_memory < found.latest_memory


def test_tenants_see_their_own_and_what_is_shared(open_store: OPEN) -> None:
    mine, theirs, shared = open_store("mine"), open_store("theirs"), open_store()
    own = mine.store(new("mine")).id
    theirs.store(new("theirs"))
    shared.store(new("shared"))

    assert sorted(facts(mine.recent(REPO))) == ["mine", "shared"]
    assert facts(shared.recent(REPO)) == ["shared"]
    assert mine.stats(REPO).active == 2
    with pytest.raises(UnknownRef):
        theirs.get(own)
    with pytest.raises(UnknownRef):
        theirs.invalidate(own)
    with pytest.raises(Refused, match="another tenant"):
        theirs.store(new("mine"))
    assert mine.store(new("shared")).status == "refreshed"


def test_two_that_store_one_fact_at_once_keep_it_once(open_store: OPEN) -> None:
    stores = [open_store() for _ in range(4)]

    with ThreadPoolExecutor(4) as pool:
        stored = [
            done
            for number in range(5)
            for done in pool.map(lambda each: each.store(new(f"fact {number}")), stores)  # noqa: B023
        ]

    assert sum(done.status == "created" for done in stored) == 5
    assert len({done.id for done in stored}) == 5
    assert stores[0].active_count(REPO) == 5
    assert events(stores[0]) == {EventName.CREATED: 5, EventName.REFRESHED: 15}


@pytest.mark.parametrize("call", ["mkdir", "create"])
def test_a_first_fact_is_stored_where_another_made_the_folder_or_the_file_just_before(
    tmp_path: Path, call: str
) -> None:
    path = tmp_path / ".remem" / "memory.db"
    other = Keeping.open(path, clock=Clock(now=Ticking().now))
    disk = RacingDisk(call, lambda: other.store(new("first")))
    store = Keeping.open(path, clock=Clock(now=Ticking().now), disk=disk)

    store.store(new("second"))

    assert sorted(facts(store.recent(REPO))) == ["first", "second"]
    store.close()
    other.close()


def test_threads_of_one_store_lose_nothing(store: Keeping) -> None:
    def work(number: int) -> str:
        made = store.store(new(f"fact {number}")).id
        store.log([Event(made, EventName.RETRIEVED)])
        return store.supersede(made, f"better {number}") if number % 2 else store.refresh(made).id

    with ThreadPoolExecutor(6) as pool:
        ids = list(pool.map(work, range(18)))

    assert {memory.id for memory in store.every_active(REPO)} == set(ids)
    assert events(store)[EventName.RETRIEVED] == 18


def test_a_memory_of_another_repository_is_not_touched(store: Keeping) -> None:
    other = store.store(new(repository="acme/pier")).id
    store.store(new())

    assert len(store.recent(REPO)) == 1
    assert store.get(other).repository == "acme/pier"
    assert store.stats("acme/pier").active == 1


def test_words_find_what_holds_all_of_them_first_in_any_form(open_store: OPEN) -> None:
    store = open_store()
    names = {
        fact: store.store(new(fact)).id
        for fact in (
            "Ferries whistle twice before they leave",
            "A ferry whistles at the pier",
            "Tickets are checked at the pier",
            "Winches are oiled",
        )
    }
    by_reason = store.store(new("Ropes are dry", reason="a wet rope stopped the ferries")).id

    found = [each.id for each in store.search(REPO, ("ferries", "pier"), 5)]

    assert found[0] == names["A ferry whistles at the pier"]
    assert set(found) == {*names.values(), by_reason} - {names["Winches are oiled"]}
    assert [each.id for each in store.search(REPO, ("whistling", "twice"), 1)] == [
        names["Ferries whistle twice before they leave"]
    ]
    assert store.search("acme/other", ("ferries",), 5) == ()
    assert store.search(REPO, ("xebec",), 5) == ()
    assert len(store.search(REPO, ("ferries", "pier"), 2)) == 2


def test_a_word_that_many_hold_finds_as_many_as_asked_and_a_rare_one_its_own(
    open_store: OPEN,
) -> None:
    store = open_store()
    store.store(new("Berth 0 is numbered"))
    at = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
    others = [
        {
            "id": f"{number:08}-0000-4000-8000-000000000000",
            "repo": REPO,
            "subject": "berths",
            "fact": f"Berth {number} is painted",
            "citations": [],
            "created_at": at,
            "refreshed_at": at + timedelta(days=number),
        }
        for number in range(1, 400)
    ]
    with store.base.writing() as connection:
        connection.execute(MEMORY.insert(), others)

    assert len({each.id for each in store.search(REPO, ("berth", "painted"), 50)}) == 50
    assert [each.fact for each in store.search(REPO, ("berth", "123"), 1)] == [
        "Berth 123 is painted"
    ]
    assert [each.fact for each in store.search(REPO, ("numb",), 5)] == ["Berth 0 is numbered"]
    if store.base.path is None:
        first = store.search(REPO, ("berth",), 1)
        assert [each.fact for each in first] == ["Berth 399 is painted"]


def test_words_find_what_stands_in_writing_without_blanks(open_store: OPEN) -> None:
    store = open_store()
    made = store.store(new("时间总是以参数传入")).id

    assert [each.id for each in store.search(REPO, ("参数",), 5)] == [made]


def test_words_find_only_what_is_active_and_follow_what_it_says_now(open_store: OPEN) -> None:
    store = open_store()
    old = store.store(new("Berths are numbered")).id
    anew = store.supersede(old, "Berths are lettered")
    gone = store.store(new("Berths are painted")).id
    store.invalidate(gone)
    store.store(new("Berths are lettered", reason="numbers were mixed up"))

    assert [each.id for each in store.search(REPO, ("berths",), 5)] == [anew]
    assert [each.id for each in store.search(REPO, ("mixed",), 5)] == [anew]


def test_a_question_is_no_query_language(open_store: OPEN) -> None:
    store = open_store()
    store.store(new("Berths are numbered"))

    for odd in ('"', "a*", "NEAR(", "!x", "b|c&", "'; DROP TABLE agent_memory; --"):
        assert len(store.search(REPO, (*words_of(odd), "numbered"), 5)) == 1


def test_a_chain_is_followed_from_any_of_its_memories(open_store: OPEN) -> None:
    store = open_store()
    first = store.store(new("one")).id
    second = store.supersede(first, "two")
    third = store.supersede(second, "three")
    store.store(new("another"))

    for each in (first, second, third):
        assert [link.id for link in store.chain(each)] == [first, second, third]
    events = [event.name for event in store.events([first, second, third], 20)]
    assert events.count(EventName.SUPERSEDED) == events.count(EventName.CORRECTED) == 2
    with pytest.raises(UnknownRef):
        store.chain("00000000-0000-4000-8000-000000000000")


def test_a_file_without_the_index_of_words_is_searched_and_gets_it_when_it_is_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / ".remem" / "memory.db"
    store = Keeping.open(path)
    made = store.store(new("Berths are numbered")).id
    store.close()
    with closing(sqlite3.connect(path)) as sql:
        for trigger in ("new", "changed", "gone"):
            sql.execute(f"DROP TRIGGER memory_text_{trigger}")
        sql.execute("DROP TABLE memory_text")
        sql.commit()

    store = Keeping.open(path)
    assert [each.id for each in store.search(REPO, ("numbered", "berths"), 5)] == [made]
    second = store.store(new("Berths are painted")).id
    assert {each.id for each in store.search(REPO, ("berths",), 5)} == {made, second}
    store.close()
    with closing(sqlite3.connect(path)) as sql:
        assert sql.execute("SELECT count(*) FROM memory_text").fetchone() == (2,)


def test_a_file_of_before_gets_the_index_of_verdicts_when_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / ".remem" / "memory.db"
    index = "agent_memory_telemetry_judged"
    store = Keeping.open(path)
    made = store.store(new("Berths are numbered")).id
    store.close()
    with closing(sqlite3.connect(path)) as sql:
        sql.execute(f"DROP INDEX {index}")
        sql.commit()

    store = Keeping.open(path)
    assert [each.id for each in store.recent(REPO)] == [made]
    store.store(new("Berths are painted"))
    store.close()
    with closing(sqlite3.connect(path)) as sql:
        told = "EXPLAIN QUERY PLAN SELECT event FROM agent_memory_telemetry WHERE memory_id = '' "
        told += "AND event IN ('verified_valid') ORDER BY created_at DESC LIMIT 1"
        assert any(index in str(row) for row in sql.execute(told))


def test_facts_of_a_subject_are_looked_up_in_whatever_order_indexes_were_made(
    tmp_path: Path,
) -> None:
    path = tmp_path / ".remem" / "memory.db"
    store = Keeping.open(path)
    made = store.store(new("Berths are numbered")).id
    subject = store.recent(REPO)[0].subject
    with store.base.writing() as connection:
        connection.exec_driver_sql("DROP INDEX agent_memory_by_status")
        connection.exec_driver_sql("CREATE INDEX agent_memory_by_status ON agent_memory (status)")
    said: list[str] = []
    with store.base.reading() as connection:
        raw: Any = connection.connection.driver_connection
        raw.set_trace_callback(said.append)

    found = store.of_subject(REPO, subject, 5)

    raw.set_trace_callback(None)
    asked = next(each for each in said if "subject IN" in each)
    store.close()
    assert [each.id for each in found] == [made]
    with closing(sqlite3.connect(path)) as sql:
        plan = str(sql.execute(f"EXPLAIN QUERY PLAN {asked}").fetchall())
    assert "agent_memory_fact (repo=? AND subject=?)" in plan


def test_a_word_of_thousands_is_found_as_it_is_and_a_rare_one_as_the_start_of_others(
    tmp_path: Path,
) -> None:
    store = Keeping.open(tmp_path / ".remem" / "memory.db")
    first = store.store(new("Berth 0 is numbered")).id
    with store.base.writing() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM agent_memory").mappings().one()
        columns = ", ".join(rows.keys())
        marks = ", ".join(f":{name}" for name in rows)
        others = [
            {**rows, "id": f"{number:08}-0000-4000-8000-000000000000", "fact": f"Berth {number} on"}
            for number in range(1, 2_102)
        ]
        connection.execute(text(f"INSERT INTO agent_memory ({columns}) VALUES ({marks})"), others)

    assert [each.id for each in store.search(REPO, ("berths", "numb"), 1)] == [first]
    assert [each.fact for each in store.search(REPO, ("berth", "1234"), 1)] == ["Berth 1234 on"]
    assert len({each.id for each in store.search(REPO, ("berths",), 50)}) == 50
    assert len(store.search(REPO, ("ber",), 50)) == 50
    assert [each.fact for each in store.search(REPO, ("berth", "2"), 1)] == ["Berth 2 on"]
    store.close()


def test_a_file_that_another_program_tidied_finds_the_same(tmp_path: Path) -> None:
    path = tmp_path / ".remem" / "memory.db"
    store = Keeping.open(path)
    names = [store.store(new(f"Berth {number} is numbered")).id for number in range(5)]
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("DELETE FROM agent_memory_telemetry")
        sql.execute("DELETE FROM agent_memory WHERE id = ?", (names[1],))
        sql.commit()
        sql.execute("VACUUM")

    store.store(new("Berth 2 is numbered", reason="a new reason"))

    assert [each.id for each in store.search(REPO, ("berth", "2"), 1)] == [names[2]]
    assert len(store.search(REPO, ("numbered",), 9)) == 4
    store.close()
