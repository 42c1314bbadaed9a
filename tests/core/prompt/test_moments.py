"""What joins an agent while it works, in which order and why.

The first case is what Claude Code 2.1.330 was seen to send: a stub of the model asked it to read
`src/api/a.py`, then `src/api/deep/b.ts`.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.plain_files import Repo, layers

SEEN = {
    ".git/HEAD": "",
    "CLAUDE.md": "top\n",
    "src/CLAUDE.md": "src\n",
    "src/.claude/CLAUDE.md": "src dot\n",
    "src/CLAUDE.local.md": "src local\n",
    "src/.claude/rules/always.md": "always\n",
    "src/.claude/rules/aa.md": "---\npaths: '**/*.py'\n---\nnested py\n",
    "src/api/CLAUDE.md": "api @imp.md\n",
    "src/api/imp.md": "imported\n",
    "src/api/deep/AGENTS.md": "deep\n",
    "src/api/.claude/skills/inner/SKILL.md": "---\ndescription: inner\n---\nB\n",
    ".claude/skills/pathy/SKILL.md": "---\ndescription: pathy\npaths: '**/*.py'\n---\nB\n",
    ".claude/skills/plain/SKILL.md": "---\ndescription: plain\n---\nB\n",
    ".claude/rules/py.md": "---\npaths: 'src/**/*.py'\n---\npy\n",
    ".claude/rules/ts.md": "---\npaths: '**/*.ts'\n---\nts\n",
    "~/.claude/rules/upy.md": "---\npaths: '**/*.py'\n---\nuser py\n",
}
AT_START = ["CLAUDE.md", "descriptions of skills"]
BY_PYTHON = [
    "~/.claude/rules/upy.md",
    "src/CLAUDE.md",
    "src/.claude/CLAUDE.md",
    "src/CLAUDE.local.md",
    "src/.claude/rules/always.md",
    "src/.claude/rules/aa.md",
    "src/api/CLAUDE.md",
    "src/api/imp.md",
    ".claude/rules/py.md",
]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_what_joins_claude_code_stands_in_the_order_in_which_it_was_seen(repo: Repo) -> None:
    repo.write(SEEN)

    start = repo.start("Claude Code")
    one = repo.start("Claude Code", "src/api/a.py")
    two = repo.start("Claude Code", "src/api/a.py", "src/api/deep/b.ts")

    assert layers(start) == AT_START
    listed = ["descriptions of skills"] * 2
    assert layers(one) == [*AT_START, *BY_PYTHON, *listed]
    assert [each.text for each in one.layers[-2:]] == ["- inner: inner", "- pathy: pathy"]
    assert layers(two) == [*AT_START, *BY_PYTHON, ".claude/rules/ts.md", *listed]


def test_each_part_says_by_which_file_it_joins_and_why(repo: Repo) -> None:
    prompt = repo.write(SEEN).start("Claude Code", "src/api/a.py")

    why = {each.name: each.joins.why for each in prompt.layers if each.joins}
    assert {each.joins.file for each in prompt.layers if each.joins} == {"src/api/a.py"}
    below = "the agent works on `src/api/a.py`, below `src/api/`"
    assert why["src/api/CLAUDE.md"] == below
    assert why["src/api/imp.md"] == f"`src/api/CLAUDE.md` imports it, and {below}"
    assert why[".claude/rules/py.md"] == (
        "the agent works on `src/api/a.py`, which `src/**/*.py` matches"
    )


def test_later_moments_have_all_of_those_before_and_the_same_start(repo: Repo) -> None:
    repo.write(SEEN)
    files = ("src/api/deep/b.ts", "src/x.py", "src/api/a.py", "README.md")

    moments = [repo.start("Claude Code", *files[:most]) for most in range(len(files) + 1)]

    for before, after in pairwise(moments):
        assert set(layers(before)) <= set(layers(after))
        assert {x.name for x in before.joined} <= {x.name for x in after.joined}
        assert before.tokens <= after.tokens
        assert layers(after)[: len(AT_START)] == AT_START
    assert layers(moments[-1]) == layers(moments[-2])


def test_what_joins_each_tool_is_confirmed_or_said_not_to_be(repo: Repo) -> None:
    repo.write(
        {
            ".cursor/rules/css.mdc": "---\nglobs: '*.css'\n---\ncolours\n",
            ".github/copilot-instructions.md": "all\n",
            ".github/instructions/css.instructions.md": "---\napplyTo: '**/*.css'\n---\ncss\n",
            "GEMINI.md": "g\n",
            "web/GEMINI.md": "web\n",
            "AGENTS.md": "agents\n",
            "web/AGENTS.md": "web agents\n",
            ".git/HEAD": "",
        }
    )

    def joined(agent: str) -> dict[str, bool]:
        prompt = repo.start(agent, "web/a.css")
        return {each.name: each.joins.is_confirmed for each in prompt.joined if each.joins}

    assert joined("Gemini CLI") == {"web/GEMINI.md": True}
    assert joined("Cursor") == {".cursor/rules/css.mdc": True, "web/AGENTS.md": False}
    copilot = joined("GitHub Copilot")
    assert copilot["web/AGENTS.md"]
    assert copilot[".github/instructions/css.instructions.md"]
    assert joined("Codex") == {}
    assert any("web/AGENTS.md" in note for note in repo.start("Cursor", "web/a.css").notes)


def test_a_note_that_an_agent_opens_joins_whole(repo: Repo) -> None:
    topic = "~/.claude/projects/{slug}/memory/topic.md"
    index = "~/.claude/projects/{slug}/memory/MEMORY.md"
    repo.write({"CLAUDE.md": "top\n", topic: "what was learnt\n", index: "- see topic\n"})

    prompt = repo.start("Claude Code", str(repo.path(topic)))

    assert prompt.joined[-1].text == "what was learnt"
    assert prompt.joined[-1].joins is not None
    assert prompt.joined[-1].joins.why == "the agent opens it"


def test_a_folders_own_agents_md_below_joins_where_no_claude_md_is(repo: Repo) -> None:
    repo.write({"AGENTS.md": "a\n", "src/AGENTS.md": "b\n", "src/.claude/AGENTS.md": "c\n"})
    repo.write({".git/HEAD": ""})

    prompt = repo.start("Claude Code", "src/a.py")

    assert layers(prompt) == ["AGENTS.md", "src/AGENTS.md", "src/.claude/AGENTS.md"]


def test_the_tokens_of_a_start_are_those_of_its_parts(repo: Repo) -> None:
    prompt = repo.write(SEEN).start("Claude Code", "src/api/a.py")

    assert prompt.tokens == sum(layer.tokens for layer in prompt.layers)
