"""Running changes as files: durable before the first effect, gone after the last.

What stands here when nobody holds the lock was left by a crash.
"""

import json
from contextlib import suppress
from pathlib import Path

from remem.disk.history import Running, running_from_json, running_to_json
from remem.disk.io import Disk, Unreadable


class Intents:
    """One file for each run, in one folder."""

    def __init__(self, disk: Disk, folder: Path) -> None:
        self.folder = folder
        self._disk = disk

    def begin(self, running: Running) -> None:
        """Write the file of a run, durable."""
        data = json.dumps(running_to_json(running), separators=(",", ":")).encode()
        self._disk.put_new(self._path(running.op), data, mode=0o600)
        self._disk.sync_folder(self.folder)

    def end(self, op: str) -> None:
        """Remove the file of a run; none is well too."""
        with suppress(FileNotFoundError):
            self._disk.unlink(self._path(op))

    def has(self, op: str) -> bool:
        return self._disk.kind(self._path(op)) is not None

    def all(self) -> tuple[tuple[str, Running | None], ...]:
        """Return every run with its op; `None` for a file that was never written whole."""
        ops = (name.removesuffix(".json") for name in self._disk.names(self.folder))
        return tuple((op, self._read(op)) for op in ops)

    def _path(self, op: str) -> Path:
        return self.folder / f"{op}.json"

    def _read(self, op: str) -> Running | None:
        try:
            return running_from_json(json.loads(self._disk.read(self._path(op))))
        except (Unreadable, ValueError):
            return None
