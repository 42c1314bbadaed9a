"""What every plan is made with: what was chosen, what is written so far, the change it comes to.

A draft adds up what several plans write, each on top of those before it. The change names every
entry that it touches, which undo and the history go by: a verb says what it did to what it was
asked about, and where refs are made of texts, or count twins, others get another name by it.

Invariant: what comes out leads from the bytes on disk to what all plans together would leave, and
is compared with the disk as any one plan is: each splice names bytes that stand there now. It holds
because a file in the making (`Sheet`) is a row of pieces, each a run of the base that is still
there or bytes that are new. An edit only cuts runs and puts new bytes between them, so the runs
stay in the order of the base, and what lies between two of them is one splice: all of the base that
went there, and all that came in its place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeAlias

from remem.base.errors import Already, NotPossible, Refused, UnknownRef
from remem.base.frozen import dataclass
from remem.base.text import QUOTED, count, quoted
from remem.core.library import Library
from remem.core.relation.normal_form import norm
from remem.core.root_extent import discovered
from remem.core.system import Keeper
from remem.model.change import (
    Change,
    Create,
    Derived,
    Effect,
    Intent,
    Splice,
    touched_paths,
)
from remem.model.entry import Entry, FileSpan, Ref, digest_of
from remem.model.source import Source, SourceKind
from remem.store.overlay import Overlay

HowOut: TypeAlias = Callable[[Keeper, Source, Entry], tuple[Effect, ...]]
_AT_PLACE: Final = re.compile(r"/\d+$")
"""Ends the id in a ref of an entry that has none of its own: its place in the list."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Bytes of the base that are still there: offsets from 0, the end excluded."""

    start: int
    end: int


class Sheet:
    """One file while it is being changed in memory."""

    def __init__(self, path: Path, base: bytes | None, digest: str = "") -> None:
        """Begin with the bytes on disk and their digest; `None` = the file is not there yet."""
        self.path = path
        self.base = base
        self._digest = digest
        self._now: bytes | None = base or b""
        self._pieces: list[_Kept | bytes] = [_Kept(0, len(base))] if base else []

    @property
    def now(self) -> bytes:
        """What the file holds so far; put together when it is asked for."""
        if self._now is None:
            base = memoryview(self.base or b"")
            parts = (p if isinstance(p, bytes) else base[p.start : p.end] for p in self._pieces)
            self._now = b"".join(parts)
        return self._now

    def put(self, start: int, end: int, new: bytes) -> None:
        """Replace bytes; offsets are those of `now`."""
        before, rest = _split(self._pieces, start)
        _, after = _split(rest, end - start)
        self._pieces = [*before, new, *after] if new else [*before, *after]
        self._now = None

    def put_on_base(self, start: int, end: int, new: bytes) -> None:
        """Replace bytes; offsets are those of the base, and the bytes there are untouched.

        Raises:
            Refused: Something else in this change already replaced them.
        """
        at = 0
        for piece in self._pieces:
            # It has to lie in one run: where it does not, an earlier plan replaced some of it.
            if isinstance(piece, _Kept):
                if piece.start <= start < piece.end and end <= piece.end:
                    at += start - piece.start
                    return self.put(at, at + end - start, new)
                if piece.end > start:
                    break
            at += _length(piece)
        else:
            if start == end:
                return self.put(at, at, new)
        raise Refused(f"two edits of `{self.path}` overlap", hint="decide on them one by one")

    def effects(self) -> tuple[Effect, ...]:
        """Return what leads from the file on disk to this one."""
        if self.base is None:
            return (Create(self.path, self.now),)
        planned_on = self._digest or digest_of(self.base)
        found: list[Splice] = []
        at, new = 0, b""
        # An empty run at the end of the base closes what is still open there.
        for piece in (*self._pieces, _Kept(len(self.base), len(self.base))):
            if isinstance(piece, bytes):
                new += piece
                continue
            if new or piece.start > at:
                old = self.base[at : piece.start]
                found.append(Splice(self.path, at, piece.start, old, new, planned_on))
            at, new = piece.end, b""
        return () if self._comes_to_nothing(found) else tuple(found)

    def _comes_to_nothing(self, splices: Sequence[Splice]) -> bool:
        """Tell whether what is taken out is put in again at the same place."""
        if sum(len(each.new) - len(each.old) for each in splices):
            return False
        if len(splices) == 1:
            return splices[0].new == splices[0].old
        return self.now == self.base  # what one takes out another may put in


