"""What plain files are, told without loading what finds and reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.core.system import Facets
from remem.model.loader import PlainLayout
from remem.model.source import Source
from remem.systems.personas.facets import OF_FILES, log_issues

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.system import Ground


def _layouts() -> tuple[PlainLayout, ...]:
    from remem.systems.plain.plain_layouts import PLAIN

    return PLAIN


def _watched_folders(ground: Ground) -> Iterable[Path]:
    from remem.systems.plain.discover import watched_folders

    return watched_folders(ground)


def _watched_files(ground: Ground, sources: Sequence[Source]) -> Iterable[Path]:
    from remem.systems.plain.discover import watched_files

    return watched_files(ground, sources)


def _minds_new(ground: Ground) -> Callable[[Path], bool]:
    from remem.systems.plain.discover import minds_new

    return minds_new(ground)


def _passed_over(ground: Ground) -> Mapping[str, str]:
    from remem.systems.plain.instruction_folders import folders_below

    return folders_below(ground.disk, ground.root).passed


def _issues(library: Library) -> Iterator[Issue]:
    from remem.core.checks.issue import Issue
    from remem.systems.plain import missed_imports, twins
    from remem.systems.plain.tools.tools_of_project import unread_notes

    unread = unread_notes(library.ground)
    if unread is not None:
        yield Issue(unread)
    yield from twins.issues(library)
    yield from missed_imports.issues(library)
    yield from log_issues(library)


def _held_folder(ground: Ground) -> Iterable[Path]:
    return () if ground.held is None else (ground.held,)


HELD: Final = "held"
HELD_NOTE: Final = "held note"
"""The kind of what a hook of Claude Code holds back."""
HELD_FACETS: Final = Facets(
    finds=(HELD, HELD_NOTE),
    called="Held back",
    edited=(HELD_NOTE,),
    fixed={HELD_NOTE: "it is held back; approve it or reject it"},
    watched_folders=_held_folder,
)
FACETS: Final = replace(
    OF_FILES,
    problems=_issues,
    plain_layouts=_layouts,
    moved_by={"CLAUDE_CONFIG_DIR": ".claude", "CODEX_HOME": ".codex"},
    watched_folders=_watched_folders,
    watched_files=_watched_files,
    minds_new=_minds_new,
    passed_over=_passed_over,
)
