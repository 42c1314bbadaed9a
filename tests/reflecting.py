"""A persona with a memory, open in a session, for the tests of reflection and compaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from tests.persona_files import write

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Compaction, Places
from remem.model.change import Intent, Json

NIGHT = ".night-watch/agents/Rosa/memories/shop"
LESSONS = (
    "The retry test is flaky under load",
    "Prefer contract tests for the billing client",
    "Barrel files must be updated with every new module",
    "The importer reads 200 rows at once",
    "Never log a token of the billing client",
    "Reviewers on Friday miss migrations",
)
MEMORY = "".join(
    f"## 2026-0{number}-04\n- {lesson}\n\n" for number, lesson in enumerate(LESSONS, 1)
)


@dataclass
class Desk:
    """Rosa's memory, and what can be done about it."""

    bench: Session
    folder: Path

    @property
    def memory(self) -> Path:
        return self.folder / "home" / NIGHT / "main.md"

    @property
    def archive(self) -> Path:
        return self.memory.with_name("archive.md")

    def compact(self, *lines: str, base: str = "", **numbers: list[int]) -> Intent:
        arguments: dict[str, Json] = {"persona": "Rosa", "lines": [*lines], "base": base}
        arguments |= {name: [*value] for name, value in numbers.items()}
        return Intent("persona.compact", arguments=arguments)

    def reflect(self, *lessons: str, apply: bool = False) -> Intent:
        arguments: dict[str, Json] = {
            "persona": "Rosa", "lessons": [*lessons], "apply": apply,
            "evidence": "pr review: approved", "door": "cli",
        }  # fmt: skip
        return Intent("persona.reflect", arguments=arguments)


@contextmanager
def desk(
    folder: Path, memory: str | bytes = MEMORY, name: str = f"{NIGHT}/main.md"
) -> Iterator[Desk]:
    """Open a folder in which Rosa remembers that; a memory of Night Watch lies in the home."""
    ids = count(1)
    clock = Clock(lambda: datetime(2026, 5, 4, 9, 30, tzinfo=UTC), lambda: f"{next(ids):08x}" * 2)
    root = folder / "shop"
    root.mkdir(parents=True, exist_ok=True)
    write(folder / "home" if name.startswith(".night") else root, {name: memory})
    (folder / "home").mkdir(exist_ok=True)
    bench = Session.open(root, Places.of(folder / "home"), door="cli", clock=clock)
    yield Desk(bench, folder)
    bench.close()


def above(lines: int, tokens: int = 0) -> Compaction:
    return Compaction(lines=lines, tokens=tokens)
