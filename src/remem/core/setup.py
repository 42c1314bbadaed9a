"""What a session finds out before it opens a root: its ground, the trees to watch.

Everything is read once through the one seam for files; nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from remem.base.clock import Clock
from remem.base.errors import RememError
from remem.core.root_extent import grounds_of, is_workspace, workspaces
from remem.core.settings import Config, Places, read_config
from remem.core.system import Given, Ground, Prove, Served, System, moved_name
from remem.model.entry import Problem
from remem.model.layout import Base, Layout, fixed_folder
from remem.model.loader import MOVED_OUT, PlainLayout
from remem.model.source import Source
from remem.store.cache import Cache, NoCache
from remem.store.io import Disk, real_path

if TYPE_CHECKING:
    from remem.model.citation import Citation, Verdict
    from remem.store.databases.row_sets import RowServer

L = TypeVar("L", Layout, PlainLayout)

_DEEP: Final = 5
"""Levels of folders that memory lies in, below those that are known by name."""


def layouts_of(config: Config, systems: Iterable[System]) -> tuple[Layout, ...]:
    """Return the built-in layouts of named agents, then those of the settings."""
    return (
        *(layout for each in systems for layout in each.facets.layouts()),
        *(each for each in config.layouts if isinstance(each, Layout)),
    )


def plain_of(config: Config, systems: Iterable[System]) -> tuple[PlainLayout, ...]:
    """Return the built-in layouts of plain files, then those of the settings."""
    return (
        *(layout for each in systems for layout in each.facets.plain_layouts()),
        *(each for each in config.layouts if isinstance(each, PlainLayout)),
    )


def moved_of(
    places: Places, systems: Iterable[System]
) -> tuple[Mapping[str, str | None], tuple[Problem, ...]]:
    """Return where tools keep what usually lies in the home folder, and what cannot be read."""
    moved: dict[str, str | None] = {}
    problems: list[Problem] = []
    for variable, usual in (pair for each in systems for pair in each.facets.moved_by.items()):
        told = places.environment.get(variable, "").strip()
        path = real_path(Path(told).expanduser()) if told else places.home / usual
        if path == real_path(places.home / usual):
            continue
        is_within = path.is_relative_to(places.home) and path != places.home
        name = path.relative_to(places.home).as_posix() if is_within else ""
        moved[usual] = None if set(name) & set("*?[]{}") else name or None
        if moved[usual] is None:
            message = f"`{variable}` moves `~/{usual}` to `{path}`, which remem does not read: "
            message += "it reads and writes in the project and in your home folder alone"
            hint = "move it to a folder inside your home folder"
            problems.append(Problem(MOVED_OUT, message, hint))
    return moved, tuple(problems)


def _as_moved(layouts: Iterable[L], moved: Mapping[str, str | None]) -> Iterator[L]:
    """Yield layouts as tools moved their folders of the home folder."""
    for each in layouts:
        found = _one_moved(each, moved) if moved and each.base is Base.HOME else each
        if found is not None:
            yield found


def _one_moved(layout: L, moved: Mapping[str, str | None]) -> L | None:
    def at(name: str) -> str:
        found = moved_name(name, moved)
        return name if found is None else found

    if isinstance(layout, PlainLayout):
        files = [moved_name(each, moved) for each in layout.files]
        there = tuple(each for each in files if each is not None)
        return replace(layout, files=there, archive=at(layout.archive)) if there else None
    if moved_name(layout.folder, moved) is None:
        return None
    return replace(
        layout,
        folder=at(layout.folder),
        shared=tuple(replace(each, pattern=at(each.pattern)) for each in layout.shared),
        profiles=tuple(replace(each, pattern=at(each.pattern)) for each in layout.profiles),
        database=at(layout.database),
        archive=at(layout.archive) if layout.archive is not None else None,
    )


def row_server(
    disk: Disk,
    clock: Clock,
    root: Path,
    places: Places,
    config: Config,
    systems: Iterable[System],
) -> RowServer | None:
    """Return the server that keeps rows; `None` = the root's own files do."""
    url = places.database or config.database.url
    if not url:
        return None
    served = Served(disk, clock, root, url, config.database.tenant)
    makers = (each.facets.server for each in systems)
    return next((make(served) for make in makers if make is not None), None)


def ground_of(
    disk: Disk,
    clock: Clock,
    root: Path,
    places: Places,
    config: Config,
    systems: Sequence[System],
    *,
    server: RowServer | None = None,
    problems: Sequence[Problem] = (),
    cache: Cache | None = None,
) -> Ground:
    """Return where a library looks and what it is told from outside.

    What no system's layout names, and no setting, is not found.
    """
    moved = moved_of(places, systems)[0]
    return Ground(
        root=root,
        home=places.home,
        disk=disk,
        project=root.name,
        layouts=tuple(_as_moved(layouts_of(config, systems), moved)),
        plain=tuple(_as_moved(plain_of(config, systems), moved)),
        moved=moved,
        roles=config.roles,
        given=Given(
            clock,
            proving(disk, root),
            server,
            _repositories(disk, clock, places, systems, cache or NoCache()),
            cache or NoCache(),
        ),
        compaction=config.compaction,
        tenant=config.database.tenant,
        night_watch_home=places.night_watch,
        held=places.held,
        settings=places.config / "config.yaml",
        unread=unread_of(problems),
    )


