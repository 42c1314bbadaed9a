"""Plans to write what a story is briefed with, and tells why (FORMATS 5.3).

Which entries matter is counted in `systems/shaktra`; composing shows the same and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.model.change import Change, Effect, Intent
from remem.store.paths import new_name
from remem.systems.shaktra.brief import briefing
from remem.systems.shaktra.brief.rank import TDD, Ranking, rank, tier_of
from remem.systems.shaktra.brief.story import Story
from remem.systems.shaktra.documents import need_story, settings_of, story_among, story_names
from remem.systems.shaktra.layer import held_in
from remem.systems.shaktra.records import SHAKTRA, WORKFLOWS, plain
from remem.systems.shaktra.source import stores_among

if TYPE_CHECKING:
    from remem.systems.shaktra.shaktra_verbs import BriefStory


@dataclass(frozen=True, slots=True)
class Brief:
    """What a story would be briefed with, and what writing that would change."""

    story: Story
    workflow: str
    ranking: Ranking
    tier: int
    """How the original would look through the entries in force: 1 all at once, 3 in chunks."""
    effects: tuple[Effect, ...]
    """Empty = the briefing says so already."""
    dropped: tuple[str, ...] = ()
    """Ids that the briefing names now and would no longer."""


def brief_of(library: Library, args: BriefStory) -> Brief:
    """Judge every entry for a story.

    Args:
        library: Where.
        args: Which story; what else is said takes the place of what its file says.

    Raises:
        NotPossible: There is no such story, or it says nothing; or no such workflow.
        Refused: The briefing that stands there cannot be read.
    """
    sources = library.of_format(SHAKTRA)
    if not stores_among(sources):
        raise NotPossible(
            "there is no Shaktra memory here", hint="its stores are in `.shaktra/memory`"
        )
    story = _story(library, args)
    workflow = plain(args.workflow or TDD)
    if workflow not in WORKFLOWS:
        names = ", ".join(f"`{each}`" for each in WORKFLOWS)
        raise NotPossible(f"unknown workflow `{workflow}`", hint=f"known: {names}")
    settings = settings_of(sources).memory
    ranking = rank(story, held_in(sources), settings, workflow)
    known = briefing.briefing_among(sources, story.id)
    before = known.briefing if known is not None else None
    after = {each.held.record.id for each in ranking.chosen}
    named = briefing.briefed_in(before) if before is not None else ()
    return Brief(
        story,
        workflow,
        ranking,
        tier_of(ranking.active, settings),
        briefing.write(library.ground, sources, story, ranking),
        tuple(each.id for each in named if each.id not in after),
    )


def plan_brief(library: Library, intent: Intent, args: BriefStory) -> Change:
    """Plan to write a story's briefing.

    Raises:
        NotPossible: It says so already; or as `brief_of`.
    """
    found = brief_of(library, args)
    if not found.effects:
        raise Already(f"the briefing of `{found.story.id}` is up to date", hint="nothing to write")
    many = count(len(found.ranking.chosen), "entry", "entries")
    title = f"Brief {found.story.id} with {many}"
    return Change(intent, title, found.effects, notes=tuple(_notes(found)))


def _story(library: Library, args: BriefStory) -> Story:
    sources = library.of_format(SHAKTRA)
    name = args.story.strip()
    is_told = bool(args.title or args.description or args.files)
    if not is_told or name in story_names(sources):
        need_story(sources, name)
    else:
        name = new_name(name)
    story = briefing.story_of(sources, name).told(args.title, args.description, args.files)
    if not story.is_empty:
        return story
    source = story_among(sources, name)
    wrong = [each for each in source.problems if each.blocks_writing] if source else []
    why = f"its file cannot be read, {wrong[0].message}" if wrong else "its file does not say"
    raise NotPossible(
        f"the topic of `{name}` is unknown: {why}",
        hint="give it a title in its file, or `--title`, `--description` or `--files`",
    )


def _notes(found: Brief) -> list[str]:
    notes = []
    if found.dropped:
        notes.append(f"no longer briefed: {', '.join(f'`{name}`' for name in found.dropped)}")
    if not found.ranking.chosen:
        notes.append("nothing in memory is relevant to it")
    notes += _suspect(found)
    return notes


def _suspect(found: Brief) -> Sequence[str]:
    """Say which entries would bring hidden characters or secrets into the briefing."""
    notes = []
    for each in found.ranking.chosen:
        record = each.held.record
        texts = (record.says, *getattr(record, "guidance", ()))
        met = dict.fromkeys(f.message for text in texts for f in examine(text) if f.is_kept_out)
        if met:
            notes.append(f"`{record.id}` holds {'; '.join(met)}")
    return notes
