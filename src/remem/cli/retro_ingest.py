"""The command `retro ingest`: the rules are applied to a retro, and what they did is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from remem.base.text import count
from remem.cli.documents import problem_report
from remem.cli.execute import dry_run_option, print_diff
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation, common_options, pass_invocation
from remem.cli.out import emit, err_on_terminal, put_aside, say, show_text
from remem.cli.retro_names import newest, retro_at, retro_named, retros_of
from remem.core.library import Library
from remem.core.relation.in_force import unread_settings
from remem.model.change import Change, Intent
from remem.model.source import Source
from remem.systems.sniper.ingest import WRITTEN, Fate, Judged, judge, readable, summary_of
from remem.systems.sniper.retro_verbs import RETRO_INGEST, RetroIngest
from remem.views.documents.retros import JudgedReport, RetroIngestReport

QUIET: Final = frozenset({Fate.IGNORE, Fate.NOTE})
"""What is counted and not listed."""
_NAMED: Final = 5
"""Other retros that are listed."""
_STEPS: Final = 100
"""Findings between two words about how far it is."""


@click.command("ingest")
@click.argument("file", default="", metavar="[FILE]")
@click.option("--sprint", type=int, default=None, metavar="N", help="The retro of that sprint.")
@dry_run_option
@common_options
@pass_invocation
def ingest(invocation: Invocation, file: str, sprint: int | None, dry_run: bool) -> None:
    """Do what the rules make of a retro.

    Findings that it recommends with high confidence go into force, those with medium confidence
    become candidates, and one more occurrence lifts a candidate. The rest waits in the queue. What
    went into force waits there too, marked, until somebody looked at it.

    Default: the newest retro.
    """
    if file and sprint is not None:
        raise BadUsage("name one retro", hint="write its file, or `--sprint N`")
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
        say(f"`{found.path.stem}` is the newest retro; name another to take it: {named}{more}")
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
        emit(_report(invocation, source, judged, change, name))
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
        say("nothing comes of it by itself, and nothing was written")
        refs = {each.entry.ref for each in judged}
        waiting = [item for item in invocation.session.queue() if item.ref in refs]
        if waiting:
            say(f"{count(waiting, 'finding')} to review; `remem queue` lists them")
    elif not name:
        print_diff(invocation, invocation.session.preview(change))
        say(f"{change.title}: nothing was written")
    else:
        say(f"`remem undo {name}` takes it back; `remem queue` lists what to look at")


def _report(
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
