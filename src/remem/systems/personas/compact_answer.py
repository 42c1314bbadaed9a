"""Reads a condensed memory out of what a language model answered: bullets, and not too many.

It checks the shape alone (FORMATS 3.2); whether a line was invented is `compact_trace.py`'s.
"""

from __future__ import annotations

from typing import Final

from remem.base.frozen import dataclass
from remem.core.agent.prompts import BadAnswer
from remem.core.checks.secrets import redacted
from remem.systems.personas.reflect_answer import around, bullets_in

_LONGEST: Final = 1_000
"""Characters of a line; a lesson has a tenth of that."""
_AGAIN: Final = "ask once more, or mend the answer and give it with `--answer FILE`"


@dataclass(frozen=True, slots=True)
class Target:
    """How long a compacted memory may be."""

    lines: int
    most: int = 25
    """Bullets that are allowed in any case, where they fit into the lines."""

    @property
    def bullets(self) -> int:
        """Half as many, for a bullet may be wrapped by whoever edits it later; a short one fits."""
        return max(self.lines // 2, min(self.lines, self.most), 1)


@dataclass(frozen=True, slots=True)
class Condensed:
    """What was taken of an answer."""

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What was left out, as sentences without a full stop."""


def read_condensed(text: str, target: Target) -> Condensed:
    """Return the bullets of an answer.

    Args:
        text: The whole answer, Markdown around the bullets or not.
        target: How many there may be.

    Raises:
        BadAnswer: It has none, too many, or one that is no line any more.
    """
    bullets, others = bullets_in(text)
    lines = tuple(dict.fromkeys(bullets))
    if not lines:
        raise BadAnswer("the answer has no line that begins with `- `", hint=_AGAIN)
    if len(lines) > target.bullets:
        message = f"the answer has {len(lines):,} bullets; {target.bullets} may stand in the memory"
        raise BadAnswer(message, hint=_AGAIN)
    long = next((line for line in lines if len(line) > _LONGEST), "")
    if long:
        message = f"`{long[:40]}…` has {len(long):,} characters; a bullet is one sentence"
        raise BadAnswer(message, hint=_AGAIN)
    notes = list(around(others))
    clean = tuple(redacted(line) for line in lines)
    if clean != lines:
        notes.append("a secret in the answer was blacked out")
    return Condensed(clean, tuple(notes))
