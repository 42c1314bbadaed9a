"""A place that holds memory, and how its agents load it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar, overload

from remem.base.effects import Splice
from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.base.turns import give_way
from remem.model.entry import Entry, Problem, Ref

if TYPE_CHECKING:
    from remem.edit.yaml_edit import Edit
    from remem.store.cache import Cache

T = TypeVar("T")
MEND: Final = "fix the problems that `remem status` lists"
"""What to do about a file that cannot be written."""


class SourceKind(StrEnum):
    """What may be done with a source."""

    STORE = "store"
    """A file of records, composed by remem's rules."""
    MEMORY = "memory"
    """A file or database that belongs to one persona or agent."""
    DOCUMENT = "document"
    """Browsed, never composed by itself: a retro, estimates, a charter, a definition."""


class LoaderKind(StrEnum):
    """How an agent gets a source at its start (DESIGN §1)."""

    WHOLE = "whole"
    HEAD = "head"
    TAIL = "tail"
    ENDS = "ends"
    """The beginning and the end; of what is longer, the middle is left out."""
    NAMES_ONLY = "names only"
    ON_REQUEST = "on request"
    COMPOSED = "composed"
    NESTED = "below its folder"
    """When the agent works on a file in the folder, or below it."""
    BY_PATH = "by path"
    """When the agent works on a file that one of its globs fits."""
    DESCRIBED = "by description"
    """The agent sees what it is about, and decides."""
    BY_NAME = "by name"
    """When a person or the agent names it."""
    IMPORTED = "imported"
    """Where another file says `@` and its path."""
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Loader:
    """How an agent gets a source; 0 = no such limit."""

    kind: LoaderKind
    lines: int = 0
    bytes: int = 0
    characters: int = 0

    def __str__(self) -> str:
        match self.kind:
            case LoaderKind.HEAD:
                limits = (
                    (self.lines, "lines"),
                    (self.bytes, "bytes"),
                    (self.characters, "characters"),
                )
                return "first " + " or ".join(f"{most:,} {unit}" for most, unit in limits if most)
            case LoaderKind.ENDS if self.characters:
                return f"beginning and end, {self.characters:,} characters together"
            case LoaderKind.ENDS:
                return f"first and last {self.bytes // 2:,} bytes"
            case LoaderKind.TAIL:
                return f"last {self.characters:,} characters"
            case _:
                return str(self.kind)


COMPOSED = Loader(LoaderKind.COMPOSED)
WHOLE = Loader(LoaderKind.WHOLE)
ON_REQUEST = Loader(LoaderKind.ON_REQUEST)


class Lazy(Sequence[T], Generic[T]):
    """A sequence of known length whose items are made when they are first asked for.

    Making an item twice from two threads is harmless: equal inputs give equal items.
    """

    __slots__ = ("_all_before", "_items")

    def __init__(self, items: list[T | None]) -> None:
        """Take over what is made already; `None` = not yet."""
        self._items = items
        self._all_before = 0
        """Up to here all are known; it only grows."""

    @abstractmethod
    def make(self, index: int) -> T:
        """Make one item; `index` is not negative."""

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        item = self._items[index]
        if item is None:
            item = self._items[index] = self.make(index % len(self._items))
        return item

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        for index, item in enumerate(self._items):
            give_way()
            yield self[index] if item is None else item

    @property
    def is_complete(self) -> bool:
        """True once every item was made; until then counts by content carry `≈`."""
        place = self._all_before
        while place < len(self._items) and self.known(place) is not None:
            place += 1
        self._all_before = place
        return place >= len(self._items)

    def unchanged(self, before: Sequence[T]) -> tuple[int, int]:
        """Return how many items at the start and at the end say what they said in another one.

        Where they stand may differ.
        """
        return (len(self), 0) if self is before else (0, 0)

    def known(self, index: int) -> T | None:
        """Return the item if making it takes no parsing: it was made, maybe for another place."""
        return self._items[index]


class Deferred(Sequence[T], Generic[T]):
    """A sequence that is made as a whole when somebody first looks into it.

    How long it is nobody knows before. Making it twice from two threads is harmless.
    """

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._make = make
        self._items: Sequence[T] | None = None

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def is_complete(self) -> bool:
        """True once it was looked into."""
        return self._items is not None

    def _all(self) -> Sequence[T]:
        items = self._items
        if items is None:
            items = self._items = self._make()
        return items


class KnowsRefs(Lazy[Entry]):
    """Entries whose refs are known before any of them is parsed."""

    __slots__ = ()

    @abstractmethod
    def ref(self, index: int) -> Ref:
        """Return the ref of the entry at a place."""

    @abstractmethod
    def find(self, ref: Ref) -> int | None:
        """Return the place of the entry with that ref."""

    def places_of(self, name: str) -> Iterator[int]:
        """Yield the places of the entries with that id in their refs, in order."""
        return (place for place in range(len(self)) if self.ref(place).id == name)


