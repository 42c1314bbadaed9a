"""A working day of traffic in two minutes: nothing is lost, and nothing grows without end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.hostile.agents import Control
from tests.hostile.attribution import losses
from tests.hostile.traffic import (
    Place,
    acknowledged,
    count_lines,
    settle,
    start_agent,
    start_curator,
    until,
)

from remem.core.session import Session
from remem.core.settings import Places

HOURS = 8
SESSION = 100
"""Decisions after which whoever decides starts anew."""
WRITERS = ("A0", "A1")


@pytest.mark.slow
def test_a_day_of_traffic_with_restarts_loses_nothing_and_grows_by_little(tmp_path: Path) -> None:
    day(tmp_path, lines=6_000, edits=300, pause=0.01)


@pytest.mark.slow
def test_a_morning_of_traffic_with_restarts_loses_nothing(tmp_path: Path) -> None:
    day(tmp_path, lines=600, edits=24, pause=0.004, session=12)


def day(base: Path, *, lines: int, edits: int, pause: float, session: int = SESSION) -> None:
    """Let two agents append and one compact, while somebody decides in sessions; then add up."""
    place = Place(base, "persona").build()
    control = Control(place.notes / "control")
    each = lines // len(WRITERS)
    agents = [start_agent(place, name, pause=pause, most=each) for name in WRITERS]
    agents.append(start_agent(place, "C0", pause=pause))
    sessions: list[dict[str, list[int]]] = []
    for number in range(edits // session):
        ahead = -HOURS * (1 - number * session / edits)
        more = ("--most", str(session), "--hours", f"{ahead:.3f}", "--pause", "0.002")
        curator = start_curator(place, *more)
        assert curator.wait(timeout=300) == 0
        sessions.append(json.loads((place.notes / "done.json").read_text()))
        rename(place, there=number % 2 == 0)
    until(lambda: count_lines(place.notes) >= lines, patience=300)
    control.end()
    assert [agent.wait(timeout=60) for agent in agents] == [0, 0, 0]
    control.close()

    waiting = settle(place)
    standing = place.standing()
    archive = place.target.with_name("archive.md")
    found = losses(place.notes, [place.target, archive])
    lost = {
        key: edition
        for key, edition in acknowledged(place).items()
        if edition not in [*standing.get(key, []), *waiting.get(key, [])]
    }
    assert found.written >= lines
    assert not found.by_others
    assert not lost
    assert not [key for key in place.keys if key not in standing]
    if edits > 200:
        check_growth(sessions)


def rename(place: Place, *, there: bool) -> None:
    """Give another persona another name, and back: the files of this one keep theirs."""
    names = ("Otto", "Olaf") if there else ("Olaf", "Otto")
    memory = place.home / f".night-watch/agents/{names[0]}/memories/harbour0/main.md"
    if there and not memory.exists():
        memory.parent.mkdir(parents=True)
        memory.write_text("# Memory\n- tides first\n")
    bench = Session.open(place.root, Places.of(place.home), door="cli")
    bench.apply(bench.intend("persona.rename", [], persona=names[0], to=names[1]))
    bench.close()
    assert not memory.exists()


def check_growth(sessions: list[dict[str, list[int]]]) -> None:
    """What a process holds after its first decisions is about what it holds after its last."""
    for session in sessions:
        samples, handles = session["kibibytes"], session["handles"]
        # Code is loaded when it is first needed, and the heap grows to what traffic asks of it.
        settled = samples[len(samples) * 3 // 4 :]
        assert max(settled) < 1.1 * settled[0], samples
        assert max(handles) - min(handles[1:]) <= 1, handles
    first, *_, last = (session["kibibytes"] for session in sessions)
    assert last[-1] < 1.1 * max(first), (first, last)
