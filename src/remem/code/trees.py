"""The files of a commit with their bytes, out of git's own store; nothing is checked out.

One program lists them and one more hands out bytes, however many files are asked for. No filter,
hook or line-end rule of a repository is applied: bytes are those that were committed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock, Timer
from types import TracebackType
from typing import IO, Final, Literal, Self

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.blobs import ask
from remem.code.git_process import Process, start
from remem.code.worktree import Looks

_SECONDS: Final = 60.0
"""How long the program that hands out bytes may run."""
_MOST: Final = 64 << 20
_AT_ONCE: Final = 1 << 20
_KINDS: Final[Mapping[str, Kind]] = {"120000": "link", "160000": "module"}

Kind = Literal["file", "link", "module"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One name in the listing of a commit."""

    kind: Kind
    object: str
    """Name of its object; of a module the commit that it stands at."""


def tree_of(top: Path, commit: str) -> Mapping[str, Leaf]:
    """Return every file of a commit: path from the top, with slashes → what lies there."""
    return dict(_leaves(ask(top, "ls-tree", "-r", "-z", "--full-tree", commit)))


def kept_outside(disk: Looks, top: Path) -> tuple[str, ...]:
    """Return what lies in the work tree and git does not keep: ignored, or another repository's.

    A folder of which nothing is kept stands for all that is in it.
    """
    listed = ("ls-files", "-z", "--others", "--exclude-standard", "--directory")
    ignored = _names(ask(top, *listed, "--ignored"))
    folders = (name for name in _names(ask(top, *listed)) if name.endswith("/"))
    nested = (name for name in folders if disk.kind(top / name / ".git") is not None)
    return tuple(name.rstrip("/") for name in (*ignored, *nested))


class Objects:
    """Hands out what git's objects hold; inside a `with` one program does it for all of them."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._known: dict[str, bytes | None] = {}
        self._lock = Lock()
        self._program: Process | None = None
        self._watch: Timer | None = None
        self._is_open = False

    def __enter__(self) -> Self:
        self._is_open = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._is_open = False
            self._stop()

    def read(self, name: str) -> bytes | None:
        """Return the bytes of an object; `None` = git has none of that name, or a huge one.

        Raises:
            NotPossible: git gave no answer.
        """
        with self._lock:
            if name not in self._known:
                self._known[name] = self._ask(name)
                if not self._is_open:
                    self._stop()
            return self._known[name]

    def _ask(self, name: str) -> bytes | None:
        program = self._program or self._start()
        said, told = program.stdin, program.stdout
        assert said is not None
        assert told is not None
        try:
            said.write(f"{name}\n".encode("ascii", "replace"))
            said.flush()
            head = told.readline().split()
            return _contents(head, told)
        except (OSError, ValueError) as error:
            self._stop()
            raise NotPossible("git failed to read its objects", hint="run `git fsck`") from error

    def _start(self) -> Process:
        try:
            program = start(self._top, "cat-file", "--batch")
        except (OSError, ValueError) as error:
            raise NotPossible("git could not be started", hint="is `git` installed?") from error
        self._program = program
        self._watch = Timer(_SECONDS, program.kill)
        self._watch.daemon = True
        self._watch.start()
        return program

    def _stop(self) -> None:
        program, self._program = self._program, None
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.cancel()
        if program is not None:
            program.kill()
            program.communicate()


def _contents(head: list[bytes], told: IO[bytes]) -> bytes | None:
    """Read what follows the line that describes an object.

    Raises:
        ValueError: The program ended in the middle.
    """
    if not head:
        raise ValueError("no answer")
    if len(head) != 3 or not head[2].isdigit():
        return None  # `NAME missing`
    size = int(head[2])
    if size > _MOST:
        left = size + 1
        while left > 0 and (part := told.read(min(left, _AT_ONCE))):
            left -= len(part)
        return None
    data = told.read(size + 1)
    if len(data) != size + 1:
        raise ValueError("a part of an object")
    return data[:-1] if head[1] == b"blob" else None


def _leaves(out: bytes) -> Iterator[tuple[str, Leaf]]:
    for line in out.split(b"\0"):
        head, tab, path = line.partition(b"\t")
        fields = head.decode("ascii", "replace").split()
        if tab and len(fields) == 3:
            yield os.fsdecode(path), Leaf(_KINDS.get(fields[0], "file"), fields[2])


def _names(out: bytes) -> list[str]:
    return [os.fsdecode(name) for name in out.split(b"\0") if name]
