"""What is wrong with one field of a record."""

from __future__ import annotations

from typing import TypeAlias

from remem.base.frozen import dataclass

Path: TypeAlias = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A field that is not what its record wants."""

    code: str
    """`missing`, `type`, `value` or `shape`."""
    path: Path
    """Keys and places in lists, from 0."""
    message: str
    hint: str = ""

    @property
    def field(self) -> str:
        """The path as people read it, places from 1: `seen.2.ref`."""
        return dotted(self.path)


def dotted(path: Path) -> str:
    """Return a path as people read it, places in lists from 1."""
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)
