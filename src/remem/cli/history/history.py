"""The commands about time: `undo`, `redo`, `history`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import click

from remem.base.clock import time_text
from remem.base.errors import Already, UnknownRef
from remem.base.text import count
from remem.cli.apply_or_dry_run import (
    dry_run_option,
    effect_reports,
    print_diff,
    tell_nothing_to_do,
    tell_reverted,
    tell_reverting,
)
from remem.cli.completion import complete_entries
from remem.cli.failure import BadUsage
from remem.cli.find_named import shown_path
from remem.cli.find_waiting_item import entry_or_item
from remem.cli.invocation import Invocation
from remem.cli.json_pieces import log_report
from remem.cli.options import common_options, pass_invocation
from remem.cli.out import NOTHING, emit, print_table, say
from remem.core.history.entry_history import changes_of, once_named, removals_of
from remem.core.history.revisions import day_in_words, day_of
from remem.core.session import Session
from remem.model.change import Intent
from remem.model.entry import Ref
from remem.store.history.external_changes import Outside
from remem.store.history.journal_records import Logged
from remem.views.change_titles import logged_title
from remem.views.documents.changes import DiffReport, HistoryReport, OutsideReport

SHOWN = 50
"""Changes that `history` lists unless it is told otherwise."""
_SHORTEST_ID = 4
"""Digits of a change's id that name it."""
_MOST = 2**62
"""More than any history holds, and no more than its database counts."""


@click.command("undo")
@click.argument("id", metavar="[ID]", default="")
@dry_run_option
@common_options
@pass_invocation
def undo(invocation: Invocation, id: str, dry_run: bool) -> None:  # noqa: A002 - the word people read in the help
    """Undo a change.

    Without an ID: the last change a person made in this project, from any door, with everything
    that followed from it.
    """
    session = invocation.session
    try:
        if dry_run:
            tell_reverting(invocation, session.would_undo(id or None), back=True)
            return
        tell_reverted(invocation, session.undo(id or None), undone=True)
    except Already as already:
        if id or invocation.as_json or not session.unfinished.settled:
            tell_nothing_to_do(invocation, already, Intent("undo"))
            return
        say("nothing else to undo")


@click.command("redo")
@click.argument("id", metavar="[ID]", default="")
@dry_run_option
@common_options
@pass_invocation
def redo(invocation: Invocation, id: str, dry_run: bool) -> None:  # noqa: A002 - the word people read in the help
    """Redo an undone change."""
    try:
        if dry_run:
            tell_reverting(invocation, invocation.session.would_redo(id or None), back=False)
            return
        tell_reverted(invocation, invocation.session.redo(id or None), undone=False)
    except Already as already:
        tell_nothing_to_do(invocation, already, Intent("redo"))


@click.command("history")
@click.argument("refs", nargs=-1, metavar="[REF]...", shell_complete=complete_entries)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=SHOWN,
    show_default=True,
    help="At most this many.",
)
@click.option(
    "--since",
    default="",
    metavar="DATE",
    help="Only from this day on, in UTC: `2026-05-04`, `today` or `yesterday`.",
)
@common_options
@pass_invocation
def history(invocation: Invocation, refs: tuple[str, ...], limit: int, since: str) -> None:
    """List changes, newest first: all, or those of some entries.

    A change is named by its id, and one by itself is shown with its diff. An entry is named by a
    ref, also by one that it had before it was edited, moved or removed.
    """
    session = invocation.session
    first = _first_day(since, session.clock.today())
    limit = min(limit, _MOST)
    depth = _MOST if refs or first else limit
    changes, outside = session.past.changes(depth), session.past.outside(depth)
    session.past.need()
    ids = {each.id for each in changes for text in refs if _is_id(each.id, text)}
    refs = tuple(text for text in refs if not any(_is_id(each, text) for each in ids))
    named = _named(session, refs, changes, outside)
    left = [*_not_listed(invocation, named, outside)]
    if refs or ids:
        changes = (*changes_of(changes, named), *(x for x in changes if x.id in ids))
        outside = removals_of(outside, named)
    found: list[Logged | Outside] = [*changes, *outside]
    if first is not None:
        found = [each for each in found if each.time.date() >= first]
    newest = sorted(found, key=lambda each: each.time, reverse=True)[:limit]
    shown = newest[0] if len(newest) == 1 and ids and isinstance(newest[0], Logged) else None
    if invocation.as_json:
        emit(_report(newest, _diff(session, shown) if shown is not None else None))
        return
    writers = session.writers([each for each in newest if isinstance(each, Outside)])
    rows = [
        _row(invocation, each)
        if isinstance(each, Logged)
        else _outside_row(invocation, each, writers)
        for each in newest
    ]
    print_table(("ID", "TIME", "BY", "TITLE"), rows)
    if not newest:
        whose = " and ".join(f"`{session.library.short(ref)}`" for ref in named)
        when = f"since {first}" if first is not None else "yet"
        say(f"no changes of {whose} {when}" if named else f"no changes here {when}")
    for each in left:
        say(f"note: {each}")
    if shown is not None:
        _show(invocation, shown)


