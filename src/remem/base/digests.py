"""Digests of bytes, each worked out once: a megabyte takes as long as writing it to the disk.

The last few big contents are remembered with theirs. To find out that a file which was just written
reads as it was written is to compare it, in a tenth of the time.
"""

from _thread import start_new_thread
from collections import deque
from contextlib import suppress
from hashlib import sha256
from threading import Event, Lock
from typing import Final

_LEAST: Final = 128 * 1024
"""Bytes from which on it pays to keep a digest, or to start a thread for it."""
_ROOM: Final = 8 * 1024 * 1024
"""Bytes of contents that are held for their digests; the last one is held however long it is."""


def kept_digest(data: bytes) -> str:
    """Return the digest of big contents, which `effects.digest_of` gives of all."""
    return _last.of(data) if _is_kept(data) else _of(data)


def begin_digest(data: bytes) -> None:
    """Let another thread work out a digest that is soon asked for, while this one waits."""
    if _is_kept(data):
        _last.begin(data)


def begin_digest_of_new(data: bytes) -> None:
    """Do as `begin_digest` does for what was just made, and is compared with nothing."""
    if _is_kept(data):
        _last.begin_new(data)


def remember_digest(data: bytes, digest: str) -> None:
    """Say what the digest of these bytes is, which was worked out earlier."""
    if _is_kept(data):
        _last.remember(data, digest)


def forget_digest(data: bytes) -> None:
    """Hold these bytes no longer: they were looked at, and come to no disk."""
    if _is_kept(data):
        _last.forget(data)


class _Last:
    """The contents that a digest was asked of last."""

    def __init__(self) -> None:
        self._found: deque[_Digest] = deque()
        self._lock = Lock()

    def of(self, data: bytes) -> str:
        found = self._find(data)
        if found is None:
            found = _Digest(data)
            self._keep(found)
        return found.settled()

    def begin(self, data: bytes) -> None:
        known = self._find(data)
        if known is not None:
            known.data = data  # what was written is read again: equal bytes, asked for from now on
        else:
            self.begin_new(data)

    def begin_new(self, data: bytes) -> None:
        found = _Digest(data)
        done = Event()
        # Not a `Thread`, which waits until the other one runs: on a busy machine that takes as long
        # as the digest.
        with suppress(RuntimeError):  # no more threads may be started: then whoever asks works
            start_new_thread(found.work_out, (done,))
            found.done = done
        self._keep(found)

    def remember(self, data: bytes, digest: str) -> None:
        if self._find(data) is None:
            self._keep(_Digest(data, digest))

    def forget(self, data: bytes) -> None:
        with self._lock:
            left = [each for each in self._found if each.data is not data]
            self._found.clear()
            self._found.extend(left)

    def _find(self, data: bytes) -> "_Digest | None":
        found = self._found_itself(data)
        if found is not None:
            return found
        with self._lock:
            # What was written last is what is read again; to compare all others takes long, too.
            return next((each for each in reversed(self._found) if each.data == data), None)

    def _found_itself(self, data: bytes) -> "_Digest | None":
        with self._lock:
            return next((each for each in self._found if each.data is data), None)

    def _keep(self, found: "_Digest") -> None:
        with self._lock:
            self._found.append(found)
            held = sum(len(each.data) for each in self._found)
            while held > _ROOM and len(self._found) > 1:
                held -= len(self._found.popleft().data)


class _Digest:
    """The digest of some bytes, known or being worked out."""

    __slots__ = ("data", "digest", "done")

    def __init__(self, data: bytes, digest: str = "") -> None:
        self.data = data
        self.digest = digest
        self.done: Event | None = None
        """Set by another thread when it has worked it out."""

    def work_out(self, done: Event | None = None) -> None:
        try:
            self.digest = _of(self.data)
        finally:
            if done is not None:
                done.set()

    def settled(self) -> str:
        if self.done is not None:
            self.done.wait()
        if not self.digest:
            self.work_out()
        return self.digest


def _is_kept(data: bytes) -> bool:
    return len(data) >= _LEAST


def _of(data: bytes) -> str:
    # Processors have instructions for this one: of megabytes it takes half the time of blake2b.
    return sha256(data).hexdigest()[:32]


_last: Final = _Last()
