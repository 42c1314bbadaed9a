"""Under which names tools list skills, and which one of several that are called alike.

What is expected here was seen of the tools themselves on 2026-11-28, given these very files: Claude
Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33, Continue 1.5.47.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.plain_files import Repo, left

HEAD = "---\nname: {name}\ndescription: {says}\n---\n\nBody.\n"


def skill(name: str, says: str = "It does.") -> str:
    return HEAD.format(name=name, says=says)


def odd_names(folder: str) -> dict[str, str]:
    return {
        f"{folder}/skills/renamed/SKILL.md": skill("another"),
        f"{folder}/skills/plain/SKILL.md": skill("plain"),
        f"{folder}/skills/quoted/SKILL.md": skill('"in quotes"'),
        f"{folder}/skills/caps/SKILL.md": skill("With Space"),
        f"{folder}/skills/num/SKILL.md": skill("7"),
        f"{folder}/skills/noname/SKILL.md": "---\ndescription: It does.\n---\n\nBody.\n",
        "AGENTS.md": "# Rules\n\n- Be kind.\n",
    }


def listed(repo: Repo, tool: str, folder: str = "") -> list[str]:
    layers = repo.start(tool, folder=folder).layers
    of_skills = [layer for layer in layers if layer.name == "descriptions of skills"]
    return [line.text for layer in of_skills for line in layer.lines]


@pytest.mark.parametrize(
    ("tool", "folder", "names"),
    [
        (
            "Claude Code",
            ".claude",
            ("caps", "noname", "num (7)", "plain", "quoted", "renamed (another)"),
        ),
        ("Codex", ".agents", ("7", "With Space", "another", "in quotes", "noname", "plain")),
        ("Gemini CLI", ".gemini", ("another", "in quotes", "plain", "7", "With Space")),
        ("Qwen Code", ".qwen", ("7", "another", "plain")),
        ("OpenCode", ".opencode", ("another", "in quotes", "plain", "With Space")),
    ],
)
def test_a_skill_is_listed_under_the_name_that_its_tool_takes(
    tool: str, folder: str, names: Sequence[str], tmp_path: Path
) -> None:
    repo = Repo(tmp_path).write(odd_names(folder))

    assert listed(repo, tool) == [f"- {name}: It does." for name in names]


def test_continue_lists_texts_alone_and_all_that_are_called_alike(tmp_path: Path) -> None:
    both = {".claude/skills/again/SKILL.md": skill("plain", "It does otherwise.")}
    repo = Repo(tmp_path).write(odd_names(".continue") | both)

    assert sorted(listed(repo, "Continue")) == [
        "- With Space: It does.",
        "- another: It does.",
        "- in quotes: It does.",
        "- plain: It does otherwise.",
        "- plain: It does.",
    ]


@pytest.mark.parametrize("name", ["a/b", "plugin:skill", 'a"b', "a|b", "a<b"])
def test_gemini_puts_a_dash_for_what_no_file_can_be_called(name: str, tmp_path: Path) -> None:
    repo = Repo(tmp_path).write({".gemini/skills/odd/SKILL.md": skill(f"'{name}'")})

    (line,) = listed(repo, "Gemini CLI")

    assert line == f"- {'plugin-skill' if ':' in name else 'a-b'}: It does."


def test_gemini_lists_the_last_one_of_a_name_where_the_first_one_stood(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(
        {
            ".gemini/skills/same/SKILL.md": skill("same", "Its own."),
            ".gemini/skills/other/SKILL.md": skill("other", "Another."),
            ".agents/skills/same/SKILL.md": skill("same", "Shared."),
            "~/.agents/skills/same/SKILL.md": skill("same", "A person's."),
        }
    )

    assert listed(repo, "Gemini CLI") == ["- same: Shared.", "- other: Another."]
    why = left(repo.start("Gemini CLI"), ".gemini/skills/same/SKILL.md").why
    assert why == "another one is called alike, and is listed in its place"


def test_which_of_two_skills_opencode_lists_is_said_to_be_chance(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(
        {
            ".claude/skills/same/SKILL.md": skill("same", "Its own."),
            ".agents/skills/same/SKILL.md": skill("same", "Shared."),
            ".claude/skills/twin/SKILL.md": skill("twin"),
            ".agents/skills/twin/SKILL.md": skill("twin"),
        }
    )

    (note,) = (each for each in repo.start("OpenCode").notes if "alike" in each)

    assert note == (
        "not confirmed: `.agents/skills/same/SKILL.md` and `.claude/skills/same/SKILL.md` are "
        "called alike; "
        "OpenCode reads both at once and lists the one that it is done with last"
    )


def test_many_skills_that_are_called_alike_are_told_in_one_note(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write(
        {
            f"{folder}/skills/{name}/SKILL.md": skill(name, f"As {folder} says.")
            for folder in (".claude", ".agents")
            for name in ("a", "b", "c")
        }
    )

    (note,) = (each for each in repo.start("OpenCode").notes if "alike" in each)

    assert "`.claude/skills/a/SKILL.md`, and 2 more pairs, are called alike" in note


def test_commands_and_agents_stand_in_the_order_of_their_names(tmp_path: Path) -> None:
    names = ("zeta", "a_b", "a-b", "Ab", "aa", "a.b", "a1", "a", "aa-b")
    repo = Repo(tmp_path).write(
        {f".claude/commands/{name}.md": "---\ndescription: It does.\n---\n" for name in names}
        | {f".claude/agents/{name}.md": skill(name) for name in names}
        | {"CLAUDE.md": "# Rules\n\n- Be kind.\n"}
    )
    ordered = ["a", "a_b", "a-b", "a.b", "a1", "aa", "aa-b", "Ab", "zeta"]

    assert listed(repo, "Claude Code") == [f"- {name}: It does." for name in ordered]
    agents = next(x for x in repo.start("Claude Code").layers if x.name == "descriptions of agents")
    assert [
        line.text.partition(":")[0].strip("- ") for line in agents.lines if line.text
    ] == ordered


def test_qwen_lists_no_skill_that_is_for_a_person_alone(tmp_path: Path) -> None:
    hidden = skill("hidden", "It does.\ndisable-model-invocation: true")
    repo = Repo(tmp_path).write(
        {".qwen/skills/hidden/SKILL.md": hidden, ".qwen/skills/open/SKILL.md": skill("open")}
    )

    assert listed(repo, "Qwen Code") == ["- open: It does."]


def test_a_name_of_more_than_64_characters_is_none_to_codex(tmp_path: Path) -> None:
    files = {f".agents/skills/s{n}/SKILL.md": skill("x" * n) for n in (64, 65)}
    repo = Repo(tmp_path).write(files)

    assert listed(repo, "Codex") == [f"- {'x' * 64}: It does."]
    assert left(repo.start("Codex"), ".agents/skills/s65/SKILL.md").why == (
        "its name has more than 64 characters"
    )
