"""Finds where code names entries by their ids: `Applies: PR-001`, through `git grep`.

What git tracks or would track is searched, the memory itself left out. A look has an end: in time,
and in what it takes in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.code.git_process import run

_MAX_BYTES: Final = 8 << 20
"""Of what git prints: some hundred thousand places."""
_SECONDS: Final = 20.0
_MEMORY: Final = (".shaktra", ".remem", ".sniper")
"""Folders of memory at a root: to stand there is not to be applied."""
_NOT_FOUND: Final = 1
"""How git ends when nothing matched."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A line of code that names an entry."""

    path: str
    """From the folder that was searched, as git has it."""
    line: int
    """From 1."""
    id: str


@dataclass(frozen=True, slots=True)
class References:
    """What a search found."""

    found: tuple[Reference, ...] = ()
    """By path and line."""
    searched: bool = True
    """False: git gave no answer, so that nothing is known."""
    whole: bool = True
    """False: there was more than could be taken in."""


def references(folder: Path, prefixes: Collection[str], *, most: int = _MAX_BYTES) -> References:
    """Search the files of a repository for ids.

    Args:
        folder: In the repository; what lies above it is not searched.
        prefixes: What ids begin with, letters only: `PR` for `PR-001`.
        most: Bytes that are taken in of what git prints.
    """
    pattern = f"({'|'.join(sorted(prefixes))})-[0-9]+"
    answer = run(
        folder,
        *("grep", "-n", "-z", "-o", "-w", "-I", "-E", "--untracked", "--no-column"),
        *("-e", pattern, "--", "."),
        *(f":(exclude){name}" for name in (*_MEMORY, "*.log")),
        seconds=_SECONDS,
        most=most,
        is_literal=False,
    )
    out = answer.out
    is_whole = len(out) <= most
    if is_whole and answer.code not in (0, _NOT_FOUND):
        return References(searched=False)
    found = sorted(set(_read(out[:most])), key=lambda each: (each.path, each.line, each.id))
    return References(tuple(found), whole=is_whole)


def _read(out: bytes) -> Iterator[Reference]:
    """Read `path NUL line NUL match`, a line each; one that was cut off is left out."""
    for line in out.split(b"\n"):
        parts = line.split(b"\0")
        if len(parts) == 3 and parts[1].isdigit():
            path, number, name = (part.decode("utf-8", "surrogateescape") for part in parts)
            yield Reference(path, int(number), name)
