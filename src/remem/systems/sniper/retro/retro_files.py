"""Where retros lie in a library: it loads nothing, so that a screen can ask at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.model.source import Source

SNIPER: Final = "sniper"
PART: Final = "retro"


def files_of(library: Library) -> list[Source]:
    """Return the retros as they lie, those that cannot be read too."""
    return [source for source in library.of_format(SNIPER) if source.part == PART]
