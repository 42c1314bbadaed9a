"""Where in an entry a searched text is, where its title does not show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import safe_text
from remem.cli.out import paint
from remem.core.library import Library
from remem.model.change import Json
from remem.model.entry import Entry
from remem.views.loose_match import forms_of

_MOST: Final = 80
"""Characters of a snippet."""
_BEFORE: Final = 28
"""Of them, those in front of the match at most."""
_MATCH: Final = 48
"""Of them, those of the match at most."""
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """The first match in an entry; every text is safe to print and on one line."""

    field: str
    before: str
    match: str
    after: str

    @property
    def plain(self) -> str:
        return f"{self.field}: {self.before}{self.match}{self.after}"

    @property
    def painted(self) -> str:
        """The snippet with the match emphasised, where the terminal wants it."""
        match = paint(self.match, bold=True, underline=True)
        return f"{self.field}: {self.before}{match}{self.after}"


class Fit(IntEnum):
    """How well a searched text is found."""

    NONE = 0
    NUMBER = 1
    """With words in the singular for the plural, or back."""
    EXACT = 2
    """Whatever its case and its line breaks."""


def fit(text: str, where: Iterable[str]) -> Fit:
    """Return how well a text stands in the best of others."""
    # No field holds a line feed once it is normalised, and no searched text does: one look over
    # all of them finds what lies within one.
    every = "\n".join([" ".join(each.casefold().split()) for each in where])
    if _normal(text) in every:
        return Fit.EXACT
    like = _like(text)
    return Fit.NUMBER if like is not None and like.search(every) else Fit.NONE


def holds(library: Library, entry: Entry, query: str) -> bool:
    """Tell whether an entry has every word of a query somewhere, each in either number."""
    words = query.casefold().split()
    if not words:
        return True
    text = f"{entry.ref} {entry.label} {entry.title} {entry.context}".casefold()
    missing = [word for word in words if not _has(text, word)]
    if not missing:
        return True
    body = library.format_of(entry).reader.body(library.source_of(entry), entry).casefold()
    return all(_has(body, word) for word in missing)


def _has(text: str, word: str) -> bool:
    return any(form in text for form in forms_of(word))


@cache
def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


@cache
def _like(text: str) -> re.Pattern[str] | None:
    """Return what finds the words of a text, each in either number; `None` = they have but one."""
    words = [forms_of(word) for word in text.casefold().split()]
    if all(len(forms) == 1 for forms in words):
        return None
    return re.compile(" ".join(f"(?:{'|'.join(map(re.escape, forms))})" for forms in words))


def snippet(library: Library, entry: Entry, text: str) -> Snippet | None:
    """Return the first field that has the text; `None` = the title that is listed shows it."""
    source, form = library.source_of(entry), library.format_of(entry)
    places = (*_fields(form.reader.fields(source, entry)), ("section", entry.context))
    every = (*places, ("text", form.reader.body(source, entry)))
    for wanted in (Fit.EXACT, Fit.NUMBER):
        if fit(text, (entry.row_text,)) >= wanted:
            return None
        for name, value in every:
            if fit(text, (value,)) >= wanted:
                return _around(name, value, text)
    return None


def _fields(fields: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        for each in _texts(value):
            yield name, each


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value


def _around(field: str, value: str, text: str) -> Snippet:
    line = " ".join(value.split())
    found = re.search(r"\s".join(map(re.escape, text.split())), line, re.IGNORECASE)
    if found is None and (like := _like(text)) is not None:
        found = re.search(like.pattern, line, re.IGNORECASE)
    start, end = found.span() if found else (0, 0)  # of letters that change their length
    before = safe_text(line[:start], one_line=True)
    match = safe_text(line[start:end], one_line=True)
    after = safe_text(line[end:], one_line=True)
    if len(before) > _BEFORE:
        before = _CUT + before[len(before) - _BEFORE + 1 :]
    if len(match) > _MATCH:
        match = match[: _MATCH - 1] + _CUT
    room = _MOST - len(before) - len(match)
    if len(after) > room:
        after = after[: room - 1] + _CUT
    return Snippet(safe_text(field, one_line=True), before, match, after)
