"""A story's briefing: what its file says, what it would say, and the bytes between (FORMATS 5.3).

Which entries matter is `brief_rank.py`'s; here they become a file that agents read, and a file
becomes what they get, each entry with why it is in. One that cannot be read is never written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from remem.base.errors import Already, NotPossible, Refused
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.core.system import Ground
from remem.edit import yaml_splice
from remem.edit.yaml_write import render
from remem.model.change import Change, Create, Effect, Intent, Splice
from remem.model.decode import read_record
from remem.model.record import (
    Fault,
)
from remem.model.source import Source
from remem.store.paths import contained, existing_name, new_name
from remem.systems.shaktra import briefing
from remem.systems.shaktra.brief_rank import TDD, Chosen, Ranking, rank, tier_of
from remem.systems.shaktra.brief_story import Story, read_story
from remem.systems.shaktra.documents import (
    need_story,
    settings_of,
    story_among,
    story_names,
    value_of,
)
from remem.systems.shaktra.layer import held_in
from remem.systems.shaktra.records import (
    SHAKTRA,
    WORKFLOWS,
    AntiPattern,
    BriefedAntiPattern,
    BriefedPrinciple,
    BriefedProcedure,
    Briefing,
    Principle,
    Procedure,
    plain,
)
from remem.systems.shaktra.source import BRIEFED, BRIEFING, stores_among, story_folder

if TYPE_CHECKING:
    from remem.systems.shaktra.shaktra_verbs import BriefStory

Briefed: TypeAlias = BriefedPrinciple | BriefedAntiPattern | BriefedProcedure
HEADER: Final = "What memory has for this story; `remem brief` rewrites it"
CONTEXT: Final = "story_context"
LISTS: Final = ("relevant_principles", "relevant_anti_patterns", "relevant_procedures")
"""In the order of the file and of the prompt."""


@dataclass(frozen=True, slots=True)
class BriefingFile:
    """A briefing as it lies on disk."""

    source: Source
    briefing: Briefing | None
    """`None` = it cannot be read."""
    faults: tuple[Fault, ...] = ()


def briefings_among(sources: Sequence[Source]) -> Iterator[Source]:
    """Yield every story's briefing."""
    return (source for source in sources if source.part == BRIEFING)


def briefing_among(sources: Sequence[Source], story: str) -> BriefingFile | None:
    """Return the briefing of a story; `None` where none was written."""
    for source in briefings_among(sources):
        if source.path.parent.name == story:
            return briefing_in(source)
    return None


def briefing_in(source: Source) -> BriefingFile:
    """Return what a briefing's file says."""
    if not source.is_writable or not value_of(source):
        return BriefingFile(source, None)
    briefing, faults = read_record(Briefing, value_of(source))
    return BriefingFile(source, briefing, faults)


def briefed_in(briefing: Briefing) -> Iterator[Briefed]:
    """Yield what a briefing names, in the order of the prompt."""
    yield from briefing.relevant_principles
    yield from briefing.relevant_anti_patterns
    yield from briefing.relevant_procedures


def story_of(sources: Sequence[Source], story: str) -> Story:
    """Return what a story's file says; of one that has none only its id is known."""
    source = story_among(sources, story)
    return read_story(story, value_of(source)) if source is not None else Story(story)


def fields_of(story: Story, ranking: Ranking) -> dict[str, Any]:
    """Return what the file of a briefing says, plain and in order."""
    lists: dict[str, list[dict[str, Any]]] = {name: [] for name in LISTS}
    for each in ranking.chosen:
        name, item = _item(each)
        lists[name].append(item)
    return {CONTEXT: {"id": story.id, "keywords": list(story.keywords)}, **lists}


def briefing_from(story: Story, ranking: Ranking) -> Briefing:
    """Return what agents would read once the briefing is written."""
    return read_record(Briefing, fields_of(story, ranking))[0]


def write(
    ground: Ground, sources: Sequence[Source], story: Story, ranking: Ranking
) -> tuple[Effect, ...]:
    """Plan to write a story's briefing; nothing where it says that already.

    What else a person keeps in the file stays: its comments, and keys of its own.

    Raises:
        Refused: The file that stands there cannot be read.
        UnsafeName: The story's folder would lie somewhere else.
    """
    wanted = fields_of(story, ranking)
    known = briefing_among(sources, story.id)
    if known is None:
        folder = story_folder(ground, existing_name(story.id))
        return (Create(contained(ground.root, folder / BRIEFED), render(wanted, HEADER)),)
    source = known.source
    if not source.is_writable:
        raise Refused(
            f"`{source.name}` cannot be parsed, so it is not overwritten",
            hint="fix or delete the file, then write the briefing again",
        )
    held = value_of(source)
    if not held:
        return _filled(source, render(wanted, "" if source.data.strip() else HEADER))
    changed = {name: value for name, value in wanted.items() if held.get(name) != value}
    return source.splices(yaml_splice.set_keys(source.data, changed)) if changed else ()


def _filled(source: Source, text: bytes) -> tuple[Splice, ...]:
    """Put a briefing at the end of a file that holds nothing but comments."""
    end = len(source.data)
    gap = b"" if not source.data or source.data.endswith(b"\n") else b"\n"
    return (Splice(source.path, end, end, b"", gap + text, source.digest),)


def _item(chosen: Chosen) -> tuple[str, dict[str, Any]]:
    """Return the list that an entry belongs to, and what stands there of it."""
    record, relevance = chosen.held.record, chosen.matched.relevance
    roles = list(record.roles)
    match record:
        case Principle():
            item: dict[str, Any] = {
                "id": record.id,
                "text": record.text,
                "confidence": record.confidence,
                **({"guidance": list(record.guidance)} if record.guidance else {}),
                "relevance": relevance,
                "roles": roles,
            }
            return LISTS[0], item
        case AntiPattern():
            return LISTS[1], {
                "id": record.id,
                "failed_approach": record.failed_approach,
                "recommended_approach": record.recommended_approach,
                "severity": record.severity,
                "relevance": relevance,
                "roles": roles,
            }
        case Procedure():
            return LISTS[2], {
                "id": record.id,
                "text": record.text,
                "confidence": record.confidence,
                "relevance": relevance,
                "roles": roles,
            }


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
