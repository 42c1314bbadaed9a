"""Plans what a person made of a whole file in their editor, whatever the file holds."""

from __future__ import annotations

from pathlib import Path

from remem.base.errors import ChangedOnDisk
from remem.core.library import Library
from remem.core.verbs.verbs import EDIT
from remem.edit.patch import splice_to
from remem.model.change import Change, Intent
from remem.model.entry import digest_of


def edit_of(library: Library, path: Path, before: bytes, after: bytes) -> Change:
    """Return the change that makes one text of a file the other."""
    effects = splice_to(path, before, after, digest_of(before))
    return Change(Intent(EDIT.id), f"Edit {library.ground.shown(path)}", effects)


def moved_under(library: Library, path: Path) -> ChangedOnDisk:
    """Return what to say where somebody else wrote to the file meanwhile."""
    name = library.ground.shown(path)
    return ChangedOnDisk(
        f"`{name}` changed while you edited it; nothing was written",
        hint="press the key again: it opens with what you typed",
    )
