"""What tools remember by themselves in the home folder: Codex's memories, notes of work trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import SLUG, Repo

from remem.systems.plain.twins import issues

SUMMARY = {
    "AGENTS.md": "- a\n",
    "~/.codex/memories/memory_summary.md": "v1\n\n- Prefers pnpm.\n",
    "~/.codex/memories/MEMORY.md": "# Tasks\n\n- Build with pnpm.\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


@pytest.mark.parametrize(
    ("settings", "is_loaded"),
    [
        ("", False),
        ("[features]\nmemories = true\n", True),
        ("[features]\nmemories = true\n[memories]\nuse_memories = false\n", False),
    ],
)
def test_codex_starts_with_the_summary_of_its_memories_where_they_are_on(
    repo: Repo, settings: str, is_loaded: bool
) -> None:
    repo.write({**SUMMARY, "~/.codex/config.toml": settings})

    start = repo.start("Codex")

    assert ("Prefers pnpm." in start.text) is is_loaded
    assert "Build with pnpm." not in start.text


def test_a_summary_of_more_than_its_cut_is_named(repo: Repo) -> None:
    repo.write({"~/.codex/memories/memory_summary.md": "- Prefers pnpm.\n" * 2_000})

    (problem,) = repo.source("~/.codex/memories/memory_summary.md").problems

    assert "20,000" in problem.message


def test_hermes_starts_with_both_files(repo: Repo) -> None:
    repo.write({"~/.hermes/memories/MEMORY.md": "One.\n§\nTwo.", "~/.hermes/memories/USER.md": "U"})

    start = repo.start("Hermes")

    assert "One.\n§\nTwo." in start.text
    assert start.text.index("Two.") < start.text.index("U")


def test_notes_of_a_work_tree_are_told_with_what_stands_there_alone(repo: Repo) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            ".git/worktrees/wt/gitdir": "../../../../shop-wt/.git\n",
            f"~/.claude/projects/{SLUG}/memory/MEMORY.md": "- Use tabs.\n- Use pnpm.\n",
            f"~/.claude/projects/{SLUG}-wt/memory/MEMORY.md": "- Use tabs.\n- Use ruff.\n",
            f"~/.claude/projects/{SLUG}-other/memory/MEMORY.md": "- Not ours.\n",
        }
    )

    (issue,) = issues(repo.library())

    assert "1 of 2 entries stand there alone" in issue.problem.message
    assert "Use ruff." not in repo.start("Claude Code").text
