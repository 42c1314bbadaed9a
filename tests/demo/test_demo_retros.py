"""What the demo's retros are for: each way in which a finding meets memory happens once."""

from typing import Any

import pytest
import yaml

from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Alike, fingerprint
from remem.demo.content.conventions import CONVENTIONS
from remem.demo.content.own import FILES
from remem.demo.content.retros import SPRINT_5, SPRINT_6, SPRINT_7


def rules() -> dict[str, str]:
    return {item["id"]: item["rule"] for item in yaml.safe_load(CONVENTIONS)["conventions"]}


def findings(retro: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(retro)["findings"]["new_conventions"]
    return found


@pytest.mark.parametrize(
    ("alike", "entry", "words"),
    [
        pytest.param(Alike.NEAR, "conv-014", "Tests of a timetable name", id="near"),
        pytest.param(Alike.CONTRADICTION, "conv-012", "The scanner never boards", id="against"),
        pytest.param(Alike.EXACT, "conv-008", "Errors of the API carry", id="known"),
    ],
)
def test_one_finding_meets_an_entry(alike: Alike, entry: str, words: str) -> None:
    met = [
        finding["rule"]
        for finding in findings(SPRINT_7)
        if (like := likeness(finding["rule"], rules()[entry])) and like.alike is alike
    ]

    assert len(met) == 1
    assert met[0].startswith(words)


def test_one_finding_was_turned_down_before() -> None:
    rejected = yaml.safe_load(FILES[".remem/rejected.yaml"])["rejected"][0]

    prints = [fingerprint("convention", finding["rule"]) for finding in findings(SPRINT_6)]
    assert prints.count(rejected["fingerprint"]) == 1
    assert rejected["fingerprint"] == fingerprint("convention", rejected["text"])


def test_every_recommendation_stands_in_the_retros() -> None:
    both = [*findings(SPRINT_6), *findings(SPRINT_7)]

    assert {(f["recommendation"], f.get("confidence")) for f in both} >= {
        ("codify", "high"),
        ("codify", "medium"),
        ("monitor", "medium"),
        ("ignore", "high"),
    }


def test_the_oldest_retro_is_broken() -> None:
    with pytest.raises(yaml.YAMLError):
        yaml.safe_load(SPRINT_5)
