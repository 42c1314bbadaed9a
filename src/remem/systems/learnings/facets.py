"""What learnings are, told without loading them."""

from __future__ import annotations

from typing import Final

from remem.core.system import Facets

FACETS: Final = Facets(
    settles=("finding",),  # the retro of a protocol asks for learnings
    pairs=("learning",),
    files_apart=("learning",),
    text_fields={"learning": "learning"},
)
