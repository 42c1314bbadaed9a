"""What a tool's own settings change of its start, as Claude Code 2.1.330 was seen to read them."""

import json
from pathlib import Path

import pytest
from tests.plain_files import SLUG, Repo, layers, left

from remem.core.checks.issues import issues
from remem.model.loader import STOPS

MEMORY = f"~/.claude/projects/{SLUG}/memory/MEMORY.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_excluded_files_are_out_and_keep_no_agents_md_out(repo: Repo) -> None:
    excludes = ["**/shop/CLAUDE.md", "**/.claude/rules/x/**", str(repo.path("more.md"))]
    repo.write(
        {
            ".claude/settings.json": json.dumps({"claudeMdExcludes": excludes}),
            "CLAUDE.md": "- out\n",
            "AGENTS.md": "- in\n",
            "more.md": "- not imported\n",
            ".claude/rules/x/a.md": "- out too\n",
            ".claude/rules/y.md": "- rule @../../more.md\n",
        }
    )

    start = repo.start("Claude Code")

    assert layers(start) == [".claude/rules/y.md", "AGENTS.md"]
    why = "`claudeMdExcludes` in `.claude/settings.json` excludes it"
    assert left(start, "CLAUDE.md").why == left(start, "more.md").why == why


def test_patterns_hold_for_whole_paths_and_settings_for_the_folder_of_the_start(
    repo: Repo,
) -> None:
    repo.write(
        {
            ".claude/settings.json": json.dumps({"claudeMdExcludes": ["CLAUDE.md", "**/sub/*.md"]}),
            "CLAUDE.md": "- all\n",
            "sub/CLAUDE.md": "- sub\n",
        }
    )

    at_root, in_sub = repo.start("Claude Code", "sub/a.py"), repo.start("Claude Code", folder="sub")

    assert layers(at_root) == ["CLAUDE.md"]
    assert layers(in_sub) == ["CLAUDE.md", "sub/CLAUDE.md"]


def test_auto_memory_that_is_off_or_lies_elsewhere_is_not_loaded(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- all\n", MEMORY: "- noted\n"})
    on = repo.start("Claude Code")
    settings = ".claude/settings.local.json"

    off = repo.write({settings: '{"autoMemoryEnabled": false}'}).start("Claude Code")
    moved = repo.write({settings: '{"autoMemoryDirectory": "~/notes"}'}).start("Claude Code")

    assert [start.text for start in (on, off, moved)] == ["- all\n\n- noted", "- all", "- all"]
    assert "is off" in off.left[0].why
    assert "`~/notes`" in moved.left[0].why
    assert any("`~/notes`" in each for each in moved.unseen)


@pytest.mark.parametrize(
    ("settings", "where", "note"),
    [
        ("~/.claude/settings.json", "~/notes", "~/notes/MEMORY.md"),
        ("~/.claude/settings.json", "~/vault/claude/", "~/vault/claude/MEMORY.md"),
        (".claude/settings.json", "ROOT/.claude/memory", ".claude/memory/MEMORY.md"),
    ],
)
def test_auto_memory_is_loaded_from_where_the_settings_put_it(
    repo: Repo, settings: str, where: str, note: str
) -> None:
    topic = note.replace("MEMORY.md", "tests.md")
    told = json.dumps({"autoMemoryDirectory": where.replace("ROOT", str(repo.root))})
    repo.write({"CLAUDE.md": "- all\n", MEMORY: "- old\n", note: "- new\n", topic: "- later\n"})

    start = repo.write({settings: told}).start("Claude Code")

    assert start.text == "- all\n\n- new"
    assert [note in repo.names(), topic in repo.names()] == [True, True]
    assert left(start, topic).why == "the agent opens this file itself when it needs it"


@pytest.mark.parametrize("where", ["~/.ssh", "/etc", "memory", "~", "~/../x", "~/a*"])
def test_a_projects_settings_lead_to_no_notes_outside_of_it(repo: Repo, where: str) -> None:
    told = json.dumps({"autoMemoryDirectory": where})
    repo.write({"CLAUDE.md": "- all\n", "~/.ssh/a.md": "- a\n", ".claude/settings.json": told})

    assert repo.names() == ["CLAUDE.md"]


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        pytest.param("claude-md-or-agents-md", "- claude\n\n- rule", id="either"),
        pytest.param("claude-md-and-agents-md", "- claude\n\n- agents\n\n- rule", id="both"),
        pytest.param("claude-md", "- claude\n\n- rule", id="own"),
        pytest.param("managed-only", "", id="managed"),
    ],
)
def test_a_person_chooses_which_instruction_files_are_read(
    repo: Repo, mode: str, text: str
) -> None:
    options = {"agents-md@builtin": {"options": {"instructionFiles": mode}}}
    repo.write(
        {
            "~/.claude/settings.json": json.dumps({"pluginConfigs": options}),
            "CLAUDE.md": "- claude\n",
            "AGENTS.md": "- agents\n",
            ".claude/rules/a.md": "- rule\n",
        }
    )

    assert repo.start("Claude Code").text == text


