"""Typed errors that a person can act on, with their exit codes.

A broken file is a `Problem`, never one of these; these are raised when something that was asked for
cannot be done.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import ClassVar, Final

from remem.base.frozen import dataclass


class RememError(Exception):
    """Something a person can act on: what happened, and what to try."""

    code: ClassVar[str] = "failed"
    """The word that `--json` shows; part of the API."""
    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UnknownRef(RememError):
    """No entry, item, persona or change has that address, or several have it."""

    code = "unknown-ref"


class NotPossible(RememError):
    """The verb cannot act on this; the message is the reason that a greyed key shows."""

    code = "not-possible"


class Already(NotPossible):
    """It is as it was asked to be: nothing is written, and nothing is wrong."""

    code = "already"
    exit_code = 0


class Refused(RememError):
    """An edit would risk bytes that it was not asked to touch; nothing was written."""

    code = "refused"


class Unacknowledged(RememError):
    """Hidden characters, a secret or a risky instruction have to be shown and acknowledged."""

    code = "unacknowledged"

    def __init__(self, message: str, *, hint: str = "", ids: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint=hint)
        self.ids = ids
        """Of all that was not acknowledged yet."""


class UnsafeName(RememError):
    """A name or a path leaves the folder it has to stay in, or cannot be a name."""

    code = "unsafe-name"


class BadConfig(RememError):
    """The user's own configuration cannot be used."""

    code = "bad-config"


class WriteFailed(RememError):
    """The system refused a write; the live files are whole."""

    code = "write-failed"


class ChangedOnDisk(RememError):
    """The bytes are not those that were shown; nothing was written."""

    code = "changed-on-disk"
    exit_code = 3


@dataclass(frozen=True, slots=True)
class Sides:
    """The three texts of a conflict."""

    ref: str
    """What was decided on, with its place."""
    name: str
    """The same as people write it."""
    changed: str
    """What changed, as a clause: `its text changed`."""
    base: str | None
    """As it was shown; `None` = not known here."""
    theirs: str | None
    """As it stands now; `None` = gone, or nothing that can be read."""
    yours: str | None
    """As the decision would leave it; `None` = it would take it away, or cannot be done."""
    now: str = ""
    """The ref under which it stands now; empty = gone."""
    digest: str = ""
    """Of what stands now: who decides on it, decides on this."""
    blocked: str = ""
    """Why the decision cannot be done on what stands now; empty = it can."""


class Conflict(ChangedOnDisk):
    """What was decided on reads otherwise now, and the decision could mean another thing."""

    code = "conflict"

    def __init__(self, message: str, sides: Sides, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.sides = sides


class PlanChanged(ChangedOnDisk):
    """What was shown is no longer what would be written; nothing was written."""

    code = "plan-changed"

    def __init__(self, path: Path, changed: str) -> None:
        super().__init__(
            f"`{path.name}` changed after it was shown: {changed}",
            hint="nothing was written; look at it again and decide",
        )


_REASONS: Final = {
    errno.ENOSPC: ("the disk is full", "free some space and try again"),
    errno.EDQUOT: ("your quota is used up", "free some space and try again"),
    errno.EROFS: ("the file system is read-only", "mount it for writing, or work on a copy"),
    errno.EACCES: ("permission was denied", "check who owns the file and its folder"),
    errno.EPERM: ("permission was denied", "check who owns the file and its folder"),
    errno.EIO: ("the disk reported an error", "check the disk before you try again"),
    errno.EMFILE: ("too many files are open", "close something and try again"),
    errno.ENFILE: ("too many files are open", "close something and try again"),
    errno.EXDEV: ("it is on another disk", "choose a folder on the same disk"),
}


def reason(error: OSError) -> str:
    """Return what happened, without a full stop."""
    number = error.errno or 0
    return _REASONS.get(number, (os.strerror(number).lower(), ""))[0]


def remedy(error: OSError) -> str:
    """Return what to do about it."""
    return _REASONS.get(error.errno or 0, ("", "try again"))[1]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong that was found while reading: data, never an exception (DESIGN §3.10)."""

    code: str
    """A short permanent word: `syntax`, `duplicate-id`, `enum`, `hidden-characters`, …"""
    message: str
    """What and where, as one sentence without a full stop; literals in backticks."""
    hint: str = ""
    """What to do about it."""
    path: Path | None = None
    line: int = 0
    """From 1; 0 where the problem has no line."""
    column: int = 0
    """From 1; 0 where the problem has no column."""
    field: str = ""
    blocks_writing: bool = False
    """The entry or source is shown and never written."""
    mends: str = ""
    """Id of the verb that puts it right at one key; empty = none does."""
    mends_with: tuple[tuple[str, str], ...] = ()
    """What that verb is told, which is about no entry then; without it is about the file's one."""
    listed_under: str = ""
    """What Health lists it under; empty = its file."""


def write_failed(title: str, error: Exception) -> WriteFailed:
    """Return the error that tells of a change which was not made, and left every file alone."""
    return WriteFailed(f"{why_failed(title, error)}; no file was changed", hint=hint_of(error))


def why_failed(title: str, error: Exception) -> str:
    """Return the sentence that a change was not made, and why."""
    what = reason(error) if isinstance(error, OSError) else str(error)
    return f"`{title}` was not applied: {what}"


def hint_of(error: Exception) -> str:
    """Return what to do about an error."""
    if isinstance(error, RememError):
        return error.hint
    return remedy(error) if isinstance(error, OSError) else "try again"
