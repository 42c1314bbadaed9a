"""In any order of verbs, foreign writes, crashes and restarts memory is what was done to it.

The model knows entries by id: their status and text. What a verb did to one is taken back by undo
and nothing else is; what others wrote stays until somebody takes it out.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.failing_disk import DyingDisk, Killed
from tests.hostile.crashing import MEMORY, Harbour, memory_folder, on, redo, undo

from remem.base.errors import ChangedOnDisk
from remem.core.session import Session
from remem.model.entry import Status

Known = dict[str, tuple[Status, str]]
Done = tuple[str, tuple[Status, str], tuple[Status, str] | None]
"""An id, what its entry was, and what the verb made of it; `None` = it went."""

KILLS: Final = st.none() | st.tuples(
    st.integers(min_value=1, max_value=70), st.sampled_from(["before", "after", "torn"])
)
NEVER: Final = 1 << 30
STORE: Final = f"{MEMORY}/conventions.yaml"
LAST: Final = "conv-001"
"""Nobody decides on this one: to an empty list in brackets nobody can append lines."""


class Memory(RuleBasedStateMachine):
    """One store, whoever writes to it, and what should stand in it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(dir=memory_folder()))
        self.number = 0
        self.known: Known = {}
        self.done: list[Done] = []
        self.undone: list[Done] = []

    def teardown(self) -> None:
        self.harbour.close()
        shutil.rmtree(self.folder)

    @initialize(count=st.integers(min_value=2, max_value=5))
    def begin(self, count: int) -> None:
        lines = "".join(self._next_entry() for _ in range(count))
        self.harbour = Harbour(self.folder, {STORE: f"# ours\nconventions:\n{lines}"}).build()
        self.bench = self.harbour.bench()

    def _next_entry(self) -> str:
        self.number += 1
        name, text = f"conv-{self.number:03}", f"Rule {self.number} of the quay stands"
        self.known[name] = (Status.CANDIDATE, text)
        return f"  - id: {name}\n    rule: {text}\n    status: candidate\n"

    @property
    def store(self) -> Path:
        return self.harbour.root / STORE

    @rule(count=st.integers(min_value=1, max_value=3))
    def others_append(self, count: int) -> None:
        with self.store.open("a") as file:
            file.write("".join(self._next_entry() for _ in range(count)))
        self.bench.refresh([self.store])

    @rule(text=st.sampled_from(["# ours", "# theirs", "# anybody's"]))
    def others_rewrite(self, text: str) -> None:
        lines = self.store.read_text().splitlines(keepends=True)
        beside = self.store.with_name("beside.tmp")
        beside.write_text("".join([f"{text}\n", *lines[1:]]))
        beside.replace(self.store)
        self.bench.refresh([self.store])

    @rule()
    def restart(self) -> None:
        self.harbour.close()
        self.bench = self.harbour.bench()
        self.bench.begin()

    @precondition(lambda self: self._ids(Status.CANDIDATE))
    @rule(data=st.data(), verb=st.sampled_from(["approve", "reject"]), kill=KILLS)
    def decide(self, data: st.DataObject, verb: str, kill: tuple[int, str] | None) -> None:
        name = data.draw(st.sampled_from(self._ids(Status.CANDIDATE)))
        was = self.known[name]
        will = (Status.ACTIVE, was[1]) if verb == "approve" else None
        arguments = {"reason": "wrong"} if verb == "reject" else {}
        self._do((name, was, will), on(verb, name, **arguments), kill)

    @precondition(lambda self: self._ids(Status.ACTIVE))
    @rule(data=st.data(), kill=KILLS)
    def remove(self, data: st.DataObject, kill: tuple[int, str] | None) -> None:
        name = data.draw(st.sampled_from(self._ids(Status.ACTIVE)))
        self._do((name, self.known[name], None), on("remove", name), kill)

    @precondition(lambda self: len(self.known) > 1)
    @rule(data=st.data(), kill=KILLS, word=st.integers(min_value=1, max_value=999))
    def edit(self, data: st.DataObject, kill: tuple[int, str] | None, word: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.known.keys() - {LAST})))
        was = self.known[name]
        text = f"Rule {name} reads {word} by now"
        if text != was[1]:
            self._do((name, was, (was[0], text)), on("edit", name, text=text), kill)

    @precondition(lambda self: self.done)
    @rule(kill=KILLS)
    def undo(self, kill: tuple[int, str] | None) -> None:
        name, was, _ = self.done[-1]
        if self._act(undo, kill, lambda: self._would_be(name, was)):
            self.undone.append(self.done.pop())
            self.known[name] = was

    @precondition(lambda self: self.undone)
    @rule(kill=KILLS)
    def redo(self, kill: tuple[int, str] | None) -> None:
        name, _, will = self.undone[-1]
        if self._act(redo, kill, lambda: self._would_be(name, will)):
            self.done.append(self.undone.pop())
            self.known = self._would_be(name, will)

    def _do(self, done: Done, act: Callable[[Session], object], kill: object) -> None:
        name, _, will = done
        if self._act(act, kill, lambda: self._would_be(name, will)):
            self.known = self._would_be(name, will)
            self.done.append(done)
            self.undone.clear()

    def _would_be(self, name: str, value: tuple[Status, str] | None) -> Known:
        rest = {each: found for each, found in self.known.items() if each != name}
        return rest if value is None else {**rest, name: value}

    def _act(
        self,
        act: Callable[[Session], object],
        kill: object,
        after: Callable[[], Known],
    ) -> bool:
        """Let it happen, perhaps until a crash; tell whether it stands."""
        if not isinstance(kill, tuple):
            try:
                act(self.bench)
            except ChangedOnDisk:
                assert act in (undo, redo)
                return False
            return True
        at, how = kill
        disk = DyingDisk(NEVER, how)
        self.harbour.close()
        bench = self.harbour.bench(disk)
        disk.calls.clear()
        disk.at = at
        try:
            act(bench)
        except ChangedOnDisk:
            stands = False
        except Killed:
            self.harbour.abandon()
            self.restart()
            stands = self._read() == after()
            assert stands or self._read() == self.known
            return stands
        else:
            stands = True
        disk.at = NEVER  # it came through, and ends in good order
        self.restart()
        return stands

    def _ids(self, status: Status) -> list[str]:
        return sorted(n for n, (found, _) in self.known.items() if found is status and n != LAST)

    def _read(self) -> Known:
        entries = list(self.harbour.bench().library.of_kind("convention"))
        found = {entry.ref.id: (entry.status, entry.title) for entry in entries}
        assert len(found) == len(entries), "an entry is listed twice"
        return found

    @invariant()
    def memory_is_what_was_done_to_it(self) -> None:
        assert self._read() == self.known

    @invariant()
    def the_history_tells_what_stands(self) -> None:
        standing = [each for each in self.bench.past.changes() if not each.undone]
        assert len(standing) == len(self.done)

    @invariant()
    def nothing_lies_about(self) -> None:
        assert self.harbour.litter() == []


@pytest.mark.slow
def test_memory_is_what_was_done_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)

    run_state_machine_as_test(
        Memory,
        settings=settings(
            max_examples=40,
            stateful_step_count=15,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
