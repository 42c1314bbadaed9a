"""`remem diff` is the comment under a pull request, and `remem duplicates` what is told twice."""

from __future__ import annotations

import pytest
from tests.cli.conftest import CONVENTIONS, Shell, document_of, write
from tests.code_files import commit, git

RULES = ".sniper/memory/conventions.yaml"
HISTORY = ".squad/agents/hill/history.md"
THIRD = """
  - id: conv-003
    rule: "Every queue consumer is not idempotent"
    applies_to: [backend-engineer]
"""
HOSTILE = "Ping @ada in #12 <img src=x> [a](https://x.org) `tick` |cell| *b* \x1b[31m"


@pytest.fixture
def branch(shop: Shell) -> Shell:
    """The shop with a branch that changes its memory."""
    write(shop.root, {HISTORY: "# Hill\n\n- Boards are loud at noon\n"})
    git(shop.root, "init", "-q", "-b", "main")
    commit(shop.root, "first")
    git(shop.root, "checkout", "-q", "-b", "work")
    text = CONVENTIONS.replace("status: candidate", "status: confirmed") + THIRD
    write(shop.root, {RULES: text, HISTORY: f"# Hill\n\n- {HOSTILE}\n"})
    commit(shop.root, "second")
    return shop


def test_it_tells_entries_starts_and_contradictions(branch: Shell) -> None:
    before = branch.digest()

    answer = branch("diff", "main..work")

    assert answer.code == 0
    assert "2 entries added, 1 removed, 1 changed in 2 files" in answer.out
    assert "~ sniper:conv-002  convention · .sniper/memory/conventions.yaml" in answer.out
    assert "candidate → active" in answer.out
    assert "backend-engineer (role): " in answer.out
    assert "  in: sniper:conv-003" in answer.out
    assert "Possible conflicts\nsniper:conv-003: Every queue consumer is not" in answer.out
    assert "\x1b" not in answer.out
    assert branch.digest() == before


def test_of_an_entry_under_the_same_title_the_lines_that_differ_are_told(branch: Shell) -> None:
    log = "# Decisions\n\n### 2026-05-01: Boards are loud\n\n- At noon\n"
    write(branch.root, {".squad/decisions.md": log})
    commit(branch.root, "fourth")
    write(branch.root, {".squad/decisions.md": f"{log}- At dusk\n"})
    commit(branch.root, "fifth")

    told = branch("diff", "HEAD~1..HEAD")
    page = branch("diff", "HEAD~1..HEAD", "--format", "markdown")

    assert "    after:  - At dusk" in told.out
    assert "before:" not in told.out
    assert "  - after: \\- At dusk" in page.out


def test_json_has_everything_and_keeps_its_schema(branch: Shell) -> None:
    document = document_of(branch("diff", "main..work", "--json"), "diff")

    assert {each["ref"] for each in document["entries"]} >= {"sniper:conv-002", "sniper:conv-003"}
    backend = next(a for a in document["agents"] if a["name"] == "backend-engineer")
    assert backend["came_in"] == ["sniper:conv-003"]
    assert backend["tokens_after"] > backend["tokens_before"]
    assert [each["ref"] for each in document["contradictions"]] == ["sniper:conv-003"]
    assert document["after"] == git(branch.root, "rev-parse", "work")
    assert (
        branch("diff", "main..work", "--format", "json").raw
        == branch("diff", "main..work", "--json").raw
    )


def test_no_text_makes_markup_of_its_own_under_a_pull_request(branch: Shell) -> None:
    out = branch("diff", "main..work", "--format", "markdown").out

    assert out.startswith("### Memory: `main..work` (")
    assert "| agent | tokens at startup | changes |" in out
    (line,) = (line for line in out.splitlines() if "Ping" in line)
    assert "@<!-- -->ada" in line
    assert "\\#<!-- -->12" in line
    assert "\\<img src=x\\>" in line
    assert "\\[a\\]\\(https:<!-- -->//x.org\\)" in line
    assert "\\`tick\\` \\|cell\\| \\*b\\*" in line
    assert "\x1b" not in out


def test_the_other_way_round_what_came_goes(branch: Shell) -> None:
    document = document_of(branch("diff", "work..main", "--json"), "diff")

    backend = next(a for a in document["agents"] if a["name"] == "backend-engineer")
    assert backend["went_out"] == ["sniper:conv-003"]
    assert document["contradictions"] == []


def test_three_dots_leave_out_what_the_other_side_did(branch: Shell) -> None:
    git(branch.root, "checkout", "-q", "main")
    write(branch.root, {HISTORY: "# Hill\n\n- Boards are loud at noon\n- Main went on\n"})
    commit(branch.root, "main goes on")

    titles = [
        [each["after"] for each in document_of(branch("diff", asked, "--json"), "diff")["entries"]]
        for asked in ("main..work", "main...work")
    ]

    assert [len(each) for each in titles] == [5, 4]


