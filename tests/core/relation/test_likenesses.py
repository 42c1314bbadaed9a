"""What is alike among very many texts is kept as numbers, and told as it was found."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bench.workspaces import rule
from tests.sniper_files import CONVENTIONS, write

from remem.core.relation import pairs as pairs_module
from remem.core.relation.likenesses import Likenesses
from remem.core.relation.normal_form import Alike, Likeness
from remem.core.relation.pairs import alike_texts, pairs
from remem.core.session import Session
from remem.core.settings import Places
from remem.views.health import PAIRS_SHOWN, health_items

MANY = 600
"""Sentences cut to 40 patterns: with each come some 7 pairs."""
KEPT_BYTES = 280
"""Of a pair, its share of all words included: it takes 200, and as an object took 410."""
PEAK_BYTES = 5_000
"""Of a text, while all are compared: it takes 3,500, and with objects took 6,600."""

likenesses = st.builds(
    Likeness,
    st.sampled_from(Alike),
    st.sampled_from([0.5, 1.0, 1 / 3]),
    st.booleans(),
    st.text(alphabet="ab `,\n", max_size=12),
)
places = st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))


@given(found=st.dictionaries(places, likenesses, max_size=12))
def test_they_are_told_as_they_were_found_in_the_order_of_their_places(
    found: dict[tuple[int, int], Likeness],
) -> None:
    kept = Likenesses(found.items())
    read = Likenesses.from_bytes(kept.to_bytes())

    for each in (kept, read):
        assert list(each.items()) == sorted(found.items(), key=lambda item: item[0])
        assert [*each] == sorted(found)
        assert {pair: each[pair] for pair in found} == found
        told = [each.is_contradiction(place) for place in range(len(each))]
        assert told == [x.alike is Alike.CONTRADICTION for x in each.values()]


def test_two_texts_that_are_not_alike_are_not_among_them() -> None:
    kept = Likenesses({(1, 3): Likeness(Alike.EXACT, 1.0)}.items())

    assert (1, 2) not in kept
    assert (2, 3) not in kept
    with pytest.raises(KeyError):
        kept[1, 4]


def _of_one_pattern(number: int) -> str:
    quay = "".join(f"{'bdfglmnprt'[int(digit)]}a" for digit in str(100 + number % 40))
    return f"Case {number}: each {quay}lamp waits at the {quay}quay until its {quay}boat is counted"


@pytest.fixture
def traced() -> Iterator[None]:
    # What is kept for good is there already.
    alike_texts([_of_one_pattern(number) for number in range(40)])
    gc.collect()
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_what_is_alike_among_many_texts_of_one_pattern_takes_little_memory(traced: None) -> None:
    texts = [_of_one_pattern(number) for number in range(MANY)]
    before = tracemalloc.get_traced_memory()[0]

    found = alike_texts(texts)
    kept, most = tracemalloc.get_traced_memory()

    assert len(found) > 5 * MANY
    assert kept - before <= KEPT_BYTES * len(found), (kept - before) / len(found)
    assert most - before <= PEAK_BYTES * MANY, (most - before) / MANY


def test_what_texts_say_is_kept_of_few_at_a_time_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [rule(number) for number in range(1, 450)]
    expected = alike_texts(texts)

    monkeypatch.setattr(pairs_module, "_READ", 3)

    assert alike_texts(texts) == expected


def test_of_very_many_pairs_health_makes_only_those_that_it_shows(tmp_path: Path) -> None:
    rules = "".join(f"  - {{id: conv-{n}, rule: '{rule(n)}'}}\n" for n in range(1, 401))
    write(tmp_path / "harbour", {CONVENTIONS: f"conventions:\n{rules}"})
    session = Session.open(tmp_path / "harbour", Places.of(tmp_path / "home"), door="tui")
    gc.collect()
    before = _likenesses_there()

    found = health_items(session, (), thorough=True)
    there = _likenesses_there() - before

    assert sum(1 for _ in pairs(session.library)) > 2 * PAIRS_SHOWN
    assert sum(each.pair is not None for each in found) == PAIRS_SHOWN
    assert PAIRS_SHOWN <= there <= PAIRS_SHOWN + 10
    session.close()


def _likenesses_there() -> int:
    return sum(type(each) is Likeness for each in gc.get_objects())
