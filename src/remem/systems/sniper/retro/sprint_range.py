"""Which stories and commits a sprint is made of, where a person names neither.

Everything is read from what the project itself says; nothing found is an empty answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.code import commit_facts
from remem.core.library import Library
from remem.edit.yaml_read import parse_document
from remem.model.source import Source
from remem.systems.sniper import config
from remem.systems.sniper.retro import retro_entries
from remem.systems.sniper.retro.retro_facts import Planned, read_story, sprint_of_story
from remem.systems.sniper.retro.retro_files import PART as RETRO
from remem.systems.sniper.retro.retro_record import Retro

_PAGES: Final = ("docs/stories", ".sniper/stories")
_ARTIFACTS: Final = ".sniper/artifacts"
"""Each protocol of the newer SNIPER has a folder there, with `stories/` in it."""
_MOST: Final = 1_000
"""Pages that are looked at."""
_FIRST_SPRINT: Final = 500
"""Commits that one retro may be about where nothing tells sprints apart."""
_FORTNIGHT: Final = timedelta(days=14)
"""What a retro is about in a longer history."""
_NAMED: Final = 3
"""Stories that are named where none of them was found."""


@dataclass(frozen=True, slots=True)
class FoundRange:
    """The commits of a sprint, and what says that these are they."""

    asked: str = ""
    """As `A..B`; empty = nothing says it."""
    why: str = ""
    missed: tuple[str, ...] = ()
    """Where nothing says it: what was looked at and did not tell."""


def story_pages(library: Library, folder: Path) -> tuple[Planned, ...]:
    """Return the stories that the pages of a folder tell of, by the names of their files."""
    found = (read_story(path, data) for path, data in _pages(library, folder))
    return tuple({each.story: each for each in found if each is not None}.values())


def stories_of_sprint(library: Library, sprint: int) -> tuple[Planned, ...]:
    """Return the stories whose own pages say that they are of that sprint."""
    found: dict[str, Planned] = {}
    for folder in page_folders(library):
        for path, data in _pages(library, folder):
            story = read_story(path, data) if sprint_of_story(data) == sprint else None
            if story is not None:
                found.setdefault(story.story, story)
    return tuple(found.values())


def stories_of_protocol(library: Library) -> tuple[Path | None, tuple[Planned, ...]]:
    """Return the stories of the newest protocol with their folder, where no page names a sprint.

    The newer SNIPER counts no sprints: a run of a protocol is what a retro is made of.
    """
    folders = page_folders(library)
    pages = (data for folder in folders for _, data in _pages(library, folder))
    if any(sprint_of_story(data) is not None for data in pages):
        return None, ()
    artifacts = library.ground.root / _ARTIFACTS
    for folder in folders:
        planned = story_pages(library, folder) if folder.is_relative_to(artifacts) else ()
        if planned and any(each.done for each in planned):
            return folder, planned
        if planned:
            # Where nobody marks a page as done, that it is pending says nothing.
            return folder, tuple(replace(each, done=None) for each in planned)
    return None, ()


def next_sprint(library: Library, *, again: bool = False) -> tuple[int, str]:
    """Return the sprint that has no retro yet, and why it is that one.

    It is the one after the last that has a retro, else the first; with `again` that last one.
    """
    held = [
        (number, s) for s in retro_entries.held(library) if (number := _sprint_in(s)) is not None
    ]
    if not held:
        return 1, "no sprint has a retro yet"
    number, source = max(held, key=lambda each: each[0])
    if again:
        return number, f"that of `{source.path.stem}`"
    return number + 1, f"the one after `{source.path.stem}`"


def _sprint_in(source: Source) -> int | None:
    _, retro = retro_entries.parsed(source)
    return None if retro is None else retro.sprint


def page_folders(library: Library) -> tuple[Path, ...]:
    """Return the folders in which a SNIPER project keeps its stories, the newest protocol first."""
    disk, root = library.ground.disk, library.ground.root
    artifacts = root / _ARTIFACTS
    protocols = disk.names(artifacts) if disk.kind(artifacts) == "folder" else ()
    folders = (*_PAGES, *(f"{_ARTIFACTS}/{name}/stories" for name in sorted(protocols)[::-1]))
    return tuple(root / each for each in folders if disk.kind(root / each) == "folder")


def range_of_sprint(library: Library, sprint: int, stories: Sequence[str]) -> FoundRange:
    """Return the commits of a sprint, by the first of what tells them.

    That is the commit of the retro before, the commits that name its stories, the dates that
    `.sniper/config.yaml` gives for it, or the date of the retro before.
    """
    root = library.ground.root
    before = _retro_before(library, sprint)
    log = commit_facts.length_of_head(root)
    if not log:
        return FoundRange(missed=(f"`{root}` has no commits in git",))
    missed = [f"sprint {sprint - 1} has no retro"] if sprint > 1 and before is None else []
    if before is not None:
        base = commit_facts.began(root, before[0].path)
        if base:
            name = before[0].path.name
            return FoundRange(f"{base}..HEAD", f"since `{name}` was committed")
        missed.append(f"`{before[0].path.name}` is not committed")
    if stories:
        asked = commit_facts.span_of(root, stories, before[1].date if before else "")
        if asked:
            return FoundRange(asked, "commits that name its stories, and those between them")
        missed.append(f"{count(log, 'commit')} read, none names {_listed(stories)}")
    since, until = _dates(library, sprint)
    if since:
        asked = commit_facts.between(root, since, until)
        if asked:
            return FoundRange(asked, f"since {since}, as `.sniper/config.yaml` dates the sprint")
        missed.append(
            f"`.sniper/config.yaml` dates the sprint from {since}, and no commit is that new"
        )
    else:
        missed.append(f"no phase `sprint-{sprint}` with a date in `.sniper/config.yaml`")
    if before is not None and before[1].date:
        asked = commit_facts.between(root, f"{before[1].date} 23:59:59")
        if asked:
            return FoundRange(asked, f"since {before[1].date}, the date of `{before[0].path.name}`")
        missed.append(
            f"no commit is newer than {before[1].date}, the date of `{before[0].path.name}`"
        )
    return FoundRange(missed=tuple(missed))


def range_of_first(library: Library, sprint: int) -> FoundRange:
    """Return the commits of the first retro: all of a young repository, else two weeks of them.

    None where another sprint has a retro.
    """
    root = library.ground.root
    log = commit_facts.length_of_head(root)
    if not log or any(_sprint_in(each) != sprint for each in retro_entries.held(library)):
        return FoundRange()
    if log <= _FIRST_SPRINT:
        return FoundRange("root..HEAD", "all: no other sprint has a retro")
    since = commit_facts.moment_of_head(root) - _FORTNIGHT
    asked = commit_facts.between(root, since.isoformat())
    return FoundRange(asked, "its last two weeks: no other sprint has a retro")


def _listed(stories: Sequence[str]) -> str:
    """Return the stories by name, of many the first and how many they are."""
    named = ", ".join(f"`{each}`" for each in stories[:_NAMED])
    return f"one of the {len(stories)} stories ({named}, …)" if len(stories) > _NAMED else named


def _pages(library: Library, folder: Path) -> Iterator[tuple[Path, bytes]]:
    disk = library.ground.disk
    for name in sorted(disk.names(folder))[:_MOST]:
        path = folder / name
        if path.suffix == ".md" and disk.kind(path) == "file":
            yield path, disk.read(path)


def _retro_before(library: Library, sprint: int) -> tuple[Source, Retro] | None:
    """Return the retro of the sprint before; an earlier one's would take in what lies between."""
    for source in library.of_format("sniper"):
        retro = retro_entries.parsed(source)[1] if source.part == RETRO else None
        if retro is not None and retro.sprint == sprint - 1:
            return source, retro
    return None


def _dates(library: Library, sprint: int) -> tuple[str, str]:
    """Return when a sprint began and when the next phase did, as SNIPER's state tells."""
    for source in library.of_format("sniper"):
        if source.part != config.PART:
            continue
        value: Any = parse_document(source.data).value
        state = value.get("state") if isinstance(value, Mapping) else None
        phases = state.get("phase_history") if isinstance(state, Mapping) else None
        told = [each for each in phases or () if isinstance(each, Mapping)]
        for number, each in enumerate(told):
            if str(each.get("phase")) == f"sprint-{sprint}" and each.get("started_at"):
                after = told[number + 1].get("started_at") if number + 1 < len(told) else None
                return str(each["started_at"]), str(after or "")
    return "", ""
