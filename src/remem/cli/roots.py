"""Which folder is the root: the one that was named, or the project around the current folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from remem.base.errors import RememError, UnknownRef
from remem.core.root_extent import called, repositories
from remem.core.system import Ground
from remem.store.io import Disk, real_path
from remem.systems.workspace.discover import shapes_at, workspaces

MARKERS: Final = (
    ".sniper",
    ".shaktra",
    ".squad",
    ".ai-team",
    ".remem",
    ".sniper-workspace",
    "workspace.yaml",
    ".claude/agent-memory",
)
"""What makes a folder a project with memory."""


class NoRoot(RememError):
    """What was named as the root is no folder."""

    code = "no-root"


def named(disk: Disk, text: str) -> Path:
    """Return the folder that a person named, absolute.

    Raises:
        NoRoot: There is no such folder.
    """
    path = Path(text).expanduser().absolute()
    kind = disk.kind(real_path(path))
    if kind == "folder":
        return path
    if kind is None:
        raise NoRoot(f"no folder `{text}`", hint="give a project folder")
    raise NoRoot(f"`{text}` is not a folder", hint=f"give its folder: `{path.parent}`")


def discover(disk: Disk, start: Path, home: Path) -> Path:
    """Return the nearest folder with a marker, from `start` upwards; `start` if there is none.

    The search ends at the top of the git checkout. The home folder and what lies above it are never
    taken for a project: what agents keep there is the user's own memory.
    """
    start = real_path(start)
    home = real_path(home)
    beyond = {home, *home.parents}
    for folder in (start, *start.parents):
        if folder in beyond:
            break
        if any(disk.kind(folder / marker) for marker in MARKERS) or shapes_at(disk, folder):
            return folder
        if disk.kind(folder / ".git"):
            break
    return start


def repository(disk: Disk, root: Path, home: Path, name: str) -> Path:
    """Return the folder of one repository of the workspace at a root, or around it.

    Raises:
        UnknownRef: None or several are called that, or there is no workspace.
    """
    ground = Ground(real_path(root), real_path(home), disk, root.name)
    found = workspaces(ground)
    every = repositories(found)
    if not every:
        raise UnknownRef(
            f"`--repo {name}` needs a workspace; none found here",
            hint="see `remem workspace show`",
        )
    lost = [each for one in found for each in one.repositories if each.missing]
    for each in lost:
        if each.is_called(name) and not any(one.is_called(name) for one in every):
            raise UnknownRef(
                f"the repository `{name}` is not open: {each.missing}",
                hint="fix its `path` in the workspace's file, or clone it there",
            )
    return called(every, name).path
