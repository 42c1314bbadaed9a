"""The command `snapshot`: a dated version of every memory file that changed, for hooks."""

from __future__ import annotations

import os
from pathlib import Path

import click

from remem.cli.invocation import Invocation
from remem.cli.options import RenamedOption, common_options, pass_invocation


@click.command("snapshot")
@click.option(
    "--as",
    "--by",
    "by",
    cls=RenamedOption,
    default="",
    metavar="NAME",
    help="Who worked here, as the hook knows it.",
)
@common_options
@pass_invocation
def snapshot(invocation: Invocation, by: str) -> None:
    """Record the state of memory; nothing is marked as reviewed.

    For hooks at the start and end of an agent's work: it separates events in time and lets you
    restore later removals. If nothing changed, it only checks file times.
    """
    from remem.base.user_folders import told_environment, user_folders
    from remem.core.last_look import SNAPSHOTS, last_look
    from remem.store.io import Disk

    folders, disk = user_folders(invocation.home), Disk()
    given = invocation.root_given
    start = Path(os.path.realpath(Path(given).expanduser() if given else Path.cwd()))
    look = last_look(
        disk,
        folders.cache,
        start,
        is_named=bool(given),
        kept=SNAPSHOTS,
        environment=told_environment(invocation.home),
    )
    if look is not None and not invocation.repo_given and not look.changed(disk):
        _tell(invocation, look.root, 0, None)
        return
    session = invocation.session
    session.begin_inbox(f"hook of {by}" if by else "")
    session.note_look(SNAPSHOTS)
    changed = look.changed(disk) if look is not None else 0
    _tell(invocation, session.root, changed, len(session.library.aside.unreviewed))


def _tell(invocation: Invocation, root: Path, changed: int, unreviewed: int | None) -> None:
    if not invocation.as_json:
        return
    from remem.cli.out import emit
    from remem.views.documents.entries import SnapshotReport

    emit(SnapshotReport(root=str(root), changed=changed, unreviewed=unreviewed))
