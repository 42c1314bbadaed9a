"""Which pieces of an offer go in under a budget, and the page that they make (FORMATS 0.6).

Invariant: a piece is taken only if the whole layer, counted as one text with it and with the note
about what was left out, stays within the budget. Pieces are whole, in or out, and are tried in
order of rank, so a small one may still go in behind a large one that did not.

Counting the whole text for each of 10,000 pieces would take minutes. It is not needed, because
tokens of neighbours melt at a newline only where the text behind it begins with white space or a
slash (`_melts`): elsewhere the size of a page is a sum, and a piece changes only what lies between
its two neighbours (`Sums`). That is an argument about vocabularies, so it is not trusted: the walk
by sums stands only if the finished text, counted once as a whole, has exactly that size. Otherwise
the same walk counts the whole page at each step.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter as Counted
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.base.turns import give_way, in_turns
from remem.core.prompt.counter import CHARACTERS_A_TOKEN, Counter, Estimate
from remem.model.entry import Ref
from remem.model.prompt import Layer, Line, Offer, Prompt, Reason, Section, Unit, Verdict


@dataclass(frozen=True, slots=True)
class _Measure:
    """How a layer is held against its budget."""

    size: Callable[[str], int]
    parts: int = 1
    """How many of what `size` counts make one unit of the budget."""
    last: int = 0
    """Units of a page that its chunks do not hold: no newline ends its last line."""
    adds_up: bool = True
    """Sizes of chunks that end in newlines always add up to the size of the whole."""

    def lacked(self, size: int) -> int:
        return -(-size // self.parts)

    def units(self, text: str) -> int:
        return self.lacked(self.size(text)) + self.last

    def limit(self, cap: int) -> int:
        return (cap - self.last) * self.parts


@dataclass(frozen=True, slots=True)
class _Choice:
    """What went in, and what each piece left out lacked."""

    chosen: tuple[int, ...]
    lacked: dict[int, int]
    noted: bool


def fill(
    offer: Offer, counter: Counter, cap: int | None = None
) -> tuple[Layer | None, tuple[Verdict, ...]]:
    """Fill a layer in order of priority.

    Args:
        offer: What a format contributes.
        counter: Counts as the vocabularies do, which part a text at newlines, or estimates.
        cap: Replaces the offer's own budget, in its unit; 0 = no budget.

    Returns:
        The layer, `None` where it has nothing to print; and the verdicts in order of priority,
        followed by the offer's own.
    """
    cap = offer.cap if cap is None else cap
    measure = _measure(offer.unit, counter)
    page = Page(offer)
    order = _by_rank(offer)
    choice = _choose(offer, order, page, measure, cap)
    if choice.lacked and any(piece.counted for piece in offer.pieces):
        page = Page(_numbered(offer, choice.chosen))
    rows = tuple(page.rows(choice.chosen, noted=choice.noted))
    if not offer.pieces and offer.empty:
        rows = tuple(Row(line) for line in offer.empty.split("\n"))
    layer = _layer(offer, counter, measure, cap, rows) if rows else None
    if layer is not None and choice.lacked:
        layer = replace(layer, lets_in=partial(_lets_in, offer, counter, cap))
    verdicts = _verdicts(offer, order, counter, measure, cap, choice)
    return layer, (*verdicts, *_named(offer))


def _lets_in(offer: Offer, counter: Counter, cap: int, gone: Ref, waiting: Ref) -> bool:
    """Fill the layer again without an entry: headings, the note and other outsiders take part."""
    pieces = tuple(piece for piece in offer.pieces if piece.ref != gone)
    _, verdicts = fill(replace(offer, pieces=pieces), counter, cap)
    return any(verdict.is_in and verdict.ref == waiting for verdict in verdicts)


def _numbered(offer: Offer, chosen: Sequence[int]) -> Offer:
    """Number those that are in without a gap; no number becomes longer by it."""
    pieces = list(offer.pieces)
    for number, index in enumerate(chosen, 1):
        piece = pieces[index]
        if piece.counted:
            rest = piece.text.removeprefix(piece.counted).lstrip("0123456789")
            pieces[index] = replace(piece, text=f"{piece.counted}{number}{rest}")
    return replace(offer, pieces=tuple(pieces))


def amount(number: int, unit: Unit) -> str:
    """Return a number of units with their noun: `35 tokens`."""
    return count(number, unit.value.removesuffix("s"))


def _measure(unit: Unit, counter: Counter) -> _Measure:
    match unit:
        case Unit.TOKENS if isinstance(counter, Estimate):
            # Rounding up at every piece would count far more than rounding up once.
            return _Measure(len, CHARACTERS_A_TOKEN)
        case Unit.TOKENS:
            return _Measure(counter.count, adds_up=False)
        case Unit.LINES:
            return _Measure(_newlines, last=1)
        case Unit.BYTES:
            return _Measure(_bytes)
        case Unit.CHARACTERS:
            return _Measure(len)


def _newlines(text: str) -> int:
    return text.count("\n")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _choose(offer: Offer, order: Sequence[int], page: Page, measure: _Measure, cap: int) -> _Choice:
    everything = tuple(range(len(offer.pieces)))
    if not cap or not everything:
        return _Choice(everything, {}, noted=False)
    limit = measure.limit(cap)
    melting = {} if measure.adds_up else _melting(offer)
    adds_up = measure.adds_up or _can_be_summed(page, melting.values())
    sums = Sums(offer, page, measure.size, frozenset(melting))
    may_fit = not adds_up or sums.fits(everything, limit)
    if may_fit and measure.size(page.text(everything, noted=False)) <= limit:
        return _Choice(everything, {}, noted=False)
    if adds_up:
        choice, size = _walk(offer, order, limit, partial(_Adding, sums))
        if size == measure.size(page.text(choice.chosen, noted=choice.noted)):
            return choice
    return _walk(offer, order, limit, partial(_Recounting, page, measure))[0]


def _melting(offer: Offer) -> dict[int, str]:
    """Return the texts of the pieces with whose beginning a newline before them can melt."""
    pieces = enumerate(in_turns(offer.pieces))
    return {index: piece.text for index, piece in pieces if _melts(piece.text)}


def _can_be_summed(page: Page, melting: Iterable[str]) -> bool:
    """Tell whether no chunk can melt with two others at once."""
    return not (any(map(_melts, page.fixed())) or any(map(_is_thin, melting)))


def _melts(text: str) -> bool:
    """Tell whether a token can reach from the newline before a text into it.

    In both vocabularies it goes on only into white space and, in `o200k_base`, into slashes.
    """
    return not text or text[0] == "/" or text[0].isspace()


def _is_thin(text: str) -> bool:
    return not text or text.replace("/", " ").isspace()


class _Adding:
    """Adds what changes between two neighbours; one step costs the same on every page."""

    def __init__(self, sums: Sums, chosen: Sequence[int], *, noted: bool) -> None:
        self.chosen = list(chosen)
        self.size = sums.total(self.chosen, noted=noted)
        self._sums = sums
        self._noted = noted

    def size_with(self, index: int) -> int:
        chosen = self.chosen
        at = bisect_left(chosen, index)
        before = chosen[at - 1] if at else None
        after = chosen[at] if at < len(chosen) else None
        return self.size + self._sums.growth(before, index, after, noted=self._noted)

    def take(self, index: int, size: int) -> None:
        insort(self.chosen, index)
        self.size = size


class _Recounting:
    """Counts the whole page at every step: for texts whose sizes do not add up."""

    def __init__(
        self, page: Page, measure: _Measure, chosen: Sequence[int], *, noted: bool
    ) -> None:
        self.chosen = list(chosen)
        self._page = page
        self._measure = measure
        self._noted = noted
        self.size = self._of(self.chosen)

    def size_with(self, index: int) -> int:
        return self._of(sorted((*self.chosen, index)))

    def take(self, index: int, size: int) -> None:
        insort(self.chosen, index)
        self.size = size

    def _of(self, chosen: Sequence[int]) -> int:
        text = self._page.text(chosen, noted=self._noted)
        return self._measure.size(text) if text else 0


class _Begin(Protocol):
    """Begins a tally with the pieces that are always in."""

    def __call__(self, chosen: Sequence[int], *, noted: bool) -> _Adding | _Recounting: ...


def _walk(offer: Offer, order: Sequence[int], limit: int, begin: _Begin) -> tuple[_Choice, int]:
    """Take pieces by rank while they fit; return the choice and its size by that tally.

    The note is reserved first: where even that and what is always in exceed the budget, both stay
    and nothing else is taken.
    """
    pieces = offer.pieces
    always = [index for index, piece in enumerate(pieces) if piece.always]
    noted = bool(offer.note)
    tally = begin(always, noted=noted)
    fits = tally.size <= limit
    lacked: dict[int, int] = {}
    for index in order:
        give_way()
        if pieces[index].always:
            continue
        size = tally.size_with(index)
        if fits and size <= limit:
            tally.take(index, size)
        else:
            lacked[index] = size - limit
    return _Choice(tuple(tally.chosen), lacked, noted and bool(lacked)), tally.size


def _by_rank(offer: Offer) -> list[int]:
    ranks = [piece.rank for piece in offer.pieces]
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def _layer(
    offer: Offer, counter: Counter, measure: _Measure, cap: int, rows: tuple[Row, ...]
) -> Layer:
    text = "\n".join(row.text for row in rows)
    used = measure.units(text)
    return Layer(
        name=offer.layer,
        lines=tuple(
            Line(row.text, counter.count(row.text) if row.text else 0, row.ref) for row in rows
        ),
        tokens=counter.count(text),
        budget=cap or None,
        unit=offer.unit,
        over_budget=max(0, used - cap) if cap else 0,
    )


def _verdicts(
    offer: Offer,
    order: Sequence[int],
    counter: Counter,
    measure: _Measure,
    cap: int,
    choice: _Choice,
) -> tuple[Verdict, ...]:
    said = _said(offer, counter, measure, cap, set(choice.lacked.values()))
    layer, reason, lacked = offer.layer, Reason.BUDGET, choice.lacked
    verdicts = []
    for index in order:
        give_way()
        piece = offer.pieces[index]
        tokens = counter.count(piece.text)
        if index not in lacked:
            verdicts.append(Verdict(piece.ref, None, piece.why, tokens, 0, layer))
            continue
        detail, units = said[lacked[index]]
        verdicts.append(Verdict(piece.ref, reason, detail, tokens, units, layer))
    return tuple(verdicts)


def _said(
    offer: Offer, counter: Counter, measure: _Measure, cap: int, sizes: Iterable[int]
) -> dict[int, tuple[str, int]]:
    """Return for each size that was lacked the sentence about it, and it in units."""
    budget = amount(cap, offer.unit)
    about = "≈" if offer.unit is Unit.TOKENS and not counter.exact else ""
    said: dict[int, tuple[str, int]] = {}
    for size in sizes:
        units = measure.lacked(size)
        much = amount(units, offer.unit)
        said[size] = f"{about}{much} over the budget of {budget}", units
    return said


def _named(offer: Offer) -> tuple[Verdict, ...]:
    return tuple(
        verdict if verdict.layer else replace(verdict, layer=offer.layer)
        for verdict in offer.verdicts
    )


def fits_in_words(prompt: Prompt) -> tuple[str, ...]:
    """Return for each layer with a budget how much of it is used, and how many entries lack room.

    Returns:
        One line each, such as `project memory: 791 of 800 tokens, 3 entries do not fit`.
    """
    about = "" if prompt.exact else "≈"
    lacking = Counted(each.layer for each in prompt.verdicts if each.reason is Reason.BUDGET)
    lines: list[str] = []
    for name in dict.fromkeys(layer.name for layer in prompt.layers if layer.is_held):
        layers = [layer for layer in prompt.layers if layer.name == name and layer.is_held]
        used = sum(layer.tokens for layer in layers)
        budget = sum(layer.budget or 0 for layer in layers)
        many = lacking[name]
        verb = "does" if many == 1 else "do"
        rest = f", {count(many, 'entry', 'entries')} {verb} not fit" if many else ""
        lines.append(f"{name}: {about}{used:,} of {budget:,} tokens{rest}")
    return tuple(lines)


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
