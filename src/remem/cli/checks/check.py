"""The command `check`: the review gate over what a change adds, for people, hooks and CI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from remem.base.errors import NotPossible, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.checks.check_opinion import hear, opinion_options, tell_failure
from remem.cli.checks.check_printing import (
    Checked,
    Lost,
    markdown,
    place_of,
    told,
    unchecked_for_a_hint,
)
from remem.cli.failure import BAD_USAGE, BadUsage
from remem.cli.find_named import entry_named
from remem.cli.garbage_collection import unswept
from remem.cli.invocation import Invocation, opened_at
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import emit, print_exact, say, show_text
from remem.core.repositories import not_open, repositories_of
from remem.model.detect import Compliance, Severity

if TYPE_CHECKING:
    from pathlib import Path

    from remem.cli.checks.check_memory import Fault
    from remem.code.changed_lines import Changes, Looked
    from remem.core.library import Library
    from remem.core.session import Session
    from remem.model.detect import Rule
    from remem.model.entry import Problem

_PLACES: Final = 3
"""Violations that one line names where `--limit` does not say otherwise."""
FAILED: Final = 1


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked at, and what is done with what is found."""

    range: str | None
    staged: bool
    files: tuple[str, ...]
    every: bool
    rules: tuple[str, ...]
    record: bool
    baseline: bool
    dry_run: bool
    memory: bool
    floor: Severity

    @property
    def words(self) -> str:
        """What was looked at, as options."""
        if self.range:
            return f"--diff {self.range}"
        if self.staged:
            return "--staged"
        return "--all" if self.every else " ".join(f"--files {glob}" for glob in self.files)


@click.command("check")
@click.option(
    "--diff",
    "range_",
    metavar="RANGE",
    help="Check lines added in the git range `A..B` or `A...B`.",
)
@click.option("--staged", is_flag=True, help="Check staged lines.")
@click.option("--files", multiple=True, metavar="GLOB", help="Check whole files; repeatable.")
@click.option("--all", "every", is_flag=True, help="Check all files.")
@click.option(
    "--rule", "names", multiple=True, metavar="REF", help="Check only these rules; repeatable."
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_PLACES,
    metavar="N",
    help="Places shown per rule; 0 = all, including unchecked rules.",
)
@click.option("--record", is_flag=True, help="Queue violations in Review as evidence.")
@click.option(
    "--baseline",
    is_flag=True,
    help="Accept all current violations in `.remem/baseline.yaml`; only new ones are reported.",
)
@click.option("--dry-run", is_flag=True, help="With `--baseline`: print what it would write.")
@click.option(
    "--memory", is_flag=True, help="Also check memory itself: gaps, duplicates, hidden text."
)
@click.option(
    "--fail-on",
    type=click.Choice(["low", "medium", "high"]),
    default="low",
    help="Lowest severity that exits with 1; blocking rules always do.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json", "sarif"]),
    default="text",
    help="Output format.",
)
@opinion_options
@common_options
@pass_invocation
@click.pass_context
def check(
    ctx: click.Context,
    invocation: Invocation,
    range_: str | None,
    staged: bool,
    files: tuple[str, ...],
    every: bool,
    names: tuple[str, ...],
    limit: int,
    record: bool,
    baseline: bool,
    dry_run: bool,
    memory: bool,
    fail_on: str,
    form: str,
) -> None:
    """Check code against conventions, anti-patterns and decisions.

    By default it checks uncommitted lines against HEAD. Exit code 1: a rule is violated; 2: rules
    could not be read. A comment `remem: allow RULE reason` on a line, or above it, allows it. With
    `--record`, candidates are checked too and violations are listed in Review. At a workspace
    root, every repository is checked.
    """
    if sum(map(bool, (range_ is not None, staged, files, every))) > 1:
        raise BadUsage("`--diff`, `--staged`, `--files` and `--all` cannot be combined")
    if baseline and (names or range_ is not None or staged or files or record):
        raise BadUsage(
            "`--baseline` always checks every file and rule",
            hint="use it without the other options",
        )
    floor = Severity(fail_on)
    looks = (range_, staged, files, every or baseline)
    asked = _Asked(*looks, names, record, baseline, dry_run, memory, floor)
    invocation.is_for_gate = not (names or record or baseline or memory)
    with unswept():
        done, refused = _each(ctx, invocation, asked)
    lost = Lost.of(not_open(invocation.session.library), invocation.root).also(refused)
    for each in done:
        if each.accepted is not None:
            from remem.cli.checks.check_record import tell_accepting

            tell_accepting(each.accepted)
    if invocation.as_json or form == "json":
        from remem.cli.checks.check_document import report_of

        emit(report_of(done, invocation.root, lost))
    elif form == "sarif":
        from remem.cli.checks.sarif import sarif_of

        click.echo(json.dumps(sarif_of(done, invocation.root, lost), indent=2))
    else:
        _show([*told(done, invocation.places.home, limit, lost)], form)
    for each in done:
        _tell(each)
    if lost.rules:
        say("what describes the workspace could not be read whole, so not all was checked")
    for name, error in refused:
        say(f"`{name}` was not checked: {error}" + (f"; {error.hint}" if error.hint else ""))
    codes = [*(_code(each) for each in done), 0 if lost.is_whole else BAD_USAGE]
    ctx.exit(FAILED if FAILED in codes else max(codes, default=0))


