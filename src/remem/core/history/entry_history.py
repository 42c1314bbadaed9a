"""Which changes of the history were about certain entries, under whatever ref each had then.

A ref of a lesson is made of its text, and promoting or merging moves an entry to another place. A
change records the ref before and after it, so that an entry is followed both ways: back to what it
was made of, and on to what became of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from remem.base.errors import UnknownRef
from remem.core.library import Library
from remem.model.entry import Ref
from remem.store.history.external_changes import Outside
from remem.store.history.journal_records import Logged


def changes_of(history: Sequence[Logged], refs: Iterable[Ref]) -> tuple[Logged, ...]:
    """Return the changes that were about these entries, in the order of `history`.

    Args:
        history: Newest first.
        refs: As the entries are or once were called.
    """
    named = frozenset(refs)
    now, then = set(named), set(named)
    found: set[str] = set()
    for change in history:
        if now & _about(change):
            found.add(change.id)
            now |= {old for old, new in change.touched.items() if new in now}
    for change in reversed(history):
        if then & _about(change):
            found.add(change.id)
            then |= {new for old, new in change.touched.items() if new and old in then}
    return tuple(change for change in history if change.id in found)


def removals_of(outside: Sequence[Outside], refs: Iterable[Ref]) -> tuple[Outside, ...]:
    """Return the changes from outside with which one of these entries was removed."""
    named = frozenset(refs)
    return tuple(each for each in outside if named & _removed(each))


def once_named(
    library: Library, text: str, history: Sequence[Logged], outside: Sequence[Outside]
) -> tuple[Ref, ...]:
    """Return the refs of the past that `text` names, where no entry of today is called so.

    As for entries, it may be a ref with or without its place, or the bare id.
    """
    if any(text in _names(library, entry.ref) for entry in library.entries()):
        return ()
    known: frozenset[Ref] = frozenset().union(*map(_about, history), *map(_removed, outside))
    return tuple(sorted(ref for ref in known if text in _names(library, ref)))


def _names(library: Library, ref: Ref) -> tuple[str, ...]:
    return str(ref), str(ref.without_place()), library.short(ref), ref.id


def _about(change: Logged) -> frozenset[Ref]:
    after = (ref for ref in change.touched.values() if ref is not None)
    return frozenset((*change.intent.shown, *change.touched, *after))


def _removed(change: Outside) -> frozenset[Ref]:
    return frozenset(_refs(str(each.get("ref")) for each in change.vanished))


def _refs(texts: Iterable[str]) -> Iterator[Ref]:
    for text in texts:
        with suppress(UnknownRef):  # of more than can be listed, only how many is kept
            yield Ref.parse(text)
