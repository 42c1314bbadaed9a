"""Who asks for facts is given the whole of a change that a crash kept from the history."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.cli.conftest import Shell
from tests.failing_disk import Killed
from tests.hostile.crashing import memory_folder

from remem import VerifiedMemoryProvider
from remem.core.session import Session
from remem.core.settings import Places
from remem.mcp.calls import answer
from remem.mcp.server_state import Call, ServerState
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

    def told(self) -> list[str]:
        """Return the verbs that the history has, the last first."""
        bench = Session.open(self.root, self.places, door="cli")
        bench.begin()
        try:
            return [each.intent.verb for each in bench.past.changes()]
        finally:
            bench.close()

    def undo(self) -> None:
        bench = Session.open(self.root, self.places, door="cli")
        bench.begin()
        bench.undo()
        bench.close()


@pytest.fixture(autouse=True)
def quick_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Death of a process loses nothing that was written, so durability may be skipped here."""
    monkeypatch.setattr("os.fsync", lambda _: None)


class Cut(Disk):
    """The process ends once the rows are written, before the history is told."""

    def __init__(self, quay: Quay) -> None:
        super().__init__()
        self.quay = quay

    def perform(self, name, call, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        if name == "journal" and not self.quay.active():
            raise Killed
        return super().perform(name, call, *args, **kwargs)


@pytest.fixture
def quay() -> Iterator[Quay]:
    """Return a root whose facts are written as out of use, by a change that no history has yet."""
    with TemporaryDirectory(dir=memory_folder()) as folder:
        cut = Quay(Path(folder) / "quay", Path(folder) / "home").build()
        with pytest.raises(Killed):
            cut.retire(Cut(cut))
        assert cut.active() == 0
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
def test_python_is_given_the_whole_change(quay: Quay, method: str) -> None:
    with VerifiedMemoryProvider(quay.root, home=quay.home) as memory:
        assert PROVIDER[method](memory) == 0

    assert quay.told()[0] == "memory.retire"


def test_what_another_process_leaves_is_seen_though_the_provider_was_open(tmp_path: Path) -> None:
    quay = Quay(tmp_path / "quay", tmp_path / "home").build()
    with VerifiedMemoryProvider(quay.root, home=quay.home) as memory:
        first = _recent(memory)
        with pytest.raises(Killed):
            quay.retire(Cut(quay))

        assert (first, _recent(memory)) == (2, 0)
    quay.undo()
    assert quay.active() == len(FACTS)


CLI: dict[str, Callable[[Any], int]] = {
    "recent": lambda told: len(told["memories"]),
    f"search-path {CODE}": lambda told: len(told["memories"]),
    "verify": lambda told: len(told["results"]),
    "stats": lambda told: int(told["active_count"]),
}


@pytest.mark.parametrize("words", CLI)
def test_a_person_who_looks_at_facts_is_given_the_whole_change(quay: Quay, words: str) -> None:
    found = Shell(quay.root, quay.home)("memory", *words.split(), "--json")

    assert found.code == 0
    assert CLI[words](json.loads(found.raw)) == 0
    assert quay.told()[0] == "memory.retire"
    quay.undo()
    assert quay.active() == len(FACTS)


@pytest.mark.parametrize("name", ["memory_get_recent", "memory_search_by_path", "memory_stats"])
def test_an_agent_who_asks_for_facts_is_given_the_whole_change(quay: Quay, name: str) -> None:
    tool = next(each for each in TOOLS if each.name.replace(".", "_") == name)
    state = ServerState(quay.root, quay.places, "s1")
    given = {"path": CODE} if "path" in name else {}

    told = json.dumps(answer(Call(state, tool.read(given), "claude")))
    state.close()

    assert '"active_count": 0' in told or not any(fact in told for fact in FACTS)
    assert quay.told()[0] == "memory.retire"


def test_nobody_waits_for_the_lock_to_put_a_change_of_facts_into_the_history(quay: Quay) -> None:
    with Disk().lock(quay.places.state / "lock"):
        found = Shell(quay.root, quay.home)("memory", "recent", "--json")

        assert (found.code, json.loads(found.raw)["memories"]) == (0, [])
        assert "unfinished" not in found.err


def test_a_person_changes_facts_while_another_process_has_the_lock(tmp_path: Path) -> None:
    quay = Quay(tmp_path / "quay", tmp_path / "home").build()

    with Disk().lock(quay.places.state / "lock"):
        quay.retire(Disk())

    assert quay.active() == 0
    assert quay.told()[0] == "memory.retire"


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
