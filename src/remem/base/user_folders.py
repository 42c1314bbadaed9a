"""Where remem keeps what is the user's own: settings, the history, what can be made again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


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
    from platformdirs import PlatformDirs

    dirs = PlatformDirs("remem", appauthor=False)
    return UserFolders(dirs.user_config_path, dirs.user_state_path, dirs.user_cache_path)
