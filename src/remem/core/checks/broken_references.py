"""Memory that speaks of files which are gone: a path in it that git had and took away.

Only what the history knows is told; a name that was never a file here may be meant otherwise.
Citations of verified memory are checked line by line elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from remem.code import git
from remem.code.file_history import removed
from remem.core.checks.issue import Issue
from remem.core.checks.suspicious import entry_at
from remem.core.library import Library
from remem.model.entry import Problem
from remem.model.memo import kept
from remem.model.source import Source

CITED_GONE: Final = "cited-gone"
GONE_NOT_KNOWN: Final = "gone-not-known"
ROOT_GONE: Final = "root-gone"
_CITED: Final = re.compile(
    rb"(?:`|\]\()(?:\./)?((?:[\w.@+-]+/)+[\w.@+-]+\.\w{1,8})(?::\d[\d-]*|#[\w-]+)?(?:`|\))"
)
"""A path with a folder and an ending, in backticks or as the target of a link."""
_SAID_TO_BE_GONE: Final = re.compile(
    rb"\b(?:deleted?|removed?|fall(?:s|ing)? back to)\*{0,2}:?\*{0,2}\s*"
    rb"(?:`|\[[^\]\n]*\]\()(?:\./)?$",
    re.IGNORECASE,
)
"""Before a path: the line itself takes it away, or names it for where it is still there."""
_TOLD_BEHIND: Final = re.compile(
    rb"[^`)\n]*[`)]\s*(?:[|(\[]?\s*\*{0,2}(?:deleted?|removed|renamed)\*{0,2}\s*(?:[|)\].]|to\b|$)"
    rb"|\(?(?:if|where|when) (?:it )?(?:exists|is there|present)\b|exist\?)",
    re.IGNORECASE | re.MULTILINE,
)
"""The same behind a path."""
_MOST: Final = 400
"""Places in one file that are looked at."""


def root_issues(library: Library) -> Iterator[Issue]:
    """Yield an issue where the folder itself is gone: nothing in it is not the same as nothing."""
    root = library.ground.root
    if library.ground.disk.kind(root) is None:
        message = f"the folder `{root}` no longer exists"
        yield Issue(Problem(ROOT_GONE, message, "restore it, or open remem in its new location"))


def gone_issues(library: Library) -> Iterator[Issue]:
    """Yield each file of memory that names files which were taken away, at the first of them."""
    ground = library.ground
    named = [(s, _cited(s)) for s in library.sources if _speaks_of_code(library, s)]
    paths = {path for _, places in named for path, _ in places}
    missing = {path for path in paths if ground.disk.kind(ground.root / path) is None}
    if not missing:
        return
    history = removed(ground.root, git.state(ground.disk, ground.root))
    gone = missing & history.paths
    for source, places in named:
        found = [(path, at) for path, at in places if path in gone]
        if found:
            yield _issue(source, found)
    if history.why_partial and missing > gone:
        yield _not_looked_up(len(missing - gone), history.why_partial)


def _not_looked_up(count: int, why: str) -> Issue:
    """Say that nobody knows, which is not the same as that nothing is gone."""
    paths = "path" if count == 1 else "paths"
    return Issue(
        Problem(
            GONE_NOT_KNOWN,
            f"did not check {count:,} cited {paths} in the git history: {why}",
            "`git log --diff-filter=D --name-only` lists removed files",
        )
    )


def _speaks_of_code(library: Library, source: Source) -> bool:
    return not source.archived and library.ground.root in source.path.parents


@kept
def _cited(source: Source) -> tuple[tuple[str, int], ...]:
    """Return the paths that a file names, and where; a source is read once."""
    places = []
    for found, _ in zip(_CITED.finditer(source.data), range(_MOST), strict=False):
        path = found[1].decode("utf-8", "replace")
        if ".." not in path.split("/") and not _is_said_to_be_gone(source.data, found):
            places.append((path, found.start(1)))
    return tuple(places)


def _is_said_to_be_gone(data: bytes, cited: re.Match[bytes]) -> bool:
    """Tell whether the line that names a file says that it is gone, or need not be there."""
    line = data.rfind(b"\n", 0, cited.start()) + 1
    if _SAID_TO_BE_GONE.search(data, line, cited.start(1)) is not None:
        return True
    return _TOLD_BEHIND.match(data, cited.end(1)) is not None


def _issue(source: Source, found: list[tuple[str, int]]) -> Issue:
    (path, at), names = found[0], list(dict.fromkeys(path for path, _ in found))
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    verb = "exists" if len(names) == 1 else "exist"
    problem = Problem(
        CITED_GONE,
        f"broken reference in `{source.name}`: `{path}`{more} no longer {verb}",
        "update the line, or remove it",
        source.path,
        source.data.count(b"\n", 0, at) + 1,
    )
    entry = entry_at(source, at)
    return Issue(problem, entry.ref if entry is not None else None)
