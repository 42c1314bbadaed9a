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

from remem.disk.markdown import is_text

_IMPORT: Final = re.compile(rb"(?:^|(?<=[ \t\r\n]))@(?P<path>(?:[^\s\\`]|\\ )+)", re.MULTILINE)
_CODE: Final = re.compile(rb"(`+)[^`\r\n]+?\1(?!`)")
_FENCE: Final = re.compile(rb"^[ \t]*(?:[-*+][ \t]+)?(?P<fence>`{3,}|~{3,})", re.MULTILINE)
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
def imports_in(data: bytes) -> tuple[Import, ...]:
    """Return the imports of a file in their order, each path once."""
    if b"@" not in data or not is_text(data):
        return ()
    hidden = [*fences(data), *(match.span() for match in _CODE.finditer(data))]
    found: dict[str, Import] = {}
    for match in _IMPORT.finditer(data):
        path = match["path"].decode().replace("\\ ", " ").partition("#")[0].rstrip(".,;:!?)")
        is_code = any(start <= match.start() < end for start, end in hidden)
        if path and not is_code and _STARTS.match(path):
            found.setdefault(path, Import(match.start(), path))
    return tuple(found.values())


def fences(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where fenced code lies, those in list items too; an open one reaches to the end."""
    opened: tuple[int, bytes] | None = None
    for match in _FENCE.finditer(data):
        if opened is None:
            opened = match.start(), match["fence"]
        elif match["fence"].startswith(opened[1]):
            yield opened[0], match.end()
            opened = None
    if opened is not None:
        yield opened[0], len(data)
