"""How a file grew: its sizes in the commits since a day, as git has them."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.code.git_process import run

_SECONDS: Final = 2.0
"""How long git may take for one question."""
_COMMITS: Final = 64
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
        *("log", f"--since={since.isoformat()}", f"--max-count={_COMMITS}", "--format=%H %cs"),
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
