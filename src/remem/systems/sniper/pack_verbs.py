"""The verb that takes a pack in."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


class PackImport(Args):
    """Import a pack from another project.

    New entries become candidates, as one change. `--dry-run` shows for each what it resembles, and
    what approving all would do to prompts.
    """

    path: str = argument("FILE")
    digest: str = other_doors("Digest of the file that was shown.", default="")


def _plan_import(library: Library, intent: Intent, args: PackImport) -> Change:
    from remem.systems.sniper.pack_plan import plan_import

    return plan_import(library, intent, args)


PACK_IMPORT: Final = Writing(
    id="pack.import",
    title="Import pack",
    help="Import a pack; new entries become candidates.",
    group="Keep",
    args=PackImport,
    plan=_plan_import,
    command="import",
    acknowledges=True,
    follows="never",
)

VERBS: Final = (PACK_IMPORT,)
