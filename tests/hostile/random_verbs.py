"""Verbs that a person might type in any order, on every system of memory at once.

The project is the demo inside a workspace, with plain files and a pack beside what the demo has.
What a verb is about is picked by a seed from what is there; some of it is refused, as in life.
Time and ids are counted, so that a seed does the same again: `python -m tests.hostile.random_verbs
SEED... [--verbs N]` prints of each what share changed something, and what is not as it was.
"""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from tests.hostile.crashing import memory_folder

from remem.base.clock import Clock
from remem.cli.invocation import Invocation
from remem.cli.main import run
from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_demo, home_of
from remem.model.entry import Entry, Status
from remem.systems.registry import make_known

Words = tuple[str, ...]
Snapshot = Mapping[str, object]
DATABASES: Final = {"memory.db", "state.db"}
_LOOKS: Final = "('retrieved', 'verified_valid', 'verified_invalid', 'applied')"
"""Events of looking and using, which nobody takes back."""
APPLIED: Final = 0.6
"""The share of verbs that must have changed something for a run to tell anything."""
_REOPENED: Final = 20
"""After so many verbs the screens are closed, and others opened."""
_BEGAN: Final = datetime(2026, 11, 20, 8, tzinfo=UTC)
CODE: Final = "quay/ropes.py"
_NAMES: Final = ("Odile", "Ravn", "Søren", "Mei-Lin", "Tove", "Ibis", "Knut")
_TEXTS: Final = (
    "Boards are repainted only when a sailing changed",
    "Ask the harbour master before a berth is closed",
    "Every timetable import is checked against last week's",
    "A crew list holds no more than is needed",
    "Notices go out in the order of departures",
    "Fares are rounded once, at the very end",
    "The radio log is kept for a year",
    "Tickets are scanned before the ramp is lifted",
)
PLAIN: Final = """# How we work

- Berths are told by their number
- Tugs are asked for by radio

## Tests

- The tide is passed in
- Run `make check` before a push
"""
SHARED: Final = """conventions:
  - id: conv-001
    rule: "Every service logs in UTC"
    applies_to: [backend-engineer]
  - id: conv-002
    rule: "No service reads another one's tables"
    status: candidate
"""


