"""Which stories a prompt can be asked for, as choices and as what is asked then.

Pure: it knows the library's stories and nothing of widgets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from remem.core.library import Library
from remem.core.prompt.requests import EVERYONE
from remem.model.prompt import Ask
from remem.systems.shaktra.briefing import briefings_among, story_of
from remem.systems.shaktra.documents import story_names
from remem.systems.shaktra.records import SHAKTRA
from remem.views.choice import Choice

STORY: Final = "story "
"""What the id of such a choice begins with; what follows is the story, or nothing for none."""


def story_choices(library: Library, asked: str) -> list[Choice]:
    """Return every story, what it is about and whether it is briefed, and a way back to none."""
    sources = library.of_format(SHAKTRA)
    briefed = {source.path.parent.name for source in briefings_among(sources)}
    choices = [Choice(STORY, "no story", "story")] if asked else []
    for name in story_names(sources):
        title = " ".join(story_of(sources, name).title.split())
        note = f"story · {title}" if title else "story"
        choices.append(
            Choice(f"{STORY}{name}", name, note, "briefed" if name in briefed else "no briefing")
        )
    return choices


def asked_for(ask: Ask, chosen: str) -> Ask:
    """Return what is asked once a story is chosen: the role stays, files are composed."""
    story = chosen.removeprefix(STORY)
    if ask.agent:
        return Ask(persona=ask.agent, layout=ask.layout, story=story)
    return replace(ask, story=story)


def whose_prompt(ask: Ask, whose: str) -> str:
    """Return whose prompt it is, as its pane is headed."""
    place = f" in {ask.folder}/" if ask.folder else ""
    return " · ".join(filter(None, (f"{whose or EVERYONE}{place}", ask.story)))
