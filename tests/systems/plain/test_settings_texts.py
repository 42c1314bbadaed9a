"""Settings that a tool cannot take, and what those that it takes keep back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.checks.issues import issues
from remem.model.loader import STOPS
from remem.systems.plain.tools.settings_texts import LEFT_ASIDE

SKILL = "---\nname: dock\ndescription: How to dock.\n---\n\nDock.\n"
LISTS = "descriptions of skills"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_settings_with_one_wrong_value_say_nothing_and_health_tells_why(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "- Dock.\n",
            ".claude/skills/dock/SKILL.md": SKILL,
            ".claude/settings.json": '{"permissions": {"deny": ["Skill"]},\n"model": 5}\n',
        }
    )

    start = repo.start("Claude Code")
    told = [each for each in issues(repo.library()) if each.problem.code == LEFT_ASIDE]

    assert LISTS in [layer.name for layer in start.layers]
    said = (
        "Claude Code leaves `.claude/settings.json` aside, with all that it says: `model` is `5`, "
        "and it takes a text"
    )
    assert f"{said} (line 2); correct it" in start.notes
    assert [(each.problem.message, each.problem.line) for each in told] == [(said, 2)]


def test_settings_that_cannot_be_read_keep_gemini_cli_from_starting(repo: Repo) -> None:
    repo.write({"GEMINI.md": "- Dock.\n", ".gemini/settings.json": '{"context": {},}\n'})

    start = repo.start("Gemini CLI")

    assert not start.layers
    assert STOPS in [each.problem.code for each in issues(repo.library())]


def test_a_skill_that_settings_turn_off_is_left_with_the_key_that_says_so(repo: Repo) -> None:
    repo.write(
        {
            "GEMINI.md": "- Dock.\n",
            ".gemini/skills/dock/SKILL.md": SKILL,
            ".gemini/settings.json": json.dumps({"skills": {"disabled": ["Dock"]}}),
        }
    )

    start = repo.start("Gemini CLI")

    assert [layer.name for layer in start.layers] == ["GEMINI.md"]
    assert [each.why for each in start.left] == [
        "`skills.disabled` in `.gemini/settings.json` names it"
    ]


def test_a_prompt_that_is_a_link_out_of_the_project_is_named_and_not_read(repo: Repo) -> None:
    outside = repo.root.parent / "secret.md"
    outside.write_text("Out of the house.\n")
    repo.write({"GEMINI.md": "- Dock.\n", ".env": "GEMINI_SYSTEM_MD=sys.md\n"})
    (repo.root / "sys.md").symlink_to(outside)

    start = repo.start("Gemini CLI")

    assert [layer.name for layer in start.layers] == ["GEMINI.md"]
    assert any("GEMINI_SYSTEM_MD" in each for each in start.unseen)
