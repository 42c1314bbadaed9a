"""Finds what waits by what a person names on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from remem.base.errors import UnknownRef, WriteFailed
from remem.cli.find_named import entry_named, refs_named
from remem.cli.out import say
from remem.core.history.entry_history import once_named
from remem.core.session import Session
from remem.core.waiting.item import Item
from remem.model.entry import Entry, Ref, Status
from remem.store.history.journal_records import Logged, ref_of_item
from remem.systems.sniper.waiting import decided_named
from remem.views.change_titles import done

_ID: Final = re.compile("[0-9a-f]{4,12}")
_LOOKED_BACK: Final = 500
"""Changes of the history, the newest, in which something that is gone is looked for."""


def shown_or_waiting(session: Session, name: str) -> tuple[Entry, Item | None]:
    """Return what `entry_wherever` does, with the item that waits about it.

    Everything that waits is looked for only where a candidate or an item is named.
    """
    entry = entry_wherever(session, name)
    is_item = _ID.fullmatch(name) is not None
    if entry.status is not Status.CANDIDATE and not is_item:
        return entry, None
    about = [item for item in session.queue() if item.ref == entry.ref]
    meant = [item for item in about if item.id.startswith(name)]
    return entry, next(iter(meant or about), None)


def entry_wherever(session: Session, name: str) -> Entry:
    """Return what `entry_or_item` does, else the entry that had that ref once; that is said.

    Raises:
        UnknownRef: None of them is there; the hint tells what became of it.
    """
    try:
        return entry_or_item(session, name)
    except UnknownRef:
        moved = _moved(session, name)
        if moved is None:
            raise
        return moved


def entries_wherever(session: Session, names: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries in the order they were named, also by a ref that one had once.

    Raises:
        UnknownRef: Something is not there; the hint tells what became of it, or the nearest ref.
    """
    found: dict[Ref, Entry] = {}
    for name in names:
        try:
            entry = entry_named(session.library, name)
        except UnknownRef as error:
            moved = _moved(session, name)
            if moved is None:
                raise UnknownRef(str(error), hint=_went(session, name) or error.hint) from None
            entry = moved
        found[entry.ref] = entry
    return tuple(found.values())


def refs_wherever(session: Session, names: Iterable[str]) -> dict[Ref, str]:
    """Return what is named with its digest, in order, also by a ref that an entry had once.

    What vanished is still known by its ref.

    Raises:
        UnknownRef: Something is neither there nor was; the hint offers the nearest.
    """
    found: dict[Ref, str] = {}
    for name in names:
        try:
            found |= refs_named(session.library, [name])
        except UnknownRef:
            moved = _moved(session, name)
            if moved is None:
                raise
            found[moved.ref] = moved.digest
    return found


def _moved(session: Session, name: str) -> Entry | None:
    """Return the entry that a change gave another ref than this one, and say which."""
    _, after = (None, None) if _ID.fullmatch(name) else _left(session, name)
    if after is None:
        return None
    say(f"note: `{name}` is now `{session.library.short(after)}`")
    return session.library.entry(after)


def entry_or_item(session: Session, name: str) -> Entry:
    """Return the entry of that ref, else the one that an item of the queue with that id is about.

    Raises:
        UnknownRef: Neither is there; the hint tells what became of it, or offers the nearest ref.
    """
    try:
        return entry_named(session.library, name)
    except UnknownRef as error:
        if not _ID.fullmatch(name):
            raise UnknownRef(str(error), hint=_went(session, name) or error.hint) from None
        session.look()
        try:
            return session.library.entry(session.item(name).ref)
        except UnknownRef:
            became = _became(session, name)
            raise UnknownRef(str(error), hint=became or error.hint) from None


def _went(session: Session, name: str) -> str:
    """Return as a hint with which change an entry of that name went; empty = with none."""
    change, after = _left(session, name)
    if change is None:
        return ""
    if after is not None:
        return _it_is(session, after)
    return f"it is gone since: {done(change.title)} ({change.id})"


