"""A session of Claude Code begins with an agent, and without what its settings deny."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.prompt.counter import Estimate
from remem.model.change import Splice
from remem.model.entry import digest_of
from remem.model.prompt import Ask
from remem.systems.loading.loading_agents import as_loaded

LEAD = "---\nname: lead\ndescription: She leads.\n{more}---\n\nLead well.\n"
BEE = "---\nname: bee\ndescription: She helps.\n---\n\nHelp.\n"
SKILL = "---\nname: dock\ndescription: How to dock.\n---\n\nDock.\n"
BEGINS = {".claude/settings.json": '{"agent": "lead"}', "CLAUDE.md": "- Dock.\n"}
PROMPT = "the system prompt of Claude Code"
SKILLS, AGENTS = "descriptions of skills", "descriptions of agents"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def names(repo: Repo, **where: str) -> list[str]:
    return [layer.name for layer in repo.start("Claude Code", **where).layers]


def test_a_session_begins_with_text_and_memory_of_the_agent_that_settings_name(repo: Repo) -> None:
    repo.write(
        {
            **BEGINS,
            ".claude/agents/lead.md": LEAD.format(more="memory: project\n"),
            ".claude/agent-memory/lead/MEMORY.md": "- Ask the harbour.\n",
        }
    )

    start = repo.start("Claude Code")

    assert [layer.name for layer in start.layers] == [
        "agents/lead.md",
        "lead/MEMORY.md",
        "CLAUDE.md",
        AGENTS,
    ]
    assert start.layers[0].text.strip() == "Lead well."
    assert PROMPT not in start.unseen
    assert [v.reason for v in start.verdicts if v.layer == "lead/MEMORY.md"] == [None]


def test_an_agent_without_a_text_leaves_the_system_prompt_in_its_place(repo: Repo) -> None:
    empty = "---\nname: lead\ndescription: She leads.\nmemory: project\n---\n"
    repo.write(
        {
            **BEGINS,
            ".claude/agents/lead.md": empty,
            ".claude/agent-memory/lead/MEMORY.md": "- Ask the harbour.\n",
        }
    )

    start = repo.start("Claude Code")

    assert start.layers[0].name == "lead/MEMORY.md"
    assert PROMPT in start.unseen


def test_what_the_agent_says_first_is_the_last_part_of_the_start(repo: Repo) -> None:
    more = "initialPrompt: |\n  Look around.\n  Then tell.\n"
    repo.write(
        {
            **BEGINS,
            ".claude/agents/lead.md": LEAD.format(more=more),
            "sub/CLAUDE.md": "- Sub.\n",
            "sub/a.py": "",
        }
    )

    start = repo.start("Claude Code", "sub/a.py")

    said = next(layer for layer in start.layers if "initialPrompt" in layer.name)
    assert said.text == "Look around.\nThen tell."
    assert [layer.name for layer in start.layers][-1] == "sub/CLAUDE.md"


def test_a_command_that_the_agent_says_first_is_named_and_what_it_brings_is_not_shown(
    repo: Repo,
) -> None:
    repo.write({**BEGINS, ".claude/agents/lead.md": LEAD.format(more="initialPrompt: /dock\n")})

    start = repo.start("Claude Code")

    assert "what `/dock` brings, the `initialPrompt` of `lead`" in start.unseen
    assert not any("initialPrompt" in layer.name for layer in start.layers)


@pytest.mark.parametrize(
    ("more", "lists", "listed"),
    [
        ("", [AGENTS, SKILLS], ["bee", "lead"]),
        ("tools: Read\n", [], []),
        ("tools:\n", [], []),
        ("tools: '*'\n", [AGENTS, SKILLS], ["bee", "lead"]),
        ("tools: Read Skill(dock)\n", [SKILLS], []),
        ("tools: Read, Agent(bee)\n", [AGENTS], ["bee"]),
        ("tools: Agent(bee), Task\n", [AGENTS], ["bee"]),
        ("tools: Agent(*)\n", [AGENTS], ["bee", "lead"]),
        ("disallowedTools: Skill\n", [AGENTS], ["bee", "lead"]),
        ("disallowedTools: Task(bee)\n", [SKILLS], []),
        ("disallowedTools: '*'\n", [AGENTS, SKILLS], ["bee", "lead"]),
    ],
)
def test_the_agent_is_given_the_lists_of_what_it_may_call(
    repo: Repo, more: str, lists: list[str], listed: list[str]
) -> None:
    repo.write(
        {
            **BEGINS,
            ".claude/agents/lead.md": LEAD.format(more=more),
            ".claude/agents/bee.md": BEE,
            ".claude/skills/dock/SKILL.md": SKILL,
        }
    )

    layers = {layer.name: layer for layer in repo.start("Claude Code").layers}

    assert [name for name in layers if name in (SKILLS, AGENTS)] == lists
    lines = layers[AGENTS].lines if AGENTS in layers else ()
    assert [line.text.split(":")[0].removeprefix("- ") for line in lines] == listed


@pytest.mark.parametrize(
    ("more", "tools"),
    [
        ("tools: '*'", "All tools"),
        ("tools: '*'\ndisallowedTools: Bash", "All tools except Bash"),
        ("tools: Read Skill, Bash(git add)", "Read, Skill, Bash(git add)"),
        ("tools: Read, Bash\ndisallowedTools: Bash", "Read"),
        ("tools: Read\ndisallowedTools: Read", "None"),
        ("tools: [Read, 5]", "Read"),
        ("disallowedTools: '*'", "All tools"),
    ],
)
def test_the_tools_of_an_agent_are_listed_without_those_that_it_may_not_use(
    repo: Repo, more: str, tools: str
) -> None:
    text = f"---\nname: bee\ndescription: She helps.\n{more}\n---\n\nHelp.\n"
    repo.write({".claude/agents/bee.md": text, "CLAUDE.md": "- Dock.\n"})

    start = repo.start("Claude Code")

    assert start.layers[-1].text == f"- bee: She helps. (Tools: {tools})"


def test_an_agent_that_is_called_has_its_memory_of_the_folder_that_is_started_in(
    repo: Repo,
) -> None:
    repo.write(
        {
            ".claude/agents/lead.md": LEAD.format(more="memory: project\n"),
            ".claude/agent-memory/lead/MEMORY.md": "- Of the root.\n",
            "sub/.claude/agent-memory/lead/MEMORY.md": "- Of the folder.\n",
            "sub/a.py": "",
        }
    )

    above, below = repo.start("lead"), repo.start("lead", folder="sub")

    assert "Of the root." in above.text
    assert "Of the folder." not in above.text
    assert "Of the folder." in below.text
    assert "Of the root." not in below.text
    assert any("lead/MEMORY.md" in each.name for each in below.left)


DENIES = '{{"permissions": {{"deny": ["{rule}"]}}}}'


@pytest.mark.parametrize(
    ("rule", "is_in"),
    [
        ("Read(docs/**)", False),
        ("Read(//**)", False),
        ("Read(*)", False),
        ("*", False),
        ("Read(./DOCS)", False),
        ("Read(docs/./a.md)", True),
        ("Edit(docs/a.md)", True),
        ("read(docs/a.md)", True),
        ("Read(docs/a.md", True),
        ("Read( docs/a.md)", True),
        ("Read()", True),
    ],
)
def test_what_settings_do_not_let_it_read_is_not_imported(
    repo: Repo, rule: str, is_in: bool
) -> None:
    repo.write(
        {
            ".claude/settings.json": DENIES.format(rule=rule),
            "AGENTS.md": "",
            "CLAUDE.md": "- Dock.\n",
            ".claude/rules/a.md": "See @../../docs/a.md\n",
            "docs/a.md": "Moor.\n",
        }
    )

    start = repo.start("Claude Code")

    assert ("Moor." in start.text) is is_in
    if not is_in:
        reasons = {each.why for each in start.left}
        assert (
            "`permissions.deny` in `.claude/settings.json` keeps Claude Code from reading it"
            in (reasons)
        )


def test_a_persons_own_instructions_are_read_whatever_settings_deny(repo: Repo) -> None:
    repo.write(
        {
            ".claude/settings.json": DENIES.format(rule="Read"),
            "CLAUDE.md": "- Dock.\n",
            "~/.claude/CLAUDE.md": "- Be kind.\n",
        }
    )

    assert repo.start("Claude Code").text.strip() == "- Be kind."


def test_skills_that_may_not_be_called_are_not_listed_and_say_why(repo: Repo) -> None:
    repo.write(
        {
            ".claude/settings.json": DENIES.format(rule="Skill"),
            "CLAUDE.md": "- Dock.\n",
            ".claude/skills/dock/SKILL.md": SKILL,
        }
    )

    start = repo.start("Claude Code")

    assert [layer.name for layer in start.layers] == ["CLAUDE.md"]
    assert [each.why for each in start.left] == [
        "`permissions.deny` in `.claude/settings.json` denies `Skill`"
    ]


@pytest.mark.parametrize(
    ("rule", "listed"),
    [
        ("Agent", []),
        ("Task(*)", []),
        ("Agent(bee)", ["lead"]),
        ("Agent(Bee)", ["bee", "lead"]),
        ("Agent(be*)", ["bee", "lead"]),
    ],
)
def test_agents_that_may_not_be_called_are_not_listed(
    repo: Repo, rule: str, listed: list[str]
) -> None:
    repo.write(
        {
            ".claude/settings.json": DENIES.format(rule=rule),
            "CLAUDE.md": "- Dock.\n",
            ".claude/agents/bee.md": BEE,
            ".claude/agents/lead.md": LEAD.format(more=""),
        }
    )

    text = repo.start("Claude Code").text

    assert [name for name in ("bee", "lead") if f"- {name}: " in text] == listed


def test_a_plan_that_changes_settings_shows_the_session_as_it_will_begin(repo: Repo) -> None:
    bee = {".claude/agents/bee.md": BEE, ".claude/agents/lead.md": LEAD.format(more="")}
    library = repo.write({**BEGINS, **bee}).library()
    path = repo.path(".claude/settings.json")
    data = path.read_bytes()
    at = data.index(b"lead")

    after = library.preview([Splice(path, at, at + 4, b"lead", b"bee", digest_of(data))])
    made = after.preview([Splice(path, at, at + 3, b"bee", b"ant", digest_of(b""))])
    starts = [
        as_loaded(each.ground, each.sources, Ask(agent="Claude Code"), Estimate())
        for each in (library, after, made)
    ]

    assert [start.layers[0].name for start in starts] == [
        "agents/lead.md",
        "agents/bee.md",
        "CLAUDE.md",
    ]


def test_settings_that_turn_memory_off_turn_off_that_of_agents_too(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "- Dock.\n",
            ".claude/settings.json": '{"autoMemoryEnabled": false}',
            ".claude/agents/lead.md": LEAD.format(more="memory: project\n"),
            ".claude/agent-memory/lead/MEMORY.md": "- Ask the harbour.\n",
        }
    )

    start = repo.start("lead")

    assert [layer.name for layer in start.layers] == ["agents/lead.md", "CLAUDE.md"]
    assert [each.why for each in start.left] == [
        "`autoMemoryEnabled` in `.claude/settings.json` is off"
    ]


def test_a_file_that_the_first_prompt_names_is_told_of(repo: Repo) -> None:
    first = "initialPrompt: See @docs/in.md, then go.\n"
    repo.write({**BEGINS, ".claude/agents/lead.md": LEAD.format(more=first)})

    unseen = repo.start("Claude Code").unseen

    assert "`docs/in.md`, which the `initialPrompt` of `lead` names" in unseen


def test_a_folder_without_git_has_notes_of_its_own_and_they_are_told_of(repo: Repo) -> None:
    notes = "~/.claude/projects/{slug}/memory/MEMORY.md"
    repo.write({"CLAUDE.md": "- Dock.\n", "sub/x.md": "x\n", notes: "- Of the root.\n"})

    start = repo.start("Claude Code", folder="sub")

    assert [layer.name for layer in start.layers] == ["CLAUDE.md"]
    assert "the notes that it keeps of `sub/` alone" in start.unseen
    assert "without git, `sub/` has notes of its own" in [each.why for each in start.left]
