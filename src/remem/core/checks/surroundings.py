"""What stands around a rule in its file, and what of its meaning lies there.

A list is read with the line above it, and a section with its headings: what stands below `Never:`
is turned down, what begins in the middle of a sentence is no rule, and sections beside each other
are each about something of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from remem.core.relation.comparable_text import LIGHT, about, reading
from remem.core.relation.oppositions import words

_LINE: Final = re.compile(rb"[^\r\n]+")
_LISTED: Final = re.compile(rb"[ \t]+\S|[-*+][ \t]|\d+[.)][ \t]")
"""How a line begins that is of a list, or of an item of it."""
_HEADING: Final = re.compile(rb"(#{1,6})[ \t]+(.*)")
_FENCES: Final = (b"```", b"~~~")
_DATED: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_FORBIDS: Final = words(
    "never not no avoid cannot forbidden prohibited disallowed banned nie niemals nicht kein keine "
    "verboten vermeide vermeiden untersagt"
)
_WRONG: Final = re.compile(r"\b(?:issues?|problems?|bugs?|limitations?|blockers?|probleme?)\b")
_OPEN: Final = re.compile(r"\b(?:to-?dos?|next steps?|roadmap|planned|backlog|nächste schritte)\b")
"""Headings of what does not work, and of what is yet to be done about it."""
_FEW: Final = 1
"""Words that a line which turns down all that stands below it says besides, at most."""


class Heading(NamedTuple):
    """A heading above a place."""

    start: int
    level: int
    text: str


class Surroundings:
    """The lines of one file, to be asked about places in it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._ends: list[int] = []
        self._leads: list[str] = []
        """Lines that are of no list."""
        self._starts: list[int] = []
        self._headings: list[Heading] = []
        is_code = False
        for each in _LINE.finditer(data):
            line = each[0]
            if not line.strip():
                continue
            if line.lstrip().startswith(_FENCES):
                is_code = not is_code
            if _LISTED.match(line) is None:
                self._ends.append(each.end())
                self._leads.append(line.decode("utf-8", "replace"))
            found = None if is_code else _HEADING.match(line)
            if found is not None:
                text = found[2].decode("utf-8", "replace").strip()
                self._starts.append(each.start())
                self._headings.append(Heading(each.start(), len(found[1]), text))

    def lead(self, start: int) -> str:
        """Return the line which the list at a place stands below; empty = there is none."""
        place = bisect_right(self._ends, start)
        return self._leads[place - 1] if place else ""

    def headings(self, start: int) -> tuple[Heading, ...]:
        """Return the headings that a place stands below, the outermost first."""
        return tuple(self._above(start))[::-1]

    def _above(self, start: int) -> Iterator[Heading]:
        level = 7
        for place in range(bisect_right(self._starts, start) - 1, -1, -1):
            heading = self._headings[place]
            if heading.level < level:
                level = heading.level
                yield heading

    def is_forbidden(self, start: int, text: str) -> bool:
        """Tell whether a rule is turned down by the line above its list: `Never:`, `## Don'ts`."""
        lead = self.lead(start)
        leads = lead.startswith("#") or lead.rstrip(" *_`").endswith((":", "："))
        return leads and _forbids(lead) and not reading(text).denies

    def is_dated(self, start: int, text: str) -> bool:
        """Tell whether a text stands below a date, or begins with one: it tells of that day."""
        above = any(_DATED.search(each.text) for each in self.headings(start))
        return above or _DATED.match(text.lstrip(" *_[(")) is not None

    def is_wrong(self, start: int) -> bool:
        """Tell whether a place stands below a heading of what does not work."""
        return any(_WRONG.search(each.text.casefold()) for each in self.headings(start))

    def is_open(self, start: int) -> bool:
        """Tell whether a place stands below a heading of what is yet to be done."""
        return any(_OPEN.search(each.text.casefold()) for each in self.headings(start))

    def goes_on(self, start: int) -> bool:
        """Tell whether what stands at a place is the rest of a sentence that began above it."""
        if not self._data[start : start + 4].decode("utf-8", "ignore")[:1].islower():
            return False
        before = self._data[:start].decode("utf-8", "replace").rstrip()
        line = before[before.rfind("\n") + 1 :].rstrip(" *_`")
        return (
            bool(line)
            and not line.startswith(("#", *map(bytes.decode, _FENCES)))
            and (line[-1].isalpha() or line[-1] == ",")
        )


def are_beside_each_other(ones: tuple[Heading, ...], others: tuple[Heading, ...]) -> bool:
    """Tell whether two sections of one file have the same headings but for their own."""
    if not ones or not others or ones[-1].text == others[-1].text:
        return False
    return ones[:-1] == others[:-1] and ones[-1].level == others[-1].level


def _forbids(lead: str) -> bool:
    """Tell whether a line turns down all that stands below it, and names nothing itself."""
    folded = lead.casefold().replace("’", "'")
    said = re.findall(r"\w+(?:'\w+)?", folded)
    if not any(word in _FORBIDS or word.endswith(("n't", "n'ts")) for word in said):
        return "anti-pattern" in folded
    return len(about(lead) - LIGHT - _FORBIDS) <= _FEW
