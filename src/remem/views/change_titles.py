"""What a change is called where people read it.

In the past tense once it is done, and by an entry's words in place of a ref that nobody types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from remem.base.text import QUOTED, count, quoted

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.model.entry import Ref
    from remem.store.history.journal_records import Logged

_LINE: Final = 58
"""Characters of a whole message before what undoes it, for the same line."""
_SHORTEST: Final = 16
_NAMED: Final = 20
"""Entries of a change; a title of more than these counts them."""

PAST: Final = {
    "Accept": "Accepted",
    "Add": "Added",
    "Apply": "Applied",
    "Approve": "Approved",
    "Archive": "Archived",
    "Brief": "Briefed",
    "Compact": "Compacted",
    "Confirm": "Confirmed",
    "Consolidate": "Consolidated",
    "Contradict": "Contradicted",
    "Count": "Counted",
    "Create": "Created",
    "Curate": "Curated",
    "Decay": "Decayed",
    "Decide": "Decided",
    "Discard": "Discarded",
    "Edit": "Edited",
    "Fix": "Fixed",
    "Hold": "Held",
    "Import": "Imported",
    "Ingest": "Ingested",
    "Invalidate": "Invalidated",
    "Keep": "Kept",
    "Leave": "Left",
    "Let": "Let",
    "Make": "Made",
    "Limit": "Limited",
    "Mark": "Marked",
    "Merge": "Merged",
    "Migrate": "Migrated",
    "Move": "Moved",
    "Note": "Noted",
    "Observe": "Observed",
    "Override": "Overrode",
    "Pin": "Pinned",
    "Promote": "Promoted",
    "Propose": "Proposed",
    "Prune": "Pruned",
    "Put": "Put",
    "Queue": "Queued",
    "Re-anchor": "Re-anchored",
    "Read": "Read",
    "Record": "Recorded",
    "Refresh": "Refreshed",
    "Reinforce": "Reinforced",
    "Reject": "Rejected",
    "Remove": "Removed",
    "Rename": "Renamed",
    "Replace": "Replaced",
    "Restore": "Restored",
    "Retire": "Retired",
    "Set": "Set",
    "Share": "Shared",
    "Skip": "Skipped",
    "Store": "Stored",
    "Supersede": "Superseded",
    "Undo": "Undid",
    "Upgrade": "Upgraded",
    "Use": "Used",
    "Write": "Wrote",
}
"""The verbs that titles of changes begin with, and what each is when it is done."""


def done(title: str) -> str:
    """Return the title of a change that was applied: `Approved …` for `Approve …`."""
    does, space, rest = title.partition(" ")
    return f"{PAST.get(does, does)}{space}{rest}"


def by_words(title: str, named: Mapping[Ref, str], library: Library) -> str:
    """Return a title with the words of the entries that it names.

    They replace a ref that nobody types, which is a place in a file or a UUID. A single entry that
    has an id is named by both: `Archive sniper:conv-004 "Tests name …"`.

    Args:
        title: Of a change.
        named: The refs that it may hold, with the titles of what they stand for.
        library: Knows how refs are written.
    """
    words: dict[str, str] = {}
    for ref, text in named.items():
        short = library.short(ref)
        if short not in title or f'{short} "' in title:
            continue
        if not ref.is_typed:
            room = _LINE - len(title) + len(short)
            words[short] = quoted(text, min(QUOTED, max(room, _SHORTEST)))
        elif len(named) == 1:
            words[short] = f"{short} {quoted(text, max(QUOTED - len(short), _SHORTEST))}"
    for short in sorted(words, key=len, reverse=True):
        # What is quoted as words needs no marks of code around it.
        title = title.replace(f"`{short}`", words[short]).replace(short, words[short])
    return title


def decided_already(
    decided: Mapping[Ref, Logged], named: Mapping[Ref, str], library: Library
) -> str:
    """Return in a sentence what was decided before it was asked for.

    Args:
        decided: Each entry with the change that decided on it; at least one, all by one verb.
        named: As for `by_words`.
        library: As for `by_words`.
    """
    last = next(iter(decided.values()))
    if last.intent.shown.keys() == decided.keys():
        title = last.title
    else:
        names = [library.short(ref) for ref in decided]
        does = last.title.partition(" ")[0]
        title = f"{does} {names[0] if len(names) == 1 else count(names, 'entry', 'entries')}"
    here = {ref: text for ref, text in named.items() if ref in decided}
    told = done(by_words(title, here, library))
    return f"Already {told[:1].lower()}{told[1:]}"


def logged_title(logged: Logged, library: Library) -> str:
    """Return what a change of the history is called, as far as its entries are still known."""
    if len(logged.intent.shown) > _NAMED:
        return logged.title
    named: dict[Ref, str] = {}
    for ref in logged.intent.shown:
        known = (each for each in (ref, logged.touched.get(ref)) if each and library.has(each))
        entry = next(known, None)
        if entry is not None:
            named[ref] = library.entry(entry).title
    return by_words(logged.title, named, library)
