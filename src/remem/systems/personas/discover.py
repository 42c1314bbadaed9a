"""Finds what layouts describe: folders of personas, their files, archives, what teams share.

What is wrong with it is told on the way: names that clash, look alike or stand in several places,
and memory that a Squad keeps on a branch, in notes of git or in another folder, where it is not
read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import UnsafeName
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.entry import Problem
from remem.model.layout import PERSONA, PROJECT, Base, Layout, LayoutFile, Part, Reader
from remem.model.roles import persona_key
from remem.model.source import COMPOSED, Loader, LoaderKind, SourceKind
from remem.store.io import Disk, Kind, Unreadable, real_path
from remem.store.paths import collision_key, contained, name_warning
from remem.systems.personas.claude_agents import (
    Definition,
    definition_of,
    memory_folder,
    scope_problems,
)
from remem.systems.personas.persona_layouts import SHARED_OWNER
from remem.systems.personas.profiles.profile import differences
from remem.systems.personas.source import FORMAT as FORMAT
from remem.systems.personas.source import PersonaSource

_STAMPED: Final = lazy_pattern(r"(?P<persona>.+)-(?:\d{8}T\d{6}Z|\d{13})(?:-\d+)?", re.DOTALL)
_NUMBERED: Final = lazy_pattern(r"(?P<persona>.+)-(?:[2-9]|[1-9]\d+)", re.DOTALL)
SHARED: Final = "shared-by-link"
"""Code of the problem that memory is read for one of several personas whom links give it."""
_DEPTH: Final = 8
"""Folders below one another that topic files are looked for in."""


def discover(ground: Ground) -> Iterator[PersonaSource]:
    """Yield every source of every layout, unread, each place once."""
    found = tuple(_each_place_once(ground, _found(ground)))
    defined = tuple(filter(None, map(definition_of, found)))
    found = tuple(_with_owners(found, defined))
    problems: dict[Path, list[Problem]] = {}
    for path, problem in (
        *scope_problems(found, defined),
        *differences(found),
        *name_problems(found),
        *kept_elsewhere(ground, found),
        *behind_links(ground, found),
    ):
        problems.setdefault(path, []).append(problem)
    for source in found:
        placed = (*source.placed, *problems.get(source.path, ()))
        yield replace(source, placed=placed, problems=placed) if placed else source


def definitions_below(ground: Ground, start: Path) -> Iterator[PersonaSource]:
    """Yield the definitions in the folders from one below the root up to it, the nearest first.

    They are read: they count for who is started there, and are in no library.
    """
    between = [each for each in (start, *start.parents) if ground.root in each.parents]
    for layout in ground.layouts if between else ():
        base = base_of(ground, layout)
        finder = _Finder(ground, layout, base, real_path(base))
        for file in layout.profiles if layout.base is Base.ROOT else ():
            if file.part is Part.DEFINITION:
                for source in finder.definitions(file, between):
                    with suppress(Unreadable):
                        yield replace(source, data=ground.disk.read(source.path))


def memory_below(ground: Ground, start: Path) -> Iterator[PersonaSource]:
    """Yield the memory of agents that lies in a folder below the root, where its tool looks for it.

    It is read: it counts for who is started there, and is in no library.
    """
    for layout in ground.layouts:
        if layout.base is Base.ROOT and Part.DEFINITION in layout.order:
            for source in _Finder(ground, layout, start, real_path(start)).personas():
                with suppress(Unreadable):
                    data = ground.disk.read(source.path)
                    yield replace(source, name=str(source.path), data=data, writable=False)


def base_of(ground: Ground, layout: Layout) -> Path:
    """Return the folder that a layout's patterns start from."""
    return ground.root if layout.base is Base.ROOT else ground.home


def archived_name(layout: Layout, folder: str, beside: Iterable[str] = ()) -> str:
    """Return whose memory an archived folder is.

    Args:
        layout: Says whether its archives carry a stamp or only a number on a clash.
        folder: The folder's name.
        beside: The names in the archive: `hill-2` is Hill's second one only beside `hill`.
    """
    stamped = _STAMPED.fullmatch(folder)
    if stamped is not None:
        return stamped["persona"]
    numbered = _NUMBERED.fullmatch(folder)
    has_stamp = layout.archive is not None and "{stamp}" in layout.archive
    if numbered is not None and not has_stamp and numbered["persona"] in set(beside):
        return numbered["persona"]
    return folder