@dataclass
class Harbours:
    """A workspace with one project of every system, its home, and a shell at it."""

    base: Path
    log: list[tuple[int, Words, str]] = field(default_factory=list)
    """Exit code, command and complaint of every command."""

    def __post_init__(self) -> None:
        seconds, ids = count(), count(1)
        self.clock = Clock(
            lambda: _BEGAN + timedelta(seconds=next(seconds)),
            lambda: f"{next(ids):08x}{'0' * 24}",
        )
        self._open: Session | None = None

    def build(self) -> Harbours:
        made = build_demo(self.base / "made")
        self.root = self.base / "acme" / "repositories" / "harbour"
        self.root.parent.mkdir(parents=True)
        shutil.copytree(made, self.root)
        self.home = self.base / "home"
        shutil.copytree(home_of(made), self.home)
        shutil.rmtree(self.base / "made")
        shared = self.base / "acme" / "memory"
        shared.mkdir()
        (shared / "conventions.yaml").write_text(SHARED, encoding="utf-8")
        (self.base / "acme" / "workspace.yaml").write_text("name: acme\n", encoding="utf-8")
        for name in ("CLAUDE.md", "AGENTS.md"):
            (self.root / name).write_text(PLAIN, encoding="utf-8")
        (self.root / "CLAUDE.md").chmod(0o640)
        (self.root / "notes").mkdir()
        (self.root / "notes" / "tides.md").write_text(PLAIN, encoding="utf-8")
        self.code = self.root / CODE
        self.code.parent.mkdir()
        self.code.write_text("".join(f"rope({n})\n" for n in range(60)), encoding="utf-8")
        self.pack = self.base / "pack.yaml"
        self.shell("export", "-o", str(self.pack))
        text = self.pack.read_text(encoding="utf-8").replace("the", "each")
        self.pack.write_text(text, encoding="utf-8")
        self.answers = self.base / "answer.txt"
        self.log.clear()
        return self

    def shell(self, *words: str) -> int:
        """Run a command on what is open."""
        invocation = Invocation(clock=self.clock)
        invocation.session = self.bench
        out, err = io.BytesIO(), io.BytesIO()
        to_out = io.TextIOWrapper(out, "utf-8", write_through=True)
        to_err = io.TextIOWrapper(err, "utf-8", write_through=True)
        places = ("--root", str(self.root), "--home", str(self.home))
        with redirect_stdout(to_out), redirect_stderr(to_err):
            code = run([*words, *places], invocation)
        self.log.append((code, words, err.getvalue().decode()))
        return code

    @property
    def bench(self) -> Session:
        """What is open; opening it takes as long as several verbs."""
        if self._open is None:
            self._open = Session.open(self.root, Places.of(self.home), door="cli", clock=self.clock)
        return self._open

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None

    def stands(self) -> int:
        """Return how many changes of a person the history has; what followed goes with them."""
        return sum(each.origin.set_off == "person" for each in self.bench.past.changes(10**6))

    def outside(self) -> list[str]:
        """Return what the history calls a change of others; there are none here."""
        return [f"{each.path.name}, {each.cause}" for each in self.bench.past.outside()]

    def each(self, verb: str, times: int) -> list[str]:
        """Undo or redo so many times; return what was refused, or not told as it is."""
        wrong: list[str] = []
        for number in range(times):
            code = self.shell(verb)
            told = self.log[-1][2]
            if code or "changes by others" in told:
                wrong.append(f"{verb} {number}: {told}")
        return wrong

    def snapshot(self) -> Snapshot:
        """Return every file with its mode and bytes, and of databases every row."""
        own = (Places.of(self.home).state, Places.of(self.home).cache, self.code.parent)
        found: dict[str, object] = {}
        for top in (self.base / "acme", self.home):
            for folder, names, files in os.walk(top):
                here = Path(folder)
                names[:] = [name for name in names if here / name not in own]
                found |= {
                    str(path.relative_to(self.base)): _look(path) for path in _in(here, files)
                }
                found |= {
                    str((here / name).relative_to(self.base)): "folder"
                    for name in names
                    if not _holds_own(here / name, own)
                }
        return found


