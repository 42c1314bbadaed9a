"""What an instruction file imports: `@path` where a tool follows it.

Code is left out. A path that leads nowhere is text to the tools, so here it is nothing either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.edit.markdown import Kind, is_text, parse

_IMPORT: Final = re.compile(rb"(?:^|(?<=[ \t\r\n]))@(?P<path>(?:[^\s\\`]|\\ )+)", re.MULTILINE)
_CODE: Final = re.compile(
    rb"(?<!`)(?P<open>`++)(?:[^`\r\n]++|(?!(?P=open)(?!`))`++"
    rb"|\r?\n(?![ \t]*(?:\r?\n|[-*+>#]|\d+[.)])))+?(?P=open)(?!`)"
)
"""Code within one paragraph or item; it may go on in the next line."""
_FENCE: Final = re.compile(
    rb"^[ \t]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}(?=[^`\r\n]*$)|~{3,})"
    rb"(?P<rest>[^\r\n]*)",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(rb"<!--.*?-->", re.DOTALL)
_COMMENTS: Final = re.compile(
    rb"^[ \t]*(?:<!--(?:(?!-->).)*+-->[ \t]*)+\r?$", re.MULTILINE | re.DOTALL
)
"""Comments that have their lines to themselves."""
_INDENTED: Final = re.compile(rb"^(?: {4}| {0,3}\t)[^\r\n@]*@", re.MULTILINE)
_INDENT: Final = re.compile(rb"(?: {4}| {0,3}\t)")
_STARTS: Final = re.compile(r"(?:\.{1,2}/|~/|/|[A-Za-z0-9._-])")


@dataclass(frozen=True, slots=True)
class Import:
    """One `@path` of a file."""

    start: int
    """Byte of the `@` in the file."""
    path: str
    """As it is written, without a fragment and the stop behind it."""

    def target(self, path: Path, home: Path) -> Path:
        """Return the file that is meant in a file at `path`, links and `..` left as they are."""
        if self.path.startswith("~/"):
            return home / self.path[2:]
        return Path(self.path) if self.path.startswith("/") else path.parent / self.path


@lru_cache(maxsize=512)
def imports_in(data: bytes, *, in_comments: bool = True) -> tuple[Import, ...]:
    """Return the imports of a file in their order, each path once.

    Args:
        data: The file.
        in_comments: What stands in an HTML comment counts too.
    """
    if _IMPORT.search(data) is None or not is_text(data):
        return ()
    seen = _without_code(data)
    if not in_comments:
        seen = _COMMENT.sub(_blank, seen)
    found: dict[str, Import] = {}
    for match in _IMPORT.finditer(seen):
        path = match["path"].decode().replace("\\ ", " ").partition("#")[0].rstrip(".,;:!?)")
        if path and _STARTS.match(path):
            found.setdefault(path, Import(match.start(), path))
    return tuple(found.values())


def blocks_of_comment(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where comments lie that have their lines to themselves; in code there are none."""
    code = list(_fences(data))
    for match in _COMMENTS.finditer(data):
        if not any(start <= match.start() < end for start, end in code):
            yield match.span()


def _without_code(data: bytes) -> bytes:
    """Return the text with code blanked out, every byte else in its place."""
    text = bytearray(data)
    for start, end in (*_fences(data), *_indented(data)):
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
    if _INDENTED.search(data) is None:
        return
    for unit in parse(data).units:
        if unit.kind is Kind.PARAGRAPH and _INDENT.match(data, unit.start):
            yield unit.start, unit.end
