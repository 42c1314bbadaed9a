"""Markdown as bytes: headings and units.

Owns where a unit begins and ends. It refuses to render Markdown and to judge what a unit means:
that is for the formats. Every non-blank line that is neither a heading nor a rule lies in exactly
one unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern

BOM: Final = b"\xef\xbb\xbf"

_TAB: Final = 4
"""Columns between tab stops."""
_RULE: Final = lazy_pattern(rb"([-*_])(?:[ \t]*+\1){2,}+[ \t]*+")
_MARKER: Final = lazy_pattern(rb"(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)")
_FENCE: Final = lazy_pattern(
    rb"(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+(?:(?P<ticks>`{3,}+)[^`]*+$|(?P<tildes>~{3,}+))"
)
_TAB_BEHIND_KEY: Final = lazy_pattern(rb"(?m)^(?P<key>[A-Za-z_][\w-]*:)\t[ \t]*")
_FRONT_MATTER_KEY: Final = lazy_pattern(rb"[A-Za-z_][\w-]*[ \t]*:")
_HEADING: Final = lazy_pattern(rb"(#{1,6})(?=[ \t]|$)")
_CLOSING_HASHES: Final = lazy_pattern(rb"(?:^|[ \t]++)#++$")


class Kind(StrEnum):
    """What a unit is made of."""

    ITEM = "item"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    FENCE = "fence"
    FRONT_MATTER = "front matter"


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX heading outside fences."""

    start: int
    end: int
    """Without the line end."""
    level: int
    title: str
    line: int
    """From 1."""
    parent: int
    """Index of the heading that encloses it; -1 = none."""
    first_unit: int
    """Index of the first unit below it, whoever's it is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A top-level list item with all that belongs to it, or a block between items."""

    kind: Kind
    start: int
    """Of its first line, after a BOM."""
    end: int
    """Of its last line that is not blank, without the line end."""
    content: int
    """Where its text starts: behind the marker of an item, else `start`."""
    line: int
    """From 1."""
    heading: int
    """Index of the heading above it; -1 = none."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One Markdown file, taken apart."""

    data: bytes
    headings: tuple[Heading, ...]
    units: tuple[Unit, ...]

    def path(self, heading: int) -> tuple[Heading, ...]:
        """Return the headings down to that one, outermost first; none for -1."""
        found: list[Heading] = []
        while heading >= 0:
            found.append(self.headings[heading])
            heading = found[-1].parent
        return tuple(reversed(found))

    def raw(self, unit: Unit) -> bytes:
        return self.data[unit.start : unit.end]

    def text(self, unit: Unit) -> str:
        """Return the unit's text without its marker and without the indentation of its item."""
        if unit.kind is not Kind.ITEM:
            return "\n".join(_lines_of(self.raw(unit)))
        first, *more = _lines_of(self.data[unit.content : unit.end])
        width = unit.content - unit.start
        return "\n".join([first, *(_outdented(line, width) for line in more)])

    @property
    def newline(self) -> str:
        """The line end of the first line; LF where there is none."""
        at = self.data.find(b"\n")
        return "\r\n" if at > 0 and self.data[at - 1 : at] == b"\r" else "\n"

    def newline_at(self, at: int) -> str:
        """Return the line end that a line at an offset takes: that of the line before it."""
        before = self.data.rfind(b"\n", 0, at)
        if before < 0:
            return self.newline
        return "\r\n" if self.data[max(before - 1, 0) : before] == b"\r" else "\n"


def is_text(data: bytes) -> bool:
    """Tell whether the bytes are UTF-8 without NUL."""
    if b"\0" in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def parse(data: bytes) -> Document:
    """Take a file apart; any bytes will do."""
    scanner = Scanner(front_matter_end(data))
    for start, text in _lines(data):
        scanner.feed(start, text)
    scanner.close()
    return Document(data, tuple(scanner.headings), tuple(scanner.units))


