"""Memories that outgrew their budget, how fast they grow, and what would help."""

import subprocess
from datetime import date
from pathlib import Path

import pytest
from tests.sniper_files import carry_out, open_shop, write

from remem.code.file_history import sizes
from remem.core.checks.issues import issues
from remem.core.library import Library
from remem.core.verbs.verbs import plan
from remem.model.change import Intent
from remem.systems.personas.compacting.over_budget import growth, over_budget, repeats, said_twice
from remem.systems.personas.source import persona_sources

MAIN = "home/.night-watch/agents/Carlos/memories/shop/main.md"
WEEKS = ("2026-04-06", "2026-04-13", "2026-04-20", "2026-04-27", "2026-05-04")


def section(day: str, lessons: int) -> str:
    return f"## {day}\n" + "".join(f"- {'lesson ' * 10}{n} of {day}\n" for n in range(lessons))


def workshop(folder: Path, text: str, name: str = MAIN) -> Library:
    (folder / "shop").mkdir(exist_ok=True)
    write(folder, {name: text})
    return open_shop(folder)


def git(folder: Path, *arguments: str, day: str = "2026-04-06") -> None:
    who = ["-c", "user.name=Priya", "-c", "user.email=priya@example.org"]
    when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
    subprocess.run(
        ["git", "-C", str(folder), *who, *arguments],
        check=True,
        capture_output=True,
        env={**when, "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder)},
    )


def test_a_memory_over_its_budget_is_worth_a_look_with_what_would_help(tmp_path: Path) -> None:
    library = workshop(tmp_path, "\n".join(section(day, 30) for day in WEEKS))

    (issue,) = over_budget(library)

    assert issue.problem.code == "over-budget"
    assert "of 2,000 tokens, growing by ≈" in issue.problem.message
    assert "a week (by its dates)" in issue.problem.message
    assert issue.problem.hint == "archive the sections before 2026-04-27"


def test_what_the_worry_offers_makes_the_memory_fit(tmp_path: Path) -> None:
    library = workshop(tmp_path, "- head\n\n" + "\n".join(section(day, 30) for day in WEEKS))
    (issue,) = [w for w in issues(library) if w.problem.code == "over-budget"]

    after = carry_out(library, plan(library, Intent(issue.verb, {}, issue.arguments)))

    assert list(over_budget(after)) == []
    assert (tmp_path / MAIN).read_text().startswith("- head\n\n## 2026-04-27\n")


def test_a_head_that_is_too_large_by_itself_has_no_key_that_mends_it(tmp_path: Path) -> None:
    library = workshop(tmp_path, section("", 200).removeprefix("## \n") + section("2026-05-04", 1))

    (issue,) = over_budget(library)

    assert issue.verb == ""
    assert "compact" in issue.problem.hint


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("home/.night-watch/agents/.archived/Carlos-20260101T000000Z/memories/shop/main.md",
                     id="archived"),
        pytest.param("shop/.squad/agents/hill/history.md", id="loaded-whole"),
    ],
)  # fmt: skip
def test_only_what_is_composed_under_a_budget_can_outgrow_it(tmp_path: Path, name: str) -> None:
    library = workshop(tmp_path, "\n".join(section(day, 60) for day in WEEKS), name)

    assert list(over_budget(library)) == []


def test_git_tells_how_a_committed_memory_grew(tmp_path: Path) -> None:
    name = "shop/.squad/agents/hill/history.md"
    library = workshop(tmp_path, "x" * 400, name)
    root = tmp_path / "shop"
    git(root, "init", "-q")
    for number, day in enumerate(("2026-04-07", "2026-04-14", "2026-04-21")):
        (tmp_path / name).write_text("x" * 400 * (number + 1))
        git(root, "add", "-A", day=day)
        git(root, "commit", "-qm", f"week {number}", day=day)
    (tmp_path / name).write_text("x" * 2_000)

    library = open_shop(tmp_path)
    (source,) = [s for s in persona_sources(library.sources) if s.path == tmp_path / name]
    found = sizes(tmp_path / name, date(2026, 4, 1), "any")
    weekly, who = growth(library, source)

    assert [size.bytes for size in found] == [400, 800, 1_200]
    assert (weekly, who) == (100, "git")


