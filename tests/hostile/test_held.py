"""Writers that are slow or late or in the middle of it, and remem stopped in mid-commit."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic

import pytest
from tests.hostile.agents import Control
from tests.hostile.attribution import losses
from tests.hostile.curator import text_of
from tests.hostile.torture import KINDS
from tests.hostile.traffic import (
    HERE,
    Place,
    count_lines,
    litter,
    outcome,
    run,
    settle,
    start_agent,
    until,
)

from remem.base.errors import RememError, WriteFailed
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.entry import Entry

pytestmark = pytest.mark.slow

REMEM = str(Path(sys.executable).with_name("remem"))
LATE = {"persona": b"- A9-0 late\n", "store": b'  - id: A9-0\n    rule: "late"\n'}

STOPPED = """
import os, signal, sys
from pathlib import Path
from remem.core.settings import Places
from remem.store.io import Disk
from remem.core.session import Session
from remem.systems.registry import make_known

root, home, call, moment, text = sys.argv[1:]

class Stopping(Disk):
    def perform(self, name, act, /, *args, **kwargs):
        if name != call:
            return act(*args, **kwargs)
        if moment == "before":
            os.kill(os.getpid(), signal.SIGSTOP)
        result = act(*args, **kwargs)
        if moment == "after":
            os.kill(os.getpid(), signal.SIGSTOP)
        return result