def _show(invocation: Invocation, change: Logged) -> None:
    """Print why a change was made, and what it did."""
    if change.reason:
        say(f"reason: {change.reason}")
    print_diff(invocation, invocation.session.past.diff_of(change))


def _diff(session: Session, change: Logged) -> DiffReport:
    effects = effect_reports(session.past.diff_of(change))
    return DiffReport(id=change.id, reason=change.reason, effects=effects)


def _is_id(change: str, text: str) -> bool:
    return len(text) >= _SHORTEST_ID and change.startswith(text)


def _first_day(text: str, today: date) -> date | None:
    """Return the day from which changes are listed; `None` = all are.

    Raises:
        BadUsage: It is no day.
    """
    if not text:
        return None
    day = day_of(text) or day_in_words(text, today)
    if day is None:
        raise BadUsage(
            f"`{text}` is no day", hint="write it like `2026-05-04`, `today` or `yesterday`"
        )
    return day


def _named(
    session: Session,
    texts: Sequence[str],
    changes: Sequence[Logged],
    outside: Sequence[Outside],
) -> tuple[Ref, ...]:
    """Return what is named, each once: an entry, or what the history knows under that ref.

    Raises:
        UnknownRef: Nothing or several things are or were called so; the hint offers the nearest.
    """
    found: dict[Ref, None] = {}
    for text in texts:
        try:
            found[entry_or_item(session, text).ref] = None
        except UnknownRef:
            past = once_named(session.library, text, changes, outside)
            if len(past) != 1:
                raise
            found[past[0]] = None
    return tuple(found)


def _not_listed(
    invocation: Invocation, refs: Sequence[Ref], outside: Sequence[Outside]
) -> Iterator[str]:
    """Yield what is left out: of an external change only the removed entries are recorded."""
    library = invocation.session.library
    listed = removals_of(outside, refs)
    for path in {library.source_of(ref).path: None for ref in refs if library.has(ref)}:
        left = sum(each.path == path and each not in listed for each in outside)
        if left:
            yield (
                f"{count(left, 'external change')} of {shown_path(invocation, path)} not listed: "
                "which entries were edited is not recorded; `remem history` lists all"
            )


def _report(found: Sequence[Logged | Outside], shown: DiffReport | None) -> HistoryReport:
    return HistoryReport(
        shown=shown,
        changes=tuple(log_report(each) for each in found if isinstance(each, Logged)),
        outside=tuple(
            OutsideReport(
                number=each.number,
                time=time_text(each.time),
                cause=each.cause,
                path=str(each.path),
                does=each.does,
                vanished=each.gone,
            )
            for each in found
            if isinstance(each, Outside)
        ),
    )


def _row(invocation: Invocation, change: Logged) -> tuple[str, str, str, str]:
    title = logged_title(change, invocation.session.library)
    title = f"{title} (undone)" if change.undone else title
    return change.id, time_text(change.time), f"{change.origin.who}, {change.origin.door}", title


def _outside_row(
    invocation: Invocation, change: Outside, writers: Mapping[str, str]
) -> tuple[str, str, str, str]:
    gone = count(change.gone, "entry", "entries")
    note = f" ({gone} removed)" if change.gone else ""
    title = f"{change.does} {shown_path(invocation, change.path)}{note}"
    return NOTHING, time_text(change.time), f"external, {writers[change.name]}", title
