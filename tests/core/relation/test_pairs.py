"""Entries that are alike are found in a whole store, the same ones each time."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.measure import in_turns, worked
from tests.sniper_files import CONVENTIONS, DECISIONS, project

from remem.core.library import Library
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import Alike, Likeness, is_label, norm
from remem.core.relation.pairs import (
    _COMMON,
    RAREST,
    Pair,
    alike_texts,
    pairs,
    pairs_among,
    problem_of,
)
from remem.model.entry import Entry, Ref, Status, WholeFile


def entry(number: int, text: str) -> Entry:
    ref = Ref("sniper", f"conv-{number:03d}")
    return Entry(ref, "convention", text, Status.ACTIVE, WholeFile(Path("x")), "d")


def among(*texts: str) -> list[tuple[int, int, Alike]]:
    entries = [entry(number, text) for number, text in enumerate(texts)]
    return [(_number(p.first), _number(p.second), p.likeness.alike) for p in pairs_among(entries)]


def _number(found: Entry) -> int:
    return int(found.ref.id.removeprefix("conv-"))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Every queue consumer is idempotent", "every  queue consumer is idempotent.", Alike.EXACT),
        ("Every queue consumer is idempotent", "Every queue consumers is idempotent", Alike.NEAR),
        ("Names are verbs in code", "Names are not verbs in code", Alike.CONTRADICTION),
        ("Always pin the versions", "Never pin the versions", Alike.CONTRADICTION),
        (
            "A call gives up after 30 seconds",
            "A call gives up after 10 seconds",
            Alike.CONTRADICTION,
        ),
        ("Services log JSON", "Boards show their age", None),
    ],
)
def test_two_texts_are_a_pair_of_their_kind(one: str, other: str, expected: Alike | None) -> None:
    assert among(one, other) == ([] if expected is None else [(0, 1, expected)])


def test_equal_texts_are_paired_with_the_first_of_them() -> None:
    assert among("a b", "c d", "A b", "a b.") == [(0, 2, Alike.EXACT), (0, 3, Alike.EXACT)]


words = st.sampled_from(
    [
        "queue",
        "tide",
        "port",
        "never",
        "always",
        "10",
        "20",
        "log",
        "fare",
        "board",
        "is",
        "a",
        "the",
        "not",
    ]
)
texts = st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), max_size=12)


@settings(max_examples=80)
@given(found=texts)
def test_pairs_among_few_are_those_of_comparing_all_with_all(found: list[str]) -> None:
    distinct = list(dict.fromkeys(found))
    expected = [
        (first, second)
        for first, one in enumerate(distinct)
        for second, other in enumerate(distinct)
        if first < second and likeness(one, other) is not None
    ]

    got = {(first, second) for first, second, _ in among(*distinct)}

    assert got <= set(expected)
    assert {p for p in expected if _shares_most(distinct, p)} <= got
    assert among(*distinct) == among(*distinct)


def _shares_most(found: list[str], pair: tuple[int, int]) -> bool:
    one, other = (set(found[number].split()) for number in pair)
    return len(one ^ other) <= 2 and bool(one & other) and len(one | other) <= 4


@pytest.mark.parametrize(
    ("many", "vocabulary", "share"),
    [
        pytest.param(30, 30, 1.0, id="rare words"),
        pytest.param(300, 120, 0.98, id="rare and common ones"),
        pytest.param(400, 8, 0.01, id="crowds"),
    ],
)
def test_the_pairs_are_those_of_comparing_one_by_one_and_of_crowds_some(
    many: int, vocabulary: int, share: float
) -> None:
    random = Random(many)
    own = [word + end for word in ("qua", "tid", "por", "ber") for end in "abcdefghijklmno"]
    words = random.choices(own, k=vocabulary)
    texts = [" ".join(random.choices(words, k=random.randint(0, 9))) for _ in range(many)]
    forms = [norm(text) for text in (*texts, *(f"{text}s" for text in texts[:20]), *texts[:5])]

    found = alike_texts(forms)

    expected = one_by_one(forms)
    assert [*found] == sorted(found)
    assert found.items() <= expected.items()
    assert len(found) >= share * len(expected)


def one_by_one(forms: list[str]) -> dict[tuple[int, int], Likeness]:
    """Return the pairs in the plain way: each text is compared with each."""
    found: dict[tuple[int, int], Likeness] = {}
    firsts: dict[str, int] = {}
    for place, form in enumerate(forms):
        if form in firsts:
            found[firsts[form], place] = Likeness(Alike.EXACT, 1.0)
        elif form:
            for other, before in firsts.items():
                alike = likeness(other, form)
                if alike is not None:
                    found[before, place] = alike
            firsts[form] = place
    return found


def meeting_by(form: str, often: Counter[str]) -> list[tuple[str, ...]]:
    rarest = sorted(set(form.split()), key=lambda word: (often[word], word))[:RAREST]
    alone = [(word,) for word in rarest if often[word] <= _COMMON]
    if len(alone) == RAREST:
        return [*alone]
    lonely = [(rarest[0], "")] if len(rarest) == 1 and not alone else []
    return [*alone, *combinations(sorted(rarest), 2), *lonely]


def test_only_entries_of_one_kind_that_count_are_paired(tmp_path: Path) -> None:
    conventions = (
        "conventions:\n  - {id: conv-001, rule: Names are verbs}\n"
        "  - {id: conv-002, rule: names are verbs., status: candidate}\n"
    )
    decisions = (
        "decisions:\n  - {id: dec-001, title: Names are verbs, decision: x}\n"
        "  - {id: dec-002, title: Names are verbs, decision: x, status: deprecated}\n"
    )
    library = project(tmp_path, {CONVENTIONS: conventions, DECISIONS: decisions})

    (pair,) = pairs(library)

    problem = problem_of(library, pair)
    assert (pair.first.ref.id, pair.second.ref.id) == ("conv-001", "conv-002")
    assert (problem.code, problem.message) == (
        "duplicate",
        "duplicate of `sniper:conv-001`",
    )
    assert problem.line == 3
    assert isinstance(pair, Pair)


class Looked(Sequence[Entry]):
    """Entries that tell how many looked through some at a time, and give way at each step."""

    at_work = most = 0

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, place: Any) -> Any:
        return self.entries[place]

    def __iter__(self) -> Iterator[Entry]:
        Looked.at_work += 1
        Looked.most = max(Looked.most, Looked.at_work)
        for each in self.entries:
            os.sched_yield()
            yield each
        Looked.at_work -= 1


def test_of_two_versions_one_is_compared_at_a_time(tmp_path: Path) -> None:
    rules = "".join(f"  - {{id: conv-{n:03d}, rule: Names {n} are verbs}}\n" for n in range(300))
    library = project(tmp_path, {CONVENTIONS: f"conventions:\n{rules}"})

    def version() -> Library:
        opened = tuple(
            replace(each, read=replace(each.read, entries=Looked([*each.read.entries])))
            for each in library.opened
        )
        return replace(library, opened=opened)

    Looked.at_work = Looked.most = 0
    both = Barrier(2)

    def compare(one: Library) -> int:
        both.wait()
        return sum(1 for _ in pairs(one))

    with ThreadPoolExecutor(2) as threads:
        found = [*threads.map(compare, (version(), version()))]

    assert found[0] == found[1] > 0
    assert Looked.most == 1


@pytest.mark.slow
def test_comparing_ten_thousand_texts_costs_at_most_eleven_times_what_reading_them_does() -> None:
    random = Random(7)
    vocabulary = ["".join(random.choices("abcdefghijklmnop", k=6)) for _ in range(3_000)]
    plain = [" ".join(random.choices(vocabulary, k=random.randint(6, 14))) for _ in range(9_500)]
    near = [f"{text} {random.choice('ab')}" for text in plain[:500]]
    entries = [entry(number, text) for number, text in enumerate([*plain, *near])]
    found: list[int] = []

    def compare() -> None:
        found.append(len(pairs_among(entries)))

    def read() -> None:
        words = [sorted(norm(each.title).split()) for each in entries]
        often = Counter(word for each in words for word in each)
        assert sum(often[word] for each in words for word in each) > len(entries)

    # What other tests left is not to be collected on its account.
    gc.collect()
    gc.freeze()
    try:
        compared, floor = in_turns(5, lambda: worked(compare), lambda: worked(read))
    finally:
        gc.unfreeze()

    assert min(found) >= 450
    assert compared <= 11 * floor, (compared, floor)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("**Fixes:**", True),
        ("**CRITICAL VIOLATIONS DETECTED:**", True),
        ("**Date:** 2026-03-23", True),
        ("2026-03-23", True),
        ("## Learnings", True),
        ("Never push to main.", False),
        ("**Rule:** wait 30 seconds before retry 2", False),
        ("Released on 2026-03-23", False),
        ("Ask the harbour master before each of the following steps:", False),
    ],
)
def test_a_label_names_what_stands_below_it_and_says_nothing(text: str, is_one: bool) -> None:
    assert is_label(text) == is_one
