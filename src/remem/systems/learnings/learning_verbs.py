"""The verbs that tell what happened to learning records."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _plan_add(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_add

    return plan_add(library, intent)


def _plan_confirm(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_confirm

    return plan_confirm(library, intent)


def _plan_invalidate(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_invalidate

    return plan_invalidate(library, intent)


def _plan_reinforce(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_reinforce

    return plan_reinforce(library, intent)


def _plan_contradict(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_contradict

    return plan_contradict(library, intent)


def _plan_absence(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_absence

    return plan_absence(library, intent)


def _plan_recurrence(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_recurrence

    return plan_recurrence(library, intent)


def _plan_supersede(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.plans import plan_supersede

    return plan_supersede(library, intent)


def _plan_decay(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.upkeep import plan_decay

    return plan_decay(library, intent)


def _plan_merge(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.upkeep import plan_merge

    return plan_merge(library, intent)


def _plan_upgrade(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.upgrade_plan import plan_upgrade

    return plan_upgrade(library, intent)


def _plan_prune(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.upkeep import plan_prune

    return plan_prune(library, intent)


def _plan_record(library: Library, intent: Intent) -> Change:
    from remem.systems.learnings.upkeep import plan_record

    return plan_record(library, intent)


_LEARNINGS: Final = "Learnings"
LEARN_ADD: Final = Writing(
    "learn.add", "Add learning", "", "Write a new learning.", _LEARNINGS, plan=_plan_add
)
LEARN_CONFIRM: Final = Writing(
    "learn.confirm", "Confirm", "", "Say that a learning is right.", _LEARNINGS, plan=_plan_confirm
)
LEARN_INVALIDATE: Final = Writing(
    "learn.invalidate",
    "Invalidate",
    "",
    "Say that a learning is wrong.",
    _LEARNINGS,
    plan=_plan_invalidate,
)
LEARN_REINFORCE: Final = Writing(
    "learn.reinforce",
    "Reinforce",
    "",
    "Say what bears a learning out.",
    _LEARNINGS,
    plan=_plan_reinforce,
)
LEARN_CONTRADICT: Final = Writing(
    "learn.contradict",
    "Contradict",
    "",
    "Say that two learnings are opposites.",
    _LEARNINGS,
    plan=_plan_contradict,
)
LEARN_ABSENCE: Final = Writing(
    "learn.absence",
    "Absence",
    "",
    "Say that the problem stayed away.",
    _LEARNINGS,
    plan=_plan_absence,
)
LEARN_RECURRENCE: Final = Writing(
    "learn.recurrence",
    "Recurrence",
    "",
    "Say that the problem came back.",
    _LEARNINGS,
    plan=_plan_recurrence,
)
LEARN_SUPERSEDE: Final = Writing(
    "learn.supersede",
    "Supersede",
    "",
    "Put another learning in its place.",
    _LEARNINGS,
    plan=_plan_supersede,
)
LEARN_DECAY: Final = Writing(
    "learn.decay", "Decay", "", "Take off confidence for idle time.", _LEARNINGS, plan=_plan_decay
)
LEARN_MERGE: Final = Writing(
    "learn.merge", "Merge learnings", "", "Unite learnings.", _LEARNINGS, plan=_plan_merge
)
LEARN_UPGRADE: Final = Writing(
    "learn.upgrade",
    "Upgrade",
    "",
    "Write older shapes as the schema wants them.",
    _LEARNINGS,
    plan=_plan_upgrade,
)
LEARN_PRUNE: Final = Writing(
    "learn.prune",
    "Prune",
    "",
    "Put away what has been deprecated for long.",
    _LEARNINGS,
    plan=_plan_prune,
)
LEARN_RECORD: Final = Writing(
    "learn.record",
    "Record",
    "",
    "Note where learnings were applied.",
    _LEARNINGS,
    plan=_plan_record,
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
    LEARN_DECAY,
    LEARN_MERGE,
    LEARN_UPGRADE,
    LEARN_PRUNE,
    LEARN_RECORD,
)
