"""The verbs about a workspace and the repositories that inherit from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb, needs, read_only
from remem.curation.workspace_levels import OVERRIDE
from remem.formats.workspace.inherit import SNIPER
from remem.library import Library
from remem.model.entry import Entry
from remem.model.sniper import RECORDS
from remem.model.workspace import WORKSPACE


def _cannot_override(library: Library, entry: Entry) -> str | None:
    if entry.ref.format != SNIPER or entry.kind not in RECORDS:
        return "only a repository's entry overrides one of its workspace"
    if not library.of_format(WORKSPACE):
        return "this repository belongs to no workspace"
    return read_only(library, entry)


WORKSPACE_OVERRIDE: Final = Verb(
    OVERRIDE, "Override", "", "Let it stand in for what the workspace says.", "Decide",
    needs(_cannot_override),
)  # fmt: skip

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {WORKSPACE_OVERRIDE: Later("workspace_override", "plan_override")}
)
