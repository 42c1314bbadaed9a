"""The command `snapshot`: a dated version of every memory file that changed, for hooks."""

from __future__ import annotations

import os
from pathlib import Path

import click

from remem.cli.session import Session, common_options, pass_session


@click.command("snapshot")
@common_options
@pass_session
def snapshot(session: Session) -> None:
    """Note how memory stands now; nothing counts as seen.

    Meant for hooks at the start and the end of an agent's work: what comes at different times is
    told apart, and what is removed later can be restored. Where nothing changed since the last
    snapshot it only looks at the files' times.
    """
    from remem.base.user_folders import user_folders
    from remem.core.last_look import SNAPSHOTS, last_look
    from remem.store.io import Disk

    folders, disk = user_folders(session.home), Disk()
    given = session.root_given
    start = Path(os.path.realpath(Path(given).expanduser() if given else Path.cwd()))
    look = last_look(disk, folders.cache, start, is_named=bool(given), kept=SNAPSHOTS)
    if look is not None and not session.repo_given and not look.changed(disk):
        _tell(session, look.root, 0, None)
        return
    workbench = session.workbench
    workbench.begin_inbox()
    workbench.note_look(SNAPSHOTS)
    changed = look.changed(disk) if look is not None else 0
    _tell(session, workbench.root, changed, len(workbench.library.aside.unreviewed))


def _tell(session: Session, root: Path, changed: int, unreviewed: int | None) -> None:
    if not session.as_json:
        return
    from remem.cli.out import emit
    from remem.views.documents.entries import SnapshotReport

    emit(SnapshotReport(root=str(root), changed=changed, unreviewed=unreviewed))
