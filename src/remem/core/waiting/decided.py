"""What became of a finding: the decision on it that stands, whichever door it was made at.

Nothing is kept for it. A finding was decided when memory says it, when it was merged into an entry,
or when it was rejected; it is open again as soon as none of that holds, after an undo for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.model.entry import Entry
from remem.model.memo import kept
from remem.model.source import SourceKind

if TYPE_CHECKING:
    from remem.model.decision import Rejection

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
        """Return it as a clause: `became `conv-004``."""
        if self.rejection is not None:
            by, day = self.rejection.by, self.rejection.date
            return f"{by} rejected it on {day}: {self.rejection.reason}"
        assert self.entry is not None
        name = library.short(self.entry.ref)
        match self.state:
            case "confirmed":
                return f"became `{name}`"
            case "kept":
                return f"became `{name}`, a candidate"
            case "merged":
                return f"merged into `{name}`"
            case _:
                return f"`{name}` already says it"


def decided(library: Library, entry: Entry) -> Decided | None:
    """Return the decision that stands on a finding; `None` = it is open, or no finding."""
    if library.source_of(entry).kind is SourceKind.STORE:
        return None
    # Lists ask it of every entry: what tells is imported where there may be a finding.
    from remem.core.waiting.kinds import settled

    return settled(library, entry)


def state_of(library: Library, entry: Entry) -> str:
    """Return an entry's status as lists show it: of a decided finding, what became of it."""
    found = decided(library, entry)
    return entry.status.value if found is None else found.state


def said_by(library: Library, kind: str, text: str) -> Sequence[Entry]:
    """Return the entries of a kind that say a text in the same words, in file order."""
    from remem.core.relation.similar import norm

    form = norm(text)
    return _by_form(library, kind).get(form, ()) if form else ()


@kept
def _by_form(library: Library, kind: str) -> Mapping[str, Sequence[Entry]]:
    from remem.core.relation.similar import norm

    forms: dict[str, list[Entry]] = {}
    for source in library.sources:
        if source.may_hold(kind):
            for entry in source.entries:
                if entry.kind == kind:
                    forms.setdefault(norm(entry.title), []).append(entry)
    return forms
