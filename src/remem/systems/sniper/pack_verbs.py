"""The verb that takes a pack in."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


class PackImport(Args):
    """Take in a pack that another project exported.

    What memory does not say yet arrives as candidates, all in one change, and waits for approval.
    With `--dry-run` it is told what each entry is like, and what approving all would do to prompts.
    """

    path: str = argument("FILE")
    digest: str = other_doors("Of the bytes that were shown; left out: of any.", default="")


def _plan_import(library: Library, intent: Intent, args: PackImport) -> Change:
    from remem.systems.sniper.pack_plan import plan_import

    return plan_import(library, intent, args)


PACK_IMPORT: Final = Writing(
    id="pack.import",
    title="Import pack",
    help="Take in a pack; what is new waits as candidates.",
    group="Keep",
    args=PackImport,
    plan=_plan_import,
    command="import",
    acknowledges=True,
    follows="never",
)

VERBS: Final = (PACK_IMPORT,)
