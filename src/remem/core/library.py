"""Everything that is open at one root: an immutable, numbered snapshot, refreshed path by path.

Finding and reading happen here; what the bytes mean is the formats' business. A snapshot never
changes: `refresh` and `preview` give another one that shares all that stayed the same.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import ChangedOnDisk, UnknownRef
from remem.base.frozen import dataclass
from remem.core.root_extent import discovered, is_workspace, sets_bounds
from remem.core.system import Ground, System
from remem.model.change import Effect, Json
from remem.model.done_by_others import Aside
from remem.model.entry import Entry, Problem, Ref, Status, mark_in
from remem.model.source import Deferred, KnowsRefs, KnowsSpans, Lazy, Source
from remem.store.io import Disk, Stamp, Unreadable

if TYPE_CHECKING:
    from remem.store.asked_of_disk import AskedOfDisk
    from remem.store.changes.hunks import Hunk
    from remem.store.overlay import Overlay

DATABASE: Final = ".db"
_MANY: Final = 5_000
"""Entries of one source that the garbage collector would feel."""
_description: Final = attrgetter(
    *(f.name for f in fields(Source) if f.name not in ("data", "digest", "entries"))
)


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """A source as it was found, and as it was read."""

    found: Source
    stamp: tuple[Stamp | None, ...]
    read: Source

    def is_still(self, found: Source) -> bool:
        """True when discovery gives the same description, problems of the place included."""
        return bool(_description(found) == _description(self.found))


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that one snapshot has otherwise than the one before it."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        from remem.store.changes.hunks import file_diff

        return file_diff(self.before or b"", self.after or b"")


@dataclass(frozen=True, eq=False)
class Library:
    """One snapshot of all sources at a root and its home folder."""

    number: int
    """Grows with every snapshot of one root; never shown, only compared."""
    ground: Ground
    formats: tuple[System, ...]
    opened: tuple[_Opened, ...] = field(default=(), repr=False)
    aside: Aside = field(default=Aside(), repr=False)
    """What was reverted, vanished or made again by others; as old as it was last looked at."""
    by: str = ""
    """Who decides: git user name, else login name; empty before anyone does."""

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        return tuple(opened.read for opened in self.opened)

    @cached_property
    def is_whole(self) -> bool:
        """A whole workspace is open, with all of its repositories.

        Asked at every footer, so the disk is asked once for a snapshot.
        """
        return is_workspace(self.ground, self.formats)

    @property
    def is_complete(self) -> bool:
        """False while some entries were not parsed yet; counts by content carry `≈` until then."""
        return all(
            not isinstance(source.entries, Lazy | Deferred) or source.entries.is_complete
            for source in self.sources
        )

    def complete(self) -> Iterator[Source]:
        """Parse what was not parsed yet, entry by entry, and yield each source when it is done."""
        for source in self.sources:
            entries = source.entries
            is_new = isinstance(entries, Lazy | Deferred) and not entries.is_complete
            for _ in entries:
                pass
            if is_new and len(entries) >= _MANY:
                # They hold no cycles, and to walk over them time and again would stop the screen.
                gc.freeze()
            yield source

    def entries(self) -> Iterator[Entry]:
        """Yield every entry, source by source in file order; parses what was not parsed yet."""
        for source in self.sources:
            yield from source.entries

    def of_kind(self, *kinds: str) -> Iterator[Entry]:
        return (entry for entry in self.entries() if entry.kind in kinds)

    def of_format(self, name: str) -> tuple[Source, ...]:
        return self._by_format.get(name, ())

    def format(self, name: str) -> System:
        """Return the format of that name.

        Raises:
            UnknownRef: No format is called that.
        """
        for each in self.formats:
            if each.name == name:
                return each
        names = ", ".join(f"`{each.name}`" for each in self.formats)
        raise UnknownRef(f"no system is called `{name}`", hint=f"the systems are {names}")

    def format_of(self, entry: Entry) -> System:
        return self.format(entry.ref.format)

    def is_shared(self, ref: Ref) -> bool:
        """Tell whether all repositories of a workspace share what has this ref."""
        return any(each.name == ref.format and each.facets.is_shared for each in self.formats)

    def whose(self, kind: str, fields: Mapping[str, Json]) -> str:
        """Return what stands for the one that such an entry belongs to; empty = nobody's own."""
        known = (each.facets.whose for each in self.formats)
        return next(filter(None, (of(kind, fields) for of in known if of is not None)), "")

    def text_field(self, kind: str) -> str:
        """Return the field that has the text of an entry of that kind."""
        fields = (each.facets.text_fields.get(kind) for each in self.formats)
        return next(filter(None, fields), "text")

    def entry(self, ref: Ref, digest: str | None = None) -> Entry:
        """Return the entry at `ref`.

        Args:
            ref: With its place.
            digest: What was shown; empty or `None` when nothing was.

        Raises:
            UnknownRef: Nothing has that ref.
            ChangedOnDisk: The entry is no longer what was shown.
        """
        found = self._find(ref)
        if found is None:
            raise UnknownRef(f"no entry `{ref}`", hint="`remem list` shows all entries")
        entry, _ = found
        if digest and entry.digest != digest:
            raise ChangedOnDisk(
                f"`{self.short(ref)}` changed after it was shown",
                hint="review the new text and decide again",
            )
        return entry

    def source_of(self, entry: Entry | Ref) -> Source:
        """Return the source that the entry stands in.

        Raises:
            UnknownRef: Nothing has that ref.
        """
        ref = entry.ref if isinstance(entry, Entry) else entry
        found = self._find(ref)
        if found is None:
            raise UnknownRef(f"no entry `{ref}`", hint="`remem list` shows all entries")
        return found[1]

    def has(self, ref: Ref) -> bool:
        return self._find(ref) is not None

    def get(self, ref: Ref) -> Entry | None:
        """Return the entry at `ref`, with its place; `None` where nothing has that ref."""
        found = self._find(ref)
        return found[0] if found is not None else None

    def has_as_drawn(self, drawn: Iterable[tuple[Ref, str]]) -> bool:
        """Tell whether each of these entries stands here as it was shown."""
        found = ((self.get(ref), digest) for ref, digest in drawn)
        return all(entry is not None and entry.digest == digest for entry, digest in found)

    def is_removed(self, ref: Ref) -> bool:
        """Tell whether others took an entry out, and nothing that waits or rests has its ref."""
        if self.aside.vanished_at(ref) is None:
            return False
        entry = self.get(ref)
        return entry is None or entry.status is Status.ACTIVE

    def _is_here(self, entry: Entry) -> bool:
        return self.source_of(entry).path.is_relative_to(self.ground.root)

    def short(self, ref: Ref) -> str:
        """Return the ref as people write it: without the place where the format has only one."""
        return str(ref.without_place() if len(self._places.get(ref.format, ())) <= 1 else ref)

    def resolve(self, text: str) -> Entry:
        """Return the one entry that `text` names: a ref, one without its place, or a bare id.

        Of an id that ends in a hash, `#b72e0c`, that is enough, with or without `#`.

        Raises:
            UnknownRef: None or several have that name; the hint lists them.
        """
        if ":" in text:
            ref = Ref.parse(text)
            places = self._places.get(ref.format, ())
            if not ref.place and len(places) == 1:
                ref = replace(ref, place=next(iter(places)))
            found = self._find(ref)
            if found is not None:
                return found[0]
            close = [e for e in self.entries() if not ref.place and e.ref.without_place() == ref]
            close = close or [*self._moved(ref)]
        else:
            close = [*self._called(text)] or [*self._marked(text)]
            close = [entry for entry in close if not entry.ref.twin] or close
            if len(close) > 1:
                # What stands here wins over what is inherited from elsewhere.
                close = [entry for entry in close if self._is_here(entry)] or close
        if len(close) == 1:
            return close[0]
        if not close:
            raise UnknownRef(f"no entry `{text}`", hint="`remem list` shows all entries")
        names = ", ".join(f"`{self.short(entry.ref)}`" for entry in close[:5])
        raise UnknownRef(f"`{text}` matches {len(close)} entries", hint=f"use one of {names}")

    def _called(self, name: str) -> Iterator[Entry]:
        """Yield the entries with an id; where refs are known before, no other one is parsed."""
        for source in self.sources:
            entries = source.entries
            if isinstance(entries, KnowsRefs):
                yield from (entries[place] for place in entries.places_of(name))
            else:
                yield from (entry for entry in entries if entry.ref.id == name)

    def _moved(self, ref: Ref) -> Iterator[Entry]:
        """Yield what has the hash of a ref in another file of the same owner at its place.

        A section that goes into an archive, or comes back, keeps the hashes of its entries.
        """
        digits = ref.id.partition("#")[2]
        homes = {
            (source.owner, source.layout)
            for source in self.of_format(ref.format)
            if source.owner and source.is_home_of(ref, "")
        }
        for entry in self._marked(digits) if digits and homes else ():
            source = self.source_of(entry)
            is_beside = (source.owner, source.layout) in homes
            if is_beside and (entry.ref.format, entry.ref.place) == (ref.format, ref.place):
                yield entry

    def _marked(self, text: str) -> Iterator[Entry]:
        """Yield the entries whose id ends in that hash, of which six digits are enough."""
        mark = mark_in(text)
        if mark:
            yield from (entry for entry in self.entries() if entry.ref.mark.startswith(mark))

    def role_names(self) -> tuple[str, ...]:
        """Return every role that a file or the configuration names, sorted, each once."""
        names = {
            role
            for each in self.formats
            if (sources := self.of_format(each.name))
            for role in each.composer.role_names(self.ground, sources)
        }
        names |= {role for roles in self.ground.roles.values() for role in roles}
        return tuple(sorted(names))

    def waiting(self) -> Iterator[Entry]:
        """Yield candidates without parsing stores whose bytes name none."""
        for source in self.sources:
            for entry in self.format(source.format).reader.waiting(source):
                if entry.status is Status.CANDIDATE:
                    yield entry

    def problems(self) -> Iterator[tuple[Source, Entry | None, Problem]]:
        """Yield what is wrong: first with each source, then with its entries."""
        for source in self.sources:
            for problem in source.problems:
                yield source, None, problem
            for entry in source.entries:
                for problem in entry.problems:
                    yield source, entry, problem

    def refresh(
        self,
        paths: Collection[Path] | None = None,
        *,
        peek: Library | None = None,
        found: str = "",
    ) -> Library:
        """Return the next snapshot.

        Args:
            paths: What may have changed; a folder stands for all below it. `None` = compare every
                file's stamp.
            peek: Another snapshot after this one: what it read of `paths` is not read again, if the
                file still has the stamp.
            found: The format of which `peek` looked for sources when of `paths` nothing was left to
                be written but what it knows, and what says nothing of other sources.
        """
        return _snapshot(self, self.ground, paths, peek, found=found)

    def moved(self, *appearing: str) -> frozenset[Path]:
        """Return the files that are not as they were read, at the cost of a look at each.

        Args:
            appearing: Formats of which files count too that were not there.
        """
        disk = self.ground.disk
        moved = frozenset(
            each.found.path
            for each in self.opened
            if each.stamp != (*stamps_of(disk, each.found.path), *_stamps(disk, each.read))
        )
        found = (
            source
            for each in self.formats
            if each.name in appearing
            for source in discovered(each, self.ground, self.formats)
        )
        return moved | {source.path for source in found if source.key not in self.by_key}

    def has_paths(self, name: str, paths: Collection[Path]) -> bool:
        """Tell whether each of these is the path of a source of one format."""
        return {source.path for source in self.of_format(name)}.issuperset(paths)

    def refresh_format(self, name: str) -> Library:
        """Return the next snapshot, in which only the sources of one format are up to date."""
        others = frozenset(each.name for each in self.formats if each.name != name)
        return _snapshot(self, self.ground, None, settled=others)

    def on(self, ground: Ground) -> Library:
        """Return the next snapshot with other settings."""
        return _snapshot(replace(self, ground=ground), ground, ())

    @property
    def has_aside(self) -> bool:
        return self.aside != Aside()

    def with_aside(self, aside: Aside) -> Library:
        """Return the next snapshot: the same files, and what was found beside them."""
        if aside == self.aside:
            return self
        return replace(self, number=self.number + 1, aside=aside)

    def preview(self, effects: Sequence[Effect], near: Library | None = None) -> Library:
        """Return the snapshot that these effects would give; nothing is written.

        Derived files do not show in it: none reaches a prompt.

        Args:
            effects: Planned on this snapshot.
            near: What some of them gave: of what they leave as it is there nothing is read again.
        """
        from remem.base.digests import forget_digest
        from remem.store.overlay import Overlay

        overlay = Overlay(self.ground.disk, effects, self.shown)
        ground = self.ground
        if not overlay.paths.isdisjoint(ground.settings_files):
            from remem.core.settings import roles_at

            ground = replace(ground, roles=roles_at(overlay, ground))
        same = self._finding_the_same(overlay) if ground is self.ground else ()
        after = _snapshot(self, replace(ground, disk=overlay), overlay.paths, near, settled=same)
        for source in after.sources:
            if source.path in overlay.paths:
                forget_digest(source.data)  # else some megabytes stay for every look at a plan
        others = overlay.written - self.shown.keys()
        if others and not others.issubset(source.path for source in after.sources):
            return after  # a prompt may hang on a file that no source is: a tool's settings
        return replace(after, ground=ground)

    def _finding_the_same(self, overlay: Overlay) -> Collection[str]:
        """Return the formats that would find the same sources again and read none of them anew.

        What a format finds is made of what it asks the disk, and of nothing else that effects
        change. So where all that it asks is answered alike, it finds the same again: that is known
        of its first look for a preview, which is kept if it found what this snapshot has. And it
        reads nothing anew where none of its sources is, or rests on, what is written.
        """
        paths = overlay.paths
        if not overlay.only_writes or any(sets_bounds(path, self.formats) for path in paths):
            return ()
        if _are_there(self, overlay, paths):
            return ()  # then only one format has to look at all
        concerned = set().union(*(self._read_for.get(path, ()) for path in paths))
        return frozenset(
            each.name
            for each in self.formats
            if each.name not in concerned
            and (asked := self._asked_by(each)) is not None
            and asked.answers_alike(paths, self._minds_new(each))
        )

    def _asked_by(self, each: System) -> AskedOfDisk | None:
        """Return what a format asks to find its sources; `None` = it finds others by now."""
        if each.name not in self._asked:
            from remem.store.asked_of_disk import AskedOfDisk

            disk = AskedOfDisk(self.ground.disk)
            found = [*discovered(each, replace(self.ground, disk=disk), self.formats)]
            opened = [known for known in self.opened if known.found.format == each.name]
            is_same = len(found) == len(opened) and all(
                known.found.key == source.key and known.is_still(source)
                for known, source in zip(opened, found, strict=True)
            )
            self._asked[each.name] = disk if is_same else None
        return self._asked[each.name]

    @cached_property
    def _asked(self) -> dict[str, AskedOfDisk | None]:
        return {}

    def _minds_new(self, each: System) -> Callable[[Path], bool]:
        """Return what tells which new files a format minds; in a workspace it minds all."""
        if each.name not in self._minded:
            declared = each.facets.minds_new
            is_known = declared is not None and not self.ground.inside
            if declared is None or not is_known or is_workspace(self.ground, self.formats):
                self._minded[each.name] = lambda _: True
            else:
                self._minded[each.name] = declared(self.ground)
        return self._minded[each.name]

    @cached_property
    def _minded(self) -> dict[str, Callable[[Path], bool]]:
        return {}

    def _find(self, ref: Ref) -> tuple[Entry, Source] | None:
        """Return an entry and its source; stores that know their refs are not parsed for it."""
        found = self._met.get(ref) or self._parsed(ref.format).get(ref)
        if found is not None:
            return found
        alone = self._alone.get(ref)
        if alone is not None:
            return alone.entries[0], alone
        for source, entries in self._stores:
            if (source.format, source.place) == (ref.format, ref.place):
                place = entries.find(ref)
                if place is not None:
                    return self._met.setdefault(ref, (source.entries[place], source))
        return None

    @cached_property
    def _met(self) -> dict[Ref, tuple[Entry, Source]]:
        """Entries of stores that know their refs, once they were looked up."""
        return {}

    @cached_property
    def by_key(self) -> Mapping[tuple[str, Path], _Opened]:
        """What was opened, by what makes it the same in the next snapshot."""
        return {opened.found.key: opened for opened in self.opened}

    @cached_property
    def shown(self) -> Mapping[Path, bytes]:
        """The bytes of every file as this snapshot has them: what verbs are planned on."""
        return {source.path: source.data for source in self.sources if source.digest}

    @cached_property
    def _stores(self) -> Sequence[tuple[Source, KnowsRefs]]:
        known = ((s, s.entries) for s in self.sources if isinstance(s.entries, KnowsRefs))
        return [(source, entries) for source, entries in known if len(source.entries) != 1]

    @cached_property
    def _alone(self) -> Mapping[Ref, Source]:
        """Sources with one entry, of which there may be thousands, by its ref."""
        return {
            s.entries.ref(0): s
            for s in self.sources
            if isinstance(s.entries, KnowsRefs) and len(s.entries) == 1
        }

    @cached_property
    def _by_ref(self) -> dict[str, Mapping[Ref, tuple[Entry, Source]]]:
        return {}

    def _parsed(self, name: str) -> Mapping[Ref, tuple[Entry, Source]]:
        """Return the entries of a format's sources that have to be parsed for their refs."""
        found = self._by_ref.get(name)
        if found is None:
            sources = (s for s in self.of_format(name) if not isinstance(s.entries, KnowsRefs))
            found = {each.ref: (each, source) for source in sources for each in source.entries}
            self._by_ref[name] = found
        return found

    @cached_property
    def owners(self) -> Mapping[Path, set[str]]:
        """The formats that each file which was there is read for, or that rest on it."""
        owners: dict[Path, set[str]] = {}
        for opened in self.opened:
            if opened.stamp[0] is not None:
                owners.setdefault(opened.found.path, set()).add(opened.found.format)
            for path in opened.read.rests_on:
                owners.setdefault(path, set()).add(opened.found.format)
        return owners

    @cached_property
    def _read_for(self) -> Mapping[Path, set[str]]:
        """The formats with a source at each path, or that rests on it, be there a file or none."""
        found: dict[Path, set[str]] = {}
        for opened in self.opened:
            for path in (opened.found.path, *opened.found.rests_on, *opened.read.rests_on):
                found.setdefault(path, set()).add(opened.found.format)
        return found

    @cached_property
    def _by_format(self) -> Mapping[str, tuple[Source, ...]]:
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            found.setdefault(source.format, []).append(source)
        return {name: tuple(sources) for name, sources in found.items()}

    @cached_property
    def _places(self) -> Mapping[str, set[str]]:
        places: dict[str, set[str]] = {}
        for source in self.sources:
            places.setdefault(source.format, set()).add(source.place)
        return places


