"""Reads the lessons out of what a language model answered: untrusted text that should hold bullets.

What is taken is one line each; everything around it is left out, and a note says so. Whether a
lesson goes into memory is decided in `reflect.py`, and by a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.agent.prompts import BadAnswer
from remem.core.checks.secrets import redacted

LESSONS: Final = 3
"""Lessons of one reflection; five where they carry a category (FORMATS 3.4)."""
LESSONS_WITH_CATEGORY: Final = 5
_FLOOD: Final = 20
"""An answer with more bullets did not understand what it was asked."""
_MAX_TEXT: Final = 600
_AGAIN: Final = "try again, or write the bullets yourself and pass them with `--answer FILE`"
_DASH: Final = re.compile(r"-[ \t]+(.*)")
_OTHER: Final = re.compile(r"(?:[*+•–]|\d{1,3}[.)])[ \t]+(.*)")
_FENCE: Final = re.compile(r"(?:`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Lessons:
    """What was taken of an answer."""

    texts: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What was left out, and why, as sentences without a full stop."""


def read_lessons(text: str, most: int = LESSONS) -> Lessons:
    """Return the bullets of an answer, whatever stands around them.

    Args:
        text: The whole answer.
        most: How many were asked for; those behind them are left out.

    Raises:
        BadAnswer: It has no bullet, or a flood of them.
    """
    bullets, others = bullets_in(text)
    texts = tuple(dict.fromkeys(bullets))
    if not texts:
        raise BadAnswer("the answer has no line that begins with `- `", hint=_AGAIN)
    if len(texts) > _FLOOD:
        message = f"the answer has {len(texts):,} bullets (limit {most})"
        raise BadAnswer(message, hint=_AGAIN)
    notes = list(around(others))
    long = [each for each in texts if len(each) > _MAX_TEXT]
    notes += [
        f"`{each[:40]}…` has {len(each):,} characters and was dropped; a lesson is one sentence"
        for each in long
    ]
    kept = [each for each in texts if each not in long]
    if not kept:
        raise BadAnswer("every bullet of the answer is too long for a lesson", hint=_AGAIN)
    if len(kept) > most:
        left = count(len(kept) - most, "further bullet")
        notes.append(f"dropped from the answer: {left} (limit {most})")
    taken = [redacted(each) for each in kept[:most]]
    if taken != kept[:most]:
        notes.append("a secret in the answer was redacted")
    return Lessons(tuple(taken), tuple(notes))


def bullets_in(text: str) -> tuple[list[str], list[str]]:
    """Return the texts of all bullets, and the other lines that hold words.

    Bullets begin with `- `; only where none does, other marks of a list count. A line that is
    indented below a bullet and is none itself goes on with it.
    """
    plain = text.removeprefix("\ufeff").replace("\0", "")
    lines = [line.expandtabs(4).rstrip() for line in plain.splitlines()]
    lines = [line for line in lines if not _FENCE.match(line.strip())]
    has_dashes = any(_DASH.match(line.strip()) for line in lines)
    bullets: list[str] = []
    others: list[str] = []
    is_open = False
    for line in lines:
        match = (_DASH if has_dashes else _OTHER).match(line.strip())
        if match is not None:
            is_open = bool(match[1].strip())
            bullets += [_flat(match[1])] if is_open else []
        elif is_open and line.startswith("  ") and line.strip():
            bullets[-1] = f"{bullets[-1]} {_flat(line)}"
        else:
            is_open = False
            others += [line.strip()] if line.strip() else []
    return bullets, others


def around(others: Sequence[str]) -> Iterator[str]:
    """Say what else an answer says: it may be meant for whoever reads it."""
    said = [line for line in others if not line.startswith("#")]
    if said:
        lines = count(len(said), "line")
        yield f"dropped from the answer: {lines} outside the bullets, `{said[0][:80]}`"


def _flat(text: str) -> str:
    return " ".join(text.split())
