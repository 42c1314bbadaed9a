"""Whichever effect of a verb on facts is the last one, or is refused, rows and history agree.

An effect is a call for a file or a statement for a database, remem's history included. In the
ordinary suite some of them, under `slow` every one.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from tests.hostile.crashing import memory_folder
from tests.hostile.striking import BROKEN, DONE, KILLED, NEVER, REFUSED, Effects, How, run_struck

from remem.base.clock import Clock
from remem.core.own_folder import IGNORED
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.citation import parse_place
from remem.store.io import Disk
from remem.systems.facts.records import NewMemory
from remem.systems.facts.service import VerifiedMemory

pytestmark = pytest.mark.slow

CODE: Final = "src/berth.ts"
FACTS: Final = ("Berths are numbered", "Tugs are called by radio")
LOOKS: Final = "('retrieved', 'verified_valid', 'verified_invalid', 'applied')"
BEGAN: Final = datetime(2026, 11, 20, 8, tzinfo=UTC)
AT_ITS_END: Final[Sequence[How]] = ("after", "before")
REFUSALS: Final[Sequence[tuple[How, int]]] = (
    ("refused", errno.EIO),
    ("refused and on", errno.ENOSPC),
)
SOME: Final = 7
"""In the ordinary suite every so many-th effect is struck, and each COMMIT."""
Side = tuple[list[Any], list[tuple[str, bool]]]
Act = Callable[["Quay", Disk], object]


@dataclass
class Quay:
    """A root with two facts, put back at one path as often as asked."""

    base: Path

    def __post_init__(self) -> None:
        self.root = self.base / "live" / "quay"
        self.places = Places.of(self.base / "live" / "home")
        self.began = self.began_then = BEGAN

    def build(self) -> Quay:
        (self.root / "src").mkdir(parents=True)
        (self.root / CODE).write_text("one\ntwo\n", encoding="utf-8")
        return self

    def keep(self) -> Quay:
        shutil.copytree(self.base / "live", self.base / "kept", dirs_exist_ok=True)
        self.began_then = self.began
        return self

    def put_back(self) -> None:
        shutil.rmtree(self.base / "live")
        shutil.copytree(self.base / "kept", self.base / "live")
        self.began = self.began_then

    def clock(self) -> Clock:
        """Return one that goes the same way each time, an hour after the one before."""
        self.began += timedelta(hours=1)
        began, seconds, ids = self.began, count(), count(1)
        hour = f"{began:%d%H}"
        return Clock(
            lambda: began + timedelta(seconds=next(seconds)),
            lambda: f"{hour}{next(ids):04x}{'0' * 24}",
        )

    def service(self, disk: Disk | None = None) -> VerifiedMemory:
        return VerifiedMemory(self.root, self.places, disk=disk, clock=self.clock())

    def bench(self, disk: Disk | None = None) -> Session:
        return Session.open(self.root, self.places, door="cli", disk=disk, clock=self.clock())

    def side(self) -> Side:
        """Let remem start, and return every row of facts, and what the history says of them."""
        with closing(self.bench()) as bench:
            bench.begin()
            told = [(each.title, each.undone) for each in bench.past.changes()]
        return self.rows(), told

    def rows(self) -> list[Any]:
        database = self.root / ".remem" / "memory.db"
        if not database.exists():
            return []
        with closing(sqlite3.connect(database)) as sql:
            if not sql.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
                return []
            facts = sql.execute("SELECT * FROM agent_memory ORDER BY id").fetchall()
            events = f"SELECT * FROM agent_memory_telemetry WHERE event NOT IN {LOOKS} ORDER BY id"
            return [*facts, *sql.execute(events).fetchall()]

    def left(self) -> list[str]:
        folder = self.places.state / "running"
        return [path.name for path in folder.iterdir()] if folder.exists() else []

    def may_be_committed(self) -> bool:
        """Tell whether git would take the facts of one person for everyone's."""
        ignored = self.root / ".remem" / ".gitignore"
        is_whole = ignored.exists() and ignored.read_bytes() == IGNORED
        return bool(self.rows()) and not is_whole


def _new(fact: str) -> NewMemory:
    return NewMemory("quay", fact, fact, (parse_place(f"{CODE}:1-2"),))


def _served(act: Callable[[VerifiedMemory], object]) -> Act:
    def served(quay: Quay, disk: Disk) -> None:
        with closing(quay.service(disk)) as service:
            act(service)

    return served


def _at_desk(act: Callable[[Session], object]) -> Act:
    def at_desk(quay: Quay, disk: Disk) -> None:
        with closing(quay.bench(disk)) as bench:
            act(bench)

    return at_desk


def _first(service: VerifiedMemory) -> str:
    return min((str(e.created_at), e.id) for e in service.store.every_active(service.repository))[1]


def _reanchor(service: VerifiedMemory) -> None:
    service.reanchor(service.look(service.store.every_active(service.repository)))


def _push_down(quay: Quay, _disk: Disk) -> None:
    code = quay.root / CODE
    code.write_text(f"zero\n{code.read_text('utf-8')}", encoding="utf-8")


def _retire(bench: Session) -> None:
    facts = [each for each in bench.library.entries() if each.kind == "fact"]
    bench.apply(bench.intend("memory.retire", facts, reason="nobody asks"))


