"""A verified memory as a pane shows it: what it says, the code that proves it, what it replaced.

Pure; what became of the proofs is read from the source, and the code comes with the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.core.library import Library
from remem.model.citation import CitationStatus, Verdict
from remem.model.entry import Entry, Ref
from remem.systems.facts.read import judged
from remem.systems.facts.records import Memory, judgement
from remem.systems.facts.source import VerifiedSource, memory_at
from remem.views.glyphs import Glyphs
from remem.views.long_text import TextLine, safe_line, span_line, text_line
from remem.views.spans import Span, Spans, Tone, span

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_MOST_LINES: Final = 200
"""Lines of one citation that are drawn."""
_TONES: Final[Mapping[CitationStatus, Tone]] = {
    CitationStatus.VALID: Tone.GOOD,
    CitationStatus.MOVED: Tone.WARN,
    CitationStatus.UNCHECKED: Tone.DIM,
}
_HOLDS: Final[Mapping[CitationStatus, str]] = {
    CitationStatus.VALID: "valid: every cited line is unchanged",
    CitationStatus.MOVED: "its cited lines moved; a re-anchors it",
    CitationStatus.CHANGED: "its cited lines changed; a accepts the new lines, r invalidates it",
    CitationStatus.MISSING: "its cited code is gone; a invalidates it",
    CitationStatus.OUT_OF_RANGE: "its cited code is gone; a invalidates it",
    CitationStatus.UNCHECKED: "not checked, and in no prompt until it is",
}


def memory_lines(library: Library, entry: Entry, glyphs: Glyphs) -> list[TextLine]:
    """Return all that is known of a memory; nothing where the entry is none."""
    source = library.source_of(entry)
    if not isinstance(source, VerifiedSource):
        return []
    memory = memory_at(source, entry)
    head = (span(library.short(entry.ref), Tone.HEADING), span(f"  {entry.status}", Tone.DIM))
    lines = [
        span_line(head),
        text_line(memory.subject, Tone.DIM),
        text_line(memory.fact, Tone.STRONG),
        TextLine(""),
    ]
    lines += [text_line(f"! {each.message}", Tone.WARN) for each in memory.problems]
    lines += [_fact("why", memory.reason)] if memory.reason else []
    lines += [_fact(name, text) for name, text in _told(memory) if text]
    return [*lines, *proof_lines(source, memory), *_chain(library, source, memory, glyphs)]


def proof_lines_of(library: Library, ref: Ref) -> list[TextLine]:
    """Return the code that a memory cites; nothing where the entry is none."""
    source = library.source_of(ref)
    found = source.memories.named(ref.id) if isinstance(source, VerifiedSource) else None
    return proof_lines(source, found) if isinstance(source, VerifiedSource) and found else []


def proof_lines(source: VerifiedSource, memory: Memory) -> list[TextLine]:
    """Return whether a memory holds, and each cited place with its code."""
    verdicts = judged(source, memory)
    lines: list[TextLine] = []
    if verdicts:
        status = judgement(memory, verdicts)
        told = _HOLDS[status]
        lines = [TextLine(""), text_line(told, _TONES.get(status, Tone.BAD))]
    shown = verdicts or [
        Verdict(each, CitationStatus.UNCHECKED, expected=each.snippet) for each in memory.citations
    ]
    for verdict in shown:
        lines += [TextLine(""), *_proof(verdict, is_asked=bool(verdicts))]
    return lines


def _proof(verdict: Verdict, *, is_asked: bool) -> Iterator[TextLine]:
    place = span(str(verdict.citation), Tone.HEADING)
    tone = _TONES.get(verdict.status, Tone.BAD)
    became = f"  {verdict.became}" if is_asked else "  as cited"
    yield span_line((place, span(became, tone if is_asked else Tone.DIM)))
    if verdict.error:
        yield text_line(verdict.error, Tone.DIM)
    path, start = verdict.citation.path, verdict.citation.line_start
    if verdict.status is CitationStatus.VALID:
        yield from _code(path, verdict.content, start)
    elif verdict.moved_to is not None:
        yield from _code(verdict.moved_to.path, verdict.moved_text, verdict.moved_to.line_start)
    elif verdict.is_there and is_asked:
        yield from _code(path, verdict.content, start)
    elif not is_asked or verdict.status is CitationStatus.UNCHECKED:
        yield from _code(path, verdict.expected, start)
    else:
        yield from _code(path, verdict.expected, start, sign="-")
        yield from _code(path, verdict.content, start, sign="+")
    if verdict.candidates:
        places = ", ".join(map(str, verdict.candidates))
        yield text_line(f"possibly at {places}", Tone.DIM)


def _code(path: str, text: str | None, first: int, *, sign: str = " ") -> Iterator[TextLine]:
    if not text:
        return
    lines = text.split("\n")
    for number, parts in enumerate(coloured(path, tuple(lines[:_MOST_LINES])), first):
        gated = span_line(parts, wraps=False)
        yield replace(gated, number=number, sign=sign)
    if len(lines) > _MOST_LINES:
        yield text_line(f"and {count(len(lines) - _MOST_LINES, 'more line')}", Tone.DIM)


def _chain(
    library: Library, source: VerifiedSource, memory: Memory, glyphs: Glyphs
) -> Iterator[TextLine]:
    """Yield versions, oldest first, where anything did."""
    found: Sequence[Memory] = source.chain(memory)
    if len(found) < 2:
        return
    yield TextLine("")
    yield text_line("versions", Tone.HEADING)
    for each in found:
        day = each.created_at.date().isoformat() if each.created_at else ""
        name = library.short(Ref(source.format, each.id, source.place))
        here = each.id == memory.id
        parts = (
            Span(f"{glyphs.arrow} " if here else "  ", Tone.STRONG),
            Span(f"{day}  {each.status}  ", Tone.DIM),
            Span(safe_line(each.fact), Tone.STRONG if here else Tone.PLAIN),
            Span(f"  {name}", Tone.DIM),
        )
        yield span_line(parts)


def _told(memory: Memory) -> Iterator[tuple[str, str]]:
    yield "about", memory.repository
    yield "by", memory.created_by
    yield "stored", _day(memory.created_at)
    yield "refreshed", _day(memory.refreshed_at)
    last = _day(memory.last_verified_at)
    yield "verified", f"{count(memory.verification_count, 'time')}, last {last}" if last else ""
    yield "used", count(memory.applied, "time") if memory.applied else "never"


def _day(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else ""


def _fact(name: str, text: str) -> TextLine:
    return span_line((Span(f"{name:11}", Tone.DIM), span(text)), hang=11)


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
        (Keyword, Tone.CODE),
        (String, Tone.GOOD),
        (Number, Tone.LAYER_2),
        (Literal, Tone.GOOD),
        (Name.Function, Tone.STRONG),
        (Name.Class, Tone.STRONG),
        (Name.Decorator, Tone.CODE),
        (Name.Builtin, Tone.LAYER_3),
    )
    for kind, part in lexer.get_tokens(text):
        yield part, next((tone for group, tone in tones if kind in group), Tone.PLAIN)
