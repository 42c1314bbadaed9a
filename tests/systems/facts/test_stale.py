"""What a person makes of memories that no longer hold: one key, one change, one undo."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.code_files import git
from tests.memory_files import change, opened, push_down, shop, store

from remem.base.errors import NotPossible, RememError
from remem.core.checks.issues import issues
from remem.core.session import Session
from remem.core.waiting.item import Item, Why
from remem.model.change import Intent
from remem.model.entry import Entry, Ref, Status
from remem.model.prompt import Ask

ANY = Ask(role="reviewer")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return shop(tmp_path)


def item(bench: Session, words: str) -> Item:
    return next(each for each in bench.queue() if words in each.title)


def rows(top: Path, table: str = "agent_memory", by: str = "rowid") -> list[Mapping[str, Any]]:
    with closing(sqlite3.connect(top / ".remem" / "memory.db")) as base:
        base.row_factory = sqlite3.Row
        return [dict(row) for row in base.execute(f"SELECT * FROM {table} ORDER BY {by}")]


def events(top: Path, memory: str) -> list[str]:
    found = rows(top, "agent_memory_telemetry")
    return [row["event"] for row in found if row["memory_id"] == memory]


def do(bench: Session, verb: str, *found: Item | Entry, **arguments: str) -> str:
    shown = {each.ref: each.digest for each in found}
    return bench.apply(Intent(verb, shown, dict(arguments))).id


def test_what_holds_does_not_wait(top: Path) -> None:
    assert opened(top).queue() == ()


def test_one_key_puts_a_moved_memory_right(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    bench = opened(top)
    waits = item(bench, "Every call")

    do(bench, "approve", waits)

    assert (waits.reason, waits.suggested) == (Why.STALE, "memory.reanchor")
    old = next(row for row in rows(top) if row["id"] == waits.ref.id)
    new = next(row for row in rows(top) if row["supersedes_id"] == waits.ref.id)
    assert (old["status"], old["superseded_by_id"]) == ("superseded", new["id"])
    assert (new["fact"], new["status"]) == (old["fact"], "active")
    cited = json.loads(new["citations"])[0]
    assert (cited["line_start"], cited["line_end"]) == (5, 7)
    assert cited["sha"] == git(top, "rev-parse", "HEAD")
    assert (events(top, old["id"])[-1], events(top, new["id"])) == ("superseded", ["corrected"])
    assert "Every call" in bench.compose(ANY).text
    assert not [each for each in bench.queue() if "Every call" in each.title]


def test_undo_gives_the_rows_back_as_they_were_and_redo_does_it_again(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    before = [rows(top), rows(top, "agent_memory_telemetry"), rows(top, "memory_path", "1, 2")]
    bench = opened(top)

    change_id = do(bench, "memory.reanchor", item(bench, "Every call"))
    after = rows(top)
    bench.undo(change_id)

    assert [
        rows(top),
        rows(top, "agent_memory_telemetry"),
        rows(top, "memory_path", "1, 2"),
    ] == before
    bench.redo(change_id)
    assert rows(top) == after


def test_many_are_put_right_in_one_change(top: Path) -> None:
    store(top, "Sending", "Paths are sent as they are.", [("src/client.ts", 4, 4)])
    push_down(top / "src" / "client.ts")
    bench = opened(top)
    moved = [each for each in bench.queue() if each.suggested == "memory.reanchor"]

    change_id = do(bench, "memory.reanchor", *moved)

    assert len(moved) == 3
    assert sum(row["status"] == "active" for row in rows(top)) == 4
    assert bench.queue() == ()
    assert next(each.title for each in bench.past.changes() if each.id == change_id) == (
        "Re-anchor 3 facts"
    )


def test_a_changed_line_is_a_persons_to_judge(top: Path) -> None:
    change(top / "src" / "version.py", "API_VERSION = 4", "API_VERSION = 5")
    bench = opened(top)
    waits = item(bench, "two files")

    assert waits.suggested == ""
    assert waits.verbs == ("memory.supersede", "memory.invalidate")
    with pytest.raises(NotPossible, match="did more than move"):
        do(bench, "memory.reanchor", waits)

    do(bench, "memory.supersede", waits, fact="The API version is 5 everywhere.")

    new = next(row for row in rows(top) if row["supersedes_id"])
    assert new["fact"] == "The API version is 5 everywhere."
    assert json.loads(new["citations"])[0]["snippet"] == "API_VERSION = 5"


def test_rejecting_says_that_it_is_wrong_and_why(top: Path) -> None:
    change(top / "src" / "version.py", "API_VERSION = 4", "API_VERSION = 5")
    bench = opened(top)
    waits = item(bench, "two files")

    do(bench, "reject", waits, reason="it is one file now")

    told = rows(top, "agent_memory_telemetry")[-1]
    assert next(row["status"] for row in rows(top) if row["id"] == waits.ref.id) == "invalid"
    assert told["event"] == "verified_invalid"
    assert json.loads(told["verification_result"]) == {
        "valid_citations": 1,
        "invalid_citations": 1,
        "reason": "it is one file now",
    }
    assert not (top / ".remem" / "rejected.yaml").exists()


def test_what_is_missing_is_invalidated(top: Path) -> None:
    git(top, "rm", "-q", "src/client.ts")
    bench = opened(top)
    waits = item(bench, "Every call")

    with pytest.raises(NotPossible, match="no cited code is left"):
        do(bench, "memory.supersede", waits)
    do(bench, "approve", waits)

    assert waits.suggested == "memory.invalidate"
    assert next(row["status"] for row in rows(top) if row["id"] == waits.ref.id) == "invalid"


def test_deciding_on_a_text_that_changed_meanwhile_is_refused(top: Path) -> None:
    client = top / "src" / "client.ts"
    change(client, "send(path)", "post(path)")
    bench = opened(top)
    waits = item(bench, "Every call")
    bench.seen.note(bench.library, {waits.ref: waits.digest})

    change(client, "post(path)", "drop(path)")
    bench.refresh({client})

    with pytest.raises(RememError) as caught:
        do(bench, "approve", waits)
    assert caught.value.exit_code == 3
    assert all(row["status"] == "active" for row in rows(top))


def test_a_row_that_an_agent_changed_meanwhile_is_not_written_over(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    bench = opened(top)
    waits = item(bench, "Every call")
    with closing(sqlite3.connect(top / ".remem" / "memory.db")) as base, base:
        base.execute("UPDATE agent_memory SET status = 'invalid' WHERE id = ?", [waits.ref.id])

    with pytest.raises(RememError):
        do(bench, "approve", waits)

    assert len(rows(top)) == 3


def test_no_line_of_code_is_written(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    change(top / "src" / "version.py", "API_VERSION = 4", "API_VERSION = 5")
    before = {
        path: path.read_bytes()
        for path in top.rglob("*")
        if ".remem" not in path.parts and path.is_file()
    }
    bench = opened(top)

    for each in bench.queue():
        do(bench, "approve", item(bench, each.title))

    assert {path: path.read_bytes() for path in before} == before


def test_a_secret_that_came_into_the_lines_is_not_kept(top: Path) -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
    change(top / "src" / "version.py", "API_VERSION = 4", f'TOKEN = "{token}"')
    bench = opened(top)

    do(bench, "approve", item(bench, "two files"))

    assert token not in json.dumps(rows(top))
    assert "two files" in bench.compose(ANY).text


def test_the_preview_shows_what_reaches_the_prompt(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    bench = opened(top)
    waits = item(bench, "Every call")

    planned = bench.plan(Intent("memory.reanchor", {waits.ref: waits.digest}))
    found = bench.impact(planned, [ANY])[0]

    assert found.used_after > found.used_before
    assert len(rows(top)) == 3


def test_health_names_what_mends_it(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    store(top, "Elsewhere", "Over there.", [("src/version.py", 1, 1)], repo="ada/else")

    found = {each.problem.message: each for each in issues(opened(top).library)}

    moved = found["`Calls`: src/client.ts:3-5 moved to line 5"]
    assert (moved.verb, moved.problem.code) == ("memory.reanchor", "citation-moved")
    told = next(text for text in found if text.startswith("`Elsewhere` was not checked"))
    assert found[told].verb == ""


@pytest.mark.parametrize("verb", ["edit", "archive", "remove", "restore", "promote"])
def test_nothing_of_a_memory_is_changed_in_its_place(top: Path, verb: str) -> None:
    bench = opened(top)
    entry = next(iter(bench.library.of_kind("fact")))

    with pytest.raises(RememError):
        bench.apply(Intent(verb, {entry.ref: entry.digest}, {"fields": {"fact": "other"}}))

    assert [row["status"] for row in rows(top)] == ["active"] * 3


def test_what_superseded_what_is_followed_both_ways(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    bench = opened(top)
    do(bench, "approve", item(bench, "Every call"))
    push_down(top / "src" / "client.ts")
    bench.refresh()
    do(bench, "approve", item(bench, "Every call"))

    source = bench.library.of_format("verified")[0]
    found = [each for each in bench.library.of_kind("fact") if "Every call" in each.title]

    assert [each.status for each in found] == [
        Status.SUPERSEDED, Status.SUPERSEDED, Status.ACTIVE,
    ]  # fmt: skip
    chains = {tuple(e.id for e in source.chain(source.memories.named(f.ref.id))) for f in found}  # type: ignore[attr-defined]
    assert chains == {tuple(each.ref.id for each in found)}


def test_memories_are_not_decided_on_with_other_things(top: Path) -> None:
    push_down(top / "src" / "client.ts")
    bench = opened(top)
    waits = item(bench, "Every call")

    with pytest.raises(RememError):
        bench.plan(Intent("approve", {waits.ref: waits.digest, Ref("sniper", "conv-001"): ""}))
