"""Intents, changes and their effects: what a verb was asked, and what it would write.

The effects themselves are `base/effects.py`'s, for what carries them out knows no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from remem.base.effects import Clear as Clear
from remem.base.effects import Create as Create
from remem.base.effects import Delete as Delete
from remem.base.effects import Derived as Derived
from remem.base.effects import Effect as Effect
from remem.base.effects import Json as Json
from remem.base.effects import Move as Move
from remem.base.effects import RowEdit as RowEdit
from remem.base.effects import Splice as Splice
from remem.base.frozen import dataclass
from remem.model.entry import Ref

INTO_SHOWN: Final = "into_shown"
"""Argument of a merge: the digest of the entry that takes the others in, as it was shown."""
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

    def drawn(self) -> Iterator[tuple[Ref, str]]:
        """Yield all entries that it is about with the digests that were shown; empty = none was."""
        yield from self.shown.items()
        if self.text(INTO_SHOWN):
            yield Ref.parse(self.text("into")), self.text(INTO_SHOWN)

    def text(self, name: str, default: str = "") -> str:
        """Return a text argument; anything else counts as absent."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else default

    def flag(self, name: str) -> bool:
        return self.arguments.get(name) is True


def asked_for(intent: Intent) -> dict[str, Json]:
    """Return what a verb was told to do, without how it was drawn and what was acknowledged."""
    drawn = ("acknowledged", INTO_SHOWN)
    told = {name: value for name, value in intent.arguments.items() if name not in drawn}
    return {name: value for name, value in told.items() if value not in (None, "", [], {}, False)}


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
    offers: str = ""
    """The flag of its verb by which it would do more, where there is more to do; empty = none."""

    planned_at: datetime | None = field(default=None, compare=False)
    """The time that names in it are made of; `None` = it is not known."""

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
