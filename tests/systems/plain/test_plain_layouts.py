"""Plain files are found where their tools look for them, and the page of loaders says the same."""

import re
from pathlib import Path

import pytest
from tests.plain_files import SLUG, Repo

from remem.base.assets import asset_dir
from remem.model.source import LoaderKind, SourceKind
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.plain.plain_layouts import PLAIN
from remem.systems.plain.tools.loader_page import loaders_page
from remem.systems.plain.tools.proofs import PROOFS
from remem.systems.plain.tools.tool_data import TOOLS

DAY = re.compile(r"\d{4}-\d\d-\d\d")
MEMORY = f"~/.claude/projects/{SLUG}/memory"
FIXTURES = {
    "agents-override-md": {"AGENTS.override.md": "- mine\n"},
    "agents-md": {"AGENTS.md": "- a\n", "services/pay/AGENTS.md": "- b\n"},
    "claude-agents-md": {".claude/AGENTS.md": "- a\n"},
    "codex-user-override": {"~/.codex/AGENTS.override.md": "- a\n"},
    "codex-user": {"~/.codex/AGENTS.md": "- a\n"},
    "codex-memory-summary": {"~/.codex/memories/memory_summary.md": "- a\n"},
    "codex-memory": {"~/.codex/memories/MEMORY.md": "- a\n"},
    "codex-memory-sources": {
        "~/.codex/memories/raw_memories.md": "- a\n",
        "~/.codex/memories/rollout_summaries/a.md": "- b\n",
    },
    "hermes-md": {".hermes.md": "- a\n", "web/HERMES.md": "- b\n"},
    "hermes-soul": {"~/.hermes/SOUL.md": "- a\n"},
    "hermes-memory": {"~/.hermes/memories/MEMORY.md": "a\n§\nb\nc"},
    "hermes-user": {"~/.hermes/memories/USER.md": "a"},
    "agents-skills": {".agents/skills/a/SKILL.md": "---\nname: a\ndescription: a\n---\n- a\n"},
    "agents-user-skills": {"~/.agents/skills/a/SKILL.md": "- a\n"},
    "codex-skills": {".codex/skills/web/a/SKILL.md": "- a\n"},
    "codex-user-skills": {"~/.codex/skills/a/SKILL.md": "- a\n"},
    "gemini-user-skills": {"~/.gemini/skills/a/SKILL.md": "- a\n"},
    "qwen-user-skills": {"~/.qwen/skills/a/SKILL.md": "- a\n"},
    "opencode-user-skills": {
        "~/.config/opencode/skills/a/SKILL.md": "- a\n",
        "~/.opencode/skill/b/SKILL.md": "- b\n",
    },
    "gemini-skills": {".gemini/skills/a/SKILL.md": "- a\n"},
    "claude-md": {"CLAUDE.md": "- a\n", "web/CLAUDE.md": "- c\n"},
    "claude-dot-md": {".claude/CLAUDE.md": "- b\n"},
    "claude-local-md": {"CLAUDE.local.md": "- a\n"},
    "claude-user-md": {"~/.claude/CLAUDE.md": "- a\n"},
    "claude-rules": {".claude/rules/a.md": "- a\n", ".claude/rules/web/b.md": "- b\n"},
    "claude-user-rules": {"~/.claude/rules/a.md": "- a\n"},
    "claude-memory": {f"{MEMORY}/MEMORY.md": "- a\n"},
    "claude-memory-work-trees": {
        f"~/.claude/projects/{SLUG}-wt/memory/MEMORY.md": "- a\n",
        ".git/worktrees/wt/gitdir": "../../../../shop-wt/.git\n",
    },
    "claude-memory-topics": {f"{MEMORY}/debugging.md": "- a\n"},
    "claude-skills": {
        ".claude/skills/a/SKILL.md": "---\nname: a\ndescription: a\n---\n- a\n",
        "web/.claude/skills/b/SKILL.md": "- b\n",
    },
    "claude-user-skills": {"~/.claude/skills/a/SKILL.md": "- a\n"},
    "claude-commands": {".claude/commands/web/a.md": "- a\n"},
    "claude-user-commands": {"~/.claude/commands/a.md": "- a\n"},
    "cursor-rules": {
        ".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\n- a\n",
        "web/.cursor/rules/b.mdc": "---\nglobs: *.css\n---\n- b\n",
    },
    "cursor-rules-md": {".cursor/rules/web/RULE.md": "- a\n"},
    "cursorrules": {".cursorrules": "- a\n"},
    "copilot-instructions": {".github/copilot-instructions.md": "- a\n"},
    "copilot-paths": {
        ".github/instructions/py.instructions.md": '---\napplyTo: "**/*.py"\n---\n- a\n'
    },
    "copilot-agents": {".github/agents/web/tester.agent.md": "You test a\n"},
    "qwen-user": {"~/.qwen/QWEN.md": "- a\n"},
    "qwen-user-agents-md": {"~/.qwen/AGENTS.md": "- a\n"},
    "qwen-local-md": {".qwen/QWEN.local.md": "- a\n"},
    "qwen-rules": {".qwen/rules/a.md": "- a\n", ".qwen/rules/web/b.md": "- b\n"},
    "qwen-user-rules": {"~/.qwen/rules/web/a.md": "- a\n"},
    "qwen-memories": {"~/.qwen/memories/MEMORY.md": "- a\n"},
    "qwen-memory": {f"~/.qwen/projects/{SLUG}/memory/MEMORY.md": "- a\n"},
    "qwen-memories-topics": {"~/.qwen/memories/pinned/a.md": "- a\n"},
    "qwen-memory-topics": {f"~/.qwen/projects/{SLUG}/memory/a.md": "- a\n"},
    "qwen-commands": {".qwen/commands/git/a.md": "- a\n", "web/.qwen/commands/b.md": "- b\n"},
    "qwen-user-commands": {"~/.qwen/commands/a.md": "- a\n"},
    "qwen-agents": {".qwen/agents/a.md": "- a\n", "web/.qwen/agents/b.md": "- b\n"},
    "qwen-user-agents": {"~/.qwen/agents/a.md": "- a\n"},
    "opencode-agents": {".opencode/agent/a.md": "- a\n", ".opencode/agents/web/b.md": "- b\n"},
    "opencode-user-agents": {
        "~/.config/opencode/agent/a.md": "- a\n",
        "~/.opencode/agents/b.md": "- b\n",
    },
    "codex-agents": {".codex/agents/a.toml": 'name = "a"\n'},
    "codex-user-agents": {"~/.codex/agents/web/a.toml": 'name = "a"\n'},
    "gemini-agents": {".gemini/agents/a.md": "- a\n"},
    "gemini-user-agents": {"~/.gemini/agents/a.md": "- a\n"},
    "qwen-md": {"QWEN.md": "- a\n", "web/QWEN.md": "- b\n"},
    "qwen-skills": {".qwen/skills/a/SKILL.md": "- a\n"},
    "opencode-user": {"~/.config/opencode/AGENTS.md": "- a\n"},
    "opencode-skills": {".opencode/skills/a/SKILL.md": "- a\n"},
    "github-skills": {".github/skills/a/SKILL.md": "- a\n"},
    "copilot-user-skills": {"~/.copilot/skills/a/SKILL.md": "- a\n"},
    "claude-skills-below": {".claude/skills/web/a/SKILL.md": "- a\n"},
    "copilot-odd-case": {"agents.md": "- a\n"},
    "copilot-odd-gemini": {"gemini.md": "- a\n"},
    "copilot-user": {"~/.copilot/copilot-instructions.md": "- a\n"},
    "copilot-user-paths": {
        "~/.copilot/instructions/a.instructions.md": '---\napplyTo: "**"\n---\n- a\n'
    },
    "copilot-user-agents": {"~/.copilot/agents/tester.agent.md": "You test a\n"},
    "windsurf-rules": {".windsurf/rules/a.md": "---\ntrigger: always_on\n---\n- a\n"},
    "devin-rules": {"web/.devin/rules/a.md": "---\ntrigger: always_on\n---\n- a\n"},
    "squad-coordinator": {".github/agents/squad.agent.md": "- a\n"},
    "squad-skills": {
        ".squad/skills/a/SKILL.md": "- a\n",
        ".ai-team/skills/a/SKILL.md": "- b\n",
        ".copilot/skills/a/SKILL.md": "- c\n",
    },
    "windsurfrules": {".windsurfrules": "- a\n"},
    "windsurf-user": {"~/.codeium/windsurf/memories/global_rules.md": "- a\n"},
    "gemini-md": {"GEMINI.md": "- a\n", "web/GEMINI.md": "- b\n"},
    "gemini-user": {"~/.gemini/GEMINI.md": "- a\n"},
    "cline-rules": {".clinerules/01-style.md": "- a\n"},
    "cline-dot-rules": {".cline/rules/a.txt": "- a\n"},
    "cline-workflows": {".clinerules/workflows/release.md": "- a\n"},
    "cline-rules-below": {".clinerules/web/a.md": "- a\n", ".clinerules/hooks/b.txt": "- b\n"},
    "cline-user-agents": {"~/.agents/AGENTS.md": "- a\n"},
    "cline-user": {"~/Documents/Cline/Rules/a.md": "- a\n", "~/Cline/Rules/b.md": "- b\n"},
    "memory-bank": {"memory-bank/progress.md": "- a\n"},
    "serena-memories": {".serena/memories/web/forms.md": "- a\n"},
    "serena-user": {"~/.serena/memories/global/style.md": "- a\n"},
    "learnings-log": {".learnings/LEARNINGS.md": "- a\n"},
    "agent-md": {"AGENT.md": "- a\n", "web/AGENT.md": "- b\n"},
    "amp-user": {"~/.config/amp/AGENTS.md": "- a\n"},
    "config-agents": {"~/.config/AGENTS.md": "- a\n"},
    "zed-rules": {".rules": "- a\n"},
    "zed-user": {"~/.config/zed/AGENTS.md": "- a\n"},
    "junie-agents": {".junie/AGENTS.md": "- a\n"},
    "junie-guidelines": {".junie/guidelines.md": "- a\n"},
    "kiro-steering": {
        ".kiro/steering/product.md": "- a\n",
        ".kiro/steering/api/b.md": "---\ninclusion: manual\n---\n- b\n",
    },
    "kiro-user": {"~/.kiro/steering/a.md": "- a\n"},
    "roo-rules": {".roo/rules/01-general.md": "- a\n", ".roo/rules/web/style.txt": "- b\n"},
    "roorules": {".roorules": "- a\n"},
    "roo-mode-rules": {".roo/rules-code/a.md": "- a\n", ".roo/rules-docs/b.txt": "- b\n"},
    "roo-user": {"~/.roo/rules/a.md": "- a\n"},
    "continue-rules": {
        ".continue/rules/a.md": "- a\n",
        ".continue/rules/web/b.md": "---\nglobs: '*.css'\n---\n- b\n",
    },
    "continue-user": {"~/.continue/rules/a.md": "- a\n"},
    "codex-md": {"CODEX.md": "- a\n"},
    "continue-skills": {".continue/skills/a/SKILL.md": "- a\n"},
    "continue-user-skills": {"~/.continue/skills/a/SKILL.md": "- a\n"},
    "aider-conventions": {"CONVENTIONS.md": "- a\n"},
    "goosehints": {".goosehints": "- a\n", "web/.goosehints": "- b\n"},
    "goose-user": {"~/.config/goose/.goosehints": "- a\n"},
    "warp-md": {"WARP.md": "- a\n", "web/WARP.md": "- b\n"},
    "crush-md": {"CRUSH.md": "- a\n"},
    "crush-user": {"~/.config/crush/CRUSH.md": "- a\n"},
    "crush-skills": {".crush/skills/a/SKILL.md": "- a\n"},
}
"""One repository for each layout: its files, each with one unit."""


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


