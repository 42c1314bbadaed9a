"""What speaks against acting by oneself is shown whole, as far as anybody reads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest
from tests.sniper_files import CONVENTIONS, project

from remem.core.relation import subject
from remem.core.relation.in_force import against, named_first, whole
from remem.core.relation.subject import Words, words_of

TEXT = "Retries of the booking queue have a limit of three"


def test_of_very_many_those_that_share_most_are_shown_and_the_rest_is_counted(
    tmp_path: Path,
) -> None:
    near = [f"The booking queue number {n} has a limit" for n in range(40)]
    likest = "Retries of the booking queue have no limit"
    rows = "".join(
        f"  - {{id: conv-{n:03}, rule: {text}}}\n" for n, text in enumerate([*near, likest], 1)
    )
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})
    found = against(library, "convention", TEXT)

    told = [*whole(library, found)]

    assert len(found) == 41
    assert len(told) == 13
    assert any(likest in each for each in told)
    assert told[-1] == "and 29 more active entries are similar"


def test_where_all_that_is_named_conflicts_the_rest_is_no_more_of_what_is_similar(
    tmp_path: Path,
) -> None:
    rules = [f"Never limit retries of the booking queue number {n} to three" for n in range(13)]
    rows = "".join(f"  - {{id: conv-{n:03}, rule: {text}}}\n" for n, text in enumerate(rules, 1))
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})

    told = [*whole(library, against(library, "convention", TEXT))]

    assert all(each.startswith("possible conflict with") for each in told[:-1])
    assert told[-1] == "1 active entry is similar"


def test_a_few_are_all_shown_in_their_order(tmp_path: Path) -> None:
    rows = "".join(
        f"  - {{id: conv-00{n}, rule: {text}}}\n"
        for n, text in ((1, "The booking queue has a limit"), (2, "Retries have a limit of five"))
    )
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})

    told = [*whole(library, against(library, "convention", TEXT))]

    assert ["conv-001" in told[0], "conv-002" in told[1], len(told)] == [True, True, 2]


def test_one_word_in_common_makes_nothing_similar(tmp_path: Path) -> None:
    rules = ("Uploads have a limit", "Retries have a small limit", "Every limit is documented")
    rows = "".join(f"  - {{id: conv-00{n}, rule: {text}}}\n" for n, text in enumerate(rules, 1))
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})

    both = [*whole(library, against(library, "convention", "Retries have a limit"))]
    one = [*whole(library, against(library, "convention", "Parcels have a limit"))]

    assert [each.partition(" (")[0] for each in both] == ["similar to `sniper:conv-002`"]
    assert [each.partition(":conv")[0] for each in one] == ["a word in common with `sniper"]


def test_what_shares_most_is_named_first(tmp_path: Path) -> None:
    rules = ("Change days are on the checklist", "Replay a fare change over last month's bookings")
    rows = "".join(f"  - {{id: conv-00{n}, rule: {text}}}\n" for n, text in enumerate(rules, 1))
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})

    found = against(library, "convention", "Every fare change is replayed over bookings")

    assert named_first(library, found).startswith("similar to `sniper:conv-002`")


def test_two_threads_that_ask_at_once_work_the_texts_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = [f"Lamp {n} burns at the quay" for n in range(30)]
    rows = "".join(f"  - {{id: conv-{n:03}, rule: {text}}}\n" for n, text in enumerate(rules, 1))
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rows}"})
    worked_out: list[str] = []
    both = Barrier(2)

    def slowly(text: str) -> Words:
        worked_out.append(text)
        Event().wait(0.001)
        return words_of(text)

    def ask(_: int) -> int:
        both.wait()
        return len(against(library, "convention", "Lamps burn at the quay all night"))

    monkeypatch.setattr(subject, "words_of", slowly)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, range(2))

    assert first == second > 0
    assert sorted(worked_out) == sorted(rules)
