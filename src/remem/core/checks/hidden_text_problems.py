"""Memory that agents read and people cannot see all of: hidden characters, file by file.

What a person is shown before they approve something is the verbs' concern; this looks at what
stands in force already.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.base.text import count
from remem.core.checks.hidden_text import unseen
from remem.core.checks.problem import Issue
from remem.core.library import Library
from remem.model.entry import Entry, FileSpan, Problem, WholeFile
from remem.model.memo import kept
from remem.model.source import LoaderKind, Source, SourceKind

HIDDEN_CHARACTERS: Final = "hidden-characters"
_LOADED: Final = frozenset({LoaderKind.WHOLE, LoaderKind.HEAD, LoaderKind.TAIL, LoaderKind.ENDS})
_BOM: Final = b"\xef\xbb\xbf"


def hidden_issues(library: Library) -> Iterator[Issue]:
    """Yield each file that holds characters which nobody sees, at the first of them."""
    for source in library.sources:
        if not source.archived and reaches_agents(source):
            yield from _in(source)


def reaches_agents(source: Source) -> bool:
    """Tell whether it is composed of, or loaded; what is only browsed misleads no agent."""
    is_loaded = source.loader.kind in _LOADED
    return is_loaded or source.kind is not SourceKind.DOCUMENT


@kept
def _in(source: Source) -> tuple[Issue, ...]:
    """Return what hides in a file; a source is read once, so it is looked at once."""
    if source.data.isascii() and not any(byte in source.data for byte in _CONTROLS):
        return ()
    head = len(_BOM) if source.data.startswith(_BOM) else 0
    text = source.data[head:].decode("utf-8", "replace")
    found = unseen(text)
    if not found:
        return ()
    kinds = ", ".join(dict.fromkeys(each.kind for each in found))
    at = head + len(text[: found[0].offset].encode("utf-8", "replace"))
    line = source.data.count(b"\n", 0, at) + 1
    problem = Problem(
        HIDDEN_CHARACTERS,
        f"`{source.name}` holds {count(found, 'hidden character')} ({kinds}), "
        f"first {found[0].shown} in line {line}",
        "check the line and remove the hidden characters",
        source.path,
        line,
    )
    entry = entry_at(source, at)
    return (Issue(problem, entry.ref if entry is not None else None),)


_CONTROLS: Final = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n")


def entry_at(source: Source, offset: int) -> Entry | None:
    """Return the entry that a byte of a file belongs to; the smallest where they nest."""
    spans = [
        (entry.at.end - entry.at.start, number, entry)
        for number, entry in enumerate(source.entries)
        if isinstance(entry.at, FileSpan) and entry.at.start <= offset < entry.at.end
    ]
    if spans:
        return min(spans, key=lambda each: each[:2])[2]
    return next((each for each in source.entries if isinstance(each.at, WholeFile)), None)
