"""The notes of Claude Code that lie elsewhere: by its settings, or for want of git."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from remem.core.system import Ground
from remem.model.layout import LoaderRule
from remem.model.loader import PlainLayout, Tool, without
from remem.model.source import LoaderKind
from remem.systems.plain.plain_layouts import CLAUDE_DOCS, NOTES
from remem.systems.plain.tools.named_places import HAS_SIGNS, named_place


def layouts_of_moved(ground: Ground, moved: tuple[str, str]) -> Iterator[PlainLayout]:
    """Yield layouts of notes that lie elsewhere: in the root or, if the person says so, at home."""
    name, where = moved
    place = named_place(ground, Path(os.path.normpath(ground.place(where.rstrip("/")))), name)
    if place is None:
        return
    base, folder = place
    for ending, files, loader in (
        ("", "MEMORY.md", LoaderRule(kind=LoaderKind.HEAD, lines=200, characters=25_000)),
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
    if HAS_SIGNS.search(where):
        return "the name of the folder has signs that stand for others in patterns"
    return "remem reads and writes in the project and in your home folder alone"


def with_own_notes(ground: Ground, tool: Tool, folder: Path) -> Tool:
    """Return Claude Code without the root's notes where a folder below has its own.

    Seen of 2.1.332 on 2026-11-28: what lies in no checkout has its own, folder by folder.
    """
    ups = (folder, *folder.parents)
    if any(ground.disk.kind(up / ".git") for up in ups):
        return tool
    place = ground.shown(folder)
    tool = without(tool, NOTES, f"without git, `{place}/` has notes of its own")
    return replace(tool, unseen=(*tool.unseen, f"the notes that it keeps of `{place}/` alone"))
