"""Turns what the session gives into the pieces of `--json` documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remem.base.clock import time_text
from remem.core.library import Library
from remem.core.waiting.kinds import decided, state_of
from remem.model.entry import At, Entry, FileSpan, Problem, Row
from remem.views.documents.changes import LogReport
from remem.views.documents.entries import EntryReport, ProblemReport

if TYPE_CHECKING:
    from remem.store.history.journal_records import Logged


def entry_report(library: Library, entry: Entry) -> EntryReport:
    """Return an entry as lists show it."""
    source = library.source_of(entry)
    return EntryReport(
        ref=library.short(entry.ref),
        kind=entry.kind,
        title=entry.title,
        status=state_of(library, entry),
        became=_became(library, entry),
        label=entry.label,
        roles=entry.roles,
        phases=entry.phases,
        source=source.name,
        path=str(path_of(entry.at)),
        context=entry.context,
        date=entry.date,
        problems=tuple(problem_report(problem, path_of(entry.at)) for problem in entry.problems),
        digest=entry.digest,
    )


def _became(library: Library, entry: Entry) -> str | None:
    found = decided(library, entry)
    return library.short(found.entry.ref) if found and found.entry else None


def problem_report(problem: Problem, path: Path | None = None) -> ProblemReport:
    """Return a problem; `path` stands in where the problem names none."""
    where = problem.path or path
    return ProblemReport(
        code=problem.code,
        message=problem.message,
        hint=problem.hint,
        path=None if where is None else str(where),
        line=problem.line,
        column=problem.column,
        field=problem.field,
        blocks_writing=problem.blocks_writing,
    )


def log_report(logged: Logged) -> LogReport:
    """Return a change of the history."""
    return LogReport(
        id=logged.id,
        time=time_text(logged.time),
        actor=logged.origin.actor,
        door=logged.origin.door,
        set_off=logged.origin.set_off,
        follows=logged.origin.follows,
        title=logged.title,
        undone=logged.undone,
    )


def path_of(at: At) -> Path:
    """Return the file that holds an entry."""
    return at.database if isinstance(at, Row) else at.path


def line_of(at: At, data: bytes) -> int:
    """Return the line an entry begins on, from 1; 0 where lines mean nothing."""
    return data.count(b"\n", 0, at.start) + 1 if isinstance(at, FileSpan) else 0
