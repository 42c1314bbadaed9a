"""The commands about time: `undo`, `redo`, `history`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from remem.cli.carry import tell_reverted
from remem.cli.documents import log_report, time_text
from remem.cli.naming import shown_path
from remem.cli.out import NOTHING, emit, print_table, say
from remem.cli.session import Session, common_options, pass_session
from remem.disk.history import Logged
from remem.disk.outside import BY, Outside
from remem.model.report.changes import HistoryReport, OutsideReport
from remem.text import count

SHOWN = 50
"""Changes that `history` lists unless it is told otherwise."""
_MOST = 2**62
"""More than any history holds, and no more than its database counts."""


@click.command("undo")
@click.argument("id", metavar="[ID]", default="")
@common_options
@pass_session
def undo(session: Session, id: str) -> None:  # noqa: A002 - the word people read in the help
    """Take back a change.

    Without an ID the last change that a person made at this root and that still stands.
    """
    tell_reverted(session, session.workbench.undo(id or None), undone=True)


@click.command("redo")
@click.argument("id", metavar="[ID]", default="")
@common_options
@pass_session
def redo(session: Session, id: str) -> None:  # noqa: A002 - the word people read in the help
    """Do again what was undone."""
    tell_reverted(session, session.workbench.redo(id or None), undone=False)


@click.command("history")
@click.option(
    "--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True, help="At most so many."
)
@common_options
@pass_session
def history(session: Session, limit: int) -> None:
    """List changes of every door and from outside, newest first."""
    workbench = session.workbench
    limit = min(limit, _MOST)
    found: list[Logged | Outside] = [
        *workbench.history(limit),
        *workbench.journal.outside(workbench.root, limit),
    ]
    newest = sorted(found, key=lambda each: each.time, reverse=True)[:limit]
    if session.as_json:
        emit(_report(newest))
        return
    rows = [_row(e) if isinstance(e, Logged) else _outside_row(session, e) for e in newest]
    print_table(("ID", "TIME", "BY", "TITLE"), rows)
    if not newest:
        say("nothing was changed here yet")


def _report(found: Sequence[Logged | Outside]) -> HistoryReport:
    return HistoryReport(
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


def _row(change: Logged) -> tuple[str, str, str, str]:
    title = f"{change.title} (undone)" if change.undone else change.title
    return change.id, time_text(change.time), f"{change.origin.actor}, {change.origin.door}", title


def _outside_row(session: Session, change: Outside) -> tuple[str, str, str, str]:
    gone = count(change.gone, "entry", "entries")
    note = f" ({gone} vanished)" if change.gone else ""
    title = f"{change.does} {shown_path(session, change.path)}{note}"
    return NOTHING, time_text(change.time), f"outside, {BY[change.cause]}", title
