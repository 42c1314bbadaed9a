"""What a plug-in declares, and what its parts answer. It is *not yet stable*.

`remem.plugin` is the name that plug-ins import it under.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, Protocol

from remem.base.frozen import dataclass
from remem.core.system import Addition, Ground
from remem.model.change import Effect, Json
from remem.model.entry import Entry, Problem, Status
from remem.model.prompt import Ask, Offer
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.verbs.verb import Writing

CONTRACT: Final = 1
"""The version of all that stands here. Another one is not loaded."""
CODE: Final = "plug-in"
"""Of every problem that is about a plug-in and not about what it reads."""


class Reader(Protocol):
    """Finds files and says what stands in them; it writes nothing."""

    def discover(self, ground: Ground) -> Iterable[Source]:
        """Yield every source below the root or the home folder, unread, in a steady order."""
        ...

    def read(self, source: Source, data: bytes) -> Iterable[Entry | Problem]:
        """Yield the entries of a file in their order, and what is wrong with it.

        An entry stands at a `FileSpan` or is a `WholeFile`; its digest is that of its bytes, and
        its ref has the place of the source. Nothing in `data` raises.
        """
        ...

    def fields(self, source: Source, entry: Entry) -> Mapping[str, Json]:
        """Return what an entry holds, in file order, as plain values."""
        ...


class Keeper(Protocol):
    """Plans what writing would do; nothing is written here.

    What it plans is read again before it is shown: every other entry must stand as it stood.
    """

    def add(
        self, ground: Ground, sources: Sequence[Source], kind: str, fields: Mapping[str, Json]
    ) -> Addition:
        """Plan to add an entry at the end of its store; the field `status` is a `Status`."""
        ...

    def edit(self, source: Source, entry: Entry, fields: Mapping[str, Json]) -> Sequence[Effect]:
        """Plan to set fields; one that is given as `None` is taken out."""
        ...

    def set_status(self, source: Source, entry: Entry, status: Status) -> Sequence[Effect]:
        """Plan to give an entry that status; `NotPossible` where the format has no word for it."""
        ...

    def remove(self, source: Source, entry: Entry) -> Sequence[Effect]:
        """Plan to take an entry out of its file."""
        ...


class Composer(Protocol):
    """Says what of it reaches a prompt, before any budget has spoken."""

    def roles(self, sources: Sequence[Source]) -> Iterable[str]:
        """Return the roles that its files name."""
        ...

    def offers(self, sources: Sequence[Source], ask: Ask) -> Iterable[Offer]:
        """Return its memory layers for that role or persona."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One more way of keeping memory, told without loading what it needs.

    The parts are made when something of it is found. Each but the reader may be absent.
    """

    contract: int
    """The version that it was written for: `CONTRACT` of the day."""
    name: str
    """Small letters; the word in its refs and in the history, for ever."""
    kinds: tuple[str, ...]
    """The kinds of its entries, which no other system has."""
    places: tuple[str, ...]
    """Folders and files below the root, below the home folder with `~/`. Where none is there,
    nothing of it is made; they are watched."""
    reader: Callable[[], Reader]
    keeper: Callable[[], Keeper] | None = None
    """`None` = it is shown and never written."""
    composer: Callable[[], Composer] | None = None
    """`None` = nothing of it reaches a prompt."""
    text_fields: Mapping[str, str] = field(default_factory=dict)
    """The field that has an entry's text, by kind; of any other kind it is `text`."""
    warns: tuple[str, ...] = ()
    """The kinds that name what is wrong, so that the same words ask for the opposite."""
    verbs: tuple[Writing[Any], ...] = ()
    """What else a person can do with it; ids begin with its name and a dot."""
    problems: Callable[[Library], Iterable[Issue]] | None = None
    """What is worth a look though no file is broken."""
    beside: Callable[[Library], str] | None = None
    """What Start says beside the agents, in a few words: `3 marks in force`; empty = nothing."""
