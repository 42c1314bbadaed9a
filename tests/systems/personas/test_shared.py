"""Lessons that several personas have, and a team's decisions by their age."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.systems.personas.test_persona_lifecycle import House

from remem.base.errors import Already, NotPossible
from remem.core.checks.issues import issues
from remem.model.change import Change, Intent, Json
from remem.systems.personas.lessons.shared_lessons import shared_lessons

SAME = "Ports are counted twice a day"
DECISIONS = (
    "# Decisions\n\n### 2025-01-02: Use ports\n\n**By:** Hill\n\nBecause.\n\n- a\n\n"
    "### 2026-01-02: Use bells\n\nText.\n\n### Undated one\n\nStays.\n"
)
AGENTS = ".squad/agents"
FILES: dict[str, str | bytes] = {
    f"{AGENTS}/hill/history.md": f"# Hill\n\n## Learnings\n\n### 2026-01-01\n\n- {SAME}\n- Own\n",
    f"{AGENTS}/fury/history.md": f"# Fury\n\n## Learnings\n\n- {SAME}.\n- Ports: never\n",
    f"{AGENTS}/vega/history.md": "# Vega\n\n## Learnings\n\n- Stars are far\n",
    ".squad/decisions.md": DECISIONS,
    ".sniper/memory/conventions.yaml": "conventions: []\n",
}


def _share(of: House, to: str, name: str = SAME) -> Change:
    entries = [e for s in of.bench.library.sources for e in s.entries if e.title.startswith(name)]
    shown = {entries[0].ref: entries[0].digest}
    return of.bench.apply(Intent("lesson.share", shown, {"to": to})).change


def test_only_what_several_personas_say_is_shared_and_the_opposite_is_not(tmp_path: Path) -> None:
    of = House(tmp_path, root=FILES)

    (shared,) = shared_lessons(of.bench.library)

    assert shared.owners == ("fury", "hill")
    assert {entry.title.rstrip(".") for entry in shared.copies} == {SAME}


def test_a_comment_that_a_template_left_is_no_lesson_that_they_share(tmp_path: Path) -> None:
    comment = "\n<!-- Append new learnings below. -->\n"
    files = {path: text + comment for path, text in FILES.items() if isinstance(text, str)}
    of = House(tmp_path, root={**FILES, **{p: t for p, t in files.items() if "history" in p}})

    (shared,) = shared_lessons(of.bench.library)

    assert shared.owners == ("fury", "hill")


def test_it_is_kept_in_one_memory_which_says_who_else_learnt_it(tmp_path: Path) -> None:
    of = House(tmp_path, root=FILES)
    before = of.tree()

    change = _share(of, "one")

    assert change.title.startswith("Keep 2 lessons in fury/history.md: persona:fury#")
    fury, hill = ((of.root / AGENTS / n / "history.md").read_text() for n in ("fury", "hill"))
    assert f"- {SAME}. (also hill, 2026-01-01)\n" in fury
    assert SAME not in hill
    assert "- Own\n" in hill
    assert not shared_lessons(of.bench.library)
    of.bench.undo()
    assert of.tree() == before


def test_it_becomes_a_decision_of_the_team_and_the_copies_lie_in_the_archives(
    tmp_path: Path,
) -> None:
    of = House(tmp_path, root=FILES)
    before = of.tree()

    change = _share(of, "decision")

    decisions = (of.root / ".squad/decisions.md").read_text()
    assert decisions.startswith(DECISIONS)
    assert "**By:** fury, hill\n" in decisions
    assert f"**What:** {SAME}." in decisions
    for name in ("fury", "hill"):
        assert SAME not in (of.root / AGENTS / name / "history.md").read_text()
        assert SAME in (of.root / AGENTS / name / "history-archive.md").read_text()
    assert "2 lessons = 2 in archives · 0 lost" in change.receipt
    of.bench.undo()
    assert of.tree() == before


def test_it_becomes_a_rule_in_force(tmp_path: Path) -> None:
    of = House(tmp_path, root=FILES)

    _share(of, "convention")

    (rule,) = (e for s in of.bench.library.sources for e in s.entries if e.kind == "convention")
    assert (rule.title, rule.status) == (f"{SAME}.", "active")
    assert not shared_lessons(of.bench.library)


def test_what_nobody_else_has_and_no_team_decides_is_refused(tmp_path: Path) -> None:
    of = House(tmp_path, root=FILES)
    with pytest.raises(NotPossible, match="nobody else has"):
        _share(of, "one", "Stars are far")
    claude = {f".claude/agent-memory/{n}/MEMORY.md": f"- {SAME}\n" for n in ("a", "b")}
    of = House(tmp_path / "claude", root=claude)
    with pytest.raises(NotPossible, match="no team that keeps decisions"):
        _share(of, "decision")


def test_health_names_what_several_memories_have_with_the_verb(tmp_path: Path) -> None:
    of = House(tmp_path, root=FILES)

    (found,) = (each for each in issues(of.bench.library) if each.verb == "lesson.share")

    assert found.problem.message == f"fury and hill have the same lesson: {SAME}."
    assert found.problem.path is not None
    lines = found.problem.path.read_text().splitlines()
    assert SAME in lines[found.problem.line - 1]


def test_decisions_of_a_team_before_a_day_go_into_their_archive_in_one_go(tmp_path: Path) -> None:
    of = House(tmp_path, root=FILES)
    before = of.tree()

    change = of.does("sections.archive", team=True, before="2025-12-31")

    log = (of.root / ".squad/decisions.md").read_text()
    archive = (of.root / ".squad/decisions-archive.md").read_text()
    assert change.title == "Archive 1 decision of the team before 2025-12-31"
    assert log == DECISIONS.replace(archive.rstrip("\n") + "\n\n", "")
    assert "### 2025-01-02: Use ports\n\n**By:** Hill\n\nBecause.\n\n- a\n" in archive
    with pytest.raises(Already):
        of.does("sections.archive", team=True, before="2025-12-31")
    with pytest.raises(NotPossible, match="team"):
        of.does("sections.archive", team=True, persona="hill", before="2025-12-31")
    of.bench.undo()
    assert of.tree() == before


UNTIDY = """\
### 2026-02-20: Ports first