@pytest.mark.parametrize("layout", [pytest.param(each.name, id=each.name) for each in PLAIN])
def test_each_layout_finds_its_files_and_reads_their_units(repo: Repo, layout: str) -> None:
    files = FIXTURES[layout]

    library = repo.write(files).library()

    found = {source.path: source for source in library.of_format("plain")}
    assert set(found) == {repo.path(name) for name in files if not name.startswith(".git/")}
    assert {source.layout for source in found.values()} == {layout}
    entries = [e for s in found.values() for e in s.entries if e.title[:3] != "---"]
    is_read_only = all(s.kind is SourceKind.DOCUMENT for s in found.values())
    assert is_read_only is not bool(entries)
    assert all(library.has(entry.ref) for s in found.values() for entry in s.entries)


def test_every_layout_of_the_data_has_a_fixture_and_a_claim() -> None:
    assert set(FIXTURES) == {layout.name for layout in PLAIN}
    assert all(layout.claim.startswith("https://") for layout in PLAIN)
    assert {loads.layout for tool in TOOLS for loads in tool.loads} <= set(FIXTURES)


def test_every_rule_of_a_tool_is_proven_or_says_what_is_not_confirmed() -> None:
    rules = [(tool.id, loads) for tool in TOOLS for loads in tool.loads]

    bare = [(tool, loads.layout) for tool, loads in rules if not (loads.proofs or loads.unknown)]

    assert bare == []
    assert set(PROOFS) <= {(tool, loads.layout) for tool, loads in rules}
    assert all(
        proof.says and DAY.fullmatch(proof.read) and (proof.page or proof.version)
        for tool in TOOLS
        for proof in (*(p for x in tool.loads for p in x.proofs), *(f.proof for f in tool.facts))
    )


