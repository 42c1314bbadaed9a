"""Reading what a tool itself says that it loaded; the shape is that of Claude Code 2.1.330."""

import pytest

from remem.base.errors import NotPossible
from remem.systems.plain.context_tables import Listed, read_list

PRINTED = """\
## Context Usage

**Model:** some-model
**Tokens:** 2.1k / 1m (0%)

### Estimated usage by category

| Category | Tokens | Percentage |
|----------|--------|------------|
| Memory files | 1 | 0.0% |

### Custom Agents

| Agent Type | Source | Tokens |
|------------|--------|--------|
| pilot | Project | 6 |

### Memory Files

| Type | Path | Tokens |
|------|------|--------|
| User | ~/.claude/CLAUDE.md | 11 |
| Project | /shop/CLAUDE.md | 1.2k |

### Skills

| Skill | Source | Tokens |
|-------|--------|--------|
| own | Project | < 20 |
| init | Built-in | ~20 |
"""


def test_the_rows_of_its_tables_are_read_with_what_it_estimates() -> None:
    assert read_list(PRINTED) == (
        Listed("agent", "pilot", "Project", "6"),
        Listed("file", "~/.claude/CLAUDE.md", "User", "11"),
        Listed("file", "/shop/CLAUDE.md", "Project", "1.2k"),
        Listed("skill", "own", "Project", "< 20"),
        Listed("skill", "init", "Built-in", "~20"),
    )


def test_what_comes_with_the_tool_is_told_apart() -> None:
    assert [row.name for row in read_list(PRINTED) if row.comes_with_tool] == ["init"]


def test_a_start_without_files_is_a_list_without_rows() -> None:
    assert read_list("## Context Usage\n\n### Skills\n\n| Skill | Source | Tokens |\n") == ()


@pytest.mark.parametrize("text", ["", "hello\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "{}"])
def test_another_text_is_no_list(text: str) -> None:
    with pytest.raises(NotPossible, match="not a `/context` list"):
        read_list(text)


@pytest.mark.parametrize("row", ["| one |", "|||||", "| a | b | c | d |", "no table"])
def test_a_row_of_another_shape_is_passed_over(row: str) -> None:
    assert read_list(f"{PRINTED}{row}\n") == read_list(PRINTED)
