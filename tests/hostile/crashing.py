"""A project with memory of every sort, what people do in it, and what must hold after any end.

It stands at one path and is put back there as often as asked: the journal holds absolute paths.
Time stands still and names are counted, so that the same verb writes the same bytes each time.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from tests.failing_disk import CountingDisk, DyingDisk, Killed
from tests.persona_files import add_database, write
from tests.shaktra_files import PRINCIPLES, check, file_of, observed, principle

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.model.change import Intent, Json
from remem.store.io import Disk
from remem.systems.registry import make_known

MEMORY: Final = ".sniper/memory"
BULK: Final = 100
TABLES: Final[Mapping[str, str]] = {
    "home/.night-watch/state.db": "SELECT id, name, is_active FROM agent_personas",
}
"""What is memory in databases: each by its path, with the rows that are compared."""

Picture = Mapping[str, object]
Act = Callable[[Session], object]


def convention(number: int, status: str = "candidate") -> str:
    return (
        f"  - id: conv-{number:03}\n    rule: Harbour rule number {number} holds\n"
        f"    applies_to: [backend-engineer]\n    status: {status}\n"
    )


def _pattern(number: int) -> str:
    return (
        f"  - id: ap-{number:03}\n    description: Port habit {number} breaks builds\n"
        "    severity: medium\n    status: candidate\n"
    )


FILES: Final[Mapping[str, str]] = {
    f"{MEMORY}/conventions.yaml": "# what we agreed on\nconventions:\n"
    + convention(1, "confirmed")
    + convention(2),
    f"{MEMORY}/anti-patterns.yaml": "anti_patterns:\n" + _pattern(1) + "owner: Hill\n",
    f"{MEMORY}/retros/sprint-7-retro.yaml": (
        'sprint: 7\ndate: "2026-05-04"\nfindings:\n  new_conventions:\n'
        "    - {rule: Ferries leave on time, recommendation: codify, confidence: high}\n"
    ),
    ".squad/team.md": "# Team\n\n| Name | Role |\n|---|---|\n| Hill | Lead |\n",
    ".squad/agents/hill/charter.md": "# Hill — Lead\n",
    ".squad/agents/hill/history.md": "# Hill — History\n\n## Learnings\n\n- Tie the boat first\n",
    ".squad/decisions.md": "# Decisions\n\n### 2026-05-01: Use tabs\n**By:** Hill\n",
}
MANY: Final[Mapping[str, str]] = {
    ".squad/team.md": FILES[".squad/team.md"],
    f"{MEMORY}/conventions.yaml": "conventions:\n" + "".join(map(convention, range(1, 61))),
    f"{MEMORY}/anti-patterns.yaml": "anti_patterns:\n" + "".join(map(_pattern, range(1, 41))),
}
RETRO: Final[Mapping[str, str]] = {
    **FILES,
    f"{MEMORY}/retros/sprint-7-retro.yaml": (
        'sprint: 7\ndate: "2026-05-04"\nfindings:\n  new_conventions:\n'
        "    - {rule: Ferries leave on time, recommendation: codify, confidence: high}\n"
        "    - {rule: Cranes are checked at dawn, recommendation: codify, confidence: high}\n"
        "  anti_patterns:\n"
        "    - {pattern: Ropes are left on the quay, recommendation: codify, confidence: medium}\n"
    ),
}
STORY: Final[Mapping[str, str]] = {
    ".squad/team.md": FILES[".squad/team.md"],
    PRINCIPLES: file_of(
        "principles",
        principle("PR-001", "Every ferry answers before it casts off"),
        principle("PR-002", "Cargo is counted once, at the quay"),
    ),
    **observed("ST-040", check(1, "PR-001"), check(2, "PR-002", "contradict")),
}
WATCHED: Final[Mapping[str, str]] = {
    ".night-watch/agents/Hill/memories/acme/reviewer.md": "# Reviewer\n\n- Ask for a test\n",
}


@dataclass
class Harbour:
    """A root `acme`, a home with one more persona, a state folder; and those who work on them."""

    base: Path
    files: Mapping[str, str] = field(default_factory=lambda: FILES)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.root = self.base / "live" / "acme"
        self.home = self.base / "live" / "home"
        self.places = Places.of(self.home)
        self.benches: list[Session] = []
        self.ids = 0

    def build(self) -> Harbour:
        write(self.root, self.files)
        write(self.home, WATCHED)
        add_database(self.home, {"id": "p1", "name": "Hill", "role": "Reviewer", "is_active": 1})
        return self

    def keep(self) -> Harbour:
        """Remember all of it, the history included, as what `put_back` returns to."""
        self.close()
        shutil.copytree(self.base / "live", self.base / "kept", dirs_exist_ok=True)
        self.ids_kept = self.ids
        return self

    def put_back(self) -> None:
        self.close()
        shutil.rmtree(self.base / "live")
        shutil.copytree(self.base / "kept", self.base / "live")
        self.ids = self.ids_kept

    def bench(self, disk: Disk | None = None) -> Session:
        """Open it as one more process would."""
        make_known()
        clock = Clock(lambda: self.now, self._next_id)
        bench = Session.open(self.root, self.places, door="cli", clock=clock, disk=disk)
        self.benches.append(bench)
        return bench

    def close(self) -> None:
        """End every process in good order."""
        while self.benches:
            self.benches.pop().close()

    def abandon(self) -> None:
        """End every process without a word: only what the system itself gives back."""
        while self.benches:
            self.benches.pop().journal.close()

    def _next_id(self) -> str:
        self.ids += 1
        return f"{self.ids:08x}{'0' * 24}"

    def do(self, act: Act) -> None:
        """Let a process of its own do it."""
        act(self.bench())
        self.close()

    @property
    def _memory(self) -> tuple[Path, Path]:
        return self.root, self.home / ".night-watch"

    def picture(self) -> Picture:
        """Return every file, folder and row of memory, and how each file may be used."""
        found: dict[str, object] = {}
        for top in self._memory:
            for path, mode, data in _below(top):
                name = str(path.relative_to(self.base / "live"))
                if not name.startswith(tuple(TABLES)):
                    found[name] = (mode, data)
        for name, query in TABLES.items():
            if (self.base / "live" / name).exists():
                with closing(sqlite3.connect(self.base / "live" / name)) as sql:
                    found[f"rows of {name}"] = sql.execute(query).fetchall()
        return found

    def all(self) -> list[object]:
        """Return all that is on disk, remem's own state included; of databases what is committed.

        Whoever starts next knows nothing else, so of two equal ones only one need be tried.
        """
        found: list[object] = []
        for path, mode, data in _below(self.base / "live"):
            if path.suffix == ".db" and data:
                with closing(sqlite3.connect(path)) as sql:
                    found.append((path, mode, [*sql.iterdump()]))
            elif not path.name.endswith(("-wal", "-shm")):
                found.append((path, mode, data))
        return found

    def history(self) -> list[tuple[str, bool]]:
        """Return what the history says stands, newest first."""
        return told_by(self.bench())

    def litter(self) -> list[str]:
        """Return what lies about: names beside files, intents, and parked files nobody knows."""
        journal = (self.benches[-1] if self.benches else self.bench()).journal
        parked = {each.path for each in journal.parked()} if hasattr(journal, "parked") else set()
        beside = [
            path
            for top in self._memory
            for path, _, _ in _below(top)
            if path.name.startswith(".remem-")
        ]
        state = self.places.state
        left = [
            path
            for name in ("running", "parked")
            if (state / name).is_dir()
            for path in (state / name).iterdir()
        ]
        return [str(path) for path in (*beside, *left) if path not in parked]


def told_by(bench: Session) -> list[tuple[str, bool]]:
    """Return what the history says stands, newest first."""
    return [(each.title, each.undone) for each in bench.past.changes()]


def _below(folder: Path) -> list[tuple[Path, int, bytes | None]]:
    found: list[tuple[Path, int, bytes | None]] = []
    with os.scandir(folder) as each:
        for entry in each:
            path = Path(entry.path)
            mode = entry.stat(follow_symlinks=False).st_mode
            if entry.is_dir(follow_symlinks=False):
                found.append((path, mode, None))
                found += _below(path)
            else:
                found.append((path, mode, path.read_bytes()))
    return found


@dataclass(frozen=True)
class Case:
    """Something that a person does, and what was done before."""

    name: str
    act: Act
    given: tuple[Act, ...] = ()
    files: Mapping[str, str] = field(default_factory=lambda: FILES)
    every: int = 1
    """Of the calls of a long plan one in so many is tried; the rest are like those of others."""

    def at(self, base: Path) -> Harbour:
        harbour = Harbour(base, self.files).build()
        for earlier in self.given:
            harbour.do(earlier)
        return harbour.keep()


def on(verb: str, *ids: str, **arguments: Json) -> Act:
    """Return what decides on entries by their ids."""

    def act(bench: Session) -> object:
        entries = [bench.library.resolve(each) for each in ids]
        return bench.apply(bench.intend(verb, entries, **arguments))

    return act


def approve_finding(bench: Session) -> object:
    (item,) = (item for item in bench.queue() if item.kind == "convention" and "Ferr" in item.title)
    return bench.apply(Intent("approve", {item.ref: item.digest}))


def approve_all(bench: Session) -> object:
    shown = {item.ref: item.digest for item in bench.queue()}
    assert len(shown) == BULK
    return bench.apply(Intent("approve", shown))


def ingest(bench: Session) -> object:
    path = f"{MEMORY}/retros/sprint-7-retro.yaml"
    return bench.apply(Intent("retro.ingest", {}, {"path": path}))


def consolidate(bench: Session) -> object:
    return bench.apply(Intent("consolidate", {}, {"story": "ST-040"}))


def archive_entry(bench: Session) -> object:
    (entry,) = (each for each in bench.library.entries() if each.title == "Tie the boat first")
    return bench.apply(bench.intend("archive", [entry]))


def begun(bench: Session) -> object:
    """Let remem's own folders be there, which the first change of all makes."""
    return bench.committer


