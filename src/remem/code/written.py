"""When files were written last and how they grew, of very many at once: two questions to git."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path

from remem.base.frozen import dataclass
from remem.code.blobs import ask

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


def written(top: Path, folders: Collection[str], since: date) -> Written:
    """Return when the files of some folders were written last, and how long they were on a day.

    Args:
        top: The top of the work tree.
        folders: From the top, with slashes.
        since: The day.

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
    commit = ask(top, "rev-list", "-1", f"--before={since.isoformat()}T23:59:59", "HEAD")
    now = _sizes(top, "HEAD", places)
    name = commit.decode().strip()
    return Written(last, now, _sizes(top, name, places) if name else None)


def _sizes(top: Path, commit: str, places: Sequence[str]) -> dict[str, int]:
    out = ask(top, "ls-tree", "-r", "-l", "-z", commit, "--", *places)
    found: dict[str, int] = {}
    for leaf in out.split(b"\0"):
        head, _, path = leaf.partition(b"\t")
        size = head.split()[-1] if head else b""
        if size.isdigit():
            found[path.decode("utf-8", "surrogateescape")] = int(size)
    return found
