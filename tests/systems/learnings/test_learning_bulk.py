"""Many new learnings at once cost no look at all files for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

from tests.learning_files import learnings, put, record
from tests.sniper_files import carry_out

from remem.core.library import Library, open_library
from remem.core.verbs.verbs import plan
from remem.core.waiting.queue import queue
from remem.model.change import Intent
from remem.model.entry import Status
from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")


class Counting(Disk):
    """Counts its own calls to the system."""

    def __init__(self) -> None:
        self.calls = Counter[str]()

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        self.calls[name] += 1
        return super().perform(name, call, *args, **kwargs)


def with_signals(root: Path, number: int) -> Library:
    library = learnings(root, *(record(f"L-20260504-00{n:02x}", learning=f"{n}") for n in range(9)))
    for each in range(number):
        put(
            root,
            f"signals/2026050{each}-ci_failure-177784644{each}.yaml",
            f"type: ci_failure\nsource: b{each}\ntimestamp: '2026-05-03T22:14:00Z'\n"
            f"summary: 'Signal {each} of {each * 31}'\n",
        )
    return library.refresh()


def looks(root: Path, number: int) -> int:
    """Return how often the disk is asked while that many signals are planned to be approved."""
    library, disk = with_signals(root, number), Counting()
    library = open_library(replace(library.ground, disk=disk), library.formats)
    shown = {item.ref: item.digest for item in queue(library)}
    disk.calls.clear()

    change = plan(library, Intent("approve", shown))

    assert len(change.touched) >= number == len(shown)
    return disk.calls.total()


def test_the_disk_is_asked_no_more_for_many_than_for_few(tmp_path: Path) -> None:
    assert looks(tmp_path / "many", 9) <= looks(tmp_path / "few", 2) + 20


def test_each_gets_an_id_of_its_own(tmp_path: Path) -> None:
    library = with_signals(tmp_path, 9)
    shown = {item.ref: item.digest for item in queue(library)}

    after = carry_out(library, plan(library, Intent("approve", shown)))

    found = [e for e in after.of_kind("learning") if e.title.startswith("Signal")]
    assert len({entry.ref for entry in found}) == 9
    assert {entry.status for entry in found} == {Status.ACTIVE}
