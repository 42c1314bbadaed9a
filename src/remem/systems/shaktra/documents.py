"""Shaktra's documents: settings, stories, hand-offs, briefings; read for what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from remem.base.errors import NotPossible
from remem.edit.yaml_read import Document, parse_document
from remem.model.entry import Problem
from remem.model.record import (
    Fault,
)
from remem.model.source import Source
from remem.systems.shaktra.faults import read_settings
from remem.systems.shaktra.records import Settings
from remem.systems.shaktra.source import HANDOFF, SETTINGS, STORIES, STORY


def settings_of(sources: Sequence[Source]) -> Settings:
    """Return the settings that stand among the sources; without any, the defaults."""
    for source in sources:
        if source.part == SETTINGS and source.format == "shaktra":
            return settings_in(source.data)
    return Settings()


def settings_in(data: bytes) -> Settings:
    """Return the settings that a file holds; what makes no sense gives way to its default."""
    return _settings(data)[0]


@lru_cache(maxsize=8)
def _settings(data: bytes) -> tuple[Settings, tuple[Fault, ...]]:
    value = _parsed(data).value
    return read_settings(value if isinstance(value, Mapping) else {})


@lru_cache(maxsize=256)
def _parsed(data: bytes) -> Document:
    return parse_document(data)


def unread_among(sources: Sequence[Source]) -> tuple[Problem, ...]:
    """Return why the settings among the sources are not read; () = they are, or there are none."""
    found = (source.problems for source in sources if source.part == SETTINGS)
    return tuple(each for problems in found for each in problems if each.blocks_writing)


def value_of(source: Source) -> Mapping[str, Any]:
    """Return what a document holds; nothing if it is no mapping."""
    value = _parsed(source.data).value
    return value if isinstance(value, Mapping) else {}


def story_among(sources: Sequence[Source], story: str) -> Source | None:
    """Return the file that tells what a story is about."""
    own = (s for s in sources if s.format == "shaktra" and s.part == STORY)
    return next((source for source in own if source.path.stem == story), None)


def handoff_among(sources: Sequence[Source], story: str) -> Source | None:
    """Return the file in which a story's agents tell each other how far they are."""
    own = (s for s in sources if s.format == "shaktra" and s.part == HANDOFF)
    return next((source for source in own if source.path.parent.name == story), None)


def story_names(sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the id of every story that a file or a folder is named after, sorted."""
    names: set[str] = set()
    for source in sources:
        if source.format != "shaktra":
            continue
        if source.part == STORY:
            names.add(source.path.stem)
        elif source.path.parent.parent.name == STORIES.name:
            names.add(source.path.parent.name)
    return tuple(sorted(names))


def need_story(sources: Sequence[Source], story: str) -> None:
    """Let only stories through that have a file or a folder.

    Raises:
        NotPossible: This one has none.
    """
    names = story_names(sources)
    if story in names:
        return
    folded = {name.casefold(): name for name in names}
    near = folded.get(story.strip().casefold())
    hint = f"did you mean `{near}`?" if near else "a story is a file below `.shaktra/stories`"
    if names and not near:
        hint = f"known: {', '.join(f'`{name}`' for name in names[:5])}"
    raise NotPossible(f"there is no story `{story}`", hint=hint)


def read_document(source: Source) -> Source:
    """Return a document with what is wrong with it."""
    document = _parsed(source.data)
    found = [replace(problem, path=source.path) for problem in document.problems]
    value = document.value
    if not found and value is not None and not isinstance(value, Mapping):
        message = f"`{source.path.name}` has no `key: value` lines"
        found.append(Problem("shape", message, "", source.path, 1, blocks_writing=True))
    found += _oddities(source, document)
    return replace(source, problems=(*source.problems, *found))


def _oddities(source: Source, document: Document) -> Iterator[Problem]:
    value = document.value if isinstance(document.value, Mapping) else {}
    if source.part == SETTINGS:
        for fault in _settings(source.data)[1]:
            line = _line(document, fault.path)
            hint = fault.hint or "the default is used"
            yield Problem(fault.code, fault.message, hint, source.path, line, field=fault.field)
    if source.part == HANDOFF:
        said, story = value.get("story_id"), source.path.parent.name
        if isinstance(said, str) and said != story:
            message = f"the hand-off of `{story}` says `story_id: {said}`"
            line = _line(document, ("story_id",))
            yield Problem("wrong-story", message, "fix one of them", source.path, line)


def _line(document: Document, path: tuple[int | str, ...]) -> int:
    return next(
        (document.lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in document.lines), 0
    )
