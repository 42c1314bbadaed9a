"""What other writers took out of memory: found when it happens, put back only when asked.

An agent that compacts its memory takes entries out on purpose. So text that stands somewhere else
is not listed, and nothing is put back by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from remem.base.text import count
from remem.core.library import FileChange, Library
from remem.core.relation.matching import likeness
from remem.core.relation.normal_form import norm
from remem.core.waiting.rejected import suppressed
from remem.edit.patch import Patch, patches_between
from remem.model.done_by_others import Vanished
from remem.model.entry import Entry, FileSpan, Problem, Ref, Row
from remem.model.source import Source, SourceKind
from remem.store.history.journal_records import Logged

KEPT: Final = timedelta(days=30)
"""How long what vanished is listed."""
MANY: Final = 100
"""Entries of one write that are listed one by one."""

_PLAIN: Final = re.compile(r"[\w-]+(?: [\w-]+)?")
"""Two words, which are rarer than one and seldom folded."""
_BREAKS: Final = re.compile(rb"[\r\n]*")
_AROUND: Final = 2_000
"""Bytes of surroundings by which the place is found again."""


def vanished(
    before: Library,
    after: Library,
    change: FileChange,
    *,
    time: datetime,
    standing: Sequence[Logged] = (),
    was: Source | None = None,
) -> tuple[Vanished, ...]:
    """Return the entries that one foreign write took out of memory.

    A file that is empty or does not parse has lost nothing yet: it is a problem of its own, and
    once it says something again it is compared with what it said before that.

    Args:
        before: The snapshot before the write.
        after: The one after it.
        change: One of the files in which they differ.
        time: When it was seen.
        standing: Changes of remem, newest first: what one of them took out was not removed.
        was: The file when it last said something, if that is not how `before` has it.
    """
    old = was or _source_at(before, change.path)
    new = _source_at(after, change.path)
    if old is None or not _may_lose(old) or (new is not None and is_unsound(new)):
        return ()
    now = new.data if new is not None else b""
    patches = patches_between(old.data, now)
    gone = [*in_windows(old, [(p.start, p.start + len(p.old)) for p in patches])]
    if not gone:
        return ()
    taken = _taken_by(standing)
    written = [*in_windows(new, windows_after(patches))] if new is not None else []
    stayed = {entry.digest for entry in gone} & {entry.digest for entry in written}
    edited = [entry for entry in written if entry.digest not in stayed]
    elsewhere = _arrived(before, after, change.path)
    standing_now = _Standing(after)
    lost = [
        entry
        for entry in gone
        if entry.digest not in stayed
        and entry.ref not in taken
        and not any(likeness(entry.title, other.title) is not None for other in edited)
        and norm(entry.title) not in elsewhere
        and not standing_now.says(entry.title)
    ]
    listed, others = lost[:MANY], len(lost[MANY:])
    return tuple(_vanished(before, old, each, time, others, now) for each in listed)


def _may_lose(source: Source) -> bool:
    """Leave out what holds no memory of its own, and rows, which others than agents write."""
    is_rows = bool(source.entries) and isinstance(source.entries[0].at, Row)
    return source.kind is not SourceKind.DOCUMENT and not is_rows


def is_unsound(source: Source) -> bool:
    """Tell whether a file says nothing at the moment: it is empty, or does not parse."""
    # Not by `strip`, which copies the file: it is asked for each decision that stands.
    is_blank = not source.data or source.data.isspace()
    return is_blank or any(each.blocks_writing for each in source.problems)


def still_gone(
    library: Library, found: Sequence[Vanished], *, now: datetime
) -> tuple[Vanished, ...]:
    """Return those that are neither there again nor sent away nor older than thirty days.

    What came back and vanished once more is named once, as it stood last.
    """
    last = {(each.ref, each.path, each.title): each for each in sorted(found, key=_when)}
    standing = _Standing(library)
    return tuple(
        each
        for each in found
        if last[each.ref, each.path, each.title] is each
        and now - each.time < KEPT
        and suppressed(library, each.kind, each.title) is None
        and not standing.says(each.title)
    )


def _when(lost: Vanished) -> datetime:
    return lost.time


def problem_of(lost: Vanished) -> Problem:
    """Return what is said of an entry that vanished."""
    more = f" and {count(lost.others, 'other')} with it" if lost.others else ""
    first = lost.title.strip().splitlines()[0] if lost.title.strip() else str(lost.ref)
    when = f"{lost.time.astimezone():%Y-%m-%d %H:%M}"
    return Problem(
        "vanished",
        f"{first} (removed by another program at {when}{more})",
        f"`remem restore {lost.ref}` puts it back; `remem history` shows the diff",
        path=lost.path,
    )


class _Standing:
    """Tells of texts whether an entry says them, by a look at the bytes of each file first.

    What is written alike is looked up together: of rules cut to one pattern hundreds may be gone.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._said: dict[bytes, frozenset[str]] = {}

    def says(self, title: str) -> bool:
        needle = _needle(title)
        said = self._said.get(needle)
        if said is None:
            said = self._said[needle] = frozenset(_said(self._library, needle))
        return norm(title) in said


def _said(library: Library, needle: bytes) -> Iterator[str]:
    """Yield what the entries say that hold such bytes, in normal form."""
    for source in library.sources:
        if source.kind is SourceKind.DOCUMENT:
            continue
        at = source.data.find(needle)
        while at >= 0:
            entry = _entry_at(source, at)
            if entry is not None:
                yield norm(entry.title)
            at = source.data.find(needle, at + len(needle))


