"""Intents, changes and their effects: what a verb was asked, and what it would write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from remem.base.frozen import dataclass
from remem.model.entry import Ref

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
_NOTHING: Mapping[str, Json] = MappingProxyType({})
_NONE: Mapping[Ref, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Intent:
    """One verb with what it was asked to do; plain JSON when written down."""

    verb: str
    shown: Mapping[Ref, str] = field(default_factory=dict)
    """Each ref with the digest that the person was shown, in the order they were chosen."""
    arguments: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)
    items: tuple[str, ...] = ()
    """Ids of what waited, as it was drawn; what was settled since is not decided on. The history
    keeps them to tell what was decided under that name, and gives back an intent without them."""
    waiting: Mapping[Ref, str] = field(default_factory=lambda: _NONE)
    """Which kind of waiting was on the card of each: an entry may wait for several reasons."""

    def to_json(self) -> dict[str, Json]:
        return {
            "verb": self.verb,
            "shown": {str(ref): digest for ref, digest in self.shown.items()},
            "arguments": dict(self.arguments),
            **({"items": [*self.items]} if self.items else {}),
        }

    def text(self, name: str, default: str = "") -> str:
        """Return a text argument; anything else counts as absent."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else default

    def flag(self, name: str) -> bool:
        return self.arguments.get(name) is True


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


@dataclass(frozen=True, slots=True)
class Derived:
    """Render `path` again from what was committed; `format` knows how."""

    path: Path
    format: str


Effect = Splice | Create | Delete | Move | Clear | RowEdit | Derived


@dataclass(frozen=True, slots=True)
class Change:
    """The plan of an intent: byte-exact effects and what to tell about them."""

    intent: Intent
    title: str
    """One line for history and toast: `Approve conv-012`."""
    effects: tuple[Effect, ...]
    reason: str = ""
    touched: Mapping[Ref, Ref | None] = field(default_factory=dict)
    """Old ref → new ref; `None` where the entry leaves memory."""
    receipt: str = ""
    """Where text moved: how the units add up (DESIGN §3.2)."""
    notes: tuple[str, ...] = ()
    """What the person should know before it happens: `the memory lies beside the existing one`."""

    @property
    def stands(self) -> frozenset[Ref]:
        """The refs that what it touched has afterwards."""
        return frozenset(ref for ref in self.touched.values() if ref is not None)


@dataclass(frozen=True, slots=True)
class Committed:
    """A change that stands on disk and in the journal."""

    id: str
    change: Change
    warnings: tuple[str, ...] = ()
    """What did not go as planned without harm: a derived file left alone, for one."""


def touched_paths(effects: Iterable[Effect]) -> frozenset[Path]:
    """Return every path that effects write, both ends of a move."""
    paths: set[Path] = set()
    for effect in effects:
        match effect:
            case Splice(path=path) | Create(path=path) | Delete(path=path) | Derived(path=path):
                paths.add(path)
            case Move(source=source, target=target):
                paths |= {source, target}
            case RowEdit(database=database):
                paths.add(database)
            case Clear():
                pass  # the files that were in it are said already
    return frozenset(paths)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in plain values, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)
