"""Turns text from disk into spans that a widget can draw.

Every text passes `safe_text` here before it reaches a screen; nothing is ever read as markup. How a
tone looks is the style sheets' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from rich.cells import cell_len

from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import safe_text
from remem.views.glyphs import UNICODE, Glyphs

_NUMBER_GOES_ON: Final = lazy_pattern(r"[.,]?\d")
_HALF_A_NUMBER: Final = lazy_pattern(r"(?:^|(?<=[\s(\[`/]))[≈~+-]?[\d.,]*$")
_HIDDEN_MARK: Final = lazy_pattern("⟦(?:U\\+[0-9A-F]{4,6}|tag:.)⟧|[\u2400-\u2421⏎⇥]")


class Tone(StrEnum):
    """What a piece of text means; each is the component class `line-view--<tone>`."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    ACCENT = "accent"
    """What a person is to look at first: where they are, what is suggested, what waits for them."""
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    MATCH = "match"
    HIDDEN = "hidden"
    """Characters that a reader would not have seen."""
    ADDED = "added"
    REMOVED = "removed"
    ADDED_WORD = "added-word"
    REMOVED_WORD = "removed-word"
    HEADING = "heading"
    CODE = "code"
    KEY = "key"
    """What can be pressed; the one that is suggested is `ACCENT`."""
    LAYER_1 = "layer-1"
    LAYER_2 = "layer-2"
    LAYER_3 = "layer-3"
    LAYER_4 = "layer-4"


LAYER_TONES: Final = (Tone.LAYER_1, Tone.LAYER_2, Tone.LAYER_3, Tone.LAYER_4)


class Span(NamedTuple):
    """A run of text in one tone. Drawing gates the text again, so that no way leads around it."""

    text: str
    tone: Tone = Tone.PLAIN


Spans = tuple[Span, ...]


def span(text: str, tone: Tone = Tone.PLAIN) -> Span:
    """Return one line of `text`, gated: newlines are drawn as `⏎`."""
    return Span(safe_text(text, one_line=True), tone)


def spans(*parts: str | Span) -> Spans:
    """Return `parts` gated and as spans; a plain string is `PLAIN`."""
    return tuple(
        span(part) if isinstance(part, str) else span(part.text, part.tone) for part in parts
    )


def plain(parts: Iterable[Span]) -> str:
    """Return the text of `parts` as it is drawn."""
    return "".join(part.text for part in parts)


def width_of(parts: Iterable[Span]) -> int:
    """Return the width in cells."""
    return sum(cell_len(part.text) for part in parts)


def clip(parts: Iterable[Span], width: int, glyphs: Glyphs = UNICODE) -> Spans:
    """Return `parts` in at most `width` cells, with the sign for *more* where something was cut."""
    whole = tuple(parts)
    if width_of(whole) <= width:
        return whole
    if width <= 0:
        return ()
    kept: list[Span] = []
    room = width - 1
    for part in whole:
        size = cell_len(part.text)
        if size > room:
            head = _whole_numbers(part.text, head_of(part.text, room))
            # Behind a blank the sign would say that something is under way.
            kept.append(Span(head.rstrip(" "), part.tone))
            break
        kept.append(part)
        room -= size
    return (*kept, Span(glyphs.more, Tone.DIM))


def _whole_numbers(text: str, head: str) -> str:
    """Return the beginning `head` of a text, less a number that it cuts: `≈2…` is not `≈2,320`."""
    if not _NUMBER_GOES_ON.match(text, len(head)):
        return head
    return _HALF_A_NUMBER.sub("", head)


def head_of(text: str, width: int) -> str:
    """Return the longest beginning of `text` that fits into `width` cells."""
    if text.isascii():
        return text[: max(width, 0)]
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return text[:index]
    return text


def tail_of(text: str, width: int, glyphs: Glyphs = UNICODE) -> str:
    """Return `text` in at most `width` cells: its end, behind the sign for what was cut there."""
    if cell_len(text) <= width:
        return text
    return f"{glyphs.before}{head_of(text[::-1], width - 1)[::-1]}"


