"""What of a file an agent's loader lets through: raw lines, each with its number and its entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import JS_BLANK, is_js_blank, js_head, js_length
from remem.core.prompt.counter import Counter
from remem.edit.markdown import text_start
from remem.model.entry import Entry, FileSpan, Ref, WholeFile
from remem.model.loader import Keeps
from remem.model.memo import kept
from remem.model.prompt import Layer, LeftOut, Line, Reason, Unit, Verdict
from remem.model.source import Loader, LoaderKind, Source
from remem.systems.personas.layer import loaded_text
from remem.systems.plain.import_syntax import blocks_of_comment, front_end
from remem.systems.plain.source import PlainSource

_BOM: Final = b"\xef\xbb\xbf"
_BLANK: Final = _BOM + b" \t\r\n\v\f"
_FOR_ANOTHER: Final = "it is for one project, and comes only while the agent works on that"
_NAMED: Final = 4
"""Ranges of lines that are named."""
_MAY_BE_WHOLE: Final = frozenset({LoaderKind.WHOLE, LoaderKind.ENDS})
_FILES: Final = 512
"""Files of which is kept what their loaders let through."""
_VERSIONS: Final = 4
"""Of each: the newest, and those that a preview and the past compare with it."""


@dataclass(frozen=True, slots=True)
class _RawLine:
    """A line of a file; offsets are bytes in the file."""

    number: int
    """From 1."""
    start: int
    end: int
    """Without its line end."""
    text: str | None = None
    """As the tool writes it; `None` = as it stands in the file."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Cut:
    """A file, and those of its lines that its agent gets.

    Many agents get the same file: what was made of it is kept for the next of them.
    """

    source: Source
    loader: Loader
    lines: tuple[_RawLine, ...]
    """What is loaded, in file order; the first one of a tail may be a part."""
    holes: tuple[tuple[int, int], ...] = ()
    """Where front matter and comments were taken out."""
    is_tidied: bool = False
    """The holes are all that is left out; what else is missing is blank."""
    reason: str = ""
    """Why a part is not loaded, where that is no limit."""
    taken: int = 0
    """Characters that count against the tool's limit for all files."""

    def layer(self, counter: Counter) -> Layer:
        return _layer_of(self, counter)

    def layer_now(self, counter: Counter) -> Layer:
        source, data = self.source, self.source.data
        refs = _refs(source, self.lines)
        shown = tuple(
            Line(
                text,
                counter.count(text) if text else 0,
                ref,
                f"{source.name}:{line.number}",
                source.path,
                line.number,
            )
            for line, ref in zip(self.lines, refs, strict=True)
            for text in (_text_of(line, data),)
        )
        budget, unit = _limit(self.loader, body_of(source)[1])
        text = "\n".join(line.text for line in shown)
        return Layer(source.name, shown, counter.count(text), budget, unit)

    def left(self, loaded: int, counter: Counter) -> LeftOut | None:
        """Return what is not loaded, given how many tokens are; `None` = all is."""
        return _left_of(self, loaded, counter)

    def left_now(self, loaded: int, counter: Counter) -> LeftOut | None:
        if self.loader.kind in _MAY_BE_WHOLE and not self.holes:
            return None
        start, body = body_of(self.source)
        missing = [*self._missing(start)]
        if not missing or not body.strip():
            return None
        tokens = max(counter.count(whole_text(self.source)) - loaded, 0)
        source, first = self.source, missing[0].number
        part, is_meant = self._part(missing), self._is_meant
        return LeftOut(source.path, source.name, tokens, self.why, first, part, is_meant)

    def _missing(self, start: int) -> Iterator[_RawLine]:
        """Yield the lines of the file that are not loaded, or not whole."""
        known, data = {line.number: line for line in self.lines}, self.source.data
        for line in _raw_lines(self.source, start):
            is_gone = known.get(line.number) != line
            if self._is_trimmed and is_gone:
                own = known.get(line.number, replace(line, end=line.start))
                is_gone = not is_js_blank(data[line.start : own.start] + data[own.end : line.end])
            if self.is_tidied:
                is_gone = any(at < line.end and to > line.start for at, to in self.holes)
            if is_gone:
                yield line

    @property
    def _is_trimmed(self) -> bool:
        """Tell whether blanks at its beginning and end are none of it."""
        return self.loader.kind is LoaderKind.HEAD and bool(self.loader.lines)

    @property
    def _is_meant(self) -> bool:
        """Tell whether what is missing is what its tool never hands on."""
        is_limit = self.loader.kind is LoaderKind.ENDS and not self.reason
        return bool(self.holes) and not is_limit and not (self._is_trimmed and self.reason)

    def _part(self, missing: Sequence[_RawLine]) -> str:
        """Say which lines are not loaded, or not whole; empty = all of the file."""
        if self.holes:
            return _numbered([line.number for line in missing])
        if not self.lines:
            return ""
        numbers = {line.number for line in self.lines}
        if self.loader.kind is LoaderKind.TAIL:
            last = missing[-1].number
            return f"up to {'inside ' if last in numbers else ''}line {last:,}"
        first = missing[0].number
        return f"from {'inside ' if first in numbers else ''}line {first:,} on"

    @property
    def why(self) -> str:
        """Say why a part of the file is not loaded."""
        if self.reason:
            return self.reason
        if self._is_meant:
            is_front = self.source.data.startswith(b"---", self.holes[0][0])
            also = "front matter and " if is_front else ""
            return f"the tool removes {also}standalone comments"
        return f"the agent loads only the {self.loader}"

    def verdicts(self, counter: Counter) -> Sequence[Verdict]:
        """Return a verdict on each entry: in only if all of it is."""
        return _verdicts_of(self, counter)

    def verdicts_now(self, counter: Counter) -> Iterator[Verdict]:
        source = self.source
        start, _ = body_of(source)
        first, last = (self.lines[0].start, self.lines[-1].end) if self.lines else (0, 0)
        first, last = (0, len(source.data)) if self.is_tidied else (first, last)
        if self._is_trimmed:
            first = start if is_js_blank(source.data[start:first]) else first
            last = len(source.data) if is_js_blank(source.data[last:]) else last
        if source.data[last : last + 1] == b"\n":
            last += 1
        for begin, end, entry in _spans(source):
            tokens = counter.count(_decoded(source.data[begin:end]))
            if end <= start:
                why = "the tool reads it but does not pass it on"
                yield Verdict(entry.ref, Reason.NOT_LOADED, why, tokens, layer=source.name)
                continue
            inside = max(begin, start) >= first and end <= last
            if inside and not any(begin < to and end > at for at, to in self.holes):
                yield Verdict(entry.ref, tokens=tokens, layer=source.name)
                continue
            detail = self.why
            if begin < last and end > first:
                detail = f"partly cut: {detail}"
            yield Verdict(entry.ref, Reason.NOT_LOADED, detail, tokens, layer=source.name)


