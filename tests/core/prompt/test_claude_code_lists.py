"""What Claude Code 2.1.330 was seen to list at startup, and to load into an agent's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.persona_files import write
from tests.plain_files import Repo, layers, left

SKILLS = {
    ".claude/skills/alpha/SKILL.md": "---\nname: other\ndescription: named otherwise\n---\nB\n",
    ".claude/skills/bad/SKILL.md": "---\nname: bad\ndescription: a colon: here\n---\nB\n",
    ".claude/skills/beta/SKILL.md": "---\ndescription: >\n  two\n  lines\n---\nB\n",
    ".claude/skills/delta/SKILL.md": "# The first line\n\nMore.\n",
    ".claude/skills/deep/er/SKILL.md": "---\ndescription: too deep\n---\nB\n",
    ".claude/skills/eps/SKILL.md": "---\ndescription: E\nwhen_to_use: when asked\n---\nB\n",
    ".claude/skills/hidden/SKILL.md": (
        "---\ndescription: H\ndisable-model-invocation: true\n---\nB\n"
    ),
    ".claude/skills/typed/SKILL.md": "---\ndescription: T\npaths: '**/*.ts'\n---\nB\n",
    "web/.claude/skills/nested/SKILL.md": "---\ndescription: N\n---\nB\n",
    "~/.claude/skills/mine/SKILL.md": "---\ndescription: M\n---\nB\n",
    ".claude/commands/grp/cmd.md": "---\ndescription: C\n---\nB\n",
    "~/.claude/commands/own.md": "Do it.\n",
}
ZED = "---\nname: Zed\ndescription: last\ndisallowedTools: Write\n---\nZ\n"
AGENTS = {
    ".claude/agents/Zed.md": ZED,
    ".claude/agents/one.md": "---\nname: one\ndescription: reads\ntools: Read,Grep\n---\nO\n",
    ".claude/agents/README.md": "Not an agent.\n",
    "~/.claude/agents/mine.md": "---\nname: mine\ndescription: |\n  a\n\n  b\n---\nM\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path).write({"CLAUDE.md": "- all\n", ".git/HEAD": ""})


def test_skills_and_commands_are_listed_in_its_words_and_order(repo: Repo) -> None:
    start = repo.write(SKILLS).start("Claude Code")

    assert layers(start) == ["CLAUDE.md", "descriptions of skills"]
    assert start.layers[1].text.splitlines() == [
        "- mine: M",
        "- alpha (other): named otherwise",
        "- bad: a colon: here",
        "- beta: two lines",
        "- delta: The first line",
        "- eps: E - when asked",
        "- grp:cmd: C",
        "- own: Do it.",
    ]
    assert left(start, ".claude/skills/eps/SKILL.md").why == (
        "the agent sees only its description and decides"
    )
    assert left(start, ".claude/skills/hidden/SKILL.md").why == (
        "loaded only when someone names it"
    )


def test_skills_of_a_folder_are_listed_first_when_it_is_started_there(repo: Repo) -> None:
    lines = repo.write(SKILLS).start("Claude Code", folder="web").layers[1].text.splitlines()

    assert lines[:3] == ["- mine: M", "- nested: N", "- alpha (other): named otherwise"]


def test_skills_stand_in_the_order_of_their_folders_names(repo: Repo) -> None:
    names = ["build", "CLAUDE", "git", "git-more", "gitx"]
    text = "---\ndescription: d\n---\nB\n"
    repo.write({f".claude/skills/{name}/SKILL.md": text for name in reversed(names)})

    lines = repo.start("Claude Code").layers[1].text.splitlines()

    assert lines == [f"- {name}: d" for name in names]


def test_a_skill_for_some_files_is_listed_once_it_works_on_one(repo: Repo) -> None:
    start = repo.write(SKILLS).start("Claude Code", "a/b.ts")

    assert "- typed: T" not in start.layers[1].text
    assert [layer.text for layer in start.joined] == ["- typed: T"]
    assert ".claude/skills/typed/SKILL.md" not in layers(start)


@pytest.mark.parametrize(("length", "shown"), [(1_536, "x" * 1_536), (1_537, "x" * 1_535 + "…")])
def test_a_long_description_is_cut(repo: Repo, length: int, shown: str) -> None:
    text = f"---\ndescription: {'x' * length}\n---\nB\n"

    start = repo.write({".claude/skills/a/SKILL.md": text}).start("Claude Code")

    assert start.layers[1].text == f"- a: {shown}"


def test_many_descriptions_are_said_to_have_a_limit_that_nobody_knows_here(repo: Repo) -> None:
    few = repo.write(SKILLS).start("Claude Code")
    text = f"---\ndescription: {'x' * 1_500}\n---\nB\n"
    many = repo.write({f".claude/skills/{n}/SKILL.md": text for n in range(6)}).start("Claude Code")

    assert not any("1 %" in note for note in few.notes)
    assert any("not confirmed" in note and "1 %" in note for note in many.notes)


def test_agents_are_listed_by_name_with_their_tools_before_the_skills(repo: Repo) -> None:
    start = repo.write({**AGENTS, **SKILLS}).start("Claude Code")

    assert layers(start) == ["CLAUDE.md", "descriptions of agents", "descriptions of skills"]
    assert start.layers[1].text.split("\n") == [
        "- mine: a",
        "",
        "b",
        " (Tools: All tools)",
        "- one: reads (Tools: Read, Grep)",
        "- Zed: last (Tools: All tools except Write)",
    ]


def test_what_is_listed_is_counted_and_named_for_the_overview(repo: Repo) -> None:
    agent = repo.write({**AGENTS, **SKILLS}).agents()["Claude Code"]

    assert [file.name for file in agent.files] == ["CLAUDE.md"]
    assert [(name, number) for name, number, _ in agent.lists] == [
        ("descriptions of agents", 3),
        ("descriptions of skills", 8),
    ]
    listed = sum(tokens for _, _, tokens in agent.lists)
    assert listed > 0
    assert abs(agent.tokens - listed - sum(file.tokens for file in agent.files)) <= 3
    assert agent.around == 0


def test_skills_that_an_agent_names_are_loaded_whole_into_its_start(repo: Repo) -> None:
    named = "---\nname: pilot\ndescription: steers\nskills: [eps, hidden, gone]\n---\nSteer.\n"
    repo.write({**SKILLS, ".claude/agents/pilot.md": named})

    start = repo.start("pilot")

    assert layers(start)[0] == "agents/pilot.md"
    assert layers(start)[-1] == ".claude/skills/eps/SKILL.md"
    assert start.layers[-1].text == "B"
    assert "descriptions of skills" in layers(start)
    assert "descriptions of agents" not in layers(start)
    assert all(each.name != ".claude/skills/eps/SKILL.md" for each in start.left)
    for name in ("hidden", "gone"):
        note = f"`skills` names `{name}`: no such skill is available to agents"
        assert note in start.notes


def test_an_agent_without_the_tool_for_skills_gets_no_list_of_them(repo: Repo) -> None:
    named = "---\nname: pilot\ndescription: d\ntools: Read\nskills: eps\n---\nSteer.\n"

    start = repo.write({**SKILLS, ".claude/agents/pilot.md": named}).start("pilot")

    assert layers(start) == ["agents/pilot.md", "CLAUDE.md", ".claude/skills/eps/SKILL.md"]


@pytest.mark.parametrize(("more", "is_loaded"), [(0, True), (1, False)])
def test_a_file_of_more_than_four_mebibytes_is_not_loaded(
    repo: Repo, more: int, is_loaded: bool
) -> None:
    big = "x" * (4_194_304 - 1 + more) + "\n"

    start = repo.write({"CLAUDE.md": "- all @big.md\n", "big.md": big}).start("Claude Code")

    assert ("big.md" in layers(start)) is is_loaded
    assert is_loaded or "4,194,304 bytes" in left(start, "big.md").why


def test_agents_behind_links_are_listed_and_told_of_where_they_lie_outside(
    repo: Repo, tmp_path: Path
) -> None:
    own = "---\nname: {0}\ndescription: it is {0}\n---\nYou.\n"
    files = {
        "docs/a.md": own.format("ann"),
        "docs/b.txt": own.format("bea"),
        "docs/deep/c.md": own.format("cat"),
        ".claude/agents/team/x.md": own.format("own"),
    }
    repo.write(files)
    agents = repo.root / ".claude/agents"
    for name, to in {
        "a.md": "../../docs/a.md",
        "b.txt": "../../docs/b.txt",
        "gone.md": "none.md",
        "team/more": "../../../docs/deep",
        "team/again": "more",
        "team/up": "../..",
        "me": ".",
        "outside": f"{tmp_path}/elsewhere",
        "out.md": f"{tmp_path}/elsewhere/out.md",
    }.items():
        (agents / name).symlink_to(to)
    write(tmp_path, {"elsewhere/out.md": own.format("out")})
    write(repo.home, {"dots/dot.md": own.format("dot")})
    (repo.home / ".claude").mkdir(parents=True)
    (repo.home / ".claude/agents").symlink_to("../dots")

    start = repo.start("Claude Code")

    listed = [line.text for layer in start.layers for line in layer.lines if "it is" in line.text]
    assert [text.split(":")[0] for text in listed] == ["- ann", "- cat", "- dot", "- own"]
    assert [each for each in start.unseen if "behind the link" in each] == [
        f"agents behind the link `.claude/agents/{name}`, which remem does not follow"
        for name in ("out.md", "outside")
    ]
