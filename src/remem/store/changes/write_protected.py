"""Files that their owner protected against writing, as `chmod a-w` does: no decision changes them.

To replace a file takes rights on its folder alone, so the system would let it happen. Moving one is
no change of it: its bytes and its mode stay.
"""

import stat
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from remem.base.effects import Delete, Effect, Splice
from remem.base.errors import Refused
from remem.store.io import Disk, real_path


def is_protected(disk: Disk, path: Path) -> bool:
    """Tell whether there is a file that not even its owner may write to."""
    mode = disk.mode(real_path(path))
    return mode is not None and not mode & stat.S_IWUSR


def need_unprotected(disk: Disk, path: Path) -> None:
    """Refuse to edit or delete a file that is protected.

    Raises:
        Refused: It is.
    """
    if is_protected(disk, path):
        raise Refused(
            f"`{path}` is write-protected; nothing was written",
            hint=f"`chmod u+w {quote(str(path))}` takes that off",
        )


def need_all_unprotected(disk: Disk, effects: Iterable[Effect]) -> None:
    """Refuse what a change would be refused for, before it is shown as one that can be made.

    Raises:
        Refused: It edits or deletes a file that is protected.
    """
    for effect in effects:
        if isinstance(effect, Splice | Delete):
            need_unprotected(disk, effect.path)
