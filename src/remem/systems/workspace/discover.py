"""Finds the workspaces of a root: by what its settings name, and by walking up (FORMATS 1.13).

It looks for files and folders and reads the two that describe a workspace. Walking up ends at the
home folder, which is none; a folder of another user is passed over unless somebody named it. Its
repositories are those that it lists and those in `repositories/`, each once however many ways lead
to it; what is listed and is not there is kept with the reason, so that it can be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.edit.yaml_read import parse_document
from remem.model.entry import Problem
from remem.model.record import Record, read_record
from remem.model.workspace import Repository, Shape, Workspace, named_apart
from remem.store.io import Disk, Unreadable, real_path
from remem.systems.sniper.records import WorkspaceSettings
from remem.systems.workspace.records import FolderFile, ListedRepository, ProjectsFile

FOLDER_FILE: Final = "workspace.yaml"
PROJECTS_FILE: Final = Path(".sniper-workspace/config.yaml")
MEMORY: Final = "memory"
REPOSITORIES: Final = "repositories"
SETTINGS: Final = (Path(".sniper/config.yaml"), Path(".sniper/config.yml"))


def shapes_at(disk: Disk, folder: Path) -> tuple[Shape, ...]:
    """Return which kinds of workspace a folder is; () = none."""
    found: list[Shape] = []
    if disk.kind(folder / FOLDER_FILE) == "file" or all(
        disk.kind(folder / name) == "folder" for name in (MEMORY, REPOSITORIES)
    ):
        found.append(Shape.FOLDER)
    if disk.kind(folder / PROJECTS_FILE) == "file":
        found.append(Shape.PROJECTS)
    return tuple(found)


def workspaces(ground: Ground) -> tuple[Workspace, ...]:
    """Return the workspaces that a root is, or belongs to, as its files say now."""
    if ground.inside is not None:
        return _at(ground, [ground.inside.workspace])
    if is_workspace(ground):
        return _at(ground, [ground.root])
    named = [folder for folder, _ in _named(ground) if shapes_at(ground.disk, folder)]
    above = _above(ground)
    missing = {shape for folder in named for shape in shapes_at(ground.disk, folder)}
    if above is not None and not missing >= set(shapes_at(ground.disk, above)):
        named.append(above)
    return _at(ground, named)


def is_concerned(ground: Ground) -> bool:
    """Tell whether a workspace may be found, or be missed, from here; none is read for it."""
    if ground.inside is not None or is_workspace(ground):
        return True
    return _above(ground) is not None or next(iter(_named(ground)), None) is not None


def is_workspace(ground: Ground) -> bool:
    """Tell whether the root itself is a workspace, and all of its repositories are open."""
    return ground.inside is None and bool(shapes_at(ground.disk, ground.root))


def sets_bounds(path: Path) -> bool:
    """Tell whether a file may say which workspace or which repositories there are."""
    return path.name in (FOLDER_FILE, *(each.name for each in (PROJECTS_FILE, *SETTINGS)))


def unfound(ground: Ground) -> Iterator[Problem]:
    """Yield what is wrong with what the root's settings say of a workspace."""
    if ground.inside is not None or is_workspace(ground):
        return
    for folder, key in _named(ground):
        if shapes_at(ground.disk, folder):
            continue
        path, _ = _settings(ground)
        yield Problem(
            "no-workspace",
            f"`workspace.{key}` names `{folder}`, which is not a workspace",
            f"name the folder with `{FOLDER_FILE}` or `.sniper-workspace/`",
            path,
            field=f"workspace.{key}",
        )


def inherits(ground: Ground, found: Iterable[Workspace]) -> bool:
    """Tell whether what workspaces share reaches the agents of the repository that is looked at."""
    every = (each for one in found for each in one.repositories)
    return not any(each.is_apart and each.path == ground.root for each in every)


def settings_path(ground: Ground) -> Path | None:
    """Return the file in which a repository may name its workspace."""
    return _settings(ground)[0]


def _settings(ground: Ground) -> tuple[Path | None, WorkspaceSettings]:
    for name in SETTINGS:
        path = ground.root / name
        if ground.disk.kind(path) == "file":
            from remem.systems.sniper.config import settings_in

            try:
                return path, settings_in(ground.disk.read(path)).workspace
            except Unreadable:
                return path, WorkspaceSettings()
    return None, WorkspaceSettings()


def _named(ground: Ground) -> Iterator[tuple[Path, str]]:
    """Yield the folders that the settings name, with the key that does."""
    _, settings = _settings(ground)
    if settings.enabled and settings.workspace_path:
        yield real_path(ground.root / settings.workspace_path), "workspace_path"
    if settings.ref:
        folder = real_path(ground.root / settings.ref)
        if folder.name == PROJECTS_FILE.name:
            folder = folder.parent
        yield folder.parent if folder.name == PROJECTS_FILE.parent.name else folder, "ref"