def slice_of(parts: Spans, start: int, end: int) -> Spans:
    """Return characters `[start, end)` of `parts`."""
    found: list[Span] = []
    offset = 0
    for text, tone in parts:
        low, high = max(start - offset, 0), min(end - offset, len(text))
        if low < high:
            found.append(Span(text[low:high], tone))
        offset += len(text)
    return tuple(found)


def mark_hidden(parts: Iterable[Span]) -> Spans:
    """Give everything that `safe_text` made visible a tone of its own."""
    return _retone(parts, _HIDDEN_MARK, Tone.HIDDEN)


def highlight(parts: Iterable[Span], *words: str) -> Spans:
    """Give each place where one of the words stands, in any case, the tone of a match."""
    needles = tuple(safe_text(word, one_line=True) for word in words if word)
    if not needles:
        return tuple(parts)
    return _retone(parts, _needle(needles), Tone.MATCH)


@lru_cache(maxsize=64)
def _needle(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, words)), re.IGNORECASE)


def _retone(parts: Iterable[Span], pattern: re.Pattern[str], tone: Tone) -> Spans:
    """Find `pattern` in the joined text, so that a match may cross spans."""
    whole = tuple(parts)
    found = [match.span() for match in pattern.finditer(plain(whole))]
    if not found:
        return whole
    return tuple(_cut(whole, found, tone))


def _cut(parts: Spans, found: list[tuple[int, int]], tone: Tone) -> Iterator[Span]:
    offset = 0
    for text, own in parts:
        at, end = offset, offset + len(text)
        for start, stop in found:
            if stop <= at or start >= end:
                continue
            if start > at:
                yield Span(text[at - offset : start - offset], own)
            yield Span(text[max(start, at) - offset : min(stop, end) - offset], tone)
            at = min(stop, end)
        if at < end:
            yield Span(text[at - offset :], own)
        offset = end


def number(value: int, *, exact: bool = True, glyphs: Glyphs = UNICODE) -> str:
    """Return `1,204`, or `≈1,204` where it is an estimate."""
    return f"{value:,}" if exact else f"{glyphs.about}{value:,}"


def short_number(value: int, *, exact: bool = True, glyphs: Glyphs = UNICODE) -> str:
    """Return at most five characters for narrow places: `980`, `1.2k`, `34k`, `1.2M`.

    A shortened number is rounded, but that is visible in it, so it carries no `≈` of its own.
    """
    sign = "" if exact else glyphs.about
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if abs(value) >= size:
            scaled = value / size
            return (
                f"{sign}{scaled:.1f}{letter}" if abs(scaled) < 10 else f"{sign}{scaled:.0f}{letter}"
            )
    return f"{sign}{value}"


def change(before: int, after: int) -> str:
    """Return the difference with its sign: `+120`, `-8`, `±0`."""
    return f"{after - before:+,}" if after != before else "±0"


def token_bar(used: int, budget: int, width: int, glyphs: Glyphs = UNICODE) -> Spans:
    """Return `▕███░░▏`, `width` cells in all; beyond the budget it ends in other signs.

    It is quiet, since figures stand beside it; only what is over its budget has a colour.

    Args:
        used: Tokens, or whatever the budget counts.
        budget: 0 = none, and then the bar is empty.
        width: At least 3.
        glyphs: What it is drawn with.
    """
    room = max(width - 2, 1)
    if budget <= 0:
        body: Spans = (Span(glyphs.bar_rest * room, Tone.DIM),)
    elif used > budget:
        inside = max(min(room * budget // used, room - 1), 0)
        body = (
            Span(glyphs.bar_full * inside, Tone.BAD),
            Span(glyphs.bar_over * (room - inside), Tone.BAD),
        )
    else:
        # Something is never drawn as nothing, and not yet full never as full.
        full = min(max(round(room * used / budget), 1 if used else 0), room - (used < budget))
        full = max(full, 0)
        body = (Span(glyphs.bar_full * full + glyphs.bar_rest * (room - full), Tone.DIM),)
    return (Span(glyphs.bar_left, Tone.DIM), *body, Span(glyphs.bar_right, Tone.DIM))
