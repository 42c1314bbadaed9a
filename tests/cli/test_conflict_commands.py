"""Commands that decide on what was seen earlier: exit code 3, the three texts, not a byte."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import CONVENTIONS, Shell, document_of

from remem.base.errors import Conflict, Sides
from remem.base.text import hidden
from remem.cli.failure import failure_of, tell

STORE = ".sniper/memory/conventions.yaml"


def seen(shop: Shell, ref: str = "sniper:conv-002") -> str:
    entries = document_of(shop("list", "--json"), "list")["entries"]
    return next(str(entry["digest"]) for entry in entries if entry["ref"] == ref)


def an_agent_rewords(shop: Shell) -> bytes:
    path = shop.root / STORE
    path.write_text(CONVENTIONS.replace("Buttons say what they do", "Buttons are blue"))
    return path.read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["approve", "sniper:conv-002"], id="approve"),
        pytest.param(["reject", "sniper:conv-002", "--reason", "no"], id="reject"),
        pytest.param(["promote", "sniper:conv-002"], id="promote"),
        pytest.param(["edit", "conv-002", "rationale=Read aloud"], id="edit"),
        pytest.param(["merge", "sniper:conv-002", "--into", "conv-001"], id="merge"),
        pytest.param(["archive", "conv-002"], id="archive"),
        pytest.param(["remove", "conv-002"], id="remove"),
        pytest.param(["approve", "sniper:conv-002", "--dry-run"], id="dry run"),
    ],
)
def test_what_was_seen_binds_a_decision(shop: Shell, command: list[str]) -> None:
    digest = seen(shop)
    theirs = an_agent_rewords(shop)

    answer = shop(*command, "--shown", digest)

    assert answer.code == 3
    assert answer.out == ""
    assert "sniper:conv-002` changed after it was shown" in answer.err
    assert "Buttons are blue" in answer.err
    assert shop.bytes_of(STORE) == theirs
    assert shop("history").out == ""


def test_the_same_decision_on_what_was_seen_is_told_as_made_already(shop: Shell) -> None:
    digest = seen(shop)
    shop("approve", "sniper:conv-002")
    theirs = shop.bytes_of(STORE)

    again = shop("approve", "sniper:conv-002", "--shown", digest)
    other = shop("reject", "sniper:conv-002", "--reason", "no", "--shown", digest)

    assert again.code == 0
    assert "already done: Approve sniper:conv-002" in again.err
    assert other.code == 3
    assert shop.bytes_of(STORE) == theirs


def test_what_still_stands_is_decided_on(shop: Shell) -> None:
    digest = seen(shop)

    assert shop("approve", "sniper:conv-002", "--shown", digest).code == 0


def test_the_queue_gives_the_digest_that_a_decision_takes(shop: Shell) -> None:
    (item,) = [
        item
        for item in document_of(shop("queue", "--json"), "queue")["items"]
        if item["ref"] == "sniper:conv-002"
    ]

    assert shop("approve", item["id"], "--shown", item["digest"]).code == 0


def test_the_error_document_holds_the_three_texts(shop: Shell) -> None:
    digest = seen(shop)
    an_agent_rewords(shop)

    answer = shop("approve", "sniper:conv-002", "--shown", digest, "--json")

    document = document_of(answer, "error")
    assert answer.code == 3
    assert document["error"]["code"] == "conflict"
    conflict = document["conflict"]
    assert conflict["ref"] == "sniper:conv-002"
    assert conflict["base"] is None
    assert "status: candidate" in conflict["theirs"]
    assert "Buttons are blue" in conflict["yours"]
    assert "status: confirmed" in conflict["yours"]


def test_there_is_one_digest_for_each(shop: Shell) -> None:
    answer = shop("archive", "conv-001", "conv-002", "--shown", seen(shop))

    assert answer.code == 2
    assert "1 digest for 2 entries" in answer.err


def conflict(
    base: str | None, theirs: str | None, yours: str | None, blocked: str = ""
) -> Conflict:
    sides = Sides("sniper:c", "sniper:c", "its text changed", base, theirs, yours, blocked=blocked)
    return Conflict("`sniper:c` changed after it was shown: its text changed", sides, hint="look")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(
            conflict("rule: a", "rule: b", "rule: b\nstatus: confirmed"),
            ["as shown → now:", "  -rule: a", "  +rule: b", "now → yours:", "  +status: confirmed"],
            id="both differ",
        ),
        pytest.param(conflict("a", "b", "b"), ["no differences"], id="no difference of yours"),
        pytest.param(conflict("a", None, None, "gone"), ["now: its text changed"], id="gone"),
        pytest.param(conflict("a", "b", None), ["yours: it would be removed"], id="taken away"),
        pytest.param(
            conflict("a", "b", None, "no"), ["not possible on the current text: no"], id="blocked"
        ),
        pytest.param(
            conflict("", "\n".join(map(str, range(90))), None), ["… 72 more lines"], id="long"
        ),
    ],
)
def test_a_person_reads_what_others_made_of_it_and_what_the_decision_would(
    error: Conflict, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    tell(failure_of(error), as_json=False)

    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n\nhint: look\n")
    for each in said:
        assert each in err


def test_no_text_of_a_conflict_reaches_a_terminal_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    evil = "\x1b]0;x\x07\u202e\U000e0041\ud800"
    for base, yours in ((f"{evil}b", f"{evil}c"), (None, None)):
        tell(failure_of(conflict(base, evil, yours, evil)), as_json=False)
        tell(failure_of(conflict(base, evil, yours)), as_json=True)

    out, err = capsys.readouterr()
    assert hidden(err.replace("\n", "")) == ()
    assert out.isascii()
    assert json.loads(out[out.rindex('{\n  "error"') :])["conflict"]["theirs"] == evil
