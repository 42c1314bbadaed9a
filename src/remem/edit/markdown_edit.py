"""Edits of Markdown that replace nothing but what they name.

Invariant: every other unit has the same bytes afterwards and every heading that was not named is a
heading still. In Markdown a line gets its meaning from the lines around it: a text with a fence, a
rule under a line, an indent, may swallow what follows. So an edit is planned on a parsed document,
tried on its bytes, parsed again, and refused if any other unit or heading would be read otherwise
(`_checked`). Nothing here writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from remem.base.errors import Refused
from remem.edit.lines import Run, runs
from remem.edit.lines import split_lines as split_bytes
from remem.edit.markdown import BOM, Document, Heading, Kind, Unit, parse
from remem.edit.markdown_reparse import parse_again

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Edit(NamedTuple):
    """Replace `data[start:end]` by `new`."""

    start: int
    end: int
    new: bytes

    def apply(self, data: bytes) -> bytes:
        return data[: self.start] + self.new + data[self.end :]


def parted(data: bytes, edit: Edit) -> Iterator[Edit]:
    """Yield what an edit changes, lines that stay the same left out; all of them do the same."""
    old, new = split_bytes(data[edit.start : edit.end]), split_bytes(edit.new)
    at, a, b = edit.start, 0, 0
    for run in (*runs(old, new), Run(len(old), len(new), 0)):
        gone, come = b"".join(old[a : run.a]), b"".join(new[b : run.b])
        if gone != come:
            yield Edit(at, at + len(gone), come)
        a, b = run.a + run.length, run.b + run.length
        at += len(gone) + sum(map(len, old[run.a : a]))


def split_lines(text: str) -> list[str]:
    """Return lines as files have them: U+2028 and its like are signs within a line."""
    return _LINE_END.split(text)


def replace_unit(document: Document, index: int, text: str) -> Edit:
    """Plan to give a unit another text, in the form that `Document.text` has.

    Lines that stay keep their bytes; new ones take the item's indentation and the file's line end.

    Raises:
        Refused: The text would not be one unit, or would change what stands around it.
    """
    unit = document.units[index]
    old = document.text(unit).split("\n")
    new = split_lines(_without_marker(document, unit, text))
    raw = document.raw(unit).splitlines(keepends=True)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    lines = [*raw[:head], *_rendered(document, unit, new, head, len(new) - tail)]
    lines += raw[len(raw) - tail :] if tail else []
    edit = Edit(
        unit.start, unit.end, _with_line_ends(lines, document.newline_at(unit.end).encode())
    )
    expected = [document.raw(other) for other in document.units]
    expected[index] = edit.new
    return _checked(document, edit, expected, document.headings)


def _without_marker(document: Document, unit: Unit, text: str) -> str:
    """Take off a marker that a person typed again."""
    marker = document.data[unit.start : unit.content].decode("utf-8", "replace")
    stripped = text.strip("\r\n")
    if unit.kind is Kind.ITEM and marker.strip() and stripped.startswith(marker):
        return stripped[len(marker) :]
    return stripped


def _rendered(
    document: Document, unit: Unit, lines: Sequence[str], start: int, stop: int
) -> Iterator[bytes]:
    marker = document.data[unit.start : unit.content]
    indent = b" " * len(marker)
    for number in range(start, stop):
        text = lines[number].encode()
        before = marker if number == 0 else indent
        yield before + text if text.strip() or number == 0 else b""


def relined(old: bytes, new: Sequence[str], newline: bytes) -> bytes:
    """Return a block with other lines: the first and the last that stay keep their bytes.

    Args:
        old: The block, without the end of its last line.
        new: Its lines from now on, without ends.
        newline: The end of lines that are new.
    """
    raw = old.splitlines(keepends=True)
    were = [line.rstrip(b"\r\n").decode("utf-8", "surrogateescape") for line in raw]
    head = _common(were, new)
    tail = _common(were[head:][::-1], new[head:][::-1])
    fresh = [line.encode("utf-8", "surrogateescape") for line in new[head : len(new) - tail]]
    lines = [*raw[:head], *fresh, *(raw[len(raw) - tail :] if tail else ())]
    if lines:
        lines[-1] = lines[-1].rstrip(b"\r\n")
    return _with_line_ends(lines, newline)


def _with_line_ends(lines: Sequence[bytes], newline: bytes) -> bytes:
    """Join lines of which some carry their end already."""
    ended = [line if line.endswith((b"\n", b"\r")) else line + newline for line in lines[:-1]]
    return b"".join([*ended, *(line.rstrip(b"\r\n") for line in lines[-1:])])


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def stays(_: Heading) -> bool:
    """Let no heading go with what stands below it."""
    return False


def remove_unit(
    document: Document,
    index: int,
    *,
    with_empty_section: bool = False,
    above: Callable[[Heading], bool] = stays,
) -> Edit:
    """Plan to take a unit out with its line end, and the blank lines that would be left double.

    Args:
        document: The file.
        index: Of the unit in `document.units`.
        with_empty_section: Its heading goes too if nothing else stands below it.
        above: Tells of the headings above that one whether they go where that leaves them empty.

    Raises:
        Refused: What stands around it would be read otherwise.
    """
    unit = document.units[index]
    start, headings = unit.start, document.headings
    if with_empty_section and _is_alone(document, index):
        first = _first_to_go(document, unit.heading, above)
        start = headings[first].start
        headings = (*headings[:first], *headings[unit.heading + 1 :])
    stop = _after_line_end(document.data, unit.end)
    if _is_after_blank(document.data, start):
        stop = _after_blank_lines(document.data, stop)
    expected = [document.raw(other) for other in document.units]
    del expected[index]
    try:
        return _checked(document, Edit(start, stop, b""), expected, headings)
    except Refused:
        # `2. b` below prose is a wrapped line once `1. a` is gone: a blank line keeps it an item.
        blank = Edit(start, stop, document.newline.encode())
        return _checked(document, blank, expected, headings)


def remove_units(document: Document, indexes: Collection[int]) -> tuple[Edit, ...]:
    """Plan to take several units out at once; the edits are in order and do not overlap.

    Raises:
        Refused: What stands around them would be read otherwise.
    """
    edits: list[Edit] = []
    is_after_blank = False
    for index in sorted(indexes):
        unit = document.units[index]
        start, stop = unit.start, _after_line_end(document.data, unit.end)
        if not edits or edits[-1].end != start:
            is_after_blank = _is_after_blank(document.data, start)
        if is_after_blank:
            stop = _after_blank_lines(document.data, stop)
        edits.append(Edit(start, stop, b""))
    gone = set(indexes)
    expected = [document.raw(u) for i, u in enumerate(document.units) if i not in gone]
    try:
        return _all_checked(document, edits, expected)
    except Refused:
        newline = document.newline.encode()
        ends = {edit.end for edit in edits}
        # As in `remove_unit`: one blank line for each run keeps what follows a unit of its own.
        parted = [e if e.start in ends else e._replace(new=newline) for e in edits]
        return _all_checked(document, parted, expected)


def insert_before(document: Document, index: int, block: str) -> Edit:
    """Plan to put units right before another one.

    Args:
        document: The file.
        index: Of the unit that comes behind them then.
        block: Whole lines that end in LF, one unit or several.

    Raises:
        Refused: What stands around them would be read otherwise.
    """
    unit = document.units[index]
    added = _converted(document, block)
    is_list = unit.kind is Kind.ITEM and added.units[-1].kind is Kind.ITEM
    gap = document.newline.encode() * (1 if is_list else 2)
    new = added.data.rstrip(b"\r\n") + gap
    return _inserted(document, Edit(unit.start, unit.start, new), index, added)


def insert_under(document: Document, heading: int, block: str) -> Edit:
    """Plan to put units behind the last one that stands directly below a heading.

    Args:
        document: The file.
        heading: Its index; -1 = above every heading.
        block: Whole lines that end in LF, one unit or several.

    Raises:
        Refused: What stands around them would be read otherwise.
    """
    own = [number for number, unit in enumerate(document.units) if unit.heading == heading]
    added = _converted(document, block)
    text, newline = added.data.rstrip(b"\r\n"), document.newline.encode()
    if not own and heading < 0:
        start = len(BOM) if document.data.startswith(BOM) else 0
        rest = document.data[start:]
        after = newline if not rest.strip() else newline * (1 if rest[:1] in b"\r\n" else 2)
        return _inserted(document, Edit(start, start, text + after), 0, added)
    gap = newline * 2
    if own:
        last = document.units[own[-1]]
        at, position = last.end, own[-1] + 1
        both = last.kind is Kind.ITEM and added.units[0].kind is Kind.ITEM
        if both:
            added = _indented_as(document.raw(last), added)
            text = added.data.rstrip(b"\r\n")
        gap = newline if both and not _is_loose(document, own) else newline * 2
    else:
        at, position = document.headings[heading].end, document.headings[heading].first_unit
    following = document.data[_after_line_end(document.data, at) :]
    is_tight = following[:1] not in {b"", b"\r", b"\n"}
    after = newline if is_tight and added.units[-1].kind is not Kind.ITEM else b""
    return _inserted(document, Edit(at, at, gap + text + after), position, added)


def _indented_as(item: bytes, added: Document) -> Document:
    """Return units at the left edge as far from it as an item that they come behind.

    Where they would be read otherwise there, they stay as they are.
    """
    indent = item[: len(item) - len(item.lstrip(b" "))]
    if not indent or added.data.startswith(b" "):
        return added
    lines = added.data.splitlines(keepends=True)
    moved = parse(b"".join(indent + line if line.strip() else line for line in lines))
    kinds = [unit.kind for unit in added.units]
    return moved if [unit.kind for unit in moved.units] == kinds else added


def _is_loose(document: Document, own: Sequence[int]) -> bool:
    """Tell whether the last two units of a list have a blank line between them."""
    if len(own) < 2:
        return False
    before, last = (document.units[number] for number in own[-2:])
    return document.data[before.end : last.start].count(b"\n") > 1


def _converted(document: Document, block: str) -> Document:
    """Return a block as it will stand in the file.

    Raises:
        Refused: There is nothing in it.
    """
    added = parse(block.replace("\n", document.newline).encode())
    if not added.units:
        raise Refused("there is no text to insert", hint="choose a part that has text")
    return added


def _inserted(document: Document, edit: Edit, position: int, added: Document) -> Edit:
    expected = [document.raw(unit) for unit in document.units]
    expected[position:position] = [added.raw(unit) for unit in added.units]
    return _checked(document, edit, expected, document.headings)


def _all_checked(
    document: Document, edits: Sequence[Edit], expected: Sequence[bytes]
) -> tuple[Edit, ...]:
    """Return edits that do not overlap, if all of them together leave those units."""
    whole = Edit(0, len(document.data), applied(document.data, edits))
    _checked(document, whole, expected, document.headings)
    return tuple(edits)


def applied(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Return `data` with every edit done; they are in order and their offsets are those of it."""
    parts, at = list[bytes](), 0
    for edit in edits:
        parts += [data[at : edit.start], edit.new]
        at = edit.end
    return b"".join([*parts, data[at:]])