def test_without_git_and_dates_nobody_knows_how_it_grows(tmp_path: Path) -> None:
    library = workshop(tmp_path, section("2026-99-99", 300))
    (source,) = persona_sources(library.sources)

    assert growth(library, source)[0] == 0


def test_a_lesson_said_twice_is_merged_by_the_key_of_its_row(tmp_path: Path) -> None:
    library = workshop(
        tmp_path, "## 2026-05-01\n- Cap retries\n\n## 2026-05-04\n- cap `retries`.\n"
    )

    (issue,) = said_twice(library)
    assert issue.ref is not None
    entry = library.entry(issue.ref)
    change = plan(library, Intent(issue.verb, {entry.ref: entry.digest}, issue.arguments))
    carry_out(library, change)

    text = (tmp_path / MAIN).read_text()
    assert text == "## 2026-05-01\n- Cap retries (also 2026-05-04)\n\n## 2026-05-04\n"


def test_a_memory_that_repeats_itself_but_for_numbers_is_told_once(tmp_path: Path) -> None:
    again = "".join(f"- Two reviewers found {n} slips (again in sprint {n})\n" for n in range(5))
    table = "".join(f"- Row {n}: {n * 7}\n" for n in range(5))
    library = workshop(tmp_path, f"## 2026-05-01\n{again}{table}- Cap retries\n- Cap retries\n")

    (issue,) = repeats(library)

    assert issue.problem.message.startswith("4 lessons of `Carlos")
    assert "Two reviewers found 0 slips" in issue.problem.message


def test_a_label_or_a_date_is_no_lesson_said_twice(tmp_path: Path) -> None:
    library = workshop(
        tmp_path,
        "## One\n\n**Fixes:**\n\n- Cap retries\n\n**Date:** 2026-03-23\n\n"
        "## Two\n\n**Fixes:**\n\n- Count boats\n\n**Date:** 2026-03-23\n",
    )

    assert [*said_twice(library)] == []


FIELDS = "- **Files changed**: `src/pier.py`, `src/quay.py`\n- Status: ✅ Complete\n"


def test_fields_of_two_reports_are_no_lesson_said_twice(tmp_path: Path) -> None:
    library = workshop(tmp_path, f"## One\n{FIELDS}- Cap retries\n\n## Two\n{FIELDS}")

    assert [*said_twice(library)] == []


@pytest.mark.parametrize(
    "text",
    [
        f"## One\n{FIELDS}{FIELDS}",
        "## One\n- Retries: cap them at three and no more\n\n"
        "## Two\n- Retries: cap them at three and no more\n",
    ],
)
def test_a_field_said_twice_in_one_report_and_a_rule_with_a_label_are(
    tmp_path: Path, text: str
) -> None:
    assert [*said_twice(workshop(tmp_path, text))] != []


def test_prose_said_twice_is_merged_by_the_key_of_its_row_and_told_with_its_line(
    tmp_path: Path,
) -> None:
    library = workshop(
        tmp_path, "## 2026-05-01\n\nMoor at the pier first.\n\n## Two\n\nMoor at the pier first.\n"
    )

    (issue,) = said_twice(library)
    assert (issue.problem.line, issue.ref is not None) == (7, True)
    assert issue.ref is not None
    entry = library.entry(issue.ref)
    change = plan(library, Intent(issue.verb, {entry.ref: entry.digest}, issue.arguments))
    carry_out(library, change)

    assert (tmp_path / MAIN).read_text() == "## 2026-05-01\n\nMoor at the pier first.\n\n## Two\n\n"


def test_no_merge_is_offered_that_would_leave_a_gap_in_a_numbered_list(tmp_path: Path) -> None:
    library = workshop(
        tmp_path, "## One\n\n- Cap retries\n\n## Two\n\n1. Cap retries\n2. Count boats\n"
    )

    (issue,) = said_twice(library)

    assert (issue.verb, issue.problem.hint) == ("", "edit one: without it its list has a gap")
