"""Colouring cuts code into parts and changes none of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.views.entries.fact import coloured
from remem.views.spans import Tone

PATHS = ("a.py", "a.ts", "a.md", "a.yaml", "a.html", "Makefile", "a.c", "a.unknown", "", "..")
PIECES = [
    "def f():",
    "'''",
    '"',
    "/*",
    "*/",
    "\t",
    "{%",
    "<b",
    "\x1b[31m",
    "\u2028",
    "\x0c",
    "é",
    " ",
]
LINES = st.lists(
    st.lists(st.sampled_from(PIECES), max_size=5).map("".join), min_size=1, max_size=6
).map(tuple)


@given(path=st.sampled_from(PATHS), lines=LINES)
@settings(max_examples=80)
def test_every_character_stays_on_its_line(path: str, lines: tuple[str, ...]) -> None:
    found = coloured(path, lines)

    assert ["".join(span.text for span in line) for line in found] == [
        line.expandtabs(4) for line in lines
    ]


def test_a_language_that_is_known_has_tones() -> None:
    tones = {span.tone for span in coloured("a.py", ("def f(): return 'x'  # so",))[0]}

    assert {Tone.CODE, Tone.GOOD, Tone.DIM, Tone.STRONG} <= tones


@pytest.mark.parametrize(
    ("path", "line"),
    [("a.unknown", "def f(): pass"), ("a.py", "x = 1" * 9_000), ("a.py", "x" * 1_001)],
)
def test_what_cannot_be_coloured_is_plain(path: str, line: str) -> None:
    assert {span.tone for span in coloured(path, (line,))[0]} == {Tone.PLAIN}
