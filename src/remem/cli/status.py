"""The command `status`: who starts with what, what is there, what waits, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from remem.cli.documents import path_of, problem_report
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_table, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.library import Library
from remem.model.entry import Problem
from remem.model.prompt import Ask
from remem.model.report.status import AgentReport, LoadedFileReport, SourceReport, StatusReport
from remem.model.source import Source
from remem.text import count
from remem.workbench import Workbench

PROBLEMS_SHOWN = 20
"""More are counted and not listed; `--json` has all."""


@click.command("status")
@common_options
@pass_session
def status(session: Session) -> None:
    """Say who starts with what, and what waits."""
    workbench = session.workbench
    workbench.load_counter()
    if session.as_json:
        emit(_report(workbench))
        return
    show_text(f"{workbench.root}", bold=True)
    _print_agents(session, _agents(workbench))
    _print_sources(session, workbench.library)
    for path in workbench.unread():
        show_text(f"{shown_path(session, path)}: remem does not read this")
    _print_counts(workbench.library)
    _print_waiting(workbench)
    _print_problems(session, [*_problems(workbench)])


def _print_agents(session: Session, agents: Sequence[AgentReport]) -> None:
    if not agents:
        show_text("\nNo agent was found here.")
        return
    show_text("\nWho starts with what", bold=True)
    print_table(
        ("AGENT", "TOOL", "TOKENS", "FROM"),
        [
            (
                agent.name,
                agent.tool,
                f"{'' if agent.exact else '≈ '}{agent.tokens:,}",
                ", ".join(shown_path(session, file.path) for file in agent.files) or "memory",
            )
            for agent in agents
        ],
    )


def _print_sources(session: Session, library: Library) -> None:
    if not library.sources:
        show_text("\nNo memory was found here; `remem init` makes a project memory.")
        return
    show_text("\nSources", bold=True)
    print_table(
        ("SOURCE", "FORMAT", "ENTRIES", "FILE"),
        [
            (
                source.name,
                source.format,
                f"{len(source.entries):,}",
                shown_path(session, source.path),
            )
            for source in library.sources
        ],
    )


def _print_counts(library: Library) -> None:
    counts = _counts(library)
    if not counts:
        return
    show_text("\nEntries", bold=True)
    print_table(
        ("KIND", "COUNT"),
        [
            (kind, ", ".join(f"{number:,} {status}" for status, number in sorted(by.items())))
            for kind, by in sorted(counts.items())
        ],
    )


def _print_waiting(workbench: Workbench) -> None:
    waiting = len(workbench.queue())
    text = f"{count(waiting, 'item')} in the queue; `remem queue` lists them"
    show_text("\n" + (text if waiting else "Nothing waits for a decision."))
    for pending in _pending(workbench):
        show_text(f"pending: {pending}")


def _print_problems(session: Session, problems: Sequence[tuple[Problem, Path | None]]) -> None:
    if not problems:
        return
    show_text(f"\n{count(problems, 'problem')}", bold=True)
    for problem, path in problems[:PROBLEMS_SHOWN]:
        where = f"{shown_path(session, path)}" if path else "settings"
        line = f":{problem.line}" + (f":{problem.column}" if problem.column else "")
        show_text(f"{where}{line if problem.line else ''}  {problem.message}")
    rest = len(problems) - PROBLEMS_SHOWN
    if rest > 0:
        show_text(f"… and {rest:,} more; `remem status --json` has all")


def _counts(library: Library) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for entry in library.entries():
        counts.setdefault(entry.kind, Counter())[entry.status.value] += 1
    return counts


def _problems(workbench: Workbench) -> Iterator[tuple[Problem, Path | None]]:
    for problem in workbench.problems:
        yield problem, problem.path
    for source, entry, problem in workbench.library.problems():
        yield problem, problem.path or (path_of(entry.at) if entry else source.path)


def _pending(workbench: Workbench) -> tuple[str, ...]:
    return tuple(f"{each.title} ({each.id})" for each in workbench.pending())


def _report(workbench: Workbench) -> StatusReport:
    library = workbench.library
    return StatusReport(
        root=str(workbench.root),
        home=str(workbench.places.home),
        agents=_agents(workbench),
        sources=tuple(_source_report(source) for source in library.sources),
        counts={kind: dict(by) for kind, by in _counts(library).items()},
        queue=len(workbench.queue()),
        problems=tuple(problem_report(*each) for each in _problems(workbench)),
        unread=tuple(map(str, workbench.unread())),
        pending=_pending(workbench),
    )


def _agents(workbench: Workbench) -> tuple[AgentReport, ...]:
    """Return who starts with what: agents that load files, then roles that remem composes for."""
    loading = tuple(
        AgentReport(
            name=agent.name,
            tool=agent.tool,
            tokens=agent.tokens,
            exact=agent.exact,
            files=tuple(_file_report(file.path, file.tokens, file.total) for file in agent.files),
        )
        for agent in workbench.agents()
    )
    composed = (_composed(workbench, role) for role in workbench.roles())
    return (*loading, *(report for report in composed if report is not None))


def _composed(workbench: Workbench, role: str) -> AgentReport | None:
    """Return what a role starts with where remem composes it; `None` if it gets no entry."""
    prompt = workbench.compose(Ask(role=role))
    library = workbench.library
    tokens: Counter[Path] = Counter()
    totals: dict[Path, int] = {}
    formats: set[str] = set()
    for verdict in prompt.verdicts:
        if verdict.is_in:
            source = library.source_of(verdict.ref)
            tokens[source.path] += verdict.tokens
            totals[source.path] = workbench.counter.count(source.data.decode("utf-8", "replace"))
            formats.add(source.format)
    if not tokens:
        return None
    return AgentReport(
        name=role,
        tool=", ".join(sorted(formats)),
        tokens=prompt.tokens,
        exact=prompt.exact,
        files=tuple(_file_report(path, each, totals[path]) for path, each in tokens.items()),
    )


def _file_report(path: Path, loaded: int, total: int) -> LoadedFileReport:
    return LoadedFileReport(path=str(path), tokens=loaded, loaded=loaded, total=total)


def _source_report(source: Source) -> SourceReport:
    return SourceReport(
        name=source.name,
        format=source.format,
        layout=source.layout,
        place=source.place,
        kind=source.kind.value,
        path=str(source.path),
        owner=source.owner,
        scope=source.scope,
        loader=str(source.loader),
        archived=source.archived,
        writable=source.is_writable,
        entries=len(source.entries),
        problems=len(source.problems) + sum(len(entry.problems) for entry in source.entries),
    )
