"""A library at a commit is the library of a checkout of it, and reading it touches nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.code_files import commit, git
from tests.sniper_files import CONVENTIONS, write

from remem.base.clock import Clock
from remem.base.errors import NotPossible
from remem.code.commit_ranges import commit_before
from remem.code.trees import Objects, tree_of
from remem.core.history.revisions import day_of
from remem.core.library import Library
from remem.core.session import Session
from remem.core.settings import Places

FIRST = b'conventions:\n  - id: conv-001\n    rule: "Consumers are idempotent"\n'
SECOND = FIRST + b'  - id: conv-002\n    rule: "Logs are one line"\n'
HISTORY = ".squad/agents/hill/history.md"
LOCAL = ".claude/agent-memory-local/rev/MEMORY.md"


def bench(root: Path) -> Session:
    clock = Clock(lambda: datetime(2026, 5, 5, tzinfo=UTC), lambda: "0" * 32)
    return Session.open(root, Places.of(root.parent / "home"), door="cli", clock=clock)


def shop(folder: Path) -> tuple[Path, str, str]:
    """Return a repository with two commits of memory, and their names."""
    root = folder / "shop"
    first: dict[str, str | bytes] = {
        CONVENTIONS: FIRST,
        HISTORY: "# Hill\n\n- Boards are loud\n",
        ".gitignore": ".claude/agent-memory-local/\n",
        LOCAL: "- Mine alone\n",
    }
    write(root, first)
    git(root, "init", "-q", "-b", "main")
    one = commit(root, "first")
    write(root, {CONVENTIONS: SECOND, "odd näme\n.md": "x"})
    (root / HISTORY).unlink()
    return root, one, commit(root, "second")


def told(library: Library) -> set[tuple[str, str, str]]:
    return {(str(entry.ref), entry.title, entry.digest) for entry in library.entries()}


def test_a_commit_opens_as_its_checkout_would(tmp_path: Path) -> None:
    root, one, _ = shop(tmp_path)
    git(tmp_path, "clone", "-q", str(root), str(tmp_path / "twin" / "shop"))
    git(tmp_path / "twin" / "shop", "checkout", "-q", one)
    write(tmp_path / "twin" / "shop", {LOCAL: "- Mine alone\n"})

    past = bench(root).revisions()
    with past.reading():
        then, _ = past.at(one)

    assert told(then) == told(bench(tmp_path / "twin" / "shop").library)
    assert "Boards are loud" in {entry.title for entry in then.entries()}
    assert {entry.ref.id for entry in then.of_kind("convention")} == {"conv-001"}


def test_reading_a_commit_changes_neither_work_tree_nor_repository(tmp_path: Path) -> None:
    root, one, _ = shop(tmp_path)
    write(root, {CONVENTIONS: b"broken: ["})

    def everything() -> dict[str, tuple[int, bytes]]:
        files = (path for path in root.rglob("*") if path.is_file())
        return {str(p): (p.stat().st_mtime_ns, p.read_bytes()) for p in files}

    before = everything()
    past = bench(root).revisions()
    with past.reading():
        then, _ = past.at(one)
    assert len(told(then)) == 3
    assert everything() == before


def test_settings_are_those_of_the_commit(tmp_path: Path) -> None:
    root, one, _ = shop(tmp_path)
    write(root, {".remem/config.yaml": "tokens: {budget: 77}\n"})
    two = commit(root, "budget")

    past = bench(root).revisions()

    assert [past.at(each)[1].tokens.budget for each in (one, two)] == [0, 77]


def test_what_git_does_not_keep_is_as_it_is_now(tmp_path: Path) -> None:
    root, one, _ = shop(tmp_path)
    write(root, {LOCAL: "- Written today\n"})
    write(root / "inner", {CONVENTIONS: FIRST})
    git(root / "inner", "init", "-q")

    past = bench(root).revisions()
    then, _ = past.at(one)

    assert "Written today" in {entry.title for entry in then.entries()}
    assert then.ground.disk.kind(root / "inner" / CONVENTIONS) == "file"


def test_a_root_below_the_top_of_its_repository_is_found(tmp_path: Path) -> None:
    write(tmp_path / "mono" / "shop", {CONVENTIONS: FIRST})
    git(tmp_path / "mono", "init", "-q")
    one = commit(tmp_path / "mono", "first")
    write(tmp_path / "mono" / "shop", {CONVENTIONS: SECOND})

    past = bench(tmp_path / "mono" / "shop").revisions()

    assert len(told(past.at(one)[0])) == 1


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("nope", "no commit `nope`"),
        ("--output=x", "is not a commit"),
        ("HEAD\n", "is not a commit"),
        ("1999-01-01", "no commit here is from 1999-01-01"),
        ("main..nope", "no commit `nope`"),
        ("main...alone", "no commit in common"),
    ],
)
def test_what_is_no_commit_is_said_with_a_way_on(tmp_path: Path, asked: str, says: str) -> None:
    root, *_ = shop(tmp_path)
    git(root, "checkout", "-q", "--orphan", "alone")
    commit(root, "alone")
    past = bench(root).revisions()

    with pytest.raises(NotPossible, match=says.replace("(", "")) as raised:
        past.ends(asked) if ".." in asked else past.commit(asked)

    assert raised.value.hint


def test_who_names_a_branch_that_is_not_there_is_told_those_that_are(tmp_path: Path) -> None:
    root, *_ = shop(tmp_path)
    git(root, "branch", "release")

    with pytest.raises(NotPossible) as raised:
        bench(root).revisions().ends("trunk...HEAD")

    assert raised.value.hint in (
        "branches here: `main`, `release`", "branches here: `release`, `main`"
    )  # fmt: skip


def test_who_names_a_branch_of_the_remote_is_told_its_whole_name(tmp_path: Path) -> None:
    root, *_ = shop(tmp_path)
    git(root, "branch", "feat")
    git(tmp_path, "clone", "-q", "-b", "feat", f"file://{root}", str(tmp_path / "clone"))

    with pytest.raises(NotPossible) as raised:
        bench(tmp_path / "clone").revisions().ends("main...HEAD")

    assert raised.value.hint == "did you mean `origin/main`?"


def test_no_repository_and_no_commits_are_said(tmp_path: Path) -> None:
    write(tmp_path / "shop", {CONVENTIONS: FIRST})
    with pytest.raises(NotPossible, match="not a git repository"):
        bench(tmp_path / "shop").revisions()
    git(tmp_path / "shop", "init", "-q")

    with pytest.raises(NotPossible, match="no commits yet"):
        bench(tmp_path / "shop").branch("HEAD")


def test_a_shallow_clone_is_told_how_to_get_the_rest(tmp_path: Path) -> None:
    root, one, _ = shop(tmp_path)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", str(tmp_path / "flat"))

    with pytest.raises(NotPossible) as raised:
        bench(tmp_path / "flat").branch(f"{one}..HEAD")

    assert "unshallow" in raised.value.hint


def test_a_day_means_the_last_commit_of_it(tmp_path: Path) -> None:
    root, one, two = shop(tmp_path)
    today = day_of(git(root, "show", "-s", "--format=%cs"))

    assert today is not None
    assert commit_before(root, today) == two != one
    assert [day_of(text) for text in ("main", "20260504", "2026-13-01", "2026-05-04 x")] == [
        None
    ] * 4


def test_objects_are_handed_out_one_by_one_and_by_one_program(tmp_path: Path) -> None:
    root, one, two = shop(tmp_path)
    objects = Objects(root)
    names = [leaf.object for each in (one, two) for leaf in tree_of(root, each).values()]
    names += ["f" * 40, one]

    with objects:
        together = [objects.read(name) for name in names]
    alone = [Objects(root).read(name) for name in names]

    assert together == alone
    assert together[-2:] == [None, None]
    assert SECOND in together


def test_a_file_that_git_has_broken_is_not_compared(tmp_path: Path) -> None:
    root, one, _ = shop(tmp_path)
    name = tree_of(root, one)[CONVENTIONS].object
    stored = root / ".git" / "objects" / name[:2] / name[2:]
    stored.chmod(0o600)
    stored.write_bytes(b"broken")

    _, found = bench(root).branch(f"{one}..HEAD")

    assert "conventions.yaml" in {path.name for path in found.states.unread}
    assert "conv-001" not in {each.entry.ref.id for each in found.entries}
