"""Asks for a new persona line by line: its name, then what it is, each of which may stay empty.

Pure: which question comes next, and the intent at the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from remem.base.frozen import dataclass
from remem.model.change import Intent
from remem.systems.personas.persona_verbs import PERSONA_NEW
from remem.tui.widgets.prompt_line import Purpose, Question

_ASKED: Final = (
    ("persona", "name of the new persona"),
    ("role", "its role in a few words (enter to skip)"),
    ("soul", "its values (enter to skip)"),
    ("style", "its style (enter to skip)"),
    ("skill", "its working rules (enter to skip)"),
)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What is known of a new persona so far."""

    told: tuple[str, ...] = ()
    """Answers, in the order of the questions."""

    @property
    def question(self) -> Question | None:
        """What is asked next; `None` = all is known."""
        if len(self.told) == len(_ASKED):
            return None
        purpose = Purpose.REASON if self.told else Purpose.NAME
        return Question(purpose, _ASKED[len(self.told)][1], self)

    def answered(self, text: str) -> Newcomer:
        """Return what is known with one more answer."""
        return replace(self, told=(*self.told, text.strip()))

    @property
    def intent(self) -> Intent:
        """What makes the persona."""
        told = {name: text for (name, _), text in zip(_ASKED, self.told, strict=True) if text}
        return Intent(PERSONA_NEW.id, {}, told)
