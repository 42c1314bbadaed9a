"""What remem keeps itself, told without loading it."""

from __future__ import annotations

from typing import Final

from remem.core.system import Facets

FACETS: Final = Facets(
    called="remem's own",
    places=(".remem",),
    fixed={"violation": "what the gate found only waits; approve it or reject it"},
)