def open_library(ground: Ground, formats: Sequence[System]) -> Library:
    """Find and read every source; entries of large stores are parsed when they are asked for."""
    return _snapshot(Library(0, ground, tuple(formats)), ground, None)


def _snapshot(
    before: Library,
    ground: Ground,
    paths: Collection[Path] | None,
    peek: Library | None = None,
    *,
    settled: Collection[str] = (),
    found: str = "",
) -> Library:
    are_there = _are_there(before, ground.disk, paths or ())
    settled = settled or (_settled(before, paths or ()) if are_there else ())
    known, seen = before.by_key, peek.by_key if peek is not None else {}
    looked = peek if are_there and peek is not None and peek.has_paths(found, paths or ()) else None
    dirty = None if paths is None else _Dirty(paths)
    opened: list[_Opened] = []
    for each in before.formats:
        if each.name in settled:
            opened += (known for known in before.opened if known.found.format == each.name)
            continue
        sources = (
            (opened.found for opened in looked.opened if opened.found.format == found)
            if looked is not None and each.name == found
            else discovered(each, ground, before.formats)
        )
        opened += (
            _open(ground, each, source, known.get(source.key), dirty, seen.get(source.key))
            for source in sources
        )
    return Library(
        before.number + 1, ground, before.formats, tuple(opened), before.aside, before.by
    )


