"""What `status` prints: who starts with what, what is there, what waits, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from remem.base.errors import UnknownRef
from remem.base.text import count
from remem.cli.find_named import shown_path, who_is_there
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import path_of, problem_report
from remem.cli.out import emit, print_table, show_text
from remem.cli.start.status_rows import row_reports
from remem.core.checks.attention import Finding, Findings, findings
from remem.core.checks.issues import issues
from remem.core.library import Library
from remem.core.prompt.agents import Agent, is_composed
from remem.core.prompt.asks import EVERYONE, asker
from remem.core.session import Session
from remem.core.waiting.kinds import state_of
from remem.model.entry import kind_text
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.model.trend import Grown, Growth
from remem.systems.sniper.statistics import statistics, tally
from remem.views.documents.status import (
    AgentReport,
    FindingReport,
    GrownReport,
    GrowthReport,
    LoadedFileReport,
    MemoryReport,
    PointReport,
    SourceReport,
    StartedWithReport,
    StatusReport,
)
from remem.views.health import HealthItem, distinct, health_items

FROM_SHOWN = 8
_ALL = "`remem status --json` lists all"
_LISTED = ("skill", "agent", "name")
FILES_SHOWN = 100
"""Files of one folder that have a row each; `--json` has all."""
PROBLEMS_SHOWN = 20
"""More are counted and not listed; `--json` has all."""


def against(invocation: Invocation, file: str) -> None:
    """Print a tool's own list of its start beside remem's."""
    from remem.cli.start.status_rows import print_against

    invocation.session.load_counter()
    print_against(invocation, file)


def whole(invocation: Invocation, agent: str, *, no_growth: bool) -> None:
    """Print who starts with what and what waits; of one agent its start as a sum."""
    session = invocation.session
    session.load_counter()
    if agent and not invocation.as_json:
        from remem.cli.start.status_rows import print_sum

        print_sum(invocation, agent)
        return
    session.look()
    if not invocation.as_json:
        # What is known first is read first: the past and what is found take longer.
        show_text(f"{session.root}", bold=True)
        _print_agents(invocation, _agents(session), session.agents())
    growth = None if no_growth else growth_of(session)
    session.note_look()
    if invocation.as_json:
        report = _report(session, growth)
        emit(_only(report, agent) if agent else report)
        return
    print_findings(invocation, findings_of(session, growth))
    print_growth(growth)
    _print_sources(invocation, session.library)
    _print_passed(session)
    _print_counts(session.library)
    _print_memory(session)
    _print_waiting(session)
    _print_problems(invocation, _problems(session))
    _print_tally(session.library)


def _print_agents(
    invocation: Invocation, agents: Sequence[AgentReport], loading: Sequence[Agent]
) -> None:
    """Print who loads files by itself, then the roles that remem composes for."""
    if not agents:
        show_text("\nNo agents found here.")
        return
    alone, roles = agents[: len(loading)], agents[len(loading) :]
    if alone:
        show_text("\nContext at startup", bold=True)
        print_table(
            ("AGENT", "TOOL", "TOKENS", "NEVER LOADED", "FROM"),
            [
                (a.name, a.tool, _tokens(a), _never(start), _from(invocation, a))
                for a, start in zip(alone, loading, strict=True)
            ],
            labelled=True,
        )
        library = invocation.session.library
        asks = {each.tool: each.name for each in loading if is_composed(library, each.layout)}
        for tool, name in asks.items():
            told = f"{tool}: as its agents load it; with the project's rules: "
            show_text(f"{told}`remem compose --persona {name}`", dim=True)
    if roles:
        show_text("\nRoles: memory in a composed prompt", bold=True)
        print_table(
            ("ROLE", "SYSTEMS", "TOKENS", "FROM"),
            [(a.name, a.tool, _tokens(a), _from(invocation, a)) for a in roles],
            labelled=True,
        )
    if any(len(_loaded(each)) > FROM_SHOWN for each in agents):
        show_text(f"FROM: the first {FROM_SHOWN} files; {_ALL}", dim=True)


def _tokens(agent: AgentReport) -> str:
    return f"{'' if agent.exact else '≈'}{agent.tokens:,}"


def _from(invocation: Invocation, agent: AgentReport) -> str:
    """Return the files that an agent starts with; of very many the first few."""
    if agent.stopped:
        return "nothing: it does not start"
    names = [shown_path(invocation, path) for path in _loaded(agent)]
    rest = len(names) - FROM_SHOWN
    more = [f"and {count(rest, 'more file')}"] if rest > 0 else []
    listed = [row.kind for row in agent.rows if row.kind in _LISTED and row.tokens]
    lists = (f"the list of {count(listed.count(k), k)}" for k in dict.fromkeys(listed))
    files = ", ".join((*names[:FROM_SHOWN], *more)) or " and ".join(lists)
    return files or ("memory" if agent.tokens else "nothing")


def _loaded(agent: AgentReport) -> list[str]:
    return [file.path for file in agent.files if file.loaded]


def _never(agent: Agent) -> str:
    """Return the tokens that its loader cuts off from files of which it loads the rest."""
    lost = sum(file.lost for file in agent.files if file.tokens)
    return f"{'' if agent.exact else '≈'}{lost:,}" if lost else ""


def _print_sources(invocation: Invocation, library: Library) -> None:
    if not library.sources:
        show_text("\nNo memory found here; `remem init` creates a project memory.")
        return
    show_text("\nSources", bold=True)
    headings = ("SOURCE", "SYSTEM", "ENTRIES", "FILE")
    rows = [*_source_rows(invocation, library.sources)]
    print_table(headings, rows, labelled=True)
    if len(rows) < len(library.sources):
        show_text(f"Folders of more than {FILES_SHOWN} files have one row; {_ALL}", dim=True)


def _source_rows(
    invocation: Invocation, sources: Sequence[Source]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row for each file, and one for all files of a folder that holds very many."""
    folders: dict[tuple[str, Path], list[Source]] = {}
    for source in sources:
        folders.setdefault((source.format, source.path.parent), []).append(source)
    for source in sources:
        beside = folders[source.format, source.path.parent]
        if len(beside) <= FILES_SHOWN:
            path = shown_path(invocation, source.path)
            yield source.name, source.format, f"{len(source.entries):,}", path
        elif source is beside[0]:
            folder = shown_path(invocation, source.path.parent)
            entries = sum(len(each.entries) for each in beside)
            yield count(len(beside), "file"), source.format, f"{entries:,}", f"{folder}/"