def source_at(
    ground: Ground,
    layout: Layout,
    file: LayoutFile,
    path: Path,
    name: str,
    *,
    owner: str,
    folder: Path,
    ref_id: str,
) -> PersonaSource:
    """Return the source of a file that a layout describes, unread."""
    return PersonaSource(
        name=name,
        format=FORMAT,
        layout=layout.name,
        place=layout.name,
        kind=_kind_of(file),
        path=path,
        loader=file.loader.loader(),
        owner=owner,
        scope=layout.scope,
        part=file.part.value,
        writable=file.writable,
        rules=layout,
        file=file,
        folder=folder,
        ref_id=ref_id,
        disk=ground.disk,
        clock=ground.given.clock,
    )


def _found(ground: Ground) -> Iterator[PersonaSource]:
    real: dict[Path, Path] = {}
    inside: dict[Path, dict[str, Path | None]] = {}
    for layout in ground.layouts:
        base = base_of(ground, layout)
        if base not in real:
            real[base] = real_path(base)
        finder = _Finder(ground, layout, base, real[base], inside.setdefault(base, {}))
        yield from finder.personas()
        yield from finder.archives()
        yield from finder.shared()
        yield from finder.profiles()
        yield from finder.database()


def _with_owners(
    found: Sequence[PersonaSource], defined: Sequence[Definition]
) -> Iterator[PersonaSource]:
    """Yield the sources, memory in a folder that an agent's name only leads to with its agent."""
    names = {memory_folder(each.name): each.name for each in defined if not each.skipped}
    for source in found:
        is_memory = Part.DEFINITION in source.rules.order and source.part != Part.DEFINITION
        name = names.get(source.folder.name, "") if is_memory and not source.archived else ""
        yield replace(source, owner=name) if name and source.owner else source


def _each_place_once(ground: Ground, found: Iterable[PersonaSource]) -> Iterator[PersonaSource]:
    """Drop what an earlier layout reached already, by another way too."""
    seen: set[Path] = set()
    folders: dict[Path, Path] = {}

    def real_of(folder: Path) -> Path:
        if folder not in folders:
            folders[folder] = ground.disk.real(folder)
        return folders[folder]

    for source in found:
        real = real_of(source.path.parent) / source.path.name
        if real in seen:
            continue
        seen.add(real)
        base = base_of(ground, source.rules)
        is_below = source.path.is_relative_to(base)
        is_behind = is_below and real != real_of(base) / source.path.relative_to(base)
        # Whoever writes behind a link may do so where it leads, and that is what is watched.
        yield replace(source, rests_on=(real,)) if is_behind else source


class _Links:
    """The links to folders that one walk follows: each folder once, and none outside of bounds.

    So a link that leads above itself, or to where another one leads, ends no walk late.
    """

    def __init__(self, disk: Disk, inside: Path) -> None:
        """Say what is not left: a folder without a link in its path."""
        self._disk = disk
        self._inside = inside
        self._seen: set[Path] = set()

    def leads(self, link: Path) -> bool:
        """Tell whether a link to a folder is followed; of several to one the first is."""
        real = self.end(link, "folder")
        if real is None or real in self._seen or self._disk.real(link.parent).is_relative_to(real):
            return False
        self._seen.add(real)
        return True

    def end(self, link: Path, kind: Kind) -> Path | None:
        """Return what a link leads to; `None` = it lies outside, or is something else."""
        real = self._disk.real(link)
        return real if real.is_relative_to(self._inside) and self._disk.kind(real) == kind else None


