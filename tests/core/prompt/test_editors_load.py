"""What editors load: as Copilot 1.0.102 was seen to, and as the pages of the others say."""

from pathlib import Path

import pytest
from tests.plain_files import Repo, layers, left

from remem.core.prompt.counter import Estimate
from remem.core.prompt.start_sum import RowKind, sum_rows


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def applies(globs: str, text: str) -> str:
    return f'---\napplyTo: "{globs}"\n---\n- {text}\n'


def test_copilot_loads_its_own_then_everyones_then_the_rules_for_all_files(repo: Repo) -> None:
    repo.write(
        {
            ".github/copilot-instructions.md": "- own\n",
            "AGENTS.md": "- agents\n",
            "CLAUDE.md": "- claude\n",
            ".claude/CLAUDE.md": "- hidden\n",
            "GEMINI.md": "- gemini\n",
            ".github/instructions/a.instructions.md": applies("**", "all"),
            ".github/instructions/py.instructions.md": applies("**/*.py", "python"),
            ".github/instructions/z.instructions.md": "- whenever\n",
            "~/.copilot/copilot-instructions.md": "- me\n",
            "~/.copilot/instructions/m.instructions.md": applies("**", "mine"),
        }
    )

    start, typing = repo.start("GitHub Copilot"), repo.start("GitHub Copilot", "src/a.py")

    assert [line.strip("- ") for line in start.text.splitlines() if line.startswith("- ")] == [
        "me", "own", "agents", "claude", "gemini", "mine", "all", "whenever"
    ]  # fmt: skip
    assert left(start, ".github/instructions/py.instructions.md").why == (
        "loaded only when the agent works on `**/*.py`"
    )
    assert layers(typing)[-1] == ".github/instructions/py.instructions.md"


@pytest.mark.parametrize("globs", ["**", "**/*", "*"])
def test_instructions_for_every_file_are_there_at_copilots_start_with_their_front_matter(
    repo: Repo, globs: str
) -> None:
    repo.write({".github/instructions/a.instructions.md": applies(globs, "all")})

    assert repo.start("copilot").text == applies(globs, "all").rstrip()


@pytest.mark.parametrize("globs", ["**,src/**", "src/**", "**/**"])
def test_other_instructions_wait_for_their_files(repo: Repo, globs: str) -> None:
    repo.write({".github/instructions/a.instructions.md": applies(globs, "some")})

    assert layers(repo.start("copilot")) == ["descriptions of rules"]


def test_copilots_rules_for_some_files_stand_in_a_table_at_its_start(repo: Repo) -> None:
    def rule(globs: str, described: str) -> str:
        return f"---\ndescription: {described}\napplyTo: '{globs}'\n---\n- rule\n"

    repo.write(
        {
            ".github/copilot-instructions.md": "- own\n",
            ".github/instructions/py.instructions.md": rule("**/*.py,b/*.pyi", "When | you write"),
            ".github/instructions/untold.instructions.md": applies("docs/**", "docs"),
            ".claude/rules/web.md": "---\ndescription: Web\npaths: web/**\n---\n- web\n",
            "web/.github/instructions/css.instructions.md": rule("**/*.css", "Below"),
        }
    )

    top, web = repo.start("copilot"), repo.start("copilot", folder="web")

    table = next(each for each in top.layers if each.name == "descriptions of rules")
    rows = [
        "| **/*.py, b/*.pyi | '.github/instructions/py.instructions.md' | When \\| you write |",
        "| docs/** | '.github/instructions/untold.instructions.md' |  |",
        "| web/** | '.claude/rules/web.md' | Web |",
    ]
    assert [line.text for line in table.lines] == rows
    assert table.joins is None
    below = "| **/*.css | '.github/instructions/css.instructions.md' | Below |"
    assert [below in each.text for each in (top, web)] == [False, True]
    counted = [row for row in sum_rows(top, Estimate()) if row.kind is RowKind.RULE]
    assert [row.name for row in counted] == [
        ".github/instructions/py.instructions.md",
        ".github/instructions/untold.instructions.md",
        ".claude/rules/web.md",
    ]
    assert sum(row.tokens or 0 for row in counted) == table.tokens


def test_copilot_takes_the_top_and_the_working_folder_before_those_between(repo: Repo) -> None:
    (repo.root / ".git").mkdir()
    repo.write(
        {
            "AGENTS.md": "- root\n",
            "a/AGENTS.md": "- a\n",
            "a/b/AGENTS.md": "- b\n",
            "a/b/c/AGENTS.md": "- c\n",
            "a/.github/copilot-instructions.md": "- own of a\n",
        }
    )

    start = repo.start("copilot", folder="a/b")

    assert start.text == "- root\n\n- b\n\n- own of a\n\n- a"
    assert "works on a file in `a/b/c/`" in left(start, "a/b/c/AGENTS.md").why


def test_of_copilots_agents_the_descriptions_are_seen(repo: Repo) -> None:
    repo.write(
        {
            ".github/copilot-instructions.md": "- own\n",
            ".github/agents/deep/tester.agent.md": "---\ndescription: d\n---\nYou test.\n",
        }
    )

    start = repo.start("copilot")

    assert start.text == "- own\n\n- **deep--tester**: d"
    assert "only its description" in left(start, ".github/agents/deep/tester.agent.md").why


