"""When a repository stood how: commits spread over its life, and who wrote how much of some files.

Only the history of HEAD is followed, first parents alone, as a branch tells its own story; who
wrote is asked of every commit, merged ones too. Nothing is checked out.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.code.blobs import ask, need_answer

_COMMITS: Final = 20_000
"""How far back commits are named; what is older is not sampled."""
_EPOCH: Final = date(1970, 1, 1).toordinal()
_DAY: Final = 86_400
"""Seconds."""
_PATHS: Final = 500
"""Files that writers are asked about."""
_BYTES_EACH: Final = "--batch-check=%(objecttype) %(objectsize)"


@dataclass(frozen=True, slots=True)
class Stop:
    """A commit of which the files are looked at."""

    commit: str
    day: date


@dataclass(frozen=True, slots=True)
class Timeline:
    """Stops over the life of a repository."""

    stops: tuple[Stop, ...]
    """Newest first; the first and the last commit are among them."""
    commits: int
    """All commits between them."""
    is_shallow: bool
    """The clone does not have what was before."""


def timeline(top: Path, most: int, days: Sequence[date] = ()) -> Timeline:
    """Return stops that lie evenly in time, at most so many, and one for each day that is named.

    Args:
        top: The top of the work tree.
        most: Stops.
        days: For each of them the last commit that was made then or before.

    Raises:
        NotPossible: There is no git, or it gives no answer.
    """
    out = ask(
        top, *("rev-list", "--first-parent", "--timestamp"), f"--max-count={_COMMITS}", "HEAD"
    )
    commits = [*_stamped(out)]
    shallow = ask(top, "rev-parse", "--is-shallow-repository").strip() == b"true"
    if not commits:
        need_answer(top)
        return Timeline((), 0, shallow)
    stops = [Stop(name, _day(second)) for second, name in commits]
    chosen = {0, len(commits) - 1, *_spread([second for second, _ in commits], most)}
    for day in days:
        chosen |= {next((at for at, stop in enumerate(stops) if stop.day <= day), len(stops) - 1)}
    return Timeline(tuple(stops[at] for at in sorted(chosen)), len(commits), shallow)


def _stamped(out: bytes) -> Iterator[tuple[int, str]]:
    for line in out.decode("ascii", "replace").splitlines():
        second, _, name = line.partition(" ")
        if second.lstrip("-").isdigit() and name:
            yield int(second), name


def _spread(seconds: Sequence[int], most: int) -> Iterator[int]:
    """Yield places, newest first: the last commit of each of as many equal stretches of time."""
    if len(seconds) <= most:
        yield from range(len(seconds))
        return
    newest, oldest = max(seconds), min(seconds)
    length = max((newest - oldest) / most, 1)
    seen: set[int] = set()
    for place, second in enumerate(seconds):
        stretch = min(int((newest - second) / length), most - 1)
        if stretch not in seen:
            seen.add(stretch)
            yield place


def _day(second: int) -> date:
    try:
        return date.fromordinal(_EPOCH + second // _DAY)
    except (OverflowError, ValueError):
        return date.min  # no calendar has it


def written_since(top: Path, commit: str, paths: Collection[str]) -> Mapping[str, int]:
    """Return how many bytes each author put into files since a commit; less than 0 = took out.

    Args:
        top: The top of the work tree.
        commit: Its own changes do not count; empty = from the beginning.
        paths: From the top, with slashes.

    Raises:
        NotPossible: There is no git, or it gives no answer.
    """
    if not paths:
        return {}
    out = ask(
        top,
        *("log", "--no-merges", "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%x01%aN"),
        *(f"{commit}..HEAD" if commit else "HEAD", "--", *sorted(paths)[:_PATHS]),
    )
    changes = [*_raw(out)]
    names = sorted({name for _, before, after in changes for name in (before, after)})
    sizes = dict(zip(names, _sizes(top, names), strict=False))
    authors: dict[str, int] = {}
    for author, before, after in changes:
        authors[author] = authors.get(author, 0) + sizes.get(after, 0) - sizes.get(before, 0)
    return authors


def _raw(out: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield author, object before and object after of every change of a file."""
    author = ""
    for part in out.split(b"\0"):
        if part.startswith(b"\x01"):
            author = os.fsdecode(part[1:])
        elif part.lstrip(b"\n").startswith(b":"):
            fields = part.decode("ascii", "replace").split()
            if len(fields) == 5:
                yield author, fields[2], fields[3]


def _sizes(top: Path, names: Sequence[str]) -> Iterator[int]:
    """Yield bytes of objects in their order; 0 for what is no file, or not there."""
    out = ask(top, "cat-file", _BYTES_EACH, said="".join(f"{n}\n" for n in names).encode("ascii"))
    for line in out.decode("ascii", "replace").splitlines():
        kind, _, size = line.partition(" ")
        yield int(size) if kind == "blob" and size.isdigit() else 0