@dataclass(frozen=True, slots=True)
class _Match:
    path: Path
    persona: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class _Finder:
    """Looks for the files of one layout."""

    ground: Ground
    layout: Layout
    base: Path
    real: Path
    """The base with its links resolved."""
    inside: dict[str, Path | None] = field(default_factory=dict)
    """Folders below the base of a root that were asked for, for all layouts that begin there."""

    @property
    def disk(self) -> Disk:
        return self.ground.disk

    def personas(self) -> Iterator[PersonaSource]:
        home = self._inside(self.layout.home_of_personas)
        if home is None:
            return
        archives = set(self._archive_folder().parents) | {self._archive_folder()}
        links = _Links(self.disk, self.real)
        for name in self.disk.names(home):
            folder = home / name
            is_other = name.startswith(".") or folder in archives
            if is_other or not _is_folder(self.disk, folder, links):
                continue
            owner = "" if self._is_coordinator(folder) else name
            yield from self._memory(folder, owner, name, archived=False)

    def _is_coordinator(self, folder: Path) -> bool:
        """Tell whether a folder holds what the coordinator notes, whom no tool starts from it."""
        if folder.name != self.layout.coordinator:
            return False
        profiles = (file.pattern.replace(PERSONA, folder.name) for file in self.layout.profiles)
        return not any(self.disk.kind(self.base / name) == "file" for name in profiles)

    def archives(self) -> Iterator[PersonaSource]:
        if self.layout.archive is None:
            return
        place = self._inside(self.layout.archive.rpartition("/")[0])
        if place is None:
            return
        names = self.disk.names(place)
        for name in names:
            folder = place / name
            if self.disk.kind(folder) != "folder":
                continue
            owner = archived_name(self.layout, name, names)
            yield from self._memory(folder, owner, name, archived=True)
            yield from self._archived_profiles(folder, owner)

    def shared(self) -> Iterator[PersonaSource]:
        team = f"{_team_folder(self.layout)}/"
        for file in self.layout.shared:
            for match in self._matches(file.pattern):
                name = match.path.relative_to(self.base).as_posix().removeprefix(team)
                owner = SHARED_OWNER if _is_memory_of_nobody(file) else ""
                ref_id = owner or (name.removesuffix(".md") if name == "decisions.md" else name)
                label = f"{owner}/{match.path.name}" if owner else name
                yield self._source(
                    file, match.path, label, owner=owner, folder=self.base, ref_id=ref_id
                )

    def profiles(self) -> Iterator[PersonaSource]:
        for file in self.layout.profiles:
            if file.part is Part.DEFINITION:
                yield from self.definitions(file)
                continue
            for match in self._matches(file.pattern):
                if match.persona.startswith(".") or match.path.parent in self._archive_parents():
                    continue
                name = f"{match.persona}/{match.path.name}"
                yield self._source(
                    file,
                    match.path,
                    name,
                    owner=match.persona,
                    folder=match.path.parent,
                    ref_id=name,
                )

    def definitions(self, file: LayoutFile, below: Sequence[Path] = ()) -> Iterator[PersonaSource]:
        """Yield the definitions below the folder of agents, and below those further up.

        Args:
            file: What is a definition.
            below: Look in these folders below the base instead.
        """
        above, _, last = file.pattern.rpartition("/")
        parts = (*above.split("/"), "**", last)
        for base in below or (self.base, *self._bases_above()):
            if base == self.base and self._inside(above.partition("/")[0]) is None:
                continue
            links = _Links(self.disk, self.real) if base == self.base else None
            for match in _walk(self.disk, base, parts, _DEPTH, links):
                if match.path.parent in self._archive_parents():
                    continue
                inner = match.path.relative_to(base / above).as_posix()
                name = f"agents/{inner}" if base == self.base else str(match.path)
                is_link = self.disk.kind(match.path) == "link"
                source = self._source(
                    file,
                    self.disk.real(match.path) if is_link else match.path,
                    name,
                    owner=match.persona,
                    folder=match.path.parent,
                    ref_id=name,
                )
                # A new name would have to be that of the link and of what it leads to.
                is_own = base == self.base and not is_link
                yield source if is_own else replace(source, writable=False)

    def _bases_above(self) -> Iterator[Path]:
        """Yield the folders between the root and the top of its checkout, the nearest first."""
        if self.layout.base is not Base.ROOT or self.disk.kind(self.base / ".git") is not None:
            return
        tops = [p for p in self.base.parents if self.disk.kind(p / ".git") is not None]
        for parent in self.base.parents if tops else ():
            yield parent
            if parent == tops[0]:
                return

    def database(self) -> Iterator[PersonaSource]:
        if not self.layout.database:
            return
        path = self.base / self.layout.database
        if self.ground.night_watch_home is not None and self.layout.base is Base.HOME:
            path = self.ground.night_watch_home / path.name
        if self.disk.kind(path) != "file":
            return
        file = LayoutFile(pattern=self.layout.database, part=Part.PROFILE, reader=Reader.DOCUMENT)
        source = self._source(file, path, path.name, owner="", folder=path.parent, ref_id=path.name)
        yield replace(source, loader=COMPOSED, writable=False)

    def _memory(
        self, folder: Path, owner: str, name: str, *, archived: bool
    ) -> Iterator[PersonaSource]:
        for file, match in self._memory_files(folder):
            inner = _below_project(match.path.relative_to(folder).as_posix(), match)
            is_main = file is self.layout.main
            parts = [name, match.project, "" if is_main else inner]
            shown = [name, match.project, "" if is_main and match.project else inner]
            source = self._source(
                file,
                match.path,
                "/".join(filter(None, shown)),
                owner=owner,
                folder=folder,
                ref_id="/".join(filter(None, parts)),
            )
            source = replace(source, project=match.project, archived=archived)
            yield source if owner else replace(source, loader=Loader(LoaderKind.NOT_KNOWN))

    def _memory_files(self, folder: Path) -> Iterator[tuple[LayoutFile, _Match]]:
        """Yield a persona's files, each by the first pattern that fits, then their archives."""
        archive = self.layout.unit_archive
        found: dict[Path, _Match] = {}
        for file in self.layout.memory:
            for match in _walk(self.disk, folder, tuple(file.pattern.split("/")), _DEPTH):
                is_archive = match.path.name == archive and file.part is not Part.ARCHIVE
                if match.path not in found and not is_archive:
                    found[match.path] = match
                    yield file, match
        for match in {match.path.parent: match for match in found.values()}.values():
            path = match.path.parent / archive
            if path not in found and self.disk.kind(path) == "file":
                found[path] = replace(match, path=path)
                yield self.layout.archive_file, found[path]

    def _archived_profiles(self, folder: Path, owner: str) -> Iterator[PersonaSource]:
        for file in self.layout.profiles:
            inner = file.pattern.removeprefix(f"{self.layout.folder}/")
            path = folder / inner
            if inner == file.pattern or self.disk.kind(path) != "file":
                continue
            name = f"{folder.name}/{inner}"
            source = self._source(file, path, name, owner=owner, folder=folder, ref_id=name)
            yield replace(source, archived=True)

    def _source(
        self, file: LayoutFile, path: Path, name: str, *, owner: str, folder: Path, ref_id: str
    ) -> PersonaSource:
        return source_at(
            self.ground, self.layout, file, path, name, owner=owner, folder=folder, ref_id=ref_id
        )

    def _matches(self, pattern: str) -> Iterator[_Match]:
        folder, _, _ = pattern.partition("/")
        if self._inside(folder) is not None:
            yield from _walk(self.disk, self.base, tuple(pattern.split("/")), _DEPTH)

    def _inside(self, place: str) -> Path | None:
        """Return a folder below the base; a link out of a root is not followed."""
        if self.layout.base is not Base.ROOT:
            return self._below(place)
        if place not in self.inside:
            path = self._below(place)
            try:
                contained(self.base, path, inside=self.real)
            except UnsafeName:
                self.inside[place] = None
            else:
                self.inside[place] = path
        return self.inside[place]

    def _below(self, place: str) -> Path:
        return self.base / place if place else self.base

    def _archive_folder(self) -> Path:
        return self.base / (self.layout.archive or ".archived/x").rpartition("/")[0]

    def _archive_parents(self) -> frozenset[Path]:
        return frozenset({self._archive_folder()})


