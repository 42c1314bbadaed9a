"""Asks which copy of a rule stays that agents are told more than once, then shows the plan.

It decides nothing: what keeping one writes is `core/verbs/keep_one.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remem.core.checks.problem import Worry
from remem.core.library import Library
from remem.core.session import Workbench
from remem.core.verbs.duplicates_verbs import KEEP_ONE
from remem.model.change import Intent
from remem.model.entry import Entry, Ref
from remem.tui.screens.choose import ChooseScreen
from remem.views.choice import Choice
from remem.views.paths import label

if TYPE_CHECKING:
    from remem.tui.screens.mending import MendingScreen


def choose_copy(screen: MendingScreen, worry: Worry) -> None:
    """Let a person choose the copy that stays; the suggested one is under the cursor."""
    bench = screen.workbench
    copies = [*_copies(bench.library, worry)]
    shown = {entry.ref: entry.digest for entry in copies}
    choices = [_choice(bench, entry, worry) for entry in copies]
    choices.sort(key=lambda choice: not choice.right)

    async def take(chosen: str | None) -> None:
        if not chosen:
            return
        screen.saw(shown)
        await screen.show_planned(Intent(KEEP_ONE.id, shown, {"keep": chosen}))

    screen.app.push_screen(ChooseScreen("Keep which copy", choices), take)


def _copies(library: Library, worry: Worry) -> Iterator[Entry]:
    named = worry.arguments.get("copies")
    for name in named if isinstance(named, list) else ():
        ref = Ref.parse(str(name))
        if library.has(ref):
            yield library.entry(ref)


def _choice(bench: Workbench, entry: Entry, worry: Worry) -> Choice:
    path = bench.library.source_of(entry).path
    is_best = worry.arguments.get("keep") == str(entry.ref)
    text = " ".join(entry.title.split())
    return Choice(str(entry.ref), label(bench, path), text, "suggested" if is_best else "")
