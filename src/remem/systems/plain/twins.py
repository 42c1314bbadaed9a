"""Notes of one repository that lie under several folders: told as one, with what differs.

Claude Code once kept notes for each work tree; it takes those of the main folder now.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from remem.base.text import count
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.model.entry import Problem
from remem.systems.plain.source import FORMAT, PlainSource, plain_sources

TWIN_NOTES: Final = "twin-notes"
_LAYOUT: Final = "claude-memory-work-trees"
_MEMORY: Final = frozenset({"claude-memory", "claude-memory-topics"})


def issues(library: Library) -> Iterator[Issue]:
    """Yield each folder of notes that agents are not given, with what stands there alone."""
    sources = plain_sources(library.of_format(FORMAT))
    told = {norm(e.title) for s in sources if s.layout in _MEMORY for e in s.entries}
    folders: dict[Path, list[PlainSource]] = {}
    for source in sources:
        if source.layout == _LAYOUT:
            folders.setdefault(_folder(source.path), []).append(source)
    for folder, twins in folders.items():
        entries = [entry for source in twins for entry in source.entries]
        own = [entry for entry in entries if norm(entry.title) not in told]
        if not own:
            told_of = f"all {count(entries, 'entry', 'entries')} stand in those of the main folder"
        else:
            told_of = f"{len(own):,} of {count(entries, 'entry', 'entries')} stand there alone"
        name = library.ground.shown(folder)
        yield Issue(
            Problem(
                TWIN_NOTES,
                f"`{name}` are notes of a work tree that no agent is given: {told_of}",
                "promote what is still true, and remove the rest",
                twins[0].path,
            ),
            own[0].ref if own else None,
        )


def _folder(path: Path) -> Path:
    return next(each for each in path.parents if each.name == "memory")
