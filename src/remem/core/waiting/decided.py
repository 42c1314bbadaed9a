"""What became of a finding: the decision on it that stands, whichever door it was made at.

Nothing is kept for it. A finding was decided when memory says it, when it was merged into an entry,
or when it was rejected; it is open again as soon as none of that holds, after an undo for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.model.change import Json
from remem.model.entry import Entry, Status
from remem.model.memo import kept
from remem.systems.sniper.records import FINDING

if TYPE_CHECKING:
    from remem.core.waiting.records import Coming
    from remem.systems.own.records import Rejection

STATES: Final = ("confirmed", "kept", "merged", "known", "rejected")
"""What a finding can have come to; `known` = memory said it before."""
_SHORTEST: Final = 4
"""Digits of an id that name what no longer waits."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision that stands on a finding."""

    state: str
    """`confirmed`, `kept` as a candidate, `merged`, `rejected`, or `known`: said before it."""
    entry: Entry | None = None
    """The entry that it became, went into, or that says it."""
    rejection: Rejection | None = None

    def short(self, library: Library) -> str:
        """Return it as a list has room for: `confirmed conv-004`."""
        return f"{self.state} {library.short(self.entry.ref)}" if self.entry else self.state

    def told(self, library: Library) -> str:
        """Return it as a clause: `it became `conv-004``."""
        if self.rejection is not None:
            by, day = self.rejection.by, self.rejection.date
            return f"{by} rejected it on {day}: {self.rejection.reason}"
        assert self.entry is not None
        name = library.short(self.entry.ref)
        match self.state:
            case "confirmed":
                return f"it became `{name}`"
            case "kept":
                return f"it became `{name}`, a candidate"
            case "merged":
                return f"it was merged into `{name}`"
            case _:
                return f"`{name}` says it already"


def decided(library: Library, entry: Entry) -> Decided | None:
    """Return the decision that stands on a finding; `None` = it is open, or no finding."""
    if entry.kind != FINDING:
        return None
    # Lists ask it of every entry: what tells is imported where there is a finding.
    from remem.core.waiting.records import coming_of

    try:
        coming = coming_of(library, entry)
    except NotPossible:
        return None  # it is for reading, and nobody decides on it
    return _decided(library, entry, coming)


def state_of(library: Library, entry: Entry) -> str:
    """Return an entry's status as lists show it: of a decided finding, what became of it."""
    found = decided(library, entry)
    return entry.status.value if found is None else found.state


def decided_named(library: Library, name: str) -> Entry | None:
    """Return the decided finding of that ref, or of the id under which it waited."""
    from remem.core.waiting.item import Why, item_id
    from remem.core.waiting.records import coming_of
    from remem.systems.sniper.retros import PART

    found: dict[str, Entry] = {}
    for source in library.sources:
        if source.part != PART:
            continue
        for entry in source.entries:
            if entry.kind != FINDING or decided(library, entry) is None:
                continue
            if name in (str(entry.ref), library.short(entry.ref), entry.ref.id):
                return entry
            coming = coming_of(library, entry)
            for why in (Why.FINDING, Why.GATE_FAILURE, Why.RECURRENCE):
                known = item_id(library, why, source, coming.kind, coming.text)
                if len(name) >= _SHORTEST and known.startswith(name):
                    found.setdefault(known, entry)
    return next(iter(found.values())) if len(found) == 1 else None


def _decided(library: Library, entry: Entry, coming: Coming) -> Decided | None:
    from remem.core.relation.known import merged_into
    from remem.core.waiting.rejected import suppressed
    from remem.systems.sniper.retro_rules import met_in

    rejection = suppressed(library, coming.kind, coming.text)
    if rejection is not None:
        return Decided("rejected", rejection=rejection)
    merged = merged_into(library, coming.kind, coming.text)
    if merged is not None:
        return Decided("merged", merged)
    same = said_by(library, coming.kind, coming.text)
    if not same or is_recurrence(library, entry, same):
        return None
    stem = library.source_of(entry).path.stem
    became = next((each for each in same if stem in met_in(_fields_of(library, each))), None)
    if became is None:
        return Decided("known", same[0])
    return Decided("kept" if became.status is Status.CANDIDATE else "confirmed", became)


def is_recurrence(library: Library, entry: Entry, same: Sequence[Entry]) -> bool:
    """Tell whether a finding meets candidates from elsewhere once more; anything else is known."""
    from remem.core.waiting.records import finding_at
    from remem.systems.sniper.retro_rules import is_met_again

    source = library.source_of(entry)
    retro, finding = finding_at(source, entry)
    return all(
        each.status is Status.CANDIDATE
        and is_met_again(_fields_of(library, each), source.path.stem, retro, finding)
        for each in same
    )


def said_by(library: Library, kind: str, text: str) -> Sequence[Entry]:
    """Return the entries of a kind that say a text in the same words, in file order."""
    from remem.core.relation.similar import norm

    form = norm(text)
    return _by_form(library, kind).get(form, ()) if form else ()


@kept
def _by_form(library: Library, kind: str) -> Mapping[str, Sequence[Entry]]:
    from remem.core.relation.known import may_hold
    from remem.core.relation.similar import norm

    forms: dict[str, list[Entry]] = {}
    for source in library.sources:
        if may_hold(source, kind):
            for entry in source.entries:
                if entry.kind == kind:
                    forms.setdefault(norm(entry.title), []).append(entry)
    return forms


def _fields_of(library: Library, entry: Entry) -> Mapping[str, Json]:
    return library.format_of(entry).fields(library.source_of(entry), entry)
