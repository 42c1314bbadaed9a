"""The commands about retros: `retro list`, `retro show`, `retro diff`, `retro ingest`."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

import click

from remem.base.errors import UnknownRef
from remem.base.text import count, did_you_mean
from remem.cli.apply_or_dry_run import dry_run_option, print_diff
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path, tell_all_unread
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import entry_report, problem_report
from remem.cli.learning.retro_run import run
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, err_on_terminal, print_table, put_aside, say, show_text
from remem.core.library import Library
from remem.core.relation.in_force import unread_settings
from remem.core.waiting.item import Item
from remem.core.waiting.queue import refs_in_queue
from remem.model.change import Change, Intent
from remem.model.entry import Entry, Ref
from remem.model.source import Source
from remem.store.io import real_path
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_diff import Compared, Course, retro_diff
from remem.systems.sniper.retro.retro_ingest import (
    WRITTEN,
    Fate,
    Judged,
    judge,
    readable,
    summary_of,
)
from remem.systems.sniper.retro.retro_record import FOR_READING
from remem.systems.sniper.retro.retro_view import said, why_not
from remem.systems.sniper.sniper_verbs import RETRO_INGEST, RetroIngest
from remem.views.documents.entries import EntryReport
from remem.views.documents.people import (
    FindingReport,
    RetroListReport,
    RetroReport,
    RetroShowReport,
)
from remem.views.documents.retros import (
    FoundReport,
    JudgedReport,
    RetroDiffReport,
    RetroIngestReport,
)
from remem.views.review.retro import heading_of, section_name, stories_told, with_the_one_before

QUIET: Final = frozenset({Fate.IGNORE, Fate.NOTE})
"""What is counted and not listed."""
_NAMED: Final = 5
"""Other retros that are listed."""
_STEPS: Final = 100
"""Findings between two words about how far it is."""


@click.command("ingest")
@click.argument("file", default="", metavar="[FILE]")
@click.option(
    "--sprint", type=int, default=None, metavar="N", help="Ingest the retro of this sprint."
)
@dry_run_option
@common_options
@pass_invocation
def ingest(invocation: Invocation, file: str, sprint: int | None, dry_run: bool) -> None:
    """Add what a retro recommends to memory.

    Findings recommended with high confidence become active, those with medium confidence become
    candidates, and candidates that are seen again are approved. The rest is listed for review, as
    are the automatically added entries.

    Default: the newest retro.
    """
    if file and sprint is not None:
        raise BadUsage("name one retro", hint="give its file, or `--sprint N`")
    session = invocation.session
    session.actor = "auto"
    library = session.library
    source = _asked(library, file, sprint)
    readable(source)
    judged = judge(library, source, _tell_progress)
    args = RetroIngest(path=_path_of(library, source))
    intent = Intent(RETRO_INGEST.id, arguments=args.to_json())
    if not any(each.fate in WRITTEN for each in judged):
        _tell(invocation, source, judged, None, "")
        return
    if dry_run:
        _tell(invocation, source, judged, session.plan(intent), "")
        return
    done = session.apply(intent)
    _tell(invocation, source, judged, done.change, done.id, done.warnings)


def _asked(library: Library, file: str, sprint: int | None) -> Source:
    """Return the retro that was named; of several the newest, and that is said."""
    if file:
        return retro_at(library, file)
    if sprint is not None:
        return retro_named(library, str(sprint))
    found = newest(library)
    others = [source.path.stem for source in retros_of(library) if source is not found]
    if others:
        named = ", ".join(f"`{name}`" for name in others[:_NAMED])
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        say(f"`{found.path.stem}` is the newest retro; others: {named}{more}")
    return found


def _path_of(library: Library, source: Source) -> str:
    root = library.ground.root
    is_below = source.path.is_relative_to(root)
    return (source.path.relative_to(root) if is_below else source.path).as_posix()


def _tell_progress(done: int, total: int) -> None:
    if total > _STEPS and err_on_terminal() and (done % _STEPS == 0 or done == total):
        end = "\n" if done == total else ""
        put_aside(f"\r{done:,} of {total:,} findings{end}")


def _tell(
    invocation: Invocation,
    source: Source,
    judged: Sequence[Judged],
    change: Change | None,
    name: str,
    warnings: Sequence[str] = (),
) -> None:
    if invocation.as_json:
        emit(_ingested(invocation, source, judged, change, name))
        return
    for problem in source.problems:
        line = f":{problem.line}" if problem.line else ""
        say(f"problem: {source.path.name}{line}: {problem.message}; {problem.hint}")
    for each in judged:
        if each.fate not in QUIET:
            show_text(f"{each.fate:<10}{each.finding.text}")
            show_text(f"{'':<10}{each.why}", dim=True)
    for warning in warnings:
        say(f"note: {warning}")
    off = unread_settings(invocation.session.library)
    if off:
        say(f"warning: {off}")
    say(f"{source.path.stem}: {summary_of(judged)}")
    if change is None:
        say("nothing to add automatically; nothing was written")
        refs = {each.entry.ref for each in judged}
        waiting = refs & refs_in_queue(invocation.session.library)
        if waiting:
            say(f"{count(waiting, 'finding')} to review; `remem queue` lists them")
    elif not name:
        print_diff(invocation, invocation.session.preview(change))
        say(f"{change.title}: nothing was written")
    else:
        say(f"`remem undo {name}` undoes it; `remem queue` lists what to review")


def _ingested(
    invocation: Invocation,
    source: Source,
    judged: Sequence[Judged],
    change: Change | None,
    name: str,
) -> RetroIngestReport:
    library = invocation.session.library
    return RetroIngestReport(
        retro=source.path.stem,
        path=str(source.path),
        written=bool(name),
        id=name,
        title=change.title if change else "",
        findings=tuple(
            JudgedReport(
                ref=library.short(each.entry.ref),
                section=each.finding.section,
                text=each.finding.text,
                outcome=each.fate,
                why=each.why,
                entry=library.short(each.known.ref) if each.known else None,
            )
            for each in judged
        ),
        problems=tuple(problem_report(problem, source.path) for problem in source.problems),
    )


@click.group("retro", context_settings={"help_option_names": ["-h", "--help"]})
@common_options
def retro() -> None:
    """List, run and ingest retros."""


retro.add_command(ingest)
retro.add_command(run)


@retro.command("list")
@common_options
@pass_invocation
def list_retros(invocation: Invocation) -> None:
    """List retros, newest first."""
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
    tell_all_unread(invocation, retros_of(library))
    if not reports:
        say("no retros found here; they are in `.sniper/memory/retros/` or `.sniper/retros/`")


@retro.command("show")
@click.argument("name", default="", metavar="[RETRO]")
@common_options
@pass_invocation
def show(invocation: Invocation, name: str) -> None:
    """Show a retro's findings, and which need a decision.

    RETRO is a sprint number or file name; default: the newest.
    """
    library = invocation.session.library
    source = retro_named(library, name) if name else newest(library)
    items = {item.ref: item for item in invocation.session.queue()}
    report = _report(source, items.keys())
    _, retro = retro_entries.parsed(source)
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
            show_text(f"\n{heading_of(section)}", bold=True)
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
    found = retro_entries.finding_of(source, entry)
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
    """Compare the findings of two retros.

    A is the earlier one; both are names or sprint numbers. Default: the newest, or A, against the
    one before it.
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
        say("neither has findings")