def _is_memory_of_nobody(file: LayoutFile) -> bool:
    """Tell whether a file lies where an agent's would, above the agents' folders."""
    is_given = file.loader.kind is not LoaderKind.NOT_KNOWN
    return file.part is Part.TEAM and file.reader is not Reader.DECISIONS and not is_given


def _team_folder(layout: Layout) -> str:
    """Return the folder that what a team shares lies in: the first part of the personas' place."""
    return layout.folder.partition("/")[0]


def _kind_of(file: LayoutFile) -> SourceKind:
    if file.reader is Reader.DOCUMENT:
        return SourceKind.DOCUMENT
    return SourceKind.MEMORY


def _below_project(inner: str, match: _Match) -> str:
    """Return the file's path below the project's folder, where there is one."""
    if not match.project:
        return inner
    return inner.partition(f"{match.project}/")[2]


def _walk(
    disk: Disk, folder: Path, parts: tuple[str, ...], depth: int, links: _Links | None = None
) -> Iterator[_Match]:
    """Yield the files below `folder` that the parts of a pattern fit, in name order."""
    part, rest = parts[0], parts[1:]
    if part == "**":
        yield from _walk(disk, folder, rest, depth, links)
        for name in disk.names(folder) if depth > 1 else ():
            if not name.startswith(".") and _is_folder(disk, folder / name, links):
                yield from _walk(disk, folder / name, parts, depth - 1, links)
        return
    for name, persona, project in _fitting(disk, folder, part):
        path = folder / name
        if not rest and _is_file(disk, path, links):
            yield _Match(path, persona, project)
        elif rest and _is_folder(disk, path, links):
            for match in _walk(disk, path, rest, depth, links):
                yield _Match(match.path, match.persona or persona, match.project or project)


