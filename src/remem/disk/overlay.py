"""A disk as it would be after some effects: what a preview reads; nothing can be written to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, ParamSpec, TypeVar

from remem.disk.io import Disk, Kind, Stamp, Unreadable
from remem.disk.splice import spliced
from remem.errors import WriteFailed
from remem.model.change import Create, Delete, Effect, Move, Splice

P = ParamSpec("P")
R = TypeVar("R")


class Overlay(Disk):
    """Reads through to another disk, but for the paths that the effects touch."""

    def __init__(self, disk: Disk, effects: Sequence[Effect]) -> None:
        self._disk = disk
        self._files: dict[Path, bytes | None] = {}
        self._moves: list[Move] = []
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
                case _:
                    pass
        for path, found in splices.items():
            self._files[path] = spliced(self._disk.read(self._origin(path)), found)

    @property
    def paths(self) -> frozenset[Path]:
        """Return what reads differently here."""
        moved = {path for move in self._moves for path in (move.source, move.target)}
        return frozenset({*self._files, *moved})

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
        if any(path in file.parents for file, data in self._files.items() if data is not None):
            return "folder"
        return self._disk.kind(self._origin(path))

    def names(self, folder: Path) -> tuple[str, ...]:
        if self._is_gone(folder):
            return ()
        names = set(self._disk.names(self._origin(folder)))
        for file, data in self._files.items():
            if data is None and file.parent == folder:
                names.discard(file.name)
            elif data is not None and folder in file.parents:
                names.add(file.relative_to(folder).parts[0])
        for move in self._moves:
            if move.source.parent == folder:
                names.discard(move.source.name)
            if folder in move.target.parents:
                names.add(move.target.relative_to(folder).parts[0])
        return tuple(sorted(names))

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
        for move in reversed(self._moves):
            if path == move.target or move.target in path.parents:
                return move.source / path.relative_to(move.target)
        return path

    def _is_gone(self, path: Path) -> bool:
        """True for what a move takes away and puts nothing in place of."""
        if self._origin(path) != path:
            return False
        return any(path == move.source or move.source in path.parents for move in self._moves)
