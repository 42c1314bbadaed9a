"""What a change does to bytes and rows, as values: nothing here knows what they mean.

Each effect says on which bytes it was planned, so that whoever carries it out can tell that others
wrote meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

from remem.base.frozen import dataclass

_BIG: Final = 128 * 1024
"""Bytes from which on digests are kept; until then nothing is loaded for them."""
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def digest_of(data: bytes) -> str:
    """Return 32 hexadecimal digits that stand for `data` wherever bytes are compared."""
    if len(data) < _BIG:
        # Processors have instructions for this one: of megabytes it takes half the time of blake2b.
        return sha256(data).hexdigest()[:32]
    from remem.base.digests import kept_digest

    return kept_digest(data)


def begin_digest_of(data: bytes) -> None:
    """Let another thread work out what `digest_of` is soon asked for, where that takes long."""
    if len(data) >= _BIG:
        from remem.base.digests import begin_digest

        begin_digest(data)


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace `old` at `[start, end)` by `new`; several on one file never overlap."""

    path: Path
    start: int
    end: int
    old: bytes
    new: bytes
    planned_on: str
    """Digest of the whole file that the offsets belong to."""

    @property
    def only_adds(self) -> bool:
        return self.start == self.end


@dataclass(frozen=True, slots=True)
class Create:
    """Make a file that is not there yet, with the folders above it."""

    path: Path
    data: bytes


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a file that still has these bytes."""

    path: Path
    data: bytes
    planned_on: str


@dataclass(frozen=True, slots=True)
class Move:
    """Rename a file or a folder; the target must not be there."""

    source: Path
    target: Path
    planned_on: str = ""
    """Digest of the file; empty for a folder, whose contents may go on changing."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove a folder if nothing lies in it any more; what is left keeps it."""

    path: Path


@dataclass(frozen=True, slots=True)
class RowEdit:
    """Change columns of one database row, add one, or take one out."""

    database: Path
    table: str
    key: Mapping[str, Json]
    before: Mapping[str, Json]
    """Empty = the row is not there yet."""
    after: Mapping[str, Json]
    """Empty = the row goes."""
    adds: Mapping[str, int] = field(default_factory=dict)
    """What is added to columns that count, whatever they hold by then."""
    loose: tuple[str, ...] = ()
    """Columns of `before` that decide nothing: who wrote them last may have been anybody. What they
    held is taken from the row itself when it is written, so that undo puts that back."""

    @property
    def compared(self) -> Mapping[str, Json]:
        """What a row has to hold so that it is changed."""
        return {name: value for name, value in self.before.items() if name not in self.loose}


@dataclass(frozen=True, slots=True)
class Derived:
    """Render `path` again from what was committed; `format` knows how."""

    path: Path
    format: str


Effect = Splice | Create | Delete | Move | Clear | RowEdit | Derived
