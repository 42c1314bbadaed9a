"""Several processes commit to one store at once, and to one journal."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.committing import World

ROUNDS = 12
WORKER = """
import sys
from pathlib import Path
from remem.base.clock import Clock
from remem.store.changes.commit import Committer
from remem.store.history.journal_records import Origin
from remem.store.io import Disk
from remem.store.history.journal import Journal
from remem.store.changes.effects_to_steps import BaseMoved
from remem.model.change import Change, Intent, Splice
from remem.model.entry import digest_of

base, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
disk, store = Disk(), base / "root" / "store.yaml"
committer = Committer(disk, Journal(disk, base / "state"), Clock(), base / "state")
for number in range(rounds):
    while True:
        data = disk.read(store)
        line = f"# {name} {number}\\n".encode()
        splice = Splice(store, len(data), len(data), b"", line, digest_of(data))
        change = Change(Intent("test"), f"{name} {number}", (splice,))
        try:
            committer.commit(change, lambda _: None, Origin(base / "root"))
            break
        except BaseMoved:
            continue
"""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path).build() as world:
        yield world


def test_processes_that_commit_at_once_lose_nothing_and_log_everything(world: World) -> None:
    names = ["ann", "bob", "cem"]
    before = world.store.read_bytes()

    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(world.base), name, str(ROUNDS)])
        for name in names
    ]
    codes = [worker.wait(timeout=60) for worker in workers]

    expected = {f"# {name} {n}\n".encode() for name in names for n in range(ROUNDS)}
    added = world.store.read_bytes().removeprefix(before).splitlines(keepends=True)
    assert codes == [0, 0, 0]
    assert sorted(added) == sorted(expected)
    titles = {logged.title for logged in world.journal.changes(world.root)}
    assert titles == {f"{name} {n}" for name in names for n in range(ROUNDS)}
    assert world.litter() == []