def _are_there(before: Library, disk: Disk, paths: Collection[Path]) -> bool:
    """Tell whether there are paths, and all are of files that were there before and still are."""
    return bool(paths) and all(
        path in before.owners
        and not sets_bounds(path, before.formats)
        and disk.kind(path) == "file"
        for path in paths
    )


def _settled(before: Library, paths: Collection[Path]) -> frozenset[str]:
    """Return the formats that would find the same sources again and read none of them anew.

    A format finds sources by their names and looks into none but its own. So where files of one
    format were written, and none of them came or went, the others need not look.
    """
    formats = {each.name for each in before.formats}
    return frozenset(formats.difference(*(before.owners[path] for path in paths)))


class _Dirty:
    """Paths that may have changed, folders included."""

    def __init__(self, paths: Collection[Path]) -> None:
        logs = (path for path in paths if path.name.endswith(f"{DATABASE}-wal"))
        databases = (path.with_name(path.name.removesuffix("-wal")) for path in logs)
        # As text: whoever reads anew asks of every source that there is.
        self._paths = frozenset(map(str, (*paths, *databases)))

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, Path):
            return False
        above = str(path)
        while above not in self._paths:
            above, slash, _ = above.rpartition("/")
            if not above:
                return slash in self._paths
        return True

    def concerns(self, source: Source) -> bool:
        return source.path in self or any(path in self for path in source.rests_on)


