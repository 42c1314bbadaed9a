"""The verbs that look after the lessons of a persona, and after who it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb, needs
from remem.formats.personas.source import LESSON
from remem.formats.plain.source import FORMAT as PLAIN
from remem.model.entry import Entry


def is_lesson(entry: Entry) -> bool:
    """Tell whether an entry is a lesson of a persona's memory."""
    return entry.kind == LESSON and entry.ref.format in ("persona", PLAIN)


MOVE: Final = Verb(
    "move", "Move", "M", "Put it into another section, or with another persona.", "Personas",
    needs(Later("blocked", "is_no_lesson")),
)  # fmt: skip
LESSON_PIN: Final = Verb(
    "lesson.pin", "Pin", "P", "Put it first in the head: it goes into the prompt before all else.",
    "Personas", needs(Later("blocked", "is_no_lesson")),
)  # fmt: skip
SECTIONS_ARCHIVE: Final = Verb(
    "sections.archive", "Archive old sections", "", "Put sections before a day into the archive "
    "beside their file.", "Personas",
)  # fmt: skip
PERSONA_EDIT: Final = Verb(
    "persona.edit", "Edit profile", "", "Say who the persona is.", "Personas"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        MOVE: Later("lessons", "plan_move"),
        LESSON_PIN: Later("lessons", "plan_pin"),
        SECTIONS_ARCHIVE: Later("lesson_shelving", "plan_shelve"),
        PERSONA_EDIT: Later("profile_edit", "plan_profile"),
    }
)
SHOWN_FIRST: Final = frozenset({SECTIONS_ARCHIVE})
"""Verbs whose plan is shown before it happens: they move many units at once."""
