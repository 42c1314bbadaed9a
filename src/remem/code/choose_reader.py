"""Chooses the reader of cited code: this checkout, one of its commits, or the forge (FORMATS 6.4).

It reads nothing of the code itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from remem.base.errors import NotPossible
from remem.code import blobs
from remem.code.blobs import Blobs
from remem.code.code_reader import Reader
from remem.code.worktree import Looks, Worktree, top_of

WORKTREE: Final = "HEAD"
"""The ref that stands for the files as they lie there, as agents see them."""
_REMOTE: Final = re.compile(r"(?:^|[/:])(?P<name>[^/:\s]+/[^/\s]+?)(?:\.git)?/*$")


def repository_of(disk: Looks, root: Path) -> str:
    """Return the `owner/name` of a checkout: of its `origin`, else the name of its folder.

    It is kept in databases, which hold no text that is not UTF-8.
    """
    top = top_of(disk, root)
    if top is None:
        return _utf8(root.name)
    out = blobs.ask(top, "config", "--get", "remote.origin.url")
    match = _REMOTE.search(out.decode("utf-8", "replace").strip())
    return match["name"] if match is not None else _utf8(top.name)


def names_of(disk: Looks, root: Path) -> tuple[str, ...]:
    """Return what facts may call a checkout: its name, then those it had before it had an origin.

    Those are the names of its folder and of the root, where they are others.
    """
    folders = (top_of(disk, root) or root, root)
    return tuple(dict.fromkeys((repository_of(disk, root), *(_utf8(f.name) for f in folders))))


def _utf8(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def reader_of(
    disk: Looks,
    root: Path,
    repository: str = "",
    ref: str = WORKTREE,
    *,
    environment: Mapping[str, str] | None = None,
    api: str = "",
) -> Reader:
    """Return who reads the code of a repository.

    Args:
        disk: The seam for files.
        root: A folder of this checkout.
        repository: Whose code; empty = this checkout's.
        ref: `HEAD` = the work tree, else a commit; at the forge always a commit.
        environment: May hold a token for the forge.
        api: `github.api` of the user's own configuration; empty = the public one.

    Raises:
        NotPossible: It is another repository and there is no token, or the ref can be none.
    """
    if not repository or repository.casefold() == repository_of(disk, root).casefold():
        return _local(disk, root, ref)
    from remem.code.github import TOKENS, Access, GitHub

    access = Access.told(environment or {}, api)
    if access is None:
        raise NotPossible(
            f"`{repository}` is not the repository of this checkout",
            hint=f"set {TOKENS[-1]} to read it from GitHub, or use a checkout",
        )
    return GitHub(repository, access, ref)


def _local(disk: Looks, root: Path, ref: str) -> Reader:
    if ref == WORKTREE:
        return Worktree(disk, root)
    top = top_of(disk, root)
    if top is None:
        raise NotPossible(
            f"no commit `{ref}`: this folder is not a git repository",
            hint="omit the ref to read the working files",
        )
    return Blobs(top, ref)
