"""What Hermes holds back, told without loading it."""

from __future__ import annotations

from typing import Final

from remem.core.system import Facets

NAME: Final = "hermes"
HELD: Final = "held write"
"""The kind of what waits in `~/.hermes/pending/`."""
PENDING: Final = ".hermes/pending"
FACETS: Final = Facets(
    finds=(HELD,),
    called="Hermes",
    places=(f"~/{PENDING}",),
    moved_by={"HERMES_HOME": ".hermes"},
    edited=(HELD,),
    fixed={HELD: "Hermes holds it back until you approve or reject it"},
)