def _open(
    ground: Ground,
    each: System,
    found: Source,
    before: _Opened | None,
    dirty: _Dirty | None,
    seen: _Opened | None,
) -> _Opened:
    disk, same = ground.disk, before is not None and before.is_still(found)
    if before is not None and same and dirty is not None and not dirty.concerns(before.read):
        return before
    stamp = stamps_of(disk, found.path)
    if seen is not None and seen.is_still(found) and _is_as_read(disk, seen, stamp):
        return seen
    if before is not None and same and dirty is None and _is_as_read(disk, before, stamp):
        return before
    nearest = seen if seen is not None and seen.is_still(found) else before if same else None
    read = _read(ground, each, found, None if nearest is None else nearest.read)
    return _Opened(found, (*stamp, *_stamps(disk, read)), read)


def _read(ground: Ground, each: System, found: Source, before: Source | None) -> Source:
    disk, cache = ground.disk, ground.given.cache
    is_database = found.is_served or found.path.suffix == DATABASE
    try:
        # Of a database the format reads the rows, however long the file is.
        is_rows = is_database and (found.is_served or disk.kind(found.path) == "file")
        data = b"" if is_rows else disk.read(found.path)
    except Unreadable as error:
        problem = Problem(error.why, str(error), error.hint, path=found.path, blocks_writing=True)
        return replace(found, problems=(*found.problems, problem))
    is_whole = not is_database and not found.rests_on
    if before is not None and is_whole and before.digest and before.data == data:
        return before
    read = each.reader.read(found, data, before)
    if isinstance(read.entries, KnowsSpans):
        read.entries.keep_in(cache)
    return read


