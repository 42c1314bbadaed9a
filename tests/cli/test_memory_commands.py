import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of

from remem.systems.facts.database.lazy_rows import read_memories
from remem.systems.facts.database.row_records import DATABASE

STORE = ("memory", "store", "--subject", "berths", "--fact", "They are numbered")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def dock(empty: Shell) -> Shell:
    """A folder with code, and no memory yet."""
    (empty.root / "berth.ts").write_text("first\nsecond\nthird\n")
    return empty


def stored(dock: Shell, *more: str) -> str:
    answer = dock(*STORE, "--cite", "berth.ts:1-2", *more)
    assert answer.code == 0, answer.err
    return answer.out.strip()


def test_a_fact_is_stored_with_its_lines_and_listed_with_its_verdict(dock: Shell) -> None:
    made = stored(dock, "--reason", "Two ferries met", "--by", "Mara")
    again = document_of(dock(*STORE, "--cite", "berth.ts:3", "--json"), "memory-store")

    listed = document_of(dock("memory", "recent", "--json"), "memory-recent")

    assert (again["id"], again["status"]) == (made, "refreshed")
    assert listed["repo"] == "shop"
    (memory,) = listed["memories"]
    assert (memory["id"], memory["verdict"], memory["reason"]) == (made, "valid", "Two ferries met")
    assert memory["created_by"] == "Mara"
    assert [each["line_start"] for each in memory["citations"]] == [3]
    assert dock("memory", "recent").out == f"{made}\tvalid\tberths\tThey are numbered\n"


def test_a_search_for_facts_that_finds_none_says_so(dock: Shell) -> None:
    stored(dock)

    nothing = dock("memory", "search", "lighthouse")
    nowhere = dock("memory", "recent", "--repo", "acme/port")

    assert (nothing.code, nothing.out) == (0, "")
    assert "no active facts of `shop` match `lighthouse`" in nothing.err
    assert "no active facts of `acme/port`" in nowhere.err


def test_a_checkout_without_facts_is_told_whose_facts_its_store_has(dock: Shell) -> None:
    stored(dock)
    moved = Shell(dock.root.rename(dock.root.with_name("quay")), dock.home)

    for look in ("recent", "verify"):
        answer = moved("memory", look)

        assert (answer.code, answer.out) == (0, "")
        assert "the store has facts of `shop`; `--repo` names one" in answer.err
    assert "unchecked" in moved("memory", "recent", "--repo", "shop").out


def test_facts_alone_are_what_everyone_starts_with(dock: Shell) -> None:
    stored(dock)

    (everyone,) = document_of(dock("status", "--json"), "status")["agents"]
    (file,) = everyone["files"]

    assert (everyone["name"], everyone["tool"]) == ("everyone", "verified")
    assert file["loaded"] > 0
    assert file["total"] >= file["loaded"], "nothing is less than what was loaded of it"


def test_citations_come_as_json_too(dock: Shell) -> None:
    cited = [{"path": "berth.ts", "line_start": 1, "line_end": 1}]

    made = document_of(dock(*STORE, "--citations", json.dumps(cited), "--json"), "memory-store")
    found = document_of(dock("memory", "search-path", "berth.ts", "--json"), "memory-search-path")

    assert [each["id"] for each in found["memories"]] == [made["id"]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--cite", "berth.ts:0"), "from line 0"),
        (("--cite", "berth.ts:3-1"), "from line 3 to 1"),
        (("--cite", "berth.ts"), "is not a place"),
        (("--cite", "berth.ts:9"), "has 3 lines"),
        (("--cite", "../x:1"), "not a path inside"),
        (("--citations", "{"), "is not JSON"),
        (("--citations", "[1]"), "must be a mapping"),
        ((), "needs citations"),
        (("--cite", "berth.ts:1", "--repo", "acme/other"), "not the repository"),
    ],
)
def test_what_cannot_be_cited_is_said_and_nothing_is_made(
    dock: Shell, arguments: tuple[str, ...], says: str
) -> None:
    before = dock.digest()

    answer = dock(*STORE, *arguments)

    assert answer.code == 2
    assert says in answer.err
    assert "hint:" in answer.err
    assert dock.digest() == before


