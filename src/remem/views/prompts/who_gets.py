"""Rules by agent, as rows with one sign for each who starts here, and one rule in full.

Pure: what is in a prompt is decided where prompts are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.core.library import Library
from remem.core.relation.already_said import whole_of
from remem.core.relation.normal_form import norm
from remem.core.relation.who_gets import Cell, How, Listener, Matrix, Rule
from remem.model.entry import Ref
from remem.views.glyphs import Glyphs
from remem.views.list_rows import Row, Rows
from remem.views.long_text import TextLine, span_line, text_line, text_lines
from remem.views.signs import who_gets_signs
from remem.views.spans import Span, Spans, Tone, number, span

if TYPE_CHECKING:
    from remem.core.reading_session import ReadingSession

_COLUMNS: Final = "123456789abcdefghijklmnopqrstuvwxyz"
"""What a column is headed by; those beyond have a blank."""
_HANG: Final = 4
"""Cells of a column's head and sign, behind which its name and all that is said of it begins."""
_FEW: Final = 16
"""Columns that leave the rule room with a blank between them."""
_TOGETHER: Final = 5
"""Columns beside each other without one, where there are more."""


def matrix_of(session: ReadingSession) -> Matrix:
    """Return who gets which rule here; slow where there are many rules and agents."""
    from remem.core.relation.who_gets import who_gets
    from remem.views.prompts.choices import code_here

    library = session.library
    return who_gets(library, session.counter, code_here(session, library.ground.root))


def sign_of(cell: Cell, glyphs: Glyphs) -> str:
    """Return one sign for what somebody gets of a rule."""
    at_startup, on_demand, never, _ = who_gets_signs(glyphs)
    if cell.how is How.NEVER:
        return never
    if cell.times > 1:
        return str(cell.times) if cell.times < 10 else "+"
    if cell.how is How.LATER:
        return on_demand
    return at_startup


def signs_of(rule: Rule, glyphs: Glyphs, *, apart: bool = True) -> str:
    """Return the signs of a rule, one for each column; `apart` = with blanks between them."""
    columns = [sign_of(cell, glyphs) for cell in rule.cells]
    return _spaced(columns) if apart else "".join(columns)


def heads_of(listeners: Sequence[Listener], *, apart: bool = True) -> str:
    """Return what the columns are headed by; `apart` = with blanks between them."""
    columns = [head_of(place) for place in range(len(listeners))]
    return _spaced(columns) if apart else "".join(columns)


def _spaced(columns: Sequence[str]) -> str:
    """Return columns of one cell apart from each other, so that no heads read as one number."""
    width = 1 if len(columns) <= _FEW else _TOGETHER
    found = ("".join(columns[at : at + width]) for at in range(0, len(columns), width))
    return " ".join(found)


def called(listener: Listener) -> str:
    """Return what a column is called: a role and an agent of one name get different prompts."""
    if not listener.name:
        return "everyone"
    is_tool = listener.tool == listener.name
    return listener.name if is_tool else f"{listener.name} ({listener.tool})"


def head_of(place: int) -> str:
    """Return what one column is headed by."""
    return _COLUMNS[place] if place < len(_COLUMNS) else " "


def legend(glyphs: Glyphs) -> str:
    """Return what the signs mean, in one line."""
    at_startup, on_demand, never, differ = who_gets_signs(glyphs)
    return (
        f"{at_startup} at startup, 2 twice, {on_demand} on demand, {never} never, {differ} differ"
    )


def rows_of(matrix: Matrix, glyphs: Glyphs) -> Rows:
    """Return a row for each rule, headed by its first entry's ref as the key."""
    heads = Row(
        ("head",),
        (Span("rule"),),
        right=(Span(heads_of(matrix.listeners)),),
        narrow=(Span(heads_of(matrix.listeners, apart=False)),),
        is_header=True,
        stays=True,
    )
    return Rows.of([heads, *(_row(rule, glyphs) for rule in matrix.rules)])


def key_of(rule: Rule) -> Ref:
    """Return what makes a rule the same row again."""
    return rule.copies[0].ref


def _row(rule: Rule, glyphs: Glyphs) -> Row:
    sign = _differs(glyphs) if rule.drifted else Span(" ")
    tone = Tone.DIM if rule.is_own else Tone.PLAIN
    title = " ".join(rule.title.split())
    right, narrow = (Span(signs_of(rule, glyphs, apart=apart)) for apart in (True, False))
    return Row(key_of(rule), (span(title, tone),), sign, (right,), narrow=(narrow,))


def _differs(glyphs: Glyphs) -> Span:
    return Span(who_gets_signs(glyphs)[-1], Tone.WARN)


def rule_lines(matrix: Matrix, rule: Rule, library: Library, glyphs: Glyphs) -> list[TextLine]:
    """Return one rule: who gets it from where and how often, who misses it and why, its copies."""
    lines = [text_line(" ".join(rule.title.split()), Tone.STRONG), TextLine("")]
    for place, (listener, cell) in enumerate(zip(matrix.listeners, rule.cells, strict=True)):
        lines += _cell_lines(head_of(place), listener, cell, library, glyphs)
    if len(rule.copies) > 1:
        lines += [TextLine(""), *_copies(rule, library)]
    return lines


def _cell_lines(
    head: str, listener: Listener, cell: Cell, library: Library, glyphs: Glyphs
) -> Iterator[TextLine]:
    sign = Span(f"{sign_of(cell, glyphs)} ", Tone.WARN if cell.how is How.NEVER else Tone.GOOD)
    who: Spans = (Span(f"{head} ", Tone.DIM), sign, span(called(listener)))
    if cell.how is How.NEVER:
        yield span_line((*who, span(f"  does not get it: {cell.why}", Tone.DIM)), hang=_HANG)
        return
    tokens = number(cell.tokens, exact=listener.exact, glyphs=glyphs)
    times = "" if cell.times == 1 else f"{cell.times} times, "
    yield span_line((*who, span(f"  {times}{tokens} tokens", Tone.DIM)))
    for each in cell.heard:
        later = f", when {each.joins}" if each.joins else ""
        yield text_line(f"    {place_of(library, each.ref, each.layer)}{later}", Tone.DIM)


def place_of(library: Library, ref: Ref, layer: str) -> str:
    """Return where a copy stands: the file, or the store and the layer that it is composed into."""
    name = library.source_of(ref).name if library.has(ref) else layer
    return name if layer in (name, "") else f"{name} · {layer}"


def _copies(rule: Rule, library: Library) -> Iterator[TextLine]:
    texts: dict[str, list[Ref]] = {}
    said: dict[str, str] = {}
    for entry in rule.copies:
        whole = whole_of(library, entry)
        texts.setdefault(norm(whole), []).append(entry.ref)
        said.setdefault(norm(whole), whole)
    yield text_line(copies_in_words(rule), Tone.WARN if rule.drifted else Tone.HEADING)
    for form, refs in texts.items():
        names = ", ".join(library.short(ref) for ref in refs)
        yield text_line(names, Tone.DIM)
        yield from text_lines(said[form])


def copies_in_words(rule: Rule) -> str:
    """Return how many copies there are, and whether they still say the same."""
    copies = count(len(rule.copies), "copy", "copies")
    if rule.texts == 1:
        return f"{copies}, all identical"
    opposed = "; possible conflict" if rule.is_opposed else ""
    drifted = "that differ" if rule.drifted else "in one file"
    return f"{copies} {drifted}: {count(rule.texts, 'text')}{opposed}"
