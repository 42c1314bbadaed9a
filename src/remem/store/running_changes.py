"""Running changes as files: durable before the first effect, gone after the last.

What stands here when nobody holds the lock was left by a crash.
"""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from remem.store.history.journal_checksums import seal
from remem.store.history.journal_records import Running, running_from_json, running_to_json
from remem.store.io import Disk, Unreadable

Unread = Literal["torn", "spoilt"]
"""A file that was never written whole, so that nothing after it was begun; one that cannot be read,
or is not as it was written, so that nobody knows."""
_END: Final = b"\n"
"""The last byte of a file that was written whole."""
_MARK: Final = re.compile(rb'\{"mark":(\d{1,10}),')
"""How a file begins; those of an older version have neither this nor the end."""


class Intents:
    """One file for each run, in one folder."""

    def __init__(self, disk: Disk, folder: Path) -> None:
        self.folder = folder
        self._disk = disk

    def begin(self, running: Running) -> None:
        """Write the file of a run, durable."""
        told = json.dumps(running_to_json(running), separators=(",", ":")).encode()
        data = b'{"mark":%d,%b%b' % (seal(told), told[1:], _END)
        self._disk.put_new(self.place_of(running.op), data, mode=0o600)
        self._disk.sync_folder(self.folder)

    def end(self, op: str) -> None:
        """Remove the file of a run; none is well too."""
        with suppress(FileNotFoundError):
            self._disk.unlink(self.place_of(op))

    def has(self, op: str) -> bool:
        return self._disk.kind(self.place_of(op)) is not None

    def all(self) -> tuple[tuple[str, Running | Unread], ...]:
        """Return every run with its op, or why nothing can be said of it."""
        ops = (name.removesuffix(".json") for name in self._disk.names(self.folder))
        return tuple((op, self._read(op)) for op in ops)

    def place_of(self, op: str) -> Path:
        """Return the file of a run."""
        return self.folder / f"{op}.json"

    def _read(self, op: str) -> Running | Unread:
        try:
            data = self._disk.read(self.place_of(op))
        except Unreadable as error:
            return "torn" if error.why == "missing" else "spoilt"
        mark = _MARK.match(data)
        told = data if mark is None else b"{" + data[mark.end() : data.rfind(b"}") + 1]
        is_sound = mark is not None and int(mark[1]) == seal(told)
        is_whole = is_sound or data.endswith(_END)
        if is_sound or not is_whole:
            with suppress(ValueError):
                return running_from_json(json.loads(told))
        return "spoilt" if is_whole else "torn"
