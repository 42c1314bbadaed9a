"""Imports that Claude Code does not follow, though the file is there: `@docs/a.md, @docs/b.md`.

It takes all up to the next blank for the path, a comma or a full stop too, and says nothing where
there is no such file. What names no file either way may be anything, and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.store.io import real_path
from remem.systems.plain.import_syntax import Import, imports_in
from remem.systems.plain.source import FORMAT, PlainSource, plain_sources

MISSED: Final = "import-missed"
_READS: Final = frozenset(
    {"claude-md", "claude-dot-md", "claude-local-md", "claude-rules", "claude-user-md"}
    | {"claude-user-rules"}
)
"""Layouts of what it alone reads so: of `AGENTS.md` others find the file that is meant."""
_ENDS: Final = ".,;:!?)'\""
"""What ends a sentence, a part of it or a bracket."""


def issues(library: Library) -> Iterator[Issue]:
    """Yield each file of Claude Code whose imports miss by a sign behind the path."""
    for source in plain_sources(library.of_format(FORMAT)):
        if source.archived or not source.plain.imports or source.layout not in _READS:
            continue
        found = imports_in(source.data, as_stripped=True)
        missed = [each for each in found if _is_missed(library.ground, source, each)]
        if missed:
            yield _issue(source, missed)


def _is_missed(ground: Ground, source: PlainSource, found: Import) -> bool:
    meant = found.path.rstrip(_ENDS)
    if meant == found.path or not meant:
        return False
    as_written, as_meant = (
        ground.disk.kind(real_path(Import(found.start, path).target(source.path, ground.home)))
        for path in (found.path, meant)
    )
    return as_written is None and as_meant == "file"


def _issue(source: PlainSource, missed: list[Import]) -> Issue:
    first = missed[0]
    sign = first.path[len(first.path.rstrip(_ENDS)) :]
    more, verb = ("", "imports") if len(missed) == 1 else (f" and {len(missed) - 1} more", "import")
    return Issue(
        Problem(
            MISSED,
            f"`@{first.path}`{more} {verb} nothing into `{source.name}`: Claude Code takes "
            f"`{sign}` for a part of the path",
            f"put a blank between the path and `{sign}`, or each import on a line of its own",
            source.path,
            source.data.count(b"\n", 0, first.start) + 1,
        )
    )
