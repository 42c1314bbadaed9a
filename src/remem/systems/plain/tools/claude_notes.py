"""The notes of Claude Code that its settings keep elsewhere (`autoMemoryDirectory`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.layout import Base, LoaderRule
from remem.model.loader import PlainLayout
from remem.model.source import LoaderKind
from remem.systems.plain.plain_layouts import CLAUDE_DOCS

_NO_PATTERN: Final = lazy_pattern(r"[*?\[\]{}]")


def layouts_of_moved(ground: Ground, moved: tuple[str, str]) -> Iterator[PlainLayout]:
    """Yield layouts of notes that lie elsewhere: in the root or, if the person says so, at home.

    A project's own settings lead to nothing outside of it.
    """
    name, where = moved
    path = Path(os.path.normpath(ground.place(where.rstrip("/"))))
    is_persons = name.startswith("~/")
    if path.is_relative_to(ground.root) and path != ground.root:
        base, folder = Base.ROOT, path.relative_to(ground.root).as_posix()
    elif is_persons and path.is_relative_to(ground.home) and path != ground.home:
        base, folder = Base.HOME, path.relative_to(ground.home).as_posix()
    else:
        return
    if _NO_PATTERN.search(folder):
        return
    for ending, files, loader in (
        ("", "MEMORY.md", LoaderRule(kind=LoaderKind.HEAD, lines=200, bytes=25_000)),
        ("-topics", "**/*.md", LoaderRule(kind=LoaderKind.ON_REQUEST)),
    ):
        yield PlainLayout(
            name=f"claude-memory-moved{ending}",
            tool="Claude Code",
            scope="user",
            base=base,
            files=(f"{folder}/{files}",),
            loader=loader,
            archive=f"{folder}/archive.md",
            claim=CLAUDE_DOCS,
        )


def why_unread(moved: tuple[str, str]) -> str:
    """Return why notes that lie elsewhere are not read, as a clause."""
    name, where = moved
    if not name.startswith("~/"):
        return f"`{name}` comes with the project, and leads remem to nothing outside of it"
    if _NO_PATTERN.search(where):
        return "the name of the folder has signs that stand for others in patterns"
    return "remem reads and writes in the project and in your home folder alone"
