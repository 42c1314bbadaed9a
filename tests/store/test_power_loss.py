"""Whenever the power fails, a change is there whole or not at all, and what was said is true."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.failing_disk import Killed
from tests.hostile.crashing import CASES, Case, Ends, Harbour, ends_of, memory_folder
from tests.power_loss import Recorder, State, materialise, states

from remem.core.session import Session

BY_NAME = {case.name: case for case in CASES}
FEW = ("approve a finding", "undo an approval", "rename a persona")


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        yield Path(folder)


def record(case: Case, harbour: Harbour, dies_at: int = 0) -> Recorder:
    """Carry the case out on a recording disk, and the recovery after it if it is to die."""
    harbour.put_back()
    recorder = Recorder(harbour.base / "live", dies_at)
    try:
        case.act(harbour.bench(recorder))
    except Killed:
        harbour.abandon()
        recorder.dies_at = 0
        harbour.bench(recorder).begin()
    recorder.told = recorder.moment
    harbour.close()
    assert recorder.unseen == []
    return recorder


def wrong_after(recorder: Recorder, state: State, harbour: Harbour, ends: Ends) -> list[str]:
    """Put a state on disk, start remem, and say what does not hold."""
    materialise(recorder, state)
    wrong = ends.torn(harbour.picture(), appending=True)
    bench = harbour.bench()
    bench.begin()
    picture = harbour.picture()
    side = ends.side(picture, [(each.title, each.undone) for each in bench.past.changes()])
    if side not in ("before", "after"):
        wrong.append(side)
    if litter := harbour.litter():
        wrong.append(f"left: {litter}")
    harbour.close()
    if state.moment % 4 == 0:
        harbour.do(Session.begin)
        if harbour.picture() != picture:
            wrong.append("the second start changed something")
    done = recorder.calls[state.moment - 1] if state.moment else "start"
    return [f"{state.moment} after {done}: {each}" for each in wrong]


def is_told(recorder: Recorder, state: State) -> bool:
    """Tell whether whoever asked had been told by then that it is done."""
    return state.moment >= recorder.told


@pytest.mark.parametrize("name", FEW)
def test_after_a_power_failure_a_change_is_whole_or_not_there(folder: Path, name: str) -> None:
    case = BY_NAME[name]
    harbour = case.at(folder)
    ends = ends_of(harbour, case)
    recorder = record(case, harbour)

    some = islice(states(recorder, limit=6), 0, None, 9)

    assert [w for state in some for w in wrong_after(recorder, state, harbour, ends)] == []


def test_without_syncs_a_power_failure_would_do_harm(folder: Path) -> None:
    case = BY_NAME["approve a candidate"]
    harbour = case.at(folder)
    ends = ends_of(harbour, case)
    recorder = record(case, harbour)

    some = islice(states(recorder, limit=6, syncs=False), 0, None, 8)

    assert any(wrong_after(recorder, state, harbour, ends) for state in some)


@pytest.mark.parametrize("name", FEW)
def test_what_was_said_to_be_done_outlives_a_power_failure(folder: Path, name: str) -> None:
    case = BY_NAME[name]
    harbour = case.at(folder)
    ends = ends_of(harbour, case)
    recorder = record(case, harbour)
    told = [state for state in states(recorder, limit=12) if is_told(recorder, state)]

    for state in told:
        assert wrong_after(recorder, state, harbour, ends) == []
        assert harbour.picture() == ends.after


@pytest.mark.slow
def test_two_thousand_states_after_a_power_failure_are_all_sound(folder: Path) -> None:
    tried, wrong = 0, []
    for number, case in enumerate(CASES):
        harbour = case.at(folder / str(number))
        ends = ends_of(harbour, case)
        for recorder in recordings(case, harbour, ends):
            for state in states(recorder, limit=36):
                tried += 1
                wrong += [f"{case.name}: {w}" for w in wrong_after(recorder, state, harbour, ends)]

    print(f"{tried} states, {len(wrong)} violations")  # noqa: T201 - quoted in benchmarks.md
    assert tried >= 2_000
    assert wrong == []


def recordings(case: Case, harbour: Harbour, ends: Ends) -> Iterator[Recorder]:
    """Yield one run undisturbed, and some that die and are recovered."""
    recorder = record(case, harbour)
    yield recorder
    effects = len(recorder.calls)
    for dies_at in (effects // 2, 3 * effects // 4):
        yield record(case, harbour, dies_at)
