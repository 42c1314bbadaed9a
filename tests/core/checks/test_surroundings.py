"""A rule is read with what stands around it, before it is told to conflict with another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.core.checks.contradictions import opposed_issues

MORE = "# Pier\n\n## Cranes\n\n- Paint them by hand\n"


def told(tmp_path: Path, *texts: str) -> int:
    files = dict(zip(("CLAUDE.md", "AGENTS.md"), texts, strict=False))
    return len([*opposed_issues(Repo(tmp_path).write(files).library())])


@pytest.mark.parametrize("lead", ["**Do NOT:**", "Never:", "## Prohibited Practices", "### Don'ts"])
def test_what_stands_below_a_line_that_forbids_it_agrees_with_a_denial(
    tmp_path: Path, lead: str
) -> None:
    below = f"# Pier\n\n{lead}\n\n- Use local tides for cranes\n"

    assert told(tmp_path / "one", below, "- Do not use local tides for cranes\n") == 0
    assert told(tmp_path / "two", "- Use local tides for cranes\n", below) == 0


@pytest.mark.parametrize("lead", ["**Do:**", "## Cranes without a horn", "Cranes are disabled:"])
def test_below_any_other_line_it_does_not(tmp_path: Path, lead: str) -> None:
    below = f"# Pier\n\n{lead}\n\n- Use local tides for cranes\n"

    assert told(tmp_path, below, "- Do not use local tides for cranes\n") == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("Draft", "Final"), ("Cranes of the pier", "Cranes of the quay")],
)
def test_sections_beside_each_other_have_values_and_names_of_their_own(
    tmp_path: Path, one: str, other: str
) -> None:
    text = "# Tides\n\n## {}\n\n- Cost: $0.{} per crane\n\n## {}\n\n- Cost: $0.{} per crane\n"

    assert told(tmp_path / "one", text.format(one, "10", other, "70")) == 0
    assert told(tmp_path / "two", text.format(one, "10", one, "70")) == 1


def test_what_denies_is_told_of_two_sections_and_values_of_two_files(tmp_path: Path) -> None:
    rule = "Squash commits before a merge\n"
    sections = f"# Git\n\n## Before\n\n- Always {rule}\n## Behind\n\n- Never {rule}"
    costs = ["# Tides\n\n## {}\n\n- Cost: $0.{} per crane\n".format(*x) for x in ("A1", "B7")]

    assert told(tmp_path / "one", sections) == 1
    assert told(tmp_path / "two", *costs) == 1


def test_what_two_days_tell_is_no_conflict_and_what_they_ask_is(tmp_path: Path) -> None:
    text = "# Log\n\n## 2026-01-04\n\n- {}\n\n## 2026-02-04\n\n- {}\n"
    tells = ("The crane of the pier has no local tides", "The crane of the pier has local tides")
    asks = ("Never use local tides for cranes", "Always use local tides for cranes")

    assert told(tmp_path / "one", text.format(*tells)) == 0
    assert told(tmp_path / "two", text.format(*asks)) == 1
    assert told(tmp_path / "three", text.format(*tells).replace("2026-0", "Part ")) == 1


def test_the_rest_of_a_sentence_is_no_rule(tmp_path: Path) -> None:
    text = "# Pier\n\nIt says that cranes of the pier\n\nare{} linked to the horn.\n"
    rule = "Cranes are{} linked to the horn.\n"

    assert told(tmp_path / "one", text.format(" not"), rule.format("")) == 0
    assert told(tmp_path / "two", rule.format(" not"), rule.format("")) == 1


def test_what_does_not_work_and_the_plan_to_make_it_work_agree(tmp_path: Path) -> None:
    text = "# Pier\n\n## {}\n\n- Horn signals are not enabled\n\n## {}\n\n- Enable horn signals\n"

    assert told(tmp_path / "one", text.format("Known Issues", "Next Steps")) == 0
    assert told(tmp_path / "two", text.format("Horns", "Rules")) == 1