def unread_of(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return those of the problems of settings for which a whole file is not read."""
    return tuple(each for each in problems if each.blocks_writing)


def _repositories(
    disk: Disk, clock: Clock, places: Places, systems: Sequence[System], cache: Cache
) -> Callable[[Path], Ground]:
    """Return what gives the ground of a repository of a workspace, each worked out once."""
    known: dict[Path, Ground] = {}

    def repository(root: Path) -> Ground:
        if root not in known:
            config, problems = read_config(disk, root, places)
            given = (disk, clock, root, places, config, systems)
            known[root] = ground_of(*given, problems=problems, cache=cache)
        return known[root]

    return repository


def proving(disk: Disk, root: Path) -> Prove:
    """Return what checks citations against the code of this checkout; others are left unchecked."""
    named: set[str] = set()

    def prove(repository: str, citations: Sequence[Citation]) -> tuple[Verdict, ...]:
        # Checking is imported where there is something to check.
        from remem.code.choose_reader import names_of
        from remem.code.citations import unchecked, verify
        from remem.code.worktree import Worktree

        try:
            named.update(each.casefold() for each in names_of(disk, root))
            if repository.casefold() not in named:
                return unchecked(citations, f"it is about `{repository}`, which is not open here")
            return verify(citations, Worktree(disk, root))
        except RememError as error:
            return unchecked(citations, str(error))

    return prove


def trees_of(ground: Ground, systems: Sequence[System]) -> Sequence[Path]:
    """Return the folders below which all memory of a root lies, sorted."""
    bases = {Base.ROOT: ground.root, Base.HOME: ground.home}
    named = [name for each in systems for name in each.facets.places]
    trees = {ground.place(n) if n[:2] != "~/" else ground.usual(n[2:]) for n in named}
    for layout in ground.layouts:
        files = (*layout.shared, *layout.profiles)
        patterns = (layout.folder, *(file.pattern for file in files))
        trees |= {fixed_folder(bases[layout.base], pattern) for pattern in patterns}
    for each in workspaces(ground, systems):
        shared = (each.memory, each.contracts, each.config and each.config.parent)
        trees |= {folder for folder in shared if folder not in (None, each.root)}
    for inner in grounds_of(ground, systems) if is_workspace(ground, systems) else ():
        trees |= {*trees_of(inner, systems)}
    for system in systems:
        if system.facets.watched_folders is not None:
            trees |= {*system.facets.watched_folders(ground)}
    return sorted(trees)


def watched_trees(ground: Ground, systems: Sequence[System]) -> Sequence[Path]:
    """Return these folders, and where those lie that are links: there they change."""
    trees = trees_of(ground, systems)
    return sorted({*trees, *_ends_of_links(ground, trees)})


def _ends_of_links(ground: Ground, trees: Sequence[Path]) -> Iterator[Path]:
    """Yield where links lead: not out of the root and the home folder, nor above themselves.

    Through one of those half a disk would be watched.
    """
    inside = (real_path(ground.root), real_path(ground.home))
    for link in trees:
        if ground.disk.kind(link) != "link":
            continue
        end = real_path(link)
        is_above = real_path(link.parent).is_relative_to(end)
        if not is_above and any(end.is_relative_to(each) for each in inside):
            yield end


def shut_folders(ground: Ground, systems: Sequence[System]) -> tuple[Problem, ...]:
    """Return a problem for each folder of memory, or above some, that may not be read."""
    trees = trees_of(ground, systems)
    above = {folder for tree in trees for folder in tree.parents}
    above -= {*ground.root.parents, *ground.home.parents}
    shut = {path for folder in above for path in ground.disk.shut(folder, 1)}
    shut |= {path for tree in trees for path in ground.disk.shut(tree, _DEEP)}
    return tuple(
        Problem(
            "forbidden",
            f"`{path}` cannot be read (permission denied): no prompt has what is in it",
            "check who owns the folder, and its mode",
            path=path,
            blocks_writing=True,
        )
        for path in sorted(shut)
    )


def single_files(
    ground: Ground, sources: Sequence[Source], systems: Iterable[System]
) -> Iterator[Path]:
    """Yield files that are watched by themselves: they lie where all else is no memory."""
    for source in sources:
        yield from source.rests_on
    for each in systems:
        if each.facets.watched_files is not None:
            yield from each.facets.watched_files(ground, sources)


def memory_files(ground: Ground, sources: Sequence[Path]) -> Iterator[Path]:
    """Yield one path for each file system that memory lies on."""
    seen: set[int] = set()
    for path in sources:
        device = ground.disk.device(path)
        if device is not None and device not in seen:
            seen.add(device)
            yield path
