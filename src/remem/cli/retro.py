"""The commands that read retrospectives: `retro list`, `retro show`."""

from __future__ import annotations

from difflib import get_close_matches

import click

from remem.cli.documents import entry_report, problem_report
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.errors import UnknownRef
from remem.formats.sniper import retros
from remem.library import Library
from remem.model.entry import Ref
from remem.model.report.people import RetroListReport, RetroReport, RetroShowReport
from remem.model.source import Source
from remem.text import count


@click.group("retro", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def retro() -> None:
    """Read retrospectives."""


@retro.command("list")
@common_options
@pass_session
def list_retros(session: Session) -> None:
    """List retrospectives, newest first."""
    library = session.workbench.library
    waiting = _waiting(session)
    reports = [_report(source, waiting) for source in _retros(library)]
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
    source = _retro_named(library, name)
    waiting = _waiting(session)
    report = _report(source, waiting)
    if session.as_json:
        findings = tuple(entry_report(library, entry) for entry in source.entries)
        text = source.data.decode("utf-8", "replace")
        emit(RetroShowReport(retro=report, findings=findings, text=text))
        return
    found = count(source.entries, "finding")
    show_text(f"{report.name} · {report.date or 'no date'} · {found}", bold=True)
    section = ""
    for entry in source.entries:
        if entry.context != section:
            section = entry.context
            show_text(f"\n{section.replace('_', ' ')}", bold=True)
        mark = "?" if entry.ref in waiting else "-"
        show_text(f"{mark} {entry.title}")
    for problem in source.problems:
        say(f"problem: {problem.message}")
    if report.waiting:
        say(f"\n? = waits for a decision; `remem queue` lists {count(report.waiting, 'item')}")


def _retros(library: Library) -> list[Source]:
    found = [source for source in library.of_format("sniper") if source.part == retros.PART]
    return sorted(found, key=lambda source: (_date(source), source.path.name), reverse=True)


def _retro_named(library: Library, name: str) -> Source:
    """Return the retro of that file name, with or without its ending, or of that sprint number.

    Raises:
        UnknownRef: None or several are called so.
    """
    known = _retros(library)
    names = {name, f"sprint-{name}-retro"}
    found = [source for source in known if names & {source.path.stem, source.path.name}]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"`{source.path}`" for source in found)
        raise UnknownRef(f"`{name}` is the name of {len(found)} retros", hint=f"they are {places}")
    near = get_close_matches(name, [source.path.stem for source in known], n=1)
    hint = f"did you mean `{near[0]}`?" if near else "`remem retro list` names what there is"
    raise UnknownRef(f"there is no retro `{name}`", hint=hint)


def _waiting(session: Session) -> frozenset[Ref]:
    return frozenset(item.ref for item in session.workbench.queue())


def _report(source: Source, waiting: frozenset[Ref]) -> RetroReport:
    return RetroReport(
        name=source.path.stem,
        path=str(source.path),
        date=_date(source),
        findings=len(source.entries),
        waiting=sum(entry.ref in waiting for entry in source.entries),
        problems=tuple(problem_report(problem, source.path) for problem in source.problems),
    )


def _date(source: Source) -> str:
    _, found = retros.parsed(source)
    return found.date if found else ""
