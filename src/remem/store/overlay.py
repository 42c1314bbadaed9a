"""A disk as it would be after some effects: what a preview reads; nothing can be written to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NoReturn, ParamSpec, TypeVar

from remem.base.effects import Create, Delete, Effect, Move, RowEdit, Splice
from remem.base.errors import WriteFailed
from remem.edit.lines import spliced
from remem.store.io import Disk, Kind, Stamp, Unreadable

P = ParamSpec("P")
R = TypeVar("R")
_NOTHING: Final[Mapping[Path, bytes]] = MappingProxyType({})


class Overlay(Disk):
    """Reads through to another disk, but for the paths that the effects touch."""

    def __init__(
        self, disk: Disk, effects: Sequence[Effect], shown: Mapping[Path, bytes] = _NOTHING
    ) -> None:
        """Say what lies over what.

        Args:
            disk: What is read through to.
            effects: In their order.
            shown: The bytes that files had when splices were planned on them; by now they may have
                others. Of files that are not in it, those they have.
        """
        self._disk = disk
        self._files: dict[Path, bytes | None] = {}
        self._moves: list[Move] = []
        self._names: dict[Path, set[str]] = {}
        """What comes into each folder by files that are made and moves; folders on the way too."""
        self._rows: list[RowEdit] = []
        splices: dict[Path, list[Splice]] = {}
        for effect in effects:
            match effect:
                case Splice(path=path):
                    splices.setdefault(path, []).append(effect)
                case Create(path=path, data=data):
                    self._files[path] = data
                case Delete(path=path):
                    self._files[path] = None
                case Move():
                    self._moves.append(effect)
                case RowEdit():
                    self._rows.append(effect)
                case _:
                    pass
        self._targets = {move.target: move for move in self._moves}
        self._sources = frozenset(move.source for move in self._moves)
        for path, found in splices.items():
            origin = self._origin(path)
            base = shown[origin] if origin in shown else self._disk.read(origin)
            self._files[path] = spliced(base, found)
        made = (file for file, data in self._files.items() if data is not None)
        for path in (*made, *(move.target for move in self._moves)):
            for place in (path, *path.parents):
                self._names.setdefault(place.parent, set()).add(place.name)

    @property
    def paths(self) -> frozenset[Path]:
        """Return what reads differently here."""
        moved = {path for move in self._moves for path in (move.source, move.target)}
        return frozenset({*self._files, *moved, *(edit.database for edit in self._rows)})

    @property
    def written(self) -> frozenset[Path]:
        """Return the files that have other bytes here, are new or are gone, but for what moves."""
        return frozenset(self._files)

    @property
    def only_writes(self) -> bool:
        """True where all that the effects do is to make files and to give others new bytes."""
        return not self._moves and not self._rows and None not in self._files.values()

    def coming_rows(self, database: Path) -> tuple[RowEdit, ...]:
        return tuple(edit for edit in self._rows if edit.database == database)

    def perform(
        self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> NoReturn:
        raise WriteFailed(f"a preview writes nothing, and `{name}` was asked for")

    def kind(self, path: Path) -> Kind | None:
        if self._is_gone(path):
            return None
        held = self._holder(path)
        if held in self._files:
            return "file" if self._files[held] is not None else None
        if path in self._names:
            return "folder"
        return self._disk.kind(self._origin(path))

    def real(self, path: Path) -> Path:
        return self._disk.real(self._origin(path))

    def is_anothers(self, path: Path) -> bool:
        return self._disk.is_anothers(self._origin(path))

    def names(self, folder: Path) -> tuple[str, ...]:
        if self._is_gone(folder):
            return ()
        names = set(self._disk.names(self._origin(folder)))
        gone = (*(file for file, data in self._files.items() if data is None), *self._sources)
        names -= {path.name for path in gone if path.parent == folder}
        return tuple(sorted(names | self._names.get(folder, set())))

    def stamp(self, path: Path) -> Stamp | None:
        if self._holder(path) in self._files or self._is_gone(path):
            return None
        return self._disk.stamp(self._origin(path))

    def read(self, path: Path) -> bytes:
        held = self._holder(path)
        data = self._files.get(held)
        if self._is_gone(path) or (data is None and held in self._files):
            raise Unreadable(path, "missing")
        if data is not None:
            return data
        return self._disk.read(self._origin(path))

    def _holder(self, path: Path) -> Path:
        """Return the name under which an effect knows `path`: its own, or the one before a move."""
        return path if path in self._files else self._origin(path)

    def _origin(self, path: Path) -> Path:
        """Return where the bytes of `path` lie before the moves."""
        for place in (path, *path.parents) if self._targets else ():
            if place in self._targets:
                return self._targets[place].source / path.relative_to(place)
        return path

    def _is_gone(self, path: Path) -> bool:
        """True for what a move takes away and puts nothing in place of."""
        if self._origin(path) != path:
            return False
        places = (path, *path.parents) if self._sources else ()
        return any(place in self._sources for place in places)
