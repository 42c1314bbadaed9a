"""What a change is called once it is done, and in the history."""

from __future__ import annotations

import pytest

from remem.views.change_titles import done, quoted


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Approve sniper:conv-004", "Approved sniper:conv-004"),
        ("Keep sniper:conv-004, remove 2 copies", "Kept sniper:conv-004, remove 2 copies"),
        ("New persona Rosa", "New persona Rosa"),
        ("Redo", "Redo"),
    ],
)
def test_what_was_done_is_said_in_the_past_tense(title: str, told: str) -> None:
    assert done(title) == told


def test_a_title_is_quoted_on_one_line_and_cut_where_it_is_long() -> None:
    assert quoted("Tests name\n  the harbour") == '"Tests name the harbour"'
    assert quoted("x" * 60, 10) == f'"{"x" * 9}…"'
