"""Rules in force that a machine could check and does not: what says so waits for a person.

It only looks whether there may be something to read: reading it is `detect_plan.py`'s,
which is loaded where there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from remem.core.library import Library
from remem.core.waiting.kinds import (
    Act,
    OfEntries,
)
from remem.model.change import Change, Intent
from remem.model.entry import Entry, FileSpan, Status
from remem.systems.sniper.stores import MAY_SAY, StoreEntries, may_be_read

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject
    from remem.core.waiting.item import Item

_SNIPER: Final = "sniper"


class Unchecked(OfEntries):
    """What the hint of a rule says could be checked by machine."""

    id = "detect"
    order = 50
    system = _SNIPER
    status = Status.ACTIVE
    is_sought = True

    def items(self, library: Library) -> Iterable[Item]:
        stores = (source.entries for source in library.of_format(_SNIPER))
        if not any(
            isinstance(entries, StoreEntries) and may_be_read(entries) for entries in stores
        ):
            return ()
        from remem.systems.sniper.detect_plan import items

        return items(library)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if not _is_proposed(library, entry):
            return {}
        return {"approve": Act(_plan_detect), "reject": Act(_plan_leave_unchecked)}


def _is_proposed(library: Library, entry: Entry) -> bool:
    if not isinstance(entry.at, FileSpan):
        return False
    data = library.source_of(entry).data
    if not any(pattern.search(data, entry.at.start, entry.at.end) for pattern in MAY_SAY.values()):
        return False
    from remem.systems.sniper.detect_plan import proposal_of

    return proposal_of(library, entry) is not None


def _plan_detect(library: Library, intent: Intent, _: Approve) -> Change:
    from remem.systems.sniper.detect_plan import plan_detect
    from remem.systems.sniper.sniper_verbs import CheckByMachine

    return plan_detect(library, intent, CheckByMachine())


def _plan_leave_unchecked(library: Library, intent: Intent, args: Reject) -> Change:
    from remem.systems.sniper.detect_plan import plan_leave_unchecked

    return plan_leave_unchecked(library, intent, args)
