"""Who wrote some lines of a file, and since when they stand so, as git tells it, within a time.

Lines are looked for in the last commit by their text, so that the work tree, its filters and its
line ends play no part. What no commit has is said to be uncommitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.code.blobs import ask
from remem.code.commit_ranges import is_shallow

SECONDS: Final = 3.0
"""How long git may look."""
_LINES: Final = 400
"""Lines that are asked about at most."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Written:
    """A commit that wrote some of the lines."""

    commit: str
    author: str = ""
    time: datetime = _EPOCH
    subject: str = ""
    is_boundary: bool = False
    """The history ends here: a shallow clone has no more, and the lines may be older."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """What git tells of some lines."""

    is_committed: bool
    """False: the last commit has other lines, or no such file."""
    written: tuple[Written, ...] = ()
    """The commits that wrote them, the oldest first."""


def blame(top: Path, path: str, lines: bytes, number: int, seconds: float = SECONDS) -> Blamed:
    """Return who wrote some lines.

    Args:
        top: The top of the repository.
        path: The file, from there.
        lines: As they stand now, whole.
        number: Of the first of them, from 1: of several equal places the nearest is meant.
        seconds: How long to look.

    Raises:
        NotPossible: git takes longer, or cannot be asked.
    """
    committed = ask(top, "cat-file", "blob", f"HEAD:{path}", seconds=seconds)
    wanted = _split(lines)[:_LINES]
    first = _place(_split(committed), wanted, number) if committed and any(wanted) else 0
    if not first:
        return Blamed(is_committed=False)
    part = f"{first},{first + len(wanted) - 1}"
    out = ask(
        top,
        *("blame", "--porcelain", "-L", part, "HEAD", "--", path),
        seconds=seconds,
    )
    written = sorted(_written(out), key=lambda each: (each.time, each.commit))
    if any(each.is_boundary for each in written) and not is_shallow(top):
        written = [replace(each, is_boundary=False) for each in written]  # the very first commit
    return Blamed(is_committed=True, written=tuple(written))


def _split(data: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in data.removesuffix(b"\n").split(b"\n")]


def _place(there: Sequence[bytes], wanted: Sequence[bytes], number: int) -> int:
    """Return where lines stand, from 1; 0 = nowhere."""
    size = len(wanted)
    places = (at for at, line in enumerate(there, 1) if line == wanted[0])
    found = [at for at in places if there[at - 1 : at - 1 + size] == list(wanted)]
    return min(found, key=lambda at: abs(at - number), default=0)


def _written(out: bytes) -> Iterator[Written]:
    """Read git's porcelain: a commit is described where it is first named."""
    known: dict[str, Written] = {}
    name = ""
    for line in out.decode("utf-8", "replace").split("\n"):
        word, _, rest = line.partition(" ")
        if line.startswith("\t"):
            name = ""
        elif not name:
            name = word
            known.setdefault(name, Written(name))
        elif word == "author":
            known[name] = replace(known[name], author=rest)
        elif word == "author-time" and rest.lstrip("-").isdigit():
            known[name] = replace(known[name], time=_time(int(rest)))
        elif word == "summary":
            known[name] = replace(known[name], subject=rest)
        elif word == "boundary":
            known[name] = replace(known[name], is_boundary=True)
    yield from (each for each in known.values() if each.commit)


def _time(seconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return _EPOCH
