"""Asks which copy of a rule stays that agents are told more than once, then shows the plan.

It decides nothing: what keeping one writes is `core/verbs/keep_one.py`'s.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from remem.core.checks.issue import Issue
from remem.core.relation.duplicates import Told, told_of
from remem.core.session import Session
from remem.core.verbs.verbs import KEEP_ONE, KeepOne
from remem.model.change import Intent
from remem.model.entry import Entry
from remem.tui.screens.choose import ChooseScreen
from remem.views.list_rows import Choice, label

if TYPE_CHECKING:
    from remem.tui.screens.fixing import FixingScreen


async def choose_copy(screen: FixingScreen, issue: Issue) -> None:
    """Let a person choose the copy that stays; the suggested one is under the cursor."""
    session = screen.session
    if issue.ref is None:
        return
    # It is known of the snapshot that Health shows; of a newer one it takes a moment.
    told = await asyncio.to_thread(told_of, session.library, issue.ref)
    if told is None:
        screen.say("no agent loads it twice any more")
        return
    shown = {entry.ref: entry.digest for entry in told.copies}
    choices = [_choice(session, entry, told) for entry in told.copies]
    choices.sort(key=lambda choice: not choice.right)

    async def take(chosen: str | None) -> None:
        if not chosen:
            return
        screen.saw(shown)
        await screen.show_planned(Intent(KEEP_ONE.id, shown, KeepOne(keep=chosen).to_json()))

    screen.app.push_screen(ChooseScreen("Which copy to keep", choices), take)


def _choice(session: Session, entry: Entry, told: Told) -> Choice:
    path = session.library.source_of(entry).path
    is_best = entry.ref == told.keep.ref
    text = " ".join(entry.title.split())
    return Choice(str(entry.ref), label(session, path), text, "suggested" if is_best else "")
