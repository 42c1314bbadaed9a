"""The command `check`: the review gate over what a change adds, for people, hooks and CI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from remem.base.text import count, safe_text
from remem.cli.check_opinion import (
    Heard,
    hear,
    opinion_lines,
    opinion_options,
    opinion_reports,
    tell_failure,
)
from remem.cli.failure import BAD_USAGE, BadUsage
from remem.cli.naming import need_one_repository
from remem.cli.out import emit, print_exact, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.model.compliance import Check, Compliance, Severity
from remem.views.documents.checks import (
    CheckedReport,
    CheckReport,
    FaultReport,
    UnreadReport,
    ViolationReport,
)

if TYPE_CHECKING:
    from pathlib import Path

    from remem.cli.check_memory import Fault
    from remem.code.changed import Changes, Looked
    from remem.model.entry import Problem

_PLACES: Final = 3
"""Violations that one line names; the others are counted, and `--format json` has all."""
_HEADINGS: Final = (
    ("convention", "Convention Checks"),
    ("anti_pattern", "Anti-Pattern Checks"),
    ("decision", "Decision Consistency"),
)
FAILED: Final = 1


@click.command("check")
@click.option("--diff", "range_", metavar="RANGE", help="What `A..B` or `A...B` adds.")
@click.option("--staged", is_flag=True, help="What the next commit would add.")
@click.option("--files", multiple=True, metavar="GLOB", help="These files whole; may be repeated.")
@click.option("--all", "every", is_flag=True, help="Every file whole.")
@click.option("--record", is_flag=True, help="Let what it finds wait in Review, as evidence.")
@click.option("--memory", is_flag=True, help="Memory itself too: what is missing, twice or hidden.")
@click.option(
    "--fail-on",
    type=click.Choice(["low", "medium", "high"]),
    default="low",
    help="Lowest severity that ends with 1; a rule that blocks always does.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json", "sarif"]),
    default="text",
    help="How it is told.",
)
@opinion_options
@common_options
@pass_session
@click.pass_context
def check(
    ctx: click.Context,
    session: Session,
    range_: str | None,
    staged: bool,
    files: tuple[str, ...],
    every: bool,
    record: bool,
    memory: bool,
    fail_on: str,
    form: str,
) -> None:
    """Hold code against conventions, anti-patterns and decisions.

    Without an option it looks at what the work tree adds to the last commit. Exit code 1 says that
    a rule is broken, 2 that rules could not be read. With `--record` candidates are checked too,
    and what is new waits for a person; memory does not change by it.
    """
    from remem.cli import check_record
    from remem.cli.check_memory import faults
    from remem.code.changed import Changes, Looked
    from remem.core.checks.compliance import comply
    from remem.systems.workspace.rules import rules_of, unread_rules

    if sum(map(bool, (range_ is not None, staged, files, every))) > 1:
        raise BadUsage("`--diff`, `--staged`, `--files` and `--all` exclude each other")
    workbench = session.workbench
    need_one_repository(workbench.library)
    changes = Changes(workbench.disk, workbench.root)
    is_alone = memory and not changes.has_git and not files  # memory can be looked at by itself
    looked = Looked(()) if is_alone else _looked(session, changes, range_, staged, files, every)
    rules = rules_of(workbench.library)
    broken = tuple(unread_rules(workbench.library))
    found = _with_unread(comply(rules, looked), broken, workbench.root)
    heard = hear(ctx, session, found, looked, rules)
    options = check_record.options_of(range_ or "", files, staged=staged, every=every)
    recorded = check_record.record(workbench, found, looked, options) if record else None
    wrong = faults(workbench.library) if memory else ()
    floor = Severity(fail_on)
    failed = found.fails(floor) or any(each.severity.weight >= floor.weight for each in wrong)
    failed = failed or heard.fails
    if session.as_json or form == "json":
        new = recorded.places if recorded is not None else None
        emit(_report(found, wrong, workbench.root, heard, failed=failed, recorded=new))
    elif form == "sarif":
        from remem.cli.sarif import sarif

        told = sarif(found, wrong, workbench.root, heard.opinions, is_whole=not broken)
        click.echo(json.dumps(told, indent=2))
    else:
        faulty = memory_lines(wrong, workbench.root, asked=memory)
        _show((*lines_of(found), *opinion_lines(heard), *faulty), form)
    if recorded is not None:
        check_record.tell(recorded)
    if broken:
        say(f"{count(broken, 'file')} of rules not read: what stands there was not checked")
    elif not found.checks:
        say("there is no rule to check; `remem add convention` writes one")
    tell_failure(heard)
    ctx.exit(FAILED if failed else heard.failed or (BAD_USAGE if broken else 0))


def _looked(
    session: Session,
    changes: Changes,
    range_: str | None,
    staged: bool,
    globs: Sequence[str],
    every: bool,
) -> Looked:
    if range_ is not None:  # an empty one is a variable of a workflow that nobody set
        return changes.between(range_)
    if staged:
        return changes.staged()
    if every:
        return changes.whole()
    if globs:
        return changes.whole(_chosen(session, changes, globs))
    return changes.since_head()


def _chosen(session: Session, changes: Changes, globs: Sequence[str]) -> list[str]:
    """Return the files that globs, names and folders name; what names none is a mistake."""
    from remem.model.globs import is_inside

    root, disk = session.workbench.root, session.workbench.disk
    chosen: dict[str, None] = {}
    for glob in globs:
        path = glob.removeprefix(f"{root}/").removeprefix("./").rstrip("/")
        if disk.kind(root / path) not in (None, "folder"):
            chosen[path] = None
            continue
        below = "" if path in ("", ".") else f"{path}/"
        is_folder = disk.kind(root / path) == "folder"
        found = [
            name
            for name in changes.named()
            if (name.startswith(below) if is_folder else is_inside(name, path))
        ]
        if not found:
            where = "paths are told from the root"
            bare = "without a git repository each file is named by itself"
            raise BadUsage(f"`{glob}` names no file", hint=where if changes.has_git else bare)
        chosen.update(dict.fromkeys(found))
    return [*chosen]


def _with_unread(
    found: Compliance, broken: Sequence[tuple[Path, Problem]], root: Path
) -> Compliance:
    """Return what was found, with the files of rules that were not read among what was not."""
    told = tuple(
        (f"{place_of(path, root)}{f':{each.line}' if each.line else ''}", each.message)
        for path, each in broken
    )
    return replace(found, unread=(*found.unread, *told))


def lines_of(found: Compliance) -> Iterator[str]:
    """Yield the section that a review shows (FORMATS 1.9), line by line."""
    yield "## Memory Compliance"
    for kind, heading in _HEADINGS:
        yield ""
        yield f"### {heading}"
        checks = found.of_kind(kind)
        yield from map(_line, checks) if checks else ("none",)
    yield ""
    yield "### Summary"
    names = (
        ("conventions", "violations"),
        ("anti-patterns", "matches found"),
        (
            "decisions",
            "contradictions",
        ),
    )
    for (kind, _), (rules, hits) in zip(_HEADINGS, names, strict=True):
        checks = found.of_kind(kind)
        checked = sum(_is_checked(each) for each in checks)
        violations = sum(len(each.violations) for each in checks)
        yield f"{checked} {rules} checked, {violations} {hits}"
    skipped = sum(not _is_checked(each) for each in found.checks)
    if skipped:
        yield f"{count(skipped, 'rule')} not checked"
    for path, why in found.unread:
        yield f"not read: {path} — {why}"


def memory_lines(wrong: Sequence[Fault], root: Path, *, asked: bool) -> Iterator[str]:
    """Yield what is wrong with memory itself, the heaviest first."""
    if not asked:
        return
    yield ""
    yield "### Memory"
    for fault in sorted(wrong, key=lambda each: -each.severity.weight):
        path = fault.problem.path
        place = f"{place_of(path, root)}:{max(fault.problem.line, 1)}" if path is not None else ""
        named = f"{fault.ref}: " if fault.ref else ""
        told = f"{named}{fault.problem.message}"
        yield f"{fault.severity.upper()} {told}{f' ({place})' if place else ''}"
    yield f"{count(len(wrong), 'fault')} found"


def place_of(path: Path, root: Path) -> str:
    """Return a path as it is told: from the root where it lies below it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _is_checked(check: Check) -> bool:
    return check.outcome.value != "skip"


