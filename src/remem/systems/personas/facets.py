"""What memory files of personas, and plain ones, are, told without loading what changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.base.text import count
from remem.core.system import Facets, Moves
from remem.model.change import Change, Intent, Json
from remem.model.entry import LESSON, Entry, Ref
from remem.model.layout import Layout, Part
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.checks.issue import Issue
    from remem.core.library import Library
    from remem.core.verbs.verbs import Promote
    from remem.core.waiting.item import Evidence
    from remem.model.done_by_others import RecreatedFolder
    from remem.store.history.journal_records import Logged


def _to_add(source: Source, entry: Entry) -> Mapping[str, Json]:
    from remem.systems.personas.source import PersonaSource

    assert isinstance(source, PersonaSource)
    return {
        "text": entry.title,
        "persona": source.owner,
        "layout": source.layout,
        "project": source.project,
        "section": entry.context.rpartition(" › ")[2],
    }


def _goes_with(source: Source, entry: Entry) -> tuple[Ref, ...]:
    from remem.systems.personas.edits import passage_of, units_with
    from remem.systems.personas.memory_files.decision_parts import parts_of
    from remem.systems.personas.read import passages
    from remem.systems.personas.source import PersonaSource

    assert isinstance(source, PersonaSource)
    passage = passage_of(source, entry.ref)
    pairs = zip(source.entries, passages(source), strict=True)
    if passage.unit < 0:
        parts = parts_of(source, passage)
        return (entry.ref, *(each.ref for each, stands in pairs if stands in parts))
    units = units_with(source, passage)
    return tuple(each.ref for each, stands in pairs if stands.unit in units)


def _whose(kind: str, fields: Mapping[str, Json]) -> str:
    from remem.systems.personas.source import whose_lesson

    return whose_lesson(kind, fields)


def _append_units(data: bytes, pieces: Iterable[bytes], is_wanted: Callable[[str], bool]) -> bytes:
    from remem.systems.personas.edits import append_units

    return append_units(data, pieces, is_wanted)


def _merge(library: Library, intent: Intent, into: Entry) -> Change:
    from remem.systems.personas.lessons.merge_lessons import plan_merge_lessons

    return plan_merge_lessons(library, intent, into)


def _promote(library: Library, intent: Intent, args: Promote) -> Change:
    from remem.systems.personas.lessons.promote_lesson import plan_promotion

    return plan_promotion(library, intent, args)


def _is_away(library: Library, fields: Mapping[str, Json]) -> bool:
    from remem.systems.personas.lessons.waiting_lessons import rests

    return rests(library.sources, fields)


def _claims_new(kind: str, fields: Mapping[str, Json]) -> bool:
    return kind == LESSON and bool(fields.get("file"))


def _recreated(
    library: Library, standing: Sequence[Logged], moves: Moves
) -> tuple[RecreatedFolder, ...]:
    from remem.systems.personas.moving.recreated import recreated_folders

    return recreated_folders(library, standing, moves)


def _said_again(library: Library) -> Iterator[str]:
    from remem.systems.personas.compacting.over_budget import repeats
    from remem.systems.personas.lessons.shared_lessons import shared_lessons

    repeated, shared = sum(1 for _ in repeats(library)), len(shared_lessons(library))
    if repeated:
        does = "repeats itself" if repeated == 1 else "repeat themselves"
        told = f"{count(repeated, 'memory', 'memories')} {does} but for numbers"
        yield f"{told}; `remem check --memory` says which"
    if shared:
        are = "is" if shared == 1 else "are"
        told = f"{count(shared, 'lesson')} {are} in several personas' memories"
        yield f"{told}; `remem persona shared` lists them"


def _issues(library: Library) -> Iterator[Issue]:
    from remem.systems.personas.compacting.over_budget import (
        folders_apart,
        long_memories,
        old_decisions,
        over_budget,
        repeats,
        said_twice,
    )
    from remem.systems.personas.lessons.shared_lessons import shared_issues

    yield from long_memories(library)
    yield from over_budget(library)
    yield from said_twice(library)
    yield from repeats(library)
    yield from shared_issues(library)
    yield from old_decisions(library)
    yield from folders_apart(library)


def log_issues(library: Library) -> Iterator[Issue]:
    """Yield what entries of logs say of others and is not so; plain files have logs, too."""
    from remem.systems.personas.logs.links import issues

    return issues(library)


def _links(library: Library, entry: Entry) -> Iterable[tuple[str, str]]:
    from remem.systems.personas.logs.links import links_of

    return links_of(library, entry)


def _says_below(source: Source, entry: Entry) -> str:
    from remem.systems.personas.logs.links import said_below

    return said_below(source, entry)


def _evidence(library: Library) -> Mapping[Ref, Evidence]:
    if not any(source.part == Part.INBOX for source in library.sources):
        return {}
    from remem.systems.personas.memory_files.decided_already import merged_already

    return merged_already(library)


def _layouts() -> tuple[Layout, ...]:
    from remem.systems.personas.persona_layouts import BUILT_IN

    return BUILT_IN


OF_FILES: Final = Facets(
    called="plain files",
    names_by_text=True,
    options_of_add={
        LESSON: {"persona": "persona", "layout": "layout", "file": "file", "section": "section"}
    },
    promoted_as_copy=(LESSON,),
    restored_from_page=(LESSON,),
    merges=(LESSON,),
    merge=_merge,
    promote=_promote,
    claims_new=_claims_new,
    to_add=_to_add,
    goes_with=_goes_with,
    append_units=_append_units,
    links=_links,
    says_below=_says_below,
)
"""Of a plain file, which belongs to nobody."""
FACETS: Final = replace(
    OF_FILES,
    called="personas",
    claims_new=None,
    evidence=_evidence,
    whose=_whose,
    owned=frozenset({LESSON}),
    is_away=_is_away,
    recreated=_recreated,
    layouts=_layouts,
    problems=_issues,
    said_again=_said_again,
)
