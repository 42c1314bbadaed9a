"""A folder as something else holds it, over the disk as it is: read like the disk, never written.

Who holds it, and how its bytes are had, it does not know. Links between what is held are followed
as a disk follows them, and none of them leads out.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final, NoReturn, ParamSpec, Protocol, TypeVar

from remem.base.errors import WriteFailed
from remem.store.io import Disk, Kind, Stamp, Unreadable

P = ParamSpec("P")
R = TypeVar("R")

_LINKS: Final = 40
"""Links on the way to a file, before it is called a circle."""
_OUT: Final = "\0"
"""Stands for a place that nothing held leads to."""


class Thing(Protocol):
    """A file or link that is held."""

    @property
    def kind(self) -> str: ...

    @property
    def object(self) -> str: ...


class Held(Disk):
    """Answers for one folder from what is held, and for all else from another disk."""

    def __init__(
        self,
        disk: Disk,
        top: Path,
        things: Mapping[str, Thing],
        read: Callable[[str], bytes | None],
        beside: Collection[str] = (),
    ) -> None:
        """Say what is held.

        Args:
            disk: Answers for all that lies elsewhere.
            top: The folder.
            things: Path below it, with slashes → a file or a link.
            read: Returns the bytes of an object.
            beside: Paths in the folder that are as they are on the disk, with all below them; what
                is held wins.
        """
        self._disk = disk
        self._within = f"{str(top).rstrip(os.sep)}{os.sep}"
        self._things = things
        self._bytes = read
        self._has_links = any(thing.kind == "link" for thing in things.values())
        self._names: dict[str, set[str]] = {"": set()}
        for path in things:
            self._hang(path)
        held = {*things, *self._names}
        self._beside = frozenset(path for path in beside if path not in held)
        for path in self._beside:
            self._hang(path)

    def perform(
        self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> NoReturn:
        raise WriteFailed(f"what is held is only read, and `{name}` was asked for")

    def kind(self, path: Path) -> Kind | None:
        place = self._place(path)
        if place is None:
            return self._disk.kind(path)
        thing = self._things.get(place)
        if thing is not None:
            return "link" if thing.kind == "link" else "file"
        return "folder" if place in self._names else None

    def is_anothers(self, path: Path) -> bool:
        return self._disk.is_anothers(path)

    def names(self, folder: Path) -> tuple[str, ...]:
        place = self._place(folder, follow=True)
        if place is None:
            return self._disk.names(folder)
        return tuple(sorted(self._names.get(place, ())))

    def stamp(self, path: Path) -> Stamp | None:
        place = self._place(path)
        if place is None:
            return self._disk.stamp(path)
        thing = self._things.get(place)
        if thing is None or thing.kind == "link":
            return None
        return Stamp(0, 0, int(thing.object[:15], 16))

    def read(self, path: Path) -> bytes:
        place = self._place(path)
        if place is None:
            return self._disk.read(path)
        thing = self._things.get(place)
        if thing is None:
            raise Unreadable(path, "folder" if place in self._names else "missing")
        if thing.kind == "link":
            raise Unreadable(path, "link")
        data = self._bytes(thing.object)
        if data is None:
            raise Unreadable(path, "failed", hint="run `git fsck`")
        return data

    def _hang(self, path: str) -> None:
        """Put a path into the folders above it."""
        while path:
            folder, _, name = path.rpartition("/")
            is_known = folder in self._names
            self._names.setdefault(folder, set()).add(name)
            if is_known:
                return
            path = folder

    def _place(self, path: Path, *, follow: bool = False) -> str | None:
        """Return where below the folder a path leads; `None` = the other disk answers.

        Args:
            path: Any path.
            follow: A link at its end too.
        """
        # By text: every file of a commit is asked about, and paths are slow to take apart.
        text = f"{path}{os.sep}"
        if not text.startswith(self._within):
            return None
        place = text[len(self._within) : -1].replace(os.sep, "/")
        if self._has_links:
            place = self._followed(place, last=follow)
        return None if self._beside and self._is_beside(place) else place

    def _is_beside(self, place: str) -> bool:
        """Tell whether a place, or a folder that it lies in, is as it is on the disk."""
        end = place.find("/")
        while end >= 0:
            if place[:end] in self._beside:
                return True
            end = place.find("/", end + 1)
        return place in self._beside

    def _followed(self, place: str, *, last: bool) -> str:
        for _ in range(_LINKS):
            parts = place.split("/")
            ends = range(1, len(parts) + (1 if last else 0))
            heads = ("/".join(parts[:end]) for end in ends)
            link = next((h for h in heads if h in self._things and self._is_link(h)), None)
            if link is None:
                return place
            target = os.fsdecode(self._bytes(self._things[link].object) or b"")
            rest = place[len(link) :]
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(link), target) + rest)
            if not target or joined.startswith(("/", "../")) or joined == "..":
                return _OUT
            place = "" if joined == "." else joined
        return _OUT

    def _is_link(self, place: str) -> bool:
        return self._things[place].kind == "link"
