"""What tools remember by themselves in the home folder: Codex's memories, notes of work trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import SLUG, Repo, left

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

    assert "only the first and last 5,000 bytes are loaded" in problem.message


def test_of_a_long_summary_codex_gets_both_ends(repo: Repo) -> None:
    lines = [f"- Fact {number:04d} of the harbour.\n" for number in range(1_000)]
    config = "[features]\nmemories = true\n"
    name = "~/.codex/memories/memory_summary.md"
    repo.write({"AGENTS.md": "- a\n", name: "".join(lines), "~/.codex/config.toml": config})

    start = repo.start("Codex")

    (layer,) = [each for each in start.layers if each.name == name]
    text = "\n".join(line.text for line in layer.lines)
    size = len(lines[0])
    assert [lines[at].strip() in text for at in (0, 5_000 // size - 1, -1)] == [True, True, True]
    assert lines[5_000 // size].strip() not in text
    assert lines[500].strip() not in text
    cut = left(start, name)
    assert cut.why == "the agent loads only the first and last 5,000 bytes"
    entries = {e.title: e.ref for e in repo.source(name).entries}
    out = {verdict.ref for verdict in start.verdicts if verdict.reason is not None}
    assert entries["Fact 0500 of the harbour."] in out
    assert entries["Fact 0999 of the harbour."] not in out


def test_hermes_starts_with_both_files(repo: Repo) -> None:
    repo.write({"~/.hermes/memories/MEMORY.md": "One.\n§\nTwo.", "~/.hermes/memories/USER.md": "U"})

    start = repo.start("Hermes")

    assert "One.\n§\nTwo." in start.text
    assert start.text.index("Two.") < start.text.index("U")


def test_hermes_takes_one_kind_of_instructions_and_says_which_file_keeps_another_out(
    repo: Repo,
) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "HERMES.md": "---\nmodel: x\n---\n\nFrom the root.\n",
            "web/.hermes.md": "From the web.\n",
            "web/HERMES.md": "Beside it.\n",
            "AGENTS.md": "For all.\n",
        }
    )

    starts = {folder: repo.start("Hermes", folder=folder) for folder in ("", "web")}

    assert {folder: start.text for folder, start in starts.items()} == {
        "": "From the root.",
        "web": "From the web.",
    }
    assert left(starts["web"], "HERMES.md").why == "Hermes takes `web/.hermes.md`, which is nearer"
    assert left(starts[""], "AGENTS.md").why == "Hermes ignores it because `HERMES.md` exists"


def test_hermes_chains_agents_files_from_the_top_of_the_checkout_alone(repo: Repo) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "../AGENTS.md": "Above.\n",
            "AGENTS.md": "For all.\n",
            "web/AGENTS.override.md": "My own.\n",
            "web/AGENTS.md": "Of the web.\n",
            "web/CLAUDE.md": "Never.\n",
        }
    )

    assert repo.start("Hermes", folder="web").text.split("\n\n") == ["For all.", "My own."]


def test_of_a_folder_that_hermes_comes_to_it_takes_the_first_kind_whatever_it_began_with(
    repo: Repo,
) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "HERMES.md": "From the root.\n",
            "AGENTS.md": "Never.\n",
            "web/AGENTS.md": "Of the web.\n",
            "web/CLAUDE.md": "Never, beside it.\n",
            "web/low/CLAUDE.md": "Of the low.\n",
            "web/low/.cursorrules": "Never, beside it.\n",
            "docs/.cursorrules": "Of the docs.\n",
        }
    )

    start = repo.start("Hermes", "web/low/a.py", "docs/b.md")

    said = ["From the root.", "Of the web.", "Of the low.", "Of the docs."]
    assert start.text.split("\n\n") == said
    assert left(repo.start("Hermes"), "web/AGENTS.md").why == (
        "loaded only when the agent works on a file in `web/`"
    )


def test_a_file_that_a_tool_does_not_look_into_keeps_nothing_out(repo: Repo) -> None:
    repo.write(
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "../AGENTS.md": "Above.\n",
            ".hermes.md": "\n",
            "HERMES.md": "Behind an empty one.\n",
            "CLAUDE.md": "Taken.\n",
        }
    )

    assert repo.start("Hermes").text == "Taken."


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
