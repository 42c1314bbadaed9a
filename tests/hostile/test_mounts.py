"""Real file systems: one that is full, and root, home and state folder on three different ones.

The mounts are made in a namespace of their own, which ends with the process that uses them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from tests.hostile.crashing import CASES, FILES, MORE_CASES, Case, Harbour, redo, undo

from remem.base.errors import RememError, WriteFailed
from remem.core.session import Session

REPOSITORY: Final = Path(__file__).parents[2]
NAMESPACES: Final = (("unshare", "-m"), ("unshare", "-Urm"))
SMALL: Final = "1m"
"""Soon filled, and room for the history of all that is tried: 4 KiB for each file set aside."""
ROOM_LEFT: Final = (0, 1, 2, 4)
"""Pages of 4 KiB that are free on the full file system."""
TRIED: Final = (
    "approve a finding",
    "approve a candidate",
    "reject",
    "edit",
    "archive an entry",
    "ingest a retro",
    "rename a persona",
    "archive a persona",
)


@cache
def namespace() -> tuple[str, ...]:
    """Return the command that gives a process its own mounts; empty where none is allowed."""
    if not shutil.which("unshare"):
        return ()
    for command in NAMESPACES:
        tried = [*command, "sh", "-c", "mount -t tmpfs none /mnt"]
        if subprocess.run(tried, capture_output=True, check=False).returncode == 0:
            return command
    return ()


def inside(act: Callable[[Path], Iterator[str]], folder: Path, mounts: Sequence[str]) -> list[str]:
    """Mount each of `folder/…` in a namespace, run a function of this module there, return what
    it found wrong."""
    if not namespace():
        pytest.skip("neither root nor a user namespace may mount here (`unshare -m`, `-Urm`)")
    made = " && ".join(
        f'mkdir -p "{folder / name}" && mount -t tmpfs -o size={size} none "{folder / name}"'
        for name, _, size in (mount.partition(":") for mount in mounts)
    )
    script = (
        "import json, sys; from pathlib import Path; from tests.hostile import test_mounts as t;"
        f" print(json.dumps(list(t.{act.__name__}(Path(sys.argv[1])))))"
    )
    done = subprocess.run(
        [
            *namespace(),
            *("sh", "-c", f'{made} && exec "$0" "$@"'),
            *(sys.executable, "-c", script, str(folder)),
        ],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def cases(*names: str) -> Iterator[Case]:
    return (case for case in (*CASES, *MORE_CASES) if case.name in names)


def fill(folder: Path, pages: int) -> Path:
    """Fill the file system that a folder lies on, but for some pages."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            size = os.fstat(file.fileno()).st_size // 4096 * 4096
            file.truncate(max(0, size - pages * 4096))
    return filler


def fills_the_root(folder: Path) -> Iterator[str]:
    """Decide while the root's file system is full, and again when there is room."""
    harbour = Harbour(folder, {**FILES, "big.md": "- more\n" * 2000}).build()
    for case in cases(*TRIED):
        for pages in ROOM_LEFT:
            yield from decides_while_full(harbour, case, harbour.root, pages)


def fills_the_state(folder: Path) -> Iterator[str]:
    """Decide while the state folder's file system is full."""
    harbour = Harbour(folder).build()
    for case in cases(*TRIED):
        for pages in ROOM_LEFT:
            yield from decides_while_full(harbour, case, harbour.places.state, pages)


def decides_while_full(harbour: Harbour, case: Case, full: Path, pages: int) -> Iterator[str]:
    where = f"{case.name} with {pages} pages"
    before, history = harbour.picture(), harbour.history()
    filler = fill(full, pages)
    told: RememError | None = None
    try:
        case.act(harbour.bench())
    except RememError as error:
        told = error
    filler.unlink()
    if told is not None:
        if not isinstance(told, WriteFailed) or not told.hint or "full" not in str(told):
            yield f"{where}: told {type(told).__name__}: {told} ({told.hint})"
        if harbour.picture() != before or harbour.history() != history:
            yield f"{where}: told {told}, but something changed"
    elif pages == 0:
        yield f"{where}: it found room where there was none"
    harbour.close()
    harbour.do(Session.begin)
    if litter := harbour.litter():
        yield f"{where}: left {litter}"
    if told is not None:
        harbour.do(case.act)
    harbour.do(undo)
    if harbour.picture() != before:
        yield f"{where}: it could not be undone to the same bytes"
    harbour.close()


def stands_on_three_mounts(folder: Path) -> Iterator[str]:
    """Do, undo and do again everything where nothing can be renamed from one place to another."""
    for case in CASES:
        for part in ("acme", "home/.night-watch", "home/.local/state"):
            empty(folder / "live" / part)
        harbour = Harbour(folder, case.files).build()
        devices = {path.stat().st_dev for path in (harbour.root, harbour.home)}
        devices.add((harbour.home / ".local" / "state").stat().st_dev)
        if len(devices) != 3:
            yield f"{case.name}: {len(devices)} file systems"
        for earlier in case.given:
            harbour.do(earlier)
        yield from goes_there_and_back(harbour, case)


def goes_there_and_back(harbour: Harbour, case: Case) -> Iterator[str]:
    back, forth = (redo, undo) if case.act is undo else (undo, redo)
    before = harbour.picture()
    harbour.do(case.act)
    after = harbour.picture()
    harbour.do(back)
    if harbour.picture() != before:
        yield f"{case.name}: taken back, but not to the same bytes"
    harbour.do(forth)
    if harbour.picture() != after:
        yield f"{case.name}: done again, but not to the same bytes"
    if litter := harbour.litter():
        yield f"{case.name}: left {litter}"
    harbour.close()


def empty(folder: Path) -> None:
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


@pytest.mark.slow
def test_a_full_file_system_leaves_memory_whole_and_says_so(tmp_path: Path) -> None:
    assert inside(fills_the_root, tmp_path, [f"live/acme:{SMALL}"]) == []


@pytest.mark.slow
def test_without_room_for_the_history_nothing_is_changed(tmp_path: Path) -> None:
    assert inside(fills_the_state, tmp_path, [f"live/home/.local/state/remem:{SMALL}"]) == []


@pytest.mark.slow
def test_every_verb_works_across_three_file_systems(tmp_path: Path) -> None:
    mounts = ["live/acme:8m", "live/home:8m", "live/home/.local/state:8m"]

    assert inside(stands_on_three_mounts, tmp_path, mounts) == []
