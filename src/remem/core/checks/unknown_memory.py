"""Folders that look like memory and that no layout reads, with the verb that adds a layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.verbs.settings_verbs import ADD_LAYOUT
from remem.model.entry import Problem

UNKNOWN: Final = "unknown-memory"
_MEMORY: Final = re.compile(
    r"\.?(?:agent[-_])?(?:memory|memories|memory-bank|learnings|lessons(?:-learned)?|instincts)"
)
_RULES: Final = re.compile(r"(?:memory|memories|learnings|lessons|rules|steering|knowledge|notes)")
"""What such folders are called inside a tool's own folder."""
_OURS: Final = frozenset({".git", ".remem", ".sniper", ".shaktra", ".night-watch", ".venv"})


def unknown_memories(library: Library) -> Iterator[Issue]:
    """Yield an issue for each folder of the root that looks like memory and is read by nobody."""
    ground = library.ground
    places = {p for s in library.sources for p in s.path.parents if ground.root in p.parents}
    for folder in _candidates(library):
        if folder in places or not _holds_notes(library, folder):
            continue
        place = folder.relative_to(ground.root).as_posix()
        problem = Problem(
            UNKNOWN,
            f"`{place}/` looks like memory, but no layout reads it",
            f"F adds a layout for it, or run `remem layout add {place}`",
            path=folder,
        )
        yield Issue(problem, verb=ADD_LAYOUT.id, arguments={"folder": place})


def _candidates(library: Library) -> Iterator[Path]:
    """Yield folders with a telling name: in the root, and in the folders of tools."""
    disk, root = library.ground.disk, library.ground.root
    for name in disk.names(root):
        if name in _OURS:
            continue
        if _MEMORY.fullmatch(name) and disk.kind(root / name) == "folder":
            yield root / name
        elif name.startswith(".") and disk.kind(root / name) == "folder":
            for inner in disk.names(root / name):
                path = root / name / inner
                if _RULES.fullmatch(inner) and disk.kind(path) == "folder":
                    yield path


def _holds_notes(library: Library, folder: Path) -> bool:
    found = library.ground.disk.walk(folder, 3, ".md")
    return next(found, None) is not None