def persona(verb: str, **arguments: Json) -> Act:
    def act(bench: Session) -> object:
        return bench.apply(Intent(f"persona.{verb}", {}, {"persona": "Hill", **arguments}))

    return act


def undo(bench: Session) -> object:
    return bench.undo()


def redo(bench: Session) -> object:
    return bench.redo()


APPROVE: Final = on("approve", "conv-002")
RENAME: Final = persona("rename", to="Mara")
ARCHIVE: Final = persona("archive")
MOVE: Final = persona("move", **{"from": "squad", "to": "claude-project"})

CASES: Final = (
    Case("approve a finding", approve_finding),
    Case("approve a candidate", APPROVE),
    Case("reject", on("reject", "conv-002", reason="wrong"), (begun,)),
    Case("edit", on("edit", "conv-001", text="Harbour rule one, put better"), (begun,)),
    Case("approve a hundred", approve_all, (begun,), files=MANY, every=3),
    Case("rename a persona", RENAME),
    Case("archive a persona", ARCHIVE, (begun,)),
    Case("move a persona to another tool", MOVE, (begun,)),
    Case("undo an approval", undo, (APPROVE,)),
    Case("undo a rename", undo, (RENAME,)),
    Case("redo an approval", redo, (APPROVE, undo)),
    Case("redo an archive", redo, (ARCHIVE, undo)),
)
MORE_CASES: Final = (
    Case("archive an entry", archive_entry, (begun,)),
    Case("ingest a retro", ingest, (begun,), files=RETRO),
    Case("consolidate a story", consolidate, (begun,), files=STORY),
    Case("undo an archived entry", undo, (archive_entry,)),
    Case("undo an ingest", undo, (ingest,), files=RETRO),
    Case("undo a consolidation", undo, (consolidate,), files=STORY),
    Case("redo a rename", redo, (RENAME, undo)),
)
"""For the slow tests alone; what writes to a database of its own adds that to `TABLES`."""


