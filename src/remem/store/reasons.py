"""What an error of the system means to a person, and what to do about it."""

import errno
import os
from typing import Final

_REASONS: Final = {
    errno.ENOSPC: ("the disk is full", "free some space and try again"),
    errno.EDQUOT: ("your quota is used up", "free some space and try again"),
    errno.EROFS: ("the file system is read only", "mount it for writing, or work on a copy"),
    errno.EACCES: ("permission was denied", "check who owns the file and its folder"),
    errno.EPERM: ("permission was denied", "check who owns the file and its folder"),
    errno.EIO: ("the disk reported an error", "check the disk before you try again"),
    errno.EMFILE: ("too many files are open", "close something and try again"),
    errno.ENFILE: ("too many files are open", "close something and try again"),
    errno.EXDEV: ("it would have to go to another disk", "choose a place on the same disk"),
}


def reason(error: OSError) -> str:
    """Return what happened, without a full stop."""
    number = error.errno or 0
    return _REASONS.get(number, (os.strerror(number).lower(), ""))[0]


def remedy(error: OSError) -> str:
    """Return what to do about it."""
    return _REASONS.get(error.errno or 0, ("", "try again"))[1]
