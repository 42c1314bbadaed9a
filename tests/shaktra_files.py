"""Shaktra projects as files: entries and observations as values, and how to open them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from tests.shaktra_briefs import MEMORY, STORIES, put

from remem.base.clock import Clock
from remem.core.session import Session
from remem.core.settings import Places
from remem.edit.yaml_write import render
from remem.model.change import Change, Committed, Intent, Json

TODAY: Final = "2026-05-04"
PRINCIPLES: Final = f"{MEMORY}/principles.yml"
ANTI_PATTERNS: Final = f"{MEMORY}/anti-patterns.yml"
PROCEDURES: Final = f"{MEMORY}/procedures.yml"
SETTINGS: Final = ".shaktra/settings.yml"
CONSOLIDATED: Final = ".remem/consolidated.yaml"


def principle(name: str, text: str, **fields: Any) -> dict[str, Any]:
    """Return a principle that has all it needs."""
    return {
        "id": name,
        "text": text,
        "categories": ["reliability"],
        "guidance": [f"{text} in every part"],
        "confidence": 0.6,
        "source_count": 1,
        "tags": [name.lower()],
        "roles": ["developer"],
        "scope": "project",
        "status": "active",
        "source": "ST-001",
        "created": "2026-01-05",
        **fields,
    }


def anti_pattern(name: str, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "failed_approach": text,
        "failure_mode": "It failed at night",
        "severity": "P1",
        "recommended_approach": f"Do otherwise than {name}",
        "trigger_patterns": ["retry"],
        "confidence": 0.6,
        "tags": [name.lower()],
        "roles": ["developer"],
        "scope": "project",
        "status": "active",
        "source": "ST-001",
        "created": "2026-01-05",
        **fields,
    }


def procedure(name: str, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "text": text,
        "confidence": 0.6,
        "source_count": 3,
        "tags": [name.lower()],
        "roles": ["developer"],
        "applies_to": ["tdd"],
        "scope": "project",
        "status": "active",
        "source": "ST-001",
        "created": "2026-01-05",
        **fields,
    }


def observation(number: int, kind: str, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"OB-{number:03d}",
        "agent": "developer",
        "phase": "code",
        "type": kind,
        "text": text,
        "tags": [],
        "importance": 5,
        **fields,
    }


def check(number: int, name: str, relationship: str = "reinforce", **fields: Any) -> dict[str, Any]:
    return observation(
        number,
        "consistency-check",
        f"Held against {name} while it was built, time {number}",
        principle_id=name,
        relationship=relationship,
        **fields,
    )


def file_of(key: str, *items: Mapping[str, Any], header: str = "Kept by the curator") -> str:
    """Return a list file that begins with a comment."""
    return render({key: [dict(item) for item in items]}, header).decode()


def observed(story: str, *items: Mapping[str, Any]) -> dict[str, str]:
    return {f"{STORIES}/{story}/.observations.yml": file_of("observations", *items)}


@dataclass
class Desk:
    """A session at a project, with a clock that stands still."""

    bench: Session

    def read(self, path: str) -> str:
        return (self.bench.root / path).read_text(encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        """Return every file of the project by its path there."""
        root = self.bench.root
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }

    def put(self, files: Mapping[str, str]) -> None:
        """Write as an agent does."""
        put(self.bench.root, files)
        self.bench.refresh()

    def plan(self, verb: str, *names: str, **arguments: Json) -> Change:
        return self.bench.plan(self.intent(verb, *names, **arguments))

    def do(self, verb: str, *names: str, **arguments: Json) -> Committed:
        return self.bench.apply(self.intent(verb, *names, **arguments))

    def intent(self, verb: str, *names: str, **arguments: Json) -> Intent:
        entries = [self.bench.library.resolve(f"shaktra:{name}") for name in names]
        return self.bench.intend(verb, entries, **arguments)

    def fields(self, name: str) -> Mapping[str, Any]:
        library = self.bench.library
        entry = library.resolve(f"shaktra:{name}")
        return library.format_of(entry).reader.fields(library.source_of(entry), entry)

    def confidence(self, name: str) -> float:
        return float(self.fields(name)["confidence"])


@contextmanager
def desk(root: Path, files: Mapping[str, str]) -> Iterator[Desk]:
    """Write files below `root/shop` and open a session there."""
    shop, home = root / "shop", root / "home"
    home.mkdir(parents=True, exist_ok=True)
    put(shop, files)
    numbers = count(1)
    now = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
    clock = Clock(lambda: now, lambda: f"{next(numbers):08x}" * 2)
    bench = Session.open(shop, Places.of(home), door="cli", clock=clock)
    try:
        yield Desk(bench)
    finally:
        bench.close()
