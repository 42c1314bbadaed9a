"""What an instruction file imports: `@path` where a tool follows it.

Tools read it in two ways, as Markdown or as plain text. Code is left out. A path that leads
nowhere is text to the tools, so here it is nothing either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.edit.markdown import Kind, is_text, parse, text_start

_MARKED: Final = lazy_pattern(
    rb"(?:^|(?<=[\s*_\[>]))@(?P<path>(?:[^\s\\`*<\]]|\\ )+)(?P<after>(?:\]\(|\]\[)?)", re.MULTILINE
)
"""Text that emphasis, a link, a tag or a quote opens begins anew; what closes it ends the path."""
_OPENING: Final = lazy_pattern(rb"(?:^|[\s(\[>])(?:\*{1,3}|_{1,3})$|<[A-Za-z][^<>]*>$|^[ \t>]*>$")
_PLAIN: Final = lazy_pattern(rb"(?:^|(?<=[ \t\r\n]))@(?P<path>[^\s`]+)", re.MULTILINE)
_SIGNED: Final = lazy_pattern(rb"(?<![\w-])@(?P<path>[^\s<>'\"`@][^\s<>'\"`]*)")
_CLOSING: Final = ".,;:!?)]}"
"""What ends a sentence or closes a bracket is no part of a path."""
_CODE: Final = lazy_pattern(
    rb"(?<!`)(?P<open>`++)(?:[^`\r\n]++|(?!(?P=open)(?!`))`++"
    rb"|\r?\n(?![ \t]*(?:\r?\n|[-*+>#]|\d+[.)])))+?(?P=open)(?!`)"
)
"""Code within one paragraph or item; it may go on in the next line."""
_FENCE: Final = lazy_pattern(
    rb"^[ \t]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}(?=[^`\r\n]*$)|~{3,})"
    rb"(?P<rest>[^\r\n]*)",
    re.MULTILINE,
)
_COMMENT: Final = lazy_pattern(rb"<!--.*?-->", re.DOTALL)
_COMMENTS: Final = lazy_pattern(
    rb"^[ \t]*(?:<!--(?:(?!-->).)*+-->[ \t]*)+\r?$", re.MULTILINE | re.DOTALL
)
"""Comments that have their lines to themselves."""
_FRONT: Final = lazy_pattern(rb"---\s*\n.*?---\s*(?:\n|$)?", re.DOTALL)
_INDENTED: Final = lazy_pattern(rb"^(?: {4}| {0,3}\t)[^\r\n@]*@", re.MULTILINE)
_INDENT: Final = lazy_pattern(rb"(?: {4}| {0,3}\t)")
_STARTS: Final = lazy_pattern(r"(?:\.{1,2}/|~/|/|[A-Za-z0-9._-])")
_PLAIN_STARTS: Final = lazy_pattern(r"[A-Za-z./]")


class Reading(Enum):
    """How a tool finds imports in a file."""

    MARKED = "as Markdown: `\\ ` is a blank, `#` begins a part of a file"
    PLAIN = "as text: a path reaches to the next blank, as it stands there"
    OUTSIDE_CODE = "as plain text, but what Markdown takes for code is left out, indented too"
    SIGNED = "as text: behind any sign but a letter, and without the signs that close a sentence"


@dataclass(frozen=True, slots=True)
class Import:
    """One `@path` of a file."""

    start: int
    """Byte of the `@` in the file."""
    path: str
    """As it is written, without a fragment."""

    def target(self, path: Path, home: Path) -> Path:
        """Return the file that is meant in a file at `path`, links and `..` left as they are."""
        if self.path.startswith("~/"):
            return home / self.path[2:]
        return Path(self.path) if self.path.startswith("/") else path.parent / self.path


@lru_cache(maxsize=512)
def imports_in(
    data: bytes, reading: Reading = Reading.MARKED, *, as_stripped: bool = False
) -> tuple[Import, ...]:
    """Return the imports of a file in their order, each path once.

    Args:
        data: The file.
        reading: The tool's.
        as_stripped: What stands in front matter or in an HTML comment does not count.
    """
    if b"@" not in data or not is_text(data):
        return ()
    seen = _without_code(data, reading)
    if as_stripped:
        end = front_end(data)
        seen = b"`" * end + _COMMENT.sub(_blank, seen)[end:]
    found: dict[str, Import] = {}
    for start, path in _HOW[reading](seen):
        found.setdefault(path, Import(start, path))
    return tuple(found.values())


def _signed(seen: bytes) -> Iterator[tuple[int, str]]:
    for match in _SIGNED.finditer(seen):
        path = match["path"].decode().rstrip(_CLOSING)
        if not path.startswith(("/", "~")) and ("." in path or "/" in path):
            yield match.start(), path


def _plain(seen: bytes) -> Iterator[tuple[int, str]]:
    for match in _PLAIN.finditer(seen):
        path = match["path"].decode()
        if _PLAIN_STARTS.match(path):
            yield match.start(), path


def _marked(seen: bytes) -> Iterator[tuple[int, str]]:
    for match in _MARKED.finditer(seen):
        start = match.start()
        before = seen[start - 1 : start] if start else b""
        if before == b"[" and not match["after"]:
            continue
        if before and before in b"*_>" and _OPENING.search(_line_up_to(seen, start)) is None:
            continue
        path = match["path"].decode().replace("\\ ", " ").partition("#")[0].rstrip("_")
        if path and _STARTS.match(path):
            yield start, path


_HOW: Final[Mapping[Reading, Callable[[bytes], Iterator[tuple[int, str]]]]] = {
    Reading.MARKED: _marked,
    Reading.PLAIN: _plain,
    Reading.OUTSIDE_CODE: _plain,
    Reading.SIGNED: _signed,
}


def _line_up_to(seen: bytes, at: int) -> bytes:
    return seen[seen.rfind(b"\n", 0, at) + 1 : at]


def front_end(data: bytes) -> int:
    """Return where what Claude Code takes for front matter ends: with the next `---` anywhere."""
    match = _FRONT.match(data, text_start(data))
    return match.end() if match is not None else 0


def blocks_of_comment(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where comments lie that have their lines to themselves; in code there are none."""
    found = [match.span() for match in _COMMENTS.finditer(data)]
    code = list(_fences(data)) if found else []
    if any(_INDENT.match(data, start) for start, _ in found):
        code += _indented(data)
    yield from ((at, to) for at, to in found if not any(start <= at < end for start, end in code))


def _without_code(data: bytes, reading: Reading) -> bytes:
    """Return the text with code blanked out, every byte else in its place."""
    text = bytearray(data)
    is_code = reading in {Reading.MARKED, Reading.OUTSIDE_CODE}
    indented = _indented(data) if is_code and _INDENTED.search(data) else ()
    for start, end in (*_fences(data), *indented):
        text[start:end] = b"\n" * (end - start)
    return _CODE.sub(_blank, bytes(text))


def _blank(match: re.Match[bytes]) -> bytes:
    return b"`" * (match.end() - match.start())


def _fences(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where fenced code lies, those in list items too; an open one reaches to the end."""
    opened: tuple[int, bytes] | None = None
    for match in _FENCE.finditer(data):
        if opened is None:
            opened = match.start(), match["fence"]
        elif match["fence"].startswith(opened[1]) and not match["item"] + match["rest"].strip():
            yield opened[0], match.end()
            opened = None
    if opened is not None:
        yield opened[0], len(data)


def _indented(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where code lies that only its indentation marks."""
    for unit in parse(data).units:
        if unit.kind is Kind.PARAGRAPH and _INDENT.match(data, unit.start):
            yield unit.start, unit.end