def _first_to_go(document: Document, heading: int, above: Callable[[Heading], bool]) -> int:
    """Return the heading with which an emptied one goes: itself, or one that holds nothing else."""
    parent = document.headings[heading].parent
    if parent < 0 or not above(document.headings[parent]):
        return heading
    has_units = any(unit.heading == parent for unit in document.units)
    children = [n for n, other in enumerate(document.headings) if other.parent == parent]
    return heading if has_units or children != [heading] else _first_to_go(document, parent, above)


def _is_alone(document: Document, index: int) -> bool:
    """Tell whether the unit is all that stands between its heading and the next one."""
    heading = document.units[index].heading
    if heading < 0:
        return False
    of_heading = [unit for unit in document.units if unit.heading == heading]
    has_children = any(other.parent == heading for other in document.headings)
    return len(of_heading) == 1 and not has_children


def _after_line_end(data: bytes, at: int) -> int:
    """Return where the next line starts; blanks at the end of the line go with it."""
    while data[at : at + 1] in {b" ", b"\t", b"\x0b", b"\x0c"}:
        at += 1
    if data[at : at + 2] == b"\r\n":
        return at + 2
    return at + 1 if data[at : at + 1] in {b"\r", b"\n"} else at


def _after_blank_lines(data: bytes, at: int) -> int:
    for start, text in _lines_from(data, at):
        if text.strip():
            return start
    return len(data)


