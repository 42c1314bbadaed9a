"""What every system passes by being registered: any bytes, every edit, undo, and prompts.

The world is the demo's, with a workspace around it; a system that is registered and has nothing in
it fails here first.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Final

import pytest
from tests.hostile.corpus import MARKDOWN, YAML
from tests.hostile.random_verbs import Harbours

from remem.base.errors import RememError
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.system import System
from remem.model.change import Json
from remem.model.entry import Entry, Status
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.systems.registry import FORMATS

SYSTEMS: Final = tuple(each.name for each in FORMATS)
MOST: Final = 1_000_000
"""Bytes of a hostile file; larger ones are tried where files are read."""
HELD_BACK: Final = """{"id": "00000001", "subsystem": "memory", "action": "add", "summary": "",
"origin": "background_review", "created_at": 1795000000.5,
"payload": {"target": "memory", "content": "Tugs answer on channel 12", "action": "add"}}
"""
STATE: Final = (".local/state", ".cache")
"""Below the home folder: what remem keeps for itself."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harbours]:
    built = Harbours(tmp_path_factory.mktemp("world")).build()
    pending = built.home / ".hermes" / "pending" / "memory" / "00000001.json"
    pending.parent.mkdir(parents=True)
    pending.write_text(HELD_BACK)
    memory = built.root / ".claude" / "agent-memory" / "ines" / "MEMORY.md"
    held = Places.of(built.home).held / "0000000000000001.json"
    held.parent.mkdir(parents=True)
    given = {"file_path": str(memory), "content": "- Tugs answer on channel 12\n"}
    call = {"form": 1, "path": str(memory), "tool": "Write", "input": given, "before": None}
    held.write_text(json.dumps({**call, "at": 1_795_000_000_000_000, "session": "s1"}))
    built.close()
    yield built
    built.close()


def bench_of(world: Harbours) -> Session:
    world.bench.begin()
    world.bench.refresh()
    return world.bench


def sources_of(world: Harbours, name: str) -> list[Source]:
    return [*bench_of(world).library.of_format(name)]


def photo(world: Harbours) -> dict[str, object]:
    """Return every byte below the world, and every row of its databases."""
    found: dict[str, object] = {}
    for path in sorted(world.base.rglob("*")):
        name = path.relative_to(world.base).as_posix()
        is_own = any(f"home/{each}/" in name for each in STATE) and "/held/" not in name
        if is_own or not path.is_file():
            continue
        if path.suffix == ".db":
            with closing(sqlite3.connect(path)) as database:
                found[name] = [*database.iterdump()]
        elif not path.name.endswith(("-wal", "-shm")):
            found[name] = path.read_bytes()
    return found


def one_of_each(sources: list[Source]) -> list[Entry]:
    """Return an entry of each kind and status."""
    each = {(entry.kind, entry.status): entry for source in sources for entry in source.entries}
    return [*each.values()]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_world_has_something_of_it(world: Harbours, name: str) -> None:
    assert one_of_each(sources_of(world, name))


def look(system: System, source: Source, session: Session) -> None:
    for entry in source.entries:
        assert isinstance(system.reader.body(source, entry), str)
        assert isinstance({**system.reader.fields(source, entry)}, dict)
        system.reader.record(source, entry)
    for ask in (Ask(), Ask(role="backend-engineer"), Ask(persona="Ines")):
        system.composer.frame(session.library.ground, [source], ask)
        system.composer.offers(session.library.ground, [source], ask)
    system.composer.role_names(session.library.ground, [source])
    assert len([*system.reader.waiting(source)]) <= len(source.entries)


@pytest.mark.parametrize("name", SYSTEMS)
def test_any_bytes_are_read_and_what_is_wrong_becomes_a_problem(world: Harbours, name: str) -> None:
    session = bench_of(world)
    system = session.library.format(name)
    files = {each.part: each for each in sources_of(world, name) if each.path.suffix != ".db"}
    corpus = [data for data in (*YAML.values(), *MARKDOWN.values()) if len(data) < MOST]

    for source in files.values():
        for data in (*corpus, source.data[: len(source.data) // 2], source.data + b"\xff\0"):
            read = system.reader.read(source, data)
            look(system, read, session)
            for entry in (*read.entries,)[:2]:
                for status in Status:
                    # Proved to touch nothing else, or refused with a reason.
                    with suppress(RememError):
                        system.keeper.set_status(read, entry, status)
                with suppress(RememError):
                    system.keeper.remove(read, entry)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_decision_touches_what_it_names_and_is_undone_to_the_same_bytes_and_rows(
    world: Harbours, name: str
) -> None:
    session = bench_of(world)
    asked: dict[str, dict[str, Json]] = {
        "edit": {"text": "Ropes are coiled clockwise"},
        "archive": {},
        "remove": {},
    }
    done = 0
    for shown in one_of_each(sources_of(world, name)):
        for verb, told in asked.items():
            before, entries = photo(world), others(session, shown)
            if not is_done(session, verb, shown, told):
                assert photo(world) == before
                continue
            done += 1
            assert others(session, shown) == entries
            session.undo()
            assert photo(world) == before

    # What only shows what others hold back, and facts, which have verbs of their own.
    assert done or not session.library.format(name).kinds


def is_done(session: Session, verb: str, shown: Entry, told: dict[str, Json]) -> bool:
    """Tell whether a verb was carried out; what is refused is refused with a sentence."""
    try:
        session.apply(session.intend(verb, [session.library.entry(shown.ref)], **told))
    except RememError as refused:
        return not str(refused)
    return True


def others(session: Session, shown: Entry) -> list[str]:
    """Return the texts of all other entries of the same kind, whichever names they have."""
    home = session.library.of_format(shown.ref.format)
    texts = [each.title for source in home for each in source.entries if each.kind == shown.kind]
    gone = (shown.title, "Ropes are coiled clockwise")
    return sorted(text for text in texts if text not in gone)


@pytest.mark.parametrize("name", SYSTEMS)
def test_prompts_get_what_is_in_force_and_the_same_twice(world: Harbours, name: str) -> None:
    session = bench_of(world)
    system, library = session.library.format(name), session.library
    sources = sources_of(world, name)
    roles = ("", *system.composer.role_names(library.ground, sources)[:3])

    for role in roles:
        offers = system.composer.offers(library.ground, sources, Ask(role=role))
        assert system.composer.offers(library.ground, sources, Ask(role=role)) == offers
        for piece in (piece for offer in offers for piece in offer.pieces):
            if piece.ref is not None:
                assert library.entry(piece.ref).status is Status.ACTIVE
