"""How a file grew: its sizes in the commits since a day, as git has them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.code.git import environment

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
    log = ask_soon(
        path.parent,
        *("log", f"--since={since.isoformat()}", f"--max-count={_COMMITS}", "--format=%H %cs"),
        *("--no-show-signature", "--", path.name),
    )
    commits = [line.split() for line in log.decode("utf-8", "replace").splitlines()]
    named = [(commit, day) for commit, day in (c for c in commits if len(c) == 2)]
    asked = "".join(f"{commit}:./{path.name}\n" for commit, _ in named)
    if not asked or "\n" in path.name:
        return ()
    answer = ask_soon(
        path.parent, "cat-file", "--batch-check=%(objecttype) %(objectsize)", said=asked
    )
    found = [
        Size(date.fromisoformat(day), int(line.split()[1]))
        for (_, day), line in zip(named, answer.decode().splitlines(), strict=False)
        if line.startswith("blob ")
    ]
    return tuple(reversed(found))


def ask_soon(folder: Path, *arguments: str, said: str = "") -> bytes:
    """Return what git prints; nothing when it cannot be asked within two seconds."""
    try:
        done = subprocess.run(
            ["git", "--no-pager", "-C", str(folder), *arguments],
            input=said.encode("utf-8", "surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
            env=environment(),
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
