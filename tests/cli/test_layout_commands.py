"""`layout`, and what `compose --as-loaded` prints of plain files."""

from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of, write

FILES = {
    "CLAUDE.md": "# Shop\n\n- use tabs\n",
    "web/CLAUDE.md": "- web\n",
    ".claude/rules/ts.md": "---\npaths: src/**\n---\n- typed\n",
    ".abacus/rules/a.md": "- two\n",
}


@pytest.fixture
def repo(shop: Shell) -> Path:
    write(shop.root, FILES)
    return shop.root


def test_compose_names_file_and_line_of_each_line_and_what_is_not_loaded(
    shop: Shell, repo: Path
) -> None:
    done = shop("compose", "--as-loaded", "--agent", "Claude Code")
    document = document_of(shop("compose", "--agent", "claude-code", "--json"), "compose")

    (layer,) = document["layers"]
    assert done.out == f"{document['text']}\n" == "# Shop\n\n- use tabs\n"
    assert [(line["file"], line["line"]) for line in layer["lines"]] == [
        (str(repo / "CLAUDE.md"), number) for number in (1, 2, 3)
    ]
    assert {Path(each["file"]).name for each in document["left"]} == {"CLAUDE.md", "ts.md"}
    assert "not loaded: .claude/rules/ts.md: loaded only when the agent works on `src/**`" in (
        done.err
    )
    assert "note: not shown: the system prompt of Claude Code" in done.err


def test_the_only_agent_needs_no_name_and_an_unknown_one_is_told_who_is_there(
    empty: Shell,
) -> None:
    write(empty.root, {"CLAUDE.md": "- use tabs\n"})

    alone = empty("compose", "--as-loaded")
    unknown = empty("compose", "--agent", "nobody")

    assert alone.out == "- use tabs\n"
    assert unknown.code == 2
    assert "no agent called `nobody` loads files here" in unknown.err
    assert "agents here: `Claude Code`" in unknown.err


def test_of_many_agents_the_nearest_names_are_offered_and_few_are_listed(empty: Shell) -> None:
    head = "---\nname: {0}\ndescription: Does {0}\n---\nYou do.\n"
    names = [f"tester-{number:02}" for number in range(20)]
    write(empty.root, {f".claude/agents/{name}.md": head.format(name) for name in names})

    for asked in (("compose", "--agent", "tester-7"), ("status", "--agent", "tester-7")):
        unknown = empty(*asked)
        assert unknown.code == 2
        assert "did you mean `tester-" in unknown.err
        assert "`tester-08` and 11 more" in unknown.err, unknown.err
        assert "tester-12" not in unknown.err


def test_files_and_folder_say_what_the_agent_works_on(shop: Shell, repo: Path) -> None:
    working = shop("compose", "--agent", "claude-code", "--files", "src/a.ts")
    below = shop("compose", "--agent", "claude-code", "--folder", "web/")

    assert working.out == "# Shop\n\n- use tabs\n\n- typed\n"
    assert below.out == "# Shop\n\n- use tabs\n\n- web\n"


def test_layouts_are_listed_with_what_is_here(shop: Shell, repo: Path) -> None:
    document = document_of(shop("layout", "list", "--json"), "layout-list")

    found = {each["name"]: each for each in document["layouts"]}
    assert found["claude-md"]["found"] == 2
    assert found["claude-md"]["claim"].startswith("https://")
    assert found["memory-bank"]["loader"] == "on request"
    assert ".clinerules, .clinerules/*.md" in shop("layout", "list").out


def test_an_unknown_folder_is_named_and_read_once_a_layout_is_added(
    shop: Shell, repo: Path
) -> None:
    before = shop("status")
    dry = shop("layout", "add", ".abacus/rules", "--tool", "Abacus", "--dry-run")
    assert not (repo / ".remem" / "config.yaml").exists()

    shop("layout", "add", ".abacus/rules", "--tool", "Abacus")

    assert "`.abacus/rules/` looks like memory, but no layout reads it" in before.out
    assert "+    tool: Abacus" in dry.out
    assert "plain:.abacus/rules/a.md#" in shop("list").out
    assert "looks like memory" not in shop("status").out


def test_list_search_and_show_know_plain_files(shop: Shell, repo: Path) -> None:
    listed = shop("list", "--format", "plain", "--query", "tabs").out
    ref = listed.split("\t")[0]

    assert "use tabs" in shop("search", "tabs").out
    assert "use tabs" in shop("show", ref).out
