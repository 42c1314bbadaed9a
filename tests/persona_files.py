"""Homes and repositories with personas in them, for the tests of the format and of its verbs."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from remem.base.clock import Clock
from remem.core.system import Given, Ground
from remem.model.change import Effect
from remem.model.source import Source
from remem.store.io import Disk
from remem.store.overlay import Overlay
from remem.systems.personas.format import Personas
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.personas.source import PersonaSource, persona_sources

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
AGENTS = ".night-watch/agents"
CARLOS = f"{AGENTS}/Carlos/memories/acme"


@dataclass(frozen=True)
class Shelf:
    """A library as the verbs need it."""

    ground: Ground
    sources: tuple[Source, ...]

    def source(self, name: str) -> PersonaSource:
        return next(s for s in persona_sources(self.sources) if s.name == name)

    def problems(self) -> list[str]:
        return [problem.code for source in self.sources for problem in source.problems]


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


def ground_at(folder: Path) -> Ground:
    """Return a ground with `folder/acme` as its root and `folder/home` as its home."""
    root, home = folder / "acme", folder / "home"
    root.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    return Ground(
        root=root,
        home=home,
        disk=Disk(),
        project="acme",
        layouts=BUILT_IN,
        given=Given(Clock(now=lambda: NOON, new_id=lambda: "0" * 8)),
    )


def shelf_at(
    folder: Path,
    *,
    root: Mapping[str, str | bytes] | None = None,
    home: Mapping[str, str | bytes] | None = None,
) -> Shelf:
    """Write files below root and home, and read what the format finds."""
    ground = ground_at(folder)
    write(ground.root, root or {})
    write(ground.home, home or {})
    return open_shelf(ground)


def open_shelf(ground: Ground) -> Shelf:
    personas = Personas()
    return Shelf(
        ground,
        tuple(
            personas.read(source, ground.disk.read(source.path))
            for source in personas.discover(ground)
        ),
    )


def text_after(path: Path, effects: tuple[Effect, ...]) -> str:
    """Return what a file would hold once the effects are carried out."""
    return Overlay(Disk(), effects).read(path).decode()


def add_database(home: Path, *rows: Mapping[str, object]) -> Path:
    """Make Night Watch's database with these rows; what a row leaves out takes its default."""
    path = home / ".night-watch" / "state.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE agent_personas (id TEXT PRIMARY KEY, name TEXT NOT NULL,"
            " role TEXT NOT NULL, avatar_url TEXT, soul_json TEXT NOT NULL DEFAULT '{}',"
            " style_json TEXT NOT NULL DEFAULT '{}', skill_json TEXT NOT NULL DEFAULT '{}',"
            " model_config_json TEXT, system_prompt_override TEXT,"
            " is_active INTEGER NOT NULL DEFAULT 1, created_at INTEGER NOT NULL,"
            " updated_at INTEGER NOT NULL)"
        )
        for row in rows:
            values = {"role": "", "created_at": 1, "updated_at": 1, **row}
            names = ", ".join(values)
            marks = ", ".join("?" for _ in values)
            connection.execute(
                f"INSERT INTO agent_personas ({names}) VALUES ({marks})", [*values.values()]
            )
    return path