def _above(ground: Ground) -> Path | None:
    """Return the nearest folder above the root that is a workspace and is ours to read."""
    for folder in ground.root.parents:
        if folder in (ground.home, folder.parent):
            return None
        shapes = shapes_at(ground.disk, folder)
        if shapes and not ground.disk.is_anothers(folder):
            return folder
    return None


def _at(ground: Ground, folders: list[Path]) -> tuple[Workspace, ...]:
    found: list[Workspace] = []
    for folder in dict.fromkeys(folders):
        for shape in shapes_at(ground.disk, folder):
            made = _folder(ground, folder) if shape is Shape.FOLDER else _projects(ground, folder)
            found.append(made)
    return tuple(_told_apart(found))


def _told_apart(found: list[Workspace]) -> Iterator[Workspace]:
    """Give each a place of its own, and say so where both shapes were found."""
    taken: set[str] = set()
    both = len({each.shape for each in found}) > 1
    for each in found:
        place = each.place if each.place not in taken else f"{each.place}/{each.shape}"
        taken.add(place)
        twice = (_two_shapes(found, each),) if both and each is not found[0] else ()
        yield replace(each, place=place, problems=(*each.problems, *twice))


def _two_shapes(found: list[Workspace], one: Workspace) -> Problem:
    files = " and ".join(f"`{each.config or each.root}`" for each in found)
    return Problem(
        "two-workspaces",
        f"{files} both describe a workspace; both are read",
        "keep one of them",
        one.config or one.root,
    )


def _folder(ground: Ground, folder: Path) -> Workspace:
    path = folder / FOLDER_FILE
    config = path if ground.disk.kind(path) == "file" else None
    file, problems = _read(ground, path, FolderFile) if config else (FolderFile(), ())

    listed = [(each, folders_below(folder, each.path)) for each in file.repositories]
    repositories, wrong = members(ground, folder, listed, also=folder / REPOSITORIES, file=config)
    return Workspace(
        name=file.name or folder.name,
        root=folder,
        shape=Shape.FOLDER,
        place=file.name or folder.name,
        config=config,
        memory=folder / MEMORY,
        contracts=folder / "contracts",
        repositories=repositories,
        hands_down_conventions=file.config.memory.workspace_conventions,
        problems=(*problems, *wrong),
    )


def _projects(ground: Ground, folder: Path) -> Workspace:
    config = folder / PROJECTS_FILE
    file, problems = _read(ground, config, ProjectsFile)

    listed = [(each, folders_below(folder, each.path)) for each in projects(file)]
    repositories, wrong = members(ground, folder, listed, also=None, file=config)
    memory, outside = _directory(folder, file.memory.directory, config)
    return Workspace(
        name=file.name or folder.name,
        root=folder,
        shape=Shape.PROJECTS,
        place=file.name or folder.name,
        config=config,
        memory=memory,
        repositories=repositories,
        problems=(*problems, *wrong, *outside),
    )


def _directory(folder: Path, named: str, config: Path) -> tuple[Path | None, tuple[Problem, ...]]:
    """Return where the newer shape keeps files of memory; it has to lie inside the workspace."""
    if not named.strip():
        return None, ()
    path = real_path(folder / named)
    if path.is_relative_to(folder) and path != folder:
        return path, ()
    message = f"`memory.directory` names `{named}`, which is outside the workspace"
    hint = "name a folder inside it, `.sniper-workspace/memory`"
    return None, (Problem("outside", message, hint, config, field="memory.directory"),)


def _read(
    ground: Ground, path: Path, model: type[FolderFile] | type[ProjectsFile]
) -> tuple[Any, tuple[Problem, ...]]:
    """Return what describes a workspace and what is wrong with it; nothing of it raises."""
    from remem.systems.sniper.retro.retro_entries import line_of

    try:
        document = parse_document(ground.disk.read(path))
    except Unreadable as error:
        return model(), (Problem(error.why, str(error), error.hint, path),)
    problems = [replace(problem, path=path, blocks_writing=False) for problem in document.problems]
    value = document.value
    if value is not None and not isinstance(value, Mapping) and not problems:
        problems.append(Problem("shape", f"`{path.name}` has no `key: value` lines", "", path, 1))
    record, faults = _record(model, value if isinstance(value, Mapping) else {})
    for fault in faults:
        line = line_of(document.lines, fault.path)
        problems.append(Problem(fault.code, fault.message, fault.hint, path, line))
    return record, tuple(problems)


