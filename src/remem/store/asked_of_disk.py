"""What was asked of a disk, to tell whether effects would give another answer to any of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from remem.store.io import Disk, Kind, Stamp
from remem.store.overlay import Overlay


class AskedOfDisk(Overlay):
    """Reads through to another disk and remembers what was asked, as far as it may matter.

    A file that is made or gets other bytes changes few of the answers that an overlay gives:

    - what is read of it, and its stamp;
    - what stands at its path, and at each folder on the way there, where nothing stood before;
    - the names in a folder, where one of those came into it.

    So those are remembered. Whose a file is and whatever else is asked, an overlay asks of the disk
    below as well. Of what goes or moves it says nothing.
    """

    def __init__(self, disk: Disk) -> None:
        super().__init__(disk, ())
        self._opened: set[Path] = set()
        self._missed: set[Path] = set()
        self._listed: dict[Path, tuple[str, ...]] = {}

    def kind(self, path: Path) -> Kind | None:
        found = super().kind(path)
        if found is None:
            self._missed.add(path)
        return found

    def names(self, folder: Path) -> tuple[str, ...]:
        found = self._listed[folder] = super().names(folder)
        return found

    def stamp(self, path: Path) -> Stamp | None:
        self._opened.add(path)
        return super().stamp(path)

    def read(self, path: Path) -> bytes:
        self._opened.add(path)
        return super().read(path)

    def answers_alike(
        self, written: Collection[Path], minds: Callable[[Path], bool] = lambda _: True
    ) -> bool:
        """Tell whether all answers would be the same if these files had other bytes or were new.

        Args:
            written: The files.
            minds: Tells whether who asked for the names in a folder that is there minds that a file
                of this path comes into it.
        """
        return self._opened.isdisjoint(written) and not any(
            path in self._missed or (self._is_new(path) and (path not in written or minds(path)))
            for file in written
            for path in (file, *file.parents)
        )

    def _is_new(self, path: Path) -> bool:
        """Tell whether a name would come into a folder whose names were asked for."""
        return path.name not in self._listed.get(path.parent, (path.name,))