def test_cursor_ignores_plain_markdown_among_its_rules_and_it_is_said(repo: Repo) -> None:
    repo.write(
        {
            ".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\n- always\n",
            ".cursor/rules/web/RULE.md": "- lost\n",
        }
    )

    start = repo.start("Cursor")

    assert start.text == "- always"
    assert "ignores a plain `.md` file" in left(start, ".cursor/rules/web/RULE.md").why


def test_cline_combines_what_it_finds_and_runs_workflows_only_by_name(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- everyone\n",
            ".clinerules/a.md": "- ours\n",
            ".clinerules/b.txt": "- text\n",
            ".clinerules/workflows/release.md": "- steps\n",
            ".clinerules/skills/x/SKILL.md": "- skill\n",
            ".cline/rules/c.md": "- newer\n",
            ".cursorrules": "- cursor's\n",
            "~/.agents/AGENTS.md": "- me\n",
            "~/Cline/Rules/d.md": "- my rule\n",
            "memory-bank/progress.md": "- done\n",
        }
    )

    start = repo.start("Cline")

    assert [line.removeprefix("- ") for line in start.text.splitlines() if line] == [
        "ours", "text", "newer", "my rule", "me", "everyone"
    ]  # fmt: skip
    assert "someone names it" in left(start, ".clinerules/workflows/release.md").why
    assert "command line" in left(start, ".clinerules/skills/x/SKILL.md").why
    assert "command line" in left(start, ".cursorrules").why
    assert "opens this file itself" in left(start, "memory-bank/progress.md").why


def test_the_coordinator_of_a_squad_is_loaded_whole_and_only_described_to_copilot(
    repo: Repo,
) -> None:
    coordinator = "---\nname: Squad\ndescription: leads\n---\nYou route work.\n"
    repo.write({".github/agents/squad.agent.md": coordinator, "CLAUDE.md": "- all\n"})

    squad, copilot = repo.start("Squad coordinator"), repo.start("GitHub Copilot")

    assert squad.text.endswith("You route work.")
    assert any("not confirmed" in note for note in squad.notes)
    assert any("GitHub Copilot" in each for each in squad.unseen)
    assert layers(copilot) == ["CLAUDE.md", "descriptions of agents"]
    assert left(copilot, ".github/agents/squad.agent.md").why.startswith("the agent sees only its")
    assert "Squad coordinator" in repo.agents()


@pytest.mark.parametrize("name", ["Windsurf", "Devin Desktop", "devin", "windsurf"])
def test_rules_of_devin_are_those_of_windsurf_under_its_newer_name(repo: Repo, name: str) -> None:
    rule = "---\ntrigger: always_on\n---\n- {}\n"
    repo.write(
        {
            ".devin/rules/a.md": rule.format("newer"),
            "web/.windsurf/rules/b.md": rule.format("older"),
            ".devin/rules/c.md": "---\ntrigger: manual\n---\n- by name\n",
            ".devin/rules/long.md": rule.format("x" * 12_000),
        }
    )

    start = repo.start(name)

    assert layers(start) == [
        ".devin/rules/a.md",
        ".devin/rules/long.md",
        "web/.windsurf/rules/b.md",
    ]
    assert left(start, ".devin/rules/c.md").why == "loaded only when someone names it"
    assert any(p.code == "over-limit" for p in repo.source(".devin/rules/long.md").problems)


def test_the_own_harness_of_vs_code_reads_the_files_of_both(repo: Repo) -> None:
    repo.write(
        {
            ".github/copilot-instructions.md": "- copilot\n",
            "AGENTS.md": "- agents\n",
            "CLAUDE.md": "- claude\n",
            "GEMINI.md": "- gemini\n",
            ".claude/rules/a.md": "- rule\n",
            ".github/instructions/py.instructions.md": '---\napplyTo: "**/*.py"\n---\n- py\n',
        }
    )

    start, working = repo.start("VS Code"), repo.start("vscode", "a.py")

    always = [".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md", ".claude/rules/a.md"]
    assert layers(start) == always
    assert layers(working) == [*always, ".github/instructions/py.instructions.md"]
    assert any("not confirmed of `AGENTS.md`" in note for note in start.notes)
    assert "VS Code" not in repo.agents()


def test_a_rule_of_which_the_description_alone_is_shown_is_named_as_not_counted(repo: Repo) -> None:
    def told() -> list[str]:
        return [each for each in repo.start("Cursor").unseen if "description of" in each]

    rule = "---\ndescription: When you work on fares\nalwaysApply: false\n---\n- Fares\n"
    repo.write({"AGENTS.md": "- all\n", ".cursor/rules/ts.mdc": "---\nglobs: a.ts\n---\n- ts\n"})
    assert told() == []

    repo.write({".cursor/rules/fares.mdc": rule})
    assert told() == ["the description of `.cursor/rules/fares.mdc`"]

    repo.write({".cursor/rules/tides.mdc": rule})
    assert "the descriptions of `.cursor/rules/fares.mdc` and 1 more" in repo.start("Cursor").unseen

    agent = "---\nname: tide\ndescription: Reads tides\n---\nYou read.\n"
    repo.write({".github/agents/tide.agent.md": agent})
    copilot = repo.start("GitHub Copilot")
    assert "descriptions of agents" in layers(copilot)
    assert not [each for each in copilot.unseen if "description of" in each]
