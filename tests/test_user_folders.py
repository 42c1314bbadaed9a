from pathlib import Path

import pytest
from platformdirs import PlatformDirs

from remem.base.user_folders import user_folders

NAMES = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


@pytest.mark.parametrize("given", [None, "", "  ", "/somewhere/else", "/somewhere/else/"])
def test_a_user_s_folders_lie_where_other_programs_keep_theirs(
    given: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in NAMES:
        monkeypatch.delenv(name, raising=False) if given is None else monkeypatch.setenv(
            name, given
        )
    dirs = PlatformDirs("remem", appauthor=False)

    theirs = (dirs.user_config_path, dirs.user_state_path, dirs.user_cache_path)

    assert tuple(user_folders(None)) == theirs
