"""Where learnings lie, and the source of one: a file is a record, and its name is its ref.

A file is parsed when somebody asks what it says; ten thousand of them are opened without that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Final

from remem.base.clock import Clock, time_text
from remem.base.frozen import dataclass
from remem.core.system import Ground
from remem.model.entry import Entry, Problem, Ref
from remem.model.source import COMPOSED, ON_REQUEST, KnowsRefs, Source, SourceKind
from remem.systems.learnings.events import Told
from remem.systems.learnings.records import LEARNING, Learning

FOLDER: Final = Path(".sniper/memory/learnings")
ARCHIVE: Final = Path(".sniper/memory/archive")
SIGNALS: Final = Path(".sniper/memory/signals")

SIGNAL: Final = "signal"
VELOCITY: Final = "velocity"
CONFIG: Final = "config"
ENDINGS: Final = (".yaml", ".yml", ".md")
_YAML: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LearningSource(Source):
    """One learning, one signal, or a file that tells how they are kept."""

    ref: Ref
    clock: Clock = field(repr=False)
    placed: tuple[Problem, ...] = ()
    """What discovery found wrong; reading adds its own."""

    @property
    def is_markdown(self) -> bool:
        return self.path.suffix == ".md"

    def told(self, actor: str = "human", detail: str = "") -> Told:
        """Return what an event of this moment is told with."""
        return Told(time_text(self.clock.now()), actor, detail)


class OneEntry(KnowsRefs):
    """The entry of a file, which is known by name before the file is parsed."""

    __slots__ = ("_make", "_record", "_ref")

    def __init__(self, ref: Ref, make: Callable[[], tuple[Entry, Learning | None]]) -> None:
        """Wait with `make`, which parses, until somebody asks for the entry."""
        super().__init__([None])
        self._ref = ref
        self._make = make
        self._record: Learning | None = None

    def make(self, index: int) -> Entry:
        entry, self._record = self._make()
        return entry

    @property
    def record(self) -> Learning | None:
        """The record that the entry stands for; `None` where the file holds none."""
        _ = self[0]
        return self._record

    def ref(self, index: int) -> Ref:
        return self._ref

    def find(self, ref: Ref) -> int | None:
        return 0 if ref == self._ref else None


def discover(ground: Ground) -> Iterator[LearningSource]:
    """Yield records, archived ones, signals, then what is only read: velocity and settings."""
    memory = ground.root / ".sniper" / "memory"
    if ground.disk.kind(memory) != "folder":
        return
    twins = _Twins(ground.project)
    live = [*_files(ground, FOLDER, ENDINGS)]
    for path in live:
        yield _source(ground, path, LEARNING, twins)
    for path in _files(ground, ARCHIVE, ENDINGS):
        yield replace(_source(ground, path, LEARNING, twins), archived=True)
    signals = [*_files(ground, SIGNALS, _YAML)]
    for path in signals:
        found = _source(ground, path, SIGNAL, twins)
        loader = ON_REQUEST if live else COMPOSED
        yield replace(found, kind=SourceKind.DOCUMENT, loader=loader)
    read_only = [(memory / "velocity.yaml", VELOCITY)]
    if live or signals:
        read_only.append((ground.root / ".sniper" / "config.yaml", CONFIG))
    for path, part in read_only:
        if ground.disk.kind(path) == "file":
            found = _source(ground, path, part, twins)
            yield replace(
                found, kind=SourceKind.DOCUMENT, loader=ON_REQUEST, writable=False, name=path.name
            )


class _Twins:
    """Gives refs to files: two of one name, in two folders or with two endings, are twins."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._seen: dict[str, int] = {}

    def ref(self, name: str) -> Ref:
        times = self._seen[name] = self._seen.get(name, 0) + 1
        return Ref(LEARNING, name, self._place, times if times > 1 else 0)


def _files(ground: Ground, folder: Path, endings: Sequence[str]) -> Iterator[Path]:
    return (p for p in ground.disk.walk(ground.root / folder, 1) if p.suffix in endings)


def _source(ground: Ground, path: Path, part: str, twins: _Twins) -> LearningSource:
    ref = twins.ref(path.stem)
    placed = (_twice(path),) if ref.twin else ()
    return LearningSource(
        path.stem,
        LEARNING,
        "",
        ground.project,
        SourceKind.STORE,
        path,
        COMPOSED,
        part=part,
        holds=part,
        problems=placed,
        ref=ref,
        clock=ground.given.clock,
        placed=placed,
    )


def _twice(path: Path) -> Problem:
    message = f"another learning is called `{path.stem}` too"
    return Problem("duplicate-id", message, "keep one of the two", path)


def record_of(source: Source) -> Learning | None:
    """Return the record of a source, as it was read with its entry."""
    return source.entries.record if isinstance(source.entries, OneEntry) else None


def learning_sources(sources: Sequence[Source]) -> list[LearningSource]:
    """Return the sources of records, archived ones included."""
    return [s for s in sources if isinstance(s, LearningSource) and s.part == LEARNING]
