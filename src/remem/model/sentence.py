"""Text of an entry as one sentence of a prompt: on one line, and ended."""

from __future__ import annotations

from typing import Final

_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")


def one_line(text: str) -> str:
    """Return the text with its line breaks and tabs as blanks, one for each run of them."""
    lines = text.replace("\t", "\n").splitlines()
    return " ".join(part for line in lines if (part := line.strip()))


def sentence(text: str) -> str:
    """Return the text on one line, with a full stop where it ends without one."""
    line = one_line(text)
    return line if not line or line.endswith(_ENDS) else f"{line}."
