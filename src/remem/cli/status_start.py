"""What `status` tells of starts: findings and growth, as text and as a document."""

from __future__ import annotations

from remem.base.text import count
from remem.cli.invocation import Invocation
from remem.cli.naming import shown_path
from remem.cli.out import print_table, show_text
from remem.core.checks.attention import Finding, Findings, findings
from remem.core.checks.problems import issues
from remem.core.session import Session
from remem.model.growth import Grown, Growth
from remem.views.documents.status import (
    FindingReport,
    GrownReport,
    GrowthReport,
    PointReport,
    StartedWithReport,
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
    show_text("\nProblems", bold=True)
    for place, each in enumerate(found.first, 1):
        line = f":{each.problem.line}" if each.problem.line else ""
        where = f"  {shown_path(invocation, each.path)}{line}" if each.path is not None else ""
        show_text(f"{place}. {each.problem.message}{where}")
    if found.more:
        show_text(f"… and {count(found.more, 'more finding')}; Health in the TUI lists all")


def print_growth(growth: Growth | None) -> None:
    """Print what grew since a month, and what is not known."""
    if growth is None:
        return
    if growth.since is not None and (growth.files or growth.writers):
        show_text(f"\nGrowth since {growth.since}", bold=True)
        files = [(_change(each, exact=growth.exact), "file", each.name) for each in growth.files]
        writers = [(_change(each, exact=False), "writer", each.name) for each in growth.writers]
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
