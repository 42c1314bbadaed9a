"""The verb that takes a pack in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

PACK_IMPORT: Final = Verb(
    "pack.import", "Import pack", "", "Take in a pack; what is new waits as candidates.", "Keep"
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {PACK_IMPORT: Later("packs", "plan_import")}
)
