"""Retros, estimates, settings and the summary: read, shown, and rendered again."""

from pathlib import Path

import pytest
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS, DECISIONS, MEMORY, RETRO, project

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.model.entry import Problem, Status
from remem.systems.sniper.format import Sniper
from remem.systems.sniper.summary import MARK

SNIPER = Sniper()
SUMMARY = f"{MEMORY}/summary.md"
SPRINT_7 = """\
sprint: 7
date: "2026-05-04"
stories_completed: 6
stories_carried_over: 1
findings:
  new_conventions:
    - rule: "Clocks are passed in"
      recommendation: codify
      applies_to: [qa]
  review_gate_failures:
    - {check: Errors, failures: 3, pattern: "Retry without limit", already_tracked: true}
  positive_patterns: ["Small pull requests"]
"""
FILES = {
    CONVENTIONS: """\
conventions:
  - {id: conv-001, rule: "Log JSON", applies_to: [qa, architect]}
  - {id: conv-002, rule: "Names are verbs", status: candidate, enforcement: spawn_prompt}
""",
    ANTI_PATTERNS: """\
anti_patterns:
  - {id: ap-001, description: "Sleeping", fix_pattern: "wait for the event", severity: critical}
""",
    DECISIONS: """\
decisions:
  - {id: dec-001, title: Datastore, decision: PostgreSQL}
  - {id: dec-002, title: Queue, decision: None, status: deprecated}
""",
    f"{MEMORY}/estimates.yaml": """\
calibration:
  velocity_factor: 0.85
  common_underestimates:
    - {pattern: "Auth stories", typical_miss: "+40%", reason: "tests"}
  last_updated: 2026-02-20
  sprints_analyzed: 4
""",
    RETRO: SPRINT_7,
    ".sniper/retros/sprint-8.yml": 'sprint: 8\ndate: "2026-05-18"\n',
}


def problems(library: Library) -> list[Problem]:
    return [problem for _, _, problem in library.problems()]


def test_the_summary_is_rendered_from_the_files(tmp_path: Path) -> None:
    library = project(tmp_path, FILES)

    data = SNIPER.render(library.ground, library.sources, library.ground.root / SUMMARY)

    assert data is not None
    assert (
        data.decode()
        == f"""\
{MARK}

# Project memory

2 conventions (1 candidate) · 1 anti-pattern · 2 decisions · 2 retrospectives

## Conventions

- **conv-001** Log JSON · qa, architect · both

### Candidates

- **conv-002** Names are verbs · every role · spawn_prompt

## Anti-patterns

- **ap-001** [high] Sleeping → wait for the event

## Decisions

- **dec-001** Datastore: PostgreSQL

### No longer in force

- **dec-002** Queue: None

## Estimation

- velocity factor 0.85 over 4 sprints · 2026-02-20
- Auth stories · +40% · tests

## Retrospectives

- **sprint-8** 2026-05-18 · 0 findings
- **sprint-7-retro** 2026-05-04 · 6 completed · 1 carried over · 3 findings
"""
    )


def test_parts_without_content_are_left_out_of_the_summary(tmp_path: Path) -> None:
    library = project(tmp_path, {CONVENTIONS: "conventions: []\n"})

    data = SNIPER.render(library.ground, library.sources, library.ground.root / SUMMARY)

    assert data is not None
    assert data.decode().splitlines()[2:] == [
        "# Project memory",
        "",
        "0 conventions · 0 anti-patterns · 0 decisions · 0 retrospectives",
    ]


def test_a_summary_by_somebody_else_is_left_alone_and_reported(tmp_path: Path) -> None:
    library = project(tmp_path, {**FILES, SUMMARY: "# Our memory\n"})

    data = SNIPER.render(library.ground, library.sources, library.ground.root / SUMMARY)

    assert data is None
    assert [problem.code for problem in problems(library)] == ["foreign-summary"]


@pytest.mark.parametrize(
    ("name", "follows"),
    [
        (CONVENTIONS, True),
        (f"{MEMORY}/decisions.yml", True),
        (f"{MEMORY}/estimates.yaml", True),
        (RETRO, True),
        (".sniper/retros/sprint-8.yml", True),
        (".sniper/config.yaml", False),
        (SUMMARY, False),
        (f"{MEMORY}/learnings/L-20260101-aaaa.yaml", False),
    ],
)
def test_the_summary_follows_stores_retros_and_estimates(
    tmp_path: Path, name: str, follows: bool
) -> None:
    library = project(tmp_path, FILES)
    root = library.ground.root

    derived = SNIPER.derived(library.ground, {root / name})

    assert [effect.path for effect in derived] == ([root / SUMMARY] if follows else [])


