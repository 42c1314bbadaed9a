"""How a verb is declared: its words, its key, when it cannot act, and what plans it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar

from remem.base.errors import UnknownRef
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.verbs.args import Args
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.model.source import why_not_written

if TYPE_CHECKING:
    from remem.core.waiting.item import Item

A = TypeVar("A", bound=Args)
Planner: TypeAlias = Callable[[Library, Intent], Change]
"""Plans what it was told already."""
WhyNot: TypeAlias = "Callable[[Library, Item | Entry | None], str | None]"


def never(library: Library, what: Item | Entry | None) -> str | None:
    """Let it through on anything."""
    return None


@dataclass(frozen=True, slots=True)
class Verb:
    """One thing that a person can do."""

    id: str
    """Dotted and permanent: people write it in their keymap, and it stands in their history."""
    title: str
    key: str = ""
    """Empty = no key of its own."""
    help: str = ""
    """One sentence."""
    group: str = ""
    """Its heading in the help and in the table of keys."""
    why_not: WhyNot = never
    """Why it cannot act on this, in words for the footer; `None` when it can. Reads no file."""
    label: str = ""
    """What the line of keys calls it, where what stands above says the rest; empty = its title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing(Verb, Generic[A]):
    """A verb that writes: every door asks for it by an intent, and all that it does is its plan."""

    args: type[A]
    """What it is told besides the entries; its docstring is the help of the command."""
    plan: Callable[[Library, Intent, A], Change]
    """Its body imports what is dear: declaring a verb loads nothing."""
    shows: Literal["several", "always", "judged"] = "several"
    """When its plan is shown first: for more than one entry, or always. What is `judged` is written
    by its command only with `--apply`."""
    reach: Literal["repository", "whole"] = "repository"
    """Of a workspace: planned in each repository by itself, or seeing all of them."""
    follows: Literal["entry", "added", "merged", "left", "never"] = "entry"
    """What of it is looked after when another writer undoes it: what it made of an `entry`; one
    that it `added`; those that it `merged` into one; nothing of an entry that it `left` as it was,
    for what comes of it stands elsewhere; or it is `never` done again for a single entry, because
    what a file brought vanishes or stands, or it decides on no entry at all."""
    adds: str = ""
    """The kind of the entry that it adds; empty = it is told by `kind`, or adds none."""
    repeats: bool = False
    """`.` does it again elsewhere, with what it was told: that belongs to no one entry alone."""
    command: str = ""
    """As it is typed: `learn reinforce`. Empty = its command is written by hand, or it has none."""
    tool: str = ""
    """What agents call it over MCP. Empty = it is not for them."""
    takes: Literal["", "REF", "REF...", "[REF]", "[REF...]", "REF OTHER", "ITEM", "ITEM..."] = ""
    """What its command names, as its usage shows it: entries, or items of the queue."""
    ids_of: str = ""
    """The system that an id belongs to which the command is given without a word before it."""
    from_queue: bool = False
    """What waits under a name is meant by its command before an entry that is called so."""
    pinned: bool = False
    """`--shown` binds its command to what a script has seen."""
    looks_back: bool = False
    """It decides on what others took out or made again, which its command looks for first."""
    acknowledges: bool = False
    """It brings text into memory: `--acknowledge` lets through what is found in it."""

    def __post_init__(self) -> None:
        if not self.help:
            said = (self.args.__doc__ or "").partition("\n")[0]
            object.__setattr__(self, "help", said)


def entry_now(library: Library, what: Item | Entry | None) -> Entry | None:
    """Return the entry as the library has it now."""
    if what is None:
        return None
    try:
        return library.entry(what.ref)
    except UnknownRef:
        return None


def needs(check: Callable[[Library, Entry], str | None]) -> WhyNot:
    """Make a reason of a check on an entry that is there."""

    def why_not(library: Library, what: Item | Entry | None) -> str | None:
        entry = entry_now(library, what)
        return "nothing selected" if entry is None else check(library, entry)

    return why_not


def read_only(library: Library, entry: Entry) -> str | None:
    """Block it where the entry or its source is only shown."""
    return why_not_written(library.source_of(entry), entry) or None
