"""Names and paths: what may become a file name, which names clash, and what stays inside a folder.

Nothing else turns a name that came from outside into a path. It reads links and writes nothing.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import UnsafeName
from remem.store.io import real_below, real_path

MAX_NAME_BYTES: Final = 128
"""UTF-8 bytes of a new name; leaves room for the stamps that archives append."""

_MARKS: Final = frozenset(" ._+-")
_DEVICES: Final = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³"]
)
_LOOK_ALIKE_SCRIPTS: Final = frozenset(["LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"])
_TWINS: Final = str.maketrans(
    # Cyrillic, then Greek: letters that most typefaces draw like a Latin one, casefolded.
    "авсԁеԍһіјкмнорԛѕтуԝхь" + "αβγεηικνορτυχ",
    "abcdeghijkmhopqstywxb" + "abyenikvoptux",
)


def new_name(name: str) -> str:
    """Return `name` in NFC, fit for a new file or folder on every system.

    Raises:
        UnsafeName: It begins with something other than a letter or digit, holds a character that
            is no letter, digit, space or one of `._+-`, ends in a dot or space, is a Windows
            device, or is longer than 128 bytes.
    """
    normal = unicodedata.normalize("NFC", name)
    reason = _why_unsafe(normal)
    if reason:
        raise UnsafeName(
            f"`{name}` is not a valid name: {reason}",
            hint="use letters, digits, spaces and `._+-`; start with a letter or digit",
        )
    return normal


def existing_name(name: str) -> str:
    """Return a name that was found on disk if it is one part of a path, whatever it looks like.

    Raises:
        UnsafeName: It is empty, `.` or `..`, or holds a `/` or NUL.
    """
    if name in {"", ".", ".."} or "/" in name or "\0" in name:
        raise UnsafeName(f"`{name}` is not a single file name", hint="give only the name")
    return name


@lru_cache(maxsize=4_096)
def collision_key(name: str) -> str:
    """Return what two names share when some file system would take them for one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFC", folded)


def name_warning(name: str, others: Iterable[str] = ()) -> str:
    """Return why a reader may take the name for another one, or an empty text.

    Args:
        name: A name that is safe by the rules.
        others: The names it will stand beside; itself among them does no harm.
    """
    scripts = sorted({_script(char) for char in name if char.isalpha()} & _LOOK_ALIKE_SCRIPTS)
    if len(scripts) > 1:
        mix = " and ".join(script.capitalize() for script in scripts)
        return f"`{name}` mixes {mix} letters that look alike"
    key, looks = collision_key(name), _looks(name)
    for other in others:
        if _looks(other) == looks and collision_key(other) != key:
            return f"`{name}` looks like `{other}` but uses other letters"
    return ""


def contained(base: Path, path: Path, *, inside: Path | None = None) -> Path:
    """Return `path` with its links resolved, if that lies in `base` or is `base`.

    The result has no link in it, so that reading it opens what was checked.

    Args:
        base: The folder to stay in; its own links are resolved too.
        path: Absolute, or relative to `base`; it need not be there.
        inside: `base` with its links resolved, where that is known.

    Raises:
        UnsafeName: It leads out of `base`, by `..`, by a link or by being elsewhere.
    """
    try:
        inside = real_path(base) if inside is None else inside
        below = path.relative_to(base) if path.is_relative_to(base) else path
        found = real_path(base / path) if below.is_absolute() else real_below(inside, below)
    except (ValueError, OSError) as error:
        raise UnsafeName(f"`{path}` is not a valid path on this system") from error
    if found != inside and inside not in found.parents:
        raise UnsafeName(
            f"`{path}` is outside `{base}`", hint="name a path inside it, not through a link"
        )
    return found


def _why_unsafe(name: str) -> str:
    if not name:
        return "it is empty"
    if not _is_letter_or_digit(name[0]):
        return "it must start with a letter or digit"
    odd = next((c for c in name if not _is_letter_or_digit(c) and c not in _MARKS), "")
    if odd:
        return f"U+{ord(odd):04X} is not allowed"
    if name[-1] in ". ":
        return "it ends in a dot or space"
    if _is_device(name):
        return "Windows reserves it"
    if len(name.encode()) > MAX_NAME_BYTES:
        return f"it is longer than {MAX_NAME_BYTES} bytes"
    return ""


def _is_letter_or_digit(char: str) -> bool:
    # Categories, not `isalnum()`: that one takes superscripts and Roman numerals too.
    return unicodedata.category(char) in {"Lu", "Ll", "Lt", "Lm", "Lo", "Nd"}


def _is_device(name: str) -> bool:
    return name.split(".")[0].rstrip(" ").upper() in _DEVICES


def _script(char: str) -> str:
    return unicodedata.name(char, "").split(" ")[0]


@lru_cache(maxsize=4_096)
def _looks(name: str) -> str:
    return collision_key(name).translate(_TWINS)
