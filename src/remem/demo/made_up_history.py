"""How the demo's repositories came to hold what they hold: earlier versions of files, by date.

A file becomes longer as time goes by: what says when it was written is there from that day on. The
last commit holds every file as the demo has it, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from remem.demo.repository import Repository

_DATE: Final = re.compile(r"20\d\d-[01]\d-[0-3]\d")
_SECTION: Final = re.compile(r"^#{2,} ", re.MULTILINE)
_ITEM: Final = re.compile(r"^ *- id: ", re.MULTILINE)
_MORNING: Final = timedelta(hours=7, minutes=40)
"""When commits are made, in UTC."""


class Commit(NamedTuple):
    """Somebody committed what was there on a day."""

    day: str
    who: str
    subject: str
    folders: tuple[str, ...] = ("",)
    """How the paths begin that were committed; the others stay as they were."""
    is_whole: bool = False
    """Every file that had begun is committed as it is now; what comes later is only new files."""


class Growing(NamedTuple):
    """How long the parts of a file that have no date took to come about."""

    first: str
    last: str
    """Days. The first part is there on the first of them, and the last part on the last one."""


def past_of(
    files: Mapping[str, bytes],
    commits: Sequence[Commit],
    growing: Mapping[str, Growing],
    started: Mapping[str, str],
) -> Repository:
    """Return a repository whose last commit on `main` holds files just as they are.

    Args:
        files: Bytes by path.
        commits: The oldest first; the last one takes all.
        growing: By path, for files whose parts have no dates of their own.
        started: How a path begins → the day from which on such a file is there at the earliest.
    """
    repository, tree = Repository(), dict[str, bytes]()
    versions = {path: _versions(path, data, growing, started) for path, data in files.items()}
    for commit in commits[:-1]:
        if commit.is_whole:
            tree |= {p: data for p, data in files.items() if _start(p, started) <= commit.day}
            _commit(repository, tree, commit)
            continue
        for path, parts in versions.items():
            if not path.startswith(commit.folders):
                continue
            known = b"".join(data for day, data in parts if day <= commit.day)
            if known and parts[0][0] <= commit.day:
                tree[path] = known.rstrip(b"\n") + b"\n"
        _commit(repository, tree, commit)
    _commit(repository, files, commits[-1])
    return repository


def moment_of(day: str) -> datetime:
    """Return when something was committed, or written, on a day."""
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC) + _MORNING


def last_day(data: bytes, newest: str) -> str:
    """Return the last day up to `newest` that a text names; `newest` where it names none."""
    days = _DATE.findall(data.decode("utf-8", "replace"))
    return max((day for day in days if day <= newest), default=newest)


def _commit(repository: Repository, tree: Mapping[str, bytes], commit: Commit) -> None:
    at = int(moment_of(commit.day).timestamp())
    repository.commit("main", tree, commit.subject, at, commit.who)


def _start(path: str, started: Mapping[str, str]) -> str:
    """Return the day from which on a file is there at the earliest; empty = from the first."""
    return max((day for each, day in started.items() if path.startswith(each)), default="")


def _versions(
    path: str, data: bytes, growing: Mapping[str, Growing], started: Mapping[str, str]
) -> list[tuple[str, bytes]]:
    """Return the parts of a file, each with the day from which on it is there."""
    start = _start(path, started)
    parts = [*_parts(path, data.decode())]
    spread = growing.get(path)
    days = [*_spread([len(part) for part in parts], spread)] if spread else []
    found: list[tuple[str, bytes]] = []
    for number, part in enumerate(parts):
        day = _day_of(path, part, is_first=number == 0 and len(parts) > 1)
        day = day or (days[number] if days else found[-1][0] if found else start)
        found.append((max(day, start), part.encode()))
    return found


def _parts(path: str, text: str) -> Iterator[str]:
    """Yield a text in parts: up to the first section or entry, then each of them."""
    marks = _SECTION if path.endswith(".md") else _ITEM
    starts = [match.start() for match in marks.finditer(text)]
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        if start < end:
            yield text[start:end]


def _day_of(path: str, part: str, *, is_first: bool) -> str:
    """Return the day that a part says of itself; empty = none."""
    if is_first:
        return ""
    text = part.partition("\n")[0] if path.endswith(".md") else part
    found = _DATE.search(text)
    return found.group() if found else ""


def _spread(lengths: Sequence[int], over: Growing) -> Iterator[str]:
    """Yield a day for each part: as many characters were written on one day as on another."""
    first, last = date.fromisoformat(over.first), date.fromisoformat(over.last)
    before, whole = 0, max(sum(lengths[:-1]), 1)
    for length in lengths:
        yield (first + (last - first) * before / whole).isoformat()
        before += length