def _benches(invocation: Invocation) -> Iterator[tuple[str, Session]]:
    """Yield what is opened, by the name of the repository: of a workspace each one by itself."""
    several = repositories_of(invocation.session.library)
    if not several:
        yield "", invocation.session
    for each in several:
        with closing(opened_at(invocation, each.path)) as session:
            yield each.name, session


def _each(
    ctx: click.Context, invocation: Invocation, asked: _Asked
) -> tuple[list[Checked], list[tuple[str, NotPossible]]]:
    """Look at each repository; return also those of a workspace in which that is not possible.

    What names files or rules need not be in all of them.

    Raises:
        RememError: It is possible in none of them.
    """
    done: list[Checked] = []
    refused: list[tuple[str, NotPossible]] = []
    errors: list[BadUsage | UnknownRef] = []
    shared: set[Fault] = set()
    for name, session in _benches(invocation):
        try:
            found = _one(ctx, invocation, session, name, asked)
            done.append(_told_once(found, shared) if name else found)
        except NotPossible as error:
            if not name:
                raise
            refused.append((name, error))
        except (BadUsage, UnknownRef) as error:
            if not name:
                raise
            errors.append(error)
    if refused and not done:
        name, first = refused[0]
        raise NotPossible(f"`{name}`: {first}", hint=first.hint) from first
    if errors and not done:
        raise errors[0]
    return done, refused


def _told_once(found: Checked, shared: set[Fault]) -> Checked:
    """Leave out faults of what lies outside of a repository and was told with an earlier one."""
    left = tuple(each for each in found.wrong if each not in shared)
    shared.update(
        each
        for each in left
        if each.problem.path is not None and not each.problem.path.is_relative_to(found.root)
    )
    return replace(found, wrong=left)


def _one(
    ctx: click.Context, invocation: Invocation, session: Session, name: str, asked: _Asked
) -> Checked:
    """Look at one repository."""
    from remem.code.changed_lines import Changes, Looked
    from remem.core.checks.gate import comply
    from remem.systems.own.read_baseline import known_places, why_unread
    from remem.systems.workspace.rules import rules_of, unread_rules

    changes = Changes(session.disk, session.root)
    is_alone = asked.memory and not changes.has_git and not asked.files  # memory by itself
    looked = Looked(()) if is_alone else _looked(session, changes, asked)
    rules = _among(session.library, rules_of(session.library), asked.rules)
    broken = tuple(unread_rules(session.library))
    known = {} if asked.baseline else known_places(session.library)
    found = comply(rules, looked, known, home=session.library.ground.project)
    found = _with_unread(found, broken, session.root)
    if why := why_unread(session.library):
        told = f"the baseline cannot be read, so that it accepts nothing: {why}"
        found = replace(found, notes=(*found.notes, told))
    heard = hear(ctx, invocation, found, looked, rules)
    recorded = accepted = None
    if asked.record:
        from remem.cli.checks.check_record import record

        recorded = record(session, found, looked, asked.words)
    wrong = _faults(session.library) if asked.memory else ()
    weights = (each.severity.weight for each in wrong)
    failed = found.fails(asked.floor) or any(each >= asked.floor.weight for each in weights)
    if asked.baseline:
        from remem.cli.checks.check_record import accept

        accepted = accept(session, found, dry_run=asked.dry_run)
        failed = False
    return Checked(
        name=name,
        root=session.root,
        found=found,
        wrong=wrong,
        heard=heard,
        recorded=recorded,
        accepted=accepted,
        unread_rules=len(broken),
        failed=failed or heard.fails,
        floor=asked.floor,
        readable=_readable(session.library, found),
        asks_memory=asked.memory,
        uncommitted=_edited_code(session, looked.uncommitted),
        is_unchanged=not looked.files and not asked.words and not is_alone,
    )


