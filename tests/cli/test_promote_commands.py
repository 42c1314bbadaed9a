"""Promotion to the workspace, and what the gate found, from the command line."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of, write
from tests.sniper_files import CONVENTIONS
from tests.workspace_files import SHARED, workspace

RULE = "Every queue consumer is idempotent"
CHECKED = """\
conventions:
  - id: conv-001
    rule: "No printing in the service"
    enforcement: both
    detect: {files: ["*.py"], forbid: 'print'}
  - id: conv-002
    rule: "Consumers are idempotent"
    status: candidate
    source: {type: imported, ref: "pack.yaml", date: "2026-01-01"}
    detect: {forbid: "twice"}
"""


@pytest.fixture
def acme(tmp_path: Path) -> Shell:
    """A workspace, two repositories of which say the same."""
    roles = ["backend-engineer"]
    rules = {
        "api": [{"rule": RULE, "applies_to": roles}],
        "web": [{"rule": RULE, "applies_to": roles}],
    }
    (tmp_path / "home").mkdir()
    return Shell(workspace(tmp_path, ["Services log JSON"], rules), tmp_path / "home")


def inside(shell: Shell, name: str) -> Shell:
    return replace(shell, root=shell.root / "repositories" / name)


def test_a_dry_run_shows_every_file_and_every_role_that_it_reaches(acme: Shell) -> None:
    before = acme.digest()

    text = acme("workspace", "promote", "sniper@api:conv-001", "--dry-run")
    told = document_of(
        acme("workspace", "promote", "sniper@api:conv-001", "--dry-run", "--json"), "change"
    )

    assert f"+++ {SHARED}" in text.out
    assert f"+++ repositories/api/{CONVENTIONS}" in text.out
    assert f"+++ repositories/web/{CONVENTIONS}" in text.out
    assert {(each["repository"], each["role"]) for each in told["reach"]} == {
        ("api", "backend-engineer"),
        ("web", "backend-engineer"),
    }
    assert told["change"]["receipt"].startswith("1 entry added to the workspace · 2 removed")
    assert acme.digest() == before


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["promote", "sniper@api:conv-001", "--to", "workspace"], id="promote --to"),
        pytest.param(["approve"], id="approve the item"),
    ],
)
def test_every_way_to_promote_is_one_change_that_undo_takes_back(
    acme: Shell, words: list[str]
) -> None:
    (item,) = document_of(acme("queue", "--json"), "queue")["items"]
    before = (acme.root / SHARED).read_bytes()

    done = acme(*words, *([item["id"]] if words == ["approve"] else []))
    waiting = document_of(acme("queue", "--json"), "queue")["items"]
    after = (acme.root / SHARED).read_text()
    undone = inside(acme, "web")("undo")

    assert (done.code, undone.code) == (0, 0)
    assert waiting == []
    assert after.count(RULE) == 1
    assert (acme.root / SHARED).read_bytes() == before
    assert RULE in (acme.root / "repositories/web" / CONVENTIONS).read_text()


def test_keep_leaves_it_below_and_is_said_from_inside_a_repository(acme: Shell) -> None:
    api = inside(acme, "api")

    done = api("promote", "sniper:conv-001", "--to", "workspace", "--keep")

    assert done.out.endswith("to the workspace\n")
    assert RULE in (acme.root / SHARED).read_text()
    assert RULE in (api.root / CONVENTIONS).read_text()


def test_rejecting_the_proposal_keeps_both_and_is_remembered(acme: Shell) -> None:
    (item,) = document_of(acme("queue", "--json"), "queue")["items"]

    done = acme("reject", item["id"], "--reason", "each has its own")

    assert (done.code, document_of(acme("queue", "--json"), "queue")["items"]) == (0, [])
    assert "each has its own" in (acme.root / ".remem/rejected.yaml").read_text()


def test_without_a_workspace_it_says_what_a_workspace_is(shop: Shell) -> None:
    answer = shop("workspace", "promote", "conv-001")

    assert answer.code == 2
    assert "there is no workspace above it" in answer.err


def test_a_workspace_file_that_is_read_only_leaves_every_file_as_it_is(acme: Shell) -> None:
    if os.geteuid() == 0:
        write(acme.root, {SHARED: "conventions: [\n"})  # permissions stop nobody here
    else:
        (acme.root / "memory").chmod(0o500)
    before = {path: path.read_bytes() for path in acme.root.rglob("*.yaml")}

    answer = acme("workspace", "promote", "sniper@api:conv-001")

    (acme.root / "memory").chmod(0o700)
    assert answer.code != 0
    assert {path: path.read_bytes() for path in before} == before


def _git(root: Path, *arguments: str) -> None:
    given = ["-c", "user.name=Mara", "-c", "user.email=mara@example.org"]
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(
        ["git", "-C", str(root), *given, *arguments], check=True, capture_output=True, env=env
    )


@pytest.fixture
def broken(empty: Shell) -> Shell:
    """A service under git whose work tree breaks a rule in force and a candidate."""
    write(empty.root, {CONVENTIONS: CHECKED, "a.py": "x = 1\n"})
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        _git(empty.root, *words)
    write(empty.root, {"a.py": 'x = 1\nprint("a")\ntwice()\nprint("b")\n'})
    return empty


def test_recording_lets_violations_wait_and_changes_no_memory(broken: Shell) -> None:
    before = broken.bytes_of(CONVENTIONS)

    told = broken("check", "--record")
    again = document_of(broken("check", "--record", "--json"), "check")
    without = document_of(broken("check", "--json"), "check")
    items = document_of(broken("queue", "--json"), "queue")["items"]

    assert told.code == 1
    assert "3 new places wait; `remem queue` lists the items to review" in told.err
    assert "1 candidate would be violated too, and can be confirmed by it" in told.err
    assert (again["recorded"], without["recorded"]) == (0, None)
    assert [each["ref"] for each in again["checks"]] == ["sniper:conv-001"]
    assert [(each["ref"], each["suggested"]) for each in items] == [
        ("sniper:conv-002", "approve"),
        ("remem:gate/sniper/conv-001", "approve"),
    ]
    assert broken.bytes_of(CONVENTIONS) == before


def test_checking_alone_writes_nothing_at_all(broken: Shell) -> None:
    before = broken.digest()

    broken("check")
    broken("queue")

    assert broken.digest() == before


def test_evidence_enters_memory_by_a_decision_and_leaves_by_undo(broken: Shell) -> None:
    broken("check", "--record")
    before = broken.bytes_of(CONVENTIONS)

    for item in document_of(broken("queue", "--json"), "queue")["items"]:
        broken("approve", item["id"])
    after = broken.bytes_of(CONVENTIONS).decode()
    left = document_of(broken("queue", "--json"), "queue")["items"]
    for _ in range(2):
        broken("undo")

    assert after.count('places: ["a.py:') == 2
    assert "status: confirmed" in after
    assert left == []
    assert broken.bytes_of(CONVENTIONS) == before


def test_a_clean_gate_records_nothing(broken: Shell) -> None:
    write(broken.root, {"a.py": "x = 2\n"})

    told = broken("check", "--record")

    assert told.code == 0
    assert "the gate found nothing new" in told.err
    assert not (broken.root / ".remem").exists()