def _line(check: Check) -> str:
    blocking = " (blocking)" if check.blocks and check.violations else ""
    return f"{check.outcome.upper()} {check.id}: {check.title} — {_told(check)}{blocking}"


def _told(check: Check) -> str:
    detail = " ".join(check.detail.split())
    if check.outcome.value == "skip":
        return check.missed or (f"not checked: {detail}" if detail else "not checked")
    if not check.violations:
        return f"{count(check.files, 'file')} checked"
    shown = check.violations[:_PLACES]
    named = (each.path if check.is_missing else f"{each.path}:{each.line}" for each in shown)
    places = ", ".join(named)
    more = len(check.violations) - len(shown)
    tail = f", {more} more" if more > 0 else ""
    said = f": {detail}" if detail else ""
    missed = f"; {check.missed}" if check.missed else ""
    times = len(check.violations)
    found = f"missing in {count(times, 'file')}" if check.is_missing else ""
    return f"{found or count(times, 'match', 'matches')} ({places}{tail}){said}{missed}"


def _markdown(line: str) -> str:
    """Return a line as Markdown: a check is a bullet, and no text of a rule becomes markup."""
    if line.startswith("#") or not line:
        return line
    text = safe_text(line, one_line=True)
    return "- " + "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text)


def _show(lines: Sequence[str], form: str) -> None:
    if form == "markdown":
        print_exact("\n".join(map(_markdown, lines)) + "\n")
    else:
        _print(lines)


