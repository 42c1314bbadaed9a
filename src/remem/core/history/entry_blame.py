"""Since when an entry stands as it does, and by whom: asks git and the history, in bounded time.

It only reads. git knows what was committed; what remem wrote, or saw others write, since then the
journal knows. What neither of them tells is said to be unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from remem.base.errors import RememError
from remem.code.blame import Blamed, Written, blame
from remem.code.worktree import top_of
from remem.core.library import DATABASE, Library
from remem.model.entry import Entry, FileSpan
from remem.store.changes.steps import Edited, Made
from remem.store.history.external_changes import BY, Outside
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Door

LOOKED_AT: Final = 400
"""Changes, and changes from outside, that are looked through, newest first."""
_DOORS: Final[dict[Door, str]] = {
    "tui": "the screens",
    "cli": "the command line",
    "mcp": "MCP",
    "provider": "Python",
}
_NAME: Final = 10
"""Digits of a commit that are shown."""


def traced(library: Library, journal: Journal, entry: Entry) -> tuple[str, ...]:
    """Return since when an entry stands so, in sentences without a full stop."""
    found = [*_by_git(library, entry), *_by_history(library, journal, entry)]
    return tuple(found) or ("Neither git nor the history knows when this text was written",)


def _by_git(library: Library, entry: Entry) -> Iterator[str]:
    source = library.source_of(entry)
    top = top_of(library.ground.disk, source.path.parent)
    if top is None or source.path.suffix == DATABASE:
        return
    start, end = 0, len(source.data)
    if isinstance(entry.at, FileSpan):
        start = source.data.rfind(b"\n", 0, entry.at.start) + 1
        end = _line_end(source.data, entry.at.end)
    number = source.data.count(b"\n", 0, start) + 1
    path = source.path.relative_to(top).as_posix()
    try:
        found = blame(top, path, source.data[start:end], number)
    except RememError:
        yield "git took too long to tell when this text was written"
        return
    yield from _told(found)


def _line_end(data: bytes, end: int) -> int:
    if data[end - 1 : end] == b"\n":
        return end
    found = data.find(b"\n", end)
    return len(data) if found < 0 else found


def _told(found: Blamed) -> Iterator[str]:
    if not found.is_committed:
        yield "This text is not committed"
        return
    if not found.written:
        return
    first, last = found.written[0], found.written[-1]
    since = "at least since" if first.is_boundary else "since"
    stands = "Unchanged" if first is last else "Its oldest line is unchanged"
    yield f"{stands} {since} {_day(first.time)}, by {_who(first)}"
    if first is not last:
        yield f"Its newest line is from {_day(last.time)}, by {_who(last)}"


def _who(written: Written) -> str:
    subject = f": {written.subject}" if written.subject else ""
    return f"{written.author or 'an unnamed author'} in {written.commit[:_NAME]}{subject}"


def _by_history(library: Library, journal: Journal, entry: Entry) -> Iterator[str]:
    """Yield the last change of remem, and the last from outside, that gave it its words."""
    root = library.ground.root
    for logged in journal.changes(root, LOOKED_AT):
        if not logged.undone and entry.ref in logged.touched.values():
            door = _DOORS[logged.origin.door]
            actor = f"a {logged.origin.actor}" if logged.origin.actor != "agent" else "an agent"
            if logged.origin.actor == "auto":
                actor = "remem itself"
            when = _moment(logged.time)
            yield f"remem wrote it on {when} for {actor} via {door}: {logged.title}"
            break
    for outside in journal.outside(root, LOOKED_AT):
        if _brought(outside, library, entry):
            yield f"{BY[outside.cause]} wrote it on {_moment(outside.time)}, as seen by remem"
            break


def _brought(outside: Outside, library: Library, entry: Entry) -> bool:
    source = library.source_of(entry)
    if outside.path != source.path or not isinstance(entry.at, FileSpan):
        return False
    words = source.data[entry.at.start : entry.at.end].strip()
    match outside.step:
        case Edited(patches=patches):
            return any(words in patch.new and words not in patch.old for patch in patches)
        case Made(data=data):
            return words in data
        case _:
            return False


def _day(time: datetime) -> str:
    return time.date().isoformat()


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