class Draft:
    """A change in the making, and the sources as they would be after what it holds so far."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._sheets: dict[Path, Sheet] = {}
        self._others: list[Effect] = []
        self._read: dict[Path, Source] = {}
        self._preview: Library | None = None
        """What was drafted so far as it was asked for last, once files were made."""

    def sources(self, name: str) -> tuple[Source, ...]:
        """Return the sources of a format as what was drafted so far would leave them."""
        library = self.library
        if any(sheet.base is None for sheet in self._sheets.values()):
            library = self._preview = library.preview(self._effects(), self._preview)
            return library.of_format(name)
        return tuple(self._now(source) for source in library.of_format(name))

    def find(self, ref: Ref) -> tuple[Source, Entry]:
        """Return an entry of the library as what was drafted so far would leave it.

        Raises:
            UnknownRef: It has left.
        """
        before = self.library.source_of(ref)
        source = self._now(before)
        if source is before:
            return before, self.library.entry(ref)
        for entry in source.entries:
            if entry.ref == ref:
                return source, entry
        raise UnknownRef(f"`{ref}` is chosen twice", hint="choose each entry once")

    def _now(self, source: Source) -> Source:
        if source.kind is not SourceKind.STORE:
            return self._found_again(source) if self._sheets or self._others else source
        sheet = self._sheets.get(source.path)
        if sheet is None or sheet.now == source.data:
            return source
        known = self._read.get(source.path)
        if known is None or known.data != sheet.now:
            each = self.library.format(source.format)
            known = each.reader.read(replace(source, problems=()), sheet.now, known or source)
            self._read[source.path] = known
        return known

    def _found_again(self, source: Source) -> Source:
        """Discover a source anew: what is planned on it may look at the files beside it."""
        disk = Overlay(self.library.ground.disk, self._effects(), self.library.shown)
        each = self.library.format(source.format)
        ground = replace(self.library.ground, disk=disk)
        for found in discovered(each, ground, self.library.formats):
            if found.path == source.path:
                return each.reader.read(found, disk.read(found.path), source)
        return replace(source, entries=())

    def take(self, effects: Sequence[Effect]) -> None:
        """Add effects that were planned on the sources as they are now."""
        # Offsets are of one text: from the back none of them has moved when its turn comes.
        for splice in reversed(_splices(effects)):
            self._sheet(splice.path).put(splice.start, splice.end, splice.new)
        self._take_files(effects)

    def take_on_base(self, effects: Sequence[Effect]) -> None:
        """Add effects that were planned on the library as it stands on disk.

        Raises:
            Refused: They replace bytes that this change already replaced.
        """
        for splice in _splices(effects):
            self._sheet(splice.path).put_on_base(splice.start, splice.end, splice.new)
        self._take_files(effects)

    def effects(self) -> tuple[Effect, ...]:
        """Return everything, derived files of all formats last."""
        effects = self._effects()
        touched = touched_paths(effects)
        derived = (
            late
            for each in self.library.formats
            if each.facets.derives
            for late in each.keeper.derived(self.library.ground, touched)
        )
        return (*effects, *derived)

    def _effects(self) -> tuple[Effect, ...]:
        files = (effect for sheet in self._sheets.values() for effect in sheet.effects())
        return (*files, *self._others)

    def _sheet(self, path: Path) -> Sheet:
        if path not in self._sheets:
            source = next((each for each in self.library.sources if each.path == path), None)
            if source is None:  # a file beside memory, which is read for this alone
                self._sheets[path] = Sheet(path, self.library.ground.disk.read(path))
            else:
                self._sheets[path] = Sheet(path, source.data, source.digest)
        return self._sheets[path]

    def _take_files(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Create):
                self._create(effect)
            elif not isinstance(effect, Splice | Derived):
                self._others.append(effect)

    def _create(self, effect: Create) -> None:
        known = self._sheets.get(effect.path)
        if known is not None and known.now != effect.data:
            raise Refused(
                f"`{effect.path}` would be created twice", hint="decide on them one by one"
            )
        sheet = Sheet(effect.path, None)
        sheet.put(0, 0, effect.data)
        self._sheets[effect.path] = sheet


def _splices(effects: Iterable[Effect]) -> list[Splice]:
    """Return the splices in the order of their places."""
    found = (effect for effect in effects if isinstance(effect, Splice))
    return sorted(found, key=lambda splice: (splice.start, splice.end))


def _split(pieces: list[_Kept | bytes], at: int) -> tuple[list[_Kept | bytes], list[_Kept | bytes]]:
    """Cut a row of pieces after `at` bytes."""
    before: list[_Kept | bytes] = []
    for number, piece in enumerate(pieces):
        length = _length(piece)
        if at < length:
            first, second = _cut(piece, at)
            return [*before, *first], [*second, *pieces[number + 1 :]]
        before.append(piece)
        at -= length
    return before, []


def _cut(piece: _Kept | bytes, at: int) -> tuple[list[_Kept | bytes], list[_Kept | bytes]]:
    if at == 0:
        return [], [piece]
    if isinstance(piece, bytes):
        return [piece[:at]], [piece[at:]]
    middle = piece.start + at
    return [_Kept(piece.start, middle)], [_Kept(middle, piece.end)]


def _length(piece: _Kept | bytes) -> int:
    return len(piece) if isinstance(piece, bytes) else piece.end - piece.start


def nothing_left(library: Library, intent: Intent, verb: str, notes: Sequence[str]) -> Change:
    """Return the change of a decision that stands already: it writes nothing and says so."""
    names = [library.short(ref) for ref in intent.shown]
    what = names[0] if len(names) == 1 else count(names, "entry", "entries")
    return Change(intent, f"{verb} {what}", (), notes=tuple(notes))


def chosen(library: Library, intent: Intent) -> list[Entry]:
    """Return the entries of an intent as they were shown.

    Raises:
        NotPossible: None was chosen.
        UnknownRef: One is gone.
        ChangedOnDisk: One is no longer what was shown.
    """
    if not intent.shown:
        raise NotPossible("nothing was selected", hint="name an entry; `remem list` shows them")
    return [library.entry(ref, digest) for ref, digest in intent.shown.items()]


def going_along(library: Library, entries: Sequence[Entry]) -> dict[Ref, tuple[Ref, ...]]:
    """Return each entry that goes with all that leaves with it; who goes with another is left out.

    A label leaves with its list, and an item of a numbered list with the others.
    """
    groups = {entry.ref: _leaving_with(library, entry) for entry in entries}
    gone: set[Ref] = set()
    found: dict[Ref, tuple[Ref, ...]] = {}
    for ref in sorted(groups, key=lambda each: -len(groups[each])):
        if ref not in gone:
            found[ref] = groups[ref]
            gone.update(groups[ref])
    return found


def _leaving_with(library: Library, entry: Entry) -> tuple[Ref, ...]:
    goes_with = library.format_of(entry).facets.goes_with
    return (entry.ref,) if goes_with is None else goes_with(library.source_of(entry), entry)


def take_out(draft: Draft, entries: Sequence[Entry], how: HowOut) -> tuple[str, ...]:
    """Plan to take entries out of their files; return what to tell of what goes along.

    Block items of a store can go all at once, since none of them touches another's bytes, but for
    the last one of a file without a final line end, which goes with the line end above it. The rest
    go one by one: what leaves a text in its order, so that an archive keeps it, and twins from the
    back, because they are counted from the top and none that still has to go may be renamed.
    """
    library = draft.library
    along = going_along(library, entries)
    more = len({ref for refs in along.values() for ref in refs} - {entry.ref for entry in entries})
    entries = [entry for entry in entries if entry.ref in along]
    gone: dict[Path, int] = {}
    joined: set[Path] = set()
    for entry in entries:
        source = library.source_of(entry)
        gone[source.path] = gone.get(source.path, 0) + 1
        if isinstance(entry.at, FileSpan) and entry.at.end == len(source.data):
            joined.add(source.path)
    many = Counter(replace(entry.ref, twin=0) for entry in entries)

    def order(entry: Entry) -> int:
        is_text = library.source_of(entry).kind is not SourceKind.STORE
        is_forward = is_text and many[replace(entry.ref, twin=0)] == 1
        return _place(entry) if is_forward else -_place(entry)

    for entry in sorted(entries, key=order):
        source, each = library.source_of(entry), library.format_of(entry)
        is_alone = source.path not in joined and gone[source.path] < len(source.entries)
        if is_alone and _is_block_item(source, entry):
            draft.take_on_base(how(each.keeper, source, entry))
        else:
            draft.take(how(each.keeper, *draft.find(entry.ref)))
    return (f"{count(more, 'entry', 'entries')} that belong to it go along",) if more else ()


def _is_block_item(source: Source, entry: Entry) -> bool:
    if source.kind is not SourceKind.STORE or not isinstance(entry.at, FileSpan):
        return False
    return source.data[entry.at.start : entry.at.start + 1] == b"-"


def _place(entry: Entry) -> int:
    return entry.at.start if isinstance(entry.at, FileSpan) else 0


def change(
    library: Library,
    intent: Intent,
    verb: str,
    draft: Draft,
    touched: Mapping[Ref, Ref | None],
    *,
    reason: str = "",
    notes: tuple[str, ...] = (),
) -> Change:
    """Return the change of a draft under a title that history can show.

    Raises:
        NotPossible: It would write nothing.
    """
    effects = draft.effects()
    if not effects:
        raise Already("no change is needed")
    asked = [*(intent.shown or touched)]
    every = all_touched(library, effects, touched)
    what = (
        _called(library, asked[0], every) if len(asked) == 1 else count(asked, "entry", "entries")
    )
    return Change(intent, f"{verb} {what}", effects, reason, every, notes=notes)


def _called(library: Library, ref: Ref, touched: Mapping[Ref, Ref | None]) -> str:
    """Return what a title calls an entry: one that goes, by its words, which are lost with it."""
    short = library.short(ref)
    if touched.get(ref, ref) is not None or not library.has(ref):
        return short
    title = library.entry(ref).title
    return f"{short} {quoted(title, QUOTED - len(short))}" if ref.is_typed else quoted(title)


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
        entry = library.get(ref)
        if entry is None or library.source_of(ref).kind is not SourceKind.STORE:
            return True
        at = entry.at
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
        ref.twin or _AT_PLACE.search(ref.id) or library.has(Ref(ref.format, ref.id, ref.place, 2))
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
