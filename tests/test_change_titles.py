"""What a change is called once it is done, and in the history."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.workspace_files import opened, workspace

from remem.base.text import quoted
from remem.model.entry import Ref
from remem.views.change_titles import by_words, done


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


@pytest.mark.parametrize(
    "title",
    [
        "Supersede sniper:conv-001 by {}",
        "Keep as candidate {}",
        "Reject {}",
    ],
)
def test_a_message_stays_on_one_line_of_80_columns_whatever_an_entry_is_called(
    tmp_path: Path, title: str
) -> None:
    ref = Ref.parse("sniper:sprint-7-retro/new_conventions/3")
    named = {ref: "Never throw errors from services " * 4}
    library = opened(workspace(tmp_path, ["One"], {"api": []}))

    told = done(by_words(title.format(library.short(ref)), named, library))

    assert '"Never throw' in told
    assert len(f"{told} · u to undo") <= 76


def test_an_id_of_any_length_leaves_room_for_the_beginning_of_the_title(tmp_path: Path) -> None:
    ref = Ref.parse(f"sniper:conv-{'x' * 60}")
    library = opened(workspace(tmp_path, ["One"], {"api": []}))

    told = by_words(f"Approve {library.short(ref)}", {ref: "Never throw errors"}, library)

    assert told.endswith('"Never throw err…"')


def test_words_that_stand_for_a_place_in_a_file_have_no_marks_of_code_around_them(
    tmp_path: Path,
) -> None:
    ref = Ref.parse("sniper:sprint-7-retro/new_conventions/3")
    library = opened(workspace(tmp_path, ["One"], {"api": []}))

    told = by_words(f"Mark `{library.short(ref)}` as reviewed", {ref: "Never throw"}, library)

    assert told == 'Mark "Never throw" as reviewed'