def test_trying_out_writes_nothing(dock: Shell) -> None:
    before = dock.digest()

    answer = dock(*STORE, "--cite", "berth.ts:1", "--dry-run")

    assert answer.code == 0
    assert "nothing was written" in answer.err
    assert dock.digest() == before


def id_in(message: str) -> str:
    found = re.search(r"--acknowledge ([0-9a-f]{6})", message)
    assert found is not None
    return found[1]


def test_a_secret_has_to_be_acknowledged_and_is_never_listed_whole(dock: Shell) -> None:
    fact = f"Log in with {SECRET}"
    store = ("memory", "store", "--subject", "login", "--fact", fact, "--cite", "berth.ts:1")

    refused = dock(*store)
    kept = dock(*store, "--acknowledge", id_in(refused.err))

    assert (refused.code, kept.code) == (2, 0)
    assert "--acknowledge" in refused.err
    assert "warning: looks like a GitHub token" in kept.err
    told = dock("memory", "recent").out + dock("memory", "recent", "--json").out
    assert "ghp_…" in told or "ghp_\\u2026" in told
    assert SECRET not in told + refused.err + kept.err


def test_each_warning_of_a_fact_is_acknowledged_by_its_own_id(dock: Shell) -> None:
    fact = f"Push with --no-verify, and log in with {SECRET}"
    store = ("memory", "store", "--subject", "push", "--fact", fact, "--cite", "berth.ts:1")

    refused = dock(*store)
    ids = re.findall(r"--acknowledge ([0-9a-f]{6})", refused.err)
    half = dock(*store, "--acknowledge", ids[0])
    tried = dock(*store, "--acknowledge", ids[0], "--dry-run")
    kept = dock(*store, *(part for each in ids for part in ("--acknowledge", each)))

    assert len(ids) == 2
    assert [each.code for each in (refused, half, tried, kept)] == [2, 2, 2, 0]
    assert re.findall(r"--acknowledge ([0-9a-f]{6})", half.err) == ids[1:]


def test_verify_ends_with_one_when_something_does_not_hold(dock: Shell) -> None:
    made = stored(dock)
    good = dock("memory", "verify")
    (dock.root / "berth.ts").write_text("other\nother\nother\n")

    bad = dock("memory", "verify", made[:8], "--json")

    assert (good.code, bad.code) == (0, 1)
    assert "1 of 1 memory valid" in good.err
    found = document_of(bad, "memory-verify")
    assert (found["valid_count"], found["invalid_count"]) == (0, 1)
    (result,) = found["results"]
    assert (result["id"], result["valid"]) == (made, False)
    assert result["citations"][0]["status"] == "changed"


def test_moved_lines_are_anchored_anew_and_the_rest_is_left(dock: Shell) -> None:
    moved = stored(dock)
    dock("memory", "store", "--subject", "piers", "--fact", "None", "--cite", "berth.ts:3")
    (dock.root / "berth.ts").write_text("zero\nfirst\nsecond\nlast\n")

    planned = document_of(dock("memory", "reanchor", "--dry-run", "--json"), "memory-reanchor")
    done = document_of(dock("memory", "reanchor", "--json"), "memory-reanchor")

    assert [(each["id"], each["new_id"]) for each in planned["anchored"]] == [(moved, None)]
    (anchored,) = done["anchored"]
    assert anchored["moves"] == ["berth.ts:1-2 moved to line 2"]
    assert [each["citations"][0]["status"] for each in done["left"]] == ["changed"]
    held = document_of(dock("memory", "verify", anchored["new_id"], "--json"), "memory-verify")
    assert held["valid_count"] == 1


