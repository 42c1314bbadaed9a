"""Where remem keeps what is the user's own: settings, the history, what can be made again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

_LINUX: Final = {
    "XDG_CONFIG_HOME": (".config",),
    "XDG_STATE_HOME": (".local", "state"),
    "XDG_CACHE_HOME": (".cache",),
}
"""What names each folder there, else where it lies: `platformdirs` takes 8 ms to say so."""


class UserFolders(NamedTuple):
    """A user's folders."""

    config: Path
    state: Path
    cache: Path


def user_folders(home: Path | None) -> UserFolders:
    """Return the user's folders; with another home all of them lie under that home."""
    if home is not None:
        return UserFolders(
            home / ".config" / "remem",
            home / ".local" / "state" / "remem",
            home / ".cache" / "remem",
        )
    if str(sys.platform) == "linux":  # whatever mypy runs on
        return UserFolders(*(_named(name, *usual) for name, usual in _LINUX.items()))
    from platformdirs import PlatformDirs

    dirs = PlatformDirs("remem", appauthor=False)
    return UserFolders(dirs.user_config_path, dirs.user_state_path, dirs.user_cache_path)


def told_environment(home: Path | None) -> Mapping[str, str]:
    """Return the variables in which tools say where they keep files; none for another home."""
    return os.environ if home is None else {}


def _named(name: str, *usual: str) -> Path:
    given = os.environ.get(name, "")
    return (Path(given) if given.startswith("/") else Path.home().joinpath(*usual)) / "remem"
