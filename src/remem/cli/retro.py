"""The commands that read retrospectives: `retro list`, `retro show`, `retro diff`."""

from __future__ import annotations

from collections.abc import Iterable

import click

from remem.base.text import count
from remem.cli.documents import entry_report, problem_report
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.retro_ingest import ingest
from remem.cli.retro_names import date_of, retro_named, retros_of
from remem.cli.retro_run import run
from remem.cli.session import Session, common_options, pass_session
from remem.core.waiting.decided import decided
from remem.model.entry import Ref
from remem.model.source import Source
from remem.systems.sniper import retros
from remem.systems.sniper.retro_record import Finding
from remem.systems.sniper.retro_view import Pair, RetroDiff, retro_diff
from remem.views.documents.people import RetroListReport, RetroReport, RetroShowReport
from remem.views.documents.retros import FoundReport, RetroDiffReport


@click.group("retro", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def retro() -> None:
    """Read retrospectives, and take in what they found."""


retro.add_command(ingest)
retro.add_command(run)


@retro.command("list")
@common_options
@pass_session
def list_retros(session: Session) -> None:
    """List retrospectives, newest first."""
    library = session.workbench.library
    waiting = _waiting(session)
    reports = [_report(source, waiting) for source in retros_of(library)]
    if session.as_json:
        emit(RetroListReport(retros=tuple(reports)))
        return
    print_table(
        ("RETRO", "DATE", "FINDINGS", "WAITING", "FILE"),
        [
            (
                each.name,
                each.date,
                str(each.findings),
                str(each.waiting),
                shown_path(session, each.path),
            )
            for each in reports
        ],
    )
    if not reports:
        say("no retrospective was found here; they lie in `.sniper/memory/retros/`")


@retro.command("show")
@click.argument("name", metavar="RETRO")
@common_options
@pass_session
def show(session: Session, name: str) -> None:
    """Show what a retrospective found."""
    library = session.workbench.library
    source = retro_named(library, name)
    waiting = _waiting(session)
    report = _report(source, waiting)
    if session.as_json:
        findings = tuple(entry_report(library, entry) for entry in source.entries)
        text = source.data.decode("utf-8", "replace")
        emit(RetroShowReport(retro=report, findings=findings, text=text))
        return
    many = count(source.entries, "finding")
    show_text(f"{report.name} · {report.date or 'no date'} · {many}", bold=True)
    _, retro = retros.parsed(source)
    for line in retro.about if retro is not None else ():
        show_text(line, dim=True)
    section = ""
    for entry in source.entries:
        if entry.context != section:
            section = entry.context
            show_text(f"\n{section.replace('_', ' ')}", bold=True)
        mark = "?" if entry.ref in waiting else "-"
        found = decided(library, entry)
        told = f"  ({found.told(library)})" if found is not None else ""
        show_text(f"{mark} {entry.title}{told}")
    for problem in source.problems:
        say(f"problem: {problem.message}" + (f"; {problem.hint}" if problem.hint else ""))
    if report.waiting:
        say(f"\n? = waits for a decision; `remem queue` lists {count(report.waiting, 'item')}")


@retro.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@common_options
@pass_session
def diff(session: Session, before: str, after: str) -> None:
    """Compare what two retrospectives found.

    A is the earlier one; both are names or sprint numbers, as in `remem retro diff 4 5`.
    """
    library = session.workbench.library
    old, new = retro_named(library, before), retro_named(library, after)
    found = retro_diff(old, new)
    if session.as_json:
        emit(_diff_report(old, new, found))
        return
    show_text(f"{old.path.stem} → {new.path.stem}", bold=True)
    _print_found("got worse", [_grown(pair) for pair in found.worse])
    _print_found("recurring", [each.after.text for each in found.recurring])
    _print_found("new", [each.text for each in found.new])
    _print_found("gone", [each.text for each in found.gone])


def _print_found(title: str, texts: Iterable[str]) -> None:
    lines = [*texts]
    if lines:
        show_text(f"\n{title} · {len(lines)}", bold=True)
    for line in lines:
        show_text(f"- {line}")


def _grown(pair: Pair) -> str:
    before, after = pair.before, pair.after
    if after.occurrences > before.occurrences:
        return f"{after.text} ({before.occurrences} → {after.occurrences})"
    return f"{after.text} ({before.recommendation or 'no recommendation'} → codify)"


def _diff_report(old: Source, new: Source, found: RetroDiff) -> RetroDiffReport:
    return RetroDiffReport(
        before=old.path.stem,
        after=new.path.stem,
        recurring=tuple(
            _found_report(pair.after, pair.before, worse=pair in found.worse)
            for pair in found.recurring
        ),
        new=tuple(_found_report(each) for each in found.new),
        gone=tuple(_found_report(each) for each in found.gone),
    )


def _found_report(
    finding: Finding, before: Finding | None = None, *, worse: bool = False
) -> FoundReport:
    return FoundReport(
        section=finding.section,
        text=finding.text,
        occurrences=finding.occurrences,
        before=before.text if before else None,
        occurrences_before=before.occurrences if before else 0,
        worse=worse,
    )


def _waiting(session: Session) -> frozenset[Ref]:
    return frozenset(item.ref for item in session.workbench.queue())


def _report(source: Source, waiting: frozenset[Ref]) -> RetroReport:
    return RetroReport(
        name=source.path.stem,
        path=str(source.path),
        date=date_of(source),
        findings=len(source.entries),
        waiting=sum(entry.ref in waiting for entry in source.entries),
        problems=tuple(problem_report(problem, source.path) for problem in source.problems),
    )
