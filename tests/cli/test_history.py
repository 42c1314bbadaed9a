"""`remem history` tells of every door and of what came from outside."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.conftest import Answer, Shell, document_of

from remem.base.text import quoted
from remem.core.history.revisions import day_in_words
from remem.core.settings import Places
from remem.store.history.external_changes import Outside
from remem.store.history.journal import Journal
from remem.store.io import Disk

STORE = ".sniper/memory/conventions.yaml"


def note(shop: Shell, *, later: timedelta, gone: int = 0) -> None:
    """Note what a screen that was open would have seen."""
    journal = Journal(Disk(), Places.of(shop.home).state)
    path = Path(shop.root).resolve() / STORE
    time = datetime.now(UTC) + later
    vanished = [{"ref": f"sniper:conv-{number}"} for number in range(gone)]
    journal.note(Outside.of(time, path.parents[2], path, "writer", b"a\n", b"b\n", vanished))
    journal.close()


def test_changes_from_outside_stand_where_they_happened(shop: Shell) -> None:
    note(shop, later=timedelta(hours=-1))
    shop("approve", "conv-002")
    note(shop, later=timedelta(hours=1), gone=2)

    lines = shop("history").out.splitlines()

    assert [line.split("\t")[2] for line in lines] == [
        "external, another program",
        "person, cli",
        "external, another program",
    ]
    assert lines[0].endswith(f"edits {STORE} (2 entries removed)")
    assert lines[2].endswith(f"edits {STORE}")


def test_the_limit_counts_both(shop: Shell) -> None:
    shop("approve", "conv-002")
    note(shop, later=timedelta(hours=1))

    assert len(shop("history", "--limit", "1").out.splitlines()) == 1
    assert len(shop("history", "--limit", "9" * 20).out.splitlines()) > 1


def test_json_tells_changes_from_outside_apart(shop: Shell) -> None:
    shop("approve", "conv-002")
    note(shop, later=timedelta(hours=1), gone=1)

    document = document_of(shop("history", "--json"), "history")

    assert len(document["changes"]) == 1
    (outside,) = document["outside"]
    assert (outside["number"], outside["cause"], outside["does"]) == (1, "writer", "edits")
    assert outside["path"].endswith(STORE)
    assert outside["vanished"] == 1


def test_a_damaged_history_is_said_and_stops_no_reader(shop: Shell) -> None:
    shop("approve", "conv-002")
    database = Places.of(shop.home).state / "journal.db"
    for file in database.parent.glob("journal.db-*"):
        file.unlink()
    database.write_bytes(b"no database at all" * 99)

    told, asked, listed = shop("queue"), shop("history"), shop("history", "--json")

    assert told.code == 0
    assert "damaged" in told.err
    # Whoever asks for it has no other answer: none is not the same as no changes.
    assert (asked.code, asked.out) == (2, "")
    assert "no changes" not in asked.err
    assert "damaged" in document_of(listed, "error")["error"]["message"]


def titles(answer: Answer) -> list[str]:
    """Return the titles without the words that name an entry besides its id."""
    rows = (line.split("\t") for line in answer.out.splitlines())
    return [row[3].partition(' "')[0] for row in rows if len(row) == 4]


def test_the_history_of_an_entry_holds_its_changes_and_no_others(shop: Shell) -> None:
    shop("approve", "conv-002")
    shop("edit", "conv-001", "rule=Every queue consumer is idempotent and says so")
    shop("remove", "ap-001")
    shop("edit", "conv-002", "rule=Buttons say what happens")

    assert titles(shop("history", "conv-002")) == [
        "Edit sniper:conv-002",
        "Approve sniper:conv-002",
    ]
    assert titles(shop("history", "ap-001", "sniper:conv-001")) == [
        "Remove sniper:ap-001",
        "Edit sniper:conv-001",
    ]
    assert titles(shop("history", "conv-002", "--limit", "1")) == ["Edit sniper:conv-002"]


def test_an_entry_is_followed_through_the_refs_that_it_had(shop: Shell) -> None:
    first = shop("list", "--kind", "lesson", "--query", "retries").out.split("\t")[0]
    shop("edit", first, "text=Retries need a cap and a log line")
    second = shop("list", "--kind", "lesson", "--query", "retries").out.split("\t")[0]
    shop("edit", second, "text=Retries need a cap, a log line and a test")
    third = shop("list", "--kind", "lesson", "--query", "retries").out.split("\t")[0]
    assert len({first, second, third}) == 3

    edits = shop("history").out

    assert len(edits.splitlines()) == 2
    for ref in (first, second, third):
        assert shop("history", ref).out == edits


def test_a_finding_is_followed_to_what_it_became(shop: Shell) -> None:
    finding = "sniper:sprint-3-retro/new_conventions/1"
    done = document_of(shop("approve", finding, "--json"), "change")
    became = done["change"]["touched"][0]["after"]

    assert shop("history", became).out == shop("history", finding).out == shop("history").out


def test_an_entry_that_was_removed_has_a_history_still(shop: Shell) -> None:
    shop("remove", "conv-001")
    note(shop, later=timedelta(hours=1), gone=1)

    assert titles(shop("history", "conv-001")) == ["Remove sniper:conv-001"]
    assert [line.split("\t")[2] for line in shop("history", "conv-0").out.splitlines()] == [
        "external, another program"
    ]


def test_what_was_removed_is_named_by_its_words_in_the_history_before_and_after_an_undo(
    shop: Shell,
) -> None:
    lesson, *_ = shop("list", "--kind", "lesson", "--query", "retries").out.split("\t")
    (rule,) = (
        line.split("\t")[-1] for line in shop("list", "--query", "conv-001").out.splitlines()
    )
    shop("remove", lesson)
    shop("remove", "conv-001")

    told = [line.split("\t")[3] for line in shop("history").out.splitlines()]

    assert told == [f"Remove sniper:conv-001 {quoted(rule, 33)}", 'Remove "Retries need a cap"']
    shop("undo")
    again = [line.split("\t")[3] for line in shop("history").out.splitlines()]
    assert again == [f"{told[0]} (undone)", told[1]]


def test_an_unknown_ref_has_no_history_and_the_nearest_is_offered(shop: Shell) -> None:
    answer = shop("history", "conv-0O1")

    assert answer.code == 2
    assert answer.out == ""
    assert "did you mean `conv-001`?" in answer.err
    assert document_of(shop("history", "conv-0O1", "--json"), "error")["error"]["code"] == (
        "unknown-ref"
    )


def test_what_the_history_of_an_entry_cannot_know_is_said(shop: Shell) -> None:
    note(shop, later=timedelta(hours=1))

    answer = shop("history", "conv-001")

    assert answer.code == 0
    assert answer.out == ""
    assert answer.err.splitlines() == [
        "no changes of `sniper:conv-001` yet",
        f"note: 1 external change of {STORE} not listed: which entries were edited is not"
        " recorded; `remem history` lists all",
    ]


def test_the_history_of_an_entry_as_json(shop: Shell) -> None:
    shop("approve", "conv-002")
    shop("remove", "ap-001")

    document = document_of(shop("history", "ap-001", "--json"), "history")

    (title,) = (each["title"] for each in document["changes"])
    assert title.startswith('Remove sniper:ap-001 "')


def test_since_lists_what_was_done_from_a_day_on(shop: Shell) -> None:
    shop("approve", "conv-002")
    note(shop, later=timedelta(days=-3))
    day = (datetime.now(UTC) - timedelta(days=3)).date().isoformat()

    listed = {
        since: len(shop("history", "--since", since, "--limit", "9").out.splitlines())
        for since in ("today", "yesterday", day)
    }
    refused = shop("history", "--since", "last monday")

    assert listed == {"today": 1, "yesterday": 1, day: 2}
    assert refused.code == 2
    assert "write it like `2026-05-04`, `today` or `yesterday`" in refused.err


def test_what_is_gone_is_named_with_the_change_that_took_it(shop: Shell) -> None:
    shop("remove", "ap-001")
    shop("edit", "conv-001", "rule=Every queue consumer is idempotent and says so")
    (removed,) = [x for x in shop("history").out.splitlines() if "Remove" in x]

    told = shop("why", "ap-001", "--role", "backend-engineer")

    assert told.code == 2
    assert 'it is gone since: Removed sniper:ap-001 "' in told.err
    assert f'" ({removed.partition(chr(9))[0]})' in told.err
    assert "gone since" not in shop("show", "ap-999").err


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("today", "2026-05-04"),
        ("Yesterday", "2026-05-03"),
        ("3 days ago", "2026-05-01"),
        ("last week", "2026-04-27"),
        ("2 weeks", "2026-04-20"),
        ("last summer", None),
        ("main", None),
    ],
)
def test_a_day_is_named_in_words(words: str, day: str | None) -> None:
    found = day_in_words(words, date(2026, 5, 4))

    assert (found.isoformat() if found else None) == day


def test_a_change_is_named_by_its_id(shop: Shell) -> None:
    shop("approve", "conv-002")
    shop("edit", "conv-001", "rule=Every queue consumer is idempotent and says so")
    ids = [line.split("\t")[0] for line in shop("history").out.splitlines()]

    assert titles(shop("history", ids[1])) == ["Approve sniper:conv-002"]
    assert titles(shop("history", ids[0], "conv-002")) == [
        "Edit sniper:conv-001",
        "Approve sniper:conv-002",
    ]


def test_a_change_by_itself_is_shown_with_its_diff_and_reason(shop: Shell) -> None:
    shop("reject", "conv-002", "--reason", "a linter does it")
    (id,) = (line.split("\t")[0] for line in shop("history").out.splitlines())  # noqa: A001

    told = shop("history", id)

    assert f"--- {STORE}" in told.out
    assert "reason: a linter does it" in told.err
    assert "---" not in shop("history").out
    shown = document_of(shop("history", id, "--json"), "history")["shown"]
    assert (shown["id"].startswith(id), shown["reason"]) == (True, "a linter does it")
    assert [Path(each["path"]).name for each in shown["effects"]][:1] == [Path(STORE).name]
    assert "status: candidate" in shown["effects"][0]["diff"]
    assert document_of(shop("history", "--json"), "history")["shown"] is None


def test_a_dry_run_of_undo_and_redo_shows_what_they_then_do(shop: Shell) -> None:
    store = Path(shop.root) / STORE
    before = store.read_bytes()
    shop("approve", "conv-002")
    approved = store.read_bytes()

    shown = shop("undo", "--dry-run")

    assert store.read_bytes() == approved
    assert "-    status: confirmed\n+    status: candidate" in shown.out
    assert shown.err.endswith(": nothing was written\n")
    document = document_of(shop("undo", "--dry-run", "--json"), "change")
    assert (document["written"], document["undone"]) == (False, False)
    assert shop("undo").code == 0
    assert store.read_bytes() == before

    again = shop("redo", "--dry-run")

    assert store.read_bytes() == before
    assert "-    status: candidate\n+    status: confirmed" in again.out
    shop("redo")
    assert store.read_bytes() == approved


def test_a_dry_run_of_undo_says_which_later_changes_it_would_keep(shop: Shell) -> None:
    store = Path(shop.root) / STORE
    shop("approve", "conv-002")
    store.write_bytes(store.read_bytes() + b"# a word of mine\n")

    shown = shop("undo", "--dry-run")

    assert "later changes would be kept" in shown.err
    assert not [line for line in shown.out.splitlines() if line == "-# a word of mine"]
    (id,) = (line.split("\t")[0] for line in shop("history", "--limit", "1").out.splitlines())  # noqa: A001
    shop("undo")
    assert store.read_bytes().endswith(b"# a word of mine\n")
    assert "already undone" in shop("undo", id, "--dry-run").err


def test_a_history_that_is_not_searched_is_not_called_too_long(shop: Shell) -> None:
    shop("approve", "conv-002")
    database = Places.of(shop.home).state / "journal.db"
    for file in database.parent.glob("journal.db-*"):
        file.unlink()
    database.write_bytes(b"no database at all" * 99)

    answer = shop("search", "idempotent", "--everywhere")
    document = document_of(shop("search", "idempotent", "--everywhere", "--json"), "search")

    assert answer.code == 0
    assert "the history was not searched: it cannot be read" in answer.err
    assert "too long" not in answer.err
    assert document["complete"] is False
