"""Code in tones: each line of a cited snippet as spans, by what its language calls them.

The colouring only cuts a line into parts; every part goes through the gate like any other text, and
what cannot be coloured is shown plain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from remem.views.spans import Span, Spans, Tone

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_MOST: Final = 8_000
"""Characters that are coloured: lexers are patient programs, and the text is a stranger's."""
_LONGEST: Final = 1_000
"""Characters of one line that are coloured."""
_TAB: Final = 4


@lru_cache(maxsize=64)
def coloured(path: str, lines: Sequence[str]) -> tuple[Spans, ...]:
    """Return lines of a file as spans, one tuple for each line, not yet gated.

    Args:
        path: Tells the language.
        lines: Without their ends; a tuple.
    """
    flat = [line.expandtabs(_TAB) for line in lines]
    plain = tuple((Span(line),) for line in flat)
    text = "\n".join(flat)
    if len(text) > _MOST or any(len(line) > _LONGEST for line in flat) or "\r" in text:
        return plain
    lexer = _lexer(path)
    if lexer is None:
        return plain
    found: list[list[Span]] = [[]]
    for part, tone in _parts(lexer, text):
        first, *rest = part.split("\n")
        found[-1].append(Span(first, tone))
        found += [[Span(each, tone)] for each in rest]
    # A lexer that loses a character would show other code than stands there.
    said = ["".join(span.text for span in line) for line in found[: len(flat)]]
    return tuple(tuple(line) for line in found[: len(flat)]) if said == flat else plain


def _lexer(path: str) -> Lexer | None:
    # A tenth of a second that a first frame need not wait for.
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        found: Lexer = get_lexer_for_filename(
            path.rpartition("/")[2], stripnl=False, ensurenl=False, stripall=False
        )
    except ClassNotFound:
        return None
    return found


def _parts(lexer: Lexer, text: str) -> Iterator[tuple[str, Tone]]:
    from pygments.token import Comment, Keyword, Literal, Name, Number, String

    tones = (
        (Comment, Tone.DIM),
        (Keyword, Tone.KEY),
        (String, Tone.GOOD),
        (Number, Tone.LAYER_2),
        (Literal, Tone.GOOD),
        (Name.Function, Tone.ACCENT),
        (Name.Class, Tone.ACCENT),
        (Name.Decorator, Tone.ACCENT),
        (Name.Builtin, Tone.LAYER_3),
    )
    for kind, part in lexer.get_tokens(text):
        yield part, next((tone for group, tone in tones if kind in group), Tone.PLAIN)
