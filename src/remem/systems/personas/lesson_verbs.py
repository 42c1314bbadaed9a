"""The verbs that look after the lessons of a persona, and after who it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb, needs
from remem.model.change import Change, Intent
from remem.model.entry import Entry
from remem.systems.personas.source import LESSON
from remem.systems.plain.source import FORMAT as PLAIN


def _is_no_lesson(library: Library, entry: Entry) -> str | None:
    from remem.core.verbs.blocked import is_no_lesson

    return is_no_lesson(library, entry)


def _plan_move(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.lessons import plan_move

    return plan_move(library, intent)


def _plan_pin(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.lessons import plan_pin

    return plan_pin(library, intent)


def _plan_shelve(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.archive_sections import plan_shelve

    return plan_shelve(library, intent)


def _plan_profile(library: Library, intent: Intent) -> Change:
    from remem.systems.personas.profile_edit import plan_profile

    return plan_profile(library, intent)


def is_lesson(entry: Entry) -> bool:
    """Tell whether an entry is a lesson of a persona's memory."""
    return entry.kind == LESSON and entry.ref.format in ("persona", PLAIN)


MOVE: Final = Verb(
    "move", "Move", "M", "Put it into another section, or with another persona.", "Personas",
    needs(_is_no_lesson),
)  # fmt: skip
LESSON_PIN: Final = Verb(
    "lesson.pin", "Pin", "P", "Put it first in the head: it goes into the prompt before all else.",
    "Personas", needs(_is_no_lesson),
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
        MOVE: _plan_move,
        LESSON_PIN: _plan_pin,
        SECTIONS_ARCHIVE: _plan_shelve,
        PERSONA_EDIT: _plan_profile,
    }
)
SHOWN_FIRST: Final = frozenset({SECTIONS_ARCHIVE})
"""Verbs whose plan is shown before it happens: they move many units at once."""
