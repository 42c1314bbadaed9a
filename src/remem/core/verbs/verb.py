"""How a verb is declared: its words, its key, and when it is blocked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from remem.base.errors import UnknownRef
from remem.core.library import Library
from remem.model.change import Change, Intent
from remem.model.entry import Entry

if TYPE_CHECKING:
    from remem.core.waiting.item import Item

Planner: TypeAlias = Callable[[Library, Intent], Change]
Blocked: TypeAlias = "Callable[[Library, Item | Entry | None], str | None]"


def never(library: Library, what: Item | Entry | None) -> str | None:
    """Let it through on anything."""
    return None


@dataclass(frozen=True, slots=True)
class Verb:
    """One thing that a person can do."""

    id: str
    """Dotted and permanent: people write it in their keymap."""
    title: str
    key: str
    """Empty = no key of its own."""
    help: str
    group: str
    blocked: Blocked = never
    """Why it cannot act on this, in words for the footer; `None` when it can."""


def entry_now(library: Library, what: Item | Entry | None) -> Entry | None:
    """Return the entry as the library has it now."""
    if what is None:
        return None
    try:
        return library.entry(what.ref)
    except UnknownRef:
        return None


def needs(check: Callable[[Library, Entry], str | None]) -> Blocked:
    """Make a reason of a check on an entry that is there."""

    def blocked(library: Library, what: Item | Entry | None) -> str | None:
        entry = entry_now(library, what)
        return "there is nothing under the cursor" if entry is None else check(library, entry)

    return blocked


def read_only(library: Library, entry: Entry) -> str | None:
    """Block it where the entry or its source is only shown."""
    source = library.source_of(entry)
    if entry.is_read_only or not source.is_writable:
        return f"`{source.name}` is shown and not written"
    return None
