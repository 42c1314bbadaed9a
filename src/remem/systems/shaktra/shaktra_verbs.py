"""The verbs of Shaktra's cycle: observe, consolidate, migrate."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, Undeclared
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_observe(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.shaktra.observe import plan_observe

    return plan_observe(library, intent)


def _plan_consolidate(library: Library, intent: Intent, _: Undeclared) -> Change:
    from remem.systems.shaktra.consolidation import plan_consolidate

    return plan_consolidate(library, intent)


_SHAKTRA: Final = "Shaktra"
OBSERVE: Final = Writing(
    "observe",
    "Observe",
    "",
    "Write down what was noticed.",
    _SHAKTRA,
    args=Undeclared,
    plan=_plan_observe,
)
CONSOLIDATE: Final = Writing(
    "consolidate",
    "Consolidate",
    "",
    "Count what a story observed.",
    _SHAKTRA,
    args=Undeclared,
    plan=_plan_consolidate,
)


class MigrateShaktra(Args):
    """Make principles of Shaktra's decisions and lessons.

    The originals stay, each with a `.bak` copy beside it. Nothing is done where there are
    principles already.
    """


def _plan_migrate(library: Library, intent: Intent, _: MigrateShaktra) -> Change:
    from remem.systems.shaktra.migrate import plan_migrate

    return plan_migrate(library, intent)


MIGRATE: Final = Writing(
    id="migrate.shaktra",
    title="Migrate Shaktra",
    help="Make principles of older files.",
    group=_SHAKTRA,
    args=MigrateShaktra,
    plan=_plan_migrate,
    shows="judged",
    command="migrate shaktra",
    acknowledges=True,
)

VERBS: Final = (
    OBSERVE,
    CONSOLIDATE,
    MIGRATE,
)
