"""Repositories with a little code, for tests that cite it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from remem.code.citations import filled
from remem.code.worktree import Worktree
from remem.model.citation import Citation
from remem.store.io import Disk

VERSION = (
    '"""What we speak."""\n\nAPI_VERSION = 4\n\n\ndef spoken() -> int:\n    return API_VERSION\n'
)
CLIENT = "// client\nexport const API_VERSION = 4\nexport function call(path) {\n  send(path)\n}\n"


def git(folder: Path, *arguments: str) -> str:
    """Run git in a repository of the test's own."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gc.auto=0")
    command = ["git", "-C", str(folder), *who, *arguments]
    done = subprocess.run(command, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace").strip()


def repository(top: Path, *, commits: bool = True) -> Path:
    """Make a repository with a module and a client that speak of one version."""
    (top / "src").mkdir(parents=True)
    (top / "src" / "version.py").write_text(VERSION)
    (top / "src" / "client.ts").write_text(CLIENT)
    git(top, "init", "-q", "-b", "main")
    if commits:
        commit(top, "first")
    return top


def commit(top: Path, message: str) -> str:
    """Commit all that stands, and return the id."""
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", message)
    return git(top, "rev-parse", "HEAD")


def cite(top: Path, path: str, start: int, end: int) -> Citation:
    """Return a citation as it is stored."""
    return filled([Citation(path, start, end)], Worktree(Disk(), top))[0]