def every_case() -> list[ParameterSet]:
    """Return all cases as parameters; those beyond the usual ones are marked slow."""
    return [
        *(pytest.param(case, id=case.name) for case in CASES),
        *(pytest.param(case, id=case.name, marks=pytest.mark.slow) for case in MORE_CASES),
    ]


@dataclass(frozen=True)
class Settled:
    """What remem made of what it found when it started."""

    side: str
    """`before`, `after`, or what is neither."""
    wrong: Sequence[str]
    """All that does not hold."""


@dataclass(frozen=True)
class Ends:
    """The two pictures between which there is nothing, each with what the history says."""

    before: Picture
    after: Picture
    before_history: list[tuple[str, bool]]
    after_history: list[tuple[str, bool]]
    disk: CountingDisk
    """What the verb asked of the disk."""
    settled: dict[str, Settled] = field(default_factory=dict)
    """What became of each state that was tried, by a digest of all."""

    def side(self, picture: Picture, history: list[tuple[str, bool]]) -> str:
        """Say which end this is; anything but `before` and `after` tells what is wrong."""
        if picture == self.before:
            return "before" if history == self.before_history else "undone, but the history has it"
        if picture == self.after:
            return "after" if history == self.after_history else "done, but not in the history"
        return f"neither: {_difference(picture, self.before)} | {_difference(picture, self.after)}"

    def torn(self, picture: Picture, *, appending: bool) -> list[str]:
        """Return the live files that are not one whole version, names beside them left out.

        Args:
            picture: As it was found after the crash, before any recovery.
            appending: The crash was in the middle of a write, which may have been an append.
        """
        versions: dict[str, list[bytes]] = {}
        for each in (self.before, self.after):
            for name, value in each.items():
                if (data := _bytes(value)) is not None:
                    versions.setdefault(_last(name), []).append(data)
        wrong = [
            f"{name} is gone"
            for name, value in self.before.items()
            if _bytes(value) is not None and name in self.after and name not in picture
        ]
        for name, value in picture.items():
            data = _bytes(value)
            if data is None or _last(name).startswith(".remem-"):
                continue
            whole = versions.get(_last(name), [])
            if data in whole or (appending and _is_half_an_append(data, whole)):
                continue
            wrong.append(f"{name} is torn: {data[-60:]!r}")
        return wrong