def test_what_hooks_print_at_the_start_is_named(repo: Repo) -> None:
    def hooks(*commands: str) -> str:
        each = [{"type": "command", "command": command} for command in commands]
        return json.dumps({"hooks": {"SessionStart": [{"hooks": each}], "Stop": [{"hooks": each}]}})

    repo.write(
        {
            "CLAUDE.md": "- all\n",
            ".claude/settings.json": hooks("remem compose --role qa", "x" * 80),
            ".claude/settings.local.json": '{"hooks": {"SessionStart": [{"hooks": [3]}, 4]}}',
            "~/.claude/settings.json": hooks("date"),
        }
    )

    told = [each for each in repo.start("Claude Code").unseen if "the hook" in each]

    ends = "prints; of more than 10,000 characters 2,000 arrive"
    assert told == [
        f"what the hook `remem compose --role qa` of `.claude/settings.json` {ends}",
        f"what the hook `{'x' * 60}…` of `.claude/settings.json` {ends}",
        f"what the hook `date` of `~/.claude/settings.json` {ends}",
    ]


@pytest.mark.parametrize("text", ["{", "[]", '{"claudeMdExcludes": "CLAUDE.md"}', "\xff"])
def test_settings_that_cannot_be_read_change_nothing(repo: Repo, text: str) -> None:
    repo.write({".claude/settings.json": text.encode("latin-1"), "CLAUDE.md": "- all\n"})

    assert repo.start("Claude Code").text == "- all"


def test_gemini_reads_the_files_that_its_settings_name(repo: Repo) -> None:
    names = {"context": {"fileName": ["AGENTS.md", "CONTEXT.md"]}}
    repo.write(
        {
            "GEMINI.md": "- gemini\n",
            "AGENTS.md": "- agents\n",
            "CONTEXT.md": "- context @more.md\n",
            "more.md": "- more\n",
            ".gemini/settings.json": json.dumps(names),
        }
    )

    start = repo.start("Gemini CLI")

    assert layers(start) == ["AGENTS.md", "CONTEXT.md", "more.md", "GEMINI.md"]


def test_qwen_reads_the_names_of_its_settings_and_tells_of_those_that_are_not_looked_for(
    repo: Repo,
) -> None:
    names = {"context": {"fileName": ["./docs/all.md", "../up.md", "QWEN.md"]}}
    repo.write(
        {
            "QWEN.md": "- qwen\n",
            "AGENTS.md": "- agents\n",
            "docs/all.md": "- all\n",
            ".qwen/settings.json": json.dumps(names),
        }
    )

    start = repo.start("Qwen Code")

    assert layers(start) == ["docs/all.md", "QWEN.md"]
    assert "files called `../up.md`, which `.qwen/settings.json` names" in start.unseen


def test_what_qwen_reads_once_a_folder_is_trusted_is_not_confirmed(repo: Repo) -> None:
    names = {"context": {"fileName": ["QWEN.md", "TEAM.md"]}}
    repo.write(
        {
            "QWEN.md": "- qwen\n",
            "~/.qwen/QWEN.md": "- own\n",
            "~/.qwen/TEAM.md": "- own team\n",
            ".qwen/settings.json": json.dumps(
                {**names, "security": {"folderTrust": {"enabled": True}}}
            ),
        }
    )

    start = repo.start("Qwen Code")

    assert layers(start) == ["~/.qwen/QWEN.md", "QWEN.md", "~/.qwen/TEAM.md"]
    assert list(start.notes) == [
        "not confirmed of `QWEN.md`: `folderTrust` in `.qwen/settings.json` is on: it counts once "
        "a person trusts the folder"
    ]


@pytest.mark.parametrize(
    ("agents", "text"),
    [
        pytest.param({}, "- team\n\n- web", id="first name in each folder"),
        pytest.param({"AGENTS.md": "- agents\n"}, "- agents\n\n- web", id="beside AGENTS.md"),
        pytest.param({"AGENTS.md": ""}, "- web", id="beside an empty one"),
        pytest.param(
            {"AGENTS.md": "- agents\n", "AGENTS.override.md": ""}, "- web", id="empty override"
        ),
    ],
)
def test_codex_reads_other_names_where_there_is_no_agents_md(
    repo: Repo, agents: dict[str, str], text: str
) -> None:
    names = 'project_doc_fallback_filenames = ["TEAM.md", "NOTES.md", "../x.md"]\n'
    repo.write(
        {
            "~/.codex/config.toml": names,
            ".codex/config.toml": 'project_doc_fallback_filenames = ["OTHER.md"]\n',
            ".git/HEAD": "",
            "TEAM.md": "- team\n",
            "NOTES.md": "- notes\n",
            "OTHER.md": "- other\n",
            "web/NOTES.md": "- web\n",
            **agents,
        }
    )

    start = repo.start("Codex", folder="web")

    assert start.text == text
    assert "shadowed by" in left(start, "NOTES.md").why
    assert "OTHER.md" not in repo.names()


