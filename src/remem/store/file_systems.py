"""What a file system can do for a safe commit, found out without writing to it.

Leases are tried on a file that is there. Whether two names can be exchanged shows only in doing it,
so it is told from the kind of the file system, as the kernel lists it in `/proc/self/mountinfo`.
"""

from pathlib import Path
from typing import Final

from remem.base.frozen import dataclass
from remem.store.io import Disk, Unreadable, real_path

_MOUNTS: Final = Path("/proc/self/mountinfo")
_REMOTE: Final = ("nfs", "cifs", "smb", "9p", "fuse", "virtiofs", "ceph", "afs", "ncp")
"""Kinds, or their beginnings, that are known not to exchange names, or not to tell of writers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is missing where a file lies."""

    kind: str
    """Of the file system: `ext4`; empty where the system does not say."""
    exchanges: bool
    """Two names can be swapped in one step, as far as is known."""
    tells_writers: bool
    """It can be seen whether a program has a file open for writing."""

    @property
    def is_whole(self) -> bool:
        return self.exchanges and self.tells_writers


def limits_at(disk: Disk, path: Path) -> Limits:
    """Return what can be had for the file at `path`; reads it once."""
    kind = _kind(disk, path)
    try:
        told = disk.read_settled(path, 0).traffic != "unknown"
    except Unreadable:
        told = True  # what cannot be read is a problem of its own
    return Limits(kind, not kind.startswith(_REMOTE), told)


def _kind(disk: Disk, path: Path) -> str:
    """Return the kind of the file system: of the longest mount point above the path."""
    try:
        lines = disk.read(_MOUNTS).decode("utf-8", "surrogateescape").splitlines()
    except Unreadable:
        return ""
    real = real_path(path)
    found = (0, "")
    for line in lines:
        fields, _, rest = line.partition(" - ")
        parts = fields.split(" ")
        if len(parts) < 5 or not rest:
            continue
        point = Path(_unescaped(parts[4]))
        if real.is_relative_to(point):
            # Of several mounts at one point the last hides the others.
            found = max(found, (len(point.parts), rest.split(" ")[0]), key=lambda each: each[0])
            if found[0] == len(point.parts):
                found = (found[0], rest.split(" ")[0])
    return found[1]


def _unescaped(name: str) -> str:
    r"""Undo how the kernel writes blanks in mount points: `\040`."""
    for code in ("\\040", "\\011", "\\012", "\\134"):
        name = name.replace(code, chr(int(code[1:], 8)))
    return name