def _is_folder(disk: Disk, path: Path, links: _Links | None) -> bool:
    kind = disk.kind(path)
    return kind == "folder" or (kind == "link" and links is not None and links.leads(path))


def _is_file(disk: Disk, path: Path, links: _Links | None) -> bool:
    kind = disk.kind(path)
    is_followed = kind == "link" and links is not None and links.end(path, "file") is not None
    return kind == "file" or is_followed


def _fitting(disk: Disk, folder: Path, part: str) -> Iterator[tuple[str, str, str]]:
    if not any(sign in part for sign in "*?{"):
        yield part, "", ""
        return
    pattern = _part_pattern(part)
    for name in disk.names(folder):
        match = pattern.fullmatch(name)
        if match is not None and not name.startswith("."):
            groups = match.groupdict()
            yield name, groups.get("persona", ""), groups.get("project", "")


@lru_cache(maxsize=256)
def _part_pattern(part: str) -> re.Pattern[str]:
    text = re.escape(part)
    text = text.replace(re.escape(PERSONA), "(?P<persona>.+)")
    text = text.replace(re.escape(PROJECT), "(?P<project>.+)")
    return re.compile(text.replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def name_problems(found: Sequence[PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    """Yield clashes of names in one place and names that stand in several places."""
    first: dict[tuple[str, str], PersonaSource] = {}
    for source in found:
        if source.owner and not source.archived and source.kind is SourceKind.MEMORY:
            first.setdefault((source.layout, source.owner), source)
    yield from _clashes(first)
    yield from _several_places(first)


def _clashes(first: dict[tuple[str, str], PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    names: dict[str, list[str]] = {}
    for layout, name in first:
        names.setdefault(layout, []).append(name)
    for (layout, name), source in first.items():
        others = [other for other in names[layout] if other != name]
        for other in others:
            if collision_key(other) == collision_key(name):
                yield (
                    source.path,
                    Problem(
                        "name-clash",
                        f"`{name}` and `{other}` differ only in case",
                        "rename one of them, or merge them",
                        path=source.path,
                    ),
                )
        if warning := name_warning(name, others):
            yield (
                source.path,
                Problem("look-alike", warning, "rename it in plain letters", path=source.path),
            )


def _several_places(first: dict[tuple[str, str], PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    places: dict[str, dict[str, PersonaSource]] = {}
    for (layout, name), source in first.items():
        if name != SHARED_OWNER:
            places.setdefault(persona_key(name), {}).setdefault(layout, source)
    for by_layout in places.values():
        if len(by_layout) < 2:
            continue
        kept = next(iter(by_layout))
        names = ", ".join(f"`{name}`" for name in by_layout)
        for source in [*by_layout.values()][1:]:
            yield (
                source.path,
                Problem(
                    "several-places",
                    f"`{source.owner}` has memory in {len(by_layout)} places: {names}",
                    "each tool reads its own copy; `remem persona diff "
                    f"{source.owner}` compares them, `remem persona merge {source.owner} "
                    f"--from {source.layout} --to {kept}` joins them",
                    path=source.path,
                ),
            )


_ON_A_BRANCH: Final = frozenset({"orphan", "two-layer", "git-notes"})
"""Values of `stateBackend` with which nothing is written below the team's folder."""
_OUTSIDE: Final = "external"


def kept_elsewhere(
    ground: Ground, found: Sequence[PersonaSource]
) -> Iterator[tuple[Path, Problem]]:
    """Yield for each Squad whose settings keep its memory elsewhere what is not read, and why."""
    teams: dict[str, PersonaSource] = {}
    for source in found:
        if Part.CHARTER in source.rules.order and not source.archived:
            teams.setdefault(source.layout, source)
    for source in teams.values():
        name = source.rules.folder.partition("/")[0]
        folder = next(each for each in source.path.parents if each.name == name)
        where = _where(ground, folder / "config.json")
        if where:
            yield (
                source.path,
                Problem(
                    "kept-elsewhere",
                    f"the team's settings keep its memory {where}, which remem does not read",
                    "what stands here may be older than what its agents are given",
                    path=folder / "config.json",
                ),
            )


def behind_links(ground: Ground, found: Sequence[PersonaSource]) -> Iterator[tuple[Path, Problem]]:
    """Yield for each persona whose memory is a link that it is not read, where it has a file.

    Read is what lies behind a link to a folder that stays inside, with the first who has it.
    """
    read = {source.folder for source in found}
    for layout in ground.layouts:
        home = base_of(ground, layout) / layout.home_of_personas
        for name in ground.disk.names(home):
            link = None if name.startswith(".") else link_to_memory(ground, layout, home / name)
            if link is None or (link == home / name and link in read):
                continue
            known = (each for each in found if each.layout == layout.name and not each.archived)
            own = next(
                (each for each in known if persona_key(each.owner) == persona_key(name)), None
            )
            if own is not None:
                yield own.path, _behind(ground, base_of(ground, layout), name, link)


def _behind(ground: Ground, base: Path, name: str, link: Path) -> Problem:
    is_shown = _Links(ground.disk, real_path(base)).end(link, "folder") is not None
    if is_shown:
        told = f"the memory of `{name}` is a link to what is shown with another persona alone"
        return Problem(SHARED, told, "a copy of its own would be shown with it", path=link)
    told = f"the memory of `{name}` is a link, which remem does not follow"
    hint = "what stands behind it is not shown; a new name renames the link"
    return Problem("behind-link", told, hint, path=link)


def link_to_memory(ground: Ground, layout: Layout, folder: Path) -> Path | None:
    """Return the folder of a persona, or its main file, where that is a link."""
    if ground.disk.kind(folder) == "link":
        return folder
    main = folder / layout.main.pattern if layout.main is not None else folder
    return main if ground.disk.kind(main) == "link" else None


def agents_behind_links(ground: Ground, tool: str, start: Path) -> Iterator[Path]:
    """Yield links among the definitions of agents that remem does not follow, as a tool does.

    Followed are those of the root and of the home folder that stay inside.

    Args:
        ground: Where the root and the home folder are.
        tool: Its title.
        start: The folder that it is started in; those between it and the root count too.
    """
    between = [each for each in (start, *start.parents) if each.is_relative_to(ground.root)]
    places = {
        (layout.base is Base.HOME, base, file.pattern.rpartition("/")[0])
        for layout in ground.layouts
        if layout.tool == tool
        for file in layout.profiles
        if file.part is Part.DEFINITION
        for base in (between if layout.base is Base.ROOT else (ground.home,))
    }
    for _, base, place in sorted(places):
        is_looked_into = base in (ground.root, ground.home)
        links = _Links(ground.disk, real_path(base)) if is_looked_into else None
        yield from _not_followed(ground.disk, base, tuple(place.split("/")), _DEPTH, links)


def _not_followed(
    disk: Disk, folder: Path, parts: tuple[str, ...], depth: int, links: _Links | None
) -> Iterator[Path]:
    for name in parts[:1] or disk.names(folder):
        path = folder / name
        kind = disk.kind(path)
        at = disk.kind(disk.real(path)) if kind == "link" else None
        if kind == "folder" or (at == "folder" and links is not None and links.leads(path)):
            if depth:
                yield from _not_followed(disk, path, parts[1:], depth - 1, links)
        elif links is not None and at is not None and links.end(path, at) is not None:
            continue  # it is followed, or leads to where another one does
        elif at == "folder" or (at == "file" and not parts and path.suffix == ".md"):
            yield path


def _where(ground: Ground, path: Path) -> str:
    if ground.disk.kind(path) != "file":
        return ""
    try:
        settings = json.loads(ground.disk.read(path).decode("utf-8-sig"))
    except (Unreadable, ValueError, RecursionError):
        return ""
    if not isinstance(settings, dict):
        return ""
    backend, team = settings.get("stateBackend"), settings.get("teamRoot")
    if backend in _ON_A_BRANCH:
        return f"on a branch of git (`stateBackend: {backend}`)"
    if _OUTSIDE in (backend, settings.get("stateLocation")):
        return "outside of the repository"
    return f"in `{team}` (`teamRoot`)" if isinstance(team, str) and team else ""
