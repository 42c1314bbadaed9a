"""The verb that makes a rule checkable by machine, and what is proposed to it.

It only looks whether there may be something to read: reading it is `detect_plan.py`'s, which is
loaded where there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.verbs.args import Undeclared
from remem.core.verbs.verb import Planner, Writing, needs, read_only
from remem.model.change import Change, Intent
from remem.model.entry import Entry, FileSpan, Ref, Status
from remem.systems.sniper.records import RECORDS
from remem.systems.sniper.stores import StoreEntries, look_for
from remem.systems.workspace.records import WORKSPACE

if TYPE_CHECKING:
    from remem.core.waiting.item import Item


def _plan_detect(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.core.checks.detect_plan import plan_detect

    return plan_detect(library, intent)


def _plan_leave_unchecked(library: Library, intent: Intent) -> Change:
    from remem.core.checks.detect_plan import plan_leave_unchecked

    return plan_leave_unchecked(library, intent)


_SNIPER: Final = "sniper"
_BEGINS: Final = (
    rb"[\"']?[ \t]*:[ \t>|\"'-]*\s*[\"'`]?(?:[Nn](?:o|ever) |[Aa]void |[Dd]o(?: not|n't) |[Ii]mport"
    rb"|[Cc]all|[Uu]s(?:e|ing) |[Bb]are|[Ee]mpty|[Ss]tar |[Ww]ildcard|TODO|FIXME|[Ee](?:very|ach) "
    rb"|[Aa]ll )"
)
_MAY_SAY: Final = {
    word: re.compile(word + after)
    for word, after in (
        (b"detection_hint", rb"[\"']?[ \t]*:"),
        (b"rule", _BEGINS),
        (b"description", _BEGINS),
        (b"text", _BEGINS),
    )
}
"""What stands before words that may be read, by the key it begins with."""
_LOOKS: Final = tuple(look_for(word, pattern) for word, pattern in _MAY_SAY.items())


def _is_no_rule(library: Library, entry: Entry) -> str | None:
    if entry.ref.format not in (_SNIPER, WORKSPACE) or entry.kind not in RECORDS:
        return "only conventions, anti-patterns and decisions are checked by machine"
    return read_only(library, entry)


DETECT: Final = Writing(
    "detect",
    "Check by machine",
    "D",
    "Write what a machine checks of it, with live matches.",
    "Decide",
    needs(_is_no_rule),
    args=Undeclared,
    plan=_plan_detect,
    shows="always",
)

VERBS: Final = (DETECT,)


def hinted(entries: StoreEntries) -> Sequence[int]:
    """Return the places of entries that may be read."""
    return tuple(dict.fromkeys(number for look in _LOOKS for number in entries.hinted(look)))


def detect_items(library: Library) -> Iterable[Item]:
    """Return an item for each rule that could be checked by machine and is not."""
    stores = (source.entries for source in library.of_format(_SNIPER))
    if not any(isinstance(entries, StoreEntries) and hinted(entries) for entries in stores):
        return ()
    from remem.core.checks.detect_plan import items

    return items(library)


def is_proposed(library: Library, entry: Entry) -> bool:
    """Tell whether a check by machine is proposed for an entry that is in force."""
    if entry.ref.format != _SNIPER or entry.status is not Status.ACTIVE:
        return False
    if not isinstance(entry.at, FileSpan):
        return False
    data = library.source_of(entry).data
    if not any(pattern.search(data, entry.at.start, entry.at.end) for pattern in _MAY_SAY.values()):
        return False
    from remem.core.checks.detect_plan import proposal_of

    return proposal_of(library, entry) is not None


def or_detect(otherwise: Planner) -> Planner:
    """Let approving a rule that is in force write what a machine checks of it."""

    def plan(library: Library, intent: Intent) -> Change:
        return _plan_detect(library, intent, Undeclared())

    return _or(otherwise, plan)


def or_leave_unchecked(otherwise: Planner) -> Planner:
    """Let rejecting a rule that is in force send away what is proposed for it."""
    return _or(otherwise, _plan_leave_unchecked)


def _or(otherwise: Planner, own: Planner) -> Planner:
    def plan(library: Library, intent: Intent) -> Change:
        mine = sum(_is_shown(library, ref, digest) for ref, digest in intent.shown.items())
        if not mine:
            return otherwise(library, intent)
        if mine < len(intent.shown):
            raise NotPossible(
                "checks by machine are decided on by themselves", hint="choose only these"
            )
        return own(library, intent)

    return plan


def _is_shown(library: Library, ref: Ref, digest: str) -> bool:
    known = ref.format == _SNIPER and library.has(ref)
    return known and is_proposed(library, library.entry(ref, digest))
