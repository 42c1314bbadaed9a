"""The life of a learning from the command line."""

import json

import pytest
from tests.cli.conftest import Shell, document_of, write
from tests.learning_files import FOLDER, FREEZE, record

from remem.edit.yaml_read import parse_document


def with_learnings(shell: Shell) -> Shell:
    older = {**record("L-20260401-0001"), "created": "2026-04-01"}
    older.pop("created_at")
    write(
        shell.root,
        {
            f"{FOLDER}/{FREEZE}.yaml": json.dumps(record()),
            f"{FOLDER}/L-20260401-0001.yaml": json.dumps(older),
        },
    )
    return shell


OTHER = "L-20260505-0002"
OLDER = "L-20260401-0001"
LONG_AGO = "2024-05-06T00:00:00Z"
WRITING = [
    ["learn", "add", "Name the harbour", "--expires", "2027-01-01T00:00:00Z"],
    ["learn", "approve", "L-20260506-0003"],
    ["learn", "confirm", FREEZE, OTHER],
    ["learn", "invalidate", FREEZE, "--detail", "The fixture does it"],
    ["learn", "reinforce", FREEZE, "--by", "E-1"],
    ["learn", "contradict", FREEZE, OTHER],
    ["learn", "absence", OTHER, "--protocol", "SNPR-20260505-0001"],
    ["learn", "recurrence", FREEZE],
    ["learn", "supersede", FREEZE, "--by", OTHER],
    ["learn", "merge", FREEZE, OTHER],
    ["learn", "upgrade", OLDER],
    ["learn", "prune", "--as-of", "2030-01-01"],
    ["learn", "decay", "--as-of", "2030-01-01", "--apply"],
]


