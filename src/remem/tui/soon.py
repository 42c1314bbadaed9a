"""What is imported after the first frame, in a thread: no key has to wait for it.

The first frame imports what it is drawn with and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Final

from remem.curation.verb import Later
from remem.curation.verbs import PLANS

_SHOWING: Final = (
    *("curation.blocked", "curation.conflict", "curation.reapply", "curation.start"),
    *("curation.workspace_plan", "curation.worries", "disk.commit", "disk.preview"),
    *("formats.learnings.format", "formats.own", "formats.shaktra.format"),
    *("formats.sniper.format", "formats.verified.format", "formats.workspace.format", "growing"),
    *("prompt.explain", "prompt.impact", "prompt.persona_start"),
    *("tui.editing", "tui.growth_chart", "tui.keeping", "tui.planning"),
    *("tui.screens.conflict", "tui.screens.find", "tui.screens.help", "tui.screens.plan"),
)
"""What tells why a key does nothing, and shows what it would do."""


def load_planners() -> None:
    """Import what a key on the first screen may need: rules, planners, and what shows a plan."""
    for name in _SHOWING:
        import_module(f"remem.{name}")
    for verb, planner in PLANS.items():
        if verb.key and isinstance(planner, Later):
            planner.load()


def load_screens(modes: Iterable[str]) -> None:
    """Import the other screens, so that none waits when it is gone to."""
    for mode in modes:
        screen_module(mode)


def screen_module(mode: str) -> ModuleType:
    """Return the module of one of the six screens, imported if it was not yet."""
    return import_module(f"remem.tui.screens.{mode}")
