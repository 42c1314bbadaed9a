"""Which entries a change adds, alters or takes out: what undo, history and the ledger go by.

A verb says what it did to what it was asked about. Where refs are made of texts, or count twins,
others get another name by it: that is looked up in what the effects would leave.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence, Set
from operator import itemgetter
from pathlib import Path
from typing import Final

from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.model.change import Effect, Splice, touched_paths
from remem.model.entry import Entry, FileSpan, Ref
from remem.model.source import Source, SourceKind

_PLACE: Final = re.compile(r"/\d+$")
"""Ends the id in a ref of an entry that has none of its own: its place in the list."""


def all_touched(
    library: Library, effects: Sequence[Effect], said: Mapping[Ref, Ref | None]
) -> Mapping[Ref, Ref | None]:
    """Return old ref → new ref of every entry that the effects add, alter or take out.

    Args:
        library: Before them.
        effects: What the verb planned.
        said: What it says itself, in the order of what it was asked about.
    """
    paths = touched_paths(effects)
    said = _altered(library, effects, said)
    looked_at = [s for s in library.sources if s.path in paths and _renames(library, s, said)]
    if not looked_at and not any(_is_new_memory(library, ref) for ref in said.values()):
        return said
    after = library.preview(effects)
    there = [s for s in after.sources if s.path in paths and s.kind is not SourceKind.DOCUMENT]
    old, new = _differing(looked_at, there, {ref.id for ref in (*said, *said.values()) if ref})
    pairs = _Pairing(library, old, new, said).pairs()
    # Of equal twins one leaves, and no one can say which: the last, as they are counted.
    same = {ref for ref, entry in old.items() if ref in new and new[ref].digest == entry.digest}
    stays = {ref for ref, to in pairs.items() if ref == to and ref in same}
    told = {ref: to for ref, to in said.items() if ref not in stays}
    told |= {ref: to for ref, to in pairs.items() if ref not in stays}
    for ref in stays & said.keys():
        twin = next((t for t in reversed(old) if _left_for(t, ref, old, pairs)), None)
        if twin is not None and said[ref] != ref:
            told[twin] = said[ref]
    return told


def _left_for(
    twin: Ref, ref: Ref, old: Mapping[Ref, Entry], pairs: Mapping[Ref, Ref | None]
) -> bool:
    """Tell whether an entry left that was equal to one that seems to stay."""
    return twin != ref and pairs.get(twin) is None and old[twin].digest == old[ref].digest


def _altered(
    library: Library, effects: Sequence[Effect], said: Mapping[Ref, Ref | None]
) -> Mapping[Ref, Ref | None]:
    """Leave out entries of stores that are as the verb wants them already."""
    splices: dict[Path, list[tuple[int, int]]] = {}
    paths = touched_paths(effects)
    for effect in effects:
        if isinstance(effect, Splice):
            splices.setdefault(effect.path, []).append((effect.start, effect.end))
    for places in splices.values():
        places.sort()

    def is_altered(ref: Ref) -> bool:
        if not library.has(ref) or library.source_of(ref).kind is not SourceKind.STORE:
            return True
        at = library.entry(ref).at
        if not isinstance(at, FileSpan):
            return True
        if at.path not in splices:
            return at.path in paths
        last = bisect_right(splices[at.path], at.end, key=itemgetter(0)) - 1
        return last >= 0 and splices[at.path][last][1] >= at.start

    return {ref: to for ref, to in said.items() if ref != to or is_altered(ref)}


def _differing(
    before: Sequence[Source], after: Sequence[Source], named: Set[str]
) -> tuple[dict[Ref, Entry], dict[Ref, Entry]]:
    """Return the entries of both but those that stay at the ends of their file.

    Args:
        before: Some files.
        after: What becomes of them, and what comes.
        named: Ids of entries that are looked at in any case.
    """
    now = {source.key: source.entries for source in after}
    ends = {s.key: _same_ends(s.entries, now.get(s.key, ()), named) for s in before}

    def middle(sources: Sequence[Source]) -> dict[Ref, Entry]:
        found: dict[Ref, Entry] = {}
        for source in sources:
            head, tail = ends.get(source.key, (0, 0))
            part = source.entries[head : len(source.entries) - tail]
            found |= {entry.ref: entry for entry in part}
        return found

    return middle(before), middle(after)


def _same_ends(before: Sequence[Entry], after: Sequence[Entry], named: Set[str]) -> tuple[int, int]:
    least = min(len(before), len(after))
    head = tail = 0
    while head < least and _is_same(before[head], after[head], named):
        head += 1
    while head + tail < least and _is_same(before[-1 - tail], after[-1 - tail], named):
        tail += 1
    return head, tail


def _is_same(one: Entry, other: Entry, named: Set[str]) -> bool:
    if one is not other and (one.digest != other.digest or one.ref != other.ref):
        return False
    return one.ref.id not in named


def _renames(library: Library, source: Source, said: Mapping[Ref, Ref | None]) -> bool:
    """Tell whether a change in this file may give other entries other refs."""
    if source.kind is SourceKind.MEMORY:
        return True
    if source.kind is SourceKind.DOCUMENT:
        return False
    left = [old for old, new in said.items() if new != old and old.format == source.format]
    return any(
        ref.twin or _PLACE.search(ref.id) or library.has(Ref(ref.format, ref.id, ref.place, 2))
        for ref in left
    )


def _is_new_memory(library: Library, ref: Ref | None) -> bool:
    """Tell whether an entry comes into a file whose refs are made of texts."""
    if ref is None or library.has(ref):
        return False
    return library.format(ref.format).facets.names_by_text


class _Pairing:
    """Finds for each entry of some files what became of it."""

    def __init__(
        self,
        library: Library,
        old: Mapping[Ref, Entry],
        new: Mapping[Ref, Entry],
        said: Mapping[Ref, Ref | None],
    ) -> None:
        self._library = library
        self._said = said
        self._left = dict(old)
        self._come = {ref: e for ref, e in new.items() if ref in old or not library.has(ref)}
        self._pairs: dict[Ref, Ref | None] = {}

    def pairs(self) -> dict[Ref, Ref | None]:
        """Return old ref → new ref, equal where nothing happened; what was added maps to itself."""
        said = self._said
        self._match(lambda e: (e.ref, e.digest), lambda e: (e.ref, e.digest))
        self._match(lambda e: e.digest, lambda e: e.digest)
        self._match(lambda e: said.get(e.ref), lambda e: e.ref)
        self._match(lambda e: e.ref, lambda e: e.ref)
        self._match(lambda e: norm(e.title), lambda e: norm(e.title))
        if len(self._come) == 1:  # its text was edited, and its ref with it
            self._match(lambda e: said.get(e.ref) == e.ref, lambda e: True)
        for ref in self._left:
            to = self._said.get(ref)
            self._pairs[ref] = to if to is not None and to != ref and self._stays(to) else None
        named = {ref for ref in self._said.values() if ref is not None}
        added = {ref: ref for ref in self._come if ref not in named}
        return {**self._pairs, **added}

    def _match(self, of_old: Callable[[Entry], object], of_new: Callable[[Entry], object]) -> None:
        """Pair what is equal by these keys, in file order."""
        come: dict[object, list[Ref]] = {}
        for ref, entry in reversed(self._come.items()):
            come.setdefault(of_new(entry), []).append(ref)
        for ref, entry in [*self._left.items()]:
            same = come.get(of_old(entry))
            if same:
                self._pairs[ref] = to = same.pop()
                del self._left[ref], self._come[to]

    def _stays(self, ref: Ref) -> bool:
        return ref in self._pairs.values() or self._library.has(ref)