class Run(NamedTuple):
    """Entries that stand one after another in a file."""

    first: int
    last: int
    """The place behind the last of them."""
    name: bytes
    """What tells them from all others that say anything else: a digest of all they are read from.

    Where they stand in the file is no part of it: what changed elsewhere leaves the name as it is.
    """


class KnowsSpans(KnowsRefs):
    """Entries of one file of which is known where each stands before any of them is parsed."""

    __slots__ = ()

    def keep_in(self, cache: Cache) -> None:
        """Say where what is read of many entries is kept from one process to the next."""

    def keep(self) -> None:
        """Have kept what was read; the cache writes it when nobody waits."""

    def runs(self) -> Sequence[Run]:
        """Return all entries in runs, of which answers can be kept; empty = there are few."""
        return ()

    @abstractmethod
    def bytes_of(self, index: int) -> bytes:
        """Return the bytes of the entry at a place, as they stand in its file."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Source:
    """One place that holds memory: a store file, a persona's memory file, a database, a document.

    `Reader.discover` gives it without contents; `Reader.read` returns it with `data`, `entries` and
    `problems`. It is never changed afterwards.
    """

    name: str
    """What people call it: `conventions`, `Hill/history.md`."""
    format: str
    layout: str
    place: str
    kind: SourceKind
    path: Path
    loader: Loader = COMPOSED
    owner: str = ""
    """The persona or agent it belongs to; empty for what all share."""
    scope: str = ""
    """`project`, `local` or `user` where the layout has scopes."""
    part: str = ""
    """Which part of its format it is: `conventions`, `core`, `topic`, `charter`, `definition`, …"""
    archived: bool = False
    """It lies in an archive: what it holds is browsed and restored, never composed."""
    writable: bool = True
    data: bytes = b""
    digest: str = ""
    """Digest of `data`; empty until read."""
    entries: Sequence[Entry] = ()
    problems: tuple[Problem, ...] = ()
    is_served: bool = False
    """A server keeps it: `path` is what people call it, and no file lies there."""
    rests_on: tuple[Path, ...] = ()
    """Other files that its entries are judged by: when one changes, it is read again."""
    repository: str = ""
    """The repository it was found in, where a whole workspace is open; empty = it is shared."""
    holds: str = ""
    """The kind of all its entries, where that is known before one is parsed; empty = look."""

    @property
    def key(self) -> tuple[str, Path]:
        """What makes it the same source in the next snapshot."""
        return (self.format, self.path)

    def splices(self, edits: Iterable[Edit]) -> tuple[Splice, ...]:
        """Return edits of its file as effects, bound to the bytes that they were planned on."""
        return tuple(
            Splice(self.path, e.start, e.end, self.data[e.start : e.end], e.new, self.digest)
            for e in edits
        )

    def may_hold(self, kind: str) -> bool:
        """Leave out what cannot hold entries of that kind, so that it is not parsed for them."""
        if self.holds:
            return self.holds == kind
        return bool(self.entries) and self.entries[0].kind == kind

    def is_home_of(self, ref: Ref, kind: str) -> bool:
        """Tell whether an entry of its place with that ref and kind would stand here."""
        return self.kind is SourceKind.STORE and self.may_hold(kind)

    @property
    def is_headed(self) -> bool:
        """True where an entry's title is its heading or first line, and its text stands below."""
        return False

    @property
    def is_writable(self) -> bool:
        return not self.why_read_only

    @property
    def why_read_only(self) -> str:
        """What keeps remem from writing to it, as a sentence; empty where nothing does."""
        return why_not_written(self)


def why_not_written(source: Source, entry: Entry | None = None) -> str:
    """Return what keeps remem from writing a source or an entry of it, with its line.

    As a sentence without a full stop; empty where nothing does.
    """
    problems = (*source.problems, *(entry.problems if entry is not None else ()))
    wrong = next((each for each in problems if each.blocks_writing), None)
    if wrong is None:
        return "" if source.writable else f"`{source.name}` is read-only here"
    if source.path.name in wrong.message:
        return wrong.message
    line = f", line {wrong.line}" if wrong.line else ""
    if wrong.code == "syntax":
        return f"`{source.path.name}` does not parse{line}: {wrong.message}"
    return f"`{source.path.name}` cannot be written{line}: {wrong.message}"


def need_writable(source: Source, entry: Entry | None = None, hint: str = MEND) -> None:
    """Insist that remem may write a source, or an entry of it.

    Raises:
        Refused: It may not, and why.
    """
    why = why_not_written(source, entry)
    if why:
        raise Refused(why, hint=hint)