def _lines_from(data: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    while at < len(data):
        stop = data.find(b"\n", at) + 1 or len(data)
        yield at, data[at:stop]
        at = stop


def _is_after_blank(data: bytes, start: int) -> bool:
    """Tell whether the line above is blank, or there is none."""
    above = data[:start].rstrip(b" \t")
    first = BOM if data.startswith(BOM) else b""
    if above == first:
        return True
    without_end = above.removesuffix(b"\n").removesuffix(b"\r").rstrip(b" \t")
    return without_end == first or without_end.endswith((b"\n", b"\r"))


def append(document: Document, block: str, *, blank_lines: int = 0) -> Edit:
    """Plan to add whole lines at the end; a file without final line end gets one first.

    Args:
        document: The file.
        block: Lines that end in LF; they take the line end of the last line.
        blank_lines: Blank lines to have before it, those that stand there counted; none at the
            start of a file.

    Raises:
        Refused: The end of the file would swallow it.
    """
    data, newline = document.data, document.newline_at(len(document.data))
    missing = ""
    if data.removeprefix(BOM):
        missing = "" if data.endswith((b"\n", b"\r")) else newline
        missing += newline * max(0, blank_lines - _blank_lines_at_end(data))
    new = (missing + block.replace("\n", newline)).encode()
    edit = Edit(len(data), len(data), new)
    added = parse(block.replace("\n", newline).encode())
    expected = [document.raw(unit) for unit in document.units]
    expected += [added.raw(unit) for unit in added.units]
    return _checked(document, edit, expected, (*document.headings, *added.headings))


class Spacing(NamedTuple):
    """Blank lines that the sections of a file have."""

    above: int = 1
    """Between the text before a section and its heading."""
    below: int = 1
    """Between a heading and the text below it."""


def spacing_of(document: Document, beside: Iterable[int]) -> Spacing:
    """Return how the last of some sections are spaced that show it, else any of the file's.

    Args:
        document: The file.
        beside: The headings of those that a new one is to look like.
    """
    numbers = [*range(len(document.headings)), *beside]
    above = [gap for each in numbers if (gap := _gap_above(document, each)) is not None]
    below = [gap for each in numbers if (gap := _gap_below(document, each)) is not None]
    return Spacing(*(gaps[-1] if gaps else 1 for gaps in (above, below)))


def _gap_above(document: Document, number: int) -> int | None:
    """Return the blank lines above a heading; `None` where no text stands right before it."""
    heading = document.headings[number]
    text = document.units[heading.first_unit - 1] if heading.first_unit else None
    if text is None or (number and text.start < document.headings[number - 1].start):
        return None
    return _blank_lines_at_end(document.data[: heading.start])


def _gap_below(document: Document, number: int) -> int | None:
    """Return the blank lines below a heading; `None` where no text stands directly there."""
    heading = document.headings[number]
    if heading.first_unit >= len(document.units):
        return None
    text = document.units[heading.first_unit]
    if text.heading != number:
        return None
    return max(0, document.data[heading.end : text.start].count(b"\n") - 1)


def insert_section(document: Document, heading: int, block: str, *, blank_lines: int = 1) -> Edit:
    """Plan to put whole lines that begin with a heading right before another heading.

    Args:
        document: The file.
        heading: The index of the one that comes behind them then.
        block: Lines that end in LF.
        blank_lines: Blank lines before them, those that stand there counted, and behind them.

    Raises:
        Refused: What stands around them would be read otherwise.
    """
    at, newline = document.headings[heading].start, document.newline_at(len(document.data))
    added = parse(block.replace("\n", newline).encode())
    stands = _blank_lines_at_end(document.data[:at])
    is_first = not document.data[:at].removeprefix(BOM).strip()
    wanted = min(blank_lines, 1) if _gap_above(document, heading) is None else blank_lines
    before = "" if is_first else "\n" * max(0, wanted - stands)
    after = "\n" * (blank_lines + 1)
    new = f"{before}{block.rstrip()}{after}".replace("\n", newline).encode()
    position = document.headings[heading].first_unit
    expected = [document.raw(unit) for unit in document.units]
    expected[position:position] = [added.raw(unit) for unit in added.units]
    headings = [*document.headings]
    headings[heading:heading] = added.headings
    return _checked(document, Edit(at, at, new), expected, headings)


def _blank_lines_at_end(data: bytes) -> int:
    count = 0
    for line in reversed(data.splitlines()):
        if line.strip():
            break
        count += 1
    return count


def append_under(document: Document, heading: int, text: str) -> Edit:
    """Plan to add a list item as the last unit that stands directly below a heading.

    Raises:
        Refused: It would not be one item, or what stands around it would be read otherwise.
    """
    own = [number for number, unit in enumerate(document.units) if unit.heading == heading]
    position = own[-1] + 1 if own else document.headings[heading].first_unit
    newline = document.newline_at(document.headings[heading].end).encode()
    marker, at, gap = b"- ", document.headings[heading].end, newline * 2
    if own:
        last = document.units[own[-1]]
        at = last.end
        if last.kind is Kind.ITEM:
            gap = newline
            marker = _next_marker(document.data[last.start : last.content])
    first, *more = split_lines(text.strip())
    lines = [marker + first.encode()]
    lines += [b" " * len(marker) + line.encode() if line.strip() else b"" for line in more]
    item = _with_line_ends(lines, newline)
    expected = [document.raw(unit) for unit in document.units]
    expected.insert(position, item)
    return _checked(document, Edit(at, at, gap + item), expected, document.headings)


def _next_marker(marker: bytes) -> bytes:
    """Return the marker of the item behind one with this marker: the next number, or the same."""
    number = re.search(rb"\d+", marker)
    if number is None:
        return marker
    following = str(int(number[0]) + 1).encode()
    return marker[: number.start()] + following + marker[number.end() :]


def _checked(
    document: Document, edit: Edit, expected: Sequence[bytes], headings: Sequence[Heading]
) -> Edit:
    """Return the edit if the file then holds those units and headings, in that order."""
    after = parse_again(document, edit.apply(document.data)).document
    units_fit = [after.raw(unit) for unit in after.units] == list(expected)
    titles = [(heading.level, heading.title) for heading in headings]
    if units_fit and [(heading.level, heading.title) for heading in after.headings] == titles:
        return edit
    raise Refused(
        "this edit would change how the surrounding text is parsed",
        hint="edit the file by hand; check for an unclosed code fence or a missing blank line",
    )
