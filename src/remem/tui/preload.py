"""What is imported after the first frame, in a thread: no key has to wait for it.

The first frame imports what it is drawn with and nothing else.
"""
# ruff: noqa: F401

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remem.tui.screens.base import RememScreen


def load_planners() -> None:
    """Import what a key on the first screen may need: rules, planners, and what shows a plan."""
    import remem.core.history.trend
    import remem.core.prompt.impact
    import remem.core.prompt.why
    import remem.core.relation.in_force
    import remem.core.still_as_shown
    import remem.core.verbs.add_edit_archive
    import remem.core.verbs.blocked
    import remem.core.verbs.settle
    import remem.core.verbs.supersede
    import remem.core.waiting.approve
    import remem.core.waiting.grouped_plans
    import remem.core.waiting.reverted
    import remem.core.waiting.settled_with
    import remem.store.changes.commit
    import remem.store.changes.preview
    import remem.systems.facts.format
    import remem.systems.learnings.format
    import remem.systems.learnings.waiting
    import remem.systems.loading.persona_start
    import remem.systems.own.proposals
    import remem.systems.own.proposals_waiting
    import remem.systems.own.violations_waiting
    import remem.systems.personas.format
    import remem.systems.personas.lessons.move_and_pin_lessons
    import remem.systems.personas.lessons.promote_lesson
    import remem.systems.personas.moving.persona_planner
    import remem.systems.personas.moving.recreated
    import remem.systems.personas.moving.rename_archive_restore
    import remem.systems.personas.moving.several_personas
    import remem.systems.personas.moving.several_places
    import remem.systems.personas.team.team_table
    import remem.systems.plain.format
    import remem.systems.shaktra.brief.brief_plan
    import remem.systems.shaktra.format
    import remem.systems.sniper.detect_plan
    import remem.systems.sniper.estimates
    import remem.systems.sniper.format
    import remem.systems.sniper.retro.retro_view
    import remem.systems.sniper.rules_without_checks
    import remem.systems.sniper.waiting
    import remem.systems.workspace.format

    _load_what_shows()
    _load_checks()


def _load_what_shows() -> None:
    """Import what shows a plan, and the dialogs that lead to one."""
    import remem.tui.editor
    import remem.tui.palette
    import remem.tui.screens.changed_meanwhile
    import remem.tui.screens.choose
    import remem.tui.screens.command
    import remem.tui.screens.find
    import remem.tui.screens.help
    import remem.tui.screens.plan
    import remem.tui.usable_verbs
    import remem.views.diff
    import remem.views.plan
    import remem.views.review.compare_retros
    import remem.views.review.fewer_wait
    import remem.views.review.review_summary
    import remem.views.review.unreviewed
    import remem.views.team
    import remem.views.trend


def _load_checks() -> None:
    """Import what looks for problems, which begins as soon as there is time for it."""
    import remem.core.checks.attention
    import remem.core.checks.issues
    import remem.core.prompt.start_sum
    import remem.systems.facts.problems
    import remem.systems.facts.retire
    import remem.systems.facts.stale
    import remem.systems.learnings.problems
    import remem.systems.learnings.upgrade
    import remem.systems.learnings.upgrade_plan
    import remem.systems.learnings.upkeep
    import remem.systems.loading.loading_agents
    import remem.systems.personas.compacting.over_budget
    import remem.systems.plain.tools.tool_data
    import remem.systems.plain.twins
    import remem.systems.shaktra.consolidation.outcome
    import remem.systems.shaktra.problems
    import remem.systems.workspace.override


def load_screens(modes: Iterable[str]) -> None:
    """Import the other screens, so that none waits when it is gone to."""
    for mode in modes:
        screen_module(mode)


def screen_module(mode: str) -> ModuleType:
    """Return the module of one of the six screens, imported if it was not yet."""
    return import_module(f"remem.tui.screens.{mode}")


def screen_class(mode: str) -> type[RememScreen]:
    """Return the class of the screen of a mode."""
    made: type[RememScreen] = getattr(screen_module(mode), f"{mode.title()}Screen")
    return made
