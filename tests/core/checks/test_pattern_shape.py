"""What is told of a pattern without looking never hides what it finds."""

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.code.changed_lines import ChangedFile
from remem.core.checks.code_parts import masked
from remem.core.checks.patterns import Shape, places, shape_of

PIECES = st.sampled_from(
    ["a", "b", "ab", ".", "^", "$", r"\b", r"\s", r"\s*", r"\w+", r"\W", r"\n", "a*", "b+", "x?",
     "[ab]", "[^a]", "[^a]*", r"[^a\n]*", r"[\s,]", r"[ \t]+", "(a)", "(?:a|bx)", "(?:a|b)?",
     r"(?:a\s)+", "(?=a)", r"(?!\s*b)", r"(?<=b\n)", "|", r"\Ka", "a{2}", "b{0,2}", r"\1", "]"]
)  # fmt: skip
LINE = st.text("abx ,#'", max_size=5) | st.just('"""')
LINES = st.lists(LINE, min_size=1, max_size=7)


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(PIECES, min_size=1, max_size=5), lines=LINES)
@example(parts=[r"a\s*", "b"], lines=["a", "", "  ", "b"])
@example(parts=["a", "|", "b"], lines=["b"])
@example(parts=["(a)", r"\n", r"\1"], lines=["a", "a"])
def test_all_that_a_pattern_finds_has_its_shape(parts: list[str], lines: list[str]) -> None:
    pattern, text = "".join(parts), "\n".join(lines)
    try:
        compiled = regex.compile(pattern, regex.MULTILINE)
    except regex.error:
        return
    shape = shape_of(pattern)

    for match in compiled.finditer(text):
        begins = min(match.start(), *(start for start, _ in match.regs if start >= 0))
        found = text[begins : match.end()]
        assert shape.may_stand_in(text)
        if shape.reach is not None:
            below = found.split("\n")[1:]
            assert sum(bool(line.strip()) for line in below) <= shape.reach


@settings(max_examples=200, deadline=None)
@given(
    parts=st.lists(PIECES, min_size=1, max_size=4),
    lines=LINES,
    added=st.frozensets(st.integers(1, 7), min_size=1),
)
@example(parts=["a", r"\s*", "b"], lines=["x", "a", "", "b", "x"], added=frozenset({4}))
@example(parts=["a", r"\s*", "b"], lines=["x", "a", "", "b", "x"], added=frozenset({2}))
@example(parts=["a"], lines=["a", "x", "a", "a"], added=frozenset({1, 4}))
@example(parts=["a"], lines=['"""', "not seen", '"""', "a"], added=frozenset({4}))
def test_what_touches_an_added_line_is_found_without_reading_the_rest(
    parts: list[str], lines: list[str], added: frozenset[int]
) -> None:
    pattern = "".join(parts)
    try:
        compiled = regex.compile(pattern, regex.MULTILINE)
    except regex.error:
        return
    there = frozenset(n for n in added if n <= len(lines))
    text = masked("a.py", "\n".join(lines), ("code",)) or ""
    whole = set[int]()
    for match in compiled.finditer(text):
        bare = match[0].strip()
        start = match.start() + (len(match[0]) - len(match[0].lstrip()) if bare else 0)
        first = text.count("\n", 0, start) + 1
        touched = [n for n in range(first, first + bare.count("\n") + 1) if n in there]
        whole.update(touched[:1])

    found = {
        place.line for place in places(pattern, ChangedFile("a.py", tuple(lines), there), ("code",))
    }

    if shape_of(pattern).reach == 0:
        assert found == whole
    else:
        # A match that begins elsewhere may be cut otherwise; no stretch with one is passed over.
        assert bool(found) >= bool(whole)


@pytest.mark.parametrize(
    ("pattern", "shape"),
    [
        (r"\bprint\s*\(", Shape(("print", "("), 1)),
        (r"(?:eval|exec)\(", Shape(((("eval",), ("exec",)), "("), 0)),
        (r"a|b+c?", Shape(((("a",), ("b",)),), 0)),
        (r"(?:as|:)\s*\Kany\b", Shape(((("as",), (":",)), "any"), 1)),
        (r"(?i)todo", Shape((), 0)),
        (r"a[^b]*c", Shape(("a", "c"), None)),
        (r"\Aa", Shape()),
        (r"(?>a)b", Shape()),
        (r"(?s)a.b", Shape()),
    ],
)
def test_the_shape_of_a_pattern(pattern: str, shape: Shape) -> None:
    assert shape_of(pattern) == shape