@pytest.mark.parametrize(
    "title", ["Claude Code", "Codex", "Cursor", "GitHub Copilot", "Cline", "Gemini CLI"]
)
def test_nothing_that_the_six_load_at_their_start_is_not_confirmed(repo: Repo, title: str) -> None:
    (tool,) = (each for each in TOOLS if each.title == title)
    own = {loads.layout for loads in tool.loads}
    files = {name: text for layout in own for name, text in FIXTURES[layout].items()}

    start = repo.write(files).start(title)

    assert start.layers
    assert [note for note in start.notes if note.startswith("not confirmed")] == []
    assert [x.layout for x in tool.loads if x.unknown or not (x.proofs or x.never)] == []


def test_the_page_of_loaders_is_what_the_data_says() -> None:
    page = asset_dir("styles").parent / "docs" / "loaders.md"

    assert page.read_text() == loaders_page(BUILT_IN)
    assert all(f"(test: `{layout.name}`)" in page.read_text() for layout in PLAIN)


def test_a_repository_with_all_of_them_at_once_gives_each_file_once(repo: Repo) -> None:
    files = {name: text for fixture in FIXTURES.values() for name, text in fixture.items()}

    found = repo.write(files).library().of_format("plain")

    own = (repo.path(name) for name in files if not name.startswith(".git/"))
    assert sorted(s.path for s in found) == sorted(own)
    assert {source.scope for source in found} == {"project", "local", "user"}


