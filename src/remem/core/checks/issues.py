"""What is worth a look though no file is broken: what rots, costs too much, or is not borne out.

What is true of any memory is found by `FINDERS`, and what one system knows by its own facet;
Health and `status` show what all find.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from remem.core.checks.broken_references import gone_issues, root_issues
from remem.core.checks.claims import claim_issues
from remem.core.checks.contradictions import opposed_issues
from remem.core.checks.issue import Issue as Issue
from remem.core.checks.suspicious import hidden_issues, risk_issues, secret_issues
from remem.core.library import Library
from remem.core.relation.duplicates import told_issues
from remem.core.repositories import views
from remem.core.verbs.settings_verbs import ADD_LAYOUT
from remem.model.entry import Problem, Ref
from remem.model.loader import MOVED_OUT


def unread_stores(library: Library) -> Iterator[Problem]:
    """Yield the stores of agents that lie where remem does not read: nothing of them is known."""
    for each in library.formats:
        if each.facets.problems is not None:
            found = (issue.problem for issue in each.facets.problems(library))
            yield from (problem for problem in found if problem.code == MOVED_OUT)


def issues(library: Library) -> Iterator[Issue]:
    """Yield all that is worth a look in this snapshot, in each repository of a workspace."""
    told: set[tuple[str, object, Ref | None]] = set()
    for view in views(library):
        for issue in _found(view):
            # What the repositories of a workspace share is told once.
            key = (issue.problem.message, issue.problem.path, issue.ref)
            if key not in told:
                told.add(key)
                yield issue


def _found(library: Library) -> Iterator[Issue]:
    own = (each.facets.problems for each in library.formats)
    finders = (*FINDERS, *(find for find in own if find is not None))
    return (issue for find in finders for issue in find(library))


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


FINDERS: Final[tuple[Callable[[Library], Iterable[Issue]], ...]] = (
    root_issues,
    gone_issues,
    hidden_issues,
    secret_issues,
    risk_issues,
    claim_issues,
    opposed_issues,
    told_issues,
    unknown_memories,
)
"""Pure, and quick enough for every snapshot: below 50 ms among 10,000 entries."""