BOTH: Final[tuple[Act, ...]] = tuple(
    _served(lambda service, fact=fact: service.keep(_new(fact)))  # type: ignore[misc]
    for fact in FACTS
)
SUPERSEDE: Final = _served(lambda service: service.supersede(_first(service), "Berths have names"))
RETIRE: Final = _at_desk(_retire)
UNDO: Final = _at_desk(Session.undo)
REDO: Final = _at_desk(Session.redo)
CASES: Final[dict[str, tuple[Act, Sequence[Act]]]] = {
    "the first fact of a root": (BOTH[0], ()),
    "a further fact": (BOTH[1], BOTH[:1]),
    "refresh": (_served(lambda service: service.refresh(_first(service))), BOTH),
    "invalidate": (_served(lambda service: service.invalidate(_first(service), "no")), BOTH),
    "supersede": (SUPERSEDE, BOTH),
    "re-anchor two": (_served(_reanchor), (*BOTH, _push_down)),
    "retire two": (RETIRE, BOTH),
    "undo of one that was superseded": (UNDO, (*BOTH, SUPERSEDE)),
    "undo of two that were retired": (UNDO, (*BOTH, RETIRE)),
    "redo of one that was superseded": (REDO, (*BOTH, SUPERSEDE, UNDO)),
}


@dataclass
class Struck:
    """A verb with the two sides between which there is nothing."""

    name: str
    act: Act
    quay: Quay
    before: Side
    after: Side
    effects: Sequence[str]

    def strike(self, at: int, how: How, number: int = errno.EIO) -> tuple[int, str]:
        """Let the verb be carried out with that effect struck; return how it ended, and words."""
        self.quay.put_back()
        told = self.quay.base / "told"
        effects = Effects(at, how, number)
        code = run_struck(lambda disk: self.act(self.quay, disk), effects, told)
        words = told.read_text(encoding="utf-8") if told.exists() else ""
        told.unlink(missing_ok=True)
        return code, words

    def wrong(self, at: int, how: How, number: int = errno.EIO) -> list[str]:
        code, words = self.strike(at, how, number)
        place = f"{how} {errno.errorcode[number]} at {at} {self.effects[at - 1]}"
        if code == BROKEN:
            return [f"{place}: broke: {words}"]
        side = self.quay.side()
        first = words.partition("\n")[0]
        wrong = []
        if side not in (self.before, self.after):
            wrong.append(f"neither: {[r[:4] for r in side[0]]} {side[1]} after {code} {first}")
        if code == DONE and side != self.after:
            wrong.append("told that it is done, and it is not")
        is_open = "not known" in first or "on the next start" in first
        if code == REFUSED and side != self.before and not is_open:
            wrong.append(f"told that it is not done, and it is: {first}")
        if code == REFUSED and not first:
            wrong.append("refused without a word")
        if self.quay.may_be_committed():
            wrong.append("facts are there, and git may take them")
        if self.quay.left():
            wrong.append(f"left: {self.quay.left()}")
        if self.quay.side() != side:
            wrong.append("the second start changed something")
        return [f"{place}: {each}" for each in wrong]


@pytest.fixture(scope="module", params=CASES)
def struck(request: pytest.FixtureRequest) -> Iterator[Struck]:
    act, given = CASES[request.param]
    with TemporaryDirectory(dir=memory_folder()) as folder:
        quay = Quay(Path(folder)).build()
        for earlier in given:
            earlier(quay, Disk())
        quay.keep()
        made = Struck(request.param, act, quay, ([], []), ([], []), ())
        made.before = quay.side()
        quay.put_back()
        code, words = made.strike(NEVER, "before")
        assert code == DONE, words
        made.after, made.effects = quay.side(), words.split("\n")[1:]
        assert made.after[0] != made.before[0]
        assert any(name.startswith("sql") for name in made.effects)
        yield made


def _every(struck: Struck, step: int = 1) -> range:
    return range(1, len(struck.effects) + 1, step)


def _some(struck: Struck) -> list[int]:
    """Return every so many-th effect, and all by which a transaction comes to stand."""
    ends = {at for at, name in enumerate(struck.effects, 1) if name == "sql COMMIT"}
    return sorted(ends.union(_every(struck, SOME)))


def test_killed_somewhere_facts_and_history_are_both_before_or_after(struck: Struck) -> None:
    turn = cycle(AT_ITS_END)

    assert [each for at in _some(struck) for each in struck.wrong(at, next(turn))] == []


def test_refused_somewhere_facts_and_history_agree_and_what_is_told_is_true(
    struck: Struck,
) -> None:
    turn = cycle(REFUSALS)

    assert [e for at in _some(struck) for e in struck.wrong(at, *next(turn))] == []


def test_killed_at_every_effect_facts_and_history_are_both_before_or_after(struck: Struck) -> None:
    assert struck.strike(1, "before")[0] == KILLED

    # To end before an effect is to end after the one before it.
    assert [e for at in _every(struck) for e in struck.wrong(at, "after")] == []


@pytest.mark.parametrize(("how", "number"), REFUSALS, ids=["EIO", "ENOSPC from then on"])
def test_refused_at_every_effect_facts_and_history_agree_and_what_is_told_is_true(
    struck: Struck, how: How, number: int
) -> None:
    assert [e for at in _every(struck) for e in struck.wrong(at, how, number)] == []
