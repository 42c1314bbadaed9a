"""Health tells what a tool in use skips or does not start with, and the Prompt screen why."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import Repo, left

from remem.core.checks.issues import issues
from remem.core.setup import trees_of
from remem.model.entry import Problem
from remem.model.loader import STOPS
from remem.systems.loading.passed_over import PASSED_OVER
from remem.systems.plain.json_with_comments import as_json_with_comments

AGENT = "---\nname: ann\ndescription: She helps.\n{line}\n---\n\nHelp.\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def told(repo: Repo, code: str, files: dict[str, str]) -> list[Problem]:
    library = repo.write(files).library()
    return [each.problem for each in issues(library) if each.problem.code == code]


def test_an_agent_that_keeps_opencode_from_starting_is_told_with_its_line(repo: Repo) -> None:
    (problem,) = told(
        repo, STOPS, {".opencode/agents/ann.md": AGENT.format(line="tools: Read, Grep")}
    )

    assert "OpenCode does not start here because of `.opencode/agents/ann.md`" in problem.message
    assert "`tools` is `Read, Grep`, and it takes tools with `true` or `false`" in problem.message
    assert problem.line == 4
    assert problem.hint.startswith("correct the value")


def test_a_command_and_settings_that_keep_opencode_from_starting_are_told(repo: Repo) -> None:
    found = told(
        repo,
        STOPS,
        {
            ".opencode/agents/fine.md": AGENT.format(line="mode: subagent"),
            ".opencode/command/go.md": "---\ndescription: Go\nsubtask: maybe\n---\n\nGo.\n",
            "opencode.json": "{\n  // ours\n"
            '  "agent": {\n    "bea": {\n      "mode": "x",\n    }\n  }\n}\n',
        },
    )

    assert [(each.path.name if each.path else "", each.line) for each in found] == [
        ("go.md", 3),
        ("opencode.json", 5),
    ]


def test_a_command_that_comes_changes_and_goes_while_remem_is_open_is_told_at_once(
    repo: Repo,
) -> None:
    library = repo.write({".opencode/agents/fine.md": AGENT.format(line="mode: all")}).library()
    command = repo.path(".opencode/commands/deep/go.md")

    said = []
    for text in ("---\nsubtask: maybe\n---\nGo.\n", "---\nsubtask: true\n---\nGo.\n", None):
        if text is None:
            command.unlink()
        else:
            repo.write({".opencode/commands/deep/go.md": text})
        before, library = library, library.refresh(frozenset({command}))
        assert library.sources != before.sources, "whoever shows it hears of it"
        said.append([each.problem.path for each in issues(library) if each.problem.code == STOPS])

    assert said == [[command], [], []]
    watched = trees_of(library.ground, library.formats)
    assert {repo.path(".opencode/command"), repo.path(".opencode/commands")} <= {*watched}


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ('{"agent": {\n"a": {"prompt": "{file:prompts/no.md}"}}}', 2),
        ('{"username": "x" // {file:no.md}\n}', 1),
        ('{"username": "{file:~/no.md}"}', 1),
        ('{"username": "{file:prompts}"}', 1),
        ('{"username": "{file:prompts/a.md} {file:~/b.md}"}', 0),
        ('  // "{file:no.md}"\n{}', 0),
        ('{"username": "{file:} {FILE:no.md} {env:no.md}"}', 0),
    ],
)
def test_a_file_that_settings_name_and_that_is_not_there_keeps_opencode_from_starting(
    repo: Repo, settings: str, line: int
) -> None:
    files = {".opencode/agents/fine.md": AGENT.format(line="mode: all"), "opencode.json": settings}
    problems = told(repo, STOPS, {**files, "prompts/a.md": "A.\n", "~/b.md": "B.\n"})

    assert [each.line for each in problems] == ([line] if line else [])


def test_opencode_is_not_spoken_of_where_nobody_uses_it(repo: Repo) -> None:
    files = {"CLAUDE.md": "- Dock slowly.\n", "opencode.json": '{"agent": 7}'}

    assert told(repo, STOPS, files) == []


@pytest.mark.parametrize(
    ("path", "line", "says"),
    [
        (".qwen/agents/ann.md", "approvalMode: acceptEdits", "Qwen Code skips"),
        (".github/agents/ann.agent.md", "tools: 7", "GitHub Copilot skips"),
        (".github/agents/ann.agent.md", "model:", "`model` is empty"),
        (".continue/skills/ann/SKILL.md", "more: a: b", "no YAML that can be read"),
    ],
)
def test_what_a_tool_skips_for_its_front_matter_is_told(
    repo: Repo, path: str, line: str, says: str
) -> None:
    (problem,) = told(repo, PASSED_OVER, {path: AGENT.format(line=line)})

    assert says in problem.message
    assert path in problem.message


def test_what_only_a_person_may_start_is_no_problem(repo: Repo) -> None:
    line = "disable-model-invocation: true"

    assert told(repo, PASSED_OVER, {".github/agents/ann.agent.md": AGENT.format(line=line)}) == []


def test_of_two_agents_alike_in_both_folders_of_opencode_none_is_sure(repo: Repo) -> None:
    repo.write({f".opencode/{name}/ann.md": AGENT.format(line="") for name in ("agent", "agents")})

    (note,) = [each for each in repo.start("OpenCode").notes if "called alike" in each]

    assert "not confirmed: `.opencode/agent/ann.md` and `.opencode/agents/ann.md`" in note


def test_a_tool_that_does_not_start_loads_nothing_and_says_why(repo: Repo) -> None:
    repo.write({".opencode/agents/ann.md": AGENT.format(line="mode: x"), "AGENTS.md": "- Dock.\n"})

    start = repo.start("OpenCode")

    assert start.layers == ()
    assert {each.why for each in start.left} == {"OpenCode does not start here"}
    assert any("`mode` is `x`" in each for each in start.notes)


def test_settings_of_an_agent_hide_one_that_a_file_describes(repo: Repo) -> None:
    repo.write(
        {
            ".opencode/agent/ann.md": "---\ndescription: She helps.\n---\n\nHelp.\n",
            "opencode.json": '{"agent": {"ann": {"disable": true}, "bea": {"description": "So."}}}',
        }
    )

    (layer,) = repo.start("OpenCode").layers

    assert [(line.text, line.source) for line in layer.lines] == [("- bea: So.", "opencode.json")]


def test_what_counts_only_in_a_folder_below_is_left_alone(repo: Repo) -> None:
    files = {
        ".github/agents/bea.agent.md": AGENT.format(line=""),
        "fixtures/.github/agents/ann.agent.md": AGENT.format(line="tools: 7"),
    }

    assert told(repo, PASSED_OVER, files) == []


@pytest.mark.parametrize("opens", ['"', '\\"', "/*", "//", '"\\\n', "/*\n"])
def test_settings_that_never_close_what_they_open_are_no_json_and_are_read_in_one_go(
    opens: str,
) -> None:
    with pytest.raises(ValueError, match="line"):
        as_json_with_comments(b'{"agent": {}, ' + opens.encode() * 100_000)


def test_comments_and_a_last_comma_in_settings_are_no_part_of_them() -> None:
    said = b'{// one\n "a": "// \\" /* ,]", /* two\n*/ "b": [1, 2, ], }'

    assert as_json_with_comments(said) == {"a": '// " /* ,]', "b": [1, 2]}


def test_what_claude_code_begins_with_and_no_file_shows_is_named(repo: Repo) -> None:
    settings = '{"outputStyle": "Learning", "agent": "Explore"}'
    repo.write({".claude/settings.json": settings, "CLAUDE.md": "- Dock.\n"})

    unseen = repo.start("Claude Code").unseen

    assert "the output style `Learning`, which `.claude/settings.json` names" in unseen
    assert (
        "the text of the agent `Explore`, which `agent` in `.claude/settings.json` names: it is "
        "built in, a plugin's, behind a link that leads out, or not there"
    ) in unseen
    assert "the system prompt of Claude Code" in unseen


def test_an_output_style_is_loaded_without_its_front_matter(repo: Repo) -> None:
    style = "---\nname: Terse\n---\nSay little.\n"
    repo.write(
        {
            ".claude/settings.json": '{"outputStyle": "Terse"}',
            ".claude/output-styles/a.md": style,
            "CLAUDE.md": "- Dock.\n",
        }
    )

    start = repo.start("Claude Code")

    assert [layer.name for layer in start.layers] == ["CLAUDE.md", ".claude/output-styles/a.md"]
    assert start.layers[1].text.strip() == "Say little."
    assert not any("output style" in each for each in start.unseen)


def test_a_style_in_a_file_whose_name_could_be_a_pattern_is_named_and_no_other_is_loaded(
    repo: Repo,
) -> None:
    repo.write(
        {
            ".claude/settings.json": '{"outputStyle": "Terse"}',
            ".claude/output-styles/a*.md": "---\nname: Terse\n---\nSay little.\n",
            ".claude/output-styles/ab.md": "Say much.\n",
            "CLAUDE.md": "- Dock.\n",
        }
    )

    start = repo.start("Claude Code")

    assert [layer.name for layer in start.layers] == ["CLAUDE.md"]
    assert any("the output style `Terse`" in each for each in start.unseen)


def test_each_line_of_a_reference_is_a_line_of_the_prompt(repo: Repo) -> None:
    said = '{"references": {"docs": {"path": "docs", "description": "Ships.\\nHarbours."}}}'
    repo.write({"opencode.json": said, "AGENTS.md": "- Dock.\n"})

    (references, _) = repo.start("OpenCode").layers

    assert [line.text for line in references.lines] == ["- docs: Ships.", "Harbours."]


def test_the_system_prompt_is_not_named_where_an_agent_stands_for_it(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- Dock.\n", "opencode.json": "{}"})
    own = repo.start("OpenCode")
    repo.write({".opencode/agents/build.md": "---\nmode: primary\n---\nLead.\n"})

    begun = repo.start("OpenCode")

    assert "the system prompt of OpenCode" in own.unseen
    assert "the system prompt of OpenCode" not in begun.unseen
    assert begun.unseen == own.unseen[1:]


@pytest.mark.parametrize(
    ("front", "said", "line"),
    [
        ("a: 1\nglobs: *.ts", "its front matter is no YAML that can be read", 3),
        ("disabled: yes", "`disabled` is `yes`, and it takes `true` or `false`", 2),
        ("name: 7", "`name` is `7`, and it takes a text", 2),
    ],
)
def test_a_rule_that_cline_does_not_take_is_told(
    repo: Repo, front: str, said: str, line: int
) -> None:
    (problem,) = told(
        repo, PASSED_OVER, {".clinerules/a.md": f"---\n{front}\n---\nA.\n", "CLAUDE.md": "B.\n"}
    )

    assert problem.message == f"Cline skips `.clinerules/a.md` as a rule: {said}"
    assert problem.line == line
    assert left(repo.start("Cline"), ".clinerules/a.md").why.endswith(said)


def test_a_rule_of_cline_that_is_switched_off_keeps_its_namesake_out(repo: Repo) -> None:
    off = "---\nenabled: false\n---\nB.\n"
    files = {".clinerules/a.md": "A.\n", ".cline/rules/A.md": off, ".clinerules/z.md": "Z.\n"}

    assert told(repo, PASSED_OVER, files) == []

    start = repo.start("Cline")
    assert start.text == "Z."
    assert left(start, ".cline/rules/A.md").why == "its `enabled` is `false`"
    assert "`.cline/rules/A.md` is called alike" in left(start, ".clinerules/a.md").why


def test_of_two_rules_of_one_folder_that_are_called_alike_the_disk_picks_one(repo: Repo) -> None:
    repo.write({".clinerules/a.md": "A.\n", ".clinerules/a.txt": "B.\n"})

    assert (
        "not confirmed: `.clinerules/a.md` and `.clinerules/a.txt` are called alike; Cline takes "
        "the one that the disk lists last"
    ) in repo.start("Cline").notes
