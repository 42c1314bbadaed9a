"""The verbs that tell what happened to learning records."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from remem.curation.verb import Later, Planner, Verb

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
        LEARN_ADD: Later("learning", "plan_add"),
        LEARN_CONFIRM: Later("learning", "plan_confirm"),
        LEARN_INVALIDATE: Later("learning", "plan_invalidate"),
        LEARN_REINFORCE: Later("learning", "plan_reinforce"),
        LEARN_CONTRADICT: Later("learning", "plan_contradict"),
        LEARN_ABSENCE: Later("learning", "plan_absence"),
        LEARN_RECURRENCE: Later("learning", "plan_recurrence"),
        LEARN_SUPERSEDE: Later("learning", "plan_supersede"),
        LEARN_DECAY: Later("learning_upkeep", "plan_decay"),
        LEARN_MERGE: Later("learning_upkeep", "plan_merge"),
        LEARN_UPGRADE: Later("learning_upgrade", "plan_upgrade"),
        LEARN_PRUNE: Later("learning_upkeep", "plan_prune"),
        LEARN_RECORD: Later("learning_upkeep", "plan_record"),
    }
)
