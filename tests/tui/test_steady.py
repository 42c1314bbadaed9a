import sys
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from remem.tui.steady import steady


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
