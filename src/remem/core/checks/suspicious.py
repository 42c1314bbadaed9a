"""Files of memory that hold what nobody should: hidden characters, secrets, attacks on agents.

Each is named once, at the first such place; a secret is named by where it stands, and never
printed. What a person is shown before they approve something is the verbs' concern; this looks at
what stands there already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from remem.base.text import count
from remem.core.checks.hidden_text import unseen
from remem.core.checks.issue import Issue
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
            yield from _hidden_in(source)


def reaches_agents(source: Source) -> bool:
    """Tell whether it is composed of, or loaded; what is only browsed misleads no agent."""
    is_loaded = source.loader.kind in _LOADED
    return is_loaded or source.kind is not SourceKind.DOCUMENT


@kept
def _hidden_in(source: Source) -> tuple[Issue, ...]:
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
    says = f"holds {count(found, 'hidden character')} ({kinds}), first {found[0].shown} in line"
    return (
        _issue(
            source, at, HIDDEN_CHARACTERS, says, "check the line and remove the hidden characters"
        ),
    )


_CONTROLS: Final = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n")


def _issue(source: Source, at: int, code: str, says: str, hint: str, what: str = "") -> Issue:
    """Return what is said of a file: `says` ends before the line, `what` stands behind it."""
    line = source.data.count(b"\n", 0, at) + 1
    message = f"`{source.name}` {says} {line}{f': {what}' if what else ''}"
    entry = entry_at(source, at)
    problem = Problem(code, message, hint, source.path, line)
    return Issue(problem, entry.ref if entry is not None else None)


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


SECRET: Final = "secret"
_DIGEST: Final = 32
"""Digits of a file's digest that tell it from all others."""
_WORTH: Final = 50
"""Files that were searched for the first time, from which on it is kept that nothing was found."""
_MOST_WITH_SECRETS: Final = 4 << 20
"""Bytes of a file that is searched: a larger one is no memory that anybody wrote."""


def secret_issues(library: Library) -> Iterator[Issue]:
    """Yield each file that contains what looks like a secret, at the first of them.

    An archive counts too: it is committed and shared like all else.
    """
    yield from searched(library, "files without secrets", library.sources, _secrets_in)


def searched(
    library: Library,
    kind: str,
    sources: Iterable[Source],
    search: Callable[[Source], Sequence[Issue]],
) -> Iterator[Issue]:
    """Yield what a search finds in each file.

    One in whose bytes it found nothing before, in whichever process, is not searched again.

    Args:
        library: Whose files.
        kind: Names the search.
        sources: The files that are searched.
        search: Looks at the bytes of a file alone.
    """
    cache, root = library.ground.given.cache, bytes(library.ground.root)
    told = cache.get(kind, root) or b""
    clean = {told[at : at + _DIGEST] for at in range(0, len(told), _DIGEST)}
    found: set[bytes] = set()
    for source in sources:
        digest = source.digest.encode()[:_DIGEST]
        if len(digest) == _DIGEST and digest in clean:
            found.add(digest)
            continue
        issues = search(source)
        yield from issues
        if len(digest) == _DIGEST and not issues:
            found.add(digest)
    if len(found - clean) >= _WORTH:
        cache.put(b"".join(found), kind, root)


@kept
def _secrets_in(source: Source) -> tuple[Issue, ...]:
    """Return what a file gives away; a source is read once, so it is searched once."""
    if not source.data or len(source.data) > _MOST_WITH_SECRETS:
        return ()
    # Its patterns are compiled when there is something to search.
    from remem.core.checks.secrets import secret_spans

    text = source.data.decode("utf-8", "replace")
    found = secret_spans(text)
    if not found:
        return ()
    kinds = ", ".join(dict.fromkeys(name for _, _, name in found))
    at = len(text[: found[0][0]].encode("utf-8", "replace"))
    places = count(found, "place")
    says = f"contains what looks like a secret ({kinds}), {places}, first in line"
    return (_issue(source, at, SECRET, says, "remove it, and rotate it if it is real"),)


RISK: Final = "risky-instruction"
_MOST_WITH_ATTACKS: Final = 1 << 20
"""Bytes of a file that is searched."""


def risk_issues(library: Library) -> Iterator[Issue]:
    """Yield each file that holds what reads like an attack, at the first of them."""
    apart = (LoaderKind.NOT_KNOWN, LoaderKind.ON_REQUEST)
    given = (
        source
        for source in library.sources
        if not source.archived and source.loader.kind not in apart and reaches_agents(source)
    )
    yield from searched(library, "files without risks", given, _risks_in)


@kept
def _risks_in(source: Source) -> tuple[Issue, ...]:
    """Return what a file asks of agents that nobody should; it is searched once."""
    if not source.data or len(source.data) > _MOST_WITH_ATTACKS:
        return ()
    from remem.core.checks.risks import risks

    text = source.data.decode("utf-8", "replace")
    found: list[tuple[str, int]] = []
    start = 0
    # An attack is a sentence or two: patterns are quick on a paragraph, and slow on megabytes.
    for paragraph in text.split("\n\n"):
        found += sorted(((says, start + at) for says, at, _ in risks(paragraph)), key=_place)
        start += len(paragraph) + 2
    if not found:
        return ()
    at = len(text[: found[0][1]].encode("utf-8", "replace"))
    says = f"holds {count(found, 'suspicious instruction')}, first in line"
    hint = "look at the line, and take it out if nobody of yours wrote it"
    return (_issue(source, at, RISK, says, hint, found[0][0]),)


def _place(found: tuple[str, int]) -> int:
    return found[1]