@kept
def _layer_of(cut: Cut, counter: Counter) -> Layer:
    return cut.layer_now(counter)


@kept
def _left_of(cut: Cut, loaded: int, counter: Counter) -> LeftOut | None:
    return cut.left_now(loaded, counter)


@kept
def _verdicts_of(cut: Cut, counter: Counter) -> tuple[Verdict, ...]:
    return tuple(cut.verdicts_now(counter))


def cut_of(
    source: Source,
    loader: Loader | None = None,
    keeps: Keeps = Keeps.TEXT,
) -> Cut:
    """Return what a loader lets through.

    Args:
        source: The file.
        loader: Where it is not the source's own.
        keeps: What of front matter and comments is handed on.
    """
    loader = loader or source.loader
    known = _cuts_at(source.path, loader, keeps)
    for cut in known:
        if cut.source is source:
            return cut
    cut = _cut(source, loader, keeps)
    known.append(cut)
    del known[:-_VERSIONS]
    return cut


@lru_cache(maxsize=_FILES)
def _cuts_at(path: Path, loader: Loader, keeps: Keeps) -> list[Cut]:
    """Return where the last cuts of a file are kept, the newest at the end."""
    return []


def _cut(source: Source, loader: Loader, keeps: Keeps) -> Cut:
    if keeps is Keeps.TIDIED:
        return _tidied(source, loader)
    if keeps is Keeps.BODY:
        has_body = source.data[front_end(source.data) :].strip()
        keeps = Keeps.NO_FRONT if has_body else Keeps.FRONT
    if keeps is Keeps.FRONT:
        return Cut(source, loader, _lines(source, loader, text_start(source.data)))
    if keeps is Keeps.TEXT:
        start = body_of(source)[0]
        return Cut(source, loader, _lines(source, loader, start), _middle(source, loader, start))
    data, front = source.data, front_end(source.data)
    start = max(front, text_start(data))
    holes = blocks_of_comment(data) if keeps is Keeps.BARE and b"<!--" in data else ()
    # A rule's front matter is never handed on; that of other files is taken out.
    own = body_of(source)[0]
    taken = (*(((own, front - 1),) if own < front else ()), *holes)
    if not taken:
        return Cut(source, loader, _lines(source, loader, start))
    if loader.kind is LoaderKind.HEAD and loader.lines:
        return _bare_head(source, loader, start, taken)
    lines = _lines(source, loader, start)
    kept = (line for line in lines if not any(a <= line.start <= b for a, b in taken))
    return Cut(source, loader, tuple(kept), taken)


