"""The commands that read retrospectives: `retro list`, `retro show`, `retro diff`."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import fields, replace
from typing import Final

import click

from remem.base.errors import UnknownRef
from remem.base.text import count
from remem.cli.documents import entry_report, problem_report
from remem.cli.invocation import Invocation, common_options, pass_invocation
from remem.cli.naming import shown_path
from remem.cli.out import emit, print_table, say, show_text
from remem.cli.retro_ingest import ingest
from remem.cli.retro_names import date_of, newest, retro_named, retros_of
from remem.cli.retro_run import run
from remem.core.library import Library
from remem.core.waiting.item import Item
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.systems.sniper import retros
from remem.systems.sniper.retro_diff import Compared, Course, retro_diff
from remem.systems.sniper.retro_view import FOR_READING, said, why_not
from remem.views.documents.entries import EntryReport
from remem.views.documents.people import (
    FindingReport,
    RetroListReport,
    RetroReport,
    RetroShowReport,
)
from remem.views.documents.retros import FoundReport, RetroDiffReport
from remem.views.retro import section_name, stories_told, with_the_one_before


@click.group("retro", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def retro() -> None:
    """Read retrospectives, and take in what they found."""


retro.add_command(ingest)
retro.add_command(run)


@retro.command("list")
@common_options
@pass_invocation
def list_retros(invocation: Invocation) -> None:
    """List retrospectives, newest first."""
    library = invocation.session.library
    waiting = _waiting(invocation)
    reports = [_report(source, waiting) for source in retros_of(library)]
    if invocation.as_json:
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
                shown_path(invocation, each.path),
            )
            for each in reports
        ],
    )
    if not reports:
        say(
            "no retrospective was found here; they lie in `.sniper/memory/retros/` "
            "or `.sniper/retros/`"
        )


@retro.command("show")
@click.argument("name", default="", metavar="[RETRO]")
@common_options
@pass_invocation
def show(invocation: Invocation, name: str) -> None:
    """Show what a retrospective found, and why each finding waits or does not.

    RETRO is a sprint's number or a file's name; default: the newest.
    """
    library = invocation.session.library
    source = retro_named(library, name) if name else newest(library)
    items = {item.ref: item for item in invocation.session.queue()}
    report = _report(source, items.keys())
    _, retro = retros.parsed(source)
    findings = [_finding_report(library, source, entry, items) for entry in source.entries]
    if invocation.as_json:
        text = source.data.decode("utf-8", "replace")
        about = retro.about if retro is not None else ()
        emit(RetroShowReport(retro=report, about=about, findings=tuple(findings), text=text))
        return
    many = count(findings, "finding")
    parts = (report.name, report.date or "no date", many, _stories(report))
    show_text(" · ".join(filter(None, parts)), bold=True)
    for line in retro.about if retro is not None else ():
        show_text(line, dim=True)
    section = ""
    for each in findings:
        if each.context != section:
            section = each.context
            show_text(f"\n{section_name(section)}", bold=True)
        _print_finding(each)
    for problem in (*source.problems, *(p for entry in source.entries for p in entry.problems)):
        where = f"{source.path.name}:{problem.line}: " if problem.line else ""
        say(f"problem: {where}{problem.message}" + (f"; {problem.hint}" if problem.hint else ""))
    if report.waiting:
        say(f"\n? = to review; `remem queue` lists {count(report.waiting, 'item')}")


def _print_finding(found: FindingReport) -> None:
    show_text(f"{'?' if found.waiting else '-'} {found.title}")
    told = [f"{key}: {text}" for key, text in found.said.items()]
    if told:
        show_text(f"  {' · '.join(told)}", dim=True)
    if found.why and found.context not in FOR_READING:
        show_text(f"  {'to review: ' if found.waiting else ''}{found.why}", dim=True)


def _finding_report(
    library: Library, source: Source, entry: Entry, items: Mapping[Ref, Item]
) -> FindingReport:
    """Return a finding with all that the retro says of it, and nothing that it does not say."""
    found = retros.finding_of(source, entry)
    item = items.get(entry.ref)
    report = FindingReport(
        **{name: getattr(each, name) for each in (entry_report(library, entry),) for name in _PLAIN}
    )
    if found is None:
        return report
    finding, told = found[1], said(source, found[1])
    return replace(
        report,
        waiting=item is not None,
        why=item.why if item is not None else why_not(library, source, entry),
        recommendation=finding.recommendation or None,
        confidence=finding.confidence if finding.says_confidence else None,
        evidence=finding.evidence,
        occurrences=finding.occurrences if {"occurrences", "failures"} & told.keys() else None,
        stories=finding.stories,
        severity=finding.severity if "severity" in told else None,
        check=finding.check,
        area=finding.area,
        said=told,
    )


_PLAIN: Final = tuple(each.name for each in fields(EntryReport))


def _stories(report: RetroReport) -> str:
    told = stories_told(report.stories_completed, report.stories_carried_over)
    return f"stories: {told}" if told else ""


@retro.command("diff")
@click.argument("before", metavar="[A]", default="")
@click.argument("after", metavar="[B]", default="")
@common_options
@pass_invocation
def diff(invocation: Invocation, before: str, after: str) -> None:
    """Compare what two retrospectives found.

    A is the earlier one; both are names or sprint numbers, as in `remem retro diff 4 5`. Default:
    the newest one, or A, against the one before it. Where there is only one, that is said.
    """
    library = invocation.session.library
    known = retros_of(library)
    if len(known) == 1 and not after:
        _tell_alone(invocation, retro_named(library, before) if before else known[0])
        return
    old, new = _two(library, before, after)
    found = retro_diff(library, old, new)
    items = {item.ref: item for item in invocation.session.queue()}
    if invocation.as_json:
        emit(_diff_report(library, (old, new), found, items))
        return
    show_text(f"{old.path.stem} → {new.path.stem}", bold=True)
    for course in Course:
        members = [each for each in found if each.course is course]
        if members:
            show_text(f"\n{course} · {len(members)}", bold=True)
        for each in members:
            _print_compared(library, each, items)
    if not found:
        say("neither of them found anything")


def _tell_alone(invocation: Invocation, only: Source) -> None:
    """Say that nothing was held before the one retro that there is."""
    if invocation.as_json:
        emit(RetroDiffReport(before="", after=only.path.stem, recurring=(), new=(), gone=()))
        return
    say(f"`{only.path.stem}` is the only retro here: there is none to hold it against yet")
    say("`remem retro show` tells what it found")


def _two(library: Library, before: str, after: str) -> tuple[Source, Source]:
    """Return the two retros that are compared, the earlier first."""
    if before and after:
        return retro_named(library, before), retro_named(library, after)
    here = retro_named(library, before) if before else newest(library)
    earlier, later = with_the_one_before(library, here.path.stem)
    if later is not here:
        raise UnknownRef(
            f"there is no retro before `{here.path.stem}`",
            hint="`remem retro list` names what there is",
        )
    return earlier, here


def _print_compared(library: Library, found: Compared, items: Mapping[Ref, Item]) -> None:
    side = found.side
    show_text(f"- {side.finding.text}  ({section_name(side.finding.section)})")
    told = [
        f"{name}: {was or 'not said'} → {now or 'not said'}" for name, was, now in found.changes()
    ]
    before = found.before.finding.text if found.before is not None else side.finding.text
    if before != side.finding.text:
        told.append(f"before: {before}")
    if found.known is not None:
        told.append(f"`{library.short(found.known.ref)}` says it, met in {', '.join(found.met)}")
    item = items.get(side.entry.ref)
    why = why_not(library, side.source, side.entry)
    told.append(f"to review: `remem approve {item.id}`" if item is not None else why)
    for line in filter(None, told):
        show_text(f"  {line}", dim=True)


def _diff_report(
    library: Library,
    two: tuple[Source, Source],
    found: Sequence[Compared],
    items: Mapping[Ref, Item],
) -> RetroDiffReport:
    def of(*courses: Course) -> tuple[FoundReport, ...]:
        return tuple(
            _found_report(library, each, items) for each in found if each.course in courses
        )

    return RetroDiffReport(
        before=two[0].path.stem,
        after=two[1].path.stem,
        recurring=of(Course.WORSE, Course.RECURRING, Course.BETTER),
        new=of(Course.NEW),
        gone=of(Course.GONE),
    )


def _found_report(library: Library, found: Compared, items: Mapping[Ref, Item]) -> FoundReport:
    side, before = found.side, found.before
    item = items.get(side.entry.ref)
    has_before = before is not None and found.after is not None
    return FoundReport(
        section=side.finding.section,
        text=side.finding.text,
        occurrences=side.finding.occurrences,
        before=before.finding.text if before is not None and has_before else None,
        occurrences_before=before.finding.occurrences if before is not None and has_before else 0,
        worse=found.course is Course.WORSE,
        better=found.course is Course.BETTER,
        ref=library.short(side.entry.ref),
        met=found.met,
        known=library.short(found.known.ref) if found.known is not None else None,
        waiting=item.id if item is not None else None,
        why=item.why if item is not None else why_not(library, side.source, side.entry),
    )


def _waiting(invocation: Invocation) -> frozenset[Ref]:
    return frozenset(item.ref for item in invocation.session.queue())


def _report(source: Source, waiting: Container[Ref]) -> RetroReport:
    _, retro = retros.parsed(source)
    return RetroReport(
        name=source.path.stem,
        path=str(source.path),
        date=date_of(source),
        findings=len(source.entries),
        waiting=sum(entry.ref in waiting for entry in source.entries),
        sprint=retro.sprint if retro else None,
        stories_completed=retro.completed if retro else None,
        stories_carried_over=retro.carried_over if retro else None,
        problems=tuple(problem_report(problem, source.path) for problem in source.problems),
    )
