"""Every verb that is declared, from every door: it is in the history and undone to the same bytes.

Each verb is asked for by its command on a workspace with every system of memory, by the words that
a person might type; where its door is another one, by its intent. Then the same is asked for by the
screens' door and the agents'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from tests.architecture.code import REPOSITORY
from tests.code_files import git
from tests.core.verbs.test_older_intents import OLD
from tests.hostile import random_verbs as by_hand
from tests.hostile.random_verbs import Harbours, Person, Verb, differing

from remem.core.session import Session
from remem.core.settings import Places
from remem.core.verbs.verbs import all_verbs
from remem.model.change import Intent, Json
from remem.store.changes.steps import Edited, Removed, to_json
from remem.store.history.journal_records import Door, Logged
from remem.views.change_titles import PAST

SEEDS: Final = 60
"""Tries until a verb finds something that it can be about."""

SAME: Final = "Weigh the anchor before the fog comes in"
"""A lesson that two personas of the walk have."""
TWO: Final = ("Dunlin", "Petrel")
"""They are on a team that keeps decisions."""


class Curious(Person):
    """One who looks at what was done last, and does more for one verb than to type it."""

    def shell(self, *words: str) -> int:
        return self._harbours.shell(*words)

    def last(self) -> Logged:
        return self._bench.past.changes(1)[0]

    def text_of(self, last: Logged) -> str:
        """Return words that a change took out."""
        steps = self._bench.journal.steps(last.id)
        taken = next(each for each in steps if isinstance(each, Edited))
        lines = taken.patches[0].old.decode().splitlines()
        return max(lines, key=len).strip()[:40]


def _typed(*words: str) -> Verb:
    return lambda _: words


def _learnt(*words: str) -> Verb:
    def think(p: Person) -> by_hand.Words | None:
        one = p.one(p.entries("learning"))
        return None if one is None else ("learn", words[0], one, *words[1:])

    return think


def _override(p: Person) -> by_hand.Words | None:
    here = [each for each in p.entries("convention") if each.ref.format == "sniper"]
    one = p.one(here)
    return None if one is None else ("workspace", "override", one, "workspace:conv-001")


def _prune(p: Curious) -> by_hand.Words:
    p.shell("learn", "decay", "--as-of", "2028-12-01", "--apply")
    return ("learn", "prune", "--as-of", "2031-12-01")


def _shared(to: str) -> Verb:
    def think(p: Person) -> by_hand.Words | None:
        one = p.one([each for each in p.entries("lesson") if each.title == SAME])
        return by_hand._on(one, "persona", "share", "REF", "--to", to)

    return think


def _put_back(p: Curious) -> by_hand.Words | None:
    """Take an entry out, and ask for what the change took."""
    one = p.one(p.entries("convention"))
    if one is None or p.shell("remove", one):
        return None
    last = p.last()
    return ("restore", "--from", last.id, p.text_of(last))


COMMANDS: Final[Mapping[str, Callable[[Curious], by_hand.Words | None]]] = {
    "approve": by_hand._approve,
    "reject": by_hand._reject,
    "keep": by_hand._approve,
    "edit": by_hand._edit,
    "merge": by_hand._merge,
    "supersede": by_hand._supersede,
    "scope": by_hand._scope,
    "keep_both": by_hand._keep_both,
    "promote": by_hand._promote_candidate,
    "add": by_hand._add,
    "archive": by_hand._archive,
    "restore": by_hand._restore,
    "remove": by_hand._remove,
    "layout.add": by_hand._layout,
    "mcp.install": _typed("mcp", "install", "--client", "cursor"),
    "config.set": _typed("config", "set", "glyphs", "ascii"),
    "retro.ingest": by_hand._ingest,
    "estimates.take": by_hand._estimates,
    "spawn.write": _typed("compose", "--role", "qa-engineer", "--write"),
    "persona.new": by_hand._persona_new,
    "persona.rename": by_hand._persona_rename,
    "persona.archive": by_hand._persona_archive,
    "persona.restore": by_hand._persona_restore,
    "persona.edit": _typed("persona", "edit", "Ibis9", "role=Chief pilot"),
    "persona.merge": by_hand._persona_merge,
    "pack.import": by_hand._import,
    "persona.reflect": by_hand._persona_reflect,
    "learn.add": by_hand._learn_add,
    "learn.confirm": _learnt("confirm"),
    "learn.invalidate": _learnt("invalidate"),
    "learn.reinforce": _learnt("reinforce", "--by", "ci-17"),
    "learn.contradict": by_hand._learn_two,
    "learn.supersede": by_hand._learn_two,
    "learn.merge": by_hand._learn_two,
    "learn.absence": _learnt("absence", "--protocol", "protocol-9"),
    "learn.recurrence": _learnt("recurrence"),
    "learn.upgrade": _learnt("upgrade", "--status", "active", "--confidence", "0.5"),
    "learn.decay": by_hand._learn_upkeep,
    "learn.prune": _prune,
    "learn.curate": _typed("learn", "curate", "--apply"),
    "observe": by_hand._observe,
    "consolidate": by_hand._consolidate,
    "brief": by_hand._brief,
    "move": by_hand._move,
    "lesson.pin": by_hand._pin,
    "memory.reanchor": by_hand._reanchor,
    "memory.supersede": by_hand._on_fact,
    "memory.invalidate": by_hand._on_fact,
    "memory.retire": by_hand._retire,
    "workspace.promote": by_hand._workspace,
    "workspace.override": _override,
    "restore.from": _put_back,
    "sections.archive": lambda p: ("archive", "--before", "2027-01-01", "--persona", p.persona()),
    "persona.move": lambda p: ("persona", "move", p.persona(), "--to", "claude-user"),
    "lesson.share": _shared("one"),
    "lesson.share as a decision": _shared("decision"),
    "lesson.share as a rule": _shared("convention"),
    "merge.driver": _typed("init", "--merge-driver", "--apply"),
    "detect": by_hand._detect,
}
"""Verb id, and how it is meant where that is several → what thinks of its command."""


def _compact_two(bench: Session) -> Intent:
    """Ask that the memories of two are condensed to a line that each has already."""
    memories: list[Json] = [{"persona": name, "lines": [SAME]} for name in TWO]
    return Intent("personas.compact", arguments={"memories": memories})


def _gulls(root: Path) -> Intent:
    path = root / ".claude" / "rules" / "gulls.md"
    step = to_json(Removed(path, b"- Gulls are counted\n", 0o644))
    steps: dict[str, Json] = {"from": "9" * 32, "text": "gulls", "steps": [step], "copies": []}
    return Intent("restore.from", arguments=steps)


INTENTS: Final[Mapping[str, Callable[[Session], Intent]]] = {
    **{
        name: lambda bench, name=name: OLD[name](bench.library)  # type: ignore[misc]
        for name in ("retro.run", "persona.compact", "gate.record", "told.keep", "init")
    },
    "personas.compact": _compact_two,
    "gate.baseline": lambda bench: Intent(
        "gate.baseline", arguments={"found": OLD["gate.record"](bench.library).arguments["found"]}
    ),
    "learn.record": lambda bench: bench.intend(
        "learn.record", [*bench.library.of_kind("learning")][:2], protocol="protocol-10"
    ),
    "propose": lambda bench: Intent(
        "propose",
        arguments={"kind": "convention", "fields": {"rule": "Lamps are lit at dusk"}, "by": "Ana"},
    ),
}
"""Verb id → what its door asks for, where that is no command of its own."""
AGAIN: Final[Mapping[str, Callable[[Session], Intent]]] = {
    **{
        name: lambda bench, name=name: OLD[name](bench.library)  # type: ignore[misc]
        for name in ("memory.reanchor", "memory.supersede", "memory.invalidate")
    },
    "restore.from": lambda bench: _gulls(bench.root),
}
"""What the other doors ask for where the history keeps less than was asked."""
BY_COMMAND: Final = {"learn.prune"}
"""What nothing is left to do for once its command and what led to it are undone."""
ELSEWHERE: Final[Mapping[str, str]] = {
    "memory.hold": "tests/systems/plain/test_held_writes.py",
    "migrate.shaktra": "tests/systems/shaktra/test_migrate.py",
    "persona.absorb": "tests/systems/personas/test_recreated.py",
    "workspace.leave": "tests/core/test_touched.py",
}
"""Verb id → the test that does it, where a folder has to be as none here is."""


@pytest.fixture(scope="module")
def harbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harbours]:
    made = Harbours(tmp_path_factory.mktemp("walk")).build()
    for number in range(3):
        made.shell(
            *("memory", "store", "--subject", f"Ropes {number}", "--fact", f"There are {number}"),
            *("--cite", f"{by_hand.CODE}:{number + 1}-{number + 3}"),
        )
    rules = made.root / ".claude" / "rules" / "tides.md"
    rules.parent.mkdir(parents=True)
    rules.write_text("- The tide is passed in\n", encoding="utf-8")
    made.shell("persona", "new", "Ibis9", "--role", "Pilot", "--layout", "night-watch")
    known = [*made.bench.library.of_kind("learning")]
    made.bench.apply(made.bench.intend("learn.record", known, protocol="protocol-9"))
    for name in TWO:
        made.shell("add", "lesson", SAME, "--persona", name)
    git(made.root, "init", "-q")
    yield made
    made.close()


@pytest.fixture(scope="module")
def doors(harbours: Harbours) -> Iterator[Mapping[Door, Session]]:
    places = Places.of(harbours.home)
    made: dict[Door, Session] = {
        door: Session.open(harbours.root, places, door=door, clock=harbours.clock)
        for door in ("tui", "mcp")
    }
    yield made
    for bench in made.values():
        bench.close()


def test_every_verb_that_is_declared_is_walked() -> None:
    walked = {name.split()[0] for name in COMMANDS}
    assert {*walked, *INTENTS, *ELSEWHERE} == {verb.id for verb in all_verbs()}
    for name, path in ELSEWHERE.items():
        assert name in (REPOSITORY / path).read_text(encoding="utf-8"), path


@pytest.mark.parametrize("name", ["edit", "memory.supersede"])
def test_a_verb_from_every_door_is_in_the_history_and_undone_to_the_same_bytes(
    harbours: Harbours, doors: Mapping[Door, Session], name: str
) -> None:
    walk(harbours, doors, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*COMMANDS, *INTENTS])
def test_every_verb_from_every_door_is_in_the_history_and_undone_to_the_same_bytes(
    harbours: Harbours, doors: Mapping[Door, Session], name: str
) -> None:
    walk(harbours, doors, name)


def walk(harbours: Harbours, doors: Mapping[Door, Session], name: str) -> None:
    asked = _by_command(harbours, name) if name in COMMANDS else None
    for door, bench in doors.items() if name not in BY_COMMAND else ():
        bench.refresh()
        ask = INTENTS.get(name) or AGAIN.get(name)
        intent = asked if ask is None else ask(bench)
        assert intent is not None
        before = harbours.snapshot()

        done = bench.apply(intent)

        kept = bench.journal.get(done.id)
        assert (kept.intent.verb, kept.origin.door) == (name.split()[0], door)
        assert kept.title.split()[0] in {*PAST, "New"}, kept.title
        assert differing(before, harbours.snapshot()) != []
        bench.undo(done.id)
        assert differing(before, harbours.snapshot()) == [], door


def _by_command(harbours: Harbours, name: str) -> Intent:
    """Ask for a verb by its command until it does something, take that back, and return it."""
    for seed in range(SEEDS):
        harbours.bench.refresh()
        before, stood = harbours.snapshot(), harbours.stands()
        words = COMMANDS[name](Curious(harbours, seed))
        code = 1 if words is None else harbours.shell(*words)
        made = harbours.stands() - stood
        newest = harbours.bench.past.changes(1)[0] if made else None

        wrong = harbours.each("undo", made)

        assert wrong == []
        assert differing(before, harbours.snapshot()) == [], words
        if code == 0 and newest is not None and newest.intent.verb == name.split()[0]:
            assert newest.origin.door == "cli"
            return newest.intent
    raise AssertionError(f"{name} was never done: {harbours.log[-2:]}")