def _bare_head(
    source: Source, loader: Loader, start: int, taken: tuple[tuple[int, int], ...]
) -> Cut:
    """Return the first lines of what is left where front matter and comments were taken out."""
    left = [*_without(source, start, taken)]
    lines = _head(source, loader, left)
    rest = left[-1].end if left else 0
    is_limit = bool(lines) and not is_js_blank(source.data[lines[-1].end : rest])
    why = f"the agent loads only the {loader}, without front matter and standalone comments"
    return Cut(source, loader, lines, taken, reason=why if is_limit else "")


def _without(source: Source, start: int, taken: Sequence[tuple[int, int]]) -> Iterator[_RawLine]:
    """Yield the lines outside of what was taken out; with a comment go empty lines behind it."""
    is_behind = False
    for line in _raw_lines(source, start):
        is_taken = any(at <= line.start <= to for at, to in taken)
        is_empty = source.data[line.start : line.end] in {b"", b"\r"}
        is_behind = is_taken or (is_behind and is_empty)
        if not is_behind:
            yield line


def _head(source: Source, loader: Loader, lines: Sequence[_RawLine]) -> tuple[_RawLine, ...]:
    """Return the first of these lines, without blank ones around them.

    As Claude Code 2.1.332 and Qwen Code 0.24.4 cut their notes, seen on 2026-11-28: blanks around
    the text count for nothing, and a sign beyond the first plane of Unicode counts two.
    """
    texts = [_decoded(source.data[line.start : line.end]) for line in lines]
    said = [at for at, text in enumerate(texts) if text.strip(JS_BLANK)]
    if not said:
        return ()
    first = said[0]
    indent = len(texts[first]) - len(texts[first].lstrip(JS_BLANK))
    begin = lines[first].start + len(texts[first][:indent].encode())
    kept = [replace(lines[first], start=begin), *lines[first + 1 : said[-1] + 1]]
    kept, texts = kept[: loader.lines], [texts[first][indent:], *texts[first + 1 :]]
    used = -1
    for at, line in enumerate(kept if loader.characters else ()):
        used += 1 + js_length(texts[at])
        if used > loader.characters:
            cut = line.start + len(js_head(texts[at], loader.characters).encode())
            return tuple(kept[:at]) or (replace(line, end=min(cut, line.end)),)
    return tuple(kept)


def _tidied(source: Source, loader: Loader) -> Cut:
    """Return what OpenClaw hands on."""
    from remem.systems.loading.openclaw_text import handed_on

    data = source.data
    told = handed_on(data, source.path.name, loader.characters)
    lines = tuple(_RawLine(each.number, each.start, each.end, each.text) for each in told.lines)
    whole = sorted((each.start, each.end) for each in told.lines if each.is_whole)
    ends = accumulate((end for _, end in whole), max, initial=0)
    gaps = zip(ends, (*(start for start, _ in whole), len(data)), strict=True)
    holes = tuple((at, to) for at, to in gaps if at < to and data[at:to].strip(_BLANK))
    reason = "" if told.is_cut or not holes else _FOR_ANOTHER
    return Cut(source, loader, lines, holes, True, reason, told.length)


def _text_of(line: _RawLine, data: bytes) -> str:
    return _decoded(data[line.start : line.end]) if line.text is None else line.text


def body_of(source: Source) -> tuple[int, bytes]:
    """Return where in the file what a tool hands on starts, and that."""
    body = source.body if isinstance(source, PlainSource) else loaded_text(source)
    body = body.removeprefix(_BOM)
    return len(source.data) - len(body), body


def whole_text(source: Source) -> str:
    """Return the file as its tool would hand it on, uncut."""
    return _decoded(body_of(source)[1].removesuffix(b"\n"))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _lines(source: Source, loader: Loader, start: int) -> tuple[_RawLine, ...]:
    data = source.data[start:]
    match loader.kind:
        case LoaderKind.HEAD if loader.lines and not loader.bytes:
            return _head(source, loader, [*_raw_lines(source, start)])
        case LoaderKind.HEAD:
            lines = tuple(_raw_lines(source, start))
            lines = lines[: loader.lines] if loader.lines else lines
            most = _most_bytes(loader, data)
            return _within(lines, start + most, loader) if most else lines
        case LoaderKind.TAIL:
            kept = data.decode("utf-8", "surrogateescape")[-loader.characters :]
            tail = len(kept.encode("utf-8", "surrogateescape"))
            return tuple(_raw_lines(source, len(source.data) - tail))
        case LoaderKind.WHOLE:
            return tuple(_raw_lines(source, start))
        case LoaderKind.ENDS:
            lines = tuple(_raw_lines(source, start))
            for begin, end in _middle(source, loader, start):
                lines = (*_within(lines, begin, loader), *_raw_lines(source, end))
            return lines
        case _:
            return ()


