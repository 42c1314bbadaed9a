"""How sure an entry of Shaktra's is, story by story, and what one event more would do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.shaktra_briefs import FILES, MEMORY, PRINCIPLES, STORIES, check_of, open_files

from remem.core.library import Library
from remem.model.confidence_history import Trajectory
from remem.model.entry import Ref
from remem.systems.shaktra.confidence import Step, forward, ledger_of
from remem.systems.shaktra.mentions import Mention, Observed
from remem.systems.shaktra.problems import briefing_issues
from remem.systems.shaktra.records import Observation
from remem.views.confidence_history import lines as drawn
from remem.views.confidence_history import sparkline, trajectory
from remem.views.spans import Spans


def sure(confidence: float, *, source: str = "ST-001") -> dict[str, str]:
    """Return the stores with PR-001 as sure as that."""
    text = PRINCIPLES.replace("confidence: 0.76", f"confidence: {confidence}", 1)
    return {
        **FILES,
        f"{MEMORY}/principles.yml": text.replace("source: ST-038", f"source: {source}"),
    }


def ledger(library: Library, id: str = "PR-001") -> Trajectory:  # noqa: A002
    found = trajectory(library, library.entry(Ref("shaktra", id, "shop")))
    assert found is not None
    return found


def told(found: Trajectory) -> list[tuple[str, str, float | None, float | None, float | None]]:
    return [(r.story, r.event, r.delta, r.before, r.after) for r in found.rows]


def text_of(parts: Spans) -> str:
    return "".join(part.text for part in parts)


def test_the_trajectory_of_four_checks_is_told_story_by_story(tmp_path: Path) -> None:
    files = {
        **sure(0.64),
        **check_of("ST-010", "reinforce", "reinforce"),
        **check_of("ST-011", "reinforce"),
        **check_of("ST-012", "contradict"),
    }

    found = ledger(open_files(tmp_path, files))

    assert found.points == (0.6, 0.76, 0.84, 0.64)
    assert told(found) == [
        ("", "created", None, None, 0.6),
        ("ST-010", "reinforce", 0.08, 0.6, 0.68),
        ("ST-010", "reinforce", 0.08, 0.68, 0.76),
        ("ST-011", "reinforce", 0.08, 0.76, 0.84),
        ("ST-012", "contradict", -0.2, 0.84, 0.64),
    ]


def test_it_is_drawn_with_sparkline_thresholds_and_what_if(tmp_path: Path) -> None:
    files = {**sure(0.56), **check_of("ST-010", "reinforce", "reinforce", "contradict")}

    lines = [text_of(parts) for parts in drawn(ledger(open_files(tmp_path, files)))]

    assert sparkline((0.6, 0.56)) in lines[0]
    assert any("0.4 below that in no briefing" in line for line in lines)
    assert "one more contradiction takes it from 0.56 to 0.36, and it stays active" in lines
    assert any(line.startswith("ST-010") and "0.76 → 0.56" in line for line in lines)
    assert any("OB-003: Met again in the handler of ST-010" in line for line in lines)


def test_an_unknown_beginning_is_reckoned_back_from_now(tmp_path: Path) -> None:
    files = {**sure(0.92), **check_of("ST-010", "reinforce", "reinforce")}

    found = ledger(open_files(tmp_path, files))

    assert found.points == (0.76, 0.92)
    assert found.rows[0].after is None
    assert "not all are listed here" in found.rows[0].detail


def test_what_was_before_a_clamp_is_about(tmp_path: Path) -> None:
    files = {**sure(1.0), **check_of("ST-010", "reinforce", "reinforce")}

    found = ledger(open_files(tmp_path, files))

    assert [(row.before, row.after) for row in found.rows[1:]] == [(0.84, 0.92), (0.92, 1.0)]
    assert [(r.about_before, r.about_after) for r in found.rows[1:]] == [
        (True, True),
        (True, False),
    ]
    assert any("≈0.92 → 1" in text_of(parts) for parts in drawn(found))


def test_weakening_takes_off_what_the_settings_say(tmp_path: Path) -> None:
    own = "memory:\n  confidence_weaken: 0.05\n"
    files = {**sure(0.55), **check_of("ST-010", "weaken"), ".shaktra/settings.yml": own}

    assert told(ledger(open_files(tmp_path, files)))[1:] == [("ST-010", "weaken", -0.05, 0.6, 0.55)]


def test_an_incident_bears_out_half_as_much_again(tmp_path: Path) -> None:
    incident = (
        "  - {id: OB-009, agent: a, phase: code, type: incident-learning, importance: 3,\n"
        '     tags: [x], text: "It fell over."}\n'
    )
    files = {**sure(0.72), **check_of("ST-010", "reinforce")}
    files[f"{STORIES}/ST-010/.observations.yml"] += incident
    files[f"{STORIES}/ST-010.yml"] = "id: ST-010\nbug_id: BUG-1\n"

    assert told(ledger(open_files(tmp_path, files)))[1] == ("ST-010", "reinforce", 0.12, 0.6, 0.72)


@pytest.mark.parametrize(
    ("source", "start"),
    [
        pytest.param("migrated:DC-004", 0.7, id="a decision"),
        pytest.param("migrated:LS-004", 0.5, id="a lesson"),
        pytest.param("manual-seed", 0.6, id="by hand"),
    ],
)
def test_what_was_migrated_begins_where_migration_puts_it(
    tmp_path: Path, source: str, start: float
) -> None:
    found = ledger(open_files(tmp_path, sure(start, source=source)))

    assert found.points == (start,)


def test_stories_stand_in_the_order_of_their_days(tmp_path: Path) -> None:
    files = {
        **sure(0.48),
        **check_of("ST-010", "contradict"),
        **check_of("ST-011", "reinforce"),
        f"{STORIES}/ST-010.yml": 'created: "2026-05-02"\n',
        f"{STORIES}/ST-011.yml": 'created: "2026-05-01"\n',
    }

    found = ledger(open_files(tmp_path, files))

    assert [row.story for row in found.rows[1:]] == ["ST-011", "ST-010"]
    assert found.points == (0.6, 0.68, 0.48)


def test_checks_that_were_not_counted_yet_are_what_would_come(tmp_path: Path) -> None:
    files = {**sure(0.6), **check_of("ST-010", "reinforce", "contradict", captured=False)}

    found = ledger(open_files(tmp_path, files))

    assert len(found.rows) == 1
    assert "2 checks of ST-010 wait to be consolidated, from 0.6 to 0.48" in found.what_if


def test_an_observation_that_says_what_the_entry_says_is_in_its_ledger(tmp_path: Path) -> None:
    same = (
        "observations:\n"
        "  - {id: OB-001, agent: sw-engineer, phase: code, type: discovery, importance: 6,\n"
        "     tags: [webhook, queue, reliability],\n"
        '     text: "Every webhook is answered before it is worked on."}\n'
    )
    handoff = "memory_captured: true\n"
    folder = f"{STORIES}/ST-010"
    files = {**sure(0.68), f"{folder}/.observations.yml": same, f"{folder}/handoff.yml": handoff}

    assert told(ledger(open_files(tmp_path, files)))[1:] == [
        ("ST-010", "reinforce", 0.08, 0.6, 0.68)
    ]


@pytest.mark.parametrize(
    ("confidence", "takes"),
    [
        pytest.param(0.4, "from 0.4 to 0.2, and it stays active", id="0.2 stays"),
        pytest.param(0.39, "from 0.39 to 0.19, and it is archived", id="below it goes"),
        pytest.param(0.1, "from 0.1 to 0, and it is archived", id="0 ends it"),
    ],
)
def test_one_contradiction_more_archives_strictly_below(
    tmp_path: Path, confidence: float, takes: str
) -> None:
    found = ledger(open_files(tmp_path, sure(confidence)))

    assert found.what_if[0] == f"one more contradiction takes it {takes}"


@pytest.mark.parametrize(
    ("confidence", "up", "down"),
    [
        (0.64, None, (0.4, "2 contradictions")),
        (0.4, None, (0.4, "1 contradiction")),
        (0.36, (0.4, "1 reinforcement"), (0.35, "1 contradiction")),
        (0.3, (0.35, "1 reinforcement"), (0.2, "1 contradiction")),
        (0.1, (0.35, "4 reinforcements"), None),
    ],
)
def test_the_next_thresholds_say_how_far_they_are(
    tmp_path: Path,
    confidence: float,
    up: tuple[float, str] | None,
    down: tuple[float, str] | None,
) -> None:
    found = ledger(open_files(tmp_path, sure(confidence)))

    assert (found.up and (found.up.at, found.up.away)) == up
    assert (found.down and (found.down.at, found.down.away)) == down


def test_an_archived_entry_has_no_thresholds(tmp_path: Path) -> None:
    found = ledger(open_files(tmp_path), "PR-004")

    assert (found.up, found.down, found.what_if) == (None, None, ())


def test_what_is_near_the_archive_is_a_worry_with_its_verb(tmp_path: Path) -> None:
    (issue,) = briefing_issues(open_files(tmp_path))

    assert issue.problem.code == "near-archive"
    assert issue.problem.message == (
        "`shaktra:PR-003` is close to being archived: "
        "one more contradiction takes it from 0.32 to 0.12, and it is archived"
    )
    assert (issue.ref, issue.verb) == (Ref("shaktra", "PR-003", "shop"), "archive")


def briefed(story: str, *ids: str) -> dict[str, str]:
    rows = "".join(f"  - {{id: {id}, text: x, confidence: 0.8, roles: []}}\n" for id in ids)  # noqa: A001
    return {f"{STORIES}/{story}/.briefing.yml": f"relevant_principles:\n{rows}"}


def codes(library: Library) -> list[str]:
    return [f"{w.ref.id if w.ref else ''} {w.problem.code}" for w in briefing_issues(library)]


def test_what_is_briefed_often_and_never_named_is_a_worry(tmp_path: Path) -> None:
    files = dict(FILES)
    for story in ("ST-010", "ST-011", "ST-012"):
        files |= {**briefed(story, "PR-001", "PR-002"), **check_of(story, "reinforce")}

    library = open_files(tmp_path, files)
    assert codes(library) == ["PR-003 near-archive", "PR-002 never-applied"]
    assert (
        "briefed in 3 stories, and no observation mentions it" in ledger(library, "PR-002").what_if
    )
    assert "briefed in 3 stories, and 3 observations name it" in ledger(library).what_if


def test_stories_that_nobody_worked_on_do_not_count(tmp_path: Path) -> None:
    files = dict(FILES)
    for story in ("ST-010", "ST-011", "ST-012"):
        files |= briefed(story, "PR-002")

    assert codes(open_files(tmp_path, files)) == ["PR-003 near-archive"]


def test_a_briefing_that_names_what_no_store_has_is_a_worry_that_brief_mends(
    tmp_path: Path,
) -> None:
    library = open_files(tmp_path, {**FILES, **briefed("ST-040", "PR-001", "PR-777")})

    issue = next(w for w in briefing_issues(library) if w.problem.code == "unknown-id")

    assert issue.problem.message == "the briefing of ST-040 names `PR-777`, which no store has"
    assert (issue.verb, issue.arguments) == ("brief", {"story": "ST-040"})


DELTAS = st.lists(st.sampled_from([0.08, -0.08, -0.2, 0.12]), max_size=12)


def steps(deltas: list[float]) -> list[Step]:
    record = Observation(id="OB-001", text="x")
    seen = Observed(Ref("shaktra", "x", "shop"), "ST-010", record, 0, True, False, "")
    return [Step(Mention(seen, "reinforce"), delta) for delta in deltas]


@settings(max_examples=80, deadline=None)
@given(deltas=DELTAS, start=st.sampled_from([0.0, 0.5, 0.6, 0.84, 1.0]))
def test_what_is_told_is_what_happened(deltas: list[float], start: float) -> None:
    given = steps(deltas)
    values = forward(start, given)

    known = ledger_of(values[-1], start, given)
    assume(forward(0.333, given)[-1] != values[-1])
    unknown = ledger_of(values[-1], 0.333, given)

    assert all(0 <= value <= 1 for value in values)
    assert [row.after for row in known] == values[1:]
    for row, before, after in zip(unknown, values, values[1:], strict=False):
        assert row.about_before or row.before in (None, before)
        assert row.about_after or row.after in (None, after)
