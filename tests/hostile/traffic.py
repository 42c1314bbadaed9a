"""One stretch of traffic: a store, agents that write to it, somebody who decides, and the sum."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, TypeAlias

import yaml
from tests.hostile.agents import Control, at_stage
from tests.hostile.attribution import Losses, losses
from tests.hostile.curator import RULE, key_of, text_of

from remem.core.session import Session
from remem.core.settings import Places

HERE: Final = Path(__file__).resolve().parents[2]
ENTRIES: Final = 60
PATIENCE: Final = 180.0
SLOWER: Final = 30
"""How many times longer those that rewrite the file rest, where others write as well: with less
of it they destroy most of what the others wrote, and of a decision nothing is left to plan on."""
_STORE: Final = "store"


def id_of(key: str) -> str:
    """Return the id that an entry of a store has."""
    return f"conv-{key[1:]}"


@dataclass
class Place:
    """A root with one memory file in it, and where the processes of a run note what they did."""

    base: Path
    kind: str
    """`store` = a SNIPER store; `persona` = a Markdown file of a persona."""
    entries: int = ENTRIES
    """Of each stage."""
    stages: int = 1

    def __post_init__(self) -> None:
        self.root = self.base / "harbour0"
        self.home = self.base / "home"
        self.notes = self.base / "notes"
        if self.kind == _STORE:
            self.target = self.root / ".sniper/memory/conventions.yaml"
        else:
            self.target = self.home / ".night-watch/agents/Ines/memories/harbour0/main.md"

    @property
    def keys(self) -> list[str]:
        return [key for stage in range(self.stages) for key in self.keys_at(stage)]

    def keys_at(self, stage: int) -> list[str]:
        return [key_of(stage, number) for number in range(self.entries)]

    @property
    def roots(self) -> list[Path]:
        return [at_stage(self.root, stage) for stage in range(self.stages)]

    @property
    def targets(self) -> list[Path]:
        return [at_stage(self.target, stage) for stage in range(self.stages)]

    def build(self) -> Place:
        self.notes.mkdir(parents=True)
        for stage, (root, target) in enumerate(zip(self.roots, self.targets, strict=True)):
            root.mkdir(exist_ok=True)
            target.parent.mkdir(parents=True)
            target.write_text(self._first(stage))
        Control(self.notes / "control").close()
        return self

    def _first(self, stage: int) -> str:
        keys = self.keys_at(stage)
        if self.kind != _STORE:
            lines = "".join(f"- {text_of(key, 0)}\n" for key in keys)
            return f"# Memory\n\n## 2026-05-04\n{lines}"
        return "conventions:\n" + "".join(
            f'  - id: {id_of(key)}\n    rule: "{text_of(key, 0)}"\n'
            f"    status: {'candidate' if number % 2 else 'confirmed'}\n"
            for number, key in enumerate(keys)
        )

    def standing(self) -> dict[str, list[int]]:
        """Return every edition of each key that stands in the files."""
        found: dict[str, list[int]] = {}
        for target in self.targets:
            for key, edition in RULE.findall(target.read_text()):
                found.setdefault(key, []).append(int(edition))
        return found

    def parses(self) -> bool:
        """Tell whether another reader than ours makes sense of the files."""
        return self.kind != _STORE or all(map(_is_store, self.targets))


def _is_store(path: Path) -> bool:
    document = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    return all(isinstance(each, dict) and "id" in each for each in document["conventions"])


Decision: TypeAlias = tuple[str, int]
"""The key of an entry and the edition that it was given."""
ALL: Final = 10**9


@dataclass
class Outcome:
    """What a stretch of traffic came to."""

    losses: Losses
    edits: int
    milliseconds: list[float]
    refused: dict[str, int]
    edits_lost: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    """Key → the edition acknowledged last, and what stands; neither there nor waiting."""
    unaccounted: list[str] = field(default_factory=list)
    """Decisions that neither stand, nor wait as reverted, nor were undone or decided on again."""
    waiting: int = 0
    """Decisions that another writer took back and that wait in the queue."""
    entries_missing: list[str] = field(default_factory=list)
    entries_twice: list[str] = field(default_factory=list)


def run(
    place: Place,
    agents: Sequence[str],
    *,
    lines: int,
    edits: int = 0,
    seed: int = 0,
    pause: float = 0.001,
    curator: Sequence[str] = (),
    plain: bool = False,
) -> Outcome:
    """Let agents write until so many lines stand, decide meanwhile, then look at what is there.

    Args:
        place: Where; built.
        agents: Names: a letter of `agents.WAYS` and a number.
        lines: Marks finished by all together when the agents are told to stop.
        edits: Decisions acknowledged by then, at least.
        seed: Of all dice.
        pause: The longest rest of an agent, in seconds.
        curator: More arguments for whoever decides.
        plain: Decide in the usual way instead of with remem.
    """
    control = Control(place.notes / "control")
    hands = [] if curator == ("nobody",) else [start_curator(place, *curator, plain=plain)]
    try:
        if hands:
            until(lambda: (place.notes / "ready").exists())
        for name in agents:
            slower = SLOWER if name[0] in "BW" and len(agents) > 1 else 1
            hands.append(start_agent(place, name, seed=seed, pause=pause * slower))
        for stage in range(place.stages):
            control.go_on(stage)
            share = (stage + 1) / place.stages
            until(partial(_failed_or_has, hands, place.notes, "*.log", lines * share))
            control.wait_for_decisions()
            until(partial(_failed_or_has, hands, place.notes, "decisions-*", edits * share))
    finally:
        control.end()
        codes = [hand.wait(timeout=PATIENCE) for hand in hands]
        control.close()
    assert codes == [0] * len(codes), codes
    return outcome(place, with_remem=not plain)


def start_curator(place: Place, *more: str, plain: bool = False) -> subprocess.Popen[bytes]:
    where = (place.root, place.home, place.target, place.notes)
    options = ["--entries", str(place.entries), *more, *(["--plain"] if plain else [])]
    return _process("tests.hostile.curator", *map(str, where), *options)


def start_agent(
    place: Place, name: str, *, seed: int = 0, pause: float = 0.001, most: int = 10**9
) -> subprocess.Popen[bytes]:
    options = ("--seed", str(seed), "--pause", str(pause), "--most", str(most))
    return _process("tests.hostile.agents", name, str(place.target), str(place.notes), *options)


def outcome(place: Place, *, with_remem: bool = True) -> Outcome:
    """Start once more, as after every session, and compare what was written with what stands."""
    report = place.notes / "done.json"
    done: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {}
    last = acknowledged(place)
    waiting = settle(place) if with_remem else {}
    told = told_by_history(place) if with_remem else {}
    standing = place.standing()
    found = Outcome(
        losses(place.notes, place.targets),
        done.get("edits", 0),
        done.get("milliseconds", []),
        done.get("refused", {}),
    )
    found.waiting = len(waiting)
    for key, edition in last.items():
        stands = standing.get(key, [])
        if edition not in stands and edition not in waiting.get(key, ()):
            found.edits_lost[key] = (edition, stands)
    if with_remem:
        found.unaccounted = unaccounted(decisions(place), told, waiting, standing)
    found.entries_missing = [key for key in place.keys if key not in standing]
    found.entries_twice = [key for key, editions in standing.items() if len(editions) > 1]
    return found


def acknowledged(place: Place) -> dict[str, int]:
    """Return the newest acknowledged edition of each key."""
    return dict(decisions(place))


def decisions(place: Place) -> list[Decision]:
    """Return every decision that was acknowledged, in the order of each curator."""
    logs = sorted(place.notes.glob("decisions-*"))
    lines = [line for log in logs for line in log.read_text().splitlines()]
    return [(key, int(edition)) for key, edition in (line.split() for line in lines)]


def told_by_history(place: Place) -> dict[Decision, bool]:
    """Return each decision that the history has, and whether a person undid it; newest first."""
    told: dict[Decision, bool] = {}
    for root in place.roots:
        bench = Session.open(root, Places.of(place.home), door="cli")
        for change in bench.past.changes(ALL):
            text = change.intent.arguments.get("text")
            for key, edition in RULE.findall(text) if isinstance(text, str) else ():
                told[key, int(edition)] = change.undone
        bench.journal.close()
    return told


def unaccounted(
    made: Sequence[Decision],
    told: Mapping[Decision, bool],
    waiting: Mapping[str, Sequence[int]],
    standing: Mapping[str, Sequence[int]],
) -> list[str]:
    """Return the decisions of which the history does not tell what became of them.

    A person undid it; or a later one on the same entry took its place; or it waits as reverted; or
    it stands, and then the files have it. There is nothing else.
    """
    newest: dict[str, int] = {}
    for (key, edition), undone in told.items():
        if not undone:
            newest.setdefault(key, edition)
    wrong: list[str] = []
    for key, edition in made:
        if (key, edition) not in told:
            wrong.append(f"{key} e{edition} is not in the history")
        elif told[key, edition] or newest[key] != edition or edition in waiting.get(key, ()):
            continue
        elif edition not in standing.get(key, ()):
            wrong.append(f"{key} e{edition} is told to stand, and {standing.get(key)} does")
    return wrong


def settle(place: Place) -> dict[str, list[int]]:
    """Open each root as the next start does; return the editions that others took back."""
    waiting: dict[str, list[int]] = {}
    for root in place.roots:
        bench = Session.open(root, Places.of(place.home), door="tui")
        bench.begin()
        bench.refresh()
        for each in bench.library.aside.reverted:
            for key, edition in RULE.findall(json.dumps(each.intent.to_json())):
                waiting.setdefault(key, []).append(int(edition))
        bench.close()
    return waiting


def count_lines(notes: Path) -> int:
    return _lines_in(notes, "*.log")


def _failed_or_has(
    hands: Sequence[subprocess.Popen[bytes]], notes: Path, logs: str, lines: float
) -> bool:
    """Tell whether logs have so many lines, or one of the processes failed; its code tells."""
    return any(hand.poll() for hand in hands) or _lines_in(notes, logs) >= lines


def _lines_in(notes: Path, logs: str) -> int:
    return sum(log.read_bytes().count(b"\n") for log in notes.glob(logs))


def until(condition: Any, patience: float = PATIENCE) -> None:
    """Look again and again; give up with an error."""
    end = monotonic() + patience
    while not condition():
        assert monotonic() < end, "it did not come to pass"
        sleep(0.03)


def litter(place: Place) -> list[Path]:
    """Return the names that remem left beside files."""
    return [path for folder in (place.root, place.home) for path in folder.rglob(".remem-*")]


def _process(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", module, *arguments], cwd=HERE)
