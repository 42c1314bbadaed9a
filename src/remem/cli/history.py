"""The commands about time: `undo`, `redo`, `history`."""

from __future__ import annotations

import click

from remem.cli.carry import tell_reverted
from remem.cli.documents import log_report, time_text
from remem.cli.out import emit, print_table, say
from remem.cli.session import Session, common_options, pass_session
from remem.disk.history import Logged
from remem.model.report.changes import HistoryReport

SHOWN = 50
"""Changes that `history` lists unless it is told otherwise."""


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
    """List changes, newest first."""
    changes = session.workbench.history(limit)
    if session.as_json:
        emit(HistoryReport(changes=tuple(log_report(change) for change in changes)))
        return
    print_table(("ID", "TIME", "BY", "TITLE"), [_row(change) for change in changes])
    if not changes:
        say("nothing was changed here yet")


def _row(change: Logged) -> tuple[str, str, str, str]:
    title = f"{change.title} (undone)" if change.undone else change.title
    return change.id, time_text(change.time), f"{change.origin.actor}, {change.origin.door}", title
