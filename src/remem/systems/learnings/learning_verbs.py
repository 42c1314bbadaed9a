"""The verbs that tell what happened to learning records: what each is told, and what plans it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json
from remem.model.entry import LEARNING

_GROUP: Final = "Learnings"


def _actor() -> Any:
    about = "The agent that says so; default: a person."
    return option("--as", about, hidden=("--actor",), metavar="NAME", default="")


def _detail() -> Any:
    return option("--detail", "Recorded in its history.", metavar="TEXT", default="")


def _as_of() -> Any:
    about = "The reference date; default: today."
    return option("--as-of", about, metavar="DATE", default="")


def _sources() -> Iterable[str]:
    from remem.systems.learnings.records import STARTS

    return STARTS


class LearnAdd(Args):
    """Add a learning.

    A person's learning is active at once; with `--as AGENT` it is a draft to review.
    """

    text: str = argument("TEXT", default="")
    avoid: str = option("--avoid", "What not to do.", metavar="TEXT", default="")
    instead: str = option("--instead", "What to do instead.", metavar="TEXT", default="")
    agents: tuple[str, ...] = option("--agent", "Role it is for; repeatable.", default=())
    phases: tuple[str, ...] = option("--phase", "Phase it is for; repeatable.", default=())
    files: tuple[str, ...] = option(
        "--file", "Files it is for; repeatable.", metavar="GLOB", default=()
    )
    source: str = option("--source", "How it was found.", choices=_sources, default="human")
    protocol: str = option("--protocol", "The protocol it comes from.", metavar="ID", default="")
    expires: str = option("--expires", "Its expiry date.", metavar="TIME", default="")
    override: bool = option(
        "--override", "Mark it as going against a recommendation.", default=False
    )
    actor: str = _actor()
    detail: str = _detail()
    fields: Mapping[str, Json] = other_doors(
        "Any field of the record, by name or dotted path.", default_factory=dict
    )


def _plan_add(library: Library, intent: Intent, args: LearnAdd) -> Change:
    from remem.systems.learnings.plan_events import plan_add

    return plan_add(library, intent, args)


LEARN_ADD: Final = Writing(
    id="learn.add",
    title="Add learning",
    group=_GROUP,
    args=LearnAdd,
    plan=_plan_add,
    command="learn add",
    acknowledges=True,
    follows="added",
    adds=LEARNING,
)


class LearnConfirm(Args):
    """Confirm that learnings are right."""

    detail: str = _detail()


def _plan_confirm(library: Library, intent: Intent, args: LearnConfirm) -> Change:
    from remem.systems.learnings.plan_events import plan_confirm

    return plan_confirm(library, intent, args)


LEARN_CONFIRM: Final = Writing(
    id="learn.confirm",
    title="Confirm",
    group=_GROUP,
    args=LearnConfirm,
    plan=_plan_confirm,
    command="learn confirm",
    takes="REF...",
    ids_of=LEARNING,
)


class LearnInvalidate(Args):
    """Mark learnings as wrong."""

    detail: str = _detail()


def _plan_invalidate(library: Library, intent: Intent, args: LearnInvalidate) -> Change:
    from remem.systems.learnings.plan_events import plan_invalidate

    return plan_invalidate(library, intent, args)


LEARN_INVALIDATE: Final = Writing(
    id="learn.invalidate",
    title="Invalidate",
    group=_GROUP,
    args=LearnInvalidate,
    plan=_plan_invalidate,
    command="learn invalidate",
    takes="REF...",
    ids_of=LEARNING,
)


class LearnReinforce(Args):
    """Record evidence that supports learnings."""

    by: str = option("--by", "The event or learning that supports it.", metavar="ID")
    actor: str = _actor()
    detail: str = _detail()


def _plan_reinforce(library: Library, intent: Intent, args: LearnReinforce) -> Change:
    from remem.systems.learnings.plan_events import plan_reinforce

    return plan_reinforce(library, intent, args)


LEARN_REINFORCE: Final = Writing(
    id="learn.reinforce",
    title="Reinforce",
    group=_GROUP,
    args=LearnReinforce,
    plan=_plan_reinforce,
    command="learn reinforce",
    takes="REF...",
    ids_of=LEARNING,
)


class LearnContradict(Args):
    """Record that two learnings contradict each other."""

    actor: str = _actor()
    detail: str = _detail()


def _plan_contradict(library: Library, intent: Intent, args: LearnContradict) -> Change:
    from remem.systems.learnings.plan_events import plan_contradict

    return plan_contradict(library, intent, args)


LEARN_CONTRADICT: Final = Writing(
    id="learn.contradict",
    title="Contradict",
    group=_GROUP,
    args=LearnContradict,
    plan=_plan_contradict,
    command="learn contradict",
    takes="REF OTHER",
    ids_of=LEARNING,
    follows="never",
)


class LearnAbsence(Args):
    """Record that a problem stayed away where its learning was applied."""

    protocol: str = option("--protocol", "The protocol it was applied in.", metavar="ID")
    actor: str = _actor()
    detail: str = _detail()


def _plan_absence(library: Library, intent: Intent, args: LearnAbsence) -> Change:
    from remem.systems.learnings.plan_events import plan_absence

    return plan_absence(library, intent, args)


LEARN_ABSENCE: Final = Writing(
    id="learn.absence",
    title="Absence",
    group=_GROUP,
    args=LearnAbsence,
    plan=_plan_absence,
    command="learn absence",
    takes="REF...",
    ids_of=LEARNING,
)


class LearnRecurrence(Args):
    """Record that a problem came back although its learning was known."""

    protocol: str = option("--protocol", "The protocol it came back in.", metavar="ID", default="")
    actor: str = _actor()
    detail: str = _detail()


def _plan_recurrence(library: Library, intent: Intent, args: LearnRecurrence) -> Change:
    from remem.systems.learnings.plan_events import plan_recurrence

    return plan_recurrence(library, intent, args)


LEARN_RECURRENCE: Final = Writing(
    id="learn.recurrence",
    title="Recurrence",
    group=_GROUP,
    args=LearnRecurrence,
    plan=_plan_recurrence,
    command="learn recurrence",
    takes="REF...",
    ids_of=LEARNING,
)


class LearnSupersede(Args):
    """Replace learnings with another one."""

    by: str = option("--by", "The learning that replaces it.", metavar="REF", names_entry=True)


def _plan_supersede(library: Library, intent: Intent, args: LearnSupersede) -> Change:
    from remem.systems.learnings.plan_events import plan_supersede

    return plan_supersede(library, intent, args)


LEARN_SUPERSEDE: Final = Writing(
    id="learn.supersede",
    title="Supersede",
    group=_GROUP,
    args=LearnSupersede,
    plan=_plan_supersede,
    command="learn supersede",
    takes="REF...",
    ids_of=LEARNING,
)


class LearnMerge(Args):
    """Merge duplicate learnings.

    The one with the highest confidence stays; the others name it as their successor. Without a
    REF, list what could be merged.
    """

    proposed: bool = option("--proposed", "Merge duplicates, at most ten groups.", default=False)
    into: str = other_doors("Another learning to merge.", default="")


def _plan_merge(library: Library, intent: Intent, args: LearnMerge) -> Change:
    from remem.systems.learnings.upkeep import plan_merge

    return plan_merge(library, intent, args)


LEARN_MERGE: Final = Writing(
    id="learn.merge",
    title="Merge learnings",
    group=_GROUP,
    args=LearnMerge,
    plan=_plan_merge,
    command="learn merge",
    takes="[REF...]",
    ids_of=LEARNING,
    follows="merged",
)


class LearnUpgrade(Args):
    """Convert learnings in an old record format.

    Without a REF, all of them, as one change.
    """

    status: str = option("--status", "Status for files without one: `active`, `draft`.", default="")
    confidence: float | None = option(
        "--confidence", "Confidence for files without one.", within=(0, 1), default=None
    )


def _plan_upgrade(library: Library, intent: Intent, args: LearnUpgrade) -> Change:
    from remem.systems.learnings.upgrade_plan import plan_upgrade

    return plan_upgrade(library, intent, args)


LEARN_UPGRADE: Final = Writing(
    id="learn.upgrade",
    title="Upgrade",
    group=_GROUP,
    args=LearnUpgrade,
    plan=_plan_upgrade,
    command="learn upgrade",
    takes="[REF...]",
    ids_of=LEARNING,
)


class LearnPrune(Args):
    """Move learnings that have long been archived to the archive folder.

    The folder is `.sniper/memory/archive/`; nothing is deleted.
    """

    as_of: str = _as_of()


def _plan_prune(library: Library, intent: Intent, args: LearnPrune) -> Change:
    from remem.systems.learnings.upkeep import plan_prune

    return plan_prune(library, intent, args)


LEARN_PRUNE: Final = Writing(
    id="learn.prune",
    title="Prune",
    group=_GROUP,
    args=LearnPrune,
    plan=_plan_prune,
    command="learn prune",
    follows="never",
)


class LearnDecay(Args):
    """Lower the confidence of idle learnings.

    Decay starts after 120 days without an event: 0.05 per 30 days. Running it twice for one date
    has no further effect.
    """

    as_of: str = _as_of()


def _plan_decay(library: Library, intent: Intent, args: LearnDecay) -> Change:
    from remem.systems.learnings.upkeep import plan_decay

    return plan_decay(library, intent, args)


LEARN_DECAY: Final = Writing(
    id="learn.decay",
    title="Decay",
    group=_GROUP,
    args=LearnDecay,
    plan=_plan_decay,
    shows="judged",
    command="learn decay",
    takes="[REF...]",
    ids_of=LEARNING,
)


class LearnCurate(Args):
    """Do all upkeep of learnings: merge, decay, archive.

    Duplicates are merged, idle learnings lose confidence, long archived ones move to the
    archive folder: one change. Conflicts, similar, stale and outdated learnings are listed for you
    to decide.
    """

    as_of: str = _as_of()


def _plan_curate(library: Library, intent: Intent, args: LearnCurate) -> Change:
    from remem.systems.learnings.curate_all import plan_curate

    return plan_curate(library, intent, args)


LEARN_CURATE: Final = Writing(
    id="learn.curate",
    title="Curate learnings",
    group=_GROUP,
    args=LearnCurate,
    plan=_plan_curate,
    shows="judged",
    command="learn curate",
    follows="never",
)


class LearnRecord(Args):
    """Note where learnings were applied."""

    protocol: str = other_doors("The protocol whose prompt had them.", filled=True)


def _plan_record(library: Library, intent: Intent, args: LearnRecord) -> Change:
    from remem.systems.learnings.upkeep import plan_record

    return plan_record(library, intent, args)


LEARN_RECORD: Final = Writing(
    id="learn.record",
    title="Record",
    group=_GROUP,
    args=LearnRecord,
    plan=_plan_record,
    follows="never",
)

VERBS: Final = (
    LEARN_ADD,
    LEARN_CONFIRM,
    LEARN_INVALIDATE,
    LEARN_REINFORCE,
    LEARN_CONTRADICT,
    LEARN_ABSENCE,
    LEARN_RECURRENCE,
    LEARN_SUPERSEDE,
    LEARN_MERGE,
    LEARN_UPGRADE,
    LEARN_PRUNE,
    LEARN_DECAY,
    LEARN_CURATE,
    LEARN_RECORD,
)
