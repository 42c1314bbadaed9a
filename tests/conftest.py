"""What every test stands on: no real home, no settings of a person, one Hypothesis profile.

Plain `pytest` leaves out what is slow and the benches. `-m` asks for them, and so does naming
`tests/bench` or a single test.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("remem", deadline=None, database=None, print_blob=True)
settings.register_profile("deep", settings.get_profile("remem"), max_examples=2_000)
settings.load_profile("remem")

_OF_THE_SNAPSHOTS = "TEXTUAL_SNAPSHOT_TEMPDIR"
"""Where the snapshot plugin keeps what it found until the end of the run."""
_SETTINGS_OF_A_PERSON = ("NO_COLOR", "FORCE_COLOR", "EDITOR", "VISUAL", "NIGHT_WATCH_HOME")


@pytest.fixture(scope="session", autouse=True)
def no_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Turn every way to the real home folder into an empty one."""
    home = tmp_path_factory.mktemp("nobodys-home")

    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name == _OF_THE_SNAPSHOTS:
                continue
            if name.startswith(("XDG_", "TEXTUAL", "REMEM_")) or name in _SETTINGS_OF_A_PERSON:
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("remem")
    group.addoption("--short", action="store_true", help="Run each bench with few rounds.")
    group.addoption(
        "--write-benchmarks",
        action="store_true",
        help="Write what the benches say to benchmarks.md.",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr"):
        return
    named = [str(argument) for argument in config.invocation_params.args]
    if any("::" in argument for argument in named):
        return
    wants_benches = any("tests/bench" in argument for argument in named)
    left_out = {"slow"} if wants_benches else {"slow", "bench"}
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        is_left_out = any(mark.name in left_out for mark in item.iter_markers())
        (others if is_left_out else kept).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = kept
