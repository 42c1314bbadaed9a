"""Citations as values: what goes in, how text becomes a hash, what can be cited anew."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.code.code_reader import lines_of
from remem.model.change import Json
from remem.model.citation import (
    BadCitation,
    Citation,
    CitationStatus,
    Place,
    Verdict,
    citation_of,
    citations_of,
    hash_of,
    parse_place,
    require_place,
    together,
)

LINES = st.lists(st.text("ab \t\r\x0b}é界", max_size=6), min_size=1, max_size=5)
JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "line_start", "line_end", "sha", "x"]), inner)
    ),
    max_leaves=6,
)


@given(lines=LINES, blanks=st.lists(st.text(" \t\r", max_size=3), min_size=5, max_size=5))
def test_blanks_at_the_ends_of_lines_do_not_change_a_hash(
    lines: list[str], blanks: list[str]
) -> None:
    padded = [line + blank for line, blank in zip(lines, blanks, strict=False)]

    assert hash_of(padded) == hash_of(lines)


@given(one=LINES, two=LINES)
def test_hashes_are_equal_only_where_the_lines_are(one: list[str], two: list[str]) -> None:
    same = [line.rstrip() for line in one] == [line.rstrip() for line in two]

    assert (hash_of(one) == hash_of(two)) is same


def test_a_hash_is_what_the_format_says() -> None:
    assert hash_of(["a  ", "\tb", ""]) == sha256(b"a\n\tb\n").hexdigest()


@given(lines=LINES, start=st.integers(1, 9))
def test_a_citation_goes_to_json_and_back(lines: list[str], start: int) -> None:
    citation = Citation("src/a.py", start, start).at("src/b.py", start, "abc1234", lines)

    again = citation_of(citation.to_json())

    assert again == citation
    assert list(again.known_lines) == [line.removesuffix("\r") for line in lines]


def test_what_others_keep_beside_a_citation_stays() -> None:
    held: dict[str, Json] = {"path": "a", "line_start": 1, "line_end": 2, "note": [1]}

    assert citation_of(held).to_json() == held


@given(value=JSON)
@settings(max_examples=60)
def test_any_json_is_a_citation_or_says_why_not(value: Json) -> None:
    try:
        found = citation_of(value)
    except BadCitation:
        return

    assert found.path
    assert citation_of(found.to_json()) == found


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param("x", "a mapping", id="text"),
        pytest.param({"line_start": 1, "line_end": 1}, "no `path`", id="no path"),
        pytest.param({"path": "a", "line_start": "1", "line_end": 1}, "line_start", id="text line"),
        pytest.param({"path": "a", "line_start": True, "line_end": 1}, "line_start", id="boolean"),
        pytest.param({"path": "a", "line_start": 1.5, "line_end": 2}, "line_start", id="half"),
        pytest.param(
            {"path": "a", "line_start": float("inf"), "line_end": 2}, "line_start", id="infinite"
        ),
        pytest.param({"path": "a", "line_start": 1, "line_end": 1, "sha": 3}, "sha", id="sha"),
    ],
)
def test_what_is_no_citation_is_named(value: Json, said: str) -> None:
    with pytest.raises(BadCitation, match=said):
        citation_of(value)


def test_citations_are_a_list() -> None:
    with pytest.raises(BadCitation, match="a list"):
        citations_of({"path": "a"})


@pytest.mark.parametrize(
    ("text", "path", "start", "end"),
    [
        ("src/a.py:3-9", "src/a.py", 3, 9),
        ("src/a.py:3", "src/a.py", 3, 3),
        ("c:\\x:1-2", "c:\\x", 1, 2),
        ("a b/ü.md:10-10", "a b/ü.md", 10, 10),
    ],
)
def test_a_place_is_read_as_people_write_it(text: str, path: str, start: int, end: int) -> None:
    found = parse_place(text)

    assert (found.path, found.line_start, found.line_end) == (path, start, end)


@pytest.mark.parametrize(
    "text",
    ["a.py", "a.py:", ":3", "a.py:x", "a.py:0", "a.py:-1", "a.py:9-3", "a.py:1-9999999", ""],
)
def test_a_place_that_no_file_has_is_refused(text: str) -> None:
    with pytest.raises(BadCitation):
        parse_place(text)


def test_lines_that_end_before_they_begin_are_refused() -> None:
    with pytest.raises(BadCitation, match="from line 9 to 3"):
        require_place(Citation("a", 9, 3))


def test_lines_are_cut_at_line_feeds_alone() -> None:
    assert lines_of("a\x0cb\u2028c\r\nd\n") == ("a\x0cb\u2028c", "d")


def test_a_snippet_that_is_not_that_of_its_hash_is_not_believed() -> None:
    forged = Citation("a", 1, 1, snippet_hash=hash_of(["mine"]), snippet="theirs")

    assert forged.known_lines == ()
    assert forged.known_hash == hash_of(["mine"])


def test_a_hash_of_another_make_is_nobodys() -> None:
    assert Citation("a", 1, 1, snippet_hash="d41d8cd98f00b204e9800998ecf8427e").known_hash == ""


@pytest.mark.parametrize("sha", ["HEAD", "--output=x", "main", "abc", "zz" * 20, ""])
def test_only_a_commit_is_handed_to_git(sha: str) -> None:
    assert Citation("a", 1, 1, sha=sha).commit == ""


def verdicts(*statuses: CitationStatus) -> list[Verdict]:
    return [Verdict(Citation("a", 1, 1), status) for status in statuses]


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        ((), CitationStatus.MISSING),
        ((CitationStatus.VALID, CitationStatus.VALID), CitationStatus.VALID),
        ((CitationStatus.VALID, CitationStatus.MOVED), CitationStatus.MOVED),
        ((CitationStatus.CHANGED, CitationStatus.MOVED), CitationStatus.CHANGED),
        ((CitationStatus.MISSING, CitationStatus.CHANGED), CitationStatus.MISSING),
        ((CitationStatus.VALID, CitationStatus.UNCHECKED), CitationStatus.UNCHECKED),
        ((CitationStatus.UNCHECKED, CitationStatus.MOVED), CitationStatus.MOVED),
    ],
)
def test_a_memory_is_as_good_as_its_worst_citation(
    statuses: tuple[CitationStatus, ...], whole: CitationStatus
) -> None:
    assert together(verdicts(*statuses)) is whole


def test_what_moved_is_cited_anew_with_all_that_storing_fills_in() -> None:
    old = Citation("a.py", 3, 4).at("a.py", 3, "0" * 40, ["x", "y"])
    moved = Verdict(
        old,
        CitationStatus.MOVED,
        moved_to=Place("b.py", 9, 10),
        moved_text="x\n  y",
        commit="1" * 40,
    )

    anew = moved.anew

    assert anew is not None
    assert str(anew) == "b.py:9-10"
    assert (anew.sha, anew.snippet) == ("1" * 40, "x\n  y")
    assert anew.snippet_hash == hash_of(["x", "  y"])


@pytest.mark.parametrize(
    "status", [CitationStatus.MISSING, CitationStatus.OUT_OF_RANGE, CitationStatus.UNCHECKED]
)
def test_what_is_nowhere_is_not_cited_anew(status: CitationStatus) -> None:
    assert verdicts(status)[0].anew is None
