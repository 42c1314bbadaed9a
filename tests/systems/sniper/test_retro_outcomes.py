"""What the rules make of a finding."""

import pytest

from remem.systems.sniper.retro.retro_record import read_retro
from remem.systems.sniper.retro.retro_rules import Outcome, outcome

CASES = [
    ("codify", "high", True, Outcome.CONFIRM),
    ("codify", "medium", True, Outcome.KEEP),
    ("codify", None, True, Outcome.KEEP),
    ("codify", "high", False, Outcome.WAIT),
    ("codify", "medium", False, Outcome.WAIT),
    ("monitor", "high", True, Outcome.SHOW),
    (None, "high", True, Outcome.SHOW),
    ("ignore", "high", True, Outcome.HIDE),
]


@pytest.mark.parametrize(("recommendation", "confidence", "auto", "expected"), CASES)
def test_recommendation_decides_before_confidence(
    recommendation: str | None, confidence: str | None, auto: bool, expected: Outcome
) -> None:
    given = {"recommendation": recommendation, "confidence": confidence}
    item = {"rule": "x", **{name: value for name, value in given.items() if value}}
    (finding,) = read_retro({"sprint": 1, "findings": {"new_conventions": [item]}}).findings

    assert outcome(finding, auto_codify=auto) is expected


@pytest.mark.parametrize(("tracked", "expected"), [(False, Outcome.WAIT), (True, Outcome.SHOW)])
def test_a_gate_failure_is_offered_and_never_added_by_itself(
    tracked: bool, expected: Outcome
) -> None:
    item = {"pattern": "x", "failures": 9, "already_tracked": tracked}
    (finding,) = read_retro({"sprint": 1, "findings": {"review_gate_failures": [item]}}).findings

    assert outcome(finding) is expected


def test_a_positive_pattern_is_for_reading() -> None:
    (finding,) = read_retro({"sprint": 1, "findings": {"positive_patterns": ["good"]}}).findings

    assert outcome(finding) is Outcome.SHOW