def _print(lines: Sequence[str]) -> None:
    colours = {"WARN": "yellow", "PASS": "green", "HIGH": "red", "MEDIUM": "yellow"}
    for line in lines:
        word = line.partition(" ")[0]
        if line.startswith("#"):
            show_text(line.lstrip("# "), bold=True)
        elif word in colours:
            show_text(line, fg=colours[word])
        else:
            show_text(line)


def _report(
    found: Compliance,
    wrong: Sequence[Fault],
    root: Path,
    heard: Heard,
    *,
    failed: bool,
    recorded: int | None,
) -> CheckReport:
    return CheckReport(
        failed=failed,
        files=found.files,
        checked=sum(map(_is_checked, found.checks)),
        violated=sum(bool(each.violations) for each in found.checks),
        checks=tuple(map(_check_report, found.checks)),
        unread=tuple(UnreadReport(path=path, why=why) for path, why in found.unread),
        memory=tuple(_fault_report(each, root) for each in wrong),
        recorded=recorded,
        opinions=opinion_reports(heard),
        notes=heard.notes,
    )


def _fault_report(fault: Fault, root: Path) -> FaultReport:
    path = fault.problem.path
    return FaultReport(
        ref=fault.ref or None,
        code=fault.problem.code,
        severity=fault.severity.value,
        message=fault.problem.message,
        hint=fault.problem.hint,
        path=place_of(path, root) if path is not None else None,
        line=fault.problem.line,
    )


def _check_report(check: Check) -> CheckedReport:
    return CheckedReport(
        ref=check.ref,
        kind=check.kind,
        title=check.title,
        outcome=check.outcome.value,
        severity=check.severity.value,
        blocking=check.blocks,
        files=check.files,
        violations=tuple(
            ViolationReport(path=each.path, line=each.line, text=each.text)
            for each in check.violations
        ),
        detail="; ".join(filter(None, (check.detail, check.missed))),
    )