def test_links_to_one_file_are_one_source_that_several_tools_reach(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- run the tests\n"})
    (repo.root / "CLAUDE.md").symlink_to("AGENTS.md")

    source = repo.source("AGENTS.md")

    assert [reached.layout for reached in source.reached] == ["agents-md", "claude-md"]
    assert repo.names() == ["AGENTS.md"]
    assert repo.start("Claude Code").text == "- run the tests"
    assert repo.start("Codex").text == "- run the tests"


def test_what_lies_in_dependencies_and_other_projects_memory_is_left_alone(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "- a\n",
            "node_modules/kit/CLAUDE.md": "- not ours\n",
            ".venv/lib/AGENTS.md": "- not ours\n",
            "~/.claude/projects/-another-project/memory/MEMORY.md": "- not here\n",
        }
    )

    assert repo.names() == ["CLAUDE.md"]


def test_a_file_above_the_root_is_read_and_never_written(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- inside\n"})
    (repo.root.parent / "CLAUDE.md").write_text("- above\n")

    above = repo.library().of_format("plain")[0]

    assert above.path == repo.root.parent / "CLAUDE.md"
    assert not above.is_writable


@pytest.mark.parametrize(
    ("front", "kind"),
    [
        pytest.param("alwaysApply: true\nglobs: *.ts", LoaderKind.WHOLE, id="always"),
        pytest.param("globs: *.ts,src/**\nalwaysApply: false", LoaderKind.BY_PATH, id="globs"),
        pytest.param("globs:\n  - '*.ts'", LoaderKind.BY_PATH, id="a list"),
        pytest.param("description: forms\nglobs:", LoaderKind.DESCRIBED, id="description"),
        pytest.param("alwaysApply: false", LoaderKind.BY_NAME, id="by name"),
    ],
)
def test_front_matter_of_cursor_decides_how_a_rule_is_loaded(
    repo: Repo, front: str, kind: LoaderKind
) -> None:
    repo.write({".cursor/rules/a.mdc": f"---\n{front}\n---\n- a\n"})

    source = repo.source(".cursor/rules/a.mdc")

    assert source.loader.kind is kind
    assert source.problems == ()
    assert source.body == b"- a\n"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        pytest.param(".cursor/rules/a.mdc", "- a\n", "no-front-matter", id="none"),
        pytest.param(".cursor/rules/a.mdc", "---\nglobs: *\n- a\n", "front-matter", id="open"),
        pytest.param(
            ".cursor/rules/a.mdc", "---\nglobs: *\nwhat?\n---\n- a\n", "front-matter", id="no key"
        ),
        pytest.param(
            ".windsurf/rules/a.md", "---\ntrigger: now\n---\n- a\n", "front-matter", id="w"
        ),
        pytest.param(".windsurf/rules/a.md", "- a\n", "no-front-matter", id="not a trigger"),
        pytest.param(
            ".github/instructions/a.instructions.md", "- a\n", "no-front-matter", id="applyTo"
        ),
        pytest.param(
            ".windsurf/rules/a.md",
            "---\ntrigger: manual\n---\n" + "x" * 12_000,
            "over-limit",
            id="long",
        ),
    ],
)
def test_a_rule_with_bad_front_matter_is_a_problem_and_still_read(
    repo: Repo, name: str, text: str, code: str
) -> None:
    repo.write({name: text})

    source = repo.source(name)

    assert [problem.code for problem in source.problems] == [code]
    assert source.problems[0].hint
    assert source.problems[0].path == source.path
    assert len(source.entries) > 0
    assert source.is_writable