def test_one_revision_means_what_the_work_tree_has_since(branch: Shell) -> None:
    write(branch.root, {HISTORY: "# Hill\n\n- Not even committed\n"})

    document = document_of(branch("diff", "work", "--json"), "diff")

    assert document["after"] == ""
    assert "Not even committed" in {each["after"] for each in document["entries"]}


def test_only_some_agents_can_be_asked_for(branch: Shell) -> None:
    answer = branch("diff", "main..work", "--json", "--agent", "Hill", "--role", "qa-engineer")
    assert answer.code == 2
    assert "no agent or role is called `qa-engineer`" in answer.document["error"]["message"]

    document = document_of(branch("diff", "main..work", "--json", "--agent", "HILL"), "diff")

    assert [agent["name"] for agent in document["agents"]] == ["hill"]


@pytest.mark.parametrize("asked", ["nope..work", "-x", "work..", "..", "...", "a b"])
def test_a_range_that_is_none_is_an_error_with_a_way_on_or_nothing(
    branch: Shell, asked: str
) -> None:
    answer = branch("diff", "--json", "--", asked)

    if answer.code == 0:
        assert document_of(answer, "diff")["entries"] == []
    else:
        assert answer.code == 2
        assert document_of(answer, "error")["error"]["hint"]


def test_without_a_repository_or_commits_it_says_so(shop: Shell) -> None:
    assert "not a git repository" in shop("diff", "main").err
    git(shop.root, "init", "-q")

    answer = shop("diff", "main..work")

    assert answer.code == 2
    assert "no commits yet" in answer.err


def test_what_is_told_twice_is_listed_and_one_copy_is_kept(shop: Shell) -> None:
    rule = "Every queue consumer is idempotent"
    agent = "---\nname: backend-engineer\ndescription: d\n---\nMend it.\n"
    write(shop.root, {"CLAUDE.md": f"- {rule}\n", ".claude/agents/backend-engineer.md": agent})
    before = shop.bytes_of(RULES)
    (found,) = document_of(shop("duplicates", "--json"), "duplicates")["rules"]
    assert [cost["agent"] for cost in found["costs"]] == ["backend-engineer"]
    assert "backend-engineer, 2 times" in shop("duplicates").out

    shown = shop("duplicates", "--keep", "sniper:conv-001", "--dry-run")
    assert f"-- {rule}" in shown.out
    assert shop.bytes_of("CLAUDE.md") == f"- {rule}\n".encode()
    kept = shop("duplicates", "--keep", "sniper:conv-001")

    assert kept.code == 0
    assert shop.bytes_of("CLAUDE.md") == b""
    assert shop.bytes_of(RULES) == before
    assert "No duplicate rules" in shop("duplicates").out
    assert shop("told").out == shop("duplicates").out
    assert "told  " not in shop("--help").out
    assert shop("duplicates", "--keep", "conv-001").code == 0
    assert shop("undo").code == 0
    assert shop.bytes_of("CLAUDE.md") == f"- {rule}\n".encode()


def test_where_no_role_is_named_everyones_start_counts_everywhere(empty: Shell) -> None:
    write(empty.root, {"CLAUDE.md": "- Tie up early\n"})
    git(empty.root, "init", "-q", "-b", "main")
    commit(empty.root, "first")
    empty("add", "convention", "Moor at the stern")
    commit(empty.root, "second")

    told = empty("diff", "HEAD~1..HEAD").out
    (row,) = (a for a in empty("status", "--json").document["agents"] if a["name"] == "everyone")
    composed = empty("compose", "--role", "everyone", "--json").document
    why = empty("why", "conv-001", "--role", "everyone")

    assert f"everyone (role): new, {row['tokens']} tokens" in told
    assert "1 of 2 prompts differs" in told
    assert composed["tokens"] == row["tokens"]
    assert (why.code, "everyone" in why.out) == (0, True)


def test_duplicates_tell_what_is_similar_or_conflicts_too(shop: Shell) -> None:
    shop("add", "convention", "Every queue consumer writes its offset once")
    shop("add", "convention", "Every queue consumer never writes its offset once")
    write(shop.root, {"CLAUDE.md": "- Deploy on Friday\n- Never deploy on Friday\n"})

    told = shop("duplicates").out
    pairs = document_of(shop("duplicates", "--json"), "duplicates")["pairs"]

    assert "sniper:conv-003 and sniper:conv-004: possible conflict" in told
    assert "Never deploy on Friday" in told
    assert {each["relation"] for each in pairs} == {"possible conflict with"}
    assert ["sniper:conv-003", "sniper:conv-004"] in [each["refs"] for each in pairs]


def test_where_roles_are_named_nobody_is_everyone(shop: Shell) -> None:
    answer = shop("compose", "--role", "everyone")

    assert (answer.code, answer.out) == (2, "")
    assert "unknown role `everyone`" in answer.err
