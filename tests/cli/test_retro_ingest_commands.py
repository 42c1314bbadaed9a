"""The commands that take a retro in, compare two, and look after estimates."""

from __future__ import annotations

import pytest
from tests.cli.conftest import RETRO, Shell, document_of, write

RETRO_FILE = ".sniper/memory/retros/sprint-3-retro.yaml"
STORE = ".sniper/memory/conventions.yaml"
LATER = RETRO.replace("sprint: 3", "sprint: 4").replace("confidence: high", "confidence: medium")
PATTERN = """\
sprint: 5
date: "2026-03-02"
findings:
  estimation_calibration:
    patterns: ["Importer stories are underestimated by 25%"]
"""


def test_ingesting_is_one_change_that_undo_takes_back_to_the_byte(shop: Shell) -> None:
    before = shop.bytes_of(STORE)

    done = document_of(shop("retro", "ingest", RETRO_FILE, "--json"), "retro-ingest")
    changes = document_of(shop("history", "--json"), "history")["changes"]
    added = shop.bytes_of(STORE)
    undone = shop("undo", done["id"])

    assert [each["outcome"] for each in done["findings"]] == ["confirmed", "watched", "note"]
    assert (done["written"], done["title"]) == (True, "Ingest sprint-3-retro (1 confirmed)")
    assert [(each["actor"], each["set_off"]) for each in changes] == [("auto", "person")]
    assert changes[0]["id"] == done["id"]
    assert added.startswith(before)
    assert undone.code == 0
    assert shop.bytes_of(STORE) == before


def test_undo_takes_an_ingest_back_before_what_was_decided_before_it(shop: Shell) -> None:
    first = shop.bytes_of(STORE)
    shop("approve", "conv-002")
    approved = shop.bytes_of(STORE)
    shop("retro", "ingest", "--sprint", "3")
    ingested = shop.bytes_of(STORE)

    undone = shop("undo")
    after_one = shop.bytes_of(STORE)
    shop("undo")
    after_two = shop.bytes_of(STORE)
    shop("redo")
    shop("redo")

    assert undone.out == "Undone: Ingest sprint-3-retro (1 confirmed)\n"
    assert "changes by others" not in undone.err
    assert (after_one, after_two) == (approved, first)
    assert shop.bytes_of(STORE) == ingested


@pytest.mark.parametrize(
    "path", [".remem/config.yaml", ".shaktra/settings.yml", ".sniper/config.yaml"]
)
@pytest.mark.parametrize(
    "text", [pytest.param("memory: {\n a: x\n", id="torn"), pytest.param("- a list\n", id="list")]
)
def test_ingesting_puts_nothing_into_force_while_any_settings_file_cannot_be_read(
    shop: Shell, path: str, text: str
) -> None:
    write(shop.root, {path: text})
    before = shop.bytes_of(STORE)

    done = shop("retro", "ingest", "--sprint", "3")
    problems = [each["path"] for each in shop("status", "--json").document["problems"]]

    assert shop.bytes_of(STORE) == before
    assert "cannot be read, so nothing is done automatically" in done.err
    assert str(shop.root / path) in problems


def test_ingesting_puts_nothing_into_force_while_whether_it_may_makes_no_sense(
    shop: Shell,
) -> None:
    write(shop.root, {".sniper/config.yaml": "memory: {auto_codify: perhaps}\n"})
    before = shop.bytes_of(STORE)

    done = shop("retro", "ingest", "--sprint", "3")

    assert shop.bytes_of(STORE) == before
    assert "nothing is done automatically" in done.err


def test_ingesting_again_writes_nothing_and_says_so(shop: Shell) -> None:
    shop("retro", "ingest", "--sprint", "3")
    before = shop.digest()

    again = shop("retro", "ingest", "sprint-3-retro")
    document = document_of(shop("retro", "ingest", "--sprint", "3", "--json"), "retro-ingest")

    assert again.code == 0
    assert "nothing was written" in again.err
    assert document["written"] is False
    assert shop.digest() == before


def test_a_dry_run_of_ingesting_shows_the_diff_and_writes_nothing(shop: Shell) -> None:
    before = shop.digest()

    dry = shop("retro", "ingest", "--sprint", "3", "--dry-run")

    assert '+    rule: "Migrations run twice without harm"' in dry.out
    assert "nothing was written" in dry.err
    assert shop.digest() == before


def test_what_was_ingested_waits_marked_and_is_rejected_with_one_command(shop: Shell) -> None:
    shop("retro", "ingest", "--sprint", "3")
    (item, _) = document_of(shop("queue", "--json"), "queue")["items"]

    shop("reject", item["id"], "--reason", "a tool does it")

    assert (item["group"], item["suggested"]) == ("sprint-3-retro", "approve")
    assert b"Migrations" not in shop.bytes_of(STORE)
    assert b"a tool does it" in shop.bytes_of(".remem/rejected.yaml")
    assert "nothing was written" in shop("retro", "ingest", "--sprint", "3").err


def test_a_retro_of_another_sprint_is_refused_before_anything_is_written(shop: Shell) -> None:
    write(shop.root, {RETRO_FILE: LATER})
    before = shop.digest()

    failed = shop("retro", "ingest", RETRO_FILE)

    assert failed.code == 2
    assert "`sprint-3-retro.yaml:1`" in failed.err
    assert "hint:" in failed.err
    assert shop.digest() == before


