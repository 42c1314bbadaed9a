"""What a hook held back waits in Review: approving makes the tool's call, rejecting drops it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.draft import chosen
from remem.core.library import Library
from remem.core.relation.already_said import told_of
from remem.core.verbs.verb import read_only
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.kinds import (
    Act,
    OfEntries,
)
from remem.edit.patch import splice_to
from remem.model.change import Change, Create, Delete, Effect, Intent
from remem.model.entry import LESSON, Entry, digest_of
from remem.systems.plain.facets import HELD, HELD_NOTE
from remem.systems.plain.held.held_record import HeldWrite, held_in
from remem.systems.waiting_only import plan_dropped

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject

_MARKS: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
"""What a list begins its lines with."""
_LINES: Final = 12
"""Lines of what would be written that a card shows; the diff of approving it has all."""


class HeldBack(OfEntries):
    """A write to auto memory that a hook held back for a person."""

    id = "plain.held"
    order = 6
    claims = (HELD_NOTE,)
    system = HELD
    is_loaded = True

    def items(self, library: Library) -> Iterator[Item]:
        entries = [each for source in library.of_format(HELD) for each in source.entries]
        for entry in sorted(entries, key=lambda each: _held(library, each).at):
            yield _item(library, entry)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        why_not = partial(read_only, library, entry)
        return {
            "approve": Act(plan_made, "Write it", why_not),
            "reject": Act(_plan_dropped, why_not=why_not),
        }


def _held(library: Library, entry: Entry) -> HeldWrite:
    held = held_in(library.source_of(entry).data)
    assert held is not None
    return held


def _item(library: Library, entry: Entry) -> Item:
    source, held = library.source_of(entry), _held(library, entry)
    lines = held.text.splitlines()
    more = f"… {len(lines) - _LINES} more lines" if len(lines) > _LINES else ""
    return Item(
        id=hashed(HeldBack.id, source.path.stem),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group="held back by your hook",
        source=source.name,
        why=f"Claude Code would {_does(held)} `{library.ground.shown(held.path)}`",
        reason=Why.PROPOSAL,
        evidence=(
            *(each for each in (*lines[:_LINES], more) if each.strip()),
            *_said(library, lines),
        ),
        roles=None,
        suggested="",
        verbs=("approve", "reject", "edit"),
        suspects=suspects_in((held.text,)),
        waiting=HeldBack.id,
        stands_by=source.path,
    )


def _said(library: Library, lines: Sequence[str]) -> Iterator[str]:
    """Yield what the lines that would be written conflict with, or say once more."""
    told = (_MARKS.sub("", line).strip() for line in lines[:_LINES])
    yield from dict.fromkeys(
        said for text in told if text for said in told_of(library, LESSON, text)
    )


def _does(held: HeldWrite) -> str:
    if held.tool != "Write":
        return "edit"
    return "write" if held.before is None else "write anew"


def plan_made(library: Library, intent: Intent, _: Approve) -> Change:
    """Plan to make the calls that were held back, in their order, and to drop them.

    Raises:
        NotPossible: A file changed so that a call cannot be made any more.
        Unacknowledged: What would be written holds a secret or hidden characters.
    """
    entries = sorted(chosen(library, intent), key=lambda each: _held(library, each).at)
    first: dict[Path, bytes | None] = {}
    now: dict[Path, bytes | None] = {}
    dropped: list[Effect] = []
    for entry in entries:
        held, source = _held(library, entry), library.source_of(entry)
        need_clean((held.text,), intent, f"`{library.short(entry.ref)}`")
        if held.path not in first:
            first[held.path] = now[held.path] = _stands(library, held.path)
        now[held.path] = held.written(now[held.path])
        dropped.append(Delete(source.path, source.data, source.digest))
    written = [each for path, data in now.items() for each in _written(path, first[path], data)]
    files = ", ".join(f"`{path.name}`" for path in now)
    title = f"Write {_named(library, intent)} that was held back to {files}"
    return Change(intent, title, (*written, *dropped), "", {each.ref: None for each in entries})


def _plan_dropped(library: Library, intent: Intent, args: Reject) -> Change:
    title = f"Reject {_named(library, intent)} that was held back"
    return plan_dropped(library, intent, title, args.reason)


def _named(library: Library, intent: Intent) -> str:
    refs = [*intent.shown]
    return f"`{library.short(refs[0])}`" if len(refs) == 1 else count(refs, "write")


def _stands(library: Library, path: Path) -> bytes | None:
    disk = library.ground.disk
    kind = disk.kind(path)
    if kind is None:
        return None
    if kind != "file":
        raise NotPossible(f"`{path.name}` is a {kind} now", hint="reject it")
    return disk.read(path)


def _written(path: Path, raw: bytes | None, new: bytes | None) -> Iterator[Effect]:
    if new is None or raw == new:
        return
    if raw is None:
        yield Create(path, new)
    else:
        yield from splice_to(path, raw, new, digest_of(raw))