make_known()
bench = Session.open(Path(root), Places.of(Path(home)), door="cli", disk=Stopping())
entry = next(e for e in bench.library.entries() if "[c00000 " in e.title)
bench.apply(bench.intend("edit", [entry], text=text))
"""


@pytest.fixture(params=["persona", pytest.param("store", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(tmp_path, request.param, entries=8).build()


def opened(place: Place) -> Session:
    return Session.open(place.root, Places.of(place.home), door="tui")


def entry_of(bench: Session, key: str) -> Entry:
    return next(entry for entry in bench.library.entries() if entry.title.startswith(f"[{key} "))


def edit(bench: Session, key: str, edition: int) -> None:
    bench.apply(bench.intend("edit", [entry_of(bench, key)], text=text_of(key, edition)))


def test_a_line_written_through_a_handle_from_before_the_edit_is_there_at_the_next_start(
    place: Place,
) -> None:
    late = LATE[place.kind]
    bench = opened(place)
    handle = os.open(place.target, os.O_WRONLY | os.O_APPEND)

    edit(bench, "c00000", 1)
    bench.close()
    os.write(handle, late)
    os.close(handle)
    settle(place)

    after = place.target.read_bytes()
    assert after.count(late) == 1
    assert place.standing()["c00000"] == [1]
    assert place.parses()


@pytest.mark.parametrize("open_meanwhile", [True, False], ids=["at once", "after remem has ended"])
@pytest.mark.parametrize("late", [b"- foo bar baz\n", b"baz\n", b"- Tie\n", b"- Tie the boat\n"])
def test_a_late_line_is_kept_though_its_bytes_stand_inside_another_line(
    tmp_path: Path, late: bytes, open_meanwhile: bool
) -> None:
    place = Place(tmp_path, "persona", entries=8).build()
    with place.target.open("ab") as file:
        file.write(b"- Tie the boat\n  - foo bar baz\n")
    before = Counter(place.target.read_bytes().splitlines())
    bench = opened(place)
    handle = os.open(place.target, os.O_WRONLY | os.O_APPEND)

    edit(bench, "c00000", 1)
    if open_meanwhile:
        os.write(handle, late)
    bench.close()
    if not open_meanwhile:
        os.write(handle, late)
    os.close(handle)
    settle(place)

    after = Counter(place.target.read_bytes().splitlines())
    assert after[late.strip()] == before[late.strip()] + 1
    assert after.total() == before.total() + 1
    assert place.standing()["c00000"] == [1]


def test_lines_that_come_late_to_several_generations_of_a_file_all_arrive(place: Place) -> None:
    bench = opened(place)
    handles = []

    for number in range(3):
        handles.append(os.open(place.target, os.O_WRONLY | os.O_APPEND))
        edit(bench, "c00000", number + 1)
    for number, handle in enumerate(handles):
        os.write(handle, LATE[place.kind].replace(b"A9-0", b"A9-%d" % number))
        os.close(handle)
    bench.close()
    settle(place)

    after = place.target.read_bytes()
    assert [after.count(b" A9-%d" % number) for number in range(3)] == [1, 1, 1]
    assert place.standing()["c00000"] == [3]


def test_a_line_of_which_half_came_before_the_edit_stays_one_line(tmp_path: Path) -> None:
    place = Place(tmp_path, "persona", entries=8).build()
    bench = opened(place)
    handle = os.open(place.target, os.O_WRONLY | os.O_APPEND)

    os.write(handle, b"- A9-0 half a ")
    bench.refresh({place.target})
    edit(bench, "c00000", 1)
    os.write(handle, b"line\n")
    os.close(handle)
    bench.close()
    settle(place)

    assert b"- A9-0 half a line\n" in place.target.read_bytes()
    assert place.standing()["c00000"] == [1]


def test_no_edit_is_based_on_a_file_that_somebody_is_just_writing_anew(place: Place) -> None:
    before = place.target.read_bytes()
    bench = opened(place)
    handle = os.open(place.target, os.O_RDWR)
    inode = place.target.stat().st_ino
    os.ftruncate(handle, 0)

    with pytest.raises(RememError):
        edit(bench, "c00000", 1)
    untouched = place.target.stat().st_ino == inode and not place.target.read_bytes()
    os.pwrite(handle, before + LATE[place.kind], 0)
    os.close(handle)
    bench.refresh({place.target})
    edit(bench, "c00000", 1)

    assert untouched
    assert LATE[place.kind] in place.target.read_bytes()
    assert sorted(place.standing()) == place.keys
    assert place.standing()["c00000"] == [1]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_remem_stopped_at_the_exchange_while_agents_write_loses_nothing(
    place: Place, moment: str
) -> None:
    agents, stopped = ["A0", "W0"], stop_at(place, "exchange", moment)
    control = Control(place.notes / "control")

    hands = [start_agent(place, name, seed=1, most=40) for name in agents]
    codes = [hand.wait(timeout=60) for hand in hands]
    seen = count_lines(place.notes)
    stopped.send_signal(signal.SIGCONT)
    code = stopped.wait(timeout=60)
    control.close()

    found = outcome(place)
    assert codes == [0, 0]
    assert code in (0, 3)
    assert seen == found.losses.written == 80
    assert not found.losses.by_others
    assert not found.entries_missing
    assert code == 3 or place.standing()["c00000"] == [1] or found.waiting
    assert not [name for name in litter(place) if name.suffix != ".old"]


def test_whoever_finds_remem_stopped_waits_two_seconds_and_is_told(place: Place) -> None:
    bench = opened(place)
    begin = monotonic()
    edit(bench, "c00001", 1)
    alone = monotonic() - begin
    stopped = stop_at(place, "exchange", "before")
    before = place.target.read_bytes()
    ref, field = str(entry_of(bench, "c00003").ref), "rule" if place.kind == "store" else "text"

    try:
        begin = monotonic()
        with pytest.raises(WriteFailed, match="another remem process has locked"):
            edit(bench, "c00002", 1)
        waited = monotonic() - begin
        options = ["--root", str(place.root), "--home", str(place.home)]
        done = subprocess.run(
            [REMEM, "edit", ref, f"{field}=waited", *options],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        after = place.target.read_bytes()
    finally:
        stopped.kill()
        stopped.wait(timeout=60)

    assert 1.5 < waited < 2.5 + 10 * alone
    assert done.returncode == 2, done.stderr
    assert "another remem process has locked" in done.stderr
    assert "nothing was written" in done.stderr
    assert after == before


def stop_at(place: Place, call: str, moment: str) -> subprocess.Popen[bytes]:
    """Start an edit in a process of its own that stops itself at a call of the seam."""
    where = (str(place.root), str(place.home), call, moment, text_of("c00000", 1))
    child = subprocess.Popen([sys.executable, "-c", STOPPED, *where], cwd=HERE)
    state = Path(f"/proc/{child.pid}/stat")
    until(lambda: re.search(r"\) ([A-Z])", state.read_text())[1] in "TZ")  # type: ignore[index]
    assert child.poll() is None, "it never came to that call"
    return child


@pytest.mark.parametrize("kind", KINDS)
def test_slow_writers_and_held_handles_lose_nothing(tmp_path: Path, kind: str) -> None:
    place = Place(tmp_path, kind).build()

    found = run(place, ["H0", "H1", "H2"], lines=15, curator=("--pause", "0.2"))

    assert not found.losses.by_others
    assert not found.edits_lost
    assert found.edits > 2


def test_a_writer_that_takes_its_time_over_each_line_keeps_its_lines_whole(tmp_path: Path) -> None:
    place = Place(tmp_path, "persona").build()

    found = run(place, ["S0"], lines=150, pause=0.01, curator=("--pause", "0.1"))

    lines = place.target.read_text().splitlines()
    assert not found.losses.by_others
    assert not found.edits_lost
    assert found.edits > 1  # it is in the middle of a line nearly all the time
    for number in range(150):
        assert f"- S0-{number} a line that takes its time" in lines


def test_an_agent_that_makes_the_old_folder_again_keeps_every_line(tmp_path: Path) -> None:
    place = Place(tmp_path, "persona").build()
    control = Control(place.notes / "control")
    hands = [start_agent(place, name, most=400) for name in ("G0", "A0")]
    bench = opened(place)

    until(lambda: count_lines(place.notes) > 40)
    bench.apply(bench.intend("persona.rename", [], persona="Ines", to="Irene"))
    until(lambda: count_lines(place.notes) > 300)
    control.end()
    codes = [hand.wait(timeout=60) for hand in hands]
    control.close()

    agents = place.home / ".night-watch/agents"
    files = [agents / name / "memories/harbour0/main.md" for name in ("Ines", "Irene")]
    assert codes == [0, 0]
    assert all(file.exists() for file in files)
    assert not losses(place.notes, files).by_others
    bench.refresh()
    assert bench.library.aside.recreated
