"""Which observations bore an entry out though none of them names it: those that say what it says.

The same rule as consolidation's, asked again of what was counted; texts may have changed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from weakref import WeakKeyDictionary

from remem.core.library import Library
from remem.model.entry import Status
from remem.systems.shaktra.brief_rank import Held as Briefable
from remem.systems.shaktra.consolidation_match import best_match
from remem.systems.shaktra.consolidation_rules import store_of
from remem.systems.shaktra.consolidation_terms import Held, Noted, held, noted
from remem.systems.shaktra.layer import held_in
from remem.systems.shaktra.mentions import Mention, Observed, mentions
from remem.systems.shaktra.records import CHECK, REINFORCE, SHAKTRA

MOST: Final = 500
"""Observations that are asked, the newest: more would hold up the screen."""
MOST_RIVALS: Final = 1_000
"""Entries above which nothing is told of matches: memory is capped far below."""

_noted: Final[WeakKeyDictionary[Library, Sequence[tuple[Observed, Noted]]]] = WeakKeyDictionary()


def matched(library: Library, own: Held) -> Iterator[Mention]:
    """Yield the counted observations that match an entry better than any other, as they happened.

    The one that an entry was made of is not among them.
    """
    rivals = _rivals(library, own)
    if len(rivals) > MOST_RIVALS:
        return
    for seen, asked in _asked(library):
        if store_of(asked) != own.kind or best_match(asked, (own,)) is None:
            continue
        if seen.story == own.record.source and asked.title == own.title:
            continue
        best = best_match(asked, (held(e.entry.ref, e.record, e.entry.status) for e in rivals))
        if best is not None and best.entry.ref == own.ref:
            yield Mention(seen, REINFORCE)


def _asked(library: Library) -> Sequence[tuple[Observed, Noted]]:
    found = _noted.get(library)
    if found is None:
        seen = [s for s in mentions(library).observed if s.is_counted and s.record.type != CHECK]
        found = _noted[library] = [
            (each, noted(each.ref, each.story, each.record, "", "")) for each in seen[-MOST:]
        ]
    return found


def _rivals(library: Library, own: Held) -> list[Briefable]:
    """Return the entries in force of the same kind, the entry itself among them."""
    return [
        each
        for each in held_in(library.of_format(SHAKTRA))
        if each.record.kind == own.kind
        and (each.entry.status is Status.ACTIVE or each.entry.ref == own.ref)
    ]
