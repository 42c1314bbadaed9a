"""Where OpenCode looks for commands, as it was seen of OpenCode 1.18.33 on 2026-11-28.

No command is loaded before a person calls it, so none is a source; but a wrong one stops the tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from remem.core.system import Ground

_FOLDERS: Final = ("command", "commands")
_HOMES: Final = (".config/opencode", ".opencode")
_DEPTH: Final = 8
"""Folders below that of the commands that are looked into."""


def up_to_top(ground: Ground, folder: Path) -> tuple[Path, ...]:
    """Return a folder, and those above it up to the top of its checkout."""
    ups = (folder, *folder.parents)
    top = next((up for up in ups if ground.disk.kind(up / ".git")), folder)
    return tuple(up for up in ups if up.is_relative_to(top))


def command_folders(ground: Ground, folder: Path) -> Iterator[Path]:
    """Yield every folder, there or not, that it looks for commands in when started in one."""
    homes = (ground.home / each for each in _HOMES)
    for own in (*homes, *(up / ".opencode" for up in up_to_top(ground, folder))):
        yield from (own / name for name in _FOLDERS)


def command_files(ground: Ground, folder: Path) -> Iterator[Path]:
    """Yield the commands that it reads when started in a folder."""
    for each in command_folders(ground, folder):
        yield from ground.disk.walk(each, _DEPTH, ".md")