def test_codex_goes_up_to_the_folder_that_its_settings_mark_as_the_top(repo: Repo) -> None:
    files = dict.fromkeys(("AGENTS.md", "web/AGENTS.md", "web/low/AGENTS.md"), "- all\n")
    marks = 'project_root_markers = [".hg"]\n'
    repo.write({**files, ".git/HEAD": "", "web/.hg/x": "", "~/.codex/config.toml": marks})

    start = repo.start("Codex", folder="web/low")

    assert layers(start) == ["web/AGENTS.md", "web/low/AGENTS.md"]


def test_codex_takes_the_bytes_that_its_settings_allow(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- abcdef\n", "~/.codex/config.toml": "project_doc_max_bytes = 5\n"})

    assert repo.start("Codex").text == "- abc"


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ("x = 1\n[\n", "it is no TOML that can be read", 2),
        ("\xff", "it is no TOML that can be read", 1),
        (
            "project_doc_fallback_filenames = 3",
            "`project_doc_fallback_filenames` in it takes a list of names, and has something else",
            1,
        ),
        ("features = true", "`features` in it takes keys with values, and has something else", 1),
        (
            "[projects.x]\ntrust_level = 'maybe'",
            "`trust_level` in it takes `trusted` or `untrusted`, and has something else",
            1,
        ),
        (
            "sandbox_mode = 'none'",
            "`sandbox_mode` in it takes `read-only`, `workspace-write` or `danger-full-access`, "
            "and has something else",
            1,
        ),
        (
            "[mcp_servers.x]\nargs = ['a']",
            "`mcp_servers.x` in it takes a `command` or a `url`, and has something else",
            1,
        ),
    ],
)
def test_settings_that_keep_codex_from_starting_say_so(
    repo: Repo, text: str, why: str, line: int
) -> None:
    repo.write({"AGENTS.md": "- all\n", "~/.codex/config.toml": text.encode("latin-1")})

    start = repo.start("Codex")

    assert start.text == ""
    (stopped,) = (each.problem for each in issues(repo.library()) if each.problem.code == STOPS)
    assert stopped.message == f"Codex does not start here because of `~/.codex/config.toml`: {why}"
    assert stopped.line == line


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "[features]\nmemories = true\nmemory_tool = false\n",
            "memories are off: `memory_tool` in `[features]` of `~/.codex/config.toml` is not "
            "`true`",
        ),
        (
            "[features]\nmemories = true\n[memories]\nuse_memories = false\n",
            "`use_memories` in `[memories]` of `~/.codex/config.toml` is not `true`",
        ),
    ],
)
def test_what_keeps_the_memories_of_codex_out_is_named(repo: Repo, text: str, why: str) -> None:
    summary = "~/.codex/memories/memory_summary.md"
    repo.write({"AGENTS.md": "- all\n", summary: "- kept\n", "~/.codex/config.toml": text})

    assert why in left(repo.start("Codex"), summary).why


def test_qwen_does_not_start_where_its_folders_are_no_list(repo: Repo) -> None:
    said = json.dumps({"context": {"includeDirectories": "docs"}})
    repo.write({"QWEN.md": "- all\n", ".qwen/settings.json": said})

    (stopped,) = (each.problem for each in issues(repo.library()) if each.problem.code == STOPS)
    assert stopped.message == (
        "Qwen Code does not start here: `includeDirectories` in `.qwen/settings.json` is no list"
    )
    assert repo.start("Qwen Code").text == ""


def test_qwen_keeps_notes_of_a_folder_apart_where_no_checkout_holds_it(repo: Repo) -> None:
    kept = f"~/.qwen/projects/{SLUG}/memory/MEMORY.md"
    repo.write({"QWEN.md": "- all\n", "sub/x.md": "x\n", kept: "- kept\n"})
    (notes,) = (name for name in repo.names() if name.endswith("MEMORY.md"))

    assert notes in layers(repo.start("Qwen Code"))
    below = repo.start("Qwen Code", folder="sub")
    assert left(below, notes).why == "Qwen Code keeps notes of `sub/` apart from these"
    assert "the notes that it keeps of `sub/`" in below.unseen


def test_names_that_settings_of_a_folder_below_give_gemini_are_told(repo: Repo) -> None:
    named = json.dumps({"context": {"fileName": ["TEAM.md", "OWN.md"]}})
    at_root = json.dumps({"context": {"fileName": "TEAM.md"}})
    repo.write({"TEAM.md": "- team\n", "sub/OWN.md": "- own\n", "sub/.gemini/settings.json": named})
    repo.write({".gemini/settings.json": at_root, ".git/HEAD": ""})

    start = repo.start("Gemini CLI", folder="sub")

    assert layers(start) == ["TEAM.md"]
    assert "files called `OWN.md`, which `sub/.gemini/settings.json` names" in start.unseen
    assert not any("TEAM.md" in each for each in start.unseen)
