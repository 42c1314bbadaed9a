"""What agents wrote since a person looked, at one root: versions noted, compared, and kept.

A file counts as seen as it was at the first opening, and by what was marked since: a change of a
person's marks what it did, and `Mark as reviewed` marks what it names, in a file of its own that
undo takes away again. Looking adds dated versions and takes nothing out of the inbox.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.clock import Clock, moment_at
from remem.base.errors import RememError, WriteFailed
from remem.code import git
from remem.core.inbox.compare_versions import (
    Keyed,
    difference,
    is_reviewed,
    key_of,
    moved_keys,
    paired,
    text_of,
)
from remem.core.library import Library
from remem.model.change import Create, Effect, Intent, Move, Splice, touched_paths
from remem.model.done_by_others import Unreviewed
from remem.model.entry import Ref, Status, digest_of
from remem.model.source import Source
from remem.store.history.dated_versions import (
    GIT,
    DatedVersions,
    Known,
    Marks,
    Version,
    add_marks,
    folder_in,
)
from remem.store.history.external_changes import BY, Outside
from remem.store.io import Disk, Unreadable
from remem.store.overlay import Overlay

if TYPE_CHECKING:
    from collections.abc import Collection

REVIEWED: Final = "reviewed"
KEPT: Final = timedelta(days=30)
"""How long versions between the one that was seen and the last are kept."""
MOST: Final = 64 * 1024 * 1024
"""Bytes of compressed texts beyond which the oldest of them go."""
_DATED: Final = 30
"""Versions of a file, the newest, among which is looked when a text came or went."""
_AUTHORS: Final = 20
"""Files of one look of which git is asked who committed them."""


Step: TypeAlias = tuple[str, str]
"""Two versions of a file, one after the other, by their digests."""
Moved: TypeAlias = tuple[frozenset[bytes], frozenset[bytes]]
"""The lines that came, and those that went."""
_UNMOVED: Final[Moved] = (frozenset(), frozenset())
_Stamp: TypeAlias = tuple[int, tuple[str, ...]]
"""The state of the kept versions, and the names of the reviews."""


class Inbox:
    """Compares memory with what was seen of it; what it finds lies beside a snapshot."""

    def __init__(self, root: Path, home: Path, state: Path, disk: Disk, clock: Clock) -> None:
        self._root = root
        self._disk = disk
        self._clock = clock
        self._scope = f"{root}\0{home}"
        self._folder = folder_in(state)
        self.reviewed = self._folder / REVIEWED
        """The folder in which each review has a file."""
        self.versions = DatedVersions(disk, self._folder)
        self.by = ""
        """Who wrote what is noted from now on, as a hook that knows it says."""
        self._put_back: frozenset[Path] = frozenset()
        """What was just undone or redone: a version that is there again keeps who wrote it."""
        self._kept: tuple[_Stamp, Known, Mapping[Path, Marks]] | None = None
        self._found: dict[Path, tuple[object, tuple[Unreviewed, ...]]] = {}
        self._steps: dict[Path, dict[Step, Moved]] = {}
        self._seen: dict[Path, bytes] = {}
        """Files as they were seen, each one object: all snapshots in use hold them."""

    @cached_property
    def is_begun(self) -> bool:
        """True once this root was opened; until then nothing in it is unreviewed."""
        return self.versions.is_known(self._scope)

    def writers(self, outside: Sequence[Outside]) -> dict[str, str]:
        """Return in words who wrote what came from outside, by its name.

        That is whom a hook or a commit told of, where it is kept; else what is known of the cause.
        """
        told: dict[Path, dict[str, str]] = {}
        is_kept = self.versions.exists and self.is_begun
        for path in {each.path for each in outside} if is_kept else ():
            versions = self.versions.versions(path)
            told[path] = {each.digest: each.cause for each in versions if each.cause}
        return {
            each.name: (each.cause == "writer" and told.get(each.path, {}).get(each.after, ""))
            or BY[each.cause]
            for each in outside
        }

    def begin(self, library: Library) -> None:
        """Take what stands at a root that was never opened as seen."""
        if not self.is_begun:
            files = {s.path: (s.digest, s.data) for s in _sources(library).values()}
            self.versions.begin(self._scope, self._now(), files)
            self.is_begun = True

    def look(self, library: Library) -> tuple[Unreviewed, ...]:
        """Note how files are now, and return what in them is not as it was seen."""
        if not self.is_begun:
            return ()
        sources = _sources(library)
        known, marks = self._known()
        names = {str(path) for path in sources}
        missing = (Path(name) for name in known.last if name not in names)
        gone = [path for path in missing if self._is_gone(path)]
        if self._note(sources, gone, known):
            known, marks = self._known()
        found: list[Unreviewed] = []
        settled: dict[Path, str] = {}
        differing: dict[Path, tuple[str, str]] = {}
        for path in (*sources, *gone):
            now = sources[path].digest if path in sources else ""
            base = known.base.get(str(path), ("", 0))[0]
            if now == base and path not in marks:
                continue
            token = _token(base, now, marks.get(path, {}))
            if known.settled.get(str(path)) != token and not _is_unsound(sources.get(path)):
                differing[path] = (base, token)
        past = self._past(library, sources, {path: base for path, (base, _) in differing.items()})
        for path, (_, token) in differing.items():
            cached = self._found.get(path)
            if cached is None or cached[0] != token:
                made = tuple(self._compared(library, sources, past, path, marks.get(path, {})))
                cached = self._found[path] = (token, made)
            found += cached[1]
            if not cached[1]:
                settled[path] = token
        if settled:
            with suppress(WriteFailed):
                self.versions.settle(settled)
                self._kept = None
        return tuple(found)

    def note_own(
        self,
        change: str,
        intent: Intent,
        effects: Sequence[Effect],
        before: Library,
        after: Library,
    ) -> None:
        """Note what a person's change did, and that they saw what they decided on.

        Args:
            change: Its id.
            intent: What was asked for.
            effects: What it wrote.
            before: The snapshot that it was planned on.
            after: One that was read since.
        """
        if not self.is_begun:
            return
        moves = [each for each in effects if isinstance(each, Move)]
        marks, settled = self._marked_by(effects, moves, before, after)
        is_review = any(path.is_relative_to(self._folder) for path in touched_paths(effects))
        for ref in intent.shown if not is_review else ():
            item = before.aside.unreviewed.get(ref)
            if item is not None and item.path not in marks and item.what != "removed":
                add_marks(marks.setdefault(item.path, {}), reviewing([item])[item.path])
        marks = {path: found for path, found in marks.items() if found}
        origins = {path: _moved(path, moves) for path in _sources(after)}
        brought = {lay: path for path, lay in origins.items() if lay is not None and lay != path}
        if brought:
            # What went from a file before it was moved is told from the versions that had it.
            with suppress(WriteFailed):
                self.versions.carry(self._scope, brought)
        if marks:
            with suppress(WriteFailed):
                self.versions.note_own(change, self._now(), marks)
                self.versions.settle(settled)
        self._kept = None

    def _marked_by(
        self, effects: Sequence[Effect], moves: Sequence[Move], before: Library, after: Library
    ) -> tuple[dict[Path, Marks], dict[Path, str]]:
        """Return what a change did to each file, and the files that are settled by that."""
        old, new = _sources(before), _sources(after)
        # Other files were rewritten too, such as one that routes work: what they were is gone by
        # now, and nobody's memory is in them.
        kept = [x for x in effects if not isinstance(x, Splice) or _shows(before, x.path, moves)]
        planned = Overlay(self._disk, kept, before.shown)
        open_items = (*before.aside.unreviewed.values(), *before.aside.passed_over)
        known, seen = self._known()
        marks: dict[Path, Marks] = {}
        settled: dict[Path, str] = {}
        moved_too = (path for path in {*old, *new} if _moved(path, moves))
        places = dict.fromkeys((*touched_paths(effects), *moved_too))
        for path in (path for path in places if path in old or path in new):
            was, now = old.get(path), new.get(path)
            source = now or was
            assert source is not None
            empty = _with(after, source, b"")
            origin = _moved(path, moves)
            came = before.shown.get(origin) if origin is not None else None
            done = _as_planned(after, planned, now, came) if now is not None else empty
            moved = moved_keys(was or empty, done)
            mine = [each for each in open_items if each.path == (origin or path)]
            marks[path] = found = _carried(moved, mine) if origin else _own_marks(moved, mine)
            if done is now and was is not None and not mine and not origin:
                settled |= _settled_by(known, was, now, seen.get(path, {}), found)
        return marks, settled

    def note_written(self, library: Library, effects: Sequence[Effect], by: str) -> None:
        """Note what a change of an agent's wrote, with who set it off; a person reviews it."""
        if not self.is_begun:
            return
        sources, known = _sources(library), self._known()[0]
        written = [sources[path] for path in touched_paths(effects) if path in sources]
        fresh = [s for s in written if known.last.get(str(s.path)) != s.digest]
        rows = [(s.path, self._now(), s.digest, s.data, by) for s in fresh]
        if rows:
            with suppress(WriteFailed):
                self.versions.add(self._scope, rows)
        self._kept = None

    def set_undone(self, changes: Mapping[str, bool], paths: Collection[Path] = ()) -> None:
        """Note which changes were taken back, or done again, and which files that wrote to."""
        self._put_back = frozenset(paths)
        if self.versions.exists:
            with suppress(WriteFailed):
                self.versions.set_undone(changes)
        self._kept = None

    def forget(self, library: Library, path: Path) -> bool:
        """Drop all that is kept of a file; tell whether anything was.

        As it stands it counts as seen.
        """
        if not self.is_begun or not self.versions.forget(path):
            return False
        source = _sources(library).get(path)
        if source is not None:
            file = {path: (source.digest, source.data)}
            self.versions.begin(self._scope, self._now(), file)
        self._kept = None
        self._found.pop(path, None)
        self._steps.pop(path, None)
        self._seen.pop(path, None)
        return True

    def prune(self) -> None:
        """Let old versions go, and take what was reviewed long ago as seen as it stands."""
        if not self.versions.exists:
            return
        moment = self._clock.now() - KEPT
        before = int(moment.timestamp() * 1_000_000)
        with suppress(WriteFailed):
            self.versions.prune(before, MOST)
            self._take_as_seen(before)

    def _take_as_seen(self, before: int) -> None:
        """Take files as seen as they stand in which all was reviewed before a moment."""
        if not self.is_begun:
            return
        known, marks = self._known()
        young = {str(path) for at, found in self._reviews() if at >= before for path in found}
        for name, token in known.settled.items():
            _, now, marked = token.split(" ")
            path, digest = Path(name), known.last.get(name, "")
            if now == digest and marked == _digest(marks.get(path, {})) and name not in young:
                self.versions.rebase(path, now, before)
        self._kept = None
        for name in self._disk.names(self.reviewed):
            with suppress(OSError, Unreadable, ValueError):
                at, found = _review(self._disk.read(self.reviewed / name))
                base_at = self.versions.known(self._scope).base
                if all(at <= base_at.get(str(path), ("", 0))[1] for path in found):
                    self._disk.unlink(self.reviewed / name)

    def _known(self) -> tuple[Known, Mapping[Path, Marks]]:
        """Return what is kept, and all marks by file; read again only when it was written to."""
        stamp = (self.versions.version(), self._disk.names(self.reviewed))
        if self._kept is None or self._kept[0] != stamp:
            known = self.versions.known(self._scope)
            marks = {Path(name): dict(found) for name, found in known.own.items()}
            for at, found in self._reviews():
                for path, more in found.items():
                    if at > known.base.get(str(path), ("", 0))[1]:
                        add_marks(marks.setdefault(path, {}), more)
            whole = {path: _without_zero(found) for path, found in marks.items()}
            self._kept = (stamp, known, {path: found for path, found in whole.items() if found})
        return self._kept[1], self._kept[2]

    @property
    def is_behind(self) -> bool:
        """Tell whether another process marked something as reviewed since it was looked at."""
        kept = self._kept
        return kept is not None and kept[0][1] != self._disk.names(self.reviewed)

    def _reviews(self) -> Iterator[tuple[int, dict[Path, Marks]]]:
        for name in self._disk.names(self.reviewed):
            with suppress(Unreadable, ValueError):
                yield _review(self._disk.read(self.reviewed / name))

    def _is_gone(self, path: Path) -> bool:
        return self._disk.kind(path) is None

    def _now(self) -> int:
        return int(self._clock.now().timestamp() * 1_000_000)

    def _note(self, sources: Mapping[Path, Source], gone: Collection[Path], known: Known) -> bool:
        """Add versions of files that are not as they were; tell whether any is."""
        fresh = [s for path, s in sources.items() if known.last.get(str(path)) != s.digest]
        lost = [path for path in gone if known.last.get(str(path))]
        if not fresh and not lost:
            return False
        texts = {source.path: source.data for source in fresh} | dict.fromkeys(lost, b"")
        causes = {**dict.fromkeys(texts, self.by), **self._causes(texts)}
        now, rows = self._now(), list[tuple[Path, int, str, bytes, str]]()
        for source in fresh:
            stamp = self._disk.stamp(source.path)
            at = min(stamp.mtime_ns // 1000, now) if stamp is not None else now
            # What came with an old date, out of an archive, came after it was looked at last.
            at = now if at < self._last_at(source.path) <= now else at
            cause = causes.get(source.path, "")
            was = self._earlier(source) if source.path in self._put_back else None
            at, cause = (was.at, was.cause) if was is not None else (at, cause)
            rows.append((source.path, at, source.digest, source.data, cause))
        self._put_back = frozenset()
        rows += [(path, now, "", b"", causes.get(path, "")) for path in lost]
        try:
            self.versions.add(self._scope, rows)
        except WriteFailed:
            return False
        self._kept = None
        return True

    def _earlier(self, source: Source) -> Version | None:
        """Return the last version of a file that had the bytes which it has now."""
        versions = reversed(self.versions.versions(source.path))
        return next((each for each in versions if each.digest == source.digest), None)

    def _causes(self, texts: Mapping[Path, bytes]) -> Mapping[Path, str]:
        """Return of files what is known of who wrote them: git alone, or a commit."""
        here = {path: data for path, data in texts.items() if path.is_relative_to(self._root)}
        by_top: dict[Path, dict[Path, bytes]] = {}
        for path, data in here.items():
            by_top.setdefault(git.folder_of(path.parent), {})[path] = data
        found: dict[Path, str] = {}
        for top, files in by_top.items():
            if self._disk.kind(top / ".git") is None:
                continue
            moments = (self._last_at(path) for path in files)
            moved = git.moved_over(self._disk, top, min(moments, default=0) / 1_000_000)
            heads = git.in_head(top, files)
            for path in files:
                is_gone = texts[path] == b"" and self._is_gone(path)
                is_at_head = path not in heads if is_gone else heads.get(path, False)
                if is_at_head and moved:
                    found[path] = GIT
                elif is_at_head and len(found) < _AUTHORS:
                    # Bytes of an older commit that came back were not brought by it.
                    commit = git.last_commit(top, path, self._last_at(path) / 1_000_000)
                    found |= {path: f"commit {commit}"} if commit else {}
        return found

    def _last_at(self, path: Path) -> int:
        versions = self.versions.versions(path)
        return versions[-1].at if versions else 0

    def _past(
        self, library: Library, sources: Mapping[Path, Source], bases: Mapping[Path, str]
    ) -> Mapping[Path, Source]:
        """Return files as they were seen, read by the systems whose they are."""
        read: dict[Path, Source] = {}
        lost: dict[Path, bytes] = {}
        seen: dict[Path, bytes] = {}
        for path, digest in bases.items():
            data = self.versions.text(digest)
            if data is not None and data == self._seen.get(path):
                data = self._seen[path]
            source = sources.get(path)
            if source is not None:
                read[path] = _with(library, source, data or b"")
            elif data:
                lost[path] = data
            if data:
                seen[path] = data
        self._seen = seen
        return {**read, **_reread(library, lost)}

    def _compared(
        self,
        library: Library,
        sources: Mapping[Path, Source],
        past: Mapping[Path, Source],
        path: Path,
        marks: Marks,
    ) -> Iterator[Unreviewed]:
        old, new = past.get(path), sources.get(path)
        if old is None and new is None:
            return
        if old is None:
            assert new is not None
            old = _with(library, new, b"")
        new = new or replace(old, data=b"", entries=(), digest="")
        found = difference(old, new, marks)
        lost = self._lost(library, old, path, found.lost) if found.lost else ()
        dated = _Dated(self.versions, path, self._steps.setdefault(path, {}))
        for was, now in paired(replace(found, gone=(*found.gone, *lost))):
            at = _one(now or was)
            event = dated.came(now) if now is not None else dated.went(_one(was))
            waits_anyway = now is not None and now.entry.status is Status.CANDIDATE
            entry = at.entry
            start, end = _span(was) if was is not None else (0, 0)
            yield Unreviewed(
                "changed" if was and now else "new" if now else "removed",
                entry.ref,
                entry.kind,
                entry.title,
                path,
                at.source.name,
                entry.digest if now is not None else "",
                now.key if now is not None else "",
                was.key if was is not None else "",
                moment_at(event.at),
                event.look,
                entry.roles,
                (was.source if was is not None else old).data,
                start,
                end,
                by=event.cause,
                owner=at.source.owner,
                is_passed_over=waits_anyway or event.cause == GIT,
            )

    def _lost(
        self, library: Library, source: Source, path: Path, lost: Mapping[str, int]
    ) -> Iterator[Keyed]:
        """Yield what was marked as seen and is gone, from the last version that has it."""
        left = dict(lost)
        for version in reversed(self.versions.versions(path)):
            if not any(number > 0 for number in left.values()):
                return
            data = self.versions.text(version.digest)
            if not data:
                continue
            past = _with(library, source, data)
            for entry in past.entries:
                key = key_of(past, entry)
                if left.get(key, 0) > 0:
                    left[key] -= 1
                    yield Keyed(key, past, entry)


class _Dated:
    """Tells when a text came into a file, or left it, from the file's versions.

    Of each version is kept only in which lines it differs from the one before it: thirty versions
    of a large file, line by line, are more than all else that a process holds.
    """

    def __init__(self, versions: DatedVersions, path: Path, steps: dict[Step, Moved]) -> None:
        """Take over which lines came and went at the steps between versions, and note new ones."""
        self._versions = versions
        self._dated = versions.versions(path)[-_DATED:]
        self._steps = steps

    @cached_property
    def _newest(self) -> frozenset[bytes]:
        return self._lines(self._dated[-1])

    @cached_property
    def _moved(self) -> Sequence[Moved]:
        """The lines that came, and that went, with each version but the first."""
        # Two threads may look at once: what one of them drops in the meantime is worked out again.
        steps, made = dict(self._steps), dict[Step, Moved]()
        after, lines = self._dated[-1], self._newest
        for one, two in reversed(tuple(pairwise(self._dated))):
            step = (one.digest, two.digest)
            if step not in steps and step not in made:
                then = lines if two.digest == after.digest else self._lines(two)
                after, lines = one, self._lines(one)
                made[step] = (then - lines, lines - then)
            else:
                made.setdefault(step, steps.get(step, _UNMOVED))
        self._steps.clear()
        self._steps.update(made)
        return [made[one.digest, two.digest] for one, two in pairwise(self._dated)]

    def _lines(self, version: Version) -> frozenset[bytes]:
        return frozenset(
            map(bytes.strip, (self._versions.text(version.digest) or b"").splitlines())
        )

    def _having(self, found: Keyed) -> Iterator[int]:
        """Yield the places of the versions that have a text, the newest first."""
        lines = _lines_of(found)
        missing = lines - self._newest
        for place in range(len(self._dated) - 1, -1, -1):
            if not missing:
                yield place
            if place:
                came, went = self._moved[place - 1]
                missing = (missing | (lines & came)) - went

    def came(self, found: Keyed) -> Version:
        """Return the first version that has a text; never the one that was there before all."""
        having = [place for place in self._having(found) if place]
        return self._dated[having[-1] if having else -1]

    def went(self, found: Keyed) -> Version:
        """Return the version after the last one that has a text."""
        last = next(self._having(found), -1)
        return self._dated[min(last + 1, len(self._dated) - 1)]


def reviewing(items: Sequence[Unreviewed]) -> dict[Path, Marks]:
    """Return the marks by which items count as seen."""
    marks: dict[Path, Marks] = {}
    for item in items:
        found = marks.setdefault(item.path, {})
        if item.key:
            add_marks(found, {item.key: 1})
        if item.was:
            add_marks(found, {item.was: -1})
    return marks


def review_effect(library: Library, items: Sequence[Unreviewed]) -> Create:
    """Return what keeps that items were reviewed: a file that nothing else ever writes to."""
    folder = library.aside.reviewed
    assert folder is not None
    clock, disk = library.ground.given.clock, library.ground.disk
    at = int(clock.now().timestamp() * 1_000_000)
    marks = {str(path): found for path, found in reviewing(items).items()}
    data = json.dumps({"form": 1, "at": at, "marks": marks}).encode()
    name, number = digest_of(data), 0
    while disk.kind(folder / f"{name}-{number}.json") is not None:
        number += 1
    return Create(folder / f"{name}-{number}.json", data)


def _review(data: bytes) -> tuple[int, dict[Path, Marks]]:
    """Return when something was reviewed, and what.

    Raises:
        ValueError: The file is damaged; it marks nothing.
    """
    try:
        told = json.loads(data)
        marks = {
            Path(path): {str(k): int(n) for k, n in m.items()} for path, m in told["marks"].items()
        }
        return int(told["at"]), marks
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no review") from error


def _token(base: str, now: str, marks: Mapping[str, int]) -> str:
    """Return what stands for a state of a file: as it was seen, as it is, and what was marked."""
    return f"{base} {now} {_digest(marks)}"


def _settled_by(
    known: Known, was: Source, now: Source, seen: Mapping[str, int], own: Mapping[str, int]
) -> dict[Path, str]:
    """Return that nothing in a file is unreviewed, where that follows from how it was.

    Nothing is where each text stands as often as it was seen and marked. It was so before the
    change, and the change marks just what it moves: so it is again, and no version of a large file
    has to be read for it. Others' marks are not among these: with them the token is another one.

    Args:
        known: What is kept, as it was before the change.
        was: The file before the change.
        now: The file as the change left it, and nobody else.
        seen: What was marked until then.
        own: What the change marks.
    """
    base = known.base.get(str(now.path), ("", 0))[0]
    is_as_seen = was.digest == base and not seen
    if not is_as_seen and known.settled.get(str(now.path)) != _token(base, was.digest, seen):
        return {}
    marks = dict(seen)
    add_marks(marks, own)
    return {now.path: _token(base, now.digest, _without_zero(marks))}


def _own_marks(moved: Mapping[str, int], items: Sequence[Unreviewed]) -> Marks:
    """Return what a change of remem's moves of what was seen.

    What it takes out of what is unreviewed, or puts back of it, answers that instead.
    """
    came, went = Counter(i.key for i in items), Counter(i.was for i in items)
    marks: Marks = {}
    for key, number in moved.items():
        if number < 0:
            add_marks(marks, {key: -max(0, -number - came[key])})
        else:
            add_marks(marks, {key: max(0, number - went[key])})
    for item in items:
        # What was changed and is written anew is not missing as it was.
        if item.what == "changed" and moved.get(item.key, 0) < 0 and moved.get(item.was, 0) <= 0:
            add_marks(marks, {item.was: -1})
    return _without_zero(marks)


def _shows(before: Library, path: Path, moves: Sequence[Move]) -> bool:
    """Tell whether a snapshot has the bytes of what lies at `path` after some moves."""
    return path in before.shown or _moved(path, moves) in before.shown


def _moved(path: Path, moves: Sequence[Move]) -> Path | None:
    """Return where a file lay that a move takes away or brings, alone or with its folder."""
    for move in moves:
        if path.is_relative_to(move.source):
            return path
        if path.is_relative_to(move.target):
            return move.source / path.relative_to(move.target)
    return None


def _carried(moved: Mapping[str, int], items: Sequence[Unreviewed]) -> Marks:
    """Return what a move takes away, or brings, of what was seen; `items` wait where it goes to.

    What is unreviewed in the file is not seen by its being moved, and what went from it is not
    forgotten.
    """
    marks, way = dict(moved), 1 if sum(moved.values()) > 0 else -1
    for item in items:
        add_marks(marks, {key: way * by for key, by in ((item.key, -1), (item.was, 1)) if key})
    return _without_zero(marks)


def by_ref(library: Library, found: Iterable[Unreviewed]) -> Mapping[Ref, Unreviewed]:
    """Return items by refs that no two of them share, nor one that is gone with one that stands."""
    items: dict[Ref, Unreviewed] = {}
    for item in found:
        ref = item.ref
        while ref in items or (item.what == "removed" and library.has(ref)):
            ref = replace(ref, twin=max(ref.twin, 1) + 1)
        items[ref] = replace(item, ref=ref) if ref != item.ref else item
    return items


def _sources(library: Library) -> dict[Path, Source]:
    found: dict[Path, Source] = {}
    for source in library.sources:
        if source.digest and is_reviewed(source):
            found.setdefault(source.path, source)
    return found


def _with(library: Library, source: Source, data: bytes) -> Source:
    """Return a source as it would be read with other bytes."""
    bare = replace(source, problems=(), data=b"", digest="", entries=())
    if not data:
        return bare
    try:
        return library.format(source.format).reader.read(bare, data)
    except RememError:
        return bare


def _reread(library: Library, files: Mapping[Path, bytes]) -> dict[Path, Source]:
    """Return files that are gone as they would be read if they were there."""
    if not files:
        return {}
    there = library.preview([Create(path, data) for path, data in files.items()])
    return {source.path: source for source in there.sources if source.path in files}


def _as_planned(library: Library, planned: Overlay, now: Source, came: bytes | None) -> Source:
    """Return a file as a change left it, without what others wrote at the same time.

    Args:
        library: A snapshot that was read since.
        planned: The disk as the change left it.
        now: The file as it stands.
        came: What it held where a move took it from, by now a name without a file.
    """
    try:
        data = planned.read(now.path)
    except Unreadable:
        data = came or b""
    return now if data == now.data else _with(library, now, data)


def _span(found: Keyed) -> tuple[int, int]:
    text = text_of(found.source, found.entry)
    at = found.entry.at
    start = getattr(at, "start", 0)
    return start, start + len(text)


def _lines_of(found: Keyed) -> frozenset[bytes]:
    lines = text_of(found.source, found.entry).splitlines()
    return frozenset(line.strip() for line in lines)


def _is_unsound(source: Source | None) -> bool:
    """Tell whether a file cannot be read at the moment, so that nothing is known to be gone."""
    return source is not None and any(each.blocks_writing for each in source.problems)


def _digest(marks: Mapping[str, int]) -> str:
    return digest_of(json.dumps(sorted(marks.items())).encode())[:12] if marks else "-"


def _without_zero(marks: Mapping[str, int]) -> Marks:
    return {key: number for key, number in marks.items() if number}


def _one(found: Keyed | None) -> Keyed:
    assert found is not None
    return found
