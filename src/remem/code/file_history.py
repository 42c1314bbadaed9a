"""How files were over time, of many at once: when written last, how they grew, which are gone.

Each answer costs git one or two questions, however many files are asked about. A name that git
never knew is not called gone: it may be an example, or lie somewhere else.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.blobs import ask
from remem.code.commit_ranges import is_shallow
from remem.code.git_process import run

_COMMITS = 2_000
"""Commits that are looked at, newest first; what was written before has no date."""


@dataclass(frozen=True, slots=True)
class Written:
    """What git knows of files, by their paths from the top."""

    last: Mapping[str, str]
    """The day of the last commit that changed it: `2026-05-04`."""
    now: Mapping[str, int]
    """How many bytes each has in the last commit."""
    then: Mapping[str, int] | None
    """How many bytes each had on an earlier day; `None` = there was no commit yet."""
    until: date = date.max
    """The day up to which that is told: today, or where nothing was committed for so long, the day
    of the last commit."""


def written(top: Path, folders: Collection[str], today: date, span: timedelta) -> Written:
    """Return when the files of some folders were written last, and how long they were before.

    Args:
        top: The top of the work tree.
        folders: From the top, with slashes.
        today: The day up to which it is told.
        span: How long before. Where nobody committed for so long, it is counted from the last
            commit: how they grew as long as somebody worked on them.

    Raises:
        NotPossible: There is no git, or it gives no answer.
    """
    if not folders:
        return Written({}, {}, None)
    places = sorted(folders)
    log = ask(
        top,
        *("log", f"--max-count={_COMMITS}", "--format=%x01%cs", "--name-only", "-z", "HEAD"),
        *("--", *places),
    )
    last: dict[str, str] = {}
    day = ""
    for part in log.split(b"\0"):
        name = part.lstrip(b"\n").decode("utf-8", "surrogateescape")
        if name.startswith("\x01"):
            day, _, name = name[1:].partition("\n")
            name = name.lstrip("\n")
        if name:
            last.setdefault(name, day)
    newest = date.fromisoformat(max(last.values(), default=today.isoformat()))
    until = newest if newest < today - span else today
    since = (until - span).isoformat()
    commit = ask(top, "rev-list", "-1", f"--before={since}T23:59:59", "HEAD")
    now = _sizes(top, "HEAD", places)
    name = commit.decode().strip()
    return Written(last, now, _sizes(top, name, places) if name else None, until)


def _sizes(top: Path, commit: str, places: Sequence[str]) -> dict[str, int]:
    out = ask(top, "ls-tree", "-r", "-l", "-z", commit, "--", *places)
    found: dict[str, int] = {}
    for leaf in out.split(b"\0"):
        head, _, path = leaf.partition(b"\t")
        size = head.split()[-1] if head else b""
        if size.isdigit():
            found[path.decode("utf-8", "surrogateescape")] = int(size)
    return found


_SECONDS: Final = 2.0
"""How long git may take for one question."""
_SIZED: Final = 64
"""Commits that are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Size:
    """A file as it stood on a day."""

    day: date
    bytes: int


@lru_cache(maxsize=256)
def sizes(path: Path, since: date, state: str) -> tuple[Size, ...]:
    """Return the sizes of a file in the commits since a day, oldest first.

    Args:
        path: The file.
        since: The day.
        state: What `git.state` says of its repository: asked again only when that moved. Empty =
            there is none.
    """
    if not state:
        return ()
    log = run(
        path.parent,
        *("log", f"--since={since.isoformat()}", f"--max-count={_SIZED}", "--format=%H %cs"),
        *("--", path.name),
        seconds=_SECONDS,
    )
    if log.code != 0:
        return ()
    commits = [line.split() for line in log.out.decode("utf-8", "replace").splitlines()]
    named = [(commit, day) for commit, day in (c for c in commits if len(c) == 2)]
    asked = "".join(f"{commit}:./{path.name}\n" for commit, _ in named)
    if not asked or "\n" in path.name:
        return ()
    answer = run(
        path.parent,
        *("cat-file", "--batch-check=%(objecttype) %(objectsize)"),
        said=asked.encode("utf-8", "surrogateescape"),
        seconds=_SECONDS,
    )
    if answer.code != 0:
        return ()
    found = [
        Size(date.fromisoformat(day), int(line.split()[1]))
        for (_, day), line in zip(named, answer.out.decode().splitlines(), strict=False)
        if line.startswith("blob ")
    ]
    return tuple(reversed(found))


_LOOKING: Final = 5.0
"""How long git may walk through the history, which happens once for each HEAD."""
_MOST: Final = 64 << 20
"""Bytes of names that are taken in."""


@dataclass(frozen=True, slots=True)
class Removed:
    """The files that commits took away."""

    paths: frozenset[str] = frozenset()
    """From the folder that was asked about, with slashes; some may stand there again."""
    why_partial: str = ""
    """Why there may be more than these; empty = the whole history was looked through."""


@lru_cache(maxsize=8)
def removed(folder: Path, state: str, seconds: float = _LOOKING) -> Removed:
    """Return the files below a folder that commits took away.

    One walk names all of them: with paths given to it git takes many times as long.

    Args:
        folder: In the work tree.
        state: What `git.state` says: asked again only when that moved. Empty = no repository.
        seconds: How long git may walk.
    """
    if not state:
        return Removed()
    answer = run(
        folder,
        *("log", "--relative", "--no-renames", "--diff-filter=D", "--format=", "--name-only", "-z"),
        seconds=seconds,
        most=_MOST,
    )
    if answer.code not in (0, None):
        return Removed(why_partial="" if _has_no_commit(folder) else "git failed")
    whole, _, _ = answer.out.rpartition(b"\0")  # a name that was cut off is none
    paths = frozenset(os.fsdecode(name).strip("\n") for name in whole.split(b"\0") if name)
    if answer.code is None:
        why = f"git could not read the history within {seconds:.0f} seconds"
        return Removed(paths, why)
    return Removed(paths, _why_partial(folder))


def _why_partial(folder: Path) -> str:
    try:
        return "this clone is shallow, and has only the last commits" if is_shallow(folder) else ""
    except NotPossible:
        return "git failed"


def _has_no_commit(folder: Path) -> bool:
    """Tell whether there is a repository that nothing was committed to yet."""
    return run(folder, "rev-parse", "--verify", "--quiet", "HEAD", seconds=_LOOKING).code == 1
