"""Builds the demo: a project and a home folder under one folder, with fixed dates.

It only ever fills an empty folder. What stands in a demo already is the work of whoever tried
remem on it, and stays.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from remem.base.clock import Clock
from remem.base.errors import NotPossible
from remem.core.own_folder import IGNORED
from remem.demo.content import (
    claude,
    commits,
    learnings,
    memories,
    night_watch,
    own,
    shaktra,
    sniper,
    squad,
)
from remem.demo.content.anti_patterns import ANTI_PATTERNS
from remem.demo.content.conventions import CONVENTIONS
from remem.demo.content.decisions import DECISIONS
from remem.demo.content.memories import Fact
from remem.demo.content.profiles import PROFILES, Profile
from remem.demo.content.retros import ESTIMATES, SPRINT_5, SPRINT_6, SPRINT_7
from remem.demo.made_up_history import last_day, moment_of, past_of
from remem.model.citation import Citation
from remem.store.io import Disk, real_path
from remem.systems.facts.database.row_records import DATABASE
from remem.systems.facts.database.sqlite_schema import store_of
from remem.systems.facts.records import EventName, id_from

PROJECT: Final = "project"
HOME: Final = "home"
CREW: Final = "crew"
FARES: Final = "fares"
_FIRST: Final = 1_777_280_400
"""The first commit, in seconds since 1970: 2026-04-27."""
_WEEK: Final = 7 * 24 * 3600
_LAST: Final = "2026-05-04"
"""The day of the demo: of its last commits, and when a file was written that names no day."""
_TEAM: Final = ".squad/team.md"

_MARKER: Final = ".remem-demo"
_MARK: Final = b"A demo workspace of remem. Delete the folder when you are done with it.\n"
_MEMORY: Final = f"{PROJECT}/.sniper/memory"
_SUMMARY: Final = f"{_MEMORY}/summary.md"


def fresh_place(clock: Clock | None = None) -> Path:
    """Return the path of a temporary folder that is not there yet."""
    name = (clock or Clock()).new_id()[:8]
    return Path(gettempdir()) / f"remem-demo-{name}"


def home_of(project: Path) -> Path:
    """Return the home folder that belongs to a demo's project."""
    return project.parent / HOME


def build_demo(at: Path, clock: Clock | None = None, *, night: bool = False) -> Path:
    """Build the demo in `at` unless it is there already, and return its project folder.

    Args:
        at: A folder that is missing, empty, or a demo; a demo is left as it stands.
        clock: For what remem renders itself; the contents have fixed dates.
        night: Somebody looked at it in the evening, and agents wrote since.

    Raises:
        NotPossible: `at` is no folder, or holds something else.
    """
    disk = Disk()
    at = real_path(at)
    if disk.kind(at / _MARKER) == "file":
        return at / PROJECT
    if disk.kind(at) not in {None, "folder"} or disk.names(at):
        raise NotPossible(
            f"`{at}` holds something that is not a demo",
            hint="name a folder that is empty or not there yet: `remem demo --at DIR`",
        )
    contents = _contents() if not night else {**_contents(), **_evening()}
    for path, data in contents.items():
        _put(disk, at / path, data, moment_of(last_day(data, _LAST)))
    _put_summary(disk, at, clock or Clock())
    _put_past(disk, at, contents)
    if night:
        _spend_night(disk, at, clock or Clock())
    # Last: a folder with this mark is whole.
    _put(disk, at / _MARKER, _MARK)
    return at / PROJECT


def build_crew(at: Path) -> Path:
    """Build the demo's large team beside its project unless it is there, and return its folder.

    Args:
        at: The folder of a demo, as `build_demo` took it.
    """
    from remem.demo.content import crew

    disk, folder = Disk(), real_path(at) / CREW
    if disk.kind(folder / _TEAM) == "file":
        return folder
    files = {path: text.encode() for path, text in crew.files().items()}
    past = past_of(files, commits.CREW, {}, commits.CREW_STARTED)
    # Last: a crew with a roster is whole.
    rest = [each for each in files.items() if each[0] != _TEAM]
    for path, data in (*past.files("main", files), *rest, (_TEAM, files[_TEAM])):
        _put(disk, folder / path, data, moment_of(last_day(data, _LAST)))
    return folder


