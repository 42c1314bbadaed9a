"""What each tool starts with, as its own documentation says it loads plain files."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.plain_files import SLUG, Repo, layers, left

from remem.core.prompt.agents import agents_of, as_loaded
from remem.core.prompt.counter import Estimate
from remem.core.prompt.everyones_starts import agent_starts
from remem.model.prompt import Line, Prompt, Reason

MEMORY = f"~/.claude/projects/{SLUG}/memory/MEMORY.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def lines_of(start: Prompt) -> list[tuple[Path, Line]]:
    """Return the lines that are one of a file, in the order in which the agent gets them."""
    lines = [line for layer in start.layers for line in layer.lines]
    return [(line.path, line) for line in lines if line.path is not None]


def bullets(number: int, text: str = "rule") -> str:
    return "".join(f"- {text} {n}\n" for n in range(1, number + 1))


def test_claude_code_loads_user_project_rules_local_and_memory_in_this_order(repo: Repo) -> None:
    repo.write(
        {
            MEMORY: "- noted\n",
            "CLAUDE.local.md": "- mine\n",
            ".claude/rules/style.md": "- style\n",
            ".claude/CLAUDE.md": "- hidden away\n",
            "CLAUDE.md": "- project\n",
            "~/.claude/rules/me.md": "- my rules\n",
            "~/.claude/CLAUDE.md": "- me\n",
        }
    )
    (repo.root.parent / "CLAUDE.md").write_text("- above\n")

    start = repo.start("Claude Code")

    assert start.text == "\n\n".join(
        f"- {text}"
        for text in ("me", "my rules", "above", "project", "hidden away", "style", "mine", "noted")
    )
    assert start.left == ()
    assert any("managed" in each for each in start.unseen)


def test_every_line_carries_its_file_its_number_and_its_entry(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "# Shop\n\n- one\n- two\n", ".claude/rules/a.md": "- three\n"})

    lines = lines_of(repo.start("Claude Code"))

    assert [(path.name, line.number, line.text) for path, line in lines] == [
        ("CLAUDE.md", 1, "# Shop"),
        ("CLAUDE.md", 2, ""),
        ("CLAUDE.md", 3, "- one"),
        ("CLAUDE.md", 4, "- two"),
        ("a.md", 1, "- three"),
    ]
    assert [line.ref is not None for _, line in lines] == [False, False, True, True, True]


def test_nested_instructions_come_in_when_the_agent_works_there(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "- all\n", "web/CLAUDE.md": "- web\n", "api/CLAUDE.md": "- api\n"})

    at_root = repo.start("Claude Code")
    at_work = repo.start("Claude Code", "web/src/app.ts")
    in_web = repo.start("Claude Code", folder="web")

    assert layers(at_root) == ["CLAUDE.md"]
    assert "works on a file in `web/`" in left(at_root, "web/CLAUDE.md").why
    assert layers(at_work) == ["CLAUDE.md", "web/CLAUDE.md"]
    assert layers(in_web) == ["CLAUDE.md", "web/CLAUDE.md"]
    assert "works on a file in `api/`" in left(in_web, "api/CLAUDE.md").why


def test_a_rule_with_paths_waits_below_the_waterline_for_its_files(repo: Repo) -> None:
    repo.write({".claude/rules/ts.md": '---\npaths:\n  - "src/**/*.ts"\n---\n- typed\n'})

    waiting, working = repo.start("Claude Code"), repo.start("Claude Code", "src/a/b.ts")

    assert waiting.text == ""
    assert left(waiting, ".claude/rules/ts.md").why.endswith("works on `src/**/*.ts`")
    assert {verdict.reason for verdict in waiting.verdicts} == {Reason.NOT_LOADED}
    assert working.text == "- typed"


def test_claude_code_reads_agents_md_only_where_no_claude_md_is(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- shared\n", ".claude/rules/a.md": "- ours\n"})
    alone = repo.start("Claude Code")

    beside = repo.write({"CLAUDE.local.md": "- mine\n"}).start("Claude Code")

    assert layers(alone) == [".claude/rules/a.md", "AGENTS.md"]
    assert alone.notes == ()
    assert layers(beside) == [".claude/rules/a.md", "CLAUDE.local.md"]
    assert "`CLAUDE.local.md`" in left(beside, "AGENTS.md").why


def test_imports_come_behind_their_file_and_code_is_no_import(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "- see @docs/a.md and not `@docs/b.md`\n\n```\n@docs/b.md\n```\n@anna\n",
            "docs/a.md": "- a\n@c.md\n",
            "docs/b.md": "- b\n",
            "docs/c.md": "- c\n",
        }
    )

    start = repo.start("Claude Code")

    assert layers(start) == ["CLAUDE.md", "docs/a.md", "docs/c.md"]
    assert start.notes == ()


def test_imports_in_a_circle_are_loaded_once_and_named(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "@a.md\n", "a.md": "- a\n@b.md\n", "b.md": "- b\n@a.md\n@CLAUDE.md\n"})

    start = repo.start("Claude Code")

    assert layers(start) == ["CLAUDE.md", "a.md", "b.md"]
    assert [note for note in start.notes if "circular" in note] == [
        "`@a.md` in `b.md` is circular; the file is loaded once",
        "`@CLAUDE.md` in `b.md` is circular; the file is loaded once",
    ]


def test_imports_go_four_files_deep(repo: Repo) -> None:
    chain = {f"d{n}.md": f"- {n}\n@d{n + 1}.md\n" for n in range(1, 8)}
    repo.write({"CLAUDE.md": "@d1.md\n", **chain})

    start = repo.start("Claude Code")

    assert layers(start) == ["CLAUDE.md", "d1.md", "d2.md", "d3.md", "d4.md"]
    assert [each.why for each in start.left] == ["it is imported more than 4 files deep"]


def test_an_import_from_outside_is_named_and_not_read(repo: Repo) -> None:
    outside = repo.root.parent / "secret.md"
    outside.write_text("- secret\n")
    repo.write({"CLAUDE.md": "@../secret.md\n@~/notes.md\n@docs/gone.md\n", "~/notes.md": "- n\n"})

    start = repo.start("Claude Code")

    assert "secret" not in start.text.replace("@../secret.md", "")
    assert "asks for approval" in left(start, str(outside)).why
    assert "asks for approval" in left(start, "~/notes.md").why
    assert start.notes == ("`@docs/gone.md` in `CLAUDE.md` does not exist",)


def test_comments_that_stand_by_themselves_are_taken_out(repo: Repo) -> None:
    comment, code = "<!-- for\nmaintainers -->\n", "```\n<!-- code -->\n```\n"
    repo.write({"CLAUDE.md": f"- a\n{comment}- b <!-- stays -->\n{code}"})

    start = repo.start("Claude Code")

    assert start.text == "- a\n- b <!-- stays -->\n```\n<!-- code -->\n```"
    assert left(start, "CLAUDE.md").first == 2


def test_the_auto_memory_is_cut_at_two_hundred_lines(repo: Repo) -> None:
    repo.write({MEMORY: bullets(230), f"{Path(MEMORY).parent}/topic.md": "- t\n"})

    start = repo.start("Claude Code")

    (layer,) = start.layers
    assert len(layer.lines) == 200
    assert next(each for each in start.left if each.name.endswith("MEMORY.md")).first == 201
    assert "opens this file itself" in next(x for x in start.left if "topic" in x.name).why


def test_a_named_agent_of_claude_code_gets_the_projects_instructions_too(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "- project\n",
            MEMORY: "- of the main agent\n",
            ".claude/agents/ana.md": "---\nname: ana\ndescription: d\n"
            "memory: project\n---\nYou review.\n",
            ".claude/agent-memory/ana/MEMORY.md": "- learnt\n",
            ".claude/agents/bo.md": "---\nname: bo\ndescription: d\n"
            "omitClaudeMd: true\n---\nYou look.\n",
        }
    )

    ana, bo = repo.start("ana"), repo.start("bo")

    assert ana.text == "You review.\n\n- project\n\n- learnt"
    assert bo.text == "You look."
    assert [file.name for file in repo.agents()["ana"].files] == [
        "agents/ana.md",
        "CLAUDE.md",
        "ana/MEMORY.md",
    ]


def test_codex_takes_one_file_a_folder_down_to_where_it_is_started(repo: Repo) -> None:
    (repo.root / ".git").mkdir()
    repo.write(
        {
            "~/.codex/AGENTS.md": "- me\n",
            "AGENTS.md": "- all\n",
            "AGENTS.override.md": "- instead\n",
            "web/AGENTS.md": "- web\n",
        }
    )
    (repo.root.parent / "AGENTS.md").write_text("- above the checkout\n")

    at_root, in_web = repo.start("codex"), repo.start("Codex", folder="web")

    assert at_root.text == "- me\n\n- instead"
    assert left(at_root, "AGENTS.md").why == "shadowed by `AGENTS.override.md` beside it"
    assert "started in `web/`" in left(at_root, "web/AGENTS.md").why
    assert any("is above" in each.why for each in at_root.left)
    assert in_web.text == "- me\n\n- instead\n\n- web"


def test_codex_stops_at_thirty_two_kilobytes_of_all_files_together(repo: Repo) -> None:
    (repo.root / ".git").mkdir()
    line = "- " + "x" * 97 + "\n"
    repo.write({"AGENTS.md": line * 300, "a/AGENTS.md": line * 100, "a/b/AGENTS.md": line})

    start = repo.start("codex", folder="a/b")

    assert [len(layer.lines) for layer in start.layers] == [300, 28]
    assert left(start, "a/AGENTS.md").first == 28
    assert "32,768 bytes" in left(start, "a/b/AGENTS.md").why


def test_cursor_loads_always_and_fitting_rules_and_names_the_others(repo: Repo) -> None:
    repo.write(
        {
            ".cursor/rules/always.mdc": "---\nalwaysApply: true\n---\n- always\n",
            ".cursor/rules/styles.mdc": "---\nglobs: *.css\n---\n- css\n",
            ".cursor/rules/forms.mdc": "---\ndescription: forms\n---\n- forms\n",
            ".cursor/rules/release.mdc": "---\nalwaysApply: false\n---\n- release\n",
            ".cursor/rules/notes.md": "- ignored\n",
            ".cursorrules": "- old\n",
        }
    )

    start, styling = repo.start("Cursor"), repo.start("Cursor", "web/a/b.css")

    assert start.text == "- always\n\n- old"
    assert {each.name.rpartition("/")[2]: each.why for each in start.left} == {
        "styles.mdc": "loaded only when the agent works on `*.css`",
        "forms.mdc": "the agent sees only its description and decides",
        "release.mdc": "loaded only when someone names it",
        "notes.md": "Cursor ignores a plain `.md` file among its rules; its rules end in `.mdc`",
    }
    assert styling.text == "- always\n\n- old\n\n- css"


def test_gemini_lets_a_persons_own_file_import_nothing_of_the_project(repo: Repo) -> None:
    repo.write({"GEMINI.md": "- all\n", "docs/a.md": "- a\n"})
    repo.write({"~/.gemini/GEMINI.md": f"- me @{repo.path('docs/a.md')}\n"})

    start = repo.start("Gemini CLI")

    assert start.text == f"- me @{repo.path('docs/a.md')}\n\n- all"
    why = "imports it from outside of `~/.gemini/`, where Gemini CLI stays"
    assert why in left(start, "docs/a.md").why


def test_gemini_puts_an_import_where_its_sign_stands(repo: Repo) -> None:
    repo.write(
        {"GEMINI.md": "- a\n@./b.md\n- see @c.md too\n- z\n", "b.md": "- b\n", "c.md": "- c\n"}
    )

    start = repo.start("Gemini CLI")

    assert start.text == "- a\n\n- b\n\n- see @c.md too\n\n- c\n\n- z"
    assert repo.agents()["Gemini CLI"].files[0].is_cut is False


def test_windsurf_goes_by_its_triggers(repo: Repo) -> None:
    rules = {"always_on": "", "manual": "", "model_decision": "", "glob": "globs: src/**\n"}
    repo.write(
        {f".windsurf/rules/{t}.md": f"---\ntrigger: {t}\n{g}---\n- {t}\n" for t, g in rules.items()}
    )

    start, working = repo.start("Windsurf"), repo.start("Windsurf", "src/x.go")

    assert start.text == "- always_on"
    assert len(start.left) == 3
    assert working.text == "- always_on\n\n- glob"


def test_of_serenas_memories_only_the_names_are_loaded(repo: Repo) -> None:
    repo.write(
        {
            ".serena/memories/web/forms.md": "- a\n",
            ".serena/memories/style.md": "- b\n",
            "~/.serena/memories/global/git.md": "- c\n",
        }
    )

    start = repo.start("Serena")

    assert start.text == "global/git\nstyle\nweb/forms"
    assert {each.why for each in start.left} == {"only its name is loaded"}


def test_a_tool_is_an_agent_where_a_file_of_its_own_lies(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- a\n", "CLAUDE.md": "- b\n"})
    shared = set(repo.agents())

    own = set(repo.write({".clinerules": "- b\n"}).agents())

    assert shared == {"Codex", "Claude Code"}
    assert own == {"Codex", "Claude Code", "Cline"}


def test_a_repository_with_agents_md_alone_shows_every_tool_that_reads_it(repo: Repo) -> None:
    repo.write({"AGENTS.md": "- a\n", "~/.gemini/GEMINI.md": "- me\n"})

    found = repo.agents()

    names = ["Claude Code", "Codex", "Cursor", "GitHub Copilot", "VS Code", "Gemini CLI"]
    names += ["Qwen Code", "OpenCode", "Windsurf", "Cline", "Hermes", "Amp", "Zed", "Junie", "Kiro"]
    names += ["Roo Code", "Continue", "Goose", "Warp", "Crush"]
    assert [*found] == names
    assert {repo.start(name).text for name in names} == {"- a", "- me"}


def test_who_starts_is_told_without_counting_and_in_the_same_order(repo: Repo) -> None:
    repo.write(
        {
            "AGENTS.md": "- a\n",
            "CLAUDE.md": "- b\n",
            ".claude/agents/ana.md": "---\nname: ana\ndescription: d\n---\nYou.\n",
        }
    )
    library = repo.library()

    found = agents_of(library)

    assert [who.name for who in found] == [*repo.agents()] == ["Claude Code", "Codex", "ana"]
    text = as_loaded(library, found[0].ask, Estimate()).text
    assert text == "- b\n\n- ana: d (Tools: All tools)"


def test_agents_that_start_together_get_what_each_gets_alone(repo: Repo) -> None:
    repo.write(
        {
            "CLAUDE.md": "# All\n\n- a\n\n@more.md\n@gone.md\n",
            "more.md": "- b\n",
            ".claude/rules/web.md": "---\npaths: web/**\n---\n- c\n",
            ".claude/agents/ana.md": "---\nname: ana\ndescription: d\n---\nYou.\n",
            ".claude/agents/ben.md": "---\nname: ben\ndescription: d\n"
            "omitClaudeMd: true\n---\nYou too.\n",
            ".claude/agents/cleo.md": "---\nname: cleo\ndescription: d\n---\nYou as well.\n",
            ".claude/agent-memory/cleo/MEMORY.md": "- d\n",
        }
    )
    library = repo.library()

    together = [*agent_starts(library, Estimate())]

    alone = [as_loaded(library, who.ask, Estimate()) for who in agents_of(library)]
    assert [start.prompt for start in together] == alone
    assert [start.name for start in together] == ["Claude Code", "ana", "ben", "cleo"]


def test_a_rule_that_no_page_and_no_run_shows_is_said_to_be_not_confirmed(repo: Repo) -> None:
    repo.write({".devin/rules/a.md": "---\ntrigger: always_on\n---\n- new\n"})

    notes = repo.start("Windsurf").notes

    assert [note.partition(":")[0] for note in notes] == ["not confirmed of `.devin/rules/a.md`"]


PIECES = st.sampled_from(
    ["- a\n", "# H\n", "\n", "<!-- c -->\n", "@b.md\n", "```\n", "text\r\n", "x"]
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(main=st.lists(PIECES, max_size=8), other=st.lists(PIECES, max_size=4))
def test_a_start_is_made_of_lines_that_stand_so_in_their_files(
    tmp_path_factory: pytest.TempPathFactory, main: list[str], other: list[str]
) -> None:
    repo = Repo(tmp_path_factory.mktemp("start"))
    repo.write({"CLAUDE.md": "".join(main), "b.md": "".join(other)})

    start = repo.start("Claude Code")

    lines = lines_of(start)
    for path, line in lines:
        raw = path.read_bytes().split(b"\n")
        assert raw[line.number - 1].decode() == line.text
    numbers = [line.number for path, line in lines if path == repo.path("CLAUDE.md")]
    assert numbers == sorted(set(numbers))


def test_what_agents_md_imports_counts_for_those_alone_who_read_it(repo: Repo) -> None:
    repo.write({"AGENTS.md": "@docs/a.md\n", "docs/a.md": "- a\n"})
    alone = layers(repo.start("Claude Code"))

    repo.write({"CLAUDE.md": "- b\n"})

    assert alone == ["AGENTS.md", "docs/a.md"]
    assert layers(repo.start("Claude Code")) == ["CLAUDE.md"]
    assert layers(repo.start("GitHub Copilot")) == ["AGENTS.md", "docs/a.md", "CLAUDE.md"]
    assert layers(repo.start("Codex")) == ["AGENTS.md"]
