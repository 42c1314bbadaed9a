"""Which plug-ins are installed: read from the folders of `sys.path`, without importing anything.

`importlib.metadata` would take longer to import than most roots take to be read, so the files that
say it are read here: `entry_points.txt` of each distribution.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.store.io import Disk, Unreadable, real_path

GROUP: Final = "remem.systems"
"""The entry-point group in which a plug-in names the function that declares it."""
_SECTION: Final = f"[{GROUP}]"
_ENDINGS: Final = (".dist-info", ".egg-info")


@dataclass(frozen=True, slots=True)
class Installed:
    """A plug-in as its distribution names it."""

    name: str
    target: str
    """`module:function`."""
    distribution: str
    """Its name and version as they are installed: `example_system-1.0`."""
    folder: Path
    """Where that lies."""


def folders(path: Iterable[str], here: Path) -> tuple[Path, ...]:
    """Return the folders that programs are imported from, each once.

    The current folder is not among them: what lies in a repository that somebody cloned must not
    run because they went there.
    """
    found = dict.fromkeys(real_path(Path(each)) for each in path if each)
    found.pop(real_path(here), None)
    return tuple(found)


def installed(disk: Disk, among: Iterable[Path]) -> tuple[Installed, ...]:
    """Return every plug-in that a distribution in one of these folders names, in a steady order."""
    return tuple(
        each
        for folder in among
        for name in disk.names(folder)
        if name.endswith(_ENDINGS)
        for each in _named(disk, folder, name)
    )


def _named(disk: Disk, folder: Path, name: str) -> Iterator[Installed]:
    try:
        data = disk.read(folder / name / "entry_points.txt")
    except Unreadable:
        return
    text = data.decode("utf-8", "replace") if _SECTION.encode() in data else ""
    is_ours = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            is_ours = line == _SECTION
        elif is_ours and "=" in line and not line.startswith(("#", ";")):
            word, _, target = line.partition("=")
            # What stands in brackets are extras, which mean nothing any more.
            target = target.partition("[")[0].strip()
            yield Installed(word.strip(), target, name.rpartition(".")[0], folder)


def installed_here() -> tuple[Installed, ...]:
    """Return the plug-ins of this process."""
    return installed(Disk(), folders(sys.path, Path.cwd()))
