"""A small world that changes are committed in, and pictures of it to compare."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from remem.base.clock import Clock
from remem.model.change import (
    Change,
    Create,
    Delete,
    Derived,
    Effect,
    Intent,
    Move,
    RowEdit,
    Splice,
)
from remem.model.entry import digest_of
from remem.store.changes.commit import Committer
from remem.store.databases.row_sets import RowSets
from remem.store.history.journal import Journal
from remem.store.history.journal_records import Origin
from remem.store.io import Disk
from remem.store.own_writes import OwnWrites

STORE = b"conventions:\n  - id: conv-001\n    status: candidate # waits\n  - id: conv-002\n"
_NUMBERS = count(1)


def next_id() -> str:
    return f"{next(_NUMBERS):08x}{'0' * 24}"


@dataclass
class World:
    """A root with files of every sort, a state folder, and those who work on them."""

    base: Path
    disk: Disk = field(default_factory=Disk)
    own: OwnWrites = field(default_factory=OwnWrites)
    others: "list[World]" = field(default_factory=list)
    rows: RowSets = field(default_factory=RowSets)

    def __post_init__(self) -> None:
        self.root = self.base / "root"
        self.state = self.base / "state"
        self.store = self.root / "store.yaml"
        self.journal = Journal(self.disk, self.state)
        self.clock = Clock(new_id=next_id)
        given = (self.disk, self.journal, self.clock, self.state)
        self.committer = Committer(*given, own=self.own, rows=self.rows)

    def build(self) -> "World":
        (self.root / "hill").mkdir(parents=True)
        self.store.write_bytes(STORE)
        (self.root / "hill" / "history.md").write_bytes(b"# Hill\r\n- one\r\n")
        (self.root / "old.md").write_bytes(b"going\n")
        (self.root / "summary.md").write_bytes(b"2 of 2\n")
        with closing(sqlite3.connect(self.root / "state.db")) as sql:
            sql.execute("CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, active INTEGER)")
            sql.execute("INSERT INTO people VALUES ('a', 'Hill', 1)")
            sql.commit()
        return self

    def after(self, disk: Disk) -> "World":
        """Return the same world as another process sees it, whose disk is this one."""
        other = World(self.base, disk)
        self.others.append(other)
        return other

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        for world in (self, *self.others):
            world.journal.close()

    def commit(self, *effects: Effect, title: str = "Change") -> str:
        change = Change(Intent("test"), title, effects)
        return self.committer.commit(change, self.render, Origin(self.root)).id

    def undo(self, id: str) -> bool:  # noqa: A002
        return self.committer.undo(id, self.render).exact

    def redo(self, id: str) -> bool:  # noqa: A002
        return self.committer.redo(id, self.render).exact

    def render(self, derived: Derived) -> bytes | None:
        confirmed = self.store.read_bytes().count(b"confirmed")
        return b"%d confirmed\n" % confirmed

    def splice(self, old: bytes, new: bytes, path: Path | None = None) -> Splice:
        return splice_in(path or self.store, old, new)

    def everything(self) -> tuple[Effect, ...]:
        """Return one effect of every sort, several on one file."""
        old = self.root / "old.md"
        return (
            self.splice(b"candidate", b"confirmed"),
            self.splice(b"conv-002\n", b"conv-002\n    status: active\n"),
            Create(self.root / "deep" / "er" / "new.md", b"fresh\n"),
            Delete(old, old.read_bytes(), digest_of(old.read_bytes())),
            Move(self.root / "hill", self.root / "people" / "mara"),
            self.splice_moved(),
            RowEdit(
                self.root / "state.db",
                "people",
                {"id": "a"},
                {"name": "Hill", "active": 1},
                {"name": "Mara", "active": 1},
            ),
            Derived(self.root / "summary.md", "test"),
            Derived(self.root / "count.md", "test"),
        )

    def splice_moved(self) -> Splice:
        data = (self.root / "hill" / "history.md").read_bytes()
        at = data.index(b"Hill")
        path = self.root / "people" / "mara" / "history.md"
        return Splice(path, at, at + 4, b"Hill", b"Mara", digest_of(data))

    def picture(self) -> dict[str, object]:
        """Return every file, folder and row, names beside files included."""
        found: dict[str, object] = {
            str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else None
            for path in self.root.rglob("*")
            if path.name != "state.db"
        }
        with closing(sqlite3.connect(self.root / "state.db")) as sql:
            found["row"] = sql.execute("SELECT * FROM people").fetchall()
        return found

    def litter(self) -> list[str]:
        beside = [path.name for path in self.root.rglob(".remem-*")]
        running = self.state / "running"
        return beside + ([path.name for path in running.iterdir()] if running.exists() else [])


def splice_in(path: Path, old: bytes, new: bytes) -> Splice:
    data = path.read_bytes()
    start = data.index(old)
    return Splice(path, start, start + len(old), old, new, digest_of(data))


def append(path: Path, line: bytes) -> None:
    with path.open("ab") as file:
        file.write(line)
