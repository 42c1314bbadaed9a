"""What all questions to a language model share: how text that others wrote stands in them.

A prompt holds facts that were measured, text that others wrote, marked as such, and the shape that
the answer has to have. It asks for nothing that can be measured.
"""

from __future__ import annotations

import re
from typing import Final

from remem.base.errors import NotPossible

_MARK: Final = re.compile(r"^([<>]{3}) material", re.MULTILINE)


_BEFORE: Final = "You answered this before, and it could not be used:"
_LONG: Final = 200
"""Characters of a question that no answer holds unless it repeats it."""


class BadAnswer(NotPossible):
    """The answer of a language model cannot be used."""

    code = "bad-answer"


def once_more(prompt: str, wrong: str) -> str:
    """Return the question again for a model whose answer could not be read."""
    return f"{prompt}\n{_BEFORE} {' '.join(wrong.split())}.\n"


def without_question(answer: str, prompt: str) -> str:
    """Return an answer without the question that it repeats; its lines keep their numbers.

    Some programs print what they were asked before they answer it.
    """
    asked = prompt.strip()
    if len(asked) < _LONG or asked not in answer:
        return answer
    rest = answer.replace(asked, "\n" * asked.count("\n"))
    return "\n".join("" if each.startswith(_BEFORE) else each for each in rest.split("\n"))


def marked(name: str, text: str) -> str:
    """Return text that others wrote between marks that it cannot forge."""
    name = flat(name) or "no story"
    inside = _MARK.sub(r"\1_material", text).rstrip()
    return f"<<< material: {name}\n{inside}\n>>> material\n"


def flat(text: str) -> str:
    """Return text in one line of at most 500 characters."""
    return " ".join(text.split())[:500]
