"""What `remem status` tells of starts: who, what is worth a look, and how it grew."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell, document_of
from tests.history_files import grown_repository

TODAY = 20_000
"""A day in 2024: long past whenever the tests run."""


def shell_at(root: Path) -> Shell:
    return Shell(root, root.parent / "home")


def test_findings_and_growth_stand_in_the_document(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=8, until=TODAY)
    (root / "CLAUDE.md").write_text("- Ring\u202e twice\n")

    status = document_of(shell_at(root)("status", "--json"), "status")

    assert status["findings"][0]["kind"] == "hidden-characters"
    assert status["findings"][0]["worth"] == 90
    assert status["findings"][0]["line"] == 1
    growth = status["growth"]
    assert growth["points"][0]["agents"][0]["name"] == "Claude Code"
    assert growth["points"][0]["day"] < growth["points"][-1]["day"]
    assert growth["commits"] == 8
    assert growth["note"] == ""


def test_the_history_is_left_alone_where_that_is_asked(tmp_path: Path) -> None:
    root = grown_repository(tmp_path / "root", commits=3, until=TODAY)

    status = document_of(shell_at(root)("status", "--json", "--no-growth"), "status")

    assert status["growth"] is None


def test_an_agent_whose_tokenizer_is_not_public_is_no_exact_count(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text("- Ring twice\n")

    answer = shell_at(root)("status")

    assert "≈" in next(line for line in answer.out.splitlines() if "CLAUDE.md" in line)


def test_findings_are_printed_with_their_place_and_no_terminal_obeys_them(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text("# Rules\n\n- Ring\x1b[2J twice\n")

    answer = shell_at(root)("status")

    assert "Needs attention" in answer.out
    assert "CLAUDE.md:3" in answer.out
    assert "\x1b" not in answer.out
    assert "this is not a git repository" in answer.out


def test_a_start_without_files_says_of_what_it_is_a_list(tmp_path: Path) -> None:
    skill = tmp_path / "root" / ".claude" / "skills" / "forge" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: forge\ndescription: it forges\n---\n\nForge.\n")

    assert "the list of 1 skill" in shell_at(tmp_path / "root")("status").out


def test_where_files_of_a_start_are_cut_it_says_what_lists_all(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text("".join(f"@docs/m{at}.md\n" for at in range(9)))
    (root / "docs").mkdir()
    for at in range(9):
        (root / f"docs/m{at}.md").write_text(f"- Ring {at} times\n")
    hint = "FROM: the first 8 files; `remem status --json` lists all"

    assert "and 2 more files" in shell_at(root)("status").out
    assert hint in shell_at(root)("status").out
    files = document_of(shell_at(root)("status", "--json"), "status")["agents"][0]["files"]
    assert len(files) == 10
    (root / "CLAUDE.md").write_text("@docs/m1.md\n")
    assert hint not in shell_at(root)("status").out


def test_comments_that_a_tool_removes_stand_in_no_column_of_what_is_never_loaded(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "CLAUDE.md").write_text("<!-- for those who keep this file -->\n\n- Ring twice\n")

    answer = shell_at(root)("status")

    (row,) = [each for each in answer.out.splitlines() if each.startswith("Claude Code\t")]
    assert row.split("\t")[3] == ""