def _most_bytes(loader: Loader, data: bytes) -> int:
    """Return how many bytes of a file a loader of its beginning takes; 0 = all."""
    if not loader.characters or len(data) <= loader.characters:
        return loader.bytes
    text = data.decode("utf-8", "surrogateescape")
    return len(text[: loader.characters].encode("utf-8", "surrogateescape"))


def _middle(source: Source, loader: Loader, start: int) -> tuple[tuple[int, int], ...]:
    """Return what a loader of both ends leaves out, if anything."""
    size, half = len(source.data), loader.bytes // 2
    if loader.kind is not LoaderKind.ENDS or size - start <= loader.bytes:
        return ()
    return ((start + half, size - (loader.bytes - half)),)


def _within(lines: tuple[_RawLine, ...], end: int, loader: Loader) -> tuple[_RawLine, ...]:
    """Return what lies before a byte; the last line may be a part.

    Who counts lines too ends with a whole one; where not even the first fits, it is cut.
    """
    whole = tuple(line for line in lines if line.end <= end)
    if len(whole) == len(lines) or (loader.lines and whole):
        return whole
    cut = lines[len(whole)]
    return (*whole, replace(cut, end=end)) if cut.start < end else whole


def _numbered(numbers: Sequence[int]) -> str:
    """Return `line 2`, `lines 2-4, 9`: numbers that follow each other as one range."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    named = [f"{a:,}" if a == b else f"{a:,}-{b:,}" for a, b in ranges]
    more = ", …" if len(named) > _NAMED else ""
    noun = "line" if len(numbers) == 1 else "lines"
    return f"{noun} {', '.join(named[:_NAMED])}{more}"


def _raw_lines(source: Source, start: int) -> Iterator[_RawLine]:
    """Yield lines that end in a newline; a carriage return before it stays in the line."""
    data = source.data[start:]
    if not data:
        return
    number = 1 + source.data.count(b"\n", 0, start)
    for line in data.removesuffix(b"\n").split(b"\n"):
        yield _RawLine(number, start, start + len(line))
        start += len(line) + 1
        number += 1


def _limit(loader: Loader, data: bytes) -> tuple[int | None, Unit]:
    """Return the limit that cuts this file, or that would first."""
    match loader.kind:
        case LoaderKind.HEAD:
            own = _decoded(data).strip(JS_BLANK).encode() if loader.lines else data
            head = b"\n".join(own.split(b"\n")[: loader.lines or None])
            if loader.bytes and (not loader.lines or len(head) > loader.bytes):
                return loader.bytes, Unit.BYTES
            most = loader.characters
            if most and (not loader.lines or js_length(_decoded(head)) > most):
                return most, Unit.CHARACTERS
            return loader.lines, Unit.LINES
        case LoaderKind.ENDS if loader.characters:
            return loader.characters, Unit.CHARACTERS
        case LoaderKind.ENDS:
            return loader.bytes, Unit.BYTES
        case LoaderKind.TAIL:
            return loader.characters, Unit.CHARACTERS
        case _:
            return None, Unit.TOKENS


def _spans(source: Source) -> tuple[tuple[int, int, Entry], ...]:
    """Return where each entry lies in the file, in file order."""
    spans = []
    for entry in source.entries:
        if isinstance(entry.at, FileSpan):
            spans.append((entry.at.start, entry.at.end, entry))
        elif isinstance(entry.at, WholeFile):
            spans.append((0, len(source.data), entry))
    return tuple(sorted(spans, key=lambda span: span[:2]))


def _refs(source: Source, lines: Sequence[_RawLine]) -> Iterator[Ref | None]:
    """Yield the ref of the entry that each line belongs to."""
    spans = _spans(source)
    at = 0
    for line in lines:
        while at < len(spans) and spans[at][1] <= line.start:
            at += 1
        inside = at < len(spans) and spans[at][0] <= max(line.start, line.end - 1)
        yield spans[at][2].ref if inside else None
