"""What a write may reach: no link leads it out of the folder that it was meant for.

A path is meant for the innermost known folder that holds it as it is written. What is meant for a
root or one of its repositories stays there, for a clone brings its links with it. What is meant for
a folder of the user's may lie in any other of theirs, or in a root: those links are their own.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from os import close
from os.path import realpath
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.store.io import Disk, real_path
from remem.store.linux import open_folder, path_behind

P = ParamSpec("P")
R = TypeVar("R")

WRITES: Final = frozenset(
    {"append", "create", "exchange", "link", "mkdir", "rename", "replace", "rmdir", "unlink"}
)
"""The calls of `Disk` that change what stands at a path; all others look, or have a handle."""


class LedOut(Refused):
    """A link leads a path out of the folder that it was meant for."""

    def __init__(self, link: Path, leads_to: Path, base: Path | None) -> None:
        out = f", out of `{base}`" if base is not None else ""
        super().__init__(
            f"`{link}` is a link that leads to `{leads_to}`{out}; remem does not write through it",
            hint="replace the link with the files, or open remem in the target folder",
        )
        self.link = link
        self.leads_to = leads_to


@dataclass(frozen=True, slots=True)
class Bounds:
    """The folders that paths are meant for; none = wherever they lead."""

    roots: tuple[Path, ...] = ()
    own: tuple[Path, ...] = ()
    """The user's folders: home, configuration, state."""

    def also(self, root: Path) -> "Bounds":
        """Return bounds that know one root more."""
        return self if root in self.roots else replace(self, roots=(*self.roots, root))

    def check(self, paths: Iterable[Path]) -> None:
        """Raise `LedOut` for the first of these that may not be written."""
        for path in paths:
            self.real(path)

    def real(self, path: Path) -> Path:
        """Return where a path lies, the links of the folders above it resolved.

        Where no folder above it is a link it does not exist, and is what whoever planned it meant.

        Raises:
            LedOut: It lies outside of what it was meant for.
        """
        if not path.is_absolute():
            return path  # the name of something that is no file
        # Compared as text: most folders lie where they are written, and the path is what it was.
        folder = str(path.parent)
        real_folder = realpath(folder)
        if real_folder == folder:
            return path
        real = Path(real_folder, path.name)
        if not (self.roots or self.own):
            return real
        base = self._meant_for(path)
        if base is not None:
            inside = [base] if base in self.roots else [*self.own, *self.roots]
            if any(real.is_relative_to(real_path(each)) for each in inside):
                return real
        link = _link_out(path, base)
        raise LedOut(link, real_path(link), base)

    def _meant_for(self, path: Path) -> Path | None:
        """Return the innermost folder that holds a path as it is written; a root before others."""
        bases = [
            each
            for each in (*self.roots, *self.own)
            if path.is_relative_to(each) or path.is_relative_to(real_path(each))
        ]
        return max(bases, key=lambda each: len(real_path(each).parts), default=None)


class PresentBounds:
    """The bounds that hold now: as the settings have them, with the roots of changes at work."""

    def __init__(self, find: Callable[[], Bounds] = Bounds) -> None:
        self.find = find
        """Finds what the settings say at this moment."""
        self._here = Bounds()
        self._roots: set[Path] = set()

    def look(self) -> None:
        """Find out what the settings say, for all that follows."""
        self._here = self.find()

    def now(self) -> Bounds:
        """Return what nothing leads out of, with the roots of earlier changes that are at work."""
        bounds = self._here
        for root in self._roots:
            bounds = bounds.also(root)
        return bounds

    def check_past(self, root: Path, paths: Iterable[Path]) -> None:
        """Raise `LedOut` if a path of an earlier change, made at `root`, leads out by now."""
        if self._here != Bounds():
            self._roots.add(root)
        self.now().check(paths)


def _link_out(path: Path, base: Path | None) -> Path:
    """Return the first link on the way to a path that leads out of a folder."""
    inside = None if base is None else real_path(base)
    for above in reversed(path.parents):
        is_below = base is None or above.is_relative_to(base)
        if is_below and above.is_symlink():
            real = real_path(above)
            if inside is None or not real.is_relative_to(inside):
                return above
    return path.parent


class BoundDisk(Disk):
    """A disk that changes nothing outside of bounds, whatever is made a link meanwhile.

    Each call that changes something gets, in place of a path, the name in a folder that is held
    open. The folder is opened by the path that was found to lie within the bounds, one part at a
    time and through no link; so the folder that was checked is the one that is written to, also if
    a link stands at its path by then. All calls go through the disk that it stands for.
    """

    def __init__(self, disk: Disk, bounds: Callable[[], Bounds]) -> None:
        self._disk = disk
        self._bounds = bounds

    def pause(self, seconds: float) -> None:
        self._disk.pause(seconds)

    def device(self, path: Path) -> int | None:
        return self._disk.device(path)

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name not in WRITES:
            return self._disk.perform(name, call, *args, **kwargs)
        folders: dict[Path, int] = {}
        try:
            held_open = [
                self._held_open(arg, folders) if isinstance(arg, Path) else arg for arg in args
            ]
            return self._disk.perform(name, call, *held_open, **kwargs)  # type: ignore[arg-type]
        finally:
            for handle in folders.values():
                close(handle)

    def _held_open(self, path: Path, folders: dict[Path, int]) -> Path:
        """Return a name for a path in a folder that is held open, among those of one call."""
        handle = folders.get(path.parent)
        if handle is not None:
            return path_behind(handle, path.name)
        real, handle = self._opened(path)
        if handle is None:
            return real
        folders[path.parent] = handle
        return path_behind(handle, real.name)

    def _opened(self, path: Path) -> tuple[Path, int | None]:
        """Return where a path lies, and a handle to its folder; `None` = the system has none."""
        if path.is_absolute() and ".." not in path.parts:
            # What is reached through no link lies where it is written, and needs no resolving.
            with suppress(OSError):
                handle = open_folder(path.parent)
                if handle is not None:
                    return path, handle
        real = self._bounds().real(path)
        return real, open_folder(real.parent)
