"""A filter finds what a slow and plain reading of the same query would find."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.views.filter import FieldValue, Filter, Kept, Query, Term

WORDS = ("use zod", "use zod schemas", "barrel files", "zod", "retry use")
ROLES: tuple[FieldValue, ...] = (None, (), ("backend-engineer",), ("sw_quality", "Backend-lead"))
STATUSES = ("active", "candidate", "archived")
ROWS = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(ROLES), st.sampled_from(STATUSES)),
    max_size=20,
)
QUERIES = st.lists(
    st.sampled_from(
        [
            "zod",
            "ZOD",
            "use",
            "use zod",
            "!barrel",
            "role:",
            "role:back",
            "role:backend",
            "!role:sw",
            "!role:s",
            "status:a",
            "status:active",
            "!status:arch",
            "persona:x",
            "!persona:x",
        ]
    ),
    max_size=4,
).map(" ".join)


def plainly(rows: list[tuple[str, FieldValue, str]], typed: str) -> list[int]:
    """Read the query again for every row, without an index and without a memory."""
    query = Query.parse(typed)
    return [place for place, row in enumerate(rows) if _all(query, row)]


def _all(query: Query, row: tuple[str, FieldValue, str]) -> bool:
    return all(word in row[0] for word in query.words) and all(
        _passes(term, row) is not term.inverted for term in query.terms
    )


def _passes(term: Term, row: tuple[str, FieldValue, str]) -> bool:
    if not term.field:
        return term.value in row[0]
    value = {"role": row[1], "status": row[2]}.get(term.field, ())
    if value is None:
        return True
    words = (value,) if isinstance(value, str) else value
    return any(word.lower().replace("_", "-").startswith(term.value) for word in words)


@settings(max_examples=200)
@given(rows=ROWS, queries=st.lists(QUERIES, min_size=1, max_size=6))
def test_typing_on_and_going_back_finds_what_a_fresh_search_finds(
    rows: list[tuple[str, FieldValue, str]], queries: list[str]
) -> None:
    search = Filter(
        [row[0] for row in rows],
        {"role": lambda i: rows[i][1], "status": lambda i: rows[i][2]},
    )

    for typed in queries:
        assert list(search.find(typed)) == plainly(rows, typed)


RUNS = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=6)
"""Rows that were kept, or went; between them come new ones."""


@settings(max_examples=200)
@given(before=ROWS, after=ROWS, runs=RUNS, queries=st.lists(QUERIES, max_size=3))
def test_a_filter_after_another_one_finds_what_a_fresh_one_finds_and_reads_only_what_is_new(
    before: list[tuple[str, FieldValue, str]],
    after: list[tuple[str, FieldValue, str]],
    runs: list[tuple[bool, int]],
    queries: list[str],
) -> None:
    rows, kept, was = after[:2], list[Kept](), 0
    for stays, length in runs:
        run = before[was : was + length]
        if stays and run:
            kept.append(Kept(len(rows), was, len(run)))
            rows += [*run, *after[2:4]]
        was += length
    old = Filter([row[0] for row in before], {"role": lambda i: before[i][1]})
    old.find("role:b")
    read: list[int] = []

    def text(place: int) -> str:
        read.append(place)
        return rows[place][0]

    fields: dict[str, Callable[[int], FieldValue]] = {
        "role": lambda i: rows[i][1],
        "status": lambda i: rows[i][2],
    }
    made = Filter.after(old, kept, len(rows), text, fields)

    assert {*read}.isdisjoint(i for k in kept for i in range(k.start, k.start + k.length))
    for typed in (*queries, "role:backend", "status:active"):
        assert list(made.find(typed)) == plainly(rows, typed)


@given(longer=QUERIES, shorter=QUERIES, rows=ROWS)
def test_what_narrows_finds_nothing_that_the_wider_query_did_not(
    longer: str, shorter: str, rows: list[tuple[str, FieldValue, str]]
) -> None:
    if Query.parse(longer).narrows(Query.parse(shorter)):
        assert set(plainly(rows, longer)) <= set(plainly(rows, shorter))


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        pytest.param("Use Zod", Query(("use", "zod")), id="words are apart"),
        pytest.param(
            "kind:anti_pattern zod",
            Query(("zod",), (Term("kind", "anti-pattern"),)),
            id="underscore is a hyphen",
        ),
        pytest.param(
            "!role:back", Query((), (Term("role", "back", inverted=True),)), id="inverted"
        ),
        pytest.param('"Use  zod" x', Query(("use  zod", "x")), id="quoted, with its spaces"),
        pytest.param('"use zo', Query(("use zo",)), id="a quote being typed"),
        pytest.param("role:", Query(), id="a term being typed asks nothing"),
        pytest.param("http://x", Query(("http://x",)), id="a colon alone is text"),
        pytest.param("!", Query(("!",)), id="a bang alone is text"),
    ],
)
def test_what_is_typed_is_understood(typed: str, query: Query) -> None:
    assert Query.parse(typed) == query


def test_an_empty_query_shows_everything_in_order() -> None:
    assert list(Filter(["b", "a"]).find("  ")) == [0, 1]


def test_a_field_with_many_values_is_searched_too() -> None:
    search = Filter([""] * 600, {"persona": lambda place: f"p{place}"})

    assert list(search.find("persona:p59")) == [59, *range(590, 600)]


def test_a_field_that_comes_to_have_many_values_is_searched_too() -> None:
    old = Filter([""] * 200, {"persona": lambda place: f"p{place}"})
    old.find("persona:p1")

    made = Filter.after(
        old, [Kept(0, 0, 200)], 600, lambda _: "", {"persona": lambda place: f"p{place}"}
    )

    assert list(made.find("persona:p59")) == [59, *range(590, 600)]


def test_words_are_found_in_any_order_and_misspelt_where_none_is_as_typed() -> None:
    search = Filter(["the scanner never boards offline", "scanner", "offline boards"])

    assert list(search.find("offline scanner")) == [0]
    assert list(search.find("scaner ofline")) == [0]
    assert list(search.find("scaner")) == [0, 1]
    assert list(search.find('"scanner offline"')) == []


def test_what_has_a_word_in_the_other_number_is_found_apart_from_what_has_it_as_typed() -> None:
    search = Filter(["two tickets", "a ticket", "stories of a ticket", "a story", "status"])

    assert list(search.find("tickets")) == [0]
    assert search.in_other_number("tickets") == [1, 2]
    assert search.in_other_number("status") == ()
    assert search.in_other_number("a ticket") == ()


MANY = 40_000


def very_many() -> Filter:
    return Filter([f"case {n} {'lamp' if n % 1_000 == 7 else 'tide'}" for n in range(MANY)])


@pytest.mark.parametrize("near", [0, 20_000, MANY - 1], ids=["top", "middle", "end"])
@pytest.mark.parametrize("typed", ["lamp", "tide", "7 tide", "harbour"])
def test_a_hunt_finds_piece_by_piece_what_is_found_at_once(typed: str, near: int) -> None:
    search, steps = very_many(), 0
    hunt = search.begin(typed, near)

    assert hunt is not None
    while not hunt.go_on(0):
        hunt.go_on(1, to_screenful=True)
        steps += 1

    assert hunt.found == very_many().find(typed)
    assert search.find(typed) == hunt.found
    assert search.begin(typed) is None  # it is known by now


def test_a_hunt_finds_a_screenful_around_the_cursor_first() -> None:
    hunt = very_many().begin("tide", 20_000)

    assert hunt is not None
    assert not hunt.go_on(60, to_screenful=True)
    assert 128 <= len(hunt.found) < 4_000
    assert 20_000 in hunt.found


@pytest.mark.parametrize(
    "search", [Filter(["lamp"] * 50), very_many()], ids=["few rows", "nothing typed"]
)
def test_what_takes_no_time_needs_no_hunt(search: Filter) -> None:
    typed = "" if len(search.find("")) == MANY else "lamp"

    assert search.begin(typed) is None


def test_a_hunt_looks_only_through_what_a_shorter_word_left() -> None:
    search = very_many()
    found = search.find("lam")

    assert search.begin("lamp") is None
    assert search.find("lamp") == found