def _needle(title: str) -> bytes:
    """Return a piece of a text that a file which holds it holds in the same bytes, most likely.

    A text may be folded between any two words, and signs may be escaped.
    """
    return max(_PLAIN.findall(title), key=len, default="\0").encode("utf-8", "replace")


def _entry_at(source: Source, offset: int) -> Entry | None:
    entries = source.entries
    if entries and not isinstance(entries[0].at, FileSpan):
        return entries[0]
    place = bisect_right(range(len(entries)), offset, key=lambda n: _span(entries[n])[0]) - 1
    return entries[place] if place >= 0 else None


def in_windows(source: Source, windows: Sequence[tuple[int, int]]) -> Iterator[Entry]:
    """Yield the entries of which a window holds a byte; no others are parsed, but a few."""
    entries = source.entries
    if entries and not isinstance(entries[0].at, FileSpan):
        yield from entries
        return
    last = -1
    for start, end in windows:
        places = range(len(entries))
        first = bisect_right(places, start, key=lambda n: _span(entries[n])[1])
        stop = bisect_left(places, end, key=lambda n: _span(entries[n])[0])
        for place in range(max(first, last + 1), stop):
            last = place
            yield entries[place]


def _span(entry: Entry) -> tuple[int, int]:
    return (entry.at.start, entry.at.end) if isinstance(entry.at, FileSpan) else (0, 0)


def windows_after(patches: Sequence[Patch]) -> list[tuple[int, int]]:
    """Return where in the new bytes the patches lie."""
    shift, windows = 0, list[tuple[int, int]]()
    for patch in patches:
        start = patch.start + shift
        windows.append((start, start + len(patch.new)))
        shift += len(patch.new) - len(patch.old)
    return windows


def _arrived(before: Library, after: Library, path: Path) -> frozenset[str]:
    """Return what other files say that they did not say before."""
    old = {source.key: source for source in before.sources}
    found: set[str] = set()
    for source in after.sources:
        known = old.get(source.key)
        if source is known or source.path == path or source.kind is SourceKind.DOCUMENT:
            continue
        data = known.data if known is not None else b""
        windows = windows_after(patches_between(data, source.data))
        found |= {norm(entry.title) for entry in in_windows(source, windows)}
    return frozenset(found)


def _taken_by(standing: Sequence[Logged]) -> frozenset[Ref]:
    """Return the refs that the newest change on each of them took out or renamed."""
    judged: set[Ref] = set()
    taken: set[Ref] = set()
    for logged in standing:
        touched = [(old, new) for old, new in logged.touched.items() if old not in judged]
        taken |= {old for old, new in touched if new != old}
        judged |= {ref for pair in touched for ref in pair if ref is not None}
    return frozenset(taken)


def _vanished(
    before: Library, source: Source, entry: Entry, time: datetime, others: int, now: bytes
) -> Vanished:
    data = source.data
    start, end = 0, len(data)
    if isinstance(entry.at, FileSpan):
        start, end = _with_blank_lines(data, *_lines(data, *_span(entry)), now)
    above = data[max(0, start - _AROUND) : start]
    if start > _AROUND:
        above = above[above.find(b"\n") + 1 :]
    below = data[end : end + _AROUND]
    if end + _AROUND < len(data):
        below = below[: below.rfind(b"\n") + 1]
    each = before.format(source.format)
    fields = (each.facets.to_add or each.reader.fields)(source, entry)
    return Vanished(
        entry.ref,
        entry.kind,
        entry.title,
        source.path,
        time,
        data[start:end],
        start,
        above,
        below,
        len(data),
        dict(fields),
        others,
    )


def _lines(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the whole lines that bytes stand in."""
    stop = data.find(b"\n", max(end - 1, start))
    return data.rfind(b"\n", 0, start) + 1, stop + 1 if stop >= 0 else len(data)


def _with_blank_lines(data: bytes, start: int, end: int, now: bytes) -> tuple[int, int]:
    """Take in the blank lines that went with whole lines, those below first.

    How many went is seen where the lines around them stand together now.
    """
    above, below = data[:start].rstrip(), data[end:].lstrip(b"\r\n")
    before = max(0, data[len(above) : start].count(b"\n") - 1)
    blank = data[end : len(data) - len(below)].count(b"\n")
    left = _blank_between(now, above[above.rfind(b"\n") + 1 :], below.split(b"\n", 1)[0])
    gone = before + blank - left if left is not None else 0
    for _ in range(min(gone, blank)):
        end = data.find(b"\n", end) + 1
    for _ in range(min(gone - blank, before)):
        start = data.rfind(b"\n", 0, start - 1) + 1
    return start, end


def _blank_between(data: bytes, above: bytes, below: bytes) -> int | None:
    """Return how many blank lines stand between two lines; `None` where they do not meet."""
    at = data.find(above + b"\n") if above else 0
    while at >= 0:
        # A line may stand there thousands of times: nothing of the file is copied for each.
        begin = at + len(above)
        end = begin + _breaks_at(data, begin)
        if data.startswith(below, end) if below else end == len(data):
            return max(0, data.count(b"\n", begin, end) - 1)
        at = data.find(above + b"\n", at + 1) if above else -1
    return None


def _breaks_at(data: bytes, begin: int) -> int:
    """Return how many bytes of line ends stand there."""
    found = _BREAKS.match(data, begin)
    return len(found[0]) if found is not None else 0


def _source_at(library: Library, path: Path) -> Source | None:
    return next((source for source in library.sources if source.path == path), None)
