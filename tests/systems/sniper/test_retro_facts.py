from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.code.commit_facts import Commit, RangeFacts, StoryFacts
from remem.systems.sniper.retro.retro_facts import (
    Failure,
    Measured,
    Planned,
    measure,
    measured_of,
    misses,
    read_gate,
    read_listed,
    read_stories,
    read_story,
    sprint_of_story,
    together,
)

FILE = Path("stories.yaml")
REPORT = """\
## Memory Compliance

### Convention Checks
PASS conv-001: Every queue consumer is idempotent — 3 files checked
WARN conv-004: Barrel exports — 2 matches (src/auth/login.ts:12)
SKIP conv-006: Names are verbs — not checked

### Anti-Pattern Checks
- ⚠️ ap-001: Reading the clock — in the domain

### Decision Consistency
WARN The importer uses another database

### Summary
2 conventions checked, 1 violations
"""


def commit(name: str, files: int = 1, lines: int = 10, subject: str = "Work") -> Commit:
    names = frozenset(f"{name}/{number}" for number in range(files))
    return Commit(name, (), subject, (), names, lines, 0)


def range_of(**stories: tuple[Commit, ...]) -> RangeFacts:
    commits = tuple(each for group in stories.values() for each in group)
    found = tuple(StoryFacts(name, group) for name, group in stories.items())
    return RangeFacts("a..b", "a" * 40, "b" * 40, commits, found)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "stories:\n  - {id: S-1, points: 3, status: done}\n  - {id: S-2}\n", id="yaml"
        ),
        pytest.param("- {story: S-1, estimate: '3', state: Done}\n- S-2\n", id="a-list"),
        pytest.param("S-1: {story_points: 3.0, status: closed}\nS-2: null\n", id="a-mapping"),
        pytest.param('[{"key": "S-1", "points": 3, "status": "done"}, {"id": "S-2"}]', id="json"),
    ],
)
def test_stories_are_read_in_the_shapes_that_teams_write(text: str) -> None:
    found, problems = read_stories(FILE, text.encode())

    assert found == (Planned("S-1", 3.0, None, done=True), Planned("S-2"))
    assert problems == ()


@pytest.mark.parametrize("points", ["0", "-3", "true", "much", ".nan", ".inf", "1e9", "[3]"])
def test_points_that_are_none_are_not_known(points: str) -> None:
    [story], _ = read_stories(FILE, f"- {{id: S-1, points: {points}}}\n".encode())

    assert story.points is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(b"stories: [a\n", 2, id="not-yaml"),
        pytest.param(b"stories: 7\n", 1, id="no-list"),
        pytest.param(b"\xff\n", 1, id="not-utf-8"),
        pytest.param(b"WARN conv-004: Barrel exports\n", 1, id="a-report"),
    ],
)
def test_a_file_that_holds_no_stories_is_a_problem_with_its_place(text: bytes, line: int) -> None:
    found, [problem] = read_stories(FILE, text)

    assert found == ()
    assert problem.path == FILE
    assert problem.line <= line
    assert problem.message


def test_a_story_without_a_name_and_one_named_twice_are_problems() -> None:
    found, problems = read_stories(FILE, b"- {points: 3}\n- S-1\n- {id: S-1, points: 5}\n- 7\n")

    assert [story.story for story in found] == ["S-1"]
    assert [problem.message.split(" ", 2)[1] for problem in problems] == ["1", "3", "4"]


def test_a_gates_report_gives_what_failed() -> None:
    found, problems = read_gate(FILE, REPORT.encode())

    assert found == (
        Failure("conv-004", "Barrel exports", 2),
        Failure("ap-001", "Reading the clock", 1),
        Failure("Decision Consistency", "The importer uses another database", 1),
    )
    assert problems == ()


def test_a_report_that_passed_has_no_failures_and_no_problems() -> None:
    assert read_gate(FILE, b"PASS conv-001: Be brief\n") == ((), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "failures:\n- {check: Errors, failures: 2, pattern: No retry, already_tracked: true}\n",
            [Failure("Errors", "No retry", 2, tracked=True)],
            id="failures",
        ),
        pytest.param(
            "checks:\n- {name: A, status: pass}\n- {name: B, status: fail, message: Too long}\n",
            [Failure("B", "Too long", 1)],
            id="checks",
        ),
        pytest.param(
            "result: fail\nchecklist: {tests_passing: true, build_clean: false, docs: n/a}\n",
            [Failure("build clean", "build clean", 1)],
            id="checklist",
        ),
        pytest.param("violations: [Too long, '']\n", [Failure("gate", "Too long", 1)], id="texts"),
        pytest.param("failures: []\n", [], id="none"),
    ],
)
def test_a_report_in_yaml_gives_what_failed(text: str, expected: list[Failure]) -> None:
    assert read_gate(FILE, text.encode()) == (tuple(expected), ())


