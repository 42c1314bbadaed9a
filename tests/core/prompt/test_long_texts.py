"""A long text counted by its paragraphs has exactly the tokens that it has in one piece."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.core.prompt.counter import Counter
from remem.core.prompt.tokens import _LONG, Exact, exact_counter
from remem.store.io import Disk

PIECES = st.sampled_from(
    [
        *("\n\n", "\n", " ", "\t", "\r\n", "/", "//", ".", "...", "-", "- x", "# A", "12", "345"),
        *("can't", "É", "界", "🙂", "\u00a0", "\x1c", "\u2028", "```", "_", "a" * 30, "don\n\n't"),
    ]
)
TEXTS = st.lists(PIECES, min_size=8, max_size=60).map("".join)


@settings(max_examples=60)
@given(text=TEXTS)
@example(text="a.\n\n/b\n\n c\n\n\n\nd")
def test_paragraphs_add_up(counter: Counter, text: str) -> None:
    assert isinstance(counter, Exact)
    long = text * (_LONG // len(text) + 1)

    whole = len(counter._encode(long))

    assert Exact(counter.encoding, counter._encode).count(long) == whole


def test_the_older_vocabulary_agrees(tmp_path: Path) -> None:
    counter = exact_counter("cl100k_base", tmp_path, Disk())
    assert isinstance(counter, Exact)
    long = "".join(f"# Part {n}.\n\n- it's {n}/{n}...\n\n//x\n\n\n 'll\n\n've" for n in range(400))

    assert Exact("cl100k_base", counter._encode).count(long) == len(counter._encode(long))
