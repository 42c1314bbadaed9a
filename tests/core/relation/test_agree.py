"""What reads like a conflict by its words alone, and says the same or something else."""

import pytest

from remem.core.relation.relation import Related, relate


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("All five crane notes merged into the log", "Three crane notes merged into the log"),
        (
            "Role-specific rules for `crane exec` within piers.",
            "Role-specific rules for `horn -p` within piers.",
        ),
        ("Eliminate redundant cranes", "No redundant cranes"),
        ("Piers: _TBD (camelCase / snake_case)_", "Crane names: _TBD (kebab-case / snake_case)_"),
        (
            "Horns: choose from the horns that exist in the pier.",
            "Do not choose horns that don't exist in the pier.",
        ),
        (
            "Tide search = layer of recall; file notes = source of truth for piers",
            "Tide search (Quay) = layer of recall, not source of truth",
        ),
        ("**WORKING > PERFECT**: Make cranes work", "Make cranes work, not perfect"),
        ("New cranes/horns deployment", "New signals deployment"),
    ],
)
def test_what_agrees_or_is_of_something_else_is_no_conflict(one: str, other: str) -> None:
    assert relate(one, other).related is not Related.CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Two notes are merged into the log", "Three notes are merged into the log"),
        (
            "Role-specific rules run `crane exec` within piers.",
            "Role-specific rules run `horn -p` within piers.",
        ),
        ("Keep redundant cranes", "Eliminate redundant cranes"),
        ("Names of cranes: camelCase, not snake_case", "Names of cranes: snake_case"),
        (
            "Do not choose horns that exist in the pier.",
            "Choose horns that exist in the pier.",
        ),
        (
            "Tide search = source of truth for piers; file notes = layer of recall",
            "Tide search = not source of truth for piers",
        ),
        ("**WORKING > PERFECT**: Make cranes work", "Make cranes perfect"),
        ("Tides are read from `pier/tides`", "Tides are read from `quay/tides`"),
    ],
)
def test_what_says_otherwise_of_the_same_is_one_still(one: str, other: str) -> None:
    assert relate(one, other).related is Related.CONFLICT
