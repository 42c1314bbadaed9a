"""The verbs that write what agents read of Shaktra's memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


def _stories(library: Library) -> Iterator[tuple[str, str]]:
    from remem.systems.shaktra.documents import story_names
    from remem.systems.shaktra.records import SHAKTRA

    return ((name, "") for name in story_names(library.of_format(SHAKTRA)))


class BriefStory(Args):
    """Write what memory has for a story.

    STORY is the name of its file or folder below `.shaktra/stories`. Files are words here: what
    they are called is held against memory, and none of them is opened.
    """

    story: str = argument("STORY", offers=_stories)
    title: str = option("--title", "In the place of the story's own.", metavar="TEXT", default="")
    description: str = option(
        "--description", "In the place of the story's own.", metavar="TEXT", default=""
    )
    files: tuple[str, ...] = option(
        "--files", "In the place of the story's own; repeatable.", metavar="GLOB", default=()
    )
    workflow: str = option(
        "--workflow", "Whose procedures; default: `tdd`.", metavar="NAME", default=""
    )


def _plan_brief(library: Library, intent: Intent, args: BriefStory) -> Change:
    from remem.systems.shaktra.brief_plan import plan_brief

    return plan_brief(library, intent, args)


BRIEF: Final = Writing(
    id="brief",
    title="Write briefing",
    key="B",
    help="Write what memory has for the story.",
    group="Shaktra",
    args=BriefStory,
    plan=_plan_brief,
    command="brief",
)

VERBS: Final = (BRIEF,)
