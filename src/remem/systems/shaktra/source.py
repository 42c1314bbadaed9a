"""Where Shaktra keeps its files, and the source of a list of records (FORMATS 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.edit.yaml_index import Index
from remem.model.entry import Problem, Status
from remem.model.record import Record
from remem.model.source import COMPOSED, ON_REQUEST, Source, SourceKind
from remem.systems.shaktra.records import (
    ANTI_PATTERN,
    OBSERVATION,
    PRINCIPLE,
    PROCEDURE,
    SHAKTRA,
    Settings,
)

FOLDER: Final = Path(".shaktra")
MEMORY: Final = FOLDER / "memory"
STORIES: Final = FOLDER / "stories"
WORKFLOWS: Final = FOLDER / "observations"
SETTINGS_FILE: Final = FOLDER / "settings.yml"
OBSERVED: Final = ".observations.yml"
BRIEFED: Final = ".briefing.yml"
HANDED_OFF: Final = "handoff.yml"

PRINCIPLES: Final = "principles"
ANTI_PATTERNS: Final = "anti-patterns"
PROCEDURES: Final = "procedures"
OBSERVATIONS: Final = "observations"
SETTINGS: Final = "settings"
STORY: Final = "story"
BRIEFING: Final = "briefing"
HANDOFF: Final = "handoff"
LEGACY: Final = "legacy"
OTHER: Final = "document"
_ENDINGS: Final = (".yml", ".yaml")
_LEGACY_FILES: Final = ("decisions.yml", "lessons.yml", "lessons-archive.yml")


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of list file."""

    part: str
    key: str
    """What stands above the list."""
    kind: str
    prefix: str
    """Of the ids in it."""
    header: str
    """The comment that a new file begins with."""


STORES: Final = (
    Kept(PRINCIPLES, "principles", PRINCIPLE, "PR", "Principles: what to do, and why"),
    Kept(ANTI_PATTERNS, "anti_patterns", ANTI_PATTERN, "AP", "Anti-patterns: what fails, and how"),
    Kept(PROCEDURES, "procedures", PROCEDURE, "PC", "Procedures: how to run the work"),
)
BY_KIND: Final[Mapping[str, Kept]] = {kept.kind: kept for kept in STORES}
_NOTICED: Final = Kept(
    OBSERVATIONS, "observations", OBSERVATION, "OB", "Observations: what agents noticed"
)
BY_PART: Final[Mapping[str, Kept]] = {kept.part: kept for kept in (*STORES, _NOTICED)}


@dataclass(frozen=True, slots=True)
class Read:
    """One item of a list file: its values, its record, and what is wrong with it."""

    value: Mapping[str, Any]
    record: Record
    status: Status
    problems: tuple[Problem, ...]
    counts: bool = True
    """An observation that can be made sense of."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListSource(Source):
    """A file that holds a list of records: a store, or what was observed."""

    story: str = ""
    """Whose observations they are; empty = of a workflow, or a store."""
    index: Index = field(default=Index(""), repr=False)
    items: tuple[Read, ...] = field(default=(), repr=False)
    """In the order of the entries."""
    settings: Callable[[], Settings] = field(default=Settings, repr=False)
    """What `settings.yml` says at the moment of asking."""

    @property
    def kept(self) -> Kept:
        return BY_PART[self.part]


def discover(ground: Ground, settings: Callable[[], Settings]) -> Iterator[Source]:
    """Yield stores, settings and older stores, then each story with its files, then workflows."""
    if ground.disk.kind(ground.root / FOLDER) != "folder":
        return
    names = ground.disk.names(ground.root / MEMORY)
    for kept in STORES:
        if f"{kept.part}.yml" in names:
            path = ground.root / MEMORY / f"{kept.part}.yml"
            yield _list(ground, path, kept.part, kept.part, settings)
    if ground.disk.kind(ground.root / SETTINGS_FILE) == "file":
        yield _document(ground, ground.root / SETTINGS_FILE, SETTINGS, "settings.yml")
    for name in _LEGACY_FILES:
        if name in names:
            yield _document(ground, ground.root / MEMORY / name, LEGACY, name)
    yield from _stories(ground, settings)
    for path in ground.disk.walk(ground.root / WORKFLOWS, 1):
        if path.suffix in _ENDINGS:
            yield _list(ground, path, OBSERVATIONS, f"observations/{path.stem}", settings)


def _stories(ground: Ground, settings: Callable[[], Settings]) -> Iterator[Source]:
    folder = ground.root / STORIES
    for name in ground.disk.names(folder):
        path = folder / name
        kind = ground.disk.kind(path)
        if kind == "file" and path.suffix in _ENDINGS:
            yield _document(ground, path, STORY, path.stem)
        elif kind == "folder":
            yield from _of_story(ground, path, settings)


def _of_story(ground: Ground, folder: Path, settings: Callable[[], Settings]) -> Iterator[Source]:
    """Yield the files of one story; its scratch folders are left alone."""
    parts = {BRIEFED: BRIEFING, HANDED_OFF: HANDOFF}
    for path in ground.disk.walk(folder, 1):
        if path.name == OBSERVED:
            yield _list(
                ground, path, OBSERVATIONS, f"{folder.name}/observations", settings, folder.name
            )
        elif path.suffix in _ENDINGS and (path.name in parts or not path.name.startswith(".")):
            name = f"{folder.name}/{path.name.lstrip('.')}"
            yield _document(ground, path, parts.get(path.name, OTHER), name)


def _list(
    ground: Ground,
    path: Path,
    part: str,
    name: str,
    settings: Callable[[], Settings],
    story: str = "",
) -> ListSource:
    is_store = part != OBSERVATIONS
    return ListSource(
        name,
        SHAKTRA,
        "",
        ground.project,
        SourceKind.STORE if is_store else SourceKind.DOCUMENT,
        path,
        COMPOSED if is_store else ON_REQUEST,
        part=part,
        story=story,
        settings=settings,
    )


def _document(ground: Ground, path: Path, part: str, name: str) -> Source:
    return Source(
        name,
        SHAKTRA,
        "",
        ground.project,
        SourceKind.DOCUMENT,
        path,
        ON_REQUEST,
        part=part,
        writable=part != SETTINGS,
    )


def store_among(sources: Sequence[Source], part: str) -> ListSource | None:
    """Return the store of that part, if there is one."""
    return next((s for s in stores_among(sources) if s.part == part), None)


def stores_among(sources: Sequence[Source]) -> list[ListSource]:
    """Return the stores that were read, in the order of their sections."""
    order = [kept.part for kept in STORES]
    found = [s for s in sources if isinstance(s, ListSource) and s.part in order]
    return sorted(found, key=lambda source: order.index(source.part))


def story_folder(ground: Ground, story: str) -> Path:
    """Return where the files of a story lie."""
    return ground.root / STORIES / story