def _edited_code(session: Session, paths: Sequence[str]) -> int:
    """Return how many of some files are code: `remem check` holds no rule against memory."""
    memory = {source.path for source in session.library.sources}
    return sum(session.root / path not in memory for path in paths)


def _faults(library: Library) -> tuple[Fault, ...]:
    # What reads all of memory is loaded where that is asked for.
    from remem.cli.checks.check_memory import faults

    return faults(library)


def _among(library: Library, rules: Sequence[Rule], names: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules that were named; without a name all.

    Raises:
        BadUsage: One of them is not a rule that the gate enforces.
        UnknownRef: One of them names no entry.
    """
    if not names:
        return tuple(rules)
    wanted = {library.short(entry_named(library, name).ref): name for name in names}
    found = tuple(rule for rule in rules if rule.ref in wanted)
    odd = [name for ref, name in wanted.items() if ref not in {rule.ref for rule in found}]
    if odd:
        raise BadUsage(
            f"`{odd[0]}` is not a rule that the gate enforces",
            hint=(
                "it enforces active conventions (except `spawn_prompt`), "
                "anti-patterns and decisions"
            ),
        )
    return found


def _readable(library: Library, found: Compliance) -> int:
    """Return how many rules that were not checked have a hint that a machine can read."""
    if not any(unchecked_for_a_hint(check) for check in found.checks):
        return 0
    from remem.systems.sniper.detect_plan import proposals

    refs = {library.short(each.entry.ref) for each in proposals(library)}
    return sum(check.ref in refs for check in found.checks if unchecked_for_a_hint(check))


def _tell(done: Checked) -> None:
    """Say on stderr what waits now, and what was not read."""
    if done.recorded is not None:
        from remem.cli.checks.check_record import tell

        tell(done.recorded)
    if done.accepted is not None:
        from remem.cli.checks.check_record import tell_accepted

        tell_accepted(done.accepted)
    if done.unread_rules:
        files = count(done.unread_rules, "file")
        say(f"{files} of rules could not be read, so their rules were not checked")
    elif not done.found.checks:
        where = f" in `{done.name}`" if done.name else ""
        say(f"no rules to check{where}; add one with `remem add convention`")
    elif done.is_unchanged:
        say("no uncommitted lines to check; `remem check --diff main...HEAD` checks a branch")
    is_broken = any(check.violations for check in done.found.checks)
    if is_broken and done.accepted is None:
        if done.found.fails(done.floor):
            say(
                f"failed: a rule that blocks, or is of severity {done.floor} or higher, is broken; "
                "`--fail-on` sets the severity"
            )
        elif not done.failed:
            say(f"passed: nothing here is as severe as `--fail-on {done.floor}`")
    if done.uncommitted:
        files = count(done.uncommitted, "checked file")
        have = "has" if done.uncommitted == 1 else "have"
        say(f"note: {files} {have} uncommitted edits outside this range; `remem check` checks them")
    tell_failure(done.heard)


def _code(done: Checked) -> int:
    if done.failed:
        return FAILED
    return done.heard.failed or (BAD_USAGE if done.unread_rules else 0)


def _looked(session: Session, changes: Changes, asked: _Asked) -> Looked:
    if asked.range is not None:  # an empty one is a variable of a workflow that nobody set
        return changes.between(asked.range)
    if asked.staged:
        return changes.staged()
    if asked.every:
        return changes.whole()
    if asked.files:
        return changes.whole(_chosen(session, changes, asked.files))
    return changes.since_head()


def _chosen(session: Session, changes: Changes, globs: Sequence[str]) -> list[str]:
    """Return the files that globs, names and folders name; what names none is a mistake."""
    from remem.model.globs import is_inside

    root, disk = session.root, session.disk
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
            where = "paths are relative to the project root"
            bare = "without a git repository, name each file"
            raise BadUsage(f"`{glob}` matches no file", hint=where if changes.has_git else bare)
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


def _show(lines: Sequence[str], form: str) -> None:
    if form == "markdown":
        print_exact("\n".join(map(markdown, lines)) + "\n")
        return
    colours = {"WARN": "yellow", "PASS": "green", "HIGH": "red", "MEDIUM": "yellow"}
    for line in lines:
        word = line.partition(" ")[0]
        if line.startswith("#"):
            show_text(line.lstrip("# "), bold=True)
        elif word in colours:
            show_text(line, fg=colours[word])
        else:
            show_text(line)
