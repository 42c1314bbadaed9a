"""Keeps what a language model answered, for it was paid for: the same question is asked once.

Answers lie in the user's own cache folder, one file for each question and the command that was
asked, for a month. Losing one costs another question and nothing else.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from remem.base.clock import Clock
from remem.base.frozen import dataclass
from remem.store.cache_file import put_cached
from remem.store.io import Disk, Unreadable

_FOLDER: Final = "answers"
_DAYS: Final = 30
_MOST: Final = 500
"""Answers that are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one user."""

    disk: Disk
    cache: Path
    """The user's cache folder."""
    clock: Clock
    command: tuple[str, ...]
    """Who is asked; what another one answered is no answer of it."""

    def path_of(self, prompt: str) -> Path:
        """Return where the answer to a question lies, whether it is there or not."""
        asked = "\0".join((*self.command, prompt))
        digest = sha256(asked.encode("utf-8", "replace")).hexdigest()[:32]
        return self.cache / _FOLDER / f"{digest}.txt"

    def get(self, prompt: str) -> str | None:
        """Return the answer to a question; `None` = it was not answered lately."""
        path = self.path_of(prompt)
        try:
            return self.disk.read(path).decode("utf-8") if self._is_fresh(path) else None
        except (Unreadable, UnicodeDecodeError):
            return None

    def put(self, prompt: str, text: str) -> Path | None:
        """Keep an answer in place of an older one; `None` = it cannot be kept."""
        path = self.path_of(prompt)
        try:
            put_cached(self.disk, path, text.encode("utf-8", "replace"), self.clock)
        except OSError:
            return None
        self._tidy(path.parent)
        return path

    def _is_fresh(self, path: Path) -> bool:
        stamp = self.disk.stamp(path)
        now = self.clock.now().timestamp()
        return stamp is not None and now - stamp.mtime_ns / 1e9 < _DAYS * 86_400

    def _tidy(self, folder: Path) -> None:
        stamps = {
            path: stamp.mtime_ns
            for name in self.disk.names(folder)
            if (stamp := self.disk.stamp(path := folder / name)) is not None
        }
        newest = sorted(stamps, key=lambda path: stamps[path], reverse=True)
        for number, path in enumerate(newest):
            if number >= _MOST or not self._is_fresh(path):
                with suppress(OSError):
                    self.disk.unlink(path)