def _in(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    return (folder / name for name in names if not name.endswith(("-wal", "-shm")))


def _holds_own(folder: Path, own: Sequence[Path]) -> bool:
    return any(each.is_relative_to(folder) for each in own)


def _look(path: Path) -> object:
    mode = path.stat().st_mode
    if path.name not in DATABASES:
        return mode, path.read_bytes()
    with closing(sqlite3.connect(path)) as sql:
        made = dict(sql.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        indexes = tuple(name for name, text in made.items() if "USING fts5" in text)
        # How an index of words is cut into pages is its own; that it has the same texts is not.
        pages = {f"{name}_{part}" for name in indexes for part in _PAGES}
        return mode, {
            name: sql.execute(_rows_of(name, indexes)).fetchall()
            for name in sorted({*made} - pages)
        }


_PAGES: Final = ("data", "idx", "content", "docsize", "config")


def _rows_of(table: str, indexes: Sequence[str]) -> str:
    if table in indexes:
        return f"SELECT * FROM {table} ORDER BY memory_id"
    if table == "agent_memory_telemetry":
        return f"SELECT * FROM {table} WHERE event NOT IN {_LOOKS} ORDER BY id"
    return f"SELECT * FROM {table}"


def differing(one: Snapshot, other: Snapshot) -> list[str]:
    """Return which places are not the same, shortly."""
    return sorted(
        f"{name}: {_told(one.get(name))} -> {_told(other.get(name))}"
        for name in {*one, *other}
        if one.get(name) != other.get(name)
    )


def _told(value: object) -> str:
    if isinstance(value, tuple) and isinstance(value[1], bytes):
        return f"{value[0]:o} {len(value[1])} bytes"
    return "nothing" if value is None else str(value)[:60]


class Person:
    """Thinks of the next verb."""

    def __init__(self, harbours: Harbours, seed: int) -> None:
        self._harbours = harbours
        self._random = Random(seed)

    def next(self) -> Words:
        """Return the next command, on what is there now."""
        self._bench.refresh()
        while True:
            found = self._random.choice(VERBS)(self)
            if found is not None:
                return found

    @property
    def _bench(self) -> Session:
        return self._harbours.bench

    @property
    def library(self) -> Library:
        return self._bench.library

    def entries(self, *kinds: str) -> list[Entry]:
        return [
            entry
            for source in self.library.complete()
            for entry in source.entries
            if not kinds or entry.kind in kinds
        ]

    def one(self, found: Sequence[Entry]) -> str | None:
        return self.library.short(self._random.choice(found).ref) if found else None

    def some(self, found: Sequence[Entry], most: int = 3) -> Words:
        count = min(len(found), self._random.randint(1, most))
        return tuple(self.library.short(each.ref) for each in self._random.sample(found, count))

    def text(self) -> str:
        return f"{self._random.choice(_TEXTS)} {self._random.randint(1, 99_999)}"

    def waiting(self, most: int) -> Words | None:
        items = self._bench.queue()
        if not items:
            return None
        chosen = self._random.sample(items, min(len(items), self._random.randint(1, most)))
        return tuple(item.id for item in chosen)

    def persona(self) -> str:
        return self._random.choice(sorted({s.owner for s in self.library.sources if s.owner}))

    def name(self) -> str:
        return f"{self._random.choice(_NAMES)}{self._random.randint(1, 99)}"

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def pick(self, *of: str) -> str:
        return self._random.choice(of)

    def answer(self, text: str) -> str:
        self._harbours.answers.write_text(text, encoding="utf-8")
        return str(self._harbours.answers)

    def rope(self) -> str:
        """Return lines of the code that prove something."""
        first = self._random.randint(1, 50)
        return f"{CODE}:{first}-{first + self._random.randint(0, 4)}"

    def push_down(self) -> None:
        """Let somebody write a line at the top of the code."""
        code = self._harbours.code
        code.write_text(f"# {self.text()}\n{code.read_text('utf-8')}", encoding="utf-8")

    @property
    def pack(self) -> str:
        return str(self._harbours.pack)


Verb = Callable[[Person], "Words | None"]
_STORES: Final = ("convention", "anti_pattern", "decision")


def _on(one: str | None, *words: str) -> Words | None:
    return None if one is None else tuple(one if word == "REF" else word for word in words)


def _approve(p: Person) -> Words | None:
    items = p.waiting(3)
    more = ("--as-candidate",) if p.chance(0.2) else ()
    return items and ("approve", *items, *more)


def _reject(p: Person) -> Words | None:
    items = p.waiting(2)
    return items and ("reject", *items, "--reason", "too specific")


def _add(p: Person) -> Words:
    kind = p.pick("convention", "anti-pattern", "decision", "learning", "principle")
    return ("add", kind, p.text())


def _add_lesson(p: Person) -> Words:
    if p.chance(0.4):
        return ("add", "lesson", p.text(), "--file", p.pick("CLAUDE.md", "AGENTS.md"))
    return ("add", "lesson", p.text(), "--persona", p.persona())


def _add_under_heading(p: Person) -> Words:
    return (
        "add",
        "lesson",
        p.text(),
        "--file",
        p.pick("CLAUDE.md", "AGENTS.md"),
        "--section",
        "Tests",
    )


def _edit(p: Person) -> Words | None:
    one = p.one(p.entries(*_STORES))
    value = p.pick(f"rationale={p.text()}", "applies_to=[qa-engineer, architect]", "rationale=null")
    return _on(one, "edit", "REF", value)


def _edit_lesson(p: Person) -> Words | None:
    return _on(p.one(p.entries("lesson")), "edit", "REF", f"text={p.text()}")


def _remove(p: Person) -> Words:
    return ("remove", *p.some(p.entries("lesson", *_STORES)))


def _archive(p: Person) -> Words:
    return ("archive", *p.some(p.entries(*_STORES, "learning", "principle", "lesson")))


def _restore(p: Person) -> Words | None:
    away = [each for each in p.entries() if each.status in (Status.ARCHIVED, Status.INVALID)]
    return ("restore", *p.some(away, 2)) if away else None


def _move(p: Person) -> Words:
    place = p.pick("#Testing", "#", p.persona(), f"{p.persona()}#Learnings")
    return ("move", *p.some(p.entries("lesson"), 2), place)


def _pin(p: Person) -> Words | None:
    return _on(p.one(p.entries("lesson")), "pin", "REF")


def _merge(p: Person) -> Words | None:
    items, into = p.waiting(1), p.one(p.entries(*_STORES))
    return (items and into and ("merge", *items, "--into", into)) or None


def _supersede(p: Person) -> Words | None:
    items, old = p.waiting(1), p.one(p.entries(*_STORES))
    return (items and old and ("supersede", *items, "--instead-of", old)) or None


def _scope(p: Person) -> Words | None:
    items, old = p.waiting(1), p.one(p.entries(*_STORES))
    which = p.pick("--role", "--other-role")
    limit = (which, "qa-engineer")
    return (items and old and ("scope", *items, "--apart-from", old, *limit)) or None


def _keep_both(p: Person) -> Words | None:
    items, old = p.waiting(1), p.one(p.entries(*_STORES))
    told = ("--reason", p.text())
    return (items and old and ("keep-both", *items, "--beside", old, *told)) or None


def _merge_lessons(p: Person) -> Words | None:
    memory = p.some(p.entries("lesson"), 1)
    source = p.library.source_of(p.library.resolve(memory[0]).ref)
    others = [each for each in source.entries if p.library.short(each.ref) != memory[0]]
    into = p.one(others)
    return _on(into, "merge", memory[0], "--into", "REF")


def _promote(p: Person) -> Words | None:
    return _on(
        p.one(p.entries("lesson")), "promote", "REF", "--to", p.pick("convention", "learning")
    )


def _promote_candidate(p: Person) -> Words | None:
    waiting = [each for each in p.entries(*_STORES) if each.status is Status.CANDIDATE]
    return _on(p.one(waiting), "promote", "REF")


def _ingest(p: Person) -> Words:
    return ("retro", "ingest", "--sprint", p.pick("5", "6", "7", "8", "9"))


def _retro_run(p: Person) -> Words:
    return ("retro", "run", "--sprint", str(p._random.randint(8, 40)))


def _estimates(p: Person) -> Words | None:
    if p.chance(0.3):
        return ("estimates", "take", "--factor")
    found = [each for each in p.entries("finding") if "patterns" in each.ref.id]
    return _on(p.one(found), "estimates", "take", "REF")


def _learn_add(p: Person) -> Words:
    actor = ("--actor", "qa") if p.chance(0.4) else ()
    return ("learn", "add", p.text(), "--agent", "developer", *actor)


def _learn(p: Person) -> Words | None:
    told: Mapping[str, Words] = {
        "approve": (),
        "confirm": (),
        "invalidate": (),
        "reinforce": ("--by", "ci-17"),
        "recurrence": (),
        "upgrade": ("--status", "active", "--confidence", "0.5"),
    }
    verb = p.pick(*told)
    return _on(p.one(p.entries("learning")), "learn", verb, "REF", *told[verb])


def _learn_two(p: Person) -> Words | None:
    found = p.entries("learning")
    if len(found) < 2:
        return None
    one, two = (p.library.short(each.ref) for each in p._random.sample(found, 2))
    return p._random.choice(
        [
            ("learn", "contradict", one, two),
            ("learn", "supersede", one, "--by", two),
            ("learn", "merge", one, two),
        ]
    )


def _learn_upkeep(p: Person) -> Words:
    year = p.pick("2026", "2027", "2028")
    return p._random.choice(
        [
            ("learn", "decay", "--as-of", f"{year}-12-01", "--apply"),
            ("learn", "prune", "--as-of", f"{year}-12-01"),
        ]
    )


def _persona_new(p: Person) -> Words:
    layout = p.pick("squad", "claude-project", "night-watch", "claude-user")
    return ("persona", "new", p.name(), "--role", "Pilot", "--layout", layout)


def _persona_rename(p: Person) -> Words:
    more = ("--with-references",) if p.chance(0.5) else ()
    return ("persona", "rename", p.persona(), p.name(), *more)


def _persona_archive(p: Person) -> Words:
    return ("persona", p.pick("archive", "restore", "absorb"), p.persona())


def _persona_restore(p: Person) -> Words:
    gone = [s.owner for s in p.library.sources if s.owner and "rchive" in str(s.path)]
    return ("persona", "restore", p._random.choice(gone) if gone else "gannet")


def _persona_merge(p: Person) -> Words:
    return ("persona", "merge", p.persona(), "--into", p.persona())


def _persona_edit(p: Person) -> Words:
    return ("persona", "edit", p.persona(), f"{p.pick('role', 'title', 'description')}={p.text()}")


def _persona_reflect(p: Person) -> Words:
    told = p.answer(f"- {p.text()}\n- {p.text()}\n")
    more = ("--apply",) if p.chance(0.7) else ()
    return ("persona", "reflect", p.persona(), "--trigger", "pr_review", "--answer", told, *more)


def _persona_compact(p: Person) -> Words:
    lessons = [each.title for each in p.entries("lesson")][:40]
    told = p.answer("".join(f"- {title}\n" for title in p._random.sample(lessons, 6)))
    return (
        *("persona", "compact", p.persona(), "--lines", "3", "--target", "8"),
        *("--answer", told, "--apply", "--accept", "all"),
    )


def _detect(p: Person) -> Words | None:
    one = p.one(p.entries("convention", "anti_pattern"))
    return _on(one, "detect", "REF", "--forbid", r"sleep\(\d+\)", "--apply")


def _import(p: Person) -> Words:
    return ("import", p.pack)


def _workspace(p: Person) -> Words | None:
    here = [each for each in p.entries("convention") if each.ref.format == "sniper"]
    one = p.one(here)
    if p.chance(0.3):
        return _on(one, "workspace", "override", "REF", p.pick("conv-001", "conv-002"))
    keep = ("--keep",) if p.chance(0.5) else ()
    return _on(one, "workspace", "promote", "REF", *keep)


def _story(p: Person) -> str:
    return p.pick("ST-102", "ST-103", "ST-104")


def _brief(p: Person) -> Words:
    return ("brief", _story(p))


def _observe(p: Person) -> Words:
    told = ("--type", p.pick("discovery", "deviation", "fix-rationale"), "--text", p.text())
    return ("observe", _story(p), *told, "--importance", str(p._random.randint(1, 10)))


def _consolidate(p: Person) -> Words:
    more = ("--force",) if p.chance(0.5) else ()
    return ("consolidate", _story(p), "--apply", *more)


def _layout(p: Person) -> Words:
    return ("layout", "add", "notes")


def _decide_squad(p: Person) -> Words | None:
    found = [e for e in p.entries("decision") if e.ref.format.startswith("persona")]
    one = p.one(found)
    return _on(one, *p._random.choice([("archive", "REF"), ("remove", "REF"), ("restore", "REF")]))


def _retire(p: Person) -> Words | None:
    found = p.entries("fact")
    return (
        ("memory", "retire", p.pick(*(each.ref.id for each in found)), "--apply") if found else None
    )


def _store(p: Person) -> Words:
    return ("memory", "store", "--subject", p.name(), "--fact", p.text(), "--cite", p.rope())


def _on_fact(p: Person) -> Words | None:
    found = [each for each in p.entries("fact") if each.status is Status.ACTIVE]
    if not found:
        return None
    verb = p.pick("refresh", "refresh", "supersede", "supersede", "invalidate")
    told: Mapping[str, Words] = {
        "refresh": (),
        "supersede": ("--fact", p.text(), "--cite", p.rope()),
        "invalidate": ("--reason", p.text()),
    }
    return ("memory", verb, p.pick(*(each.ref.id for each in found)), *told[verb])


def _reanchor(p: Person) -> Words:
    p.push_down()
    return ("memory", "reanchor")


VERBS: Final[Sequence[Verb]] = (
    *(_approve, _approve, _approve, _reject, _reject, _add, _add, _add, _add_lesson, _add_lesson),
    *(_add_under_heading, _edit, _edit, _edit_lesson, _edit_lesson, _remove, _archive, _archive),
    *(_restore, _restore, _move, _pin, _merge, _merge_lessons, _promote, _promote_candidate),
    _supersede,
    _scope,
    _keep_both,
    *(_ingest, _retro_run, _estimates, _learn_add, _learn_add, _learn, _learn, _learn_two),
    *(_learn_upkeep, _persona_new, _persona_new, _persona_rename, _persona_archive),
    *(_persona_restore, _persona_merge, _persona_edit, _persona_reflect, _persona_compact),
    *(_detect, _import, _workspace, _brief, _observe, _observe, _consolidate, _layout),
    *(_decide_squad, _retire, _store, _store, _on_fact, _on_fact, _reanchor),
)


@dataclass(frozen=True)
class Ran:
    """How one seed ended."""

    seed: int
    verbs: int
    made: int
    """Changes that a person set off."""
    refused: int
    seconds: float
    wrong: Sequence[str]
    """What is not as it was; empty = undo and redo are exact."""

    def __str__(self) -> str:
        exact = "exact" if not self.wrong else f"{len(self.wrong)} WRONG"
        return (
            f"seed {self.seed}: {self.made / self.verbs:.0%} of {self.verbs} verbs applied, "
            f"{self.refused} refused, {exact}, {self.seconds:.0f} s"
        )


def ran(seed: int, verbs: int) -> Ran:
    """Do so many verbs, undo all that stood, redo it, and say what is not as it was."""
    began = perf_counter()
    with TemporaryDirectory(dir=memory_folder()) as folder:
        harbours = Harbours(Path(folder)).build()
        person = Person(harbours, seed)
        first, refused = harbours.snapshot(), 0
        for number in range(1, verbs + 1):
            refused += harbours.shell(*person.next()) != 0
            if number % _REOPENED == 0:
                harbours.close()
        broken = [f"{words}: {told}" for code, words, told in harbours.log if code not in (0, 2, 3)]
        harbours.close()
        last, made = harbours.snapshot(), harbours.stands()
        back = harbours.each("undo", made)
        harbours.close()
        to_first = differing(first, harbours.snapshot())
        again = harbours.each("redo", made)
        harbours.close()
        to_last = differing(last, harbours.snapshot())
        outside = [f"external change: {each}" for each in harbours.outside()]
        harbours.close()
    wrong = [*broken, *back, *to_first, *again, *to_last, *outside]
    if made < APPLIED * verbs:
        wrong.append(f"only {made} of {verbs} verbs changed something: {refused} were refused")
    return Ran(seed, verbs, made, refused, perf_counter() - began, wrong)


def main(words: Sequence[str]) -> int:
    """Run the seeds that are named, print how each ended, and how to do it again."""
    verbs = int(words[words.index("--verbs") + 1]) if "--verbs" in words else 300
    make_known()
    seeds = words[: words.index("--verbs")] if "--verbs" in words else words
    is_wrong = False
    for seed in seeds:
        found = ran(int(seed), verbs)
        is_wrong |= bool(found.wrong)
        sys.stdout.write("\n    ".join((str(found), *found.wrong)) + "\n")
        sys.stdout.flush()
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
