"""Where the program starts: it answers what hooks ask at every turn before it loads the rest.

A `remem snapshot` that has nothing to add is most of them, and finding that out takes a third of
what loading click does. The screens' first frame stands before they are loaded, where it is known.
All else is the command line's.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from remem.cli.first_frame import Taken

_INTERRUPTED: Final = 130
"""What a shell reports for a program that SIGINT ended."""
_VALUES: Final = frozenset({"--root", "--home", "--as", "--by"})
_OPENING: Final = ("/", ".", "~", "--root", "--home")
"""How what opens the screens begins; no command does, and none waits for what shows a frame."""


def main() -> None:
    """Run the command line of this process."""
    if sys.argv[1:2] == ["snapshot"] and has_nothing_to_add(sys.argv[2:]):
        return
    if not may_open(sys.argv[1:]):
        from remem.cli.main import main as run_command_line

        run_command_line()
        return
    gc.disable()  # what is loaded now stays; the command line looks for garbage again
    from remem.cli.first_frame import Taken, asked_for, show_first_frame

    terminal = Taken()
    try:
        asked = asked_for(sys.argv[1:])
        if asked is None:
            from remem.cli.main import main as run_command_line

            run_command_line()
            return
        show_first_frame(asked, terminal)
        _open_screens(*asked, terminal)
    except KeyboardInterrupt:  # while it was loaded
        if not terminal.is_ours:
            raise
        sys.exit(_INTERRUPTED)
    finally:
        terminal.give_back()


def _open_screens(folder: str, home: Path | None, terminal: Taken) -> None:
    """Open the screens; nothing of the command line is loaded for that."""
    from remem.cli.process import begin, end, exit_code

    begin()
    end(exit_code(lambda: _opened(folder, home, terminal), sys.argv[1:]))


def _opened(folder: str, home: Path | None, terminal: Taken) -> int:
    from remem.cli.invocation import Invocation
    from remem.cli.open import open_screens

    taken = terminal if terminal.is_ours else None
    there = "" if home is None else str(home)
    return open_screens(Invocation(root_given=folder, home_given=there, taken=taken))


def may_open(arguments: Sequence[str]) -> bool:
    """Tell whether the screens may be asked for: by nothing, a folder, or where to look."""
    return not arguments or arguments[0].startswith(_OPENING)


def has_nothing_to_add(arguments: Sequence[str]) -> bool:
    """Tell whether a snapshot with these options would find every file as the last one left it.

    Options other than the few that hooks give are left to the command, as are mistakes.
    """
    told: dict[str, str] = {}
    rest = [*arguments]
    while rest:
        name = rest.pop(0)
        name, is_joined, value = name.partition("=")
        if name not in _VALUES or not (is_joined or rest):
            return False
        told[name] = value if is_joined else rest.pop(0)
    from pathlib import Path

    from remem.base.user_folders import told_environment, user_folders
    from remem.core.last_look import SNAPSHOTS, last_look
    from remem.store.io import Disk

    named, home = told.get("--root", ""), told.get("--home", "") or os.environ.get("REMEM_HOME", "")
    other = Path(home).expanduser().absolute() if home else None
    folders = user_folders(other)
    start = Path(os.path.realpath(Path(named).expanduser() if named else Path.cwd()))
    disk = Disk()
    look = last_look(
        disk,
        folders.cache,
        start,
        is_named=bool(named),
        kept=SNAPSHOTS,
        environment=told_environment(other),
    )
    return look is not None and not look.changed(disk)
