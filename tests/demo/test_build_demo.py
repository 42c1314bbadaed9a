"""The demo: whole, the same each time, and never in anybody's way."""

import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.code_files import git
from tests.demo_files import demo_at

from remem.base.clock import Clock
from remem.base.errors import NotPossible
from remem.core.library import Library, open_library
from remem.core.session import Session
from remem.core.settings import Places
from remem.core.system import Ground
from remem.demo.build import build_branch, build_crew, build_demo, fresh_place, home_of
from remem.model.entry import Status
from remem.store.io import Disk
from remem.systems.registry import FORMATS
from remem.systems.sniper.retro.sprint_range import range_of_sprint


def everything_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project of a demo that no test changes."""
    return build_demo(tmp_path_factory.mktemp("place") / "demo")


@pytest.fixture(scope="module")
def library(demo: Path) -> Library:
    from remem.systems.personas.persona_layouts import BUILT_IN

    return open_library(Ground(demo, home_of(demo), Disk(), demo.name, layouts=BUILT_IN), FORMATS)


def test_two_demos_are_the_same_to_the_byte(demo: Path, tmp_path: Path) -> None:
    other = build_demo(tmp_path / "other")

    assert everything_below(other.parent) == everything_below(demo.parent)


def test_the_demo_that_other_tests_take_is_this_one(demo: Path, tmp_path: Path) -> None:
    def modes(project: Path) -> dict[str, int]:
        top = project.parent
        return {str(path.relative_to(top)): path.lstat().st_mode for path in top.rglob("*")}

    other = demo_at(tmp_path / "other")

    assert everything_below(other.parent) == everything_below(demo.parent)
    assert modes(other) == modes(demo)


def test_a_night_leaves_the_same_memory_and_what_waits_can_be_told_by_its_events(
    tmp_path: Path,
) -> None:
    def memory_of(demo: Path) -> dict[str, bytes]:
        kept = everything_below(demo.parent).items()
        return {path: data for path, data in kept if not path.startswith("home/.local/")}

    morning = Clock(lambda: datetime(2026, 5, 4, 9, 30, tzinfo=UTC))
    one, two = (build_demo(tmp_path / name, morning, night=True) for name in ("one", "two"))
    session = Session.open(one, Places.of(home_of(one)), door="cli", clock=morning)
    session.begin_inbox()
    found = session.library.aside.unreviewed.values()
    session.close()

    assert memory_of(one) == memory_of(two)
    assert Counter((each.what, each.by) for each in found) == {
        ("removed", "hook of release-captain"): 15,
        ("new", ""): 5,
        ("changed", ""): 1,
    }
    assert len({each.event for each in found}) == 4
    assert all(each.time < morning.now() for each in found)


def test_project_and_home_lie_under_the_folder_that_was_named(tmp_path: Path) -> None:
    project = build_demo(tmp_path / "here")

    assert project == tmp_path / "here" / "project"
    assert home_of(project) == tmp_path / "here" / "home"
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    assert (build_demo(tmp_path) / ".sniper" / "config.yaml").is_file()


@pytest.mark.parametrize("content", ["file", "folder"])
def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, content: str) -> None:
    if content == "file":
        (tmp_path / "thesis.txt").write_text("three years")
    else:
        (tmp_path / "photos").mkdir()
    before = list(tmp_path.rglob("*"))

    with pytest.raises(NotPossible, match="not a demo"):
        build_demo(tmp_path)

    assert list(tmp_path.rglob("*")) == before


def test_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("mine")

    with pytest.raises(NotPossible):
        build_demo(path)

    assert path.read_text() == "mine"


def test_a_demo_that_is_there_keeps_what_was_done_in_it(tmp_path: Path) -> None:
    project = build_demo(tmp_path)
    (project / ".sniper/memory/conventions.yaml").write_text("conventions: []\n")
    (project / ".remem/proposals/20260502-5b3e91c4.yaml").unlink()
    before = everything_below(tmp_path)

    again = build_demo(tmp_path)

    assert again == project
    assert everything_below(tmp_path) == before


def test_a_fresh_place_is_new_each_time() -> None:
    ids = iter(["aaaaaaaa1", "bbbbbbbb2"])
    clock = Clock(new_id=lambda: next(ids))

    assert fresh_place(clock) != fresh_place(clock)


def test_it_holds_forty_entries_of_project_memory_and_more(library: Library) -> None:
    kinds = [
        entry.kind
        for source in library.of_format("sniper")
        if source.part in {"conventions", "anti-patterns", "decisions"}
        for entry in source.entries
    ]

    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "convention": 20,
        "anti_pattern": 14,
        "decision": 12,
    }


def test_its_entries_have_every_status_that_project_memory_knows(library: Library) -> None:
    found = {entry.status for source in library.of_format("sniper") for entry in source.entries}

    assert found >= {Status.ACTIVE, Status.CANDIDATE, Status.SUPERSEDED, Status.ARCHIVED}


def test_exactly_one_file_does_not_parse(library: Library) -> None:
    broken = [
        source.path.name
        for source in library.sources
        if any(problem.code == "syntax" for problem in source.problems)
    ]

    assert broken == ["sprint-5-retro.yaml"]


def test_one_candidate_hides_characters(library: Library) -> None:
    from remem.base.text import hidden

    poisoned = [entry for entry in library.entries() if hidden(entry.title)]

    assert [entry.ref.id for entry in poisoned] == ["conv-020"]
    assert poisoned[0].status is Status.CANDIDATE


def test_every_layout_has_somebody_in_it(library: Library) -> None:
    owners = {(source.layout, source.owner) for source in library.of_format("persona")}

    layouts = {layout for layout, owner in owners if owner}
    night_watch = {owner for layout, owner in owners if layout == "night-watch"}
    assert {"night-watch", "squad"} <= layouts
    assert len([layout for layout in layouts if "claude" in layout]) == 3
    assert night_watch >= {"Ines", "Tomasz", "Bastien", "Wanjiru"}


def test_the_summary_is_what_a_change_would_render(demo: Path, library: Library) -> None:
    path = demo / ".sniper/memory/summary.md"
    sniper = library.format("sniper")

    assert path.read_bytes() == sniper.keeper.render(
        library.ground, library.of_format("sniper"), path
    )


def test_the_agents_memory_is_longer_than_what_is_loaded(demo: Path) -> None:
    memory = demo / ".claude/agent-memory/release-captain/MEMORY.md"

    assert len(memory.read_text().splitlines()) > 200


def test_the_personas_have_rows_in_a_real_database(demo: Path) -> None:
    database = home_of(demo) / ".night-watch/state.db"

    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT name, is_active FROM agent_personas").fetchall()
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    assert rows == [("Ines", 1), ("Tomasz", 1), ("Wanjiru", 1), ("Bastien", 1), ("Salome", 0)]


def test_the_branch_to_gate_is_a_whole_repository_to_git(tmp_path: Path) -> None:
    folder = build_branch(tmp_path / "demo")

    assert git(folder, "fsck", "--strict") == ""
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "rev-list", "--count", "main..cheap-fridays").strip() == "1"
    assert git(folder, "merge-base", "main", "HEAD") == git(folder, "rev-parse", "main")


def test_work_on_the_branch_of_the_demo_stays(tmp_path: Path) -> None:
    folder = build_branch(tmp_path / "demo")
    (folder / "src/fares.py").write_text("changed\n")

    assert build_branch(tmp_path / "demo") == folder
    assert (folder / "src/fares.py").read_text() == "changed\n"


def test_the_demo_stands_in_a_repository_with_dated_commits_of_several_people(demo: Path) -> None:
    assert git(demo, "fsck", "--strict") == ""
    assert git(demo, "status", "--porcelain") == ""
    days = git(demo, "log", "--reverse", "--format=%cs").split()
    assert (days[0], days[-1]) == ("2026-01-26", "2026-05-08")
    assert days == sorted(days)
    assert len({*git(demo, "log", "--format=%an").splitlines()}) == 3
    assert git(demo, "rev-list", "-1", "--before=2026-03-01T23:59:59", "HEAD")


def test_the_demo_has_commits_of_a_sprint_whose_retro_can_be_made(
    demo: Path, library: Library
) -> None:
    found = range_of_sprint(library, 8, ())

    assert git(demo, "log", "--format=%s", found.asked).splitlines() == [
        "HOLD-33 Whoever reads a hold checks it",
        "BOARD-12 Notices leave one at a time",
        "HOLD-31 A hold carries its own expiry",
    ]


def test_every_earlier_version_of_a_store_parses(demo: Path) -> None:
    for commit in git(demo, "rev-list", "HEAD").split():
        for path in git(demo, "ls-tree", "-r", "--name-only", commit).splitlines():
            if path.endswith((".yaml", ".yml")) and "sprint-5" not in path:
                assert YAML(typ="safe").load(git(demo, "show", f"{commit}:{path}")), (commit, path)


def test_what_was_written_overnight_is_not_committed(tmp_path: Path) -> None:
    project = build_demo(tmp_path / "demo", night=True)

    changed = git(project, "status", "--porcelain", "--untracked-files=all").split("\n")

    assert [line.split()[-1] for line in changed] == [
        ".claude/agent-memory/release-captain/MEMORY.md",
        ".squad/agents/dunlin/history.md",
        "CLAUDE.md",
    ]
    assert {line.split()[0] for line in changed} == {"M"}


def test_memory_in_the_home_folder_was_written_on_the_day_it_names_last(demo: Path) -> None:
    core = home_of(demo) / ".night-watch/agents/Wanjiru/memories/project/core.md"

    written = datetime.fromtimestamp(core.stat().st_mtime, UTC)

    assert written.date().isoformat() == "2026-04-21"


def test_the_crew_has_a_history_in_which_it_was_written_to_on_several_days(tmp_path: Path) -> None:
    one, two = (build_crew(tmp_path / name) for name in ("one", "two"))

    assert everything_below(one) == everything_below(two)
    assert git(one, "fsck", "--strict") == git(one, "status", "--porcelain") == ""
    last = {
        git(one, "log", "-1", "--format=%cs", "--", path)
        for path in git(one, "ls-files", ".squad/agents/*/history.md").splitlines()
    }
    assert len(last) >= 5


def test_the_demo_is_built_where_there_is_no_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")

    project = build_demo(tmp_path / "demo", night=True)
    crew = build_crew(tmp_path / "demo")

    assert (project / ".git/HEAD").is_file()
    assert (crew / ".git/HEAD").is_file()


def test_a_folder_that_git_ignores_is_named_with_what_is_read_from_it_all_the_same(
    demo: Path,
) -> None:
    bench = Session.open(demo, Places.of(home_of(demo)), door="cli")

    told = bench.passed_over()

    assert told == {
        ".claude/agent-memory-local": "git ignores it; what tools load from there is read"
    }
    bench.close()
