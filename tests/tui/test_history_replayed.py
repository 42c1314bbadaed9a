"""The history of a real file comes through the running watcher, revision by revision, in place."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.code_files import git
from tests.tui.journey import until
from tests.tui.opened import Opened, opened
from tests.tui.test_lesson_journeys import RELEASE, stand_on

from remem.core.library import open_library
from remem.core.verbs.verbs import APPROVE
from remem.model.entry import Entry
from remem.tui.widgets.line_list import LineList

CHECKOUT = Path(__file__).resolve().parents[2]
REVISIONS = 20


def of_this_project(_: Path) -> Sequence[bytes]:
    """Return the revisions of the changelog that this checkout has, oldest first."""
    try:
        named = asked(CHECKOUT, "log", "--reverse", "--format=%H", "--", "CHANGELOG.md").split()
    except (OSError, subprocess.CalledProcessError):
        named = []
    if len(named) < 3:
        pytest.skip("this checkout has no history")
    step = max(1, len(named) // REVISIONS)
    return [asked(CHECKOUT, "show", f"{each.decode()}:CHANGELOG.md") for each in named[::step]]


def of_an_agent(folder: Path) -> Sequence[bytes]:
    """Return the revisions of a memory as agents keep one, through a repository of its own."""
    random, top = Random(5), folder / "agent"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    lines = ["# Release captain", "", "Ask before the tide turns.", ""]
    for number in range(REVISIONS):
        match number % 6:
            case 0:
                lines += [f"## 2026-04-{1 + number % 28:02} — sailing {number}", ""]
            case 3 if len(lines) > 12:
                del lines[random.randrange(4, len(lines) - 4)]
            case 4:
                place = random.randrange(4, len(lines) + 1)
                lines[place:place] = ["| berth | edition |", "| --- | --- |", f"| {number} | 2 |"]
            case 5:
                lines += ["```sh", f"./sail --dry {number}", "```"]
            case _:
                lines.append(f"- The berth of sailing {number} is read twice, é and all.")
        end = "\r\n" if number % 7 == 5 else "\n"
        (top / "MEMORY.md").write_bytes((end.join(lines) + end).encode())
        git(top, "add", ".")
        git(top, "commit", "-q", "-m", f"Revision {number}")
    named = asked(top, "log", "--reverse", "--format=%H").split()
    return [asked(top, "show", f"{each.decode()}:MEMORY.md") for each in named]


@pytest.mark.slow
@pytest.mark.parametrize("history", [of_an_agent, of_this_project])
async def test_every_revision_is_shown_as_it_is_and_undo_stays_whole(
    tmp_path: Path, history: Callable[[Path], Sequence[bytes]]
) -> None:
    revisions = history(tmp_path)
    async with opened(tmp_path, start="browse") as desk:
        path = desk.bench.root / RELEASE
        store = desk.bench.root / ".sniper/memory/conventions.yaml"
        before = store.read_bytes()
        candidate = next(e for e in desk.bench.library.waiting() if e.kind == "convention")
        desk.bench.apply(desk.bench.intend(APPROVE.id, [candidate], acknowledged=True))
        await stand_on(desk, ("source", path))

        for number, revision in enumerate(revisions):
            write_in_place(path, revision)
            if number % 5 == 4:
                continue  # the next one comes at once, as a rebase writes them
            await until(lambda revision=revision: shown(desk, path) == revision)  # type: ignore[misc]
            await desk.journey.rest()
            lessons = lessons_of(desk, path)
            assert lessons == read_afresh(desk, path)
            assert keys(desk) >= {ref for ref, _, _ in lessons}

        assert path.read_bytes() == revisions[-1]
        desk.bench.undo()
        assert store.read_bytes() == before
        assert path.read_bytes() == revisions[-1]


@pytest.mark.slow
async def test_what_a_person_did_between_two_revisions_is_undone_out_of_the_second(
    tmp_path: Path,
) -> None:
    revisions = of_an_agent(tmp_path)
    first = next(each for each in revisions[10:] if b"\r" not in each)
    async with opened(tmp_path, start="browse") as desk:
        path = desk.bench.root / RELEASE
        write_in_place(path, first)
        await until(lambda: shown(desk, path) == first)
        lesson = next(e for e in entries_of(desk, path) if "read twice" in e.title)
        fields: dict[str, object] = {"text": "The berth is read three times."}
        desk.bench.apply(desk.bench.intend("edit", [lesson], fields=fields))  # type: ignore[arg-type]
        edited = path.read_bytes()

        write_in_place(path, edited + b"- Written by the agent afterwards.\n")
        await until(lambda: b"afterwards" in (shown(desk, path) or b""))
        desk.bench.undo()

        assert edited != first
        assert path.read_bytes() == first + b"- Written by the agent afterwards.\n"


def write_in_place(path: Path, data: bytes) -> None:
    """Write as most agents do: the same file, emptied first."""
    with path.open("wb") as file:
        file.write(data)


def shown(desk: Opened, path: Path) -> bytes | None:
    return next((s.data for s in desk.bench.library.sources if s.path == path), None)


def entries_of(desk: Opened, path: Path) -> list[Entry]:
    source = next(s for s in desk.bench.library.sources if s.path == path)
    return [*source.entries]


def lessons_of(desk: Opened, path: Path) -> list[tuple[object, str, str]]:
    return [(each.ref, each.title, each.digest) for each in entries_of(desk, path)]


def read_afresh(desk: Opened, path: Path) -> list[tuple[object, str, str]]:
    library = open_library(desk.bench.library.ground, desk.bench.library.formats)
    source = next(s for s in library.sources if s.path == path)
    return [(each.ref, each.title, each.digest) for each in source.entries]


def keys(desk: Opened) -> set[object]:
    rows = desk.journey.pilot.app.screen.query_one("#entries", LineList).rows
    return {row.key for row in rows}


def asked(top: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(top), *arguments], check=True, capture_output=True)
    return done.stdout
