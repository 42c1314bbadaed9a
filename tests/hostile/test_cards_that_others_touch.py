"""What waits vanishes, changes or is settled by someone else while its card is open.

One person has the card before them; the other works with another program, or with remem itself.
Whatever waits, the first decides on nothing that they did not see, and nothing is decided twice.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.hostile.crashing import memory_folder
from tests.hostile.random_verbs import CODE, Harbours, Snapshot, differing
from tests.retro_files import CONFIG, path_of, retro, rule
from tests.sniper_files import ANTI_PATTERNS, CONVENTIONS
from tests.workspace_files import files, workspace

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.waiting.item import Item, Why, item_ids, kinds_drawn
from remem.model.change import Intent, Json
from remem.model.entry import Status

pytestmark = pytest.mark.slow

KINDS = (
    "candidate convention",
    "finding convention",
    "stale fact",
)
MORE_KINDS = (
    "candidate anti_pattern",
    "candidate decision",
    "candidate learning",
    "finding anti_pattern",
    "finding learning",
    "gate-failure anti_pattern",
    "proposal convention",
    "observed principle",
    "recurrence convention",
)
SMALL_KINDS = (
    "added convention",
    "detect anti_pattern",
    "violated violation",
    "override convention",
    "reverted convention",
    "reverted anti_pattern",
    "shared convention",
)
"""They wait in a workspace of two repositories, `shared` where all of it is open."""
TOLD: Mapping[str, dict[str, Json]] = {
    "reject": {"reason": "no"},
    "keep_both": {"reason": "no"},
    "memory.supersede": {"fact": "Ropes are lettered"},
    "memory.invalidate": {"reason": "no"},
}
ASKING = {"edit"}
"""Decides nothing, and goes through the same check."""
SPACES = "Indent every source file of the service with four spaces"
TWICE = "Tickets are scanned before the ramp is lifted"


class Quarters(Harbours):
    """A workspace of two repositories in which something waits for each further reason."""

    def build(self) -> Quarters:
        rules = ["The radio log is kept", f"Do not {SPACES.lower()}", TWICE]
        checked = {"rule": "Tests never wait", "detect": {"forbid": "nap"}}
        workspace(self.base, [SPACES], {"api": [*rules, checked], "web": [TWICE]})
        self.root = self.base / "acme" / "repositories" / "api"
        self.home = self.base / "home"
        self.code = self.root / CODE
        files(
            self.root,
            {
                ANTI_PATTERNS: "anti_patterns:\n"
                '  - {id: ap-001, description: "Silence", detection_hint: "empty catch blocks"}\n'
                '  - {id: ap-002, description: "Guessing tides", status: candidate}\n',
                CONFIG: "memory: {enabled: true, auto_codify: true}\n",
                path_of(7): retro(7, new_conventions=[rule("Every gull is counted")]).decode(),
                CODE: "nap(4)\n",
            },
        )
        self.shell("check", "--files", CODE, "--record")
        self.shell("retro", "ingest", "--sprint", "7")
        self._reverted(CONVENTIONS, "edit", "sniper:conv-001", "rationale=It is asked for")
        self._reverted(ANTI_PATTERNS, "approve", "ap-002")
        return self

    def _reverted(self, name: str, *words: str) -> None:
        """Decide, and let another program put the former bytes back."""
        before = (self.root / name).read_bytes()
        assert self.shell(*words) == 0
        (self.root / name).write_bytes(before)


@dataclass
class Desk:
    """A card that one person has open, and all that lies around it."""

    harbours: Harbours
    kind: str
    kept: Path

    def put_back(self) -> None:
        self.harbours.close()
        for name in ("acme", "home"):
            shutil.rmtree(self.harbours.base / name)
            shutil.copytree(self.kept / name, self.harbours.base / name)

    @property
    def item(self) -> Item:
        """What stands on the card: the first of its kind."""
        bench = self.harbours.bench
        bench.look()
        return next(each for each in bench.queue() if _kind(each) == self.kind)

    @property
    def file(self) -> Path:
        return self.harbours.bench.library.source_of(self.item.ref).path

    def other(self) -> Session:
        """Return what another process has open at the same root."""
        return Session.open(
            self.harbours.root, self.harbours.bench.places, door="cli", clock=self.harbours.clock
        )


def _kind(item: Item) -> str:
    return f"{item.reason.value} {item.kind}"


def _into(desk: Desk, item: Item) -> dict[str, Json]:
    """Return into what it is merged: the first of its kind that is in force there."""
    found = desk.harbours.bench.library.of_kind(item.kind)
    there = (each for each in found if each.ref.place == item.ref.place and each.ref != item.ref)
    return {"into": str(next(e.ref for e in there if e.status is Status.ACTIVE and not e.problems))}


def _intent(desk: Desk, item: Item, verb: str) -> Intent:
    told = _into(desk, item) if verb == "merge" else TOLD.get(verb, {})
    return Intent(verb, {item.ref: item.digest}, told, item_ids([item]), kinds_drawn([item]))


def _kept(made: Harbours) -> Path:
    """Remember all of it as what every test begins with."""
    made.close()
    for name in ("acme", "home"):
        shutil.copytree(made.base / name, made.base / "kept" / name)
    return made.base / "kept"


@pytest.fixture(scope="module")
def harbours() -> Iterator[tuple[Harbours, Path]]:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        made = Harbours(Path(folder)).build()
        fact = ("--subject", "Ropes", "--fact", "Ropes are numbered", "--cite", "quay/ropes.py:3-6")
        assert made.shell("memory", "store", *fact) == 0
        made.code.write_text(made.code.read_text("utf-8").replace("rope(4)", "knot(4)"), "utf-8")
        assert made.shell("retro", "ingest", "--sprint", "7") == 0
        yield made, _kept(made)
        made.close()


@pytest.fixture(scope="module")
def quarters() -> Iterator[tuple[Harbours, Path]]:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        made = Quarters(Path(folder)).build()
        yield made, _kept(made)
        made.close()


@pytest.fixture(
    params=[
        *KINDS,
        *SMALL_KINDS,
        *(pytest.param(kind, marks=pytest.mark.slow) for kind in MORE_KINDS),
    ]
)
def desk(request: pytest.FixtureRequest) -> Desk:
    kind: str = request.param
    made, kept = request.getfixturevalue("quarters" if kind in SMALL_KINDS else "harbours")
    found = Desk(made, kind, kept)
    found.put_back()
    if kind in SMALL_KINDS:
        acme = made.base / "acme"
        made.root = acme if kind.startswith(Why.SHARED) else acme / "repositories" / "api"
    return found


def _verbs(desk: Desk) -> list[str]:
    return [verb for verb in desk.item.verbs if verb not in ASKING]


Touch = Callable[[Desk], None]


def _vanish(desk: Desk) -> None:
    file = desk.file
    if desk.item.kind == "fact":
        _rows(file, "DELETE FROM agent_memory WHERE id = ?", desk.item.ref.id)
    else:
        file.unlink()


def _change(desk: Desk) -> None:
    file, item = desk.file, desk.item
    if item.kind == "fact":
        _rows(file, "UPDATE agent_memory SET fact = fact || ' no more' WHERE id = ?", item.ref.id)
        return
    title = desk.harbours.bench.library.entry(item.ref).title[:24].encode()
    data = file.read_bytes()
    assert title in data, (title, file)
    file.write_bytes(data.replace(title, b"Never ever: " + title))


def _rows(file: Path, statement: str, name: str) -> None:
    with closing(sqlite3.connect(file)) as sql, sql:
        assert sql.execute(statement, (name,)).rowcount == 1


def _decides(desk: Desk, verb: str, touch: Touch, *, told: bool) -> tuple[Snapshot, str]:
    """Open the card, let somebody touch it, decide; return what lay there then, and what was said.

    Args:
        desk: With the card.
        verb: What the person presses.
        touch: What the other does.
        told: The screen has seen it by then.
    """
    desk.put_back()
    card = desk.item
    bench = desk.harbours.bench
    bench.seen.note(bench.library, {card.ref: card.digest})
    intent = _intent(desk, card, verb)
    touch(desk)
    then, before = desk.harbours.snapshot(), len(bench.past.changes())
    if told:
        bench.refresh()
    try:
        bench.apply(intent)
    except RememError as error:
        assert len(bench.past.changes()) == before
        return then, str(error)
    return then, ""


@pytest.mark.parametrize("told", [True, False], ids=["seen", "unseen"])
@pytest.mark.parametrize("touch", [_vanish, _change], ids=["vanishes", "changes"])
def test_nothing_is_decided_on_what_another_took_away_or_wrote_anew(
    desk: Desk, touch: Touch, told: bool
) -> None:
    wrong = {}
    for verb in _verbs(desk):
        then, said = _decides(desk, verb, touch, told=told)
        if not said or differing(then, desk.harbours.snapshot()):
            wrong[verb] = (said, differing(then, desk.harbours.snapshot()))

    assert wrong == {}


@pytest.mark.parametrize("told", [True, False], ids=["seen", "unseen"])
def test_what_another_settled_is_not_settled_again(desk: Desk, told: bool) -> None:
    wrong, verbs = {}, _verbs(desk)
    for first in verbs:
        for verb in verbs:

            def settle(desk: Desk, first: str = first) -> None:
                other = desk.other()
                other.apply(_intent(desk, desk.item, first))
                other.close()

            then, said = _decides(desk, verb, settle, told=told)
            if not said or differing(then, desk.harbours.snapshot()):
                wrong[first, verb] = (said, differing(then, desk.harbours.snapshot()))

    assert wrong == {}
