"""A start as one sum: its rows add up exactly, and what nobody counts has no number."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.prompt.test_claude_code_lists import AGENTS, SKILLS
from tests.plain_files import Repo

from remem.core.prompt.counter import Counter, Estimate
from remem.core.prompt.start_sum import RowKind, SumRow, sum_rows
from remem.model.prompt import Ask, Layer, Line, Prompt

FILES = {
    ".git/HEAD": "",
    "CLAUDE.md": "- one\n\n@docs/more.md\n",
    "docs/more.md": "- more\n",
    "AGENTS.md": "- agents\n",
    "GEMINI.md": "before\n@docs/more.md\nafter\n",
    ".github/copilot-instructions.md": "- all\n",
    ".serena/memories/one.md": "x\n",
    ".serena/memories/two.md": "y\n",
    ".serena/project.yml": "name: shop\n",
    ".claude/settings.json": (
        '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo hi"}]}]}}'
    ),
    **SKILLS,
    **AGENTS,
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path).write(FILES)


def rows_of(prompt: Prompt, counter: Counter) -> tuple[SumRow, ...]:
    return sum_rows(prompt, counter)


def test_the_rows_of_every_start_add_up_to_its_tokens(repo: Repo) -> None:
    names = [*repo.agents()]
    assert {"Claude Code", "Gemini CLI", "Serena", "one"} <= {*names}

    for name in names:
        for files in ((), ("web/a.ts", "docs/x.py")):
            prompt = repo.start(name, *files)
            rows = rows_of(prompt, Estimate())
            assert sum(row.tokens or 0 for row in rows) == prompt.tokens, name


def test_the_rows_add_up_with_the_real_tokenizer_too(repo: Repo, counter: Counter) -> None:
    from remem.model.prompt import Ask
    from remem.systems.loading.loading_agents import as_loaded

    library = repo.library()
    for name in repo.agents():
        prompt = as_loaded(library.ground, library.sources, Ask(agent=name), counter)
        rows = rows_of(prompt, counter)
        assert sum(row.tokens or 0 for row in rows) == prompt.tokens, name
        assert all(row.tokens is None or row.tokens > 0 for row in rows), name


def test_layers_have_the_tokens_that_the_prompt_says_and_joins_a_row_of_their_own() -> None:
    rules = Layer("Rules", (Line("- abcd", 2),), tokens=2)
    facts = Layer("Facts", (Line("- efgh", 2),), tokens=2, gap=1)
    joined = Prompt(Ask(role="x"), "o200k", True, (rules, facts), tokens=5)
    alone = Prompt(Ask(role="x"), "o200k", True, (rules,), tokens=2)

    rows = rows_of(joined, Estimate())
    assert [(row.kind.value, row.name, row.tokens) for row in rows] == [
        ("layer", "Rules", 2),
        ("layer", "Facts", 2),
        ("between", "between layers", 1),
    ]
    assert [row.name for row in rows_of(alone, Estimate())] == ["Rules"]


def test_what_start_shows_of_an_agent_adds_up_too(repo: Repo) -> None:
    for agent in repo.agents().values():
        files = sum(file.tokens for file in agent.files)
        lists = sum(tokens for _, _, tokens in agent.lists)
        assert files + lists + agent.around == agent.tokens, agent.name


def test_files_descriptions_hooks_and_what_is_unknown_have_a_row_each(repo: Repo) -> None:
    rows = rows_of(repo.start("Claude Code"), Estimate())

    by_kind: dict[RowKind, list[SumRow]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row)
    assert [row.name for row in by_kind[RowKind.FILE]] == ["CLAUDE.md", "docs/more.md"]
    assert ("alpha", "other") in {(row.name, row.also) for row in by_kind[RowKind.SKILL]}
    assert [row.name for row in by_kind[RowKind.AGENT]] == ["mine", "one", "Zed"]
    assert "`echo hi`" in by_kind[RowKind.HOOK][0].name
    words = " ".join(row.name for row in by_kind[RowKind.UNKNOWN])
    assert "adds around the files" in words
    assert all(row.tokens is None for k in (RowKind.HOOK, RowKind.UNKNOWN) for row in by_kind[k])


def test_a_file_that_is_loaded_in_parts_has_one_row(repo: Repo) -> None:
    rows = rows_of(repo.start("Gemini CLI"), Estimate())

    assert [row.name for row in rows if row.kind is RowKind.FILE] == ["GEMINI.md", "docs/more.md"]


def test_a_skill_that_an_agent_is_given_whole_and_listed_counts_twice_and_adds_up(
    tmp_path: Path,
) -> None:
    repo = Repo(tmp_path).write(
        {
            "CLAUDE.md": "- all\n",
            ".claude/skills/own/SKILL.md": "---\ndescription: D\n---\nBody of it\n",
            ".claude/agents/kim.md": "---\nname: kim\ndescription: d\nskills: own\n---\nK\n",
        }
    )
    prompt = repo.start("kim", layout="claude-project")

    rows = rows_of(prompt, Estimate())
    assert sum(row.tokens or 0 for row in rows) == prompt.tokens
    kim = repo.agents()["kim"]
    files = sum(file.tokens for file in kim.files)
    assert files + sum(tokens for _, _, tokens in kim.lists) + kim.around == kim.tokens
