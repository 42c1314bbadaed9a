"""What remem keeps itself, told without loading it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from remem.core.own_folder import OWN
from remem.core.system import Facets
from remem.model.entry import Ref

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.item import Evidence


def _evidence(library: Library) -> Mapping[Ref, Evidence]:
    if not library.of_format(OWN):
        return {}
    from remem.systems.own.violations_waiting import evidence_of_gate

    return evidence_of_gate(library)


FACETS: Final = Facets(
    finds=("proposal", "violation"),
    called="remem's own",
    places=(".remem",),
    evidence=_evidence,
    fixed={"violation": "a gate finding cannot be edited; approve or reject it"},
)