def _print_passed(session: Session) -> None:
    """Say in one line which folders were not looked into, and why."""
    reasons: dict[str, list[str]] = {}
    for place, why in session.passed_over().items():
        reasons.setdefault(why, []).append(f"{place}/")
    told = []
    is_cut = False
    for why, places in reasons.items():
        rest = len(places) - FROM_SHOWN
        more = f" and {count(rest, 'more folder')}" if rest > 0 else ""
        told.append(f"{', '.join(places[:FROM_SHOWN])}{more} ({why})")
        is_cut = is_cut or rest > 0
    if told:
        hint = f"; {_ALL}" if is_cut else ""
        show_text(f"Skipped: {'; '.join(told)}{hint}", dim=True)


def _print_counts(library: Library) -> None:
    counts = _counts(library)
    if not counts:
        return
    show_text("\nEntries", bold=True)

    def told(by: Counter[str]) -> str:
        return ", ".join(f"{number:,} {status}" for status, number in sorted(by.items()))

    rows = [(kind_text(kind), told(by)) for kind, by in sorted(counts.items())]
    print_table(("KIND", "COUNT"), rows, labelled=True)


def _print_memory(session: Session) -> None:
    found = statistics(session.library, session.queue())
    if found is None:
        return
    parts = [f"{count(found.retros, 'sprint retro')} read"]
    parts += [f"the last is {found.last_retro}"] if found.last_retro else []
    parts += [f"{count(found.findings, 'finding')} in the queue"] if found.findings else []
    if found.unseen:
        parts.append(f"{count(found.unseen, 'entry', 'entries')} auto-added · not reviewed")
    parts.append(f"velocity factor {found.factor:g} over {count(found.sprints, 'sprint')}")
    show_text("\nProject memory", bold=True)
    show_text(" · ".join(parts))


