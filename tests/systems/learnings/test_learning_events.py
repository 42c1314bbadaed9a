"""Every number of a learning's life, and that what is written is what the schema allows."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.learning_files import reading, record

from remem.base.errors import NotPossible
from remem.systems.learnings import events as events
from remem.systems.learnings.events import Fields, Told
from remem.systems.learnings.read_any_shape import Reading, read_learning
from remem.systems.learnings.records import STARTS

NOW = Told("2026-06-01T09:00:00Z")
APPLIED = ["SNPR-20260504-19aa"]


def happened(what: str, before: Reading) -> Fields:
    match what:
        case "reinforced":
            return events.reinforced(before, NOW, "E-1")
        case "human_confirmed":
            return events.confirmed(before, NOW)
        case "human_invalidated":
            return events.invalidated(before, NOW)
        case "validated_by_absence":
            return events.absent(before, NOW, APPLIED[0])
        case "recurrence_detected":
            return events.recurred(before, NOW)
        case "contradicted":
            newer = reading("L-20260505-0001", created_at="2026-05-05T10:00:00Z", confidence=0.3)
            return events.contradicted(before, newer, NOW)[0]
        case _:
            raise AssertionError(what)


@pytest.mark.parametrize(
    ("event", "before", "after", "status"),
    [
        ("reinforced", 0.5, 0.65, "active"),
        ("reinforced", 0.65, 0.8, "active"),
        ("reinforced", 0.95, 1.0, "active"),
        ("reinforced", 0.1234, 0.2734, "active"),
        ("human_confirmed", 0.4, 0.9, "validated"),
        ("human_confirmed", 0.95, 0.95, "validated"),
        ("human_invalidated", 0.95, 0.0, "deprecated"),
        ("validated_by_absence", 0.5, 0.55, "active"),
        ("validated_by_absence", 0.98, 1.0, "active"),
        ("recurrence_detected", 0.6, 0.4, "active"),
        ("recurrence_detected", 0.4, 0.2, "active"),
        ("recurrence_detected", 0.39, 0.19, "deprecated"),
        ("recurrence_detected", 0.1, 0.0, "deprecated"),
        ("contradicted", 0.5, 0.4, "active"),
        ("contradicted", 0.3, 0.2, "active"),
        ("contradicted", 0.29, 0.19, "deprecated"),
    ],
)
def test_each_event_has_its_delta(event: str, before: float, after: float, status: str) -> None:
    old = reading(confidence=before, applied_in=APPLIED)

    fields = happened(event, old)

    assert fields.get("confidence", before) == after
    assert fields.get("status", "active") == status
    told = fields["history"]
    assert isinstance(told, list)
    first = told[0]
    assert isinstance(first, dict)
    assert (first["event"], first["actor"], first["timestamp"]) == (event, "human", NOW.time)
    assert first["confidence_delta"] == round(after - before, 4)
    assert fields["updated_at"] == NOW.time
    assert (status == "deprecated" and event != "human_invalidated") == (len(told) == 2)


def test_the_start_of_a_confidence_depends_on_where_it_comes_from() -> None:
    assert dict(STARTS) == {
        "human": 0.9,
        "gate_failure": 0.6,
        "retro": 0.5,
        "ci_failure": 0.4,
        "pr_review": 0.4,
    }


@pytest.mark.parametrize(
    ("confidence", "known", "status"),
    [
        (0.65, ["E-0"], "validated"),
        (0.64, ["E-0"], "active"),
        (0.65, [], "active"),
        (0.9, ["E-0", "E-0"], "validated"),
    ],
)
def test_enough_reinforcements_validate(confidence: float, known: list[str], status: str) -> None:
    old = reading(confidence=confidence, reinforced_by=known)

    fields = events.reinforced(old, NOW, "E-1")

    assert fields.get("status", "active") == status
    assert fields["reinforced_by"] == [*known, "E-1"]


def test_a_draft_is_not_validated_by_reinforcement() -> None:
    old = reading(status="draft", confidence=0.9, reinforced_by=["E-0"])

    fields = events.reinforced(old, NOW, "E-1")

    assert "status" not in fields


def test_the_same_id_reinforces_only_once() -> None:
    with pytest.raises(NotPossible, match="already"):
        events.reinforced(reading(reinforced_by=["E-1"]), NOW, "E-1")


@pytest.mark.parametrize(
    ("applied", "told"), [([], ""), (APPLIED, f"No recurrence in {APPLIED[0]}. Good.")]
)
def test_an_absence_counts_once_and_only_where_it_was_applied(
    applied: list[str], told: str
) -> None:
    past = {"timestamp": "2026-05-05T10:00:00Z", "event": "validated_by_absence", "detail": told}
    old = reading(applied_in=applied, history=[past] if told else None)

    with pytest.raises(NotPossible):
        events.absent(old, NOW, APPLIED[0])


def test_two_strong_learnings_that_contradict_each_other_lose_nothing() -> None:
    one = reading("L-20260504-0001", confidence=0.7)
    other = reading("L-20260505-0002", confidence=0.95)

    mine, theirs = events.contradicted(one, other, NOW)

    assert "confidence" not in mine
    assert "confidence" not in theirs
    assert mine["contradicted_by"] == ["L-20260505-0002"]
    assert theirs["contradicted_by"] == ["L-20260504-0001"]


def test_the_older_one_loses_a_contradiction_whichever_is_named_first() -> None:
    older = reading("L-20260504-0001", confidence=0.5)
    newer = reading("L-20260503-0002", confidence=0.9, created_at="2026-05-05T10:00:00Z")

    theirs, mine = events.contradicted(newer, older, NOW)

    assert mine["confidence"] == 0.4
    assert "confidence" not in theirs
    with pytest.raises(NotPossible):
        events.contradicted(after(older, mine), after(newer, theirs), NOW)


@pytest.mark.parametrize(
    ("idle", "steps"), [(0, 0), (90, 0), (119, 0), (120, 1), (149, 1), (150, 2), (400, 10)]
)
def test_idle_time_takes_off_a_step_every_thirty_days_after_ninety(idle: int, steps: int) -> None:
    old = reading(confidence=0.95)
    as_of = date.fromordinal(date(2026, 5, 4).toordinal() + idle)

    fields = events.decayed(old, NOW, as_of)

    if not steps:
        assert fields is None
        return
    assert fields is not None
    assert fields["confidence"] == round(0.95 - 0.05 * steps, 4)
    again = after(old, fields)
    assert events.decayed(again, NOW, as_of) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"source": {"type": "human"}, "confidence": 0.9},
        {"status": "draft"},
        {"status": "deprecated"},
        {"applied_in": ["SNPR-20260701-aaaa"]},
        {"updated_at": "2026-07-01T00:00:00Z"},
        {"history": [{"timestamp": "2026-07-01T00:00:00Z", "event": "reinforced"}]},
    ],
)
def test_what_is_sure_or_out_of_force_or_was_used_does_not_decay(fields: dict[str, Any]) -> None:
    assert events.decayed(reading(**fields), NOW, date(2026, 9, 2)) is None


def test_decay_ends_below_the_threshold_and_exactly_on_it_stays() -> None:
    kept = events.decayed(reading(confidence=0.25), NOW, date(2026, 9, 2))
    gone = events.decayed(reading(confidence=0.24), NOW, date(2030, 9, 2))

    assert kept is not None
    assert (kept["confidence"], kept.get("status")) == (0.2, None)
    assert gone is not None
    assert (gone["confidence"], gone["status"]) == (0.19, "deprecated")
    assert isinstance(gone["history"], list)
    assert len(gone["history"]) == 3  # re-anchored, one step, deprecated


def test_decay_does_not_move_the_anchor_of_a_record_without_a_history() -> None:
    old = reading(confidence=0.9, updated_at="2026-06-01T00:00:00Z")

    first = events.decayed(old, NOW, date(2026, 9, 29))
    assert first is not None
    second = events.decayed(after(old, first), NOW, date(2026, 10, 29))

    assert first["confidence"] == 0.85
    assert second is not None
    assert second["confidence"] == 0.8


def test_a_merge_keeps_the_surest_and_unites_what_bears_it_out() -> None:
    sure = reading("L-20260505-0002", confidence=0.8, reinforced_by=["E-1"], applied_in=["P-1"])
    weak = reading(
        "L-20260504-0001",
        confidence=0.4,
        reinforced_by=["E-2", "E-1"],
        contradicted_by=["L-20260505-0002", "L-20260501-9999"],
    )

    best = events.winner([weak, sure])
    mine, theirs = events.merged(best, [weak], NOW)

    assert best is sure
    assert mine["reinforced_by"] == ["E-1", "E-2"]
    assert mine["contradicted_by"] == ["L-20260501-9999"]
    assert "applied_in" not in mine
    assert "confidence" not in mine
    assert (theirs["status"], theirs["superseded_by"]) == ("deprecated", "L-20260505-0002")
    for fields, other in ((mine, "L-20260504-0001"), (theirs, "L-20260505-0002")):
        told = fields["history"]
        assert isinstance(told, list)
        assert isinstance(told[-1], dict)
        assert told[-1]["event"] == "merged"
        assert other in str(told[-1]["detail"])


def test_of_equally_sure_ones_the_older_stays_then_the_smaller_id() -> None:
    newer = reading("L-20260501-0001", created_at="2026-05-05T00:00:00Z")
    older = reading("L-20260502-0002", created_at="2026-05-04T00:00:00Z")
    twin = reading("L-20260502-0003", created_at="2026-05-04T00:00:00Z")

    assert events.winner([newer, twin, older]) is older


def after(before: Reading, fields: Fields) -> Reading:
    """Return the record as it reads once the fields are set."""
    held = {**before.plain, **fields}
    plain = {key: each for key, each in held.items() if each is not None}
    return read_learning(plain, stem=before.record.id)


STATUSES = st.sampled_from(["draft", "active", "validated"])
SOURCES = st.sampled_from(["human", "retro", "ci_failure"])
EVENTS = st.lists(
    st.sampled_from(
        [
            "reinforced",
            "human_confirmed",
            "human_invalidated",
            "validated_by_absence",
            "recurrence_detected",
            "contradicted",
            "decayed",
        ]
    ),
    max_size=8,
)


@settings(max_examples=60)
@given(
    confidence=st.floats(0, 1).map(lambda value: round(value, 4)),
    status=STATUSES,
    source=SOURCES,
    what=EVENTS,
)
def test_whatever_happens_the_record_is_what_the_schema_allows(
    confidence: float, status: str, source: str, what: list[str]
) -> None:
    held = record(confidence=confidence, status=status, source={"type": source}, applied_in=APPLIED)
    now = read_learning(held, stem=held["id"])

    for number, event in enumerate(what):
        before = now
        try:
            fields = (
                events.decayed(now, NOW, date(2027, 5, number + 1)) or {}
                if event == "decayed"
                else happened(event, now)
            )
        except NotPossible:
            continue
        now = after(now, fields)

        assert now.conforms
        told = now.record.history[len(before.record.history) :]
        moved = round(sum(each.confidence_delta for each in told), 4)
        assert round(now.record.confidence - before.record.confidence, 4) == moved
        changed = now.record.status != before.record.status
        assert told or not (changed or moved)


@settings(max_examples=40)
@given(
    confidences=st.lists(st.sampled_from([0.4, 0.5, 0.9]), min_size=2, max_size=5),
    ids=st.lists(st.sampled_from(["E-1", "E-2", "E-3"]), max_size=4, unique=True),
)
def test_a_merge_loses_no_id_and_no_confidence(confidences: list[float], ids: list[str]) -> None:
    group = [
        reading(f"L-20260504-000{n}", confidence=each, reinforced_by=ids[n % 2 :])
        for n, each in enumerate(confidences)
    ]
    best = events.winner(group)
    losing = [each for each in group if each is not best]

    mine, *theirs = events.merged(best, losing, NOW)

    stays = after(best, mine).record
    assert stays.confidence == max(confidences)
    assert set(stays.reinforced_by) == {i for each in group for i in each.record.reinforced_by}
    gone = [after(old, new) for old, new in zip(losing, theirs, strict=True)]
    assert all(each.record.superseded_by == stays.id for each in gone)
    assert all(each.conforms for each in gone)
