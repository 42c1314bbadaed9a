"""Repositories that git cannot read, and more of everything than anybody has."""

import subprocess
from pathlib import Path

import pytest
from tests.plain_files import Repo, layers, left


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def git(root: Path, *arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=root, check=True, capture_output=True)


def test_a_repository_whose_index_is_broken_is_read_as_a_folder(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- a\n", ".claude/rules/b.md": "- b\n", "web/CLAUDE.md": "- c\n"})
    git(repo.root, "init", "-q")
    (repo.root / ".git" / "index").write_bytes(b"DIRC\0\0no index at all")

    assert layers(repo.start("Claude Code")) == ["CLAUDE.md", ".claude/rules/b.md"]
    assert "web/CLAUDE.md" in repo.names()


def test_a_bare_repository_with_files_beside_it_is_read_as_a_folder(repo: Repo) -> None:
    git(repo.root, "init", "-q", "--bare")
    repo.write({"CLAUDE.md": "- a\n", "AGENTS.md": "- b\n"})

    assert layers(repo.start("Claude Code")) == ["CLAUDE.md"]
    assert layers(repo.start("Codex")) == ["AGENTS.md"]


@pytest.mark.slow
def test_a_file_of_two_megabytes_is_whole_for_one_tool_and_cut_for_another(repo: Repo) -> None:
    text = "- words and words and more of them\n" * 60_000
    repo.write({"CLAUDE.md": "- own\n", "AGENTS.md": text})

    codex = repo.start("Codex")
    gemini = repo.write({"GEMINI.md": text}).start("Gemini CLI")

    assert len(text) > 2_000_000
    assert len("\n".join(line.text for line in codex.layers[0].lines)) <= 32_768
    assert "from" in left(codex, "AGENTS.md").part
    assert len(gemini.layers[0].lines) == 60_000


@pytest.mark.slow
def test_a_thousand_agents_are_all_there_and_listed(repo: Repo) -> None:
    repo.write(
        {
            f".claude/agents/a{at:04d}.md": f"---\nname: a{at:04d}\ndescription: d\n---\nYou.\n"
            for at in range(1_000)
        }
    )

    (listed,) = repo.start("Claude Code").layers

    assert len(listed.lines) == 1_000
    assert sum(name.startswith("a0") for name in repo.agents()) == 1_000


def test_agents_files_below_the_root_alone_name_no_tool_that_starts_with_nothing(
    tmp_path: Path,
) -> None:
    below = Repo(tmp_path / "below").write({"web/AGENTS.md": "- a\n"})
    above = Repo(tmp_path / "above").write({"web/AGENTS.md": "- a\n", "AGENTS.md": "- b\n"})

    assert {*below.agents()} == {"Codex", "Kiro"}
    assert {"Codex", "Kiro", "Cursor", "Zed"} < {*above.agents()}