def test_a_memory_lives_and_is_superseded_and_goes(dock: Shell) -> None:
    made = stored(dock)

    refreshed = document_of(dock("memory", "refresh", made, "--json"), "memory-refresh")
    better = document_of(
        dock("memory", "supersede", made, "--fact", "They are lettered", "--json"),
        "memory-supersede",
    )["new_memory_id"]
    applied = document_of(dock("memory", "log-applied", better, "--json"), "memory-log-applied")
    stats = document_of(dock("memory", "stats", "--json"), "memory-stats")
    shown = dock("memory", "stats", terminal=True).out
    gone = document_of(
        dock("memory", "invalidate", better, "--reason", "no", "--json"), "memory-invalidate"
    )

    assert refreshed["verification_count"] == 1
    assert (applied["logged"], gone["success"]) == (True, True)
    assert (stats["active_count"], stats["superseded_count"], stats["unused"]) == (1, 1, 0)
    assert stats["usage"][0]["applied"] == 1
    assert stats["usage"][0]["age_days"] == 0
    assert dock("memory", "invalidate", better).code == 0
    assert "USED" in shown


def test_plans_of_changes_write_nothing(dock: Shell) -> None:
    made = stored(dock)
    before = (dock.root / DATABASE).read_bytes()

    answers = [
        dock("memory", "refresh", made, "--dry-run"),
        dock("memory", "invalidate", made, "--dry-run"),
        dock("memory", "supersede", made, "--fact", "x", "--dry-run"),
    ]

    assert [answer.code for answer in answers] == [0, 0, 0]
    assert (dock.root / DATABASE).read_bytes() == before


def test_a_place_is_read(dock: Shell) -> None:
    found = document_of(
        dock("memory", "read-citation", "berth.ts:2-3", "--json"), "memory-read-citation"
    )

    assert (found["content"], found["exists"]) == ("second\nthird", True)
    assert dock("memory", "read-citation", "berth.ts:2").out == "second\n"
    assert dock("memory", "read-citation", "none.ts:2").code == 2


def test_looking_where_nothing_is_kept_makes_nothing(dock: Shell) -> None:
    before = dock.digest()

    codes = [
        dock("memory", *arguments).code
        for arguments in (("recent",), ("search-path", "x"), ("verify",), ("stats",), ("reanchor",))
    ]

    assert codes == [0] * 5
    assert dock.digest() == before


def test_composing_logs_a_use_once_where_that_is_asked_for(dock: Shell) -> None:
    stored(dock)

    plain = dock("compose")
    first = dock("compose", "--record", "sprint-7")
    again = dock("compose", "--record", "sprint-7")

    stats = document_of(dock("memory", "stats", "--json"), "memory-stats")
    assert "They are numbered" in plain.out
    assert "logged the use of 1 fact" in first.err
    assert "logged the use of 0 facts" in again.err
    assert stats["events"]["applied"] == 1


@pytest.mark.parametrize("name", ["0b8e", "nope", "0b8e0000-0000-4000-8000-000000000000"])
def test_an_unknown_memory_is_told(dock: Shell, name: str) -> None:
    stored(dock)

    answer = dock("memory", "refresh", name)

    assert answer.code == 2
    assert f"no fact `{name}`" in answer.err


def test_a_server_out_of_reach_ends_with_four(
    dock: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEM_DATABASE_URL", f"postgresql://u:hunter2@/x?host={tmp_path}")

    answer = dock("memory", "recent")

    assert answer.code == 4
    assert "hunter2" not in answer.err
    assert read_memories(dock.root / DATABASE) == ()


def test_what_serves_nobody_is_listed_and_retired_by_one_command_and_comes_back(
    dock: Shell,
) -> None:
    stored(dock)
    other = ("--subject", "bells", "--fact", "Bells ring at noon", "--cite", "berth.ts:3")
    name = dock("memory", "store", *other).out.strip()

    listed = dock("memory", "retire", name)
    none = dock("memory", "retire")
    done = dock("memory", "retire", name, "--apply", "--reason", "nobody asks")
    facts = [each.fact for each in read_memories(dock.root / DATABASE).active]
    undone = dock("undo")

    assert "Retire 1 fact: nothing was written" in listed.err
    assert "bells: Bells ring at noon (used never" in listed.err
    assert (none.code, done.code, undone.code) == (0, 0, 0)
    assert "nothing to retire" in none.err
    assert facts == ["They are numbered"]
    assert len(read_memories(dock.root / DATABASE).active) == 2
