"""The first frame as it was drawn last, kept for an opening at which nothing has changed since.

A frame is made of what the disk answered on the way to it, so all of that is noted: each path that
was asked about, also where nothing was. It is shown again only where the same start, in the same
environment, in a terminal of the same size, by the same code, on the same day, would be answered
the same. In doubt there is none, and the screens draw their first frame themselves.

Reading one imports next to nothing: it stands before the screens are loaded.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from remem.base.clock import Clock
from remem.base.frozen import dataclass
from remem.base.user_folders import user_folders
from remem.store.io import Disk, Unreadable, Why

P = ParamSpec("P")
R = TypeVar("R")

_FORM: Final = 1
"""Of the note; one of another form is none."""
_KEPT: Final = "frames"
_CODE: Final = Path(__file__).parents[1]
_MOST: Final = 20_000
"""Paths; to look at more of them takes as long as to draw the frame."""
_SMALL: Final = 1 << 16
"""Bytes of a file that is compared by what is in it, if it was written anew."""
_TICK: Final = 20_000_000
"""Nanoseconds for which a file system may say the same time."""
_COARSE: Final = 1_000_000_000
_ANSWERS: Final = "answers.db"
"""What is worked out once; whether it is there changes no answer."""
_TABLES: Final = (".db", ".sqlite", ".sqlite3")
_OF_THE_SHELL: Final = frozenset(
    {
        *("_", "OLDPWD", "PWD", "SHLVL", "WINDOWID", "TMUX", "TMUX_PANE", "STY"),
        *("SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "SSH_AUTH_SOCK", "SSH_AGENT_PID"),
        *("TERM_SESSION_ID", "ITERM_SESSION_ID", "KITTY_WINDOW_ID", "GPG_TTY", "INVOCATION_ID"),
    }
)
"""Variables that are another in each shell and say nothing of what is drawn."""
_DRAWS: Final = r"\x1b\[[0-9;]*[mH]"
"""Colours and places; nothing else that is not printed may be in a frame."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What one opening of the screens was asked for."""

    start: Path
    """The root that was named, or the folder that the search for it begins in; links resolved."""
    is_named: bool
    home: Path | None
    """Another home than the user's own."""
    environment: Mapping[str, str]
    size: tuple[int, int]
    """Columns and rows of the terminal."""

    @classmethod
    def of(
        cls, given: str, home: Path | None, environment: Mapping[str, str], size: tuple[int, int]
    ) -> Opening:
        """Return what a folder that was given, or none, asks for."""
        start = Path(os.path.realpath(Path(given).expanduser() if given else Path.cwd()))
        return cls(start, bool(given), home, {**environment}, size)

    @property
    def path(self) -> Path:
        """Where its frame is kept."""
        asked = repr((str(self.start), self.is_named)).encode("utf-8", "surrogateescape")
        name = blake2b(asked, digest_size=16).hexdigest()
        return user_folders(self.home).cache / _KEPT / name

    def made_of(self, disk: Disk, clock: Clock) -> str:
        """Return the digest of all that a frame depends on besides what is on the disk."""
        told = {each: self.environment[each] for each in self.environment.keys() - _OF_THE_SHELL}
        days = (clock.today().isoformat(), clock.now().astimezone().date().isoformat())
        whole = (_FORM, str(self.start), str(self.home), sorted(told.items()), self.size, days)
        digest = blake2b(repr((whole, sys.version, sys.path)).encode("utf-8", "surrogateescape"))
        digest.update(disk.stamp_below(_CODE, ".py"))
        digest.update(disk.stamp_below(_CODE, ".tcss"))
        return digest.hexdigest()


