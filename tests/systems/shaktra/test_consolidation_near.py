"""What is left out before texts are compared in full is nothing that would have counted."""

from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz
from tests.systems.shaktra.consolidating import memory, seen_in

from remem.core.relation.normal_form import norm
from remem.systems.shaktra.consolidation.similarity import (
    ENOUGH,
    SAME,
    Match,
    best_match,
    jaccard,
    near_pairs,
    overlap,
    ratio,
    same_pairs,
    sameness,
)
from remem.systems.shaktra.consolidation.terms import Held, Noted

WORDS = st.sampled_from(
    [*("a", "the", "cache", "caches", "key", "keys", "expiry", "expires", "queue", "größe", "x")]
) | st.text("abcdé", min_size=1, max_size=6)
TEXTS = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
NAMES = st.lists(st.sampled_from(["cache", "queue", "cost"]), max_size=3, unique=True)


@st.composite
def entries(draw: st.DrawFn) -> tuple[Held, ...]:
    items = [
        {"id": f"PR-{n:03}", "text": draw(TEXTS), "tags": draw(NAMES), "guidance": guidance}
        for n, guidance in enumerate(draw(st.lists(st.lists(TEXTS, max_size=3), max_size=6)), 1)
    ]
    return memory(*items).held


def observed(text: str, tags: list[str]) -> Noted:
    item = {"id": "OB-001", "type": "discovery", "text": text, "tags": tags, "importance": 5}
    return seen_in("ST-001", item)[0]


@settings(max_examples=70)
@given(texts=st.lists(TEXTS, max_size=8), bound=st.sampled_from([0.6, 0.8, 0.95]))
@example(texts=["a", "a b c d e f g h i j k l m n o p"], bound=0.8)
@example(texts=["b a", "a b b", "ab"], bound=0.95)
@example(texts=["cache key expiry", "caches keyed expired"], bound=0.6)
def test_near_pairs_are_all_that_reach_the_bound(texts: list[str], bound: float) -> None:
    numbered = combinations(enumerate(map(norm, texts)), 2)

    found = sorted(near_pairs([*map(norm, texts)], bound))

    assert found == [
        (one, other)
        for (one, text), (other, against) in numbered
        if fuzz.token_set_ratio(text, against) >= bound * 100
    ]


@settings(max_examples=25)
@given(held=entries())
def test_pairs_that_say_the_same_are_those_of_all_pairs(held: tuple[Held, ...]) -> None:
    every = [(sameness(held[i], held[j]), i, j) for i, j in combinations(range(len(held)), 2)]

    found = same_pairs(held)

    wanted = [each for each in every if each[0] > SAME]
    assert found == sorted(wanted, key=lambda each: (-each[0], each[1], each[2]))


@settings(max_examples=25)
@given(held=entries(), text=TEXTS, tags=NAMES)
def test_the_best_match_is_the_best_of_all(
    held: tuple[Held, ...], text: str, tags: list[str]
) -> None:
    asked = observed(text, tags)

    found = best_match(asked, held)

    every = [
        Match(
            entry,
            ratio(asked.title, entry.title),
            jaccard(asked.words, entry.words),
            overlap(asked.sentences, entry.guidance),
        )
        for entry in held
    ]
    fitting = [each for each in every if each.holds]
    assert found == min(fitting, key=lambda m: (-m.total, m.entry.age), default=None)
    assert found is None or found.total > 2 * ENOUGH
