"""How a verb is declared: its words, its key, when it cannot act, and what plans it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from remem.base.errors import UnknownRef
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.waiting.item import Item

Planner: TypeAlias = Callable[[Library, Intent], Change]
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
    key: str
    """Empty = no key of its own."""
    help: str
    group: str
    why_not: WhyNot = never
    """Why it cannot act on this, in words for the footer; `None` when it can. Reads no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing(Verb):
    """A verb that writes: every door asks for it by an intent, and all that it does is its plan."""

    plan: Planner
    """Its body imports what is dear: declaring a verb loads nothing."""
    shows: Literal["several", "always"] = "several"
    """When the screens show its plan first: for more than one entry, or always."""
    reach: Literal["repository", "whole"] = "repository"
    """Of a workspace: planned in each repository by itself, or seeing all of them."""


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
        return "there is nothing under the cursor" if entry is None else check(library, entry)

    return why_not


def read_only(library: Library, entry: Entry) -> str | None:
    """Block it where the entry or its source is only shown."""
    source = library.source_of(entry)
    if entry.is_read_only or not source.is_writable:
        return f"`{source.name}` is shown and not written"
    return None
