"""The check behind every receipt: whether all text from before a change still stands after it.

It knows nothing of who planned the change. It reads the files as they are and as the effects leave
them, and looks for each unit's lines there: a unit is kept only where all of its lines stand, in
their order and with nothing between them. Heading, id and place of a unit prove nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from remem.base.errors import Refused
from remem.base.text import count
from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.core.system import Ground
from remem.model.change import Create, Delete, Effect, Move, Splice, texts_in
from remem.model.entry import Entry, FileSpan, WholeFile
from remem.model.source import KnowsSpans, Source, SourceKind
from remem.store.io import Unreadable
from remem.store.overlay import Overlay

_MARKER: Final = re.compile(r"^(?:[-*+]|\d{1,9}[.)])[ \t]+")
_BOM: Final = "\ufeff"
_DEEP: Final = 12
"""Folders below one that moves."""
_WORD: Final = re.compile(r"\w+")
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Shelf(Protocol):
    """What of a library is needed to look at files."""

    @property
    def ground(self) -> Ground: ...
    @property
    def sources(self) -> tuple[Source, ...]: ...


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text as they are compared: without indentation, list marks, blanks."""
    plain = (line.strip().removeprefix(_BOM).lstrip() for line in text.splitlines())
    return tuple(_MARKER.sub("", line, count=1) for line in plain if line)


class Standing:
    """Texts in which others are looked for."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._pages: list[tuple[str, ...]] = []
        self._starts: dict[str, list[tuple[int, int]]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        page = lines_of(text)
        for at, line in enumerate(page):
            self._starts.setdefault(line, []).append((len(self._pages), at))
        self._pages.append(page)

    def has(self, text: str) -> bool:
        """Tell whether all lines of a text stand in one of these, one below the other."""
        lines = lines_of(text)
        if not lines:
            return True
        return any(
            self._pages[page][at : at + len(lines)] == lines
            for page, at in self._starts.get(lines[0], ())
        )


class _Elsewhere:
    """Texts that are read until what is looked for stands among them."""

    def __init__(self, texts: Iterator[str]) -> None:
        self._texts = texts
        self._standing = Standing()

    def has(self, text: str) -> bool:
        return self._standing.has(text) or any(self._has_next(each, text) for each in self._texts)

    def _has_next(self, read: str, text: str) -> bool:
        self._standing.add(read)
        return self._standing.has(text)


def lost(before: Iterable[str], after: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that stand nowhere afterwards, whole."""
    standing = Standing(after)
    return tuple(text for text in before if not standing.has(text))


def need_kept(
    library: Library | Shelf, effects: Sequence[Effect], instead: Mapping[str, str] = _NOTHING
) -> None:
    """Refuse effects by which the text of any unit would be lost.

    Args:
        library: What they were planned on.
        effects: What would be written.
        instead: Texts that are put into others on purpose: each stands in that one, with every word
            of its own.

    Raises:
        Refused: A text would stand nowhere any more.
    """
    others = {lines_of(text): other for text, other in instead.items()}
    missing = tuple(_missing(library, effects, others))
    if missing:
        first = " ".join(missing[0].split())
        raise Refused(
            f"the text of {count(missing, 'unit')} would be lost: {first[:80]}",
            hint="nothing was written; edit the file in your editor",
        )


def _missing(
    library: Library | Shelf, effects: Sequence[Effect], instead: Mapping[tuple[str, ...], str]
) -> Iterator[str]:
    after = _after(library, effects)
    standing = Standing(map(_text, dict.fromkeys(after.values())))
    elsewhere = _Elsewhere(_elsewhere(library, effects))
    bytes_after = set(after.values())
    for source in library.sources:
        is_memory = source.kind is not SourceKind.DOCUMENT
        if not is_memory or not source.digest or not _is_touched(source.path, effects):
            continue
        if source.data in bytes_after or library.ground.disk.kind(source.path) is None:
            continue  # moved as it is, or gone already: there is nothing left to lose
        for raw, entry in _units(source):
            if standing.has(raw):
                continue
            for text in _said(library, source, entry()) if _is_store(source) else (raw,):
                other = instead.get(lines_of(text), "")
                kept = other if _holds(other, text) else text
                if not standing.has(kept) and not elsewhere.has(kept):
                    yield text