def _print_tally(library: Library) -> None:
    """End with the one line that a person asks for first."""
    found = tally(library)
    if found is None:
        return
    parts = (
        f"{found.confirmed:,} confirmed",
        count(found.candidates, "candidate"),
        count(found.retros, "retro file"),
    )
    show_text(f"\nProject memory: {' · '.join(parts)}")


def _print_waiting(session: Session) -> None:
    waiting, unreviewed = len(session.queue()), len(session.library.aside.unreviewed)
    of = f", {unreviewed:,} unreviewed since you last looked" if unreviewed else ""
    text = f"{waiting:,} to review{of}; `remem queue` lists them"
    show_text("\n" + (text if waiting else "All caught up: nothing to review."))
    for pending in _pending(session):
        show_text(f"unfinished change: {pending}")


def _print_problems(invocation: Invocation, problems: Sequence[HealthItem]) -> None:
    if not problems:
        return
    show_text(f"\n{count(problems, 'problem')}", bold=True)
    for each in problems[:PROBLEMS_SHOWN]:
        problem, path = each.problem, _path(each)
        where = shown_path(invocation, path) if path else each.heading
        line = f":{problem.line}" + (f":{problem.column}" if problem.column else "")
        show_text(f"{where}{line if problem.line else ''}  {problem.message}")
    rest = len(problems) - PROBLEMS_SHOWN
    if rest > 0:
        show_text(f"… and {rest:,} more; {_ALL}")


def _counts(library: Library) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for entry in library.entries():
        counts.setdefault(entry.kind, Counter())[state_of(library, entry)] += 1
    return counts


def _problems(session: Session) -> list[HealthItem]:
    """Return the problems that Health lists, in its order."""
    return distinct(health_items(session, session.agents(), thorough=True))


def _path(each: HealthItem) -> Path | None:
    at = path_of(each.entry.at) if each.entry is not None else None
    return each.problem.path or at or each.path


def _pending(session: Session) -> tuple[str, ...]:
    return tuple(f"{each.title} ({each.id})" for each in session.pending())


def _report(session: Session, growth: Growth | None) -> StatusReport:
    library = session.library
    return StatusReport(
        root=str(session.root),
        home=str(session.places.home),
        agents=_agents(session),
        findings=tuple(map(finding_report, findings_of(session, growth).first)),
        growth=growth_report(growth),
        sources=tuple(_source_report(source) for source in library.sources),
        counts={kind: dict(by) for kind, by in _counts(library).items()},
        memory=_memory_report(session),
        queue=len(session.queue()),
        unreviewed=len(session.library.aside.unreviewed),
        problems=tuple(problem_report(each.problem, _path(each)) for each in _problems(session)),
        passed_over=dict(session.passed_over()),
        pending=_pending(session),
    )


def _only(report: StatusReport, name: str) -> StatusReport:
    """Return a report with the start of one agent alone.

    Raises:
        UnknownRef: Nobody of that name starts here.
    """
    found = tuple(each for each in report.agents if each.name.casefold() == name.casefold())
    if not found:
        hint = who_is_there(name, [each.name for each in report.agents])
        raise UnknownRef(f"no agent or role is called `{name}`", hint=hint)
    return replace(report, agents=found)


def _memory_report(session: Session) -> MemoryReport | None:
    found = statistics(session.library, session.queue())
    if found is None:
        return None
    return MemoryReport(
        retros=found.retros,
        last_retro=found.last_retro,
        findings=found.findings,
        unseen=found.unseen,
        velocity_factor=found.factor,
        sprints_analyzed=found.sprints,
    )


def _agents(session: Session) -> tuple[AgentReport, ...]:
    """Return who starts with what: agents that load files, then roles that remem composes for."""
    among = session.sharing()
    loading = tuple(
        AgentReport(
            name=agent.name,
            tool=agent.tool,
            tokens=agent.tokens,
            exact=agent.exact,
            files=(
                *(_file_report(file.path, file.tokens, file.total) for file in agent.files),
                *(_file_report(file.path, 0, file.total) for file in agent.left),
            ),
            rows=row_reports(session.as_loaded(agent.ask, among), session),
            stopped=agent.stopped,
        )
        for agent in session.agents()
    )
    composed = (_composed(session, ask) for ask in session.asks())
    return (*loading, *(report for report in composed if report is not None))


