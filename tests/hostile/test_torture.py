"""Agents write without asking while somebody decides: nothing of either is lost.

Each run counts the lines that agents finished against those that stand, and lays what is missing at
the door of the agent that overwrote it, or of whoever else it was. Two controls keep the count
honest: with nobody deciding every loss has its agent, and with the usual way of writing it has not.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hostile.attribution import losses
from tests.hostile.torture import KINDS, SCENARIOS, Stretch, Sum, torture
from tests.hostile.traffic import Place, run, unaccounted

pytestmark = pytest.mark.slow

LONG, SHORT = 12, 3
"""How many stretches of mere appending there are of each kind; with `--short` fewer."""
SMALL = {"A": 1_000, "B": 100, "W": 100, "A+B+W": 600}
EDITS = 5


def stretches(appending: int) -> list[Stretch]:
    return [
        *[Stretch("A", kind, 8, 500, 10) for kind in KINDS for _ in range(appending)],
        *[Stretch("B", kind, 2, 100, 15) for kind in KINDS],
        *[Stretch("W", kind, 2, 100, 15) for kind in KINDS],
        *[Stretch("A+B+W", kind, 5, 500, 8) for kind in KINDS],
    ]


def check(found: Sum) -> None:
    assert found.lost == []
    assert found.edits_lost == []
    assert found.unaccounted == []
    assert found.entries_missing == []
    assert found.entries_twice == []
    assert found.unreadable == []
    assert found.share_of_duplicates <= 0.01, found.duplicates


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [
        pytest.param("A", "persona"),
        pytest.param("A+B+W", "store"),
        *(
            pytest.param(scenario, kind, marks=pytest.mark.slow)
            for scenario in SCENARIOS
            for kind in KINDS
            if (scenario, kind) not in {("A", "persona"), ("A+B+W", "store")}
        ),
    ],
)
def test_a_short_while_of_traffic_costs_nobody_a_line(
    tmp_path: Path, scenario: str, kind: str
) -> None:
    found = torture(tmp_path, [Stretch(scenario, kind, 1, SMALL[scenario], EDITS)])[scenario]

    assert found.written >= SMALL[scenario]
    assert found.edits >= EDITS
    check(found)


def test_a_decision_that_is_told_to_stand_and_does_not_is_unaccounted() -> None:
    made = [("a", 1), ("a", 2), ("b", 3), ("c", 4), ("d", 5), ("e", 6)]
    told = {("a", 2): False, ("a", 1): False, ("b", 3): True, ("c", 4): False, ("d", 5): False}

    wrong = unaccounted(made, told, waiting={"c": [4]}, standing={"a": [2], "d": [0]})

    assert wrong == [
        "d e5 is told to stand, and [0] does",
        "e e6 is not in the history",
    ]


def test_the_usual_way_of_writing_loses_lines(tmp_path: Path) -> None:
    found = torture(tmp_path, [Stretch("A+B+W", "persona", 1, 900, EDITS)], plain=True)["A+B+W"]

    assert found.edits > 0
    assert found.lost


def test_what_agents_do_to_each_other_is_laid_at_no_other_door(tmp_path: Path) -> None:
    place = Place(tmp_path, "persona").build()

    found = run(place, SCENARIOS["A+B+W"], lines=1_200, curator=("nobody",), plain=True)

    assert found.losses.by_agents
    assert not found.losses.by_others
    assert found.losses.duplicates == 0


def test_a_line_that_an_agent_wrote_again_and_that_is_gone_is_not_its_loss(tmp_path: Path) -> None:
    file = tmp_path / "main.md"
    file.write_bytes(b"- B0-0 mine\n")
    (tmp_path / "A0.log").write_bytes(b"A0-0\nA0-1\n")
    (tmp_path / "1-B0.victim").write_bytes(b"- A0-0 one\n- A0-1 two\n")
    (tmp_path / "1-B0.written").write_bytes(b"- A0-0 one\n")

    found = losses(tmp_path, [file])

    assert found.by_agents == {b"A0-1"}
    assert found.by_others == {b"A0-0"}


def test_a_hundred_thousand_lines_and_two_thousand_decisions(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """With `--short` a quarter of both, in the same scenarios."""
    is_short = pytestconfig.getoption("short")

    sums = torture(tmp_path, stretches(SHORT if is_short else LONG), seed=100)

    for found in sums.values():
        check(found)
    assert sum(found.written for found in sums.values()) >= (28_000 if is_short else 100_000)
    assert sum(found.edits for found in sums.values()) >= (600 if is_short else 2_000)


def test_the_same_traffic_with_the_usual_way_of_writing_loses_in_every_scenario(
    tmp_path: Path,
) -> None:
    short = [Stretch(name, "persona", 1, SMALL[name] * 2, EDITS) for name in SCENARIOS]

    sums = torture(tmp_path, short, plain=True)

    lost = {name: len(found.lost) + len(found.edits_lost) for name, found in sums.items()}
    assert all(lost.values()), lost