def build_branch(at: Path) -> Path:
    """Build the demo's repository with a branch to gate unless it is there, and return its folder.

    Args:
        at: The folder of a demo, as `build_demo` took it.
    """
    from remem.demo.content.fares import BRANCH, CHEAP, MAIN
    from remem.demo.repository import Repository

    disk, folder = Disk(), real_path(at) / FARES
    if disk.kind(folder / ".git/HEAD") == "file":
        return folder
    repository = Repository()
    main, cheap = ({p: text.encode() for p, text in each.items()} for each in (MAIN, CHEAP))
    repository.commit("main", main, "Calculate the fare of a day", _FIRST)
    repository.commit(BRANCH, cheap, "Make Fridays cheaper", _FIRST + _WEEK)
    for path, data in cheap.items():
        _put(disk, folder / path, data)
    # With its head last: a repository with a head is whole.
    for path, data in repository.files(BRANCH, cheap):
        _put(disk, folder / path, data)
    return folder


def _contents() -> dict[str, bytes]:
    """Return the bytes of every file below the demo's folder, by path."""
    stores = {
        "conventions.yaml": CONVENTIONS,
        "anti-patterns.yaml": ANTI_PATTERNS,
        "decisions.yaml": DECISIONS,
        "estimates.yaml": ESTIMATES,
        "retros/sprint-5-retro.yaml": SPRINT_5,
        "retros/sprint-6-retro.yaml": SPRINT_6,
        "retros/sprint-7-retro.yaml": SPRINT_7,
    }
    folders = {
        _MEMORY: stores,
        PROJECT: {
            **sniper.FILES,
            **learnings.FILES,
            **own.FILES,
            **memories.FILES,
            **claude.FILES,
            **squad.FILES,
            **shaktra.FILES,
        },
        HOME: claude.HOME_FILES,
        f"{HOME}/.night-watch": night_watch.FILES,
    }
    return {
        **{
            f"{folder}/{path}": text.encode()
            for folder, files in folders.items()
            for path, text in files.items()
        },
        f"{HOME}/.night-watch/state.db": database_bytes(PROFILES),
        f"{PROJECT}/{DATABASE}": _verified(),
        f"{PROJECT}/.remem/.gitignore": IGNORED,
    }


def _evening() -> dict[str, bytes]:
    from remem.demo.content.night import EVENING

    return {path: text.encode() for path, text in EVENING.items()}


def _put_past(disk: Disk, at: Path, contents: Mapping[str, bytes]) -> None:
    """Write the project's repository: all that is there now is committed, but what git leaves out.

    The store of facts is left out by the list beside it, and one agent's memory is a person's own.
    """
    below = f"{PROJECT}/"
    files = {
        path.removeprefix(below): data
        for path, data in ((*contents.items(), (_SUMMARY, disk.read(at / _SUMMARY))))
        if path.startswith(below)
    }
    files = {
        path: data
        for path, data in files.items()
        if path != str(DATABASE) and not path.startswith(commits.PROJECT_EXCLUDED)
    }
    past = past_of(files, commits.PROJECT, commits.PROJECT_GROWING, commits.PROJECT_STARTED)
    for path, data in past.files("main", files, commits.PROJECT_EXCLUDED):
        _put(disk, at / PROJECT / path, data, moment_of(_LAST))


def _verified() -> bytes:
    return store_bytes(memories.FACTS, memories.FILES)


def _put_summary(disk: Disk, at: Path, clock: Clock) -> None:
    """Write `summary.md` as every later change will render it."""
    # Half a second that the agents of `demo.live` do not have to wait for.
    from remem.core.library import open_library
    from remem.core.system import Given, Ground
    from remem.systems.registry import FORMATS

    ground = Ground(at / PROJECT, at / HOME, disk, PROJECT, Given(clock))
    rules = next(each for each in FORMATS if each.name == "sniper")
    sources = open_library(ground, [rules]).sources
    summary = rules.keeper.render(ground, sources, at / _SUMMARY)
    if summary is not None:
        _put(disk, at / _SUMMARY, summary, moment_of(_LAST))


def _spend_night(disk: Disk, at: Path, clock: Clock) -> None:
    """Let somebody look at memory in the evening, and agents write to it afterwards."""
    from remem.core.session import Session
    from remem.core.settings import Places
    from remem.demo.content.night import DAWN, NIGHT, SEEN
    from remem.systems.registry import make_known

    make_known()
    dawn = clock.now().astimezone().replace(hour=DAWN, minute=0, second=0, microsecond=0)
    if dawn > clock.now():
        dawn -= timedelta(days=1)
    now = dawn.astimezone(UTC) - SEEN
    places = Places.of(at / HOME)
    session = Session.open(at / PROJECT, places, door="cli", clock=Clock(lambda: now, clock.new_id))
    try:
        session.begin_inbox()
        for each in NIGHT:
            now = dawn.astimezone(UTC) - each.before
            session.inbox.by = f"hook of {each.by}" if each.by else ""
            for path, edit in each.edits.items():
                file = at / path
                written = edit(disk.read(file).decode()).encode()
                disk.unlink(file)
                _put(disk, file, written, now)
            session.refresh([at / path for path in each.edits])
            session.look()
    finally:
        session.close()


