"""Finds the commits that took a phrase out of some folders, within a time.

What it could not look through in time it says, and never guesses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.code.git_process import run

SECONDS: Final = 6.0
"""How long git may look."""
LIMIT: Final = 20
"""Commits that are told at most, newest first."""
_BLOB_SECONDS: Final = 5
_BIGGEST: Final = 8 * 1024 * 1024
"""Bytes of a file that is looked into."""
_NONE: Final = re.compile(r"0+")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit."""

    name: str
    """Its whole hash."""
    time: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class Commits:
    """What the search found."""

    found: tuple[Commit, ...]
    is_whole: bool
    """False: the time was over, or there are more than are told."""


@dataclass(frozen=True, slots=True)
class Version:
    """One file in a commit and in the one before it."""

    path: Path
    before: bytes | None
    after: bytes | None


def commits_with(folder: Path, phrase: str, below: Sequence[str], seconds: float) -> Commits:
    """Return the commits in which the number of times that a phrase stands in a file changed.

    Case and white space make no difference.

    Args:
        folder: In the work tree.
        phrase: Any text; without a word nothing is found.
        below: Names in that folder to look below.
        seconds: How long to look.
    """
    words = phrase.replace("\0", " ").split()
    if not words or not below:
        return Commits((), is_whole=True)
    wanted = "[[:space:]]+".join(re.sub(r"[][\\.*+?^${}()|]", r"\\\g<0>", word) for word in words)
    answer, is_whole = _run(
        folder,
        *("log", f"--max-count={LIMIT}"),
        *("--regexp-ignore-case", "--pickaxe-regex", f"-S{wanted}", "--format=%H%x00%cI%x00%s"),
        *("--", *below),
        seconds=seconds,
    )
    found = tuple(_commits(answer))
    return Commits(found, is_whole and len(found) < LIMIT)


def commit_named(folder: Path, name: str) -> Commit | None:
    """Return the commit that a name stands for; `None` if there is none."""
    answer, _ = _run(
        folder,
        *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
        seconds=_BLOB_SECONDS,
    )
    whole = answer.decode("ascii", "replace").strip()
    if not whole:
        return None
    told, _ = _run(
        folder, "show", "--no-patch", "--format=%H%x00%cI%x00%s", whole, seconds=_BLOB_SECONDS
    )
    return next(_commits(told), None)


def versions(folder: Path, commit: str, below: Sequence[str]) -> Iterator[Version]:
    """Yield the files below some names that a commit changed, with both of their versions."""
    answer, _ = _run(
        folder,
        *("diff-tree", "-r", "-z", "--raw", "--no-commit-id", "--no-renames", "--relative"),
        *("--no-abbrev", commit, "--", *below),
        seconds=_BLOB_SECONDS,
    )
    parts = answer.split(b"\0")
    for told, name in zip(parts[::2], parts[1::2], strict=False):
        fields = told.decode("ascii", "replace").split()
        if len(fields) >= 5:
            path = folder / os.fsdecode(name)
            yield Version(path, _blob(folder, fields[2]), _blob(folder, fields[3]))


def _commits(answer: bytes) -> Iterator[Commit]:
    for line in answer.split(b"\n"):
        fields = line.decode("utf-8", "replace").split("\0")
        if len(fields) == 3:
            with suppress(ValueError):  # a commit may say any year
                yield Commit(fields[0], datetime.fromisoformat(fields[1]), fields[2])


def _blob(folder: Path, name: str) -> bytes | None:
    """Return the bytes of a file as git has it; `None` if it is not there, or is too big."""
    if _NONE.fullmatch(name):
        return None
    size, _ = _run(folder, "cat-file", "-s", name, seconds=_BLOB_SECONDS)
    if not size.strip().isdigit() or int(size) > _BIGGEST:
        return None
    data, is_whole = _run(folder, "cat-file", "blob", name, seconds=_BLOB_SECONDS)
    return data if is_whole else None


def _run(folder: Path, *arguments: str, seconds: float) -> tuple[bytes, bool]:
    """Return what git prints, and whether that is all of it."""
    answer = run(folder, *arguments, seconds=seconds)
    return answer.out, answer.is_whole
