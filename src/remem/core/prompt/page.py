"""How chosen pieces of an offer stand on the page: headings, blank lines, the note at the end.

It chooses nothing. The page is a row of chunks, each a text with the newlines that follow it, so
that what one more piece costs can be told from its two neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from remem.base.frozen import dataclass
from remem.model.entry import Ref
from remem.model.prompt import Offer, Section


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the page."""

    text: str
    ref: Ref | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """What stands between a piece and the next one."""

    newlines: int
    """After the first piece; at the top of the page they fall away."""
    headings: tuple[tuple[str, int], ...] = ()
    """Each with the newlines that follow it."""


class Page:
    """Lays out pieces of one offer; indices are those of `offer.pieces`, ascending."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        self._pieces = offer.pieces
        keys = dict.fromkeys(piece.section for piece in offer.pieces)
        self._paths = {key: self._path(key) for key in keys}
        self._steps: dict[tuple[str | None, str], _Step] = {}
        self._plain: dict[int, _Step] = {}

    def rows(self, chosen: Sequence[int], *, noted: bool) -> Iterator[Row]:
        """Yield the lines of the layer.

        Args:
            chosen: The pieces that are in.
            noted: The layer's note ends it.
        """
        before: int | None = None
        for index in chosen:
            step = self.step(before, index)
            if before is not None:
                yield from _blank(step.newlines - 1)
            for heading, newlines in step.headings:
                yield from (Row(line) for line in heading.split("\n"))
                yield from _blank(newlines - 1)
            piece = self._pieces[index]
            yield from (Row(line, piece.ref) for line in piece.text.split("\n"))
            before = index
        if noted:
            yield from _blank(1 if before is not None else 0)
            yield from (Row(line) for line in self._offer.note.split("\n"))

    def text(self, chosen: Sequence[int], *, noted: bool) -> str:
        return "\n".join(row.text for row in self.rows(chosen, noted=noted))

    def step(self, before: int | None, index: int) -> _Step:
        """Return what stands between two pieces, or above the first one."""
        piece = self._pieces[index]
        section = self._pieces[before].section if before is not None else None
        if section == piece.section:
            return self._plain.get(piece.gap) or self._plain.setdefault(
                piece.gap, _Step(1 + piece.gap)
            )
        known = self._steps.get((section, piece.section))
        if known is None:
            known = self._steps[section, piece.section] = self._entering(section, piece.section)
        return known

    def fixed(self) -> Iterator[str]:
        """Yield the headings and the note: what stands on the page besides pieces."""
        for path in self._paths.values():
            yield from (section.heading for section in path if section.heading)
        if self._offer.note:
            yield self._offer.note

    def _entering(self, before: str | None, section: str) -> _Step:
        """Print the headings down to `section` that are not open above it already."""
        open_above = self._paths[before] if before is not None else ()
        path = self._paths[section]
        shared = 0
        while shared < min(len(open_above), len(path)) and open_above[shared] == path[shared]:
            shared += 1
        headings = tuple((s.heading, 1 + s.gap) for s in path[shared:] if s.heading)
        return _Step(2, headings)

    def _path(self, key: str) -> tuple[Section, ...]:
        """Return the section with those it lies in, the outermost first."""
        path: list[Section] = []
        section = self._offer.sections.get(key)
        while section is not None and section not in path:
            path.insert(0, section)
            section = self._offer.sections.get(section.parent) if section.parent else None
        return tuple(path)


class Sums:
    """What a page measures, kept as a sum of its chunks while pieces go in.

    A piece whose beginning may melt with the newline before it is measured together with what
    stands above it. The caller counts the finished page again.

    Args:
        offer: Whose pieces these are.
        page: Lays them out.
        size: Measures a text.
        melting: The pieces whose beginning may melt with a newline.
    """

    def __init__(
        self,
        offer: Offer,
        page: Page,
        size: Callable[[str], int],
        melting: Collection[int],
    ) -> None:
        self._pieces = offer.pieces
        self._page = page
        self._size = size
        self._melting = melting
        self._note = size(offer.note) if offer.note else 0
        self._chunks: dict[tuple[int, int], int] = {}
        self._headings: dict[tuple[tuple[str, int], ...], int] = {}
        self._growths: dict[tuple[int | None, int | None, str, int, bool], tuple[int, int]] = {}

    def between(self, before: int | None, index: int) -> int:
        """Return the size of a piece with all that stands between it and the next one.

        Args:
            before: The piece; `None` = the top of the page.
            index: The next piece, whose own text does not count.
        """
        step = self._page.step(before, index)
        if index in self._melting:
            return self._melted(before, step, self._pieces[index].text)
        above = self._heads(step.headings) if step.headings else 0
        return above if before is None else above + self._chunk(before, step.newlines)

    def _melted(self, before: int | None, step: _Step, text: str) -> int:
        chunks = [] if before is None else [self._pieces[before].text + "\n" * step.newlines]
        chunks += [heading + "\n" * newlines for heading, newlines in step.headings]
        if not chunks:
            return 0
        *above, last = chunks
        return sum(map(self._size, above)) + self._size(last + text) - self._size(text)

    def end(self, last: int | None, *, noted: bool) -> int:
        """Return the size of the last piece with what ends the page."""
        note = self._note if noted else 0
        return note if last is None else note + self._chunk(last, 2 if noted else 0)

    def total(self, chosen: Sequence[int], *, noted: bool) -> int:
        if not chosen:
            return self.end(None, noted=noted)
        pairs = zip((None, *chosen), chosen, strict=False)
        inner = sum(self.between(before, index) for before, index in pairs)
        return inner + self.end(chosen[-1], noted=noted)

    def fits(self, chosen: Sequence[int], limit: int) -> bool:
        """Tell whether these pieces fit without a note; gives up as soon as they do not."""
        size = self.end(chosen[-1], noted=False) if chosen else 0
        for before, index in zip((None, *chosen), chosen, strict=False):
            # What melts may make the page smaller again.
            if size > limit and not self._melting:
                return False
            size += self.between(before, index)
        return size <= limit

    def growth(self, before: int | None, index: int, after: int | None, *, noted: bool) -> int:
        """Return what the page grows by when a piece goes in between two others.

        Pieces of one section cost the same there but for their own text, so that the rest is
        measured once.
        """
        if index in self._melting or after in self._melting:
            return self._measured(before, index, after, noted=noted)
        piece = self._pieces[index]
        gap = (before, after, piece.section, piece.gap, noted)
        found = self._growths.get(gap)
        if found is None:
            newlines = self._page.step(index, after).newlines if after is not None else 2 * noted
            rest = self._measured(before, index, after, noted=noted) - self._chunk(index, newlines)
            found = self._growths[gap] = rest, newlines
        rest, newlines = found
        return rest + self._chunk(index, newlines)

    def _measured(self, before: int | None, index: int, after: int | None, *, noted: bool) -> int:
        above = self.between(before, index)
        if after is None:
            return above + self.end(index, noted=noted) - self.end(before, noted=noted)
        return above + self.between(index, after) - self.between(before, after)

    def _heads(self, headings: tuple[tuple[str, int], ...]) -> int:
        size = self._headings.get(headings)
        if size is None:
            size = sum(self._size(heading + "\n" * newlines) for heading, newlines in headings)
            self._headings[headings] = size
        return size

    def _chunk(self, index: int, newlines: int) -> int:
        size = self._chunks.get((index, newlines))
        if size is None:
            size = self._size(self._pieces[index].text + "\n" * newlines)
            self._chunks[index, newlines] = size
        return size


def _blank(lines: int) -> Iterator[Row]:
    yield from (Row("") for _ in range(lines))