def _tell_alone(invocation: Invocation, only: Source) -> None:
    """Say that nothing was held before the one retro that there is."""
    if invocation.as_json:
        emit(RetroDiffReport(before="", after=only.path.stem, recurring=(), new=(), gone=()))
        return
    say(f"`{only.path.stem}` is the only retro here; there is nothing to compare it with")
    say("`remem retro show` shows its findings")


def _two(library: Library, before: str, after: str) -> tuple[Source, Source]:
    """Return the two retros that are compared, the earlier first."""
    if before and after:
        return retro_named(library, before), retro_named(library, after)
    here = retro_named(library, before) if before else newest(library)
    earlier, later = with_the_one_before(library, here.path.stem)
    if later is not here:
        raise UnknownRef(
            f"there is no retro before `{here.path.stem}`",
            hint="`remem retro list` lists them",
        )
    return earlier, here


def _print_compared(library: Library, found: Compared, items: Mapping[Ref, Item]) -> None:
    side = found.side
    show_text(f"- {side.finding.text}  ({section_name(side.finding.section)})")
    told = [
        f"{name}: {was or 'not given'} → {now or 'not given'}" for name, was, now in found.changes()
    ]
    before = found.before.finding.text if found.before is not None else side.finding.text
    if before != side.finding.text:
        told.append(f"before: {before}")
    if found.known is not None:
        told.append(f"`{library.short(found.known.ref)}` says it, seen in {', '.join(found.met)}")
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
    _, retro = retro_entries.parsed(source)
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


def retros_of(library: Library) -> list[Source]:
    """Return the retros, newest first."""
    return retro_entries.held(library)[::-1]


def newest(library: Library) -> Source:
    """Return the retro that was held last.

    Raises:
        UnknownRef: There is none.
    """
    known = retros_of(library)
    if not known:
        raise UnknownRef(
            "no retros found here",
            hint="they are in `.sniper/memory/retros/` or `.sniper/retros/`",
        )
    return known[0]


def retro_named(library: Library, name: str) -> Source:
    """Return the retro of that file name, with or without its ending, or of that sprint number.

    Raises:
        UnknownRef: None or several are called so.
    """
    known = retros_of(library)
    names = {name, f"sprint-{name}-retro"}
    found = [source for source in known if names & {source.path.stem, source.path.name}]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"`{source.path}`" for source in found)
        raise UnknownRef(f"`{name}` matches {len(found)} retros", hint=f"found in {places}")
    near = did_you_mean(name, (source.path.stem for source in known))
    hint = near or "`remem retro list` lists them"
    raise UnknownRef(f"no retro `{name}`", hint=hint)


def retro_at(library: Library, file: str) -> Source:
    """Return the retro in that file: a path from here or from the root, else a name.

    Raises:
        UnknownRef: There is none, or the file lies where retros are not looked for.
    """
    root = library.ground.root
    given = Path(file)
    paths = {real_path(Path.cwd() / given), real_path(root / given)}
    for source in retros_of(library):
        if real_path(source.path) in paths:
            return source
    if any(library.ground.disk.kind(path) == "file" for path in paths):
        raise UnknownRef(
            f"`{file}` is not in a retros folder",
            hint="move it to `.sniper/memory/retros/` as `sprint-N-retro.yaml`",
        )
    return retro_named(library, file)


def date_of(source: Source) -> str:
    """Return when a retro was held, as it says."""
    _, found = retro_entries.parsed(source)
    return found.date if found else ""
