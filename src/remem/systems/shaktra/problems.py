"""What is worth a look in Shaktra's memory: what is nearly archived, what is never taken up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from remem.base.text import count
from remem.core.checks.issue import Issue
from remem.core.library import Library
from remem.edit.yaml_read import line_of
from remem.model.entry import Entry, FileSpan, Problem, Status
from remem.systems.shaktra.brief.briefing import briefings_among
from remem.systems.shaktra.confidence import NEAR, contradicted
from remem.systems.shaktra.documents import settings_of
from remem.systems.shaktra.layer import held_in
from remem.systems.shaktra.mentions import OFTEN, briefed_ids, mentions
from remem.systems.shaktra.records import CHECK, SHAKTRA, Observation
from remem.systems.shaktra.shaktra_verbs import BRIEF, BriefStory
from remem.systems.shaktra.source import OBSERVATIONS, ListSource, stores_among

_ARCHIVE: Final = "archive"


def briefing_issues(library: Library) -> Iterator[Issue]:
    """Yield entries that are near the archive or briefed in vain, and briefings that are off."""
    if library.of_format(SHAKTRA):
        yield from _near_archive(library)
        yield from _in_vain(library)
        yield from _misnamed(library)


def _near_archive(library: Library) -> Iterator[Issue]:
    memory = settings_of(library.of_format(SHAKTRA)).memory
    for held in held_in(library.of_format(SHAKTRA)):
        now = held.record.confidence
        if held.entry.status is not Status.ACTIVE or now >= NEAR:
            continue
        name = library.short(held.entry.ref)
        problem = Problem(
            "near-archive",
            f"`{name}` is close to being archived: {contradicted(now, memory)}",
            f"it is archived below {memory.confidence_archive:g}; History shows how it fell",
            _path(held.entry),
        )
        yield Issue(problem, held.entry.ref, _ARCHIVE)


def _in_vain(library: Library) -> Iterator[Issue]:
    said = mentions(library)
    if not said.briefed:
        return
    for held in held_in(library.of_format(SHAKTRA)):
        name = held.entry.ref.id
        stories = said.in_vain(name) if held.entry.status is Status.ACTIVE else 0
        if stories >= OFTEN:
            many = count(stories, "story", "stories")
            problem = Problem(
                "never-applied",
                f"`{library.short(held.entry.ref)}` was briefed in {many}, "
                "but no observation mentions it",
                "`remem applied` searches code and logs; archive it if nobody needs it",
                _path(held.entry),
            )
            yield Issue(problem, held.entry.ref, _ARCHIVE)


def _misnamed(library: Library) -> Iterator[Issue]:
    """Yield briefings that name what no store has."""
    sources = library.of_format(SHAKTRA)
    known = {held.entry.ref.id for held in held_in(sources)}
    for source in briefings_among(sources):
        odd = [name for name in briefed_ids(source.data) if name not in known]
        if not odd:
            continue
        named = ", ".join(f"`{name}`" for name in odd)
        story = source.path.parent.name
        problem = Problem(
            "unknown-id",
            f"the briefing of {story} names {named}, which no store has",
            f"`remem brief {story}` rewrites it",
            source.path,
        )
        yield Issue(problem, None, BRIEF.id, BriefStory(story=story).to_json())


def _path(entry: Entry) -> Path | None:
    return entry.at.path if isinstance(entry.at, FileSpan) else None


def unknown_ids(library: Library) -> Iterator[Issue]:
    """Yield the checks of entries that are not there, each with its line."""
    sources = library.of_format(SHAKTRA)
    if not sources:
        return
    known = {name for store in stores_among(sources) for name in store.index.ids}
    for source in sources:
        if not isinstance(source, ListSource) or source.part != OBSERVATIONS:
            continue
        for entry, item in zip(source.entries, source.items, strict=True):
            record = item.record
            if not isinstance(record, Observation) or record.type != CHECK or not item.counts:
                continue
            if record.principle_id in known or not isinstance(entry.at, FileSpan):
                continue
            message = f"`{record.id}` names `{record.principle_id}`, which does not exist"
            line = line_of(source.data, entry.at.start)
            hint = "write the id of the entry that was checked"
            problem = Problem("unknown-id", message, hint, source.path, line, field="principle_id")
            yield Issue(problem, entry.ref)
