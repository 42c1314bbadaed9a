"""The commands that say where lessons stand: `move`, `pin`."""

from __future__ import annotations

import click

from remem.cli.execute import carry_out, dry_run_option, pinned, shown_option
from remem.cli.naming import entries_named
from remem.cli.session import Session, common_options, pass_session


@click.command("move")
@click.argument("refs", nargs=-1, required=True, metavar="REF...")
@click.argument("place", metavar="PLACE")
@shown_option
@dry_run_option
@common_options
@pass_session
def move(
    session: Session, refs: tuple[str, ...], place: str, digests: tuple[str, ...], dry_run: bool
) -> None:
    """Move lessons to another section, file or persona.

    PLACE is `NAME@LAYOUT/FILE#SECTION`, of which each part may be left out: `#Testing` is a section
    of the same file, `#` its head, `Priya` the memory of another persona, where they join the
    lessons of their date.
    """
    workbench = session.workbench
    intent = workbench.intend("move", entries_named(workbench.library, refs), to=place)
    carry_out(session, pinned(intent, digests), dry_run=dry_run)


@click.command("pin")
@click.argument("refs", nargs=-1, required=True, metavar="REF...")
@shown_option
@dry_run_option
@common_options
@pass_session
def pin(session: Session, refs: tuple[str, ...], digests: tuple[str, ...], dry_run: bool) -> None:
    """Put lessons first in the head of their memory.

    The head goes into a prompt before all else; see `remem why REF --persona NAME`.
    """
    workbench = session.workbench
    intent = workbench.intend("lesson.pin", entries_named(workbench.library, refs))
    carry_out(session, pinned(intent, digests), dry_run=dry_run)
