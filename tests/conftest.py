"""What every test stands on: no real home, no settings of a person, one Hypothesis profile.

Plain `pytest` leaves out what is slow and the benches. `-m` asks for them, and so does naming
`tests/bench` or a single test.
"""

import gc
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from tests import postgres
from tests.memory_files import Keeping

from remem.core.prompt import tokens
from remem.systems.registry import make_known

# Each ordinary run tries the same, so that more of it finds nothing new after the first time; with
# `--hypothesis-profile deep` it looks elsewhere, and for much longer.
settings.register_profile(
    "remem", max_examples=50, deadline=None, database=None, print_blob=True, derandomize=True
)
settings.register_profile(
    "deep", settings.get_profile("remem"), derandomize=False, max_examples=1_000
)
settings.load_profile("remem")

make_known()

# A process that runs thousands of tests keeps what they made and loaded. To look through it as
# often as Python does takes a tenth of the run; what tests say of garbage they collect themselves.
gc.set_threshold(5_000, 20, 20)

_OF_THE_SNAPSHOTS = "TEXTUAL_SNAPSHOT_TEMPDIR"
"""Where the snapshot plugin keeps what it found until the end of the run."""
LEFT_OPEN: Final = 40
"""How many handles more a test may leave: a loop and its fixtures of a wider scope have some."""
_NUMBERS = count()
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


@pytest.fixture(scope="session", autouse=True)
def one_vocabulary() -> Iterator[None]:
    """Hold what tokens are counted with: making it anew took a third of what commands take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_ranks_in_use", {})
        yield


@pytest.fixture(autouse=True)
def closes_what_it_opens() -> Iterator[None]:
    """Fail what leaves many handles open: thousands of them end other tests of the same run."""
    open_before = _handles()
    yield
    if _handles() - open_before >= LEFT_OPEN:
        gc.collect()  # what garbage holds counts once garbage was looked for, which is seldom here
    assert _handles() - open_before < LEFT_OPEN


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    why_not = postgres.why_not()
    if why_not:
        pytest.skip(why_not)
    with postgres.server() as address:
        yield address


@pytest.fixture(scope="session")
def postgres_tables(postgres_server: str) -> str:
    """One database whose tables are there, for tests that begin with none in them."""

    address = _made(postgres_server)
    store = Keeping.open(address)
    with store.base.writing():
        pass
    store.close()
    return address


@pytest.fixture
def postgres_store(postgres_tables: str) -> str:
    import psycopg

    with psycopg.connect(postgres_tables, autocommit=True) as sql:
        sql.execute("TRUNCATE agent_memory CASCADE")
    return postgres_tables


@pytest.fixture
def postgres_database(postgres_server: str) -> str:
    """A database of its own for one test, without tables."""
    return _made(postgres_server)


def _made(server: str) -> str:
    import psycopg

    name = f"remem_{next(_NUMBERS)}"
    with psycopg.connect(server.format(name="postgres"), autocommit=True) as sql:
        sql.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
    return server.format(name=name)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("remem")
    group.addoption(
        "--short",
        action="store_true",
        help="Run each bench with few rounds, and a quarter of the traffic.",
    )
    group.addoption(
        "--oracle", metavar="FOLDER", help="Where the tools of the oracle are installed."
    )
    group.addoption(
        "--write-benchmarks",
        action="store_true",
        help="Write what the benches say to benchmarks.md.",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Set aside what collecting makes and loads: all of it stays, so nothing need look through it.

    They are half a million objects in each process. Every look at all of them took longer than
    most tests, and pytest takes five in a row when it ends.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr") or config.getoption("oracle"):
        return
    named = [str(argument) for argument in config.invocation_params.args]
    if any("::" in argument for argument in named):
        return
    wants_benches = any("tests/bench" in argument for argument in named)
    left_out = {"slow", "oracle"} if wants_benches else {"slow", "bench", "oracle"}
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        is_left_out = any(mark.name in left_out for mark in item.iter_markers())
        (others if is_left_out else kept).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = kept


def _handles() -> int:
    handles = Path("/proc/self/fd")
    return len(list(handles.iterdir())) if handles.exists() else 0