@pytest.mark.parametrize("text", [b"", b"hello\n", b"a: 1\n", b"a: [1\n", b"\xff\xfe"])
def test_what_is_no_report_is_a_problem(text: bytes) -> None:
    found, problems = read_gate(FILE, text)

    assert found == ()
    assert len(problems) == 1
    assert problems[0].path == FILE


def test_the_same_failure_in_two_reports_is_counted_together() -> None:
    assert together([Failure("a", "x", 2), Failure("b", "x", 1), Failure("a", "x", 3)]) == (
        Failure("a", "x", 5),
        Failure("b", "x", 1),
    )


def test_actuals_are_effort_by_the_price_of_a_point() -> None:
    planned = (Planned("S-1", 1.0), Planned("S-2", 2.0), Planned("S-3", 3.0))
    facts = range_of(
        **{
            "S-1": (commit("a", files=2, lines=60),),  # 60 + 2 × 20 = 100: 100 for a point
            "S-2": (commit("b", lines=80), commit("c", lines=80)),  # 160 + 40 = 200: 100
            "S-3": (commit("d", lines=60), commit("e", subject="fixup! d")),  # 70 + 40 + 100: 70
        }
    )

    found = measure(facts, planned, ())

    assert found.effort_per_point == 100
    assert [story.actual for story in found.stories] == [1.0, 2.0, 2.1]
    assert (found.estimated, found.actual) == (6.0, 5.1)
    assert misses(found) == (("S-3",), ())


def test_the_first_sprint_that_was_measured_sets_the_price() -> None:
    facts = range_of(**{"S-1": (commit("a", lines=80),)})
    before = (Measured(), Measured(effort_per_point=50.0), Measured(effort_per_point=10.0))

    found = measure(facts, (Planned("S-1", 1.0),), before)

    assert found.effort_per_point == 50
    assert (found.estimated, found.actual) == (1.0, 2.0)
    assert misses(found) == ((), ("S-1",))


def test_what_the_team_says_it_took_wins() -> None:
    facts = range_of(**{"S-1": (commit("a"),)})

    found = measure(facts, (Planned("S-1", 2.0, actual=5.0), Planned("S-2", 1.0, actual=1.0)), ())

    assert [story.actual for story in found.stories] == [5.0, 1.0]


def test_a_story_with_only_one_figure_is_in_no_sum() -> None:
    facts = range_of(**{"S-1": (commit("a"),), "S-3": (commit("b"),)})

    found = measure(facts, (Planned("S-1", 2.0), Planned("S-2", 8.0)), ())

    assert [story.story for story in found.stories] == ["S-1", "S-2", "S-3"]
    assert found.estimated == 2.0


def test_without_commits_nothing_is_made_up() -> None:
    found = measure(None, (Planned("S-1", 2.0),), ())

    assert (found.range, found.commits, found.effort_per_point) == ("", 0, None)
    assert (found.estimated, found.actual) == (None, None)
    assert misses(found) == ((), ())


def test_what_is_written_is_read_again() -> None:
    assert measured_of({}) is None
    assert measured_of({"measured": 3}) is None
    found = measured_of({"measured": {"estimated": 6, "stories": [{"story": "S-1", "points": 3}]}})
    assert found is not None
    assert (found.estimated, found.actual, found.stories[0].points) == (6, None, 3)


@settings(max_examples=100)
@given(
    text=st.lists(
        st.sampled_from(
            ["WARN conv-001: x — 99999999999999999999 matches", "failures:", "- check: a", "- 7",
             "checklist: {a: no}", "  failures: .inf", "\x1b[2J", "FAIL ", "a: [", "- {count: -1}"]
        ),
        max_size=6,
    )
)  # fmt: skip
def test_whatever_a_report_holds_its_failures_can_be_written(text: list[str]) -> None:
    found, problems = read_gate(FILE, "\n".join(text).encode())

    assert all(each.failures >= 1 and each.check and each.pattern for each in found)
    assert all(problem.message for problem in problems)


def test_a_sprints_page_is_no_story_and_lists_them() -> None:
    page = b"""# Sprint 6

- [x] STORY-101: part one (3 points)
- [ ] **STORY-102** part two, 5 pts
- STORY-103 is done
- some words
"""

    assert read_story(Path("docs/stories/sprint-6.md"), page) is None
    found = read_listed(page)

    assert [(each.story, each.points) for each in found] == [
        ("STORY-101", 3),
        ("STORY-102", 5),
        ("STORY-103", None),
    ]
    assert [each.done for each in found] == [True, None, True]


def test_a_page_may_name_a_storys_fields_on_bare_lines() -> None:
    page = b"# Login\n\nID: PAY-1\nsprint: 5\npoints: 3\nstatus: done\n\nIt lets people in.\n"

    told = read_story(Path("docs/stories/login.md"), page)

    assert told is not None
    assert (told.story, told.points, told.done) == ("PAY-1", 3, True)
    assert sprint_of_story(page) == 5
