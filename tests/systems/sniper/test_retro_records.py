"""A retro is told by its content, and its findings are read whatever shape they have."""

from typing import Any

import pytest

from remem.systems.sniper.retro.retro_record import Shape, read_retro


def findings(**lists: Any) -> dict[str, Any]:
    return {"sprint": 7, "date": "2026-05-04", "findings": lists}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        pytest.param({"sprint": 3}, Shape.SPRINT, id="sprint"),
        pytest.param({"findings": {"new_anti_patterns": []}}, Shape.SPRINT, id="by-its-lists"),
        pytest.param({"protocol": "full"}, Shape.PROTOCOL, id="protocol"),
        pytest.param({"findings": {"action_items": ["x"]}}, Shape.PROTOCOL, id="action-items"),
        pytest.param({"notes": "x"}, Shape.UNKNOWN, id="neither"),
    ],
)
def test_the_shape_of_a_retro_is_told_by_its_content(value: dict[str, Any], shape: Shape) -> None:
    assert read_retro(value).shape is shape


@pytest.mark.parametrize(
    ("item", "confidence"),
    [
        pytest.param({"occurrences": 3}, "high", id="three-occurrences"),
        pytest.param({"occurrences": 2}, "medium", id="two-occurrences"),
        pytest.param({"stories": ["A", "B", "C"]}, "high", id="three-stories"),
        pytest.param({}, "medium", id="nothing-counted"),
        pytest.param({"occurrences": 9, "confidence": "medium"}, "medium", id="said-so"),
    ],
)
def test_confidence_of_an_anti_pattern_follows_its_occurrences(
    item: dict[str, Any], confidence: str
) -> None:
    retro = read_retro(findings(new_anti_patterns=[{"description": "x", **item}]))

    assert [finding.confidence for finding in retro.findings] == [confidence]


def test_only_codify_and_untracked_failures_wait() -> None:
    retro = read_retro(
        findings(
            new_conventions=[
                {"rule": "a", "recommendation": "codify"},
                {"rule": "b", "recommendation": "monitor"},
                {"rule": "c"},
                {"rule": "d", "recommendation": "ignore"},
                {"rule": " ", "recommendation": "codify"},
            ],
            review_gate_failures=[
                {"check": "Errors", "failures": 3, "pattern": "e", "already_tracked": False},
                {"check": "Errors", "failures": 1, "pattern": "f", "already_tracked": True},
            ],
            positive_patterns=["g"],
        )
    )

    assert [finding.text for finding in retro.findings if finding.waits] == ["a", "e"]


def test_texts_and_other_names_are_taken_with_a_fault() -> None:
    retro = read_retro(
        findings(
            new_conventions=["a", {"text": "b"}, {"rule": 5}, None],
            estimation_calibration={"patterns": ["c", {"detail": "d"}]},
            positive_patterns=[{"description": "e"}],
        )
    )

    assert [finding.text for finding in retro.findings] == ["a", "b", "5", "", "c", "d", "e"]
    assert [len(finding.faults) for finding in retro.findings] == [1, 1, 1, 1, 0, 1, 1]
    assert retro.findings[5].faults[0].field == "findings.estimation_calibration.patterns.2"


def test_a_list_that_is_none_is_a_fault_of_the_retro() -> None:
    retro = read_retro(findings(new_conventions={"rule": "x"}))

    assert [fault.field for fault in retro.faults] == ["findings.new_conventions"]
    assert retro.findings == ()


def test_a_gate_failure_is_severe_from_the_third_on() -> None:
    retro = read_retro(
        findings(
            review_gate_failures=[{"pattern": "x", "failures": 2}, {"pattern": "y", "failures": 3}]
        )
    )

    assert [finding.severity for finding in retro.findings] == ["medium", "high"]