def _put(disk: Disk, path: Path, data: bytes, time: datetime | None = None) -> None:
    """Write a new file, as if at that time."""
    _make_folder(disk, path.parent)
    handle = disk.create(path, 0o644)
    try:
        disk.write_all(handle, data)
        if time is not None:
            disk.set_time(handle, int(time.timestamp()) * 1_000_000_000)
    finally:
        disk.close(handle)


def _make_folder(disk: Disk, folder: Path) -> None:
    if disk.kind(folder) == "folder":
        return
    _make_folder(disk, folder.parent)
    disk.mkdir(folder)


_TABLE: Final = """
CREATE TABLE agent_personas (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, avatar_url TEXT,
    soul_json TEXT NOT NULL DEFAULT '{}', style_json TEXT NOT NULL DEFAULT '{}',
    skill_json TEXT NOT NULL DEFAULT '{}', model_config_json TEXT, system_prompt_override TEXT,
    is_active INTEGER NOT NULL DEFAULT 1, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
)
"""
_CREATED: Final = 1_769_500_800_000
"""Milliseconds since 1970: 2026-01-27."""


def database_bytes(profiles: Iterable[Profile]) -> bytes:
    """Return a SQLite database that holds `agent_personas` with these rows (FORMATS 3.6)."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(_TABLE)
        connection.executemany(
            "INSERT INTO agent_personas VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            map(_row, profiles),
        )
        connection.commit()
        return connection.serialize()


def _row(profile: Profile) -> tuple[str | int | None, ...]:
    texts = (json.dumps(part) for part in (profile.soul, profile.style, profile.skill))
    model = json.dumps({"provider": "anthropic", "model": profile.model})
    return (
        profile.id,
        profile.name,
        profile.role,
        *texts,
        model,
        profile.override or None,
        int(profile.is_active),
        _CREATED,
        _CREATED,
    )


_REPOSITORY: Final = "project"


def store_bytes(facts: Sequence[Fact], files: Mapping[str, str]) -> bytes:
    """Return a store of verified memory that holds these facts (FORMATS 6.1).

    Args:
        facts: Each after those that it supersedes.
        files: The code that they cite, by its path.
    """
    replaced = {each.superseded_by: each.id for each in facts if each.superseded_by}
    rows = [_fact_row(each, files, replaced.get(each.id)) for each in facts]
    events = [event for each in facts for event in _events(each, corrects=each.id in replaced)]
    return store_of(rows, events)


def _fact_row(fact: Fact, files: Mapping[str, str], supersedes: str | None) -> Mapping[str, object]:
    cited = [
        Citation(path, start, end).at(path, start, "", files[path].split("\n")[start - 1 : end])
        for path, start, end in fact.places
    ]
    return {
        "id": fact.id,
        "repo": _REPOSITORY,
        "subject": fact.subject,
        "fact": fact.fact,
        "reason": fact.reason or None,
        "citations": [each.to_json() for each in cited],
        "created_by": fact.by,
        "created_at": _morning(fact),
        "refreshed_at": _morning(fact),
        "status": "superseded" if fact.superseded_by else "active",
        "supersedes_id": supersedes,
        "superseded_by_id": fact.superseded_by or None,
    }


def _events(fact: Fact, *, corrects: bool) -> Iterator[Mapping[str, object]]:
    names = [EventName.CORRECTED if corrects else EventName.CREATED]
    names += [EventName.VERIFIED_VALID, EventName.APPLIED] if fact.held else []
    names += [EventName.SUPERSEDED] if fact.superseded_by else []
    for number, name in enumerate(names):
        yield {
            "id": id_from(fact.id, name.value),
            "memory_id": fact.id,
            "event": name.value,
            "agent_id": fact.by,
            "created_at": _morning(fact) + timedelta(seconds=number),
        }


def _morning(fact: Fact) -> datetime:
    return datetime.fromisoformat(f"{fact.day}T09:30").replace(tzinfo=UTC)
