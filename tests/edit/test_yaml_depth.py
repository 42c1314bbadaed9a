"""Deep brackets are refused before a reader that takes squared time for them sees any."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.edit.yaml_read import NOT_QUICK, may_nest_deeper, parse_document, quick

LEVELS = 20
HIDDEN = {
    "bare": b"[" * 500,
    "mappings": b"{a: " * 500,
    "a comment closes": b"[ #]\n" * 500,
    "quotes over two lines close": b'["\n]",\n' * 500,
    "single quotes over two lines": b"['\n]',\n" * 500,
    "the other way round": b'- |\n [ "\n- ' + b'["\n] ",\n' * 500,
    "closed at the end of the line": b"[" * 500 + b"]" * 500,
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_what_nests_deep_is_never_taken_for_flat(text: bytes) -> None:
    assert may_nest_deeper(b"a: " + text, LEVELS)
    assert quick(b"a: " + text) is NOT_QUICK


@pytest.mark.parametrize(
    "line",
    [
        b"- {id: conv-001, applies_to: [a, b], source: {type: retro, date: '2026-01-01'}}\n",
        b'- rule: "write [ and ] as they are"  # not [ this\n',
        b"- applies_to: [backend-engineer]\n  rule: it's a [link](here)\n",
    ],
)
def test_many_flat_lines_stay_quick(line: bytes) -> None:
    assert quick(line * 400) is not NOT_QUICK


@pytest.mark.parametrize("deep", [b"[" * 40_000, b"[" * 40_000 + b"]" * 40_000, b"{a: " * 20_000])
def test_a_deep_document_is_a_problem_with_a_reason(deep: bytes) -> None:
    (problem,) = parse_document(b"a: " + deep).problems

    assert problem.code == "too-deep"
    assert problem.blocks_writing


PIECES = st.sampled_from(["[", "]", "{", "}", '"', "'", "#", " ", "\n", "a", ": ", ", "])


@settings(max_examples=150)
@given(pieces=st.lists(PIECES, max_size=60))
@example(pieces=['"', "\n", " ", "[", '"', ",", "[", "]"])
def test_the_bound_is_never_below_what_a_reader_finds(pieces: list[str]) -> None:
    data = "".join(pieces).encode()

    document = parse_document(data)

    depth = 0 if document.problems else _depth(document.value)
    assert depth < 2 or may_nest_deeper(data, depth - 1)


def _depth(value: object) -> int:
    """Return how deep lists nest, which have no other form in these texts than brackets."""
    if isinstance(value, dict):
        return max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0
