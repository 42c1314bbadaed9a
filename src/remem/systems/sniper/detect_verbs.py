"""The verb that makes a rule checkable by machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing, needs, read_only
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry


class CheckByMachine(Args):
    """Show a rule's check and its matches, or add one.

    Uses the entry's `detect:`, else a check derived from its hint, else the pattern you give.
    `--apply` writes it into the entry; `--all` covers every rule without a check.
    """

    detect: Mapping[str, Json] | None = other_doors(
        "The pattern; default: derived from the entry's hint.", default=None
    )


def _plan_detect(library: Library, intent: Intent, args: CheckByMachine) -> Change:
    from remem.systems.sniper.detect_plan import plan_detect

    return plan_detect(library, intent, args)


_SNIPER: Final = "sniper"


def _is_no_rule(library: Library, entry: Entry) -> str | None:
    is_kept_so = entry.ref.format == _SNIPER or library.is_shared(entry.ref)
    if not is_kept_so or entry.kind not in library.format_of(entry).facets.text_fields:
        return "only conventions, anti-patterns and decisions can have checks"
    return read_only(library, entry)


DETECT: Final = Writing(
    id="detect",
    title="Add check",
    key="D",
    help="Add an automatic check, with live matches.",
    group="Decide",
    why_not=needs(_is_no_rule),
    args=CheckByMachine,
    plan=_plan_detect,
    shows="always",
    command="detect",
    takes="[REF]",
    pinned=True,
    acknowledges=True,
)

VERBS: Final = (DETECT,)
