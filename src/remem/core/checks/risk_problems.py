"""Memory that would turn an agent against whom it works for: poison, file by file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.base.text import count
from remem.core.checks.hidden_text_problems import entry_at, reaches_agents
from remem.core.checks.problem import Issue
from remem.core.checks.secret_problems import searched
from remem.core.library import Library
from remem.model.entry import Problem
from remem.model.memo import kept
from remem.model.source import LoaderKind, Source

RISK: Final = "risky-instruction"
_MOST: Final = 1 << 20
"""Bytes of a file that is searched."""


def risk_issues(library: Library) -> Iterator[Issue]:
    """Yield each file that holds what reads like an attack, at the first of them."""
    apart = (LoaderKind.NOT_KNOWN, LoaderKind.ON_REQUEST)
    given = (
        source
        for source in library.sources
        if not source.archived and source.loader.kind not in apart and reaches_agents(source)
    )
    yield from searched(library, "files without risks", given, _in)


@kept
def _in(source: Source) -> tuple[Issue, ...]:
    """Return what a file asks of agents that nobody should; it is searched once."""
    if not source.data or len(source.data) > _MOST:
        return ()
    from remem.core.checks.risks import risks

    text = source.data.decode("utf-8", "replace")
    found: list[tuple[str, int]] = []
    start = 0
    # An attack is a sentence or two: patterns are quick on a paragraph, and slow on megabytes.
    for paragraph in text.split("\n\n"):
        found += sorted(((says, start + at) for says, at, _ in risks(paragraph)), key=_place)
        start += len(paragraph) + 2
    if not found:
        return ()
    at = len(text[: found[0][1]].encode("utf-8", "replace"))
    line = source.data.count(b"\n", 0, at) + 1
    problem = Problem(
        RISK,
        f"`{source.name}` holds {count(found, 'suspicious instruction')}, first in line {line}: "
        f"{found[0][0]}",
        "look at the line, and take it out if nobody of yours wrote it",
        source.path,
        line,
    )
    entry = entry_at(source, at)
    return (Issue(problem, entry.ref if entry is not None else None),)


def _place(found: tuple[str, int]) -> int:
    return found[1]