def memory(shell: Shell) -> dict[str, bytes]:
    files = sorted((shell.root / ".sniper").rglob("*"))
    return {str(path): path.read_bytes() for path in files if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", WRITING, ids=lambda words: words[1])
def test_every_event_can_be_looked_at_and_undone_to_the_same_bytes(
    shop: Shell, arguments: list[str]
) -> None:
    shell = with_learnings(shop)
    more = (
        record(OTHER, learning="Pass the clock in", applied_in=["SNPR-20260505-0001"]),
        record("L-20260506-0003", status="draft", learning="Ask the pier"),
        record("L-20260507-0004", status="deprecated", learning="Bring a rope"),
    )
    write(shell.root, {f"{FOLDER}/{each['id']}.yaml": json.dumps(each) for each in more})
    before = memory(shell)

    shown = document_of(shell(*arguments, "--dry-run", "--json"), "change")
    untouched = memory(shell)
    done = document_of(shell(*arguments, "--json"), "change")
    after = memory(shell)
    shell("undo")
    undone = memory(shell)
    shell("redo")

    assert shown["change"]["effects"]
    assert shown["written"] is False
    assert untouched == before
    assert done["written"] is True
    assert after != before
    assert undone == before
    assert memory(shell) == after


def test_a_bare_id_is_enough_and_each_event_is_a_change(shop: Shell) -> None:
    shell = with_learnings(shop)

    answers = [
        shell("learn", "reinforce", FREEZE, "--by", "E-1", "--json"),
        shell("learn", "confirm", FREEZE, "--json"),
        shell("learn", "recurrence", FREEZE, "--protocol", "P-1", "--json"),
    ]

    verbs = [document_of(answer, "change")["change"]["verb"] for answer in answers]
    assert verbs == ["learn.reinforce", "learn.confirm", "learn.recurrence"]
    held = parse_document(shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")).value
    assert isinstance(held, dict)
    assert (held["status"], held["confidence"]) == ("validated", 0.7)


def test_a_dry_run_writes_nothing_and_undo_takes_all_back(shop: Shell) -> None:
    shell = with_learnings(shop)
    before = shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")

    shown = shell("learn", "invalidate", FREEZE, "--dry-run")
    untouched = shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")
    shell("learn", "invalidate", FREEZE)
    shell("undo")

    assert "human_invalidated" in shown.out
    assert untouched == before
    assert shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml") == before


def test_decay_says_which_learnings_it_does_not_look_at(shop: Shell) -> None:
    shell = with_learnings(shop)
    path = shell.root / FOLDER / f"{FREEZE}.yaml"
    path.write_text(path.read_text().replace("status:", "created: 2026-05-04\nstatus:"))

    listed = shell("learn", "decay", "--as-of", "2026-09-02")

    assert "1 learning in an old record format: not counted until `remem learn" in listed.err


def test_decay_is_listed_and_written_only_when_asked(shop: Shell) -> None:
    shell = with_learnings(shop)
    before = shell.digest()

    listed = shell("learn", "decay", "--as-of", "2026-09-02", "--json")
    same = shell.digest() == before
    applied = shell("learn", "decay", "--as-of", "2026-09-02", "--apply")
    again = shell("learn", "decay", "--as-of", "2026-09-02", "--apply")

    (row,) = document_of(listed, "learn-decay")["decays"]
    assert same
    assert (row["anchor"], row["idle"], row["steps"]) == ("2026-05-04", 121, 1)
    assert (row["before"], row["after"], row["deprecates"]) == (0.5, 0.45, False)
    assert (applied.code, again.code) == (0, 0)
    assert "nothing decays" in again.err


def test_curating_is_one_plan_and_names_what_a_person_decides(shop: Shell) -> None:
    shell = with_learnings(shop)
    more = (
        record(OTHER, learning=record()["learning"]),
        record("L-20240506-0003", status="deprecated", learning="Ask", updated_at=LONG_AGO),
    )
    write(shell.root, {f"{FOLDER}/{each['id']}.yaml": json.dumps(each) for each in more})
    before = memory(shell)

    listed = document_of(
        shell("learn", "curate", "--as-of", "2026-12-01", "--json"), "learn-curate"
    )
    text = shell("learn", "curate", "--as-of", "2026-12-01")
    untouched = memory(shell)
    done = shell("learn", "curate", "--as-of", "2026-12-01", "--apply")
    changed = memory(shell)
    again = shell("learn", "curate", "--as-of", "2026-12-01", "--apply")
    shell("undo")

    assert {(row["does"], row["ref"]) for row in listed["steps"]} >= {
        ("archive", "learning:L-20240506-0003"),
        ("merge", f"learning:{OTHER}"),
        ("merge", f"learning:{FREEZE}"),
    }
    assert f"learning:{OLDER}" in [row["ref"] for row in listed["flags"]]
    assert all("similar" not in row["why"] or OLDER in row["why"] for row in listed["flags"])
    assert listed["counts"] == {"active": 3, "deprecated": 1}
    assert "to decide" in text.out
    assert untouched == before
    assert done.code == 0, done.err
    assert any("/archive/" in name for name in changed)
    assert again.code == 0, again.err
    assert memory(shell) == before


def test_learnings_are_listed_with_status_and_confidence_the_surest_first(shop: Shell) -> None:
    shell = with_learnings(shop)
    sure = record(OTHER, learning="Pass the clock in", confidence=0.9)
    write(shell.root, {f"{FOLDER}/{OTHER}.yaml": json.dumps(sure)})

    rows = document_of(shell("learn", "list", "--json"), "learn-list")["learnings"]

    assert next((row["ref"], row["status"], row["confidence"]) for row in rows) == (
        f"learning:{OTHER}",
        "active",
        0.9,
    )
    assert "Pass the clock in" in shell("learn", "list").out


def test_what_is_gone_is_called_archived_or_invalid_wherever_it_is_told(shop: Shell) -> None:
    shell = with_learnings(shop)
    ref = document_of(shell("learn", "list", "--json"), "learn-list")["learnings"][0]["ref"]
    assert shell("archive", ref).code == 0

    own = next(line for line in shell("learn", "list").out.splitlines() if ref in line)
    every = shell("list", "--status", "archived").out.splitlines()

    assert own.split("\t")[1] == "archived"
    assert any(ref in line and "archived" in line for line in every)
    assert "it is archived" in shell("why", ref, "--role", "architect").out
    again = shell("learn", "reinforce", ref, "--by", "SLIP-1")
    assert f"`{ref.partition(':')[2]}` is archived" in again.err
    assert f"`remem restore {ref.partition(':')[2]}` brings it back" in again.err
    shell("restore", ref)
    shell("learn", "invalidate", ref)
    own = next(line for line in shell("learn", "list").out.splitlines() if ref in line)
    assert own.split("\t")[1] == "invalid"
    assert "is invalid" in shell("learn", "reinforce", ref, "--by", "SLIP-1").err


def test_a_date_without_a_time_says_until_when_a_learning_holds(shop: Shell) -> None:
    answer = shop("learn", "add", "Name the harbour", "--expires", "2027-01-01")

    assert answer.code == 0, answer.err
    (name,) = [each for each in memory(shop) if FOLDER in each]
    held = parse_document(memory(shop)[name]).value
    assert isinstance(held, dict)
    assert held["expires_at"] == "2027-01-01T00:00:00Z"


def test_an_event_that_the_schema_does_not_know_is_shown_as_unknown(shop: Shell) -> None:
    odd = record(history=[{"timestamp": "2026-05-04T08:00:00Z", "event": "exploded"}])
    write(shop.root, {f"{FOLDER}/{FREEZE}.yaml": json.dumps(odd)})

    told = shop("show", f"learning:{FREEZE}").out

    assert "unknown: exploded" in told
    assert "confidence adjusted" not in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn", "upgrade"],
        ["learn", "prune"],
        ["learn", "merge", "--proposed"],
        ["learn", "curate", "--apply"],
        ["learn", "decay", "--apply", "--as-of", "2026-05-05"],
        ["init"],
        ["promote", "conv-001"],
    ],
    ids=" ".join,
)
def test_doing_what_is_done_already_is_no_error(shop: Shell, arguments: list[str]) -> None:
    shop("init")
    before = memory(shop)

    answer = shop(*arguments)
    report = document_of(shop(*arguments, "--json"), "change")

    assert answer.code == 0, answer.err
    assert "nothing was written" in answer.err
    assert (report["written"], report["change"]["effects"]) == (False, [])
    assert memory(shop) == before


