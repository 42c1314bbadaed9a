"""How what is typed is matched."""

import pytest

from remem.views.loose_match import rank, words_of


@pytest.mark.parametrize(
    ("typed", "name", "more"),
    [
        pytest.param("scanner offline", "The scanner never boards offline", "", id="words apart"),
        pytest.param("offline scanner", "The scanner never boards offline", "", id="in any order"),
        pytest.param("hlep", "Help", "", id="letters swapped"),
        pytest.param("scaner", "The scanner", "", id="a letter left out"),
        pytest.param("timetables", "A timetable", "", id="another ending"),
        pytest.param("rtrn", "retro run", "", id="letters of a name"),
        pytest.param("RETRO", "retro run", "", id="another case"),
        pytest.param("retro sprint-7", "sprint-7-retro", "", id="parts of a name"),
        pytest.param("told", "duplicates", "told twice", id="another word for it"),
    ],
)
def test_it_matches_loosely(typed: str, name: str, more: str) -> None:
    assert rank(words_of(typed), name, more) > 0


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        pytest.param(
            "scanner online", "The scanner never boards offline", id="one word is missing"
        ),
        pytest.param("cat", "cut", id="short words are not misspelt"),
        pytest.param("ledger", "letter", id="two letters of six"),
    ],
)
def test_what_is_something_else_does_not_match(typed: str, name: str) -> None:
    assert rank(words_of(typed), name) == 0


def test_the_better_match_ranks_higher() -> None:
    names = ["undo", "undone work", "the undo", "udno", "redo"]

    ranked = sorted(names, key=lambda name: -rank(("undo",), name))

    assert ranked[:3] == ["undo", "undone work", "the undo"]
    assert rank(("redo",), "Redo") > rank(("redo",), "Undo", "redo it") > 0