def front_matter_end(data: bytes) -> int:
    """Return where the text behind YAML front matter starts; 0 where there is none."""
    start = text_start(data)
    if not data.startswith(b"---", start):
        return 0  # seen without taking megabytes into lines
    lines = _lines(data)
    _, first = next(lines)
    if first.rstrip() != b"---":
        return 0
    # A title between two rules is no comment in front matter: there has to be a key. Blank lines
    # before it are passed over by all tools that read front matter.
    following = next((text for _, text in lines if text.strip() and not text.startswith(b"#")), b"")
    if not _FRONT_MATTER_KEY.match(following):
        return 0
    closed = False
    for start, text in lines:
        if closed:
            return start
        closed = text.rstrip() == b"---"
    return len(data) if closed else 0


def front_matter_text(data: bytes) -> bytes:
    """Return what stands between the two lines of front matter, for a reader of YAML.

    A tab behind a key, which parts it from its value as a blank does, is one.
    """
    end = front_matter_end(data)
    if not end:
        return b""
    lines = data[text_start(data) : end].splitlines(keepends=True)[1:-1]
    return _TAB_BEHIND_KEY.sub(rb"\g<key> ", b"".join(lines))


def text_start(data: bytes) -> int:
    """Return where the first line starts: behind a BOM."""
    return len(BOM) if data.startswith(BOM) else 0


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each line without its end, and where it starts; a BOM belongs to no line."""
    start = text_start(data)
    for line in data[start:].splitlines(keepends=True):
        yield start, line.rstrip(b"\r\n")
        start += len(line)


class Scanner:
    """Reads line by line; knows the one unit that is still open."""

    def __init__(
        self,
        front_matter_end: int,
        headings: Sequence[Heading] = (),
        units: Sequence[Unit] = (),
        line: int = 0,
    ) -> None:
        """Begin where no unit is open.

        Args:
            front_matter_end: Of the whole file.
            headings: Those above.
            units: Those above.
            line: The number of the line above.
        """
        self.headings = [*headings]
        self.units = [*units]
        self._front_matter_end = front_matter_end
        self._line = line
        self._kind: Kind | None = None
        self._start = self._end = self._content = self._first_line = 0
        self._inside = 0
        """Columns from which a line belongs to the open item."""
        self._fence = b""
        """The signs that opened a fence; empty outside."""
        self._takes_lazy_lines = False

    def feed(self, start: int, text: bytes) -> None:
        self._line += 1
        if start < self._front_matter_end:
            self._extend_or_open(Kind.FRONT_MATTER, start, text)
            return
        if self._kind is Kind.FRONT_MATTER:
            self.close()
        stripped = text.lstrip(b" \t")
        if self._fence:
            self._feed_fence(start, text, stripped)
        elif not text.strip():
            self._feed_blank()
        else:
            self._feed_block(start, text, stripped, _column(text, len(text) - len(stripped)))

    @property
    def opened(self) -> tuple[Kind | None, int, int]:
        """The kind of the open unit, where it starts, and the number of its first line."""
        return self._kind, self._start, self._first_line

    def close(self) -> None:
        """End the open unit."""
        if self._kind is None:
            return
        heading = len(self.headings) - 1
        self.units.append(
            Unit(self._kind, self._start, self._end, self._content, self._first_line, heading)
        )
        self._kind = None
        self._fence = b""

    def _feed_fence(self, start: int, text: bytes, stripped: bytes) -> None:
        if stripped.strip():
            self._end = start + len(text)
        sign = stripped.rstrip()
        closes = len(sign) >= len(self._fence) and sign == self._fence[:1] * len(sign)
        # A fence in an item may be closed at any depth: agents indent its lines unevenly, and to
        # miss its end would turn every later fence of the file inside out.
        if not closes or (
            self._kind is Kind.FENCE and _column(text, len(text) - len(stripped)) > 3
        ):
            return
        self._fence = b""
        self._takes_lazy_lines = False
        if self._kind is Kind.FENCE:
            self.close()

    def _feed_blank(self) -> None:
        self._takes_lazy_lines = False
        if self._kind is not Kind.ITEM:
            self.close()

    def _feed_block(self, start: int, text: bytes, stripped: bytes, column: int) -> None:
        if self._kind is Kind.ITEM and column >= self._inside:
            self._end = start + len(text)
            self._fence = _opened_fence(stripped)
            self._takes_lazy_lines = not self._fence
            return
        if column <= 3 and self._feed_heading_or_rule(start, text, stripped):
            return
        fence = _opened_fence(stripped)
        marker = _MARKER.match(stripped)
        if marker is not None and self._may_start_item(stripped, marker[0], column):
            self._open_item(start, text, stripped, marker[0], column)
            self._fence = fence
            self._takes_lazy_lines = not fence
        elif fence and column <= 3:
            self._open(Kind.FENCE, start, text)
            self._fence = fence
        elif stripped.startswith(b"|"):
            self._extend_or_open(Kind.TABLE, start, text)
        elif self._kind is Kind.ITEM and self._takes_lazy_lines and not stripped.startswith(b">"):
            self._end = start + len(text)
        else:
            self._extend_or_open(Kind.PARAGRAPH, start, text)

    def _feed_heading_or_rule(self, start: int, text: bytes, stripped: bytes) -> bool:
        heading = _HEADING.match(stripped)
        if heading is not None:
            self.close()
            self._add_heading(start, text, stripped, len(heading[1]))
            return True
        if _RULE.fullmatch(stripped):
            self.close()
            return True
        return False

    def _add_heading(self, start: int, text: bytes, stripped: bytes, level: int) -> None:
        title = _CLOSING_HASHES.sub(b"", stripped[level:].strip()).strip()
        self.headings.append(
            Heading(
                start=start,
                end=start + len(text),
                level=level,
                title=title.decode("utf-8", "replace"),
                line=self._line,
                parent=parent_of(self.headings, level),
                first_unit=len(self.units),
            )
        )

    def _may_start_item(self, stripped: bytes, marker: bytes, column: int) -> bool:
        if self._kind is not Kind.PARAGRAPH:
            return True
        # Wrapped prose may begin a line with a dash or a number: only what CommonMark lets
        # interrupt a paragraph does so here.
        has_content = bool(stripped[len(marker) :].strip())
        return column <= 3 and has_content and (len(marker) == 1 or marker[:-1] == b"1")

    def _open_item(
        self, start: int, text: bytes, stripped: bytes, marker: bytes, column: int
    ) -> None:
        self._open(Kind.ITEM, start, text)
        blanks = len(stripped) - len(marker) - len(stripped[len(marker) :].lstrip(b" \t"))
        if not 1 <= blanks <= 4:
            blanks = min(blanks, 1)
        self._content = start + len(text) - len(stripped) + len(marker) + blanks
        # Two columns are enough below `1. ` too: that is how people indent.
        self._inside = column + 2

    def _open(self, kind: Kind, start: int, text: bytes) -> None:
        self.close()
        self._kind = kind
        self._start = self._content = start
        self._end = start + len(text)
        self._first_line = self._line

    def _extend_or_open(self, kind: Kind, start: int, text: bytes) -> None:
        if self._kind is not kind:
            self._open(kind, start, text)
        elif text.strip():
            self._end = start + len(text)


def parent_of(headings: Sequence[Heading], level: int) -> int:
    """Return the index of the heading that encloses the next one of that level; -1 = none."""
    parent = len(headings) - 1
    while parent >= 0 and headings[parent].level >= level:
        parent = headings[parent].parent
    return parent


def _opened_fence(stripped: bytes) -> bytes:
    match = _FENCE.match(stripped)
    return match["ticks"] or match["tildes"] if match is not None else b""


def _column(text: bytes, length: int) -> int:
    """Return the column behind the first `length` blanks and tabs."""
    if b"\t" not in text[:length]:
        return length
    column = 0
    for sign in text[:length]:
        column += _TAB - column % _TAB if sign == 0x09 else 1
    return column


def _lines_of(raw: bytes) -> list[str]:
    return [line.decode("utf-8", "replace") for line in raw.splitlines()] or [""]


def _outdented(line: str, width: int) -> str:
    blanks = len(line) - len(line.lstrip(" "))
    if blanks == 0 and line.startswith("\t"):
        return line[1:]
    return line[min(blanks, width) :]