def _left(session: Session, name: str) -> tuple[Logged | None, Ref | None]:
    """Return the last change of what once had that name, and the ref it has since, if it is there.

    Of what has moved several times each change is followed.
    """
    if not session.journal.exists:
        return None, None
    try:
        changes = [each for each in session.past.changes(_LOOKED_BACK) if not each.undone]
    except WriteFailed:  # a damaged history has no hint to give
        return None, None
    past = once_named(session.library, name, changes, ())
    if len(past) != 1:
        return None, None
    last, ref = None, past[0]
    for change in reversed(changes):
        if ref in change.touched:
            after = change.touched[ref]
            last = change
            if after is None:
                return last, None
            ref = after
    return last, ref if last is not None and session.library.has(ref) else None


def _became(session: Session, name: str) -> str:
    """Return as a hint what was decided on an item that waited under that id; empty = nothing."""
    if not session.journal.exists:
        return ""
    try:
        found = session.journal.deciding(session.root, name)
    except WriteFailed:  # a damaged history has no hint to give
        return ""
    if found is None:
        return ""
    change, intent = found
    ref = ref_of_item(intent, name)
    after = change.touched.get(ref) if ref is not None else None
    if after is None or not session.library.has(after):
        return f"it was decided on: {done(change.title)} ({change.id})"
    return _it_is(session, after)


def _it_is(session: Session, now: Ref) -> str:
    entry = session.library.short(now)
    return f"it is now `{entry}`: `remem show {entry}`"


def waiting_or_entries(
    session: Session, names: Iterable[str]
) -> tuple[tuple[Item, ...], dict[Ref, str]]:
    """Return what waits under each name, and all that is meant: else the entry that it names."""
    items: dict[str, Item] = {}
    shown: dict[Ref, str] = {}
    for name in names:
        try:
            item = _item_named(session, name)
        except UnknownRef:
            entry = entry_named(session.library, name)
            shown[entry.ref] = entry.digest
            continue
        items[item.id] = item
        shown[item.ref] = item.digest
    return tuple(items.values()), shown


def named(session: Session, names: Sequence[str]) -> tuple[tuple[Item, ...], dict[Ref, str]]:
    """Return the items of those names, and all that is meant with the digest it has now.

    A finding that was decided on is meant as well, though nothing of it waits.

    Raises:
        UnknownRef: Nothing or several things that wait are called so.
    """
    session.look()
    items: dict[str, Item] = {}
    shown: dict[Ref, str] = {}
    for name in names:
        try:
            item = _item_named(session, name)
        except UnknownRef:
            entry = decided_named(session.library, name) or _entry_named(session, name)
            if entry is None:
                raise
            shown[entry.ref] = entry.digest
            continue
        items[item.id] = item
        shown[item.ref] = item.digest
    return tuple(items.values()), shown


def _entry_named(session: Session, name: str) -> Entry | None:
    """Return an entry that does not wait: what is decided on it says why it cannot be."""
    try:
        return session.library.resolve(name)
    except UnknownRef:
        return None


def items_named(session: Session, names: Sequence[str]) -> tuple[Item, ...]:
    """Return the items in the order they were named, each once.

    Raises:
        UnknownRef: Nothing or several things that wait are called so.
    """
    session.look()
    found = {item.id: item for item in (_item_named(session, name) for name in names)}
    return tuple(found.values())


def _item_named(session: Session, name: str) -> Item:
    """Return the item of that id, or of the entry of that ref."""
    try:
        return session.item(name)
    except UnknownRef as error:
        library = session.library
        try:
            ref = library.resolve(name).ref
        except UnknownRef:
            raise error from None
        for item in session.queue():
            if item.ref == ref:
                return item
        raise UnknownRef(
            f"`{library.short(ref)}` does not wait for a decision", hint=error.hint
        ) from None
