"""What a power failure may leave: every state that the recorded effects allow, put on disk.

A recorder looks at the tree around each call of `Disk.perform` and notes what it did: names in
folders, bytes in files, what was made durable. It needs no knowledge of the calls but that those
which sync have `sync` in their name. A state is then a moment, and for each folder how many of its
changes since its last sync arrived, in order, and for each file whether its unsynced bytes did: not
at all, in part, or whole. A rename between two folders arrives in both or in none. The files of
SQLite are taken as they stood at that moment, for it syncs them itself.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from tests.failing_disk import HARMLESS, LOOKS, CountingDisk, Killed

P = ParamSpec("P")
R = TypeVar("R")
Name = tuple[int, str]
"""An entry: the folder's number and the name in it."""

DATABASES: Final = ("journal.db", "state.db")
TOP: Final = 0
"""The number of the folder that everything lies in."""


@dataclass(slots=True)
class Thing:
    """A file or a folder under all the names that it ever has."""

    inode: int
    mode: int
    is_folder: bool
    data: list[tuple[int, bytes]] = field(default_factory=list)
    """Its bytes, each with the moment from which on it had them."""
    synced: list[int] = field(default_factory=list)
    """Moments at which its bytes, or its names, were made durable."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """What one call did to names: all of it happened at once."""

    moment: int
    names: Mapping[Name, int | None]

    @property
    def folders(self) -> set[int]:
        return {folder for folder, _ in self.names}


@dataclass(frozen=True, slots=True)
class State:
    """A tree that a power failure may leave."""

    moment: int
    files: Mapping[str, tuple[int, bytes | None]]
    """Path → number of the thing, and its bytes; `None` = a folder."""
    databases: Mapping[str, bytes]


class Recorder(CountingDisk):
    """Carries everything out and keeps what it did; ends the process before its `dies_at`-th call.

    Args:
        top: The folder that holds all that is looked at.
    """

    def __init__(self, top: Path, dies_at: int = 0) -> None:
        super().__init__()
        self.top = top
        self.dies_at = dies_at
        self.moment = 0
        self.told = 0
        """The moment at which whoever asked was told that it is done; set by who drives it."""
        self.things: list[Thing] = []
        self.start: dict[Name, int] = {}
        self.renamings: list[Renaming] = []
        self.databases: list[dict[str, bytes]] = []
        self.unseen: list[str] = []
        """Changes of the tree that came about outside of any call."""
        self._names: dict[Name, int] = {}
        self._numbers: dict[int, int] = {}
        self._look()
        self.start = dict(self._names)
        self.renamings.clear()
        for thing in self.things:
            thing.synced.append(0)

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name in LOOKS or name in HARMLESS:
            return call(*args, **kwargs)
        if self._look():
            self.unseen.append(f"before {len(self.calls) + 1} {name}")
        if len(self.calls) + 1 == self.dies_at:
            raise Killed
        try:
            return super().perform(name, call, *args, **kwargs)
        finally:
            self.moment += 1
            self._look()
            if "sync" in name and isinstance(args[0], int):
                self._note_sync(args[0])

    def _note_sync(self, handle: int) -> None:
        number = self._numbers.get(os.fstat(handle).st_ino)
        if number is not None:
            self.things[number].synced.append(self.moment)

    def _look(self) -> bool:
        """Note what differs from the last look; tell whether anything but databases does."""
        databases: dict[str, bytes] = {}
        names: dict[Name, int] = {}
        numbers: dict[int, int] = {}
        changed = self._look_into(self.top, TOP, names, numbers, databases)
        self._numbers = numbers
        gone = dict.fromkeys(self._names.keys() - names.keys())
        new = {name: each for name, each in names.items() if self._names.get(name) != each}
        if gone or new:
            self.renamings.append(Renaming(self.moment, {**gone, **new}))
        self._names = names
        del self.databases[self.moment :]
        self.databases.append(databases)
        return changed or bool(gone or new)

    def _look_into(
        self,
        folder: Path,
        number: int,
        names: dict[Name, int],
        numbers: dict[int, int],
        databases: dict[str, bytes],
    ) -> bool:
        if not self.things:
            found = folder.lstat()
            self.things.append(Thing(found.st_ino, found.st_mode & 0o7777, is_folder=True))
        changed = False
        with os.scandir(folder) as each:
            entries = sorted(each, key=lambda entry: entry.name)
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith(DATABASES):
                if not entry.name.endswith("-shm"):
                    databases[str(path.relative_to(self.top))] = path.read_bytes()
                continue
            found = entry.stat(follow_symlinks=False)
            is_folder = entry.is_dir(follow_symlinks=False)
            own = numbers.get(found.st_ino)
            if own is None:
                own = self._numbers.get(found.st_ino)
                if own is None:
                    own = len(self.things)
                    self.things.append(Thing(found.st_ino, 0, is_folder))
                numbers[found.st_ino] = own
            names[number, entry.name] = own
            thing = self.things[own]
            thing.mode = found.st_mode & 0o7777
            if is_folder:
                changed |= self._look_into(path, own, names, numbers, databases)
            else:
                changed |= self._look_at(path, thing)
        return changed

    def _look_at(self, path: Path, thing: Thing) -> bool:
        data = path.read_bytes()
        if thing.data and thing.data[-1][1] == data:
            return False
        is_change = bool(thing.data)
        thing.data.append((self.moment, data))
        return is_change


def states(recorder: Recorder, *, limit: int, syncs: bool = True) -> Iterator[State]:
    """Yield states without repeating one, moment by moment.

    Args:
        recorder: What happened.
        limit: At most so many a moment; if there are more, some are drawn, always the same ones.
        syncs: False: nothing that was synced counts, as if nobody had asked.
    """
    seen: set[int] = set()
    for moment in range(len(recorder.databases)):
        model = _Moment(recorder, moment, syncs=syncs)
        for state in model.states(limit):
            mark = hash((tuple(state.files.items()), tuple(state.databases.items())))
            if mark not in seen:
                seen.add(mark)
                yield state


class _Moment:
    def __init__(self, recorder: Recorder, moment: int, *, syncs: bool) -> None:
        self.recorder = recorder
        self.moment = moment
        self.syncs = syncs
        self.past = [each for each in recorder.renamings if each.moment <= moment]
        self.by_folder: dict[int, list[int]] = {}
        for index, each in enumerate(self.past):
            for folder in sorted(each.folders):
                self.by_folder.setdefault(folder, []).append(index)

    def states(self, limit: int) -> Iterator[State]:
        durable = self._durable()
        ranges = {
            folder: range(sum(index in durable for index in indexes), len(indexes) + 1)
            for folder, indexes in self.by_folder.items()
        }
        loose = [number for number, each in enumerate(self.recorder.things) if self._loose(each)]
        options = [self._versions(self.recorder.things[number]) for number in loose]
        choices: list[range | list[bytes]] = [*ranges.values(), *options]
        for chosen in _drawn(choices, limit, self.moment):
            cuts = dict(zip(ranges, chosen, strict=False))
            bytes_of = dict(zip(loose, chosen[len(ranges) :], strict=True))
            yield self._state(cuts, bytes_of)

    def _last_sync(self, thing: Thing) -> int:
        """Return the last moment at which it was synced; -1 = never."""
        past = [at for at in thing.synced if at <= self.moment and (self.syncs or at == 0)]
        return past[-1] if past else -1

    def _durable(self) -> set[int]:
        """Return the renamings that arrived for certain, with all that came before them."""
        durable: set[int] = set()
        for folder, indexes in self.by_folder.items():
            until = self._last_sync(self.recorder.things[folder])
            durable |= {index for index in indexes if self.past[index].moment <= until}
        while True:
            more = {
                earlier
                for index in durable
                for folder in self.past[index].folders
                for earlier in self.by_folder[folder]
                if earlier < index
            }
            if more <= durable:
                return durable
            durable |= more

    def _loose(self, thing: Thing) -> bool:
        last = [at for at, _ in thing.data if at <= self.moment]
        return bool(last) and last[-1] > self._last_sync(thing)

    def _versions(self, thing: Thing) -> list[bytes]:
        """Return what a file may hold whose last bytes were not synced."""
        until = self._last_sync(thing)
        durable = [data for at, data in thing.data if at <= until]
        base = durable[-1] if durable else b""
        last = [data for at, data in thing.data if at <= self.moment][-1]
        kept = len(base) if last.startswith(base) else 0
        half = last[: kept + (len(last) - kept) // 2]
        return list(dict.fromkeys((last, half, base)))

    def _state(self, cuts: Mapping[int, object], bytes_of: Mapping[int, object]) -> State:
        names: dict[Name, int | None] = {**self.recorder.start}
        for index in sorted(self._kept(cuts)):
            names.update(self.past[index].names)
        children: dict[int, list[tuple[str, int]]] = {}
        for (folder, name), number in sorted(names.items()):
            if number is not None:
                children.setdefault(folder, []).append((name, number))
        files: dict[str, tuple[int, bytes | None]] = {}
        rest = [("", TOP)]
        while rest:
            above, folder = rest.pop()
            for name, number in children.get(folder, ()):
                path = f"{above}{name}"
                thing = self.recorder.things[number]
                if thing.is_folder:
                    files[path] = (number, None)
                    rest.append((f"{path}/", number))
                    continue
                data = bytes_of.get(number)
                files[path] = (number, data if isinstance(data, bytes) else self._data(thing))
        databases = {
            path: data
            for path, data in self.recorder.databases[self.moment].items()
            if str(Path(path).parent) in files
        }
        return State(self.moment, files, databases)

    def _kept(self, cuts: Mapping[int, object]) -> set[int]:
        dropped: set[int] = set()
        for folder, indexes in self.by_folder.items():
            cut = cuts[folder]
            assert isinstance(cut, int)
            dropped |= set(indexes[cut:])
        while True:
            more = {
                later
                for index in dropped
                for folder in self.past[index].folders
                for later in self.by_folder[folder]
                if later > index
            }
            if more <= dropped:
                return set(range(len(self.past))) - dropped
            dropped |= more

    def _data(self, thing: Thing) -> bytes:
        past = [data for at, data in thing.data if at <= self.moment]
        return past[-1] if past else b""


def _drawn(
    choices: list[range | list[bytes]], limit: int, seed: int
) -> Iterator[tuple[object, ...]]:
    count = 1
    for each in choices:
        count *= len(each)
    if count <= limit:
        yield from product(*choices)
        return
    yield tuple(each[0] for each in choices)
    yield tuple(each[-1] for each in choices)
    chance = random.Random(seed)
    drawn = (tuple(chance.choice(each) for each in choices) for _ in range(limit))
    yield from islice(drawn, limit - 2)


def materialise(recorder: Recorder, state: State) -> None:
    """Put a state in the place of the tree; what an intent says of inodes is brought up to date."""
    shutil.rmtree(recorder.top)
    recorder.top.mkdir()
    made: dict[int, Path] = {}
    for name, (number, data) in state.files.items():
        path = recorder.top / name
        thing = recorder.things[number]
        if data is None:
            path.mkdir()
        elif number in made:
            os.link(made[number], path)
        else:
            path.write_bytes(data)
            path.chmod(thing.mode)
        made.setdefault(number, path)
    inodes = {recorder.things[number].inode: path.lstat().st_ino for number, path in made.items()}
    for path in recorder.top.rglob("running/*.json"):
        _bring_up_to_date(path, inodes)
    for name, data in state.databases.items():
        path = recorder.top / name
        path.write_bytes(data)
        path.chmod(0o600)


def _bring_up_to_date(intent: Path, inodes: Mapping[int, int]) -> None:
    try:
        values = json.loads(intent.read_bytes())
    except ValueError:
        return  # cut off in the middle: nothing reads it
    intent.write_bytes(json.dumps(_with_inodes(values, inodes)).encode())


def _with_inodes(value: object, inodes: Mapping[int, int]) -> object:
    if isinstance(value, list):
        return [_with_inodes(each, inodes) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: inodes.get(each, each) if key == "inode" else _with_inodes(each, inodes)
        for key, each in value.items()
    }
