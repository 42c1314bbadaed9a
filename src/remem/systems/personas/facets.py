"""What memory files of personas, and plain ones, are, told without loading what changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.core.system import Facets, Moves
from remem.model.change import Json
from remem.model.entry import Entry
from remem.model.source import Source
from remem.systems.personas.source import LESSON, PersonaSource

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.model.aside import Ghost
    from remem.store.records import Logged


def _to_add(source: Source, entry: Entry) -> Mapping[str, Json]:
    assert isinstance(source, PersonaSource)
    return {
        "text": entry.title,
        "persona": source.owner,
        "layout": source.layout,
        "project": source.project,
        "section": entry.context.rpartition(" › ")[2],
    }


def _append_units(data: bytes, pieces: Iterable[bytes], is_wanted: Callable[[str], bool]) -> bytes:
    from remem.systems.personas.effects import append_units

    return append_units(data, pieces, is_wanted)


def _recreated(library: Library, standing: Sequence[Logged], moves: Moves) -> tuple[Ghost, ...]:
    from remem.systems.personas.recreated import ghosts

    return ghosts(library, standing, moves)


PLAIN: Final = Facets(
    names_by_text=True,
    promoted_as_copy=(LESSON,),
    to_add=_to_add,
    append_units=_append_units,
)
"""Of a plain file, which belongs to nobody."""
FACETS: Final = Facets(
    names_by_text=True,
    promoted_as_copy=(LESSON,),
    to_add=_to_add,
    append_units=_append_units,
    recreated=_recreated,
)
