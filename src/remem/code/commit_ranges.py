"""Which two commits a range means, and which commit a revision or a day means.

Names come from people: what could be read as an option is refused before git sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.blobs import ask, commit_of, need_answer
from remem.code.worktree import Looks, top_of

_NAMED: Final = 5
"""Branches that are named to whoever named another one."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of a range, as ids of commits."""

    old: str
    new: str
    """Empty = the work tree as it stands."""
    new_name: str
    """As a person called it; empty = the work tree."""


def ends_of(top: Path, asked: str) -> Ends:
    """Return the ends of `A..B`, of `A...B` (since B left A), or of `A` (since A).

    Raises:
        NotPossible: There are no such commits, or they have none in common.
    """
    left, dots, right = asked.partition("...") if "..." in asked else asked.partition("..")
    if not dots:
        return Ends(commit_named(top, left), "", "")
    old, new = commit_named(top, left or "HEAD"), commit_named(top, right or "HEAD")
    if dots == "...":
        old = ask(top, "merge-base", old, new).decode("ascii", "replace").strip()
        if not old:
            raise NotPossible(
                f"`{asked}` has no commit in common",
                hint="use two dots, or fetch more history",
            )
    return Ends(old, new, right or "HEAD")


def commit_named(top: Path, name: str) -> str:
    """Return the id of the commit that a name stands for.

    Raises:
        NotPossible: There is none.
    """
    if name.startswith("-") or not name.strip() or not name.isprintable():
        raise NotPossible(f"`{name}` is not a commit", hint="write a range like `main..HEAD`")
    found = commit_of(top, name)
    if found:
        return found
    need_answer(top)
    if not commit_of(top, "HEAD"):
        raise NotPossible("this repository has no commits yet", hint="commit something first")
    known = _branches(top, "refs/heads")
    remote = [each for each in _branches(top, "refs/remotes") if each.partition("/")[2] == name]
    hint = "see `git log`"
    if remote:
        hint = f"did you mean `{remote[0]}`?"
    elif is_shallow(top):
        every = "'+refs/heads/*:refs/remotes/origin/*'"
        hint = f"this clone is shallow; `git fetch --unshallow origin {every}` fetches the rest"
    elif known:
        hint = f"branches here: {', '.join(f'`{each}`' for each in known[:_NAMED])}"
    raise NotPossible(f"no commit `{name}` here", hint=hint)


def _branches(top: Path, where: str) -> list[str]:
    """Return the names of branches, the newest first."""
    newest = ("--sort=-committerdate", "--format=%(refname:short)", where)
    names = ask(top, "for-each-ref", *newest).decode("utf-8", "replace")
    return [each for each in names.splitlines() if each.isprintable() and " " not in each]


def is_shallow(top: Path) -> bool:
    """Tell whether a clone lacks the older part of its history."""
    return ask(top, "rev-parse", "--is-shallow-repository").strip() == b"true"


def commit_before(top: Path, day: date) -> str:
    """Return the last commit of HEAD's history that was made on a day or before it.

    Raises:
        NotPossible: There is none.
    """
    until = f"--before={day.isoformat()}T23:59:59"
    out = ask(top, "rev-list", "--max-count=1", until, "HEAD", "--")
    found = out.decode("ascii", "replace").strip()
    if not found:
        raise NotPossible(
            f"no commit here is from {day.isoformat()} or before",
            hint="`git log` shows the first one",
        )
    return found


def repository_at(disk: Looks, root: Path) -> Path:
    """Return the top of the repository that a root lies in.

    Raises:
        NotPossible: It lies in none.
    """
    top = top_of(disk, root)
    if top is None:
        raise NotPossible(
            "this is not a git repository", hint="create one with `git init`; commit, then compare"
        )
    return top


@dataclass(frozen=True, slots=True)
class Recent:
    """A commit as a list of them shows it."""

    commit: str
    day: str
    author: str
    subject: str


def recent_commits(
    top: Path, paths: Sequence[str], most: int, seconds: float
) -> tuple[Recent, ...]:
    """Return the last commits that changed one of some files, the newest first.

    Raises:
        NotPossible: git takes longer, or cannot be asked.
    """
    form = "--format=%H%x00%cs%x00%an%x00%s"
    out = ask(top, "log", f"--max-count={most}", form, "HEAD", "--", *paths, seconds=seconds)
    fields = (line.split("\0") for line in out.decode("utf-8", "replace").split("\n"))
    return tuple(Recent(*each) for each in fields if len(each) == 4)