def _units(source: Source) -> Iterator[tuple[str, Callable[[], Entry]]]:
    """Yield the bytes of each unit as text, and what parses its entry: few need that."""
    entries = source.entries
    if isinstance(entries, KnowsSpans):
        for number in range(len(entries)):
            yield _text(entries.bytes_of(number)), partial(entries.__getitem__, number)
        return
    for entry in entries:
        at = entry.at
        if isinstance(at, FileSpan | WholeFile):
            data = source.data[at.start : at.end] if isinstance(at, FileSpan) else source.data
            yield _text(data), partial(_same, entry)


def _same(entry: Entry) -> Entry:
    return entry


def _is_store(source: Source) -> bool:
    return source.kind is SourceKind.STORE


def _said(library: Library | Shelf, source: Source, entry: Entry) -> list[str]:
    """Return what a record says in sentences; ids, dates and other single words say nothing."""
    if not isinstance(library, Library):
        return [entry.title]
    fields = library.format(source.format).reader.fields(source, entry)
    return [entry.title, *(text for text in texts_in(dict(fields)) if len(text.split()) > 1)]


def _after(library: Library | Shelf, effects: Sequence[Effect]) -> dict[Path, bytes]:
    """Return the files that the effects write or move, as they leave them."""
    shown = {source.path: source.data for source in library.sources if source.digest}
    disk = Overlay(library.ground.disk, effects, shown)
    paths: dict[Path, None] = {}
    for effect in effects:
        match effect:
            case Splice(path=path) | Create(path=path):
                paths[path] = None
            case Move(target=target):
                # What a link leads to stays where it is, and is read by its new name.
                at = disk.real(target) if disk.kind(target) == "link" else target
                is_folder = disk.kind(at) == "folder"
                paths |= dict.fromkeys(disk.walk(target, _DEEP) if is_folder else (target,))
            case _:
                pass
    found: dict[Path, bytes] = {}
    for path in paths:
        try:
            found[path] = disk.read(path)
        except Unreadable:
            continue  # what stood there is looked for elsewhere, and missed if it is nowhere
    return found


def _elsewhere(library: Library | Shelf, effects: Sequence[Effect]) -> Iterator[str]:
    """Yield the texts that stand in records that are written anew, and in files beside those.

    What is rewritten in its store, as nearly all is, comes first.
    """
    after = library.preview(effects).sources if isinstance(library, Library) else ()
    stores = [source for source in after if source.kind is SourceKind.STORE]
    anew = [source for source in stores if _is_touched(source.path, effects)]
    yield from _all_said(library, anew)
    for source in library.sources:
        if source.digest and not _is_touched(source.path, effects):
            yield _text(source.data)
    yield from _all_said(library, (source for source in stores if source not in anew))


def _all_said(library: Library | Shelf, stores: Iterable[Source]) -> Iterator[str]:
    for source in stores:
        for entry in source.entries:
            yield from _said(library, source, entry)


def _is_touched(path: Path, effects: Sequence[Effect]) -> bool:
    for effect in effects:
        match effect:
            case Splice(path=other) | Delete(path=other) | Create(path=other):
                if path == other:
                    return True
            case Move(source=moved):
                if path == moved or moved in path.parents:
                    return True
            case _:
                pass
    return False


def _holds(other: str, text: str) -> bool:
    """Tell whether every word of a text stands in another one, as often; numbers of items aside."""
    return not Counter(_words("\n".join(lines_of(text)))) - Counter(_words(other))


def _words(text: str) -> list[str]:
    return _WORD.findall(norm(text))


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")
