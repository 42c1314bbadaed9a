"""A pattern is passed over only where it stands in no line."""

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.code.changed_lines import ChangedFile
from remem.core.checks.patterns import places, relaxed

PIECES = st.sampled_from(
    ["a", "b", "x", ".", "^", "$", r"\b", r"\B", r"\s", r"\w", r"\S", "a*", "b+", "x?", "[ab]",
     "[^a]", "[]x]", "(a)", "(?:a|b)", "(?=a)", "(?<=b)", "(?!a)", "(?<!b)", "(?!a(?:b)[)]x)",
     "|", "(?i)", r"\(", "(?!a)*", "a++", r"\A", r"\Z", "(?>a*)", ".*", ".*?", "a{2}", " ",
     r"$\s", r"\n", r"\S*"]
)  # fmt: skip
LINES = st.lists(st.text("abx \t\r(", max_size=6), max_size=5)


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(PIECES, min_size=1, max_size=5), lines=LINES)
@example(parts=["a", r"(?!\s*b)"], lines=["a", "b"])
@example(parts=["[^b]*+", "b"], lines=["ab", "b"])
@example(parts=["^", "$"], lines=["", "a"])
@example(parts=["^"], lines=[])
@example(parts=["(?<!", "\n)a"], lines=["x", "a"])
def test_what_stands_in_a_line_is_never_passed_over(parts: list[str], lines: list[str]) -> None:
    pattern = "".join(parts)
    try:
        compiled = regex.compile(pattern)
    except regex.error:
        return
    file = ChangedFile("a", tuple(lines), None)

    found = [place.line for place in places(pattern, file)]

    assert found == [n for n, line in enumerate(lines, 1) if compiled.search(line)]


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        (r"^(?!\s*#).*?(?<![\w.])print\s*\(", r"^.*?print\s*\("),
        (r"TODO(?!.*(?:[A-Z]+-\d+|\)))", "TODO"),
        (r"[(?!x)]a", r"[(?!x)]a"),
        (r"\(?!a", r"\(?!a"),
    ],
)
def test_only_what_forbids_something_around_it_is_left_out(pattern: str, kept: str) -> None:
    wider = relaxed(pattern)

    assert wider is not None
    assert wider.pattern == kept


@pytest.mark.parametrize("pattern", [r"\Aa", "a++b", "(?>a)b", "(?!a)+b", "(?(1)a|b)", "(?R)"])
def test_what_a_longer_text_could_change_is_looked_at_line_by_line(pattern: str) -> None:
    assert relaxed(pattern) is None
