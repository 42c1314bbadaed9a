"""Memory that contains what looks like a secret: named by where it stands, and never printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from remem.base.text import count
from remem.core.checks.hidden_text_problems import entry_at
from remem.core.checks.problem import Issue
from remem.core.library import Library
from remem.model.entry import Problem
from remem.model.memo import kept
from remem.model.source import Source

SECRET: Final = "secret"
_DIGEST: Final = 32
"""Digits of a file's digest that tell it from all others."""
_WORTH: Final = 50
"""Files that were searched for the first time, from which on it is kept that nothing was found."""
_MOST: Final = 4 << 20
"""Bytes of a file that is searched: a larger one is no memory that anybody wrote."""


def secret_issues(library: Library) -> Iterator[Issue]:
    """Yield each file that contains what looks like a secret, at the first of them.

    An archive counts too: it is committed and shared like all else.
    """
    yield from searched(library, "files without secrets", library.sources, _in)


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
def _in(source: Source) -> tuple[Issue, ...]:
    """Return what a file gives away; a source is read once, so it is searched once."""
    if not source.data or len(source.data) > _MOST:
        return ()
    # Its patterns are compiled when there is something to search.
    from remem.core.checks.secrets import secret_spans

    text = source.data.decode("utf-8", "replace")
    found = secret_spans(text)
    if not found:
        return ()
    kinds = ", ".join(dict.fromkeys(name for _, _, name in found))
    at = len(text[: found[0][0]].encode("utf-8", "replace"))
    line = source.data.count(b"\n", 0, at) + 1
    problem = Problem(
        SECRET,
        f"`{source.name}` contains what looks like a secret ({kinds}), {count(found, 'place')}, "
        f"first in line {line}",
        "remove it, and rotate it if it is real",
        source.path,
        line,
    )
    entry = entry_at(source, at)
    return (Issue(problem, entry.ref if entry is not None else None),)
