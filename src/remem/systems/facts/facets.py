"""What verified memory is, told without loading it."""

from __future__ import annotations

from typing import Final

from remem.core.system import Facets
from remem.model.fact import FACT

FACETS: Final = Facets(
    fixed={FACT: "a memory is superseded or invalidated, and nothing of it is changed"}
)
