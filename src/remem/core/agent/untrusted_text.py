"""What all questions to a language model share: how text that others wrote stands in them.

A prompt holds facts that were measured, text that others wrote, marked as such, and the shape that
the answer has to have. It asks for nothing that can be measured.
"""

from __future__ import annotations

import re
from typing import Final

from remem.base.errors import NotPossible

_MARK: Final = re.compile(r"^([<>]{3}) material", re.MULTILINE)


class BadAnswer(NotPossible):
    """The answer of a language model cannot be used."""

    code = "bad-answer"


def once_more(prompt: str, wrong: str) -> str:
    """Return the question again for a model whose answer could not be read."""
    return f"{prompt}\nYou answered this before, and it could not be used: {wrong}.\n"


def marked(name: str, text: str) -> str:
    """Return text that others wrote between marks that it cannot forge."""
    name = flat(name) or "no story"
    inside = _MARK.sub(r"\1_material", text).rstrip()
    return f"<<< material: {name}\n{inside}\n>>> material\n"


def flat(text: str) -> str:
    """Return text in one line of at most 500 characters."""
    return " ".join(text.split())[:500]
