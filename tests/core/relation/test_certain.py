"""Which conflicts are told unasked: where little stands beside what sets two texts apart."""

import pytest

from remem.core.relation.certain import certain_conflict
from remem.core.relation.relation import By, Related, relate


@pytest.mark.parametrize(
    ("one", "other", "by"),
    [
        ("Never squash commits before a merge.", "Squash commits before a merge.", By.DENIED),
        ("Cranes are painted by hand.", "Cranes are painted automatically.", By.ANSWERED),
        ("Horns are checked every 30 minutes.", "Horns are checked every 45 minutes.", By.VALUED),
        (
            "Tides are read from `pier.md` at dawn.",
            "Tides are read from `quay.md` at dawn.",
            By.NAMED,
        ),
        ("Cranes start automatically at dawn.", "Start cranes by hand, not at dawn.", By.ANSWERED),
    ],
)
def test_a_short_rule_against_another_one_is_told(one: str, other: str, by: By) -> None:
    found = certain_conflict(one, other)

    assert found is not None
    assert found.by is by


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Do not paint cranes inside other cranes.",
            "Painting a crane inside another crane makes a new crane at every tide. The harbour "
            "sees a different crane each time, throws the old one away and loses its cargo.",
        ),
    ],
)
def test_a_denial_in_passing_of_a_long_text_is_a_doubt_and_not_told(one: str, other: str) -> None:
    assert relate(one, other).related is Related.CONFLICT

    assert certain_conflict(one, other) is None


@pytest.mark.parametrize(
    "long",
    [
        "**Paint**: buoys (three coats)\n**Package manager**: pnpm, four times as quick as others"
        "\n**Tests**: the whole pier in a minute",
        "The pier has seven cranes and a horn. The package manager is pnpm. Tides come twice.",
    ],
)
def test_one_statement_of_many_may_conflict(long: str) -> None:
    assert certain_conflict("npm is the primary package manager.", long) is not None


def test_what_both_count_is_one_subject_whatever_else_a_list_says() -> None:
    many = "**Daily checks**\n- 7 harbour cranes running\n- horn (every 30 min)\n- tides (hourly)"

    assert certain_conflict("Daily checks (5 harbour cranes)", many) is not None


def test_in_a_language_whose_denials_nobody_listed_nothing_is_certain() -> None:
    one, other = ("Краны проверяют каждые 30 минут.", "Краны проверяют каждые 45 минут.")
    assert relate(one, other).related is Related.CONFLICT

    assert certain_conflict(one, other) is None
