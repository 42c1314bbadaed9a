"""Two retros beside each other as rows of Review, and what the later one did to memory, as lines.

What recurs and what got worse is found by `systems/sniper/retro/retro_diff.py`; here it is put into
words. A row that waits is the queue's own item, so that every key of the queue works on it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.session import Session
from remem.core.waiting.item import Item
from remem.model.entry import Entry
from remem.model.source import Source
from remem.systems.sniper.retro.retro_diff import Compared, Course, Side, retro_diff
from remem.systems.sniper.retro.retro_view import retro_effect
from remem.views import signs
from remem.views.diff import FileDiff, diff_lines
from remem.views.filter import Filter
from remem.views.list_rows import Row, Rows, label
from remem.views.long_text import TextLine, span_line, text_line, waterline
from remem.views.review.groups import Board, in_short, row_of
from remem.views.review.retro import heads_of
from remem.views.spans import Span, Tone, span, width_of
from remem.views.wrapping import wrap

SUMMARY: Final = ("compared",)
"""The row above all others."""
_GLYPHS: Final = {
    Course.WORSE: signs.PROBLEM.drawn,
    Course.RECURRING: signs.SAME.drawn,
    Course.BETTER: signs.LESS.drawn,
    Course.NEW: signs.NEW.drawn,
    Course.GONE: signs.OUT.drawn,
}
_GAP: Final = " │ "
_LEAST: Final = 16
"""Columns that a side needs; with fewer, one stands above the other."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two retros and what became of each finding."""

    before: Source
    after: Source
    found: Mapping[Hashable, Compared]
    """By the key of its row: an item's id, or the finding's ref."""

    @property
    def counts(self) -> str:
        """How many of each: `1 got worse · 0 recurring · 0 got better · 3 new · 2 gone`."""
        courses = [each.course for each in self.found.values()]
        return " · ".join(f"{courses.count(course)} {course}" for course in Course)


def comparison_board(
    library: Library, items: Sequence[Item], before: Source, after: Source
) -> tuple[Board, Comparison]:
    """Return the findings of two retros as rows of Review, under what became of them.

    Args:
        library: The snapshot that both are of.
        items: All that waits.
        before: The earlier retro.
        after: The later one.
    """
    waiting = {item.ref: item for item in items}
    drawn: dict[str, Item] = {}
    readings: dict[Hashable, Entry] = {}
    found: dict[Hashable, Compared] = {}
    rows: list[Row] = []
    above: list[tuple[int, ...]] = []
    places: list[int] = []
    course = None
    rows.append(_summary_row(before, after))
    for each in retro_diff(library, before, after):
        if each.course is not course:
            course = each.course
            name = (Span("  "), Span(str(course)))
            rows.append(Row(("course", course), name, is_header=True))
            title = len(rows) - 1
        item = waiting.get(each.side.entry.ref)
        if item is not None and item.id not in drawn:
            drawn[item.id], found[item.id] = item, each
            places.append(len(rows))
            above.append((0, title))
            rows.append(_row(row_of(item, ""), each, "to review"))
        else:
            entry = each.side.entry
            readings[entry.ref], found[entry.ref] = entry, each
            told = in_short(library, entry)
            rows.append(_row(Row(entry.ref, (span(entry.title, Tone.DIM),)), each, told))
    shown = tuple(drawn.values())
    board = Board(
        items=drawn,
        by_ref={item.ref: item for item in shown},
        readings=readings,
        rows=Rows.of(rows),
        search=Filter(
            [f"{item.title} {item.group}".lower() for item in shown],
            {
                "role": lambda place: shown[place].roles,
                "kind": lambda place: shown[place].kind,
                "status": lambda place: str(shown[place].reason),
            },
        ),
        places=places,
        above=above,
        heads=heads_of(library, (before.path.stem, after.path.stem)),
    )
    return board, Comparison(before, after, found)


def compared_lines(library: Library, found: Compared, width: int) -> list[TextLine]:
    """Return a finding as both retros have it, side by side, what differs in another tone.

    Args:
        library: Names the memory that says it.
        found: What is compared.
        width: Columns there are.
    """
    lines = [text_line(str(found.course), Tone.HEADING)]
    before, after = found.before, found.after
    if before is not None and after is not None:
        lines += _side_by_side(before, after, width)
    elif found.known is not None:
        told = f"`{library.short(found.known.ref)}` says it, seen in {', '.join(found.met)}"
        lines.append(text_line(told))
    return lines


def summary_lines(session: Session, found: Comparison) -> list[TextLine]:
    """Return the counts, and all that the later retro did to memory as one diff.

    Reads the history, so it takes a moment.
    """
    return [
        text_line(f"{found.before.path.stem} → {found.after.path.stem}", Tone.STRONG),
        text_line(found.counts),
        TextLine(""),
        waterline(f"What {found.after.path.stem} changed in memory"),
        *_effect_lines(session, found.after),
    ]


def _effect_lines(session: Session, source: Source) -> list[TextLine]:
    try:
        history = [(logged, session.journal.steps(logged.id)) for logged in session.past.changes()]
        effect = retro_effect(session.library, source, history)
    except RememError as error:
        return [text_line(str(error), Tone.WARN), text_line(error.hint, Tone.DIM)]
    if not effect:
        return [text_line("nothing yet: none of its findings has been decided", Tone.DIM)]
    return diff_lines([FileDiff(label(session, each.path), each.hunks) for each in effect])


def _summary_row(before: Source, after: Source) -> Row:
    name = f"{before.path.stem} → {after.path.stem}"
    return Row(SUMMARY, (span(name, Tone.STRONG),))


def _row(row: Row, found: Compared, told: str) -> Row:
    """Return the row of a finding with what became of it, how often it was met, the decision."""
    changed = [f"{was}→{now}" for _, was, now in found.changes()[:1] if was and now]
    right = (Span("  ".join(filter(None, (*changed, told))), Tone.DIM),)
    return Row(row.key, row.label, _GLYPHS[found.course], right, row.version)


def _side_by_side(before: Side, after: Side, width: int) -> Iterator[TextLine]:
    room = (width - len(_GAP)) // 2
    then = {"": before.finding.text, **before.said}
    now = {"": after.finding.text, **after.said}
    heads = (before.source.path.stem, after.source.path.stem)
    if room < _LEAST:
        for head, told in zip(heads, (then, now), strict=True):
            yield text_line(head, Tone.HEADING)
            yield from (text_line(_cell(name, text)) for name, text in told.items())
        return
    yield _pair(*heads, room, Tone.HEADING)
    for name in dict.fromkeys((*then, *now)):
        left, right = then.get(name, ""), now.get(name, "")
        tone = Tone.DIM if left == right else Tone.PLAIN
        cells = [[*_wrapped(_cell(name, text), room)] for text in (left, right)]
        for one, other in zip_longest(*cells, fillvalue=""):
            yield _pair(one, other, room, tone)


def _cell(name: str, text: str) -> str:
    return f"{name}: {text or 'not given'}" if name else text


def _wrapped(text: str, room: int) -> Iterator[str]:
    for piece in wrap(text, room):
        yield " " * piece.indent + text[piece.start : piece.end]


def _pair(left: str, right: str, room: int, tone: Tone) -> TextLine:
    first = span(left, tone)
    padding = Span(" " * max(room - width_of((first,)), 0))
    return span_line((first, padding, Span(_GAP, Tone.DIM), span(right, tone)), wraps=False)