def _composed(session: Session, ask: Ask) -> AgentReport | None:
    """Return what a role starts with where remem composes it; `None` if it gets no entry."""
    prompt = session.compose(ask)
    library = session.library
    tokens: Counter[Path] = Counter()
    totals: dict[Path, int] = {}
    formats: set[str] = set()
    for verdict in prompt.verdicts:
        if verdict.is_in:
            source = library.source_of(verdict.ref)
            tokens[source.path] += verdict.tokens
            totals[source.path] = session.counter.count(source.data.decode("utf-8", "replace"))
            formats.add(source.format)
    if not tokens:
        return None
    return AgentReport(
        name=asker(ask) or EVERYONE,
        tool=", ".join(sorted(formats)),
        tokens=prompt.tokens,
        exact=prompt.exact,
        # Of a store that is no text, what an entry says takes more than its bytes.
        files=tuple(
            _file_report(path, each, max(each, totals[path])) for path, each in tokens.items()
        ),
        rows=row_reports(prompt, session),
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


def growth_of(session: Session) -> Growth | None:
    """Return the whole growth; looks at a few commits one after the other."""
    last = None
    for growth in session.growing():
        last = growth
    return last


def findings_of(session: Session, growth: Growth | None) -> Findings:
    """Return the findings as Start has them."""
    library, window = session.library, session.config.tokens.window
    found = issues(library)
    return findings(library, session.agents(), session.counter, window, found, growth)


def print_findings(invocation: Invocation, found: Findings) -> None:
    """Print what is worth a look, the most first."""
    if not found.first:
        return
    show_text("\nNeeds attention", bold=True)
    for place, each in enumerate(found.first, 1):
        line = f":{each.problem.line}" if each.problem.line else ""
        where = f"  {shown_path(invocation, each.path)}{line}" if each.path is not None else ""
        show_text(f"{place}. {each.problem.message}{where}")
    if found.more:
        rest = "`remem check --memory` and Health list minor ones too"
        show_text(f"… and {found.more:,} more; {rest}")


def print_growth(growth: Growth | None) -> None:
    """Print what grew since a month, and what is not known."""
    if growth is None:
        return
    if growth.since is not None and (growth.files or growth.writers):
        show_text(f"\nGrowth since {growth.since}", bold=True)
        files = [(_change(each, exact=growth.exact), "file", each.name) for each in growth.files]
        writers = [(_change(each, exact=False), "author", each.name) for each in growth.writers]
        print_table(("TOKENS", "WHAT", "NAME"), [*files, *writers], labelled=True)
    if growth.note:
        show_text(f"\nGrowth: {growth.note}")


def _change(grown: Grown, *, exact: bool) -> str:
    return f"{'' if exact else '≈'}{grown.tokens:+,}"


def finding_report(finding: Finding) -> FindingReport:
    """Return a finding as `--json` has it."""
    problem = finding.problem
    return FindingReport(
        kind=str(finding.kind),
        message=problem.message,
        hint=problem.hint,
        path=str(finding.path) if finding.path is not None else None,
        line=problem.line,
        ref=str(finding.ref) if finding.ref is not None else None,
        agent=finding.agent.name if finding.agent is not None else None,
        verb=finding.issue.verb if finding.issue is not None else "",
        tokens=finding.tokens,
        worth=round(finding.worth, 1),
        because=finding.because,
    )


def growth_report(growth: Growth | None) -> GrowthReport | None:
    """Return a growth as `--json` has it."""
    if growth is None:
        return None
    points = tuple(
        PointReport(
            day=point.day.isoformat(),
            agents=tuple(
                StartedWithReport(name=name, layout=layout, tokens=tokens)
                for (layout, name), tokens in point.tokens.items()
            ),
        )
        for point in growth.points
    )
    return GrowthReport(
        points=points,
        since=growth.since.isoformat() if growth.since is not None else None,
        files=tuple(GrownReport(name=each.name, tokens=each.tokens) for each in growth.files),
        writers=tuple(GrownReport(name=each.name, tokens=each.tokens) for each in growth.writers),
        exact=growth.exact,
        commits=growth.done,
        note=growth.note,
    )
