"""No dead keys: whatever the table declares does something somewhere."""

from __future__ import annotations

import pytest

from remem.core.verbs.verb import Verb
from remem.systems.personas.persona_verbs import (
    PERSONA_ARCHIVE,
    PERSONA_MERGE,
    PERSONA_MOVE,
    PERSONA_RESTORE,
)
from remem.systems.sniper.sniper_verbs import ESTIMATES_TAKE
from remem.tui.app import RememApp
from remem.tui.screens.browse import BrowseScreen
from remem.tui.screens.health import HealthScreen
from remem.tui.screens.history import HistoryScreen
from remem.tui.screens.prompt import PromptScreen
from remem.tui.screens.review import ReviewScreen
from remem.tui.screens.start import StartScreen
from remem.tui.verbs import action_of, every_verb
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.tui.widgets.tree_list import TreeList

WHERE = (
    *(StartScreen, BrowseScreen, ReviewScreen, PromptScreen, HistoryScreen, HealthScreen),
    *(RememApp, LineList, TreeList, TextView),
)
SAME_KEY = {
    *(ESTIMATES_TAKE, PERSONA_ARCHIVE, PERSONA_RESTORE),
    *(PERSONA_MERGE, PERSONA_MOVE),
}
"""What `a`, `x`, `X`, `m` and `M` do to what is no entry: it is the cursor that says."""


@pytest.mark.parametrize(
    "verb", [v for v in every_verb() if v.key and v not in SAME_KEY], ids=lambda verb: verb.id
)
def test_every_verb_with_a_key_is_bound_and_done_somewhere(verb: Verb) -> None:
    bound = [
        each
        for each in WHERE
        if any(
            binding.id == verb.id
            for bindings in each._merge_bindings().key_to_bindings.values()
            for binding in bindings
        )
    ]

    assert [each.__name__ for each in bound if hasattr(each, f"action_{action_of(verb)}")]


@pytest.mark.parametrize("screen", WHERE[:6], ids=lambda screen: screen.__name__)
def test_the_footer_names_only_what_the_screen_can_do(screen: type[StartScreen]) -> None:
    missing = [
        verb.id
        for verb in screen.VERBS
        if not any(hasattr(each, f"action_{action_of(verb)}") for each in (screen, *WHERE[6:]))
    ]

    assert missing == []