def test_merging_is_only_proposed_until_it_is_asked_for(shop: Shell) -> None:
    shell = with_learnings(shop)
    shell("learn", "upgrade", "L-20260401-0001")
    before = shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")

    proposed = document_of(shell("learn", "merge", "--json"), "learn-merge")["groups"]
    same = shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")
    done = shell("learn", "merge", "--proposed")

    assert [sorted(each["refs"]) for each in proposed] == [
        ["learning:L-20260401-0001", f"learning:{FREEZE}"]
    ]
    assert same == before
    assert done.code == 0
    assert b"superseded_by" in shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")


def test_composing_notes_the_protocol_only_when_asked(shop: Shell) -> None:
    shell = with_learnings(shop)
    before = shell.digest()

    plain = shell("compose", "--role", "architect")
    same = shell.digest() == before
    first = shell("compose", "--role", "architect", "--record", "SNPR-20260901-aaaa")
    second = shell("compose", "--role", "architect", "--record", "SNPR-20260901-aaaa")

    assert same
    assert plain.out == first.out == second.out
    assert "- [MEDIUM] Freeze time in every scheduler test." in plain.out
    held = parse_document(shell.bytes_of(f"{FOLDER}/{FREEZE}.yaml")).value
    assert isinstance(held, dict)
    assert held["applied_in"] == ["SNPR-20260901-aaaa"]
    assert "old record format" in first.err


def test_show_tells_how_a_confidence_came_about(shop: Shell) -> None:
    shell = with_learnings(shop)
    shell("learn", "reinforce", FREEZE, "--by", "E-1", "--actor", "retro-analyst")

    answer = shell("show", f"learning:{FREEZE}")
    document = document_of(shell("show", f"learning:{FREEZE}", "--json"), "show")

    assert "\treinforced\t+0.15\t0.5\t0.65\tretro-analyst\tby E-1" in answer.out
    assert "next above: 0.7" in answer.out
    assert document["confidence"]["now"] == 0.65
    assert document["confidence"]["rows"][0]["by"] == "retro-analyst"


def test_a_new_learning_of_an_agent_waits(shop: Shell) -> None:
    shell = with_learnings(shop)

    shell("learn", "add", "Name the harbour", "--agent", "qa", "--actor", "retro-analyst",
          "--source", "retro", "--protocol", "SNPR-20260504-19aa")  # fmt: skip
    (item,) = (
        each
        for each in document_of(shell("queue", "--json"), "queue")["items"]
        if each["kind"] == "learning"
    )
    approved = shell("learn", "approve", item["ref"])

    assert (item["title"], item["roles"], item["why"]) == (
        "Name the harbour",
        ["qa"],
        "draft",
    )
    assert approved.code == 0
    assert "Name the harbour" in shell("compose", "--role", "qa").out


def test_what_cannot_be_told_of_a_learning_is_said_with_a_way_out(shop: Shell) -> None:
    shell = with_learnings(shop)

    twice = [shell("learn", "reinforce", FREEZE, "--by", "E-1") for _ in range(2)]
    older = shell("learn", "confirm", "L-20260401-0001")
    wrong = shell("learn", "confirm", "conv-001")
    absent = shell("learn", "absence", FREEZE, "--protocol", "P-1")

    assert [each.code for each in (*twice, older, wrong, absent)] == [0, 0, 0, 2, 2]
    assert "--record P-1" in absent.err