def _record(model: type[Record], value: Mapping[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    return read_record(model, {key: each for key, each in value.items() if each is not None})


APART: Final = (
    "is outside the workspace and does not name it: in it, agents get nothing of what is shared"
)
MOST: Final = 500
"""Repositories that are opened of one workspace; the others are a problem."""


def projects(file: ProjectsFile) -> list[ListedRepository]:
    """Return what the newer shape lists in the words of the older one."""
    return [
        ListedRepository(name=each.name, path=each.path, role=each.type) for each in file.projects
    ]


def folders_below(root: Path, path: str) -> Path | None:
    """Return where a listed path leads, links resolved; `None` = it is empty or no path."""
    if not path.strip() or "\0" in path:
        return None
    return real_path(root / path)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which a workspace names a repository."""

    listed: ListedRepository
    path: Path | None
    is_listed: bool


def members(
    ground: Ground,
    root: Path,
    listed: Sequence[tuple[ListedRepository, Path | None]],
    *,
    also: Path | None,
    file: Path | None,
) -> tuple[tuple[Repository, ...], tuple[Problem, ...]]:
    """Return the repositories, named apart, and what is wrong with how they are listed."""
    ways = [_Way(each, path, True) for each, path in listed]
    if also is not None:
        ways += _in_folder(ground, also)
    found: dict[Path, Repository] = {}
    missing: list[Repository] = []
    problems: list[Problem] = []
    if len(ways) > MOST:
        message = f"it has {len(ways):,} repositories, and the first {MOST} are opened"
        problems.append(_problem("too-many", message, file or root))
    for way in ways[:MOST]:
        name = way.listed.name or way.listed.path
        why = _why_not(ground, root, way.path)
        if not way.is_listed and way.path is not None and why:
            if way.path in (each.path for each in missing) or ground.disk.kind(way.path) == "file":
                continue  # told as what is listed, or as little a repository as a file beside it
            link = root / way.listed.path
            missing.append(replace(_repository(way, link, why), name=name))
            problems.append(_problem("lost-link", f"`{name}` is not open: {why}", link))
        elif way.path is None or why:
            missing.append(_repository(way, way.path or root / name, why or "it has no `path`"))
            problems.append(_problem("no-repository", f"`{name}` is not open: {why}", file or root))
        elif way.path not in found:
            found[way.path] = _repository(way, way.path)
        elif way.is_listed:
            message = f"`{name}` is listed twice or under two paths"
            problems.append(_problem("listed-twice", message, file or root))
    problems += (_problem("nested", text, file or root) for text in _nested(root, found))
    for path in _apart(ground, root, found):
        found[path] = replace(found[path], is_apart=True)
        problems.append(_problem("apart", f"`{found[path].name}` {APART}", file or root))
    return (*named_apart(list(found.values())), *missing), tuple(problems)


def _in_folder(ground: Ground, folder: Path) -> Iterator[_Way]:
    for name in ground.disk.names(folder):
        path = folder / name
        if not name.startswith(".") and ground.disk.kind(path) in ("folder", "link"):
            listed = ListedRepository(name=name, path=f"{folder.name}/{name}")
            yield _Way(listed, real_path(path), is_listed=False)


def _why_not(ground: Ground, root: Path, path: Path | None) -> str:
    """Return why a listed repository cannot be opened; empty = it can."""
    if path is None:
        return "it has no `path`"
    kind = ground.disk.kind(path)
    if kind is None:
        return f"there is no `{path}`"
    if kind == "link":
        return "its link is circular"
    if kind != "folder":
        return f"`{path}` is not a folder"
    if path == ground.home or ground.home.is_relative_to(path):
        return "it is the home folder or above it"
    if root != path and root.is_relative_to(path):
        return "it contains the workspace"
    return ""


def _repository(way: _Way, path: Path, missing: str = "") -> Repository:
    listed = way.listed
    return Repository(
        name=path.name,
        path=path,
        title=listed.name if way.is_listed else "",
        role=listed.role,
        language=listed.language,
        exposes=listed.exposes,
        consumes=listed.consumes,
        is_listed=way.is_listed,
        missing=missing,
    )


def _nested(root: Path, found: Mapping[Path, Repository]) -> Iterator[str]:
    for path, each in found.items():
        outer = next((found[up] for up in path.parents if up in found and up != root), None)
        if outer is not None:
            yield f"`{each.name}` is inside the repository `{outer.name}`; both are read"


def _apart(ground: Ground, root: Path, found: Mapping[Path, Repository]) -> tuple[Path, ...]:
    """Return the repositories that inherit nothing when their agents start in them."""
    outside = (path for path in found if not path.is_relative_to(root))
    return tuple(
        path
        for path in outside
        if root not in (folder for folder, _ in _named(replace(ground, root=path)))
    )


def _problem(code: str, message: str, path: Path) -> Problem:
    hints = {
        "no-repository": "fix its `path`, or remove it from the list",
        "lost-link": "remove the link, or make it lead to a repository",
        "listed-twice": "list it once",
        "nested": "",
        "apart": "set `workspace.ref` in its `.sniper/config.yaml` to the workspace's folder",
        "too-many": "remove those without memory",
    }
    return Problem(code, message, hints[code], path)
