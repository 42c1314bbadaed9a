"""The verbs of Shaktra's cycle: observe, consolidate, migrate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Self

from remem.core.library import Library
from remem.core.verbs.args import Args, argument, option
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent, Json

_SHAKTRA: Final = "Shaktra"


class Observe(Args):
    """Record an observation in a story or workflow.

    STORY is a file or folder in `.shaktra/stories`; the observation is appended to the story's
    file and counted by `remem consolidate`. With `--workflow` it goes to today's file in
    `.shaktra/observations`.
    """

    story: str = argument("[STORY]", default="")
    workflow: str = option(
        "--workflow",
        "Workflow, for work without a story: one of tdd, review, analysis, bugfix, tpm, pm, "
        "general.",
        metavar="NAME",
        default="",
    )
    type: str = option(
        "--type",
        "One of discovery, quality-loop-finding, fix-rationale, deviation, observation, "
        "consistency-check, incident-learning, detection-gap.",
        metavar="TYPE",
    )
    text: str = option("--text", "The observation.", metavar="TEXT")
    agent: str = option(
        "--as", "Author; default: you.", hidden=("--agent",), metavar="NAME", default=""
    )
    phase: str = option(
        "--phase",
        "One of plan, plan-review, tests, code, code-gate, quality, review, diagnosis; default: "
        "that of the hand-off.",
        default="",
    )
    importance: int = option("--importance", "Importance from 1 to 10.", default=5)
    tags: tuple[str, ...] = option(
        "--tags", "Tags; repeatable or comma-separated.", metavar="TAG", default=()
    )
    principle: str = option(
        "--principle",
        "The entry that was checked.",
        metavar="ID",
        named="principle_id",
        default="",
    )
    relationship: str = option(
        "--relationship", "Result of the check: reinforce, weaken, contradict.", default=""
    )
    severity: str = option("--severity", "Severity of a finding: P0, P1, P2, P3.", default="")
    resolved: bool | None = option("--resolved/--unresolved", "Of a finding.", default=None)
    iterations: int | None = option("--iterations", "Review rounds of a finding.", default=None)

    @classmethod
    def from_json(cls, given: Mapping[str, Json]) -> Self:
        # The history of older versions has all that was noticed under one name.
        held = given.get("fields")
        if isinstance(held, Mapping):
            given = {**{name: each for name, each in given.items() if name != "fields"}, **held}
        return super().from_json(given)

    def fields(self) -> dict[str, Json]:
        """Return what an observation of it has, without what was not said."""
        told = self.to_json()
        tags = [tag.strip() for each in self.tags for tag in each.split(",") if tag.strip()]
        given: dict[str, Json] = {**told, "importance": self.importance, "tags": [*tags]}
        return {
            name: each
            for name, each in given.items()
            if name not in ("story", "workflow") and each not in (None, "", [])
        }


def _plan_observe(library: Library, intent: Intent, args: Observe) -> Change:
    from remem.systems.shaktra.observe import plan_observe

    return plan_observe(library, intent, args)


OBSERVE: Final = Writing(
    id="observe",
    title="Observe",
    group=_SHAKTRA,
    args=Observe,
    plan=_plan_observe,
    command="observe",
    acknowledges=True,
)


class Consolidate(Args):
    """Consolidate a story's observations into memory.

    STORY is a file or folder in `.shaktra/stories`. Each observation counts once, so running it
    again changes nothing.
    """

    story: str = argument("STORY")
    force: bool = option(
        "--force", "Also count observations added after consolidation.", default=False
    )
    incident: bool = option("--incident", "It fixes an incident, which counts more.", default=False)


def _plan_consolidate(library: Library, intent: Intent, args: Consolidate) -> Change:
    from remem.systems.shaktra.consolidation.plan_consolidation import plan_consolidate

    return plan_consolidate(library, intent, args)


CONSOLIDATE: Final = Writing(
    id="consolidate",
    title="Consolidate",
    group=_SHAKTRA,
    args=Consolidate,
    plan=_plan_consolidate,
    command="consolidate",
    acknowledges=True,
)


class MigrateShaktra(Args):
    """Convert Shaktra's older decisions and lessons to principles.

    The originals stay, each with a `.bak` copy. Nothing happens if principles already exist.
    """


def _plan_migrate(library: Library, intent: Intent, _: MigrateShaktra) -> Change:
    from remem.systems.shaktra.migrate import plan_migrate

    return plan_migrate(library, intent)


MIGRATE: Final = Writing(
    id="migrate.shaktra",
    title="Migrate Shaktra",
    help="Convert older files to principles.",
    group=_SHAKTRA,
    args=MigrateShaktra,
    plan=_plan_migrate,
    shows="judged",
    command="migrate shaktra",
    acknowledges=True,
)


def _stories(library: Library) -> Iterator[tuple[str, str]]:
    from remem.systems.shaktra.documents import story_names
    from remem.systems.shaktra.records import SHAKTRA

    return ((name, "") for name in story_names(library.of_format(SHAKTRA)))


class BriefStory(Args):
    """Write a story's briefing.

    STORY is a file or folder in `.shaktra/stories`. File names are compared as words; the files
    are not opened.
    """

    story: str = argument("STORY", offers=_stories)
    title: str = option("--title", "Overrides the story's own.", metavar="TEXT", default="")
    description: str = option(
        "--description", "Overrides the story's own.", metavar="TEXT", default=""
    )
    files: tuple[str, ...] = option(
        "--files", "Overrides the story's own; repeatable.", metavar="GLOB", default=()
    )
    workflow: str = option(
        "--workflow", "Whose procedures; default: `tdd`.", metavar="NAME", default=""
    )


def _plan_brief(library: Library, intent: Intent, args: BriefStory) -> Change:
    from remem.systems.shaktra.brief.brief_plan import plan_brief

    return plan_brief(library, intent, args)


BRIEF: Final = Writing(
    id="brief",
    title="Write briefing",
    key="B",
    help="Write a briefing for the story.",
    group="Shaktra",
    args=BriefStory,
    plan=_plan_brief,
    command="brief",
)

VERBS: Final = (
    OBSERVE,
    CONSOLIDATE,
    MIGRATE,
    BRIEF,
)
