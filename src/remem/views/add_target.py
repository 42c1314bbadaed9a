"""Where a new entry goes that is added from Browse: what is under the cursor says it.

Pure: what can be added, and the fields that a lesson gets.
"""

from __future__ import annotations

from collections.abc import Hashable

from remem.base.frozen import dataclass
from remem.model.entry import Entry
from remem.model.source import Source
from remem.systems.personas.group import Persona
from remem.systems.personas.source import LESSON, PersonaSource
from remem.systems.plain.source import PlainSource

PERSONA = "persona"
KINDS = ("convention", "anti_pattern", "decision", "learning")


@dataclass(frozen=True, slots=True)
class Home:
    """The memory that a new lesson goes to."""

    called: str
    fields: tuple[tuple[str, str], ...]


def home_of(
    node: Hashable, persona: Persona | None, source: Source | None, entry: Entry | None
) -> Home | None:
    """Return where a lesson goes; `None` = no memory is under the cursor.

    Args:
        node: That of the tree.
        persona: Who is under the cursor of the tree, if anybody is.
        source: The file under either cursor.
        entry: The one under the cursor of the list, unless the person is in the tree.
    """
    if persona is not None and persona.archived:
        return None
    if isinstance(source, PlainSource):
        return None if source.archived else _in_file(source, node, entry)
    if isinstance(source, PersonaSource) and source.owner and not source.archived:
        return Home(f"of {source.owner}", (("persona", source.owner), ("layout", source.layout)))
    return Home(f"of {persona.name}", (("persona", persona.name),)) if persona is not None else None


def _in_file(source: PlainSource, node: Hashable, entry: Entry | None) -> Home:
    file = ("file", source.name)
    if entry is not None:
        where = f"in {source.name} › {entry.context}" if entry.context else f"in {source.name}"
        return Home(where, (file, ("beside", str(entry.ref))))
    match node:
        case ("section", _, str(title)):
            return Home(f"in {source.name} › {title}", (file, ("section", title)))
        case _:
            return Home(f"at the end of {source.name}", (file,))


def asked_kind(kind: str, home: Home | None) -> str:
    """Return what is asked for, in words."""
    words = kind.replace("_", " ")
    return f"{words} {home.called}" if kind == LESSON and home is not None else words
