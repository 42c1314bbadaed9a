"""The verbs that tell what happened to learning records."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.core.library import Library
from remem.core.verbs.verb import Planner, Verb
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
LEARN_ADD: Final = Verb("learn.add", "Add learning", "", "Write a new learning.", _LEARNINGS)
LEARN_CONFIRM: Final = Verb(
    "learn.confirm", "Confirm", "", "Say that a learning is right.", _LEARNINGS
)
LEARN_INVALIDATE: Final = Verb(
    "learn.invalidate", "Invalidate", "", "Say that a learning is wrong.", _LEARNINGS
)
LEARN_REINFORCE: Final = Verb(
    "learn.reinforce", "Reinforce", "", "Say what bears a learning out.", _LEARNINGS
)
LEARN_CONTRADICT: Final = Verb(
    "learn.contradict", "Contradict", "", "Say that two learnings are opposites.", _LEARNINGS
)
LEARN_ABSENCE: Final = Verb(
    "learn.absence", "Absence", "", "Say that the problem stayed away.", _LEARNINGS
)
LEARN_RECURRENCE: Final = Verb(
    "learn.recurrence", "Recurrence", "", "Say that the problem came back.", _LEARNINGS
)
LEARN_SUPERSEDE: Final = Verb(
    "learn.supersede", "Supersede", "", "Put another learning in its place.", _LEARNINGS
)
LEARN_DECAY: Final = Verb(
    "learn.decay", "Decay", "", "Take off confidence for idle time.", _LEARNINGS
)
LEARN_MERGE: Final = Verb("learn.merge", "Merge learnings", "", "Unite learnings.", _LEARNINGS)
LEARN_UPGRADE: Final = Verb(
    "learn.upgrade", "Upgrade", "", "Write older shapes as the schema wants them.", _LEARNINGS
)
LEARN_PRUNE: Final = Verb(
    "learn.prune", "Prune", "", "Put away what has been deprecated for long.", _LEARNINGS
)
LEARN_RECORD: Final = Verb(
    "learn.record", "Record", "", "Note where learnings were applied.", _LEARNINGS
)

PLANS: Final[Mapping[Verb, Planner]] = MappingProxyType(
    {
        LEARN_ADD: _plan_add,
        LEARN_CONFIRM: _plan_confirm,
        LEARN_INVALIDATE: _plan_invalidate,
        LEARN_REINFORCE: _plan_reinforce,
        LEARN_CONTRADICT: _plan_contradict,
        LEARN_ABSENCE: _plan_absence,
        LEARN_RECURRENCE: _plan_recurrence,
        LEARN_SUPERSEDE: _plan_supersede,
        LEARN_DECAY: _plan_decay,
        LEARN_MERGE: _plan_merge,
        LEARN_UPGRADE: _plan_upgrade,
        LEARN_PRUNE: _plan_prune,
        LEARN_RECORD: _plan_record,
    }
)