**By:** Hill

---

### 2026-03-04: Where we stand

Well.

## Open questions

None.

---

## Success metrics

- Faster

# Tier one

## Choice 1: A lock

### Context

Two writers.

### 2026-03-06: Later

- b
"""


def test_old_decisions_are_archived_though_what_stood_below_them_is_read_otherwise(
    tmp_path: Path,
) -> None:
    of = House(tmp_path, root={**FILES, ".squad/decisions.md": UNTIDY})
    before = of.tree()

    change = of.does("sections.archive", team=True, before="2026-03-05")

    log = (of.root / ".squad/decisions.md").read_text()
    archive = (of.root / ".squad/decisions-archive.md").read_text()
    assert log == UNTIDY[UNTIDY.index("# Tier one") :]
    assert archive.split() == UNTIDY[: UNTIDY.index("# Tier one")].split()
    assert change.receipt == "7 units of decisions.md = 3 here + 4 in decisions-archive.md" + (
        " · 0 lost, 0 added"
    )
    (note,) = change.notes
    assert note.startswith("`decisions.md` will be read as 2 units, not 3: ")
    of.bench.undo()
    assert of.tree() == before


def test_a_separator_inside_a_line_is_kept_as_it_is_in_the_archive(tmp_path: Path) -> None:
    old = "### 2026-02-20: Ports\u2028first\n\nOne\x0cpage\n"
    of = House(tmp_path, root={**FILES, ".squad/decisions.md": f"# Decisions\n\n{old}"})

    of.does("sections.archive", team=True, before="2026-03-05")

    assert old in (of.root / ".squad/decisions-archive.md").read_text()


def test_a_log_over_its_mark_names_how_many_decisions_are_old(tmp_path: Path) -> None:
    long = DECISIONS + "".join(
        f"\n### 2025-02-{day:02}: Choice {day}\n\n{'word ' * 200}\n" for day in range(1, 29)
    )
    of = House(tmp_path, root={**FILES, ".squad/decisions.md": long})

    log = of.root / ".squad/decisions.md"
    (found,) = (each for each in issues(of.bench.library) if each.problem.path == log)
    assert found.verb == "sections.archive"
    asked: dict[str, Json] = dict(found.arguments)
    of.does("sections.archive", **asked)

    told = found.problem.message
    assert re.search(r" bytes; Squad expects less than 20,000; \d+ decisions in it are ", told)
    assert "Choice" not in (of.root / ".squad/decisions.md").read_text()
