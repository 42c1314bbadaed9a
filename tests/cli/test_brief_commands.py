"""A story is briefed, a role's prompt composed, and who applied what is counted, from a shell."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.cli.conftest import Shell, document_of
from tests.shaktra_briefs import FILES, STORIES, check_of, put

BRIEFING = f"{STORIES}/ST-040/.briefing.yml"


@pytest.fixture
def desk(empty: Shell) -> Shell:
    """A project with Shaktra memory and one story."""
    put(empty.root, FILES)
    return empty


def test_a_briefing_is_written_listed_and_taken_back(desk: Shell) -> None:
    before = desk.digest()

    done = desk("brief", "ST-040")
    held = desk.bytes_of(BRIEFING)
    desk("undo")

    assert done.code == 0
    assert done.out.splitlines()[0].split("\t")[:3] == ["shaktra:AP-001", "4", "8 x 0.5"]
    assert "Brief ST-040 with 4 entries" in done.err
    assert b"relevant_anti_patterns" in held
    assert not (desk.root / BRIEFING).exists()
    assert desk.digest() != before  # the history knows of it


def test_dry_run_shows_it_and_writes_nothing(desk: Shell) -> None:
    before = desk.digest()

    done = desk("brief", "ST-040", "--dry-run", "--why")

    assert "+relevant_principles:" in done.out
    assert "shaktra:PR-003\tconfidence\tits confidence is 0.32, below 0.4" in done.out
    assert desk.digest() == before


def test_writing_it_again_is_no_failure(desk: Shell) -> None:
    desk("brief", "ST-040")

    again = desk("brief", "ST-040")

    assert again.code == 0
    assert "says so already: nothing was written" in again.err


def test_the_document_has_scores_relevance_and_what_is_out(desk: Shell) -> None:
    found = document_of(desk("brief", "ST-040", "--json"), "brief")

    assert found["written"]
    assert found["path"] == BRIEFING
    assert (found["active"], found["tier"], found["workflow"]) == (6, 1, "tdd")
    first = found["entries"][0]
    assert (first["ref"], first["semantic"], first["score"]) == ("shaktra:AP-001", 8, 4.0)
    assert first["relevance"].startswith('Triggered by "call the bank" in the story')
    assert {each["ref"]: each["reason"] for each in found["excluded"]} == {
        "shaktra:PR-003": "confidence",
        "shaktra:PR-004": "status",
        "shaktra:PC-001": "scope",
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("brief", "ST-9"), "there is no story `ST-9`", id="brief"),
        pytest.param(("compose", "--story", "st-040"), "did you mean `ST-040`?", id="compose"),
        pytest.param(("why", "PR-001", "--story", "x"), "there is no story `x`", id="why"),
        pytest.param(("brief", "../x", "--title", "Webhook"), "is not a valid name", id="outside"),
    ],
)
def test_a_story_that_is_not_there_is_bad_input(
    desk: Shell, arguments: tuple[str, ...], words: str
) -> None:
    found = desk(*arguments)

    assert found.code == 2
    assert words in found.err


def test_a_root_without_stories_is_told_that_it_has_none(shop: Shell) -> None:
    found = shop("compose", "--role", "backend-engineer", "--story", "ST-040")

    assert found.code == 0
    assert "no system here has stories" in found.err


def test_a_role_gets_exactly_its_part_of_the_briefing(desk: Shell) -> None:
    desk("brief", "ST-040")

    found = document_of(
        desk("compose", "--role", "sw-quality", "--story", "ST-040", "--json"), "compose"
    )

    assert found["included"] == ["shaktra:PR-002", "shaktra:AP-001"]
    assert found["notes"] == []


def test_why_tells_what_matched_and_why_not(desk: Shell) -> None:
    asked = ("--role", "developer", "--story", "ST-040")

    told = desk("why", "shaktra:AP-001", *asked)
    out = desk("why", "shaktra:PC-001", *asked)

    assert 'Triggered by "call the bank" in the story' in told.out
    assert "it is for the workflow bugfix" in out.out


def test_composing_for_a_story_writes_nothing(desk: Shell) -> None:
    before = desk.digest()

    desk("compose", "--role", "developer", "--story", "ST-040")

    assert desk.digest() == before


def test_show_has_the_ledger(desk: Shell) -> None:
    put(desk.root, check_of("ST-010", "reinforce", "reinforce"))

    found = document_of(desk("show", "PR-001", "--json"), "show")

    assert found["confidence"]["points"] == [0.6, 0.76]
    assert [row["story"] for row in found["confidence"]["rows"]] == ["", "ST-010", "ST-010"]
    assert found["confidence"]["what_if"][0].startswith(
        "one more contradiction takes it from 0.76 to 0.56"
    )
    assert "confidence 0.76 (0.6 → 0.76)" in desk("show", "PR-001").out


def test_logs_and_code_are_counted(desk: Shell) -> None:
    subprocess.run(["git", "init", "-q", str(desk.root)], check=True)
    put(desk.root, {"src/a.py": "# Applies: PR-001\n"})
    log = desk.root / "agent.txt"
    log.write_text("\x1b[1mMEMORY:\x1b[0m [developer] applying PR-001, PR-777 — x\n" * 2)

    found = document_of(desk("applied", str(log), "--json"), "applied")

    first = found["entries"][0]
    assert (first["ref"], first["logged"], first["agents"]) == (
        "shaktra:PR-001",
        2,
        {"developer": 2},
    )
    assert first["code"] == [{"path": "src/a.py", "line": 1}]
    assert found["unknown"] == {"PR-777": 2}
    assert (found["code_searched"], found["logs"]) == (True, 1)


def test_counting_writes_nothing_and_draws_no_escape(desk: Shell) -> None:
    log = desk.root / "agent.txt"
    log.write_text(
        "MEMORY: [dev\x1b]0;x\x9cel\x07op] applying PR-001\nMEMORY: [\x9b1m] applying PR-001\n"
    )
    before = desk.digest()

    found = desk("applied", str(log))

    assert found.code == 0
    assert not {"\x1b", "\x9b", "\x9c", "\x07"} & {*found.out}
    assert "code was not searched: this is not a git repository" in found.err
    assert desk.digest() == before


def test_a_log_comes_from_a_pipe(desk: Shell) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "remem",
            "--root",
            str(desk.root),
            "applied",
            "-",
            "--json",
            "--no-code",
        ],
        input=b"MEMORY: [developer] applying PC-002\n",
        capture_output=True,
        check=True,
    )

    uses = {each["ref"]: each["logged"] for each in json.loads(done.stdout)["entries"]}
    assert uses["shaktra:PC-002"] == 1


def test_a_log_that_is_not_there_is_bad_input(desk: Shell) -> None:
    assert desk("applied", str(desk.root / "no.log")).code == 2
