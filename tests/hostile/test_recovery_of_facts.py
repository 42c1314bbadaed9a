"""Who asks for nothing but facts is given no half of a change that a crash cut in two."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.cli.conftest import Shell
from tests.failing_disk import LOOKS, CountingDisk, DyingDisk, Killed
from tests.hostile.crashing import memory_folder

from remem import VerifiedMemoryProvider
from remem.core.session import Session
from remem.core.settings import Places
from remem.mcp.calls import Call, House, answer
from remem.mcp.tools import TOOLS
from remem.model.citation import parse_place
from remem.store.io import Disk
from remem.systems.facts.records import NewMemory
from remem.systems.facts.service import VerifiedMemory

CODE = "src/berth.ts"
FACTS = ("Berths are numbered", "Tugs are called by radio")


@dataclass
class Quay:
    """A root with two facts, which one change takes out of use."""

    root: Path
    home: Path
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        self.places = Places.of(self.home)

    def build(self) -> Quay:
        (self.root / "src").mkdir(parents=True)
        (self.root / CODE).write_text("one\ntwo\n", encoding="utf-8")
        service = VerifiedMemory(self.root, self.places)
        for fact in FACTS:
            cited = (parse_place(f"{CODE}:1-2"),)
            service.keep(NewMemory(service.repository, fact, fact, cited))
        service.close()
        return self

    def retire(self, disk: Disk) -> None:
        """Take both facts out of use, on a disk on which the process may end."""
        bench = Session.open(self.root, self.places, door="cli", disk=disk)
        try:
            facts = [each for each in bench.library.entries() if each.kind == "fact"]
            assert len(facts) == len(FACTS)
            bench.apply(bench.intend("memory.retire", facts, reason="nobody asks"))
        finally:
            bench.journal.close()

    def active(self) -> int:
        """Return how many facts the database has in use, without settling anything."""
        service = VerifiedMemory(self.root, self.places)
        found = service.store.every_active(service.repository)
        service.close()
        return len(found)

    def left(self) -> list[Path]:
        return [*(self.places.state / "running").iterdir()]


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Death of a process loses nothing that was written, so durability may be skipped here."""
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.fixture(scope="module")
def between() -> int:
    """Return the first call of the change after which its rows are written."""
    with TemporaryDirectory(dir=memory_folder()) as folder:
        quay = Quay(Path(folder) / "quay", Path(folder) / "home").build()

        class Watched(CountingDisk):
            def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
                done = super().perform(name, call, *args, **kwargs)
                if name not in LOOKS and not quay.active():
                    found.append(len(self.calls))
                return done

        found: list[int] = []
        quay.retire(Watched())
    return found[0]


@pytest.fixture
def quay(between: int) -> Iterator[Quay]:
    """Return a root whose facts are written as out of use, by a change that never came to stand."""
    with TemporaryDirectory(dir=memory_folder()) as folder:
        cut = Quay(Path(folder) / "quay", Path(folder) / "home").build()
        with pytest.raises(Killed):
            cut.retire(DyingDisk(between, "before"))
        assert (bool(cut.left()), cut.active()) == (True, 0)
        yield cut


def _recent(memory: VerifiedMemoryProvider) -> int:
    return len(memory.recent())


PROVIDER: dict[str, Callable[[VerifiedMemoryProvider], int]] = {
    "recent": _recent,
    "search_path": lambda memory: len(memory.search_path(CODE)),
    "usable": lambda memory: len(memory.usable()),
    "for_prompt": lambda memory: sum(fact in memory.for_prompt() for fact in FACTS),
    "stats": lambda memory: memory.stats().active,
}


@pytest.mark.parametrize("method", PROVIDER)
def test_python_is_given_no_half_a_change(quay: Quay, method: str) -> None:
    with VerifiedMemoryProvider(quay.root, home=quay.home) as memory:
        assert PROVIDER[method](memory) == len(FACTS)

    assert quay.left() == []


def test_what_another_process_leaves_is_settled_though_the_provider_was_open(
    tmp_path: Path, between: int
) -> None:
    quay = Quay(tmp_path / "quay", tmp_path / "home").build()
    with VerifiedMemoryProvider(quay.root, home=quay.home) as memory:
        first = _recent(memory)
        with pytest.raises(Killed):
            quay.retire(DyingDisk(between, "before"))
        cut = quay.active()

        assert (first, cut, _recent(memory)) == (2, 0, 2)


CLI: dict[str, Callable[[Any], int]] = {
    "recent": lambda told: len(told["memories"]),
    f"search-path {CODE}": lambda told: len(told["memories"]),
    "verify": lambda told: len(told["results"]),
    "stats": lambda told: int(told["active_count"]),
}


@pytest.mark.parametrize("words", CLI)
def test_a_person_who_looks_at_facts_is_given_no_half_a_change(quay: Quay, words: str) -> None:
    found = Shell(quay.root, quay.home)("memory", *words.split(), "--json")

    assert found.code == 0
    assert CLI[words](json.loads(found.raw)) == len(FACTS)
    assert "note: rolled back after a crash: " in found.err
    assert (quay.left(), quay.active()) == ([], len(FACTS))


@pytest.mark.parametrize("name", ["memory_get_recent", "memory_search_by_path", "memory_stats"])
def test_an_agent_who_asks_for_facts_is_given_no_half_a_change(quay: Quay, name: str) -> None:
    tool = next(each for each in TOOLS if each.name.replace(".", "_") == name)
    house = House(quay.root, quay.places, "s1")
    given = {"path": CODE} if "path" in name else {}

    told = json.dumps(answer(Call(house, tool.read(given), "claude")))
    house.close()

    assert '"active_count": 2' in told or all(fact in told for fact in FACTS)
    assert quay.left() == []


def test_who_cannot_settle_a_change_of_facts_says_that_it_is_unfinished(quay: Quay) -> None:
    with Disk().lock(quay.places.state / "lock"):
        found = Shell(quay.root, quay.home)("memory", "recent", "--json")

    assert found.code == 0
    assert "note: a change is unfinished and may be partly visible" in found.err
    assert quay.active() == 0


def test_with_nothing_under_way_a_reader_of_facts_asks_for_one_folder_of_the_history(
    tmp_path: Path,
) -> None:
    quay = Quay(tmp_path / "quay", tmp_path / "home").build()
    asked: set[tuple[str, str]] = set()

    class Told(Disk):
        def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            if args and Path(str(args[0])).is_relative_to(quay.places.state):
                asked.add((name, Path(args[0]).name))
            return super().perform(name, call, *args, **kwargs)

    service = VerifiedMemory(quay.root, quay.places, disk=Told())
    service.recent(service.repository, 5)
    service.close()

    assert asked == {("names", "running"), ("stamp", "running")}
