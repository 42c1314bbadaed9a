"""A story's briefing: what its file says, what it would say, and the bytes between (FORMATS 5.3).

Which entries matter is `rank.py`'s; here they become a file that agents read, and a file
becomes what they get. One that cannot be read is never written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.edit import yaml_splice
from remem.edit.yaml_write import render
from remem.model.change import Create, Effect, Splice
from remem.model.record import (
    Fault,
    read_record,
)
from remem.model.source import Source
from remem.store.paths import contained, existing_name
from remem.systems.shaktra.brief.rank import Chosen, Ranking
from remem.systems.shaktra.brief.story import Story, read_story
from remem.systems.shaktra.documents import story_among, value_of
from remem.systems.shaktra.records import (
    AntiPattern,
    BriefedAntiPattern,
    BriefedPrinciple,
    BriefedProcedure,
    Briefing,
    Principle,
    Procedure,
)
from remem.systems.shaktra.source import BRIEFED, BRIEFING, story_folder

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
