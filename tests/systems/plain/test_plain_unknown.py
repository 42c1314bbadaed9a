"""What looks like memory and is read by nothing here is named, whatever tool it belongs to."""

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.systems.plain.discover import UNCONFIRMED, UNREAD


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def named(repo: Repo) -> list[str]:
    problems = [p for source in repo.library().sources for p in source.problems]
    found = [p for p in problems if p.code == UNCONFIRMED]
    return [p.message.partition(" looks")[0] for p in found]


def test_files_of_tools_without_a_layout_are_named_wherever_they_lie(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- a\n",
            "web/airules.md": "- b\n",
            ".augment-guidelines": "- c\n",
            ".trae/rules/tech.md": "- d\n",
            ".kiro/specs/shop/tasks.md": "- d\n",
            ".gemini/extensions/kit/agents/a.md": "- d\n",
            ".roo/skills/one/SKILL.md": "- e\n",
            ".roo/skills/two/SKILL.md": "- f\n",
            "kit/skills/three/SKILL.md": "- g\n",
            "web/.claude/agents/ana.md": "- h\n",
        }
    )

    assert named(repo) == [
        "`.augment-guidelines`",
        "`.gemini/extensions/kit/agents/` (1 file)",
        "`.kiro/specs/` (1 file)",
        "`.roo/skills/` (2 files)",
        "`.trae/rules/` (1 file)",
        "`kit/skills/` (1 file)",
        "`web/.claude/agents/` (1 file)",
        "`web/airules.md`",
    ]


def test_commands_and_templates_that_nobody_reads_are_not_called_memory(repo: Repo) -> None:
    names = (".github/prompts/go.prompt.md", ".opencode/command/a.md", ".opencode/command/b.md")
    repo.write(dict.fromkeys((*names, ".squad/templates/charter.md", "AGENTS.md"), "- a\n"))

    problems = [p for source in repo.library().sources for p in source.problems]
    assert named(repo) == []
    assert [each.message for each in problems if each.code == UNREAD] == [
        "`.github/prompts/` (1 file) looks like commands, which remem does not read",
        "`.opencode/command/` (2 files) looks like commands, which remem does not read",
        "`.squad/templates/` (1 file) looks like templates, which remem does not read",
    ]


def test_what_lies_beside_the_pages_of_a_log_and_logs_below_the_root_are_named(repo: Repo) -> None:
    repo.write(
        {
            ".learnings/LEARNINGS.md": "# Learnings\n",
            ".learnings/.gitkeep": "",
            ".learnings/health.json": "{}\n",
            "skills/improving/.learnings/ERRORS.md": "# Errors\n",
            "skills/improving/.learnings/LEARNINGS.md": "# Learnings\n",
        }
    )

    assert named(repo) == ["`.learnings/health.json`", "`skills/improving/.learnings/` (2 files)"]


def test_what_a_layout_reads_and_what_no_agent_reads_is_not_named(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- see @docs/a.md\n",
            "docs/a.md": "- b\n",
            ".claude/agents/deep/ana.md": "---\nname: ana\ndescription: d\n---\nYou.\n",
            ".claude/agent-memory/ana/topic.md": "- c\n",
            ".squad/agents/hill/history.md": "- d\n",
            ".squad/identity/wisdom.md": "- e\n",
            ".github/workflows/test.md": "- no agent\n",
            ".cursor/rules/web/RULE.md": "- ignored by Cursor\n",
            "src/guide.md": "- prose\n",
        }
    )
    (repo.root / "CLAUDE.md").symlink_to("AGENTS.md")

    assert named(repo) == []


def test_notes_beside_an_agents_history_are_named(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- a\n",
            ".squad/agents/hill/history.md": "- b\n",
            ".squad/agents/hill/bug-report.md": "- c\n",
        }
    )

    assert named(repo) == ["`.squad/agents/` (1 file)"]


def test_a_team_that_lies_below_the_root_is_named(repo: Repo) -> None:
    lists = ("team.md", "routing.md", "decisions.md")
    repo.write({f"tests/team/.squad/{name}": "# Team\n" for name in lists})
    repo.write({f"old/.ai-team/{name}": "# Team\n" for name in lists})
    repo.write({".squad/log/monday.md": "# Log\n", "tests/team/.squad/ceremonies.md": "# C\n"})
    repo.write({"AGENTS.md": "- a\n"})

    assert named(repo) == ["`old/.ai-team/` (3 files)", "`tests/team/.squad/` (3 files)"]


def test_the_files_of_a_folder_are_named_and_flat_skills_are_told_how_a_skill_lies(
    repo: Repo,
) -> None:
    flat = [f".claude/skills/{name}.md" for name in ("audit", "blame", "chart", "dive", "ebb")]
    files = dict.fromkeys((*flat, ".claude/skills/tide/SKILL.md", ".trae/rules/a.md"), "- Moor\n")
    files["AGENTS.md"] = "- Moor\n"

    sources = repo.write(files).library().sources

    found = [each for source in sources for each in source.problems if each.code == UNCONFIRMED]
    hints = {str(each.path): each.hint for each in found}
    assert hints[str(repo.path(".claude/skills"))] == (
        "`audit.md`, `blame.md`, `chart.md` and 2 more; tools load a skill from `NAME/SKILL.md`; "
        "`remem layout add .claude/skills` adds the folder"
    )
    assert (
        hints[str(repo.path(".trae/rules"))]
        == "`a.md`; `remem layout add .trae/rules` adds the folder"
    )
