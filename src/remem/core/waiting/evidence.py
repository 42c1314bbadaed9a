"""What systems know of entries of others, and what speaks for a candidate when it is decided on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from remem.model.change import Intent
from remem.model.entry import Ref

if TYPE_CHECKING:
    from remem.core.draft import Draft
    from remem.core.library import Library
    from remem.core.waiting.item import Item


class Evidence(Protocol):
    """What was found out about one entry, and waits beside it."""

    def told(self, item: Item) -> Item:
        """Return the card of the entry, which waits, with what was found said on it."""
        ...

    def count(self, draft: Draft, intent: Intent) -> None:
        """Plan to note in the entry what was found: a person puts it into force."""
        ...


def evidence(library: Library) -> Mapping[Ref, Evidence]:
    """Return what any system found out about entries, by their refs; the first system counts."""
    known: dict[Ref, Evidence] = {}
    for each in library.formats:
        if each.facets.evidence is not None:
            known = {**each.facets.evidence(library), **known}
    return known
