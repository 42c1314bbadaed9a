"""A start as a sum on the command line, and a tool's own list held against it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell, document_of, write

FILES = {
    "CLAUDE.md": "- Land the boats\n",
    ".claude/agents/pilot.md": "---\nname: pilot\ndescription: steers\n---\nYou steer.\n",
    ".claude/skills/moor/SKILL.md": "---\ndescription: moors\n---\nBody\n",
}


def list_of(*files: Path | str, agents: str = "pilot", skills: str = "moor") -> str:
    rows = "".join(f"| Project | {file} | 12 |\n" for file in files)
    return (
        "## Context Usage\n\n### Custom Agents\n\n"
        f"| Agent Type | Source | Tokens |\n|---|---|---|\n| {agents} | Project | 6 |\n\n"
        f"### Memory Files\n\n| Type | Path | Tokens |\n|---|---|---|\n{rows}\n"
        "### Skills\n\n| Skill | Source | Tokens |\n|---|---|---|\n"
        f"| {skills} | Project | < 20 |\n| init | Built-in | ~20 |\n"
    )


def held(empty: Shell, text: str) -> dict[tuple[str, str], str]:
    write(empty.root, {"list.txt": text})
    answer = empty("status", "--against", str(empty.root / "list.txt"), "--json")
    assert answer.code == 0
    rows = document_of(answer, "status-against")["rows"]
    return {(row["kind"], row["name"]): row["who"] for row in rows}


def test_rows_that_both_have_agree_and_what_the_tool_brings_is_told(empty: Shell) -> None:
    write(empty.root, FILES)

    found = held(empty, list_of(empty.root / "CLAUDE.md"))
    text = empty("status", "--against", str(empty.root / "list.txt"))

    assert found == {
        ("file", "CLAUDE.md"): "both",
        ("agent", "pilot"): "both",
        ("skill", "moor"): "both",
        ("skill", "init"): "brought",
    }
    assert "3 rows in both, no differences; 1 from the tool itself." in text.out


def test_rows_that_only_one_has_are_told_and_it_ends_with_0(empty: Shell) -> None:
    write(empty.root, FILES)

    found = held(empty, list_of(empty.root / "docs/other.md", agents="stoker"))
    text = empty("status", "--against", str(empty.root / "list.txt"))

    assert found["file", "CLAUDE.md"] == "remem"
    assert found["file", str(empty.root / "docs/other.md")] == "tool"
    assert (found["agent", "pilot"], found["agent", "stoker"]) == ("remem", "tool")
    assert text.code == 0
    assert "4 rows in only one list" in text.out
    assert "only in remem's list" in text.out
    assert "only in the tool's list" in text.out


def test_paths_are_the_same_from_the_root_from_home_or_whole(empty: Shell) -> None:
    write(empty.root, FILES)
    write(empty.home, {".claude/CLAUDE.md": "- mine\n"})

    found = held(empty, list_of("CLAUDE.md", "~/.claude/CLAUDE.md"))

    assert {who for (kind, _), who in found.items() if kind == "file"} == {"both"}


def test_another_text_and_a_missing_file_are_said(empty: Shell) -> None:
    write(empty.root, {"list.txt": "no list\n", "empty.txt": "\n"})

    for name, said in (
        ("list.txt", "not a `/context` list"),
        ("empty.txt", "empty"),
        ("gone.txt", "gone.txt"),
    ):
        answer = empty("status", "--against", str(empty.root / name))
        assert answer.code == 2
        assert said in answer.err


def test_the_rows_of_everyone_in_status_add_up(shop: Shell) -> None:
    write(shop.root, FILES)

    agents = document_of(shop("status", "--no-growth", "--json"), "status")["agents"]

    assert {"Claude Code", "pilot", "backend-engineer"} <= {each["name"] for each in agents}
    for each in agents:
        assert sum(row["tokens"] or 0 for row in each["rows"]) == each["tokens"], each["name"]


def test_the_start_of_one_is_shown_row_by_row_with_the_sum(empty: Shell) -> None:
    write(empty.root, FILES)

    text = empty("status", "--agent", "claude code")
    one = document_of(empty("status", "--agent", "pilot", "--no-growth", "--json"), "status")
    nobody = empty("status", "--agent", "nobody")

    assert "the sum of these rows" in text.out
    assert "Not counted" in text.out
    assert [each["name"] for each in one["agents"]] == ["pilot"]
    assert nobody.code == 2
    assert "`Claude Code`" in nobody.err