def test_findings_are_entries_of_their_retro(tmp_path: Path) -> None:
    library = project(tmp_path, {RETRO: SPRINT_7})

    found = [(e.ref.id, e.title, e.status, e.roles) for e in library.of_kind("finding")]

    assert found == [
        ("sprint-7-retro/new_conventions/1", "Clocks are passed in", Status.CANDIDATE, ("qa",)),
        ("sprint-7-retro/review_gate_failures/1", "Retry without limit", Status.FINDING, None),
        ("sprint-7-retro/positive_patterns/1", "Small pull requests", Status.FINDING, None),
    ]
    entry = library.resolve("sniper:sprint-7-retro/new_conventions/1")
    source = library.source_of(entry)
    assert SNIPER.fields(source, entry)["recommendation"] == "codify"
    assert "rule: " in SNIPER.body(source, entry)


def test_a_finding_keeps_its_digest_when_another_one_changes(tmp_path: Path) -> None:
    library = project(tmp_path, {RETRO: SPRINT_7})
    before = library.resolve("sniper:sprint-7-retro/new_conventions/1")

    after = project(tmp_path, {RETRO: SPRINT_7.replace("Small", "Tiny")})

    assert after.entry(before.ref).digest == before.digest


def test_a_finding_is_not_edited_in_its_retro(tmp_path: Path) -> None:
    library = project(tmp_path, {RETRO: SPRINT_7})
    entry = library.resolve("sniper:sprint-7-retro/new_conventions/1")
    source = library.source_of(entry)

    with pytest.raises(NotPossible, match="cannot be changed in its retro"):
        SNIPER.edit(source, entry, {"rule": "x"})
    with pytest.raises(NotPossible, match="cannot be changed in its retro"):
        SNIPER.set_status(source, entry, Status.ACTIVE)
    with pytest.raises(NotPossible, match="cannot be changed in its retro"):
        SNIPER.remove(source, entry)


def test_retros_of_one_name_in_two_folders_do_not_meet(tmp_path: Path) -> None:
    library = project(tmp_path, {RETRO: SPRINT_7, ".sniper/retros/sprint-7-retro.yaml": SPRINT_7})

    refs = {entry.ref for entry in library.of_kind("finding")}

    assert len(refs) == 6


def test_what_does_not_fit_is_a_problem_with_its_line(tmp_path: Path) -> None:
    library = project(
        tmp_path,
        {
            RETRO: "sprint: seven\nfindings:\n  new_conventions:\n    - rule: 5\n    - a text\n",
            f"{MEMORY}/estimates.yaml": "calibration:\n  velocity_factor: fast\n",
            ".sniper/config.yaml": "memory:\n  token_budget: many\n",
            ".sniper/retros/notes.yaml": "hello: world\n",
        },
    )

    found = [
        (each.path.name if each.path else "", each.line, each.field) for each in problems(library)
    ]

    assert sorted(found) == [
        ("config.yaml", 0, "memory.token_budget"),
        ("estimates.yaml", 2, "calibration.velocity_factor"),
        ("notes.yaml", 0, ""),
        ("sprint-7-retro.yaml", 1, "sprint"),
        ("sprint-7-retro.yaml", 4, "findings.new_conventions.1.rule"),
        ("sprint-7-retro.yaml", 5, "findings.new_conventions.2"),
    ]


@pytest.mark.parametrize("data", [b"sprint: [\n", b"- a\n", b"\x00", b"plain\n", b""])
def test_a_retro_that_is_none_is_shown_without_findings(tmp_path: Path, data: bytes) -> None:
    library = project(tmp_path, {RETRO: data})

    assert list(library.of_kind("finding")) == []
    assert [source.part for source in library.sources] == ["retro"]
    assert problems(library)


def test_settings_are_read_and_never_written(tmp_path: Path) -> None:
    library = project(tmp_path, {".sniper/config.yaml": "project: {name: x}\n"})

    assert [(source.part, source.is_writable) for source in library.sources] == [("config", False)]