def _is_as_read(disk: Disk, opened: _Opened, stamp: tuple[Stamp | None, ...]) -> bool:
    """Tell whether a source, and what it rests on, are as they were when it was read."""
    return stamp[0] is not None and opened.stamp == (*stamp, *_stamps(disk, opened.read))


def _stamps(disk: Disk, read: Source) -> tuple[Stamp | None, ...]:
    return tuple(map(disk.stamp, read.rests_on))


def stamps_of(disk: Disk, path: Path) -> tuple[Stamp | None, ...]:
    """Return what tells versions apart; a database may change in the log beside it alone."""
    if path.suffix != DATABASE:
        return (disk.stamp(path),)
    return (disk.stamp(path), disk.stamp(path.with_name(f"{path.name}-wal")))


def together(earlier: Sequence[FileChange], later: Sequence[FileChange]) -> list[FileChange]:
    """Return two changes as one; a file that is again what it was before both is left out."""
    found = {each.path: each for each in earlier}
    for each in later:
        known = found.get(each.path)
        found[each.path] = replace(each, before=known.before) if known is not None else each
    return [each for each in found.values() if each.before != each.after]


def differences(before: Library, after: Library) -> tuple[FileChange, ...]:
    """Return which files differ between two snapshots of one root."""
    was = {source.path: source.data for source in before.sources}
    now = {source.path: source.data for source in after.sources}
    paths = (path for path in {**was, **now} if was.get(path) is not now.get(path))
    pairs = ((path, was.get(path), now.get(path)) for path in paths)
    return tuple(FileChange(path, old, new) for path, old, new in pairs if old != new)