def test_a_file_elsewhere_is_told_where_retros_lie(shop: Shell) -> None:
    write(shop.root, {"notes/sprint-9-retro.yaml": RETRO})

    failed = shop("retro", "ingest", "notes/sprint-9-retro.yaml")

    assert failed.code == 2
    assert "`.sniper/memory/retros/`" in failed.err


def test_two_retros_are_compared(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-4-retro.yaml": LATER.replace("Pairing", "Tea")})

    found = document_of(shop("retro", "diff", "3", "4", "--json"), "retro-diff")

    assert [each["text"] for each in found["recurring"]] == [
        "Migrations run twice without harm",
        "Feature flags have an owner",
    ]
    assert [each["text"] for each in found["new"]] == ["Tea on the importer"]
    assert [each["text"] for each in found["gone"]] == ["Pairing on the importer"]
    told = shop("retro", "diff").out
    assert told == shop("retro", "diff", "3", "4").out
    assert "recurring · 2" in told
    assert "to review: `remem approve" in told
    assert found["new"][0]["waiting"] is None
    assert "info only" in found["new"][0]["why"]


def test_a_sprint_is_compared_with_the_sprint_before_it_and_not_with_a_protocol(
    shop: Shell,
) -> None:
    later = LATER.replace("date: 2026-", "date: 2027-")
    protocol = "protocol: feature\ndate: {}\nwhat_went_well: [Tea]\n"
    day = next(line for line in later.splitlines() if line.startswith("date:")).split()[1]
    write(
        shop.root,
        {
            ".sniper/memory/retros/sprint-4-retro.yaml": later,
            ".sniper/memory/retros/SNPR-1.yaml": protocol.format(day),
            ".sniper/memory/retros/SNPR-2.yaml": protocol.format("2028-01-01"),
        },
    )

    assert shop("retro", "diff", "4").out == shop("retro", "diff", "3", "4").out
    assert shop("retro", "diff").out == shop("retro", "diff", "SNPR-1", "SNPR-2").out


def test_the_first_retro_has_none_before_it(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-4-retro.yaml": LATER})

    answer = shop("retro", "diff", "3")

    assert answer.code == 2
    assert "there is no retro before `sprint-3-retro`" in answer.err


def test_the_only_retro_is_held_against_none_and_that_is_no_error(shop: Shell) -> None:
    told = shop("retro", "diff")
    document = document_of(shop("retro", "diff", "--json"), "retro-diff")

    assert (told.code, told.raw) == (0, b"")
    assert "`sprint-3-retro` is the only retro here" in told.err
    assert "`remem retro show`" in told.err
    assert (document["before"], document["after"]) == ("", "sprint-3-retro")
    assert shop("retro", "diff", "9").code == 2


def test_without_a_name_the_newest_retro_is_ingested_and_the_others_are_named(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-4-retro.yaml": LATER})

    answer = shop("retro", "ingest")

    assert answer.code == 0, answer.err
    assert "`sprint-4-retro` is the newest retro" in answer.err
    assert "`sprint-3-retro`" in answer.err
    assert "sprint-4-retro: " in answer.err


def test_a_pattern_is_taken_into_the_estimates(shop: Shell) -> None:
    write(shop.root, {".sniper/memory/retros/sprint-5-retro.yaml": PATTERN})

    taken = document_of(
        shop("estimates", "take", "sniper:sprint-5-retro/patterns/1", "--json"), "change"
    )
    view = document_of(shop("estimates", "show", "--json"), "estimates-show")

    assert taken["written"] is True
    assert [each["typical_miss"] for each in view["common_underestimates"]] == ["+25%"]
    assert (view["sprints_analyzed"], view["proposed_factor"]) == (2, None)
    assert "Importer stories" in shop("estimates", "show").out


def test_status_tells_of_retros_and_estimates(shop: Shell) -> None:
    shop("retro", "ingest", "--sprint", "3")

    memory = document_of(shop("status", "--json"), "status")["memory"]

    assert (memory["retros"], memory["last_retro"], memory["unseen"]) == (1, "sprint-3-retro", 1)
    assert "1 entry auto-added · not reviewed" in shop("status").out


def test_templates_bring_an_analyst_a_team_and_the_settings(empty: Shell) -> None:
    made = empty("init", "--templates")

    assert "# Retro analyst" in empty.bytes_of(".sniper/personas/process/retro-analyst.md").decode()
    assert b"retro-analyst" in empty.bytes_of(".sniper/teams/retro.yaml")
    assert "auto_codify: true" in made.out
    assert not (empty.root / ".sniper/config.yaml").exists()


def test_a_finding_that_became_an_entry_says_so_in_every_listing(shop: Shell) -> None:
    write(shop.root, {RETRO_FILE: RETRO.replace("high", "medium")})
    items = document_of(shop("queue", "--json"), "queue")["items"]
    (item,) = [each for each in items if each["group"] == "sprint-3-retro"]
    shop("approve", item["id"])

    entries = document_of(shop("list", "--json"), "list")["entries"]
    (listed,) = [each for each in entries if each["ref"] == item["ref"]]
    again, by_ref = shop("approve", item["id"]), shop("approve", item["ref"])

    assert listed["status"] == "confirmed"
    assert (again.code, by_ref.code) == (0, 0)
    assert f"became `{listed['became']}`" in again.err
    assert "nothing was written" in by_ref.err
    assert f"became `{listed['became']}`" in shop("retro", "show", "3").out
    assert f"confirmed {listed['became']}" in shop("list", "--kind", "finding").out
    assert item["ref"] not in shop("queue").out