def kept_frame(disk: Disk, clock: Clock, opening: Opening) -> str | None:
    """Return the frame that the screens would draw first; `None` = that is not known."""
    try:
        value = json.loads(disk.read(opening.path))
        frame, noted = str(value["frame"]), value["noted"]
        if value["form"] != _FORM or value["made_of"] != opening.made_of(disk, clock):
            return None
        stands = all(_stands(disk, Path(path), *was) for path, was in noted.items())
    except (Unreadable, OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return frame if stands and re.sub(_DRAWS, "", frame).isprintable() else None


class FirstFrame:
    """Keeps the first frame of this opening for the next one."""

    def __init__(self, opening: Opening, clock: Clock) -> None:
        """Begin to note what is asked of the disk; nothing may have been asked before."""
        self.disk = _Noting()
        """The disk to open the session with."""
        self._opening, self._clock = opening, clock
        self._began = int(clock.now().timestamp() * 1e9)
        self._frame = self._made_of = ""
        self._noted: dict[str, tuple[int, ...]] | None = None
        self.is_drawn = False
        """There is one; no other is taken."""

    def drawn(self, frame: str, size: tuple[int, int]) -> None:
        """Take the frame that was just drawn, with the size of its screen; what comes is not of it.

        Args:
            frame: What draws it on a terminal.
            size: Columns and rows.
        """
        self.is_drawn = True
        self.disk.stop()
        self._frame = frame if size == self._opening.size else ""

    def note(self) -> None:
        """Note how all that was asked about is, before anything of it is written; in a thread."""
        if not self._frame or len(self.disk.asked) > _MOST:
            return
        noted = {path: self.disk.version(Path(path)) for path in _also(self.disk.asked)}
        if all(self._is_older(version) for version in noted.values()):
            self._noted, self._made_of = noted, self._opening.made_of(self.disk, self._clock)

    def keep(self) -> bool:
        """Keep it for the next opening and tell whether that was done; call it when nobody waits.

        It was drawn from what was there before this opening began, or is not kept: what was written
        meanwhile may be in it or not.
        """
        noted, self._noted = self._noted, None
        if noted is None or self._frame == kept_frame(self.disk, self._clock, self._opening):
            return False
        from remem.store.cache_file import put_cached

        own = (*user_folders(self._opening.home),)
        value: dict[str, Any] = {
            "form": _FORM,
            "made_of": self._made_of,
            "frame": self._frame,
            "noted": {
                path: (version, self._content(Path(path), version, own))
                for path, version in noted.items()
            },
        }
        with suppress(OSError, UnicodeEncodeError):
            data = json.dumps(value).encode()
            # It shows what is in memory: its owner alone may read it.
            put_cached(self.disk, self._opening.path, data, self._clock, mode=0o600)
            return True
        return False

    def _is_older(self, version: tuple[int, ...]) -> bool:
        """Tell whether a path was as it is before this opening began, by a clock that may lag."""
        if not version:
            return True
        changed = version[0]
        return changed < self._began - (_TICK if changed % _COARSE else 2 * _COARSE)

    def _content(self, path: Path, version: tuple[int, ...], own: Iterable[Path]) -> str:
        """Return the digest of what programs write anew though it is the same; else empty."""
        is_own = any(path.is_relative_to(folder) for folder in own)
        if not version or not (is_own or self.disk.kind(path) == "folder"):
            return ""
        digest = _digest(self.disk, path)
        return digest if self.disk.version(path) == version else ""


class _Noting(Disk):
    """Notes what it is asked about until that is enough."""

    def __init__(self) -> None:
        self.asked: dict[str, None] = {}
        self._is_over = False

    def stop(self) -> None:
        self._is_over = True

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not self._is_over and args and isinstance(args[0], str | Path):
            self.asked[str(args[0])] = None
        return super().perform(name, call, *args, **kwargs)

    def read_beneath(
        self, folder: Path, path: str, most: int, barred: frozenset[str] = frozenset()
    ) -> bytes | Why | Any:
        if not self._is_over:
            place = folder / path
            for each in (place, Path(os.path.realpath(place))):
                self.asked[str(each)] = None
        return super().read_beneath(folder, path, most, barred)


def _also(asked: Iterable[str]) -> list[str]:
    """Return what was asked about, and what besides tells whether it would be answered the same."""
    # A program or plug-in that is installed comes into one of the folders of `sys.path`.
    found = dict.fromkeys(each for each in sys.path if each)
    for path in asked:
        if Path(path).name.startswith(_ANSWERS):
            continue
        found[path] = None
        if path.endswith(_TABLES):
            found[f"{path}-wal"] = None  # written there first, and the table stays as it was
    return [*found]


def _stands(disk: Disk, path: Path, version: list[int], content: str) -> bool:
    """Tell whether a path is as it was, or was written anew with the same in it."""
    now = disk.version(path)
    if [*now] == version:
        return True
    return bool(now and content) and _digest(disk, path) == content


def _digest(disk: Disk, path: Path) -> str:
    """Return the digest of the names in a folder or of what is in a small file; empty = neither."""
    if disk.kind(path) == "folder":
        data = "\0".join(disk.names(path)).encode("utf-8", "surrogateescape")
        return blake2b(b"folder:" + data, digest_size=16).hexdigest()
    stamp = disk.stamp(path)
    if stamp is None or stamp.size > _SMALL:
        return ""
    return blake2b(b"file:" + disk.read(path), digest_size=16).hexdigest()
