"""What a retro of a thousand findings costs beside ten thousand entries: command and screen."""

import asyncio
import gc
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from shutil import copytree
from time import perf_counter, thread_time

import pytest
from tests.bench.measure import Report, in_turns, process, seconds, shown
from tests.bench.workspaces import project, rule
from tests.retro_files import mistake, path_of, retro
from tests.retro_files import rule as finding
from tests.tui.journey import Journey

from remem.core.session import Session
from remem.core.settings import Places
from remem.tui.app import RememApp

REMEM = str(Path(sys.executable).with_name("remem"))
FINDINGS = 1_000
STEP = 0.005
"""Seconds between two beats of the heart."""


@pytest.fixture(scope="module")
def with_retro(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project of 10,000 entries, and a retro of which most is new, some is near."""
    folder = project(tmp_path_factory.mktemp("retro") / "project", 10_000)
    texts = [f"{rule(n * 13)} on quay {n * 7919 % 1000}" for n in range(FINDINGS)]
    rules = [finding(text, "high" if n % 2 else "medium") for n, text in enumerate(texts[:600])]
    mistakes = [mistake(text, ("S-1", "S-2", "S-3")) for text in texts[600:900]]
    gate = [
        {"check": f"check {n}", "failures": 2, "pattern": text, "already_tracked": False}
        for n, text in enumerate(texts[900:])
    ]
    found = {"new_conventions": rules, "new_anti_patterns": mistakes, "review_gate_failures": gate}
    (folder / path_of(5)).write_bytes(retro(5, **found))
    return folder


def test_ingesting_a_thousand_findings_against_ten_thousand_entries(
    report: Report, with_retro: Path, tmp_path: Path
) -> None:
    home = ["--home", str(tmp_path / "home")]
    copies: Iterator[int] = count()

    def ingested() -> float:
        root = tmp_path / f"copy-{next(copies)}"
        copytree(with_retro, root)
        return process([REMEM, "retro", "ingest", "--sprint", "5", "--root", str(root), *home])

    ingest, listed = in_turns(
        report.rounds,
        ingested,
        lambda: process([REMEM, "list", "--root", str(with_retro), *home]),
    )

    floor_is = "`remem list` of the same, which reads and prints every entry"
    what = f"`remem retro ingest`, {FINDINGS:,} findings against 10,000 entries"
    assert report.ratio(what, "≤ 3,000 ms", ingest, listed, floor_is) > 0.5


@pytest.mark.parametrize("screen", ["browse", "review"])
async def test_no_screen_stands_still_while_such_a_retro_arrives(
    report: Report, with_retro: Path, tmp_path: Path, screen: str
) -> None:
    root = tmp_path / "project"
    copytree(with_retro, root)
    file = root / path_of(5)
    data = file.read_bytes()
    file.unlink()
    bench = Session.open(root, Places.of(tmp_path / "home"), door="tui")
    app = RememApp(bench, start=screen)

    async with app.run_test(size=(120, 36)) as pilot:
        journey = await Journey(pilot).rest()
        at_rest = await late_beats(journey)
        file.write_bytes(data)
        beating = asyncio.create_task(late_beats(journey))
        await asyncio.to_thread(bench.refresh, {file})
        late = await beating
        gc.unfreeze()
        looking = seconds(gc.collect)

    report.plain(
        f"longest wait on {screen} while {FINDINGS:,} findings arrive",
        "≤ 50 ms",
        f"{shown(max(late)[0] * 1_000)} ms",
        f"{shown(max(at_rest)[0] * 1_000)} ms with nothing to do",
        f"{sum(wait > 0.05 for wait, _ in late)} of {len(late)} beats above; "
        f"at most {shown(max(own for _, own in late) * 1_000)} ms of it the loop's own work",
    )
    report.plain(
        f"looking for garbage on {screen}, once nobody touched a key for a while",
        "stated",
        f"{shown(looking * 1_000)} ms",
        "the screen stands still meanwhile; it holds what pytest keeps, too",
    )
    assert len(bench.queue()) > 900


async def late_beats(journey: Journey) -> list[tuple[float, float]]:
    """Return how much too late each beat of the event loop was until all came to rest.

    And how long the loop was at work itself: else it waited for a thread, or for the machine.
    """
    beats: list[tuple[float, float]] = []
    resting = asyncio.create_task(journey.rest())
    begin = perf_counter()
    while not resting.done() or perf_counter() - begin < 0.5:
        at, worked = perf_counter(), thread_time()
        await asyncio.sleep(STEP)
        beats.append((perf_counter() - at - STEP, thread_time() - worked))
    await resting
    return beats