def ends_of(harbour: Harbour, case: Case) -> Ends:
    """Carry a case out undisturbed and return both ends; all is put back."""
    harbour.put_back()
    before, before_history = harbour.picture(), harbour.history()
    disk = CountingDisk()
    case.act(harbour.bench(disk))
    calls = len(disk.calls)
    harbour.close()
    del disk.calls[calls:]  # leaving is not part of it
    after, after_history = harbour.picture(), harbour.history()
    assert after != before
    return Ends(before, after, before_history, after_history, disk)


def crash(harbour: Harbour, case: Case, at: int, how: str) -> None:
    """Put all back and let the verb end at its `at`-th call."""
    harbour.put_back()
    try:
        case.act(harbour.bench(DyingDisk(at, how)))
    except Killed:
        harbour.abandon()
        return
    raise AssertionError(f"{case.name} made fewer than {at} calls")


def start_again(harbour: Harbour) -> None:
    """Start remem, which recovers what it finds, and end it."""
    harbour.do(Session.begin)


def settled(harbour: Harbour, ends: Ends) -> Settled:
    """Start twice, each time as a process of its own; a state that was tried is not tried again."""
    harbour.close()
    state = sha256(repr(harbour.all()).encode()).hexdigest()
    if state not in ends.settled:
        ends.settled[state] = _settled(harbour, ends)
    return ends.settled[state]


def _settled(harbour: Harbour, ends: Ends) -> Settled:
    start_again(harbour)
    first = harbour.picture()
    bench = harbour.bench()
    bench.begin()
    wrong = [] if harbour.picture() == first else ["the second start changed something"]
    side = ends.side(first, told_by(bench))
    if side not in ("before", "after"):
        wrong.append(side)
    if litter := harbour.litter():
        wrong.append(f"left: {litter}")
    harbour.close()
    return Settled(side, wrong)


def violations(harbour: Harbour, ends: Ends) -> Sequence[str]:
    """Say what does not hold once remem started again."""
    return settled(harbour, ends).wrong


def memory_folder() -> str | None:
    """Return a folder in memory, if there is one: SQLite's own syncs cost minutes elsewhere."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _bytes(value: object) -> bytes | None:
    return value[1] if isinstance(value, tuple) and isinstance(value[1], bytes) else None


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _is_half_an_append(data: bytes, versions: list[bytes]) -> bool:
    return any(
        longer.startswith(data) and data.startswith(shorter)
        for shorter in versions
        for longer in versions
        if len(shorter) < len(longer)
    )


def _difference(one: Picture, two: Picture) -> str:
    names = sorted(
        name for name in {*one, *two} if one.get(name, "absent") != two.get(name, "absent")
    )
    return ", ".join(names)
