"""What shares most words and conflicts all the same with nothing: it speaks of something else."""

import pytest

from remem.core.relation.relation import Related, relate


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "Weigh the cargo in unit tests",
            "Don't weigh the cargo in integration tests",
            id="one-of-a-kind-each",
        ),
        pytest.param(
            "Berth sign: `width: 40px; height: 20px`",
            "Crane sign: `width: 40px; height: 60px`",
            id="a-label-each",
        ),
        pytest.param(
            "Piers of phase 0–4 are painted",
            "Piers of phase 0–5 are painted",
            id="ranges-of-series",
        ),
        pytest.param("The crane needs Harbour 7", "The crane needs Harbour 7.6", id="within-it"),
        pytest.param(
            "Don't forget to grease the crane before a lift",
            "Grease the crane before a lift",
            id="a-denied-slip-asks",
        ),
        pytest.param(
            "Lower crates (`rope`, `net` — ask first)",
            "Don't lower crates without asking",
            id="what-it-allows",
        ),
        pytest.param(
            "Flag crates as lost only when confident",
            "Do not flag crates as lost unless confident",
            id="in-the-case-that-it-allows",
        ),
        pytest.param(
            "The paint check of the crane was skipped in sprint 3",
            "The paint check of the crane is done in each sprint",
            id="left-out-once",
        ),
        pytest.param(
            "Skip paint, varnish and polish at piers",
            "Skip varnish, paint and polish at piers",
            id="all-of-a-list",
        ),
        pytest.param(
            "See `docs/crane.md` for more of lifts",
            "See `docs/quay.md` for more of lifts",
            id="two-to-read",
        ),
        pytest.param(
            "Load `crates` from `port/north`", "Load `crates` from `port/north/west`", id="a-part"
        ),
        pytest.param(
            "5 cranes lift crates at the pier",
            "3 boats lift crates at the pier",
            id="counts-others",
        ),
        pytest.param("Age: 36", "Learned to sail at age 13, then taught others", id="in-passing"),
    ],
)
def test_what_speaks_of_something_else_is_no_conflict(one: str, other: str) -> None:
    assert relate(one, other).related is not Related.CONFLICT
    assert relate(other, one).related is not Related.CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Weigh cargo in unit tests", "Don't weigh cargo in unit tests", id="one-kind"),
        pytest.param(
            "Weigh cargo in unit and integration tests",
            "Don't weigh cargo in integration tests",
            id="both-kinds",
        ),
        pytest.param("Berth width: 40 px", "Berth width: 24 px", id="one-label"),
        pytest.param(
            "Style: lines of the log hold 100 signs",
            "Form: lines of the log hold 80 signs",
            id="labels-that-are-topics",
        ),
        pytest.param("The crane needs Harbour 7.2", "The crane needs Harbour 7.6", id="versions"),
        pytest.param(
            "Lower crates without asking", "Ask before you lower crates", id="not-allowed"
        ),
        pytest.param("Never lift crates without a net", "Lift crates with no net", id="without-it"),
        pytest.param(
            "Never lift crates without a net", "Lift crates, hang the net later", id="later"
        ),
        pytest.param(
            "Jobs of the harbour: 5 cranes run at night",
            "Jobs of the harbour: 7 cranes run at night",
            id="counts-the-same",
        ),
        pytest.param("Skip the paint of cranes", "Do not skip the paint of cranes", id="asked-for"),
        pytest.param(
            "Fetch charts from the remote harbour", "Fetch charts from the local harbour", id="axis"
        ),
        pytest.param(
            "Before a lift read `docs/crane.md`, and follow it to the letter",
            "Before a lift read `rules/crane.md`, and follow it to the letter",
            id="another-place-of-one-rule",
        ),
    ],
)
def test_what_speaks_of_the_same_still_is_one(one: str, other: str) -> None:
    assert relate(one, other).related is Related.CONFLICT
    assert relate(other, one).related is Related.CONFLICT
