import gc
import sys
from collections.abc import Iterator
from threading import Event, Thread
from weakref import ref

import pytest
from tests import fresh_python

from remem.tui.garbage_when_idle import Aside, steady

pytestmark = pytest.mark.slow


@pytest.fixture
def many_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("many_switches")
def test_what_another_thread_is_making_is_left_alone() -> None:
    done = Event()

    def work() -> None:
        while not done.is_set():
            with steady():
                pass

    worker = Thread(target=work)
    worker.start()
    try:
        made = [tuple(number for number in range(40)) for _ in range(20_000)]
    finally:
        done.set()
        worker.join()

    assert len(made) == 20_000


class Knot:
    """Holds itself, so that only the collector takes it away."""

    def __init__(self) -> None:
        self.knot = self


def test_garbage_that_was_put_aside_with_what_is_made_in_bulk_goes_when_nobody_is_there() -> None:
    aside = Aside(litter=15_000)
    with aside.steady():
        knot = ref(Knot())
        made = [[number] for number in range(20_000)]
    gc.collect()
    assert knot() is not None

    assert not aside.sweep(is_idle=False)
    assert aside.sweep(is_idle=True)

    assert knot() is None
    assert len(made) == 20_000
    assert not aside.sweep(is_idle=True)


def test_while_somebody_is_there_only_much_garbage_lets_the_screen_stand_still() -> None:
    some = Aside(litter=15_000, aside=15_000 * 2)
    much = Aside(litter=15_000, aside=15_000 * 4)

    assert not some.sweep(is_idle=False)
    assert much.sweep(is_idle=False)


def test_the_more_is_kept_the_more_is_put_aside_before_it_is_looked_through() -> None:
    some = Aside(litter=15_000, aside=20_000, kept=200_000)
    more = Aside(litter=15_000, aside=26_000, kept=200_000)

    assert not some.sweep(is_idle=True)
    assert more.sweep(is_idle=True)


def test_what_is_made_beside_what_goes_is_put_aside_when_it_took_long() -> None:
    gc.collect()
    old = [[number] for number in range(20_000)]
    before = gc.get_freeze_count()
    with Aside(long=0.0).steady():
        made = [[number] for number in range(15_000)]
        old.clear()

    assert gc.get_freeze_count() >= before + len(made)
    gc.unfreeze()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc gives pages back")
def test_room_between_what_stays_is_given_back_when_much_was_made() -> None:
    fresh_python.holds("""
from pathlib import Path
from remem.tui.garbage_when_idle import give_back_memory, steady

def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))

if give_back_memory():
    blocks = [bytearray(b"x" * 100_000) for _ in range(500)]
    last = blocks.pop()  # it stands above all others, so that the heap cannot end below it
    blocks.clear()
    before = resident()
    with steady():
        made = [[number] for number in range(20_000)]
    assert resident() < before - 30_000, (before, resident())
""")
