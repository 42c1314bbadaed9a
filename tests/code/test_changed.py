import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem.base.errors import NotPossible
from remem.code.changed_lines import ChangedFile, Changes, Looked, added_lines
from remem.store.io import Disk

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d "]), max_size=12)


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            **{f"GIT_{who}_NAME": "Mara" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "mara@example.org" for who in ("AUTHOR", "COMMITTER")},
        },
    )
    return done.stdout.strip()


def put(root: Path, name: str, text: str | bytes) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def commit(root: Path, message: str = "More") -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)


def seen(looked: Looked) -> dict[str, list[int] | None]:
    return {file.path: None if file.added is None else sorted(file.added) for file in looked.files}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    put(folder, "src/a.py", "one\ntwo\nthree\n")
    put(folder, "src/same.py", "same\n")
    commit(folder, "Begin")
    git(folder, "tag", "start")
    return folder


def test_the_work_tree_adds_changed_lines_staged_ones_and_files_that_nobody_added(
    root: Path,
) -> None:
    put(root, "src/a.py", "one\n2\nthree\nfour\n")
    put(root, "new.py", "x\ny\n")
    put(root, "staged.py", "z\n")
    git(root, "add", "staged.py")

    found = Changes(Disk(), root).since_head()

    assert seen(found) == {"src/a.py": [2, 4], "new.py": [1, 2], "staged.py": [1]}


def test_only_what_is_staged_is_what_the_next_commit_adds(root: Path) -> None:
    put(root, "src/a.py", "zero\none\ntwo\nthree\n")
    git(root, "add", "src/a.py")
    put(root, "src/a.py", "zero\none\ntwo\nthree\nnot staged\n")

    found = Changes(Disk(), root).staged()

    assert seen(found) == {"src/a.py": [1]}
    assert found.files[0].lines == ("zero", "one", "two", "three")


def test_two_dots_compare_two_commits_and_three_dots_the_branch_alone(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "topic")
    put(root, "topic.py", "t\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    put(root, "main.py", "m\n")
    commit(root)

    changes = Changes(Disk(), root)

    assert seen(changes.between("main..topic")) == {"topic.py": [1]}
    assert seen(changes.between("topic...main")) == {"main.py": [1]}
    assert seen(changes.between("start..")) == {"main.py": [1]}
    assert seen(changes.between("start")) == {"main.py": [1]}


def test_a_root_below_the_top_sees_its_own_files_under_its_own_names(root: Path) -> None:
    put(root, "src/a.py", "one\ntwo\nthree\nfour\n")
    put(root, "elsewhere.py", "x\n")

    found = Changes(Disk(), root / "src").since_head()

    assert seen(found) == {"a.py": [4]}


def test_a_repository_without_a_commit_adds_all_that_lies_in_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(tmp_path, "a.py", "one\n")

    changes = Changes(Disk(), tmp_path)

    assert seen(changes.since_head()) == {"a.py": [1]}
    assert seen(changes.staged()) == {}


def test_files_whole_are_those_that_git_tracks_or_would(root: Path) -> None:
    put(root, ".gitignore", "out/\n")
    put(root, "out/built.py", "x\n")
    put(root, "new.py", "x\n")

    found = Changes(Disk(), root).whole()

    assert seen(found) == dict.fromkeys(("src/a.py", "src/same.py", ".gitignore", "new.py"))


def test_programs_links_and_what_is_gone_are_left_out(root: Path) -> None:
    put(root, "picture.png", b"\x89PNG\0\0")
    (root / "link.py").symlink_to("/etc/passwd")
    (root / "src" / "a.py").unlink()

    found = Changes(Disk(), root).since_head()

    assert seen(found) == {}


def test_a_link_that_nobody_added_is_not_the_file_that_it_leads_to(root: Path) -> None:
    (root / "link.py").symlink_to("src/a.py")
    (root / "out.py").symlink_to("/etc/passwd")
    changes = Changes(Disk(), root)

    assert changes.since_head().files == ()
    assert changes.since_head().unread == ()
    assert seen(changes.whole()) == dict.fromkeys(("src/a.py", "src/same.py"))


def test_in_a_long_file_only_the_lines_that_came_are_added(root: Path) -> None:
    lines = [f"line {number}\n" for number in range(20_000)]
    put(root, "src/long.py", "".join(lines))
    commit(root)
    put(
        root,
        "src/long.py",
        "".join(["first\n", *lines[:9_000], "middle\n", *lines[9_001:], "last\n"]),
    )

    assert seen(Changes(Disk(), root).since_head()) == {"src/long.py": [1, 9_002, 20_002]}


@pytest.mark.parametrize("lost", ["src/a.py", "src/new.py"])
def test_a_file_that_the_clone_does_not_hold_is_told_as_not_read(root: Path, lost: str) -> None:
    before = git(root, "rev-parse", "HEAD:src/a.py")
    put(root, "src/a.py", "one\ntwo\nthree\nfour\n")
    put(root, "src/new.py", "x\n")
    commit(root)
    name = before if lost == "src/a.py" else git(root, "rev-parse", f"HEAD:{lost}")
    (root / ".git/objects" / name[:2] / name[2:]).unlink()

    found = Changes(Disk(), root).between("start..HEAD")

    assert [path for path, _ in found.unread] == [lost]
    assert seen(found) == ({"src/new.py": [1]} if lost == "src/a.py" else {"src/a.py": [4]})


def test_other_line_ends_add_nothing(root: Path) -> None:
    put(root, "src/a.py", b"one\r\ntwo\r\nthree\r\n")

    assert seen(Changes(Disk(), root).since_head()) == {}


def test_names_that_need_quoting_are_told_as_they_are(root: Path) -> None:
    put(root, 'odd "name"\té.py', "x\n")
    commit(root)

    assert seen(Changes(Disk(), root).between("start..HEAD")) == {'odd "name"\té.py': [1]}


def test_no_filter_of_a_configuration_is_run(root: Path, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    put(root, ".gitattributes", "*.py filter=evil diff=evil\n")
    git(root, "config", "filter.evil.clean", f"touch {touched}; cat")
    git(root, "config", "diff.evil.textconv", f"touch {touched}; cat")
    git(root, "config", "diff.external", f"touch {touched}")
    put(root, "src/a.py", "one\n")

    found = Changes(Disk(), root).since_head()

    assert ".gitattributes" in seen(found)
    assert not touched.exists()


@pytest.mark.parametrize("asked", ["nothing..HEAD", "--output=/tmp/x", "HEAD..nothing", " "])
def test_a_range_that_is_not_there_is_refused_with_a_hint(root: Path, asked: str) -> None:
    with pytest.raises(NotPossible) as refused:
        Changes(Disk(), root).between(asked)

    assert refused.value.hint


def test_without_a_repository_only_files_that_are_named_are_looked_at(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "one\n")
    changes = Changes(Disk(), tmp_path)

    assert seen(changes.whole(["a.py"])) == {"a.py": None}
    for look in (changes.staged, changes.since_head, changes.whole):
        with pytest.raises(NotPossible, match="not a git repository"):
            look()


@given(LINES, LINES)
@settings(max_examples=150)
def test_without_the_added_lines_what_is_left_stood_there_before(
    old: Sequence[str], new: Sequence[str]
) -> None:
    added = added_lines(old, new)

    left = [line for number, line in enumerate(new, 1) if number not in added]
    before = iter(old)
    assert all(any(line == each for each in before) for line in left)
    assert added <= set(range(1, len(new) + 1))
    assert added_lines(new, new) == frozenset()


def test_every_line_is_added_where_none_is_told() -> None:
    assert ChangedFile("a.py", ("x",), None).is_added(1)
    assert not ChangedFile("a.py", ("x",), frozenset()).is_added(1)


def test_a_repository_that_git_says_nothing_about_is_not_taken_for_one_without_changes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "src/new.py", "new\n")
    # What git says in a container whose user does not own the checkout.
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    changes = Changes(Disk(), root)

    for look in (changes.staged, changes.since_head, changes.whole, changes.named):
        with pytest.raises(NotPossible, match="dubious ownership"):
            look()
    with pytest.raises(NotPossible, match="dubious ownership"):
        changes.between("start..HEAD")


def test_an_index_that_is_no_index_is_not_taken_for_an_empty_one(root: Path) -> None:
    put(root, ".git/index", "no index")

    with pytest.raises(NotPossible, match="index"):
        Changes(Disk(), root).staged()


def test_a_file_that_was_renamed_adds_the_lines_that_changed_and_knows_its_old_name(
    root: Path,
) -> None:
    git(root, "mv", "src/a.py", "src/b.py")
    put(root, "src/b.py", "one\ntwo\nthree\nfour\n")
    (root / "lib").mkdir()
    git(root, "mv", "src/same.py", "lib/same.py")
    git(root, "add", "-A")

    for looked in (Changes(Disk(), root).staged(), Changes(Disk(), root).since_head()):
        was = {file.path: (file.was, file.adds) for file in looked.files}
        assert seen(looked) == {"src/b.py": [4], "lib/same.py": []}
        assert was == {"src/b.py": ("src/a.py", True), "lib/same.py": ("src/same.py", False)}
    commit(root)
    assert seen(Changes(Disk(), root).between("start..HEAD")) == {
        "src/b.py": [4],
        "lib/same.py": [],
    }
    assert seen(Changes(Disk(), root / "lib").between("start..HEAD")) == {"same.py": [1]}


def test_a_file_in_the_place_of_a_link_adds_all_its_lines(root: Path) -> None:
    (root / "src/link.py").symlink_to("a.py")
    commit(root)
    (root / "src/link.py").unlink()
    put(root, "src/link.py", "own\nlines\n")

    assert seen(Changes(Disk(), root).since_head()) == {"src/link.py": [1, 2]}


def test_a_clone_that_lacks_what_is_asked_for_says_how_to_bring_it(
    root: Path, tmp_path: Path
) -> None:
    put(root, "src/a.py", "other\n")
    commit(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", root.as_uri(), "part")

    with pytest.raises(NotPossible, match="promisor remote") as refused:
        Changes(Disk(), tmp_path / "part").between("HEAD~1..HEAD")

    assert "--no-filter" in refused.value.hint


def test_the_index_of_another_repository_is_not_looked_at(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "src/new.py", "new\n")
    git(root, "add", "-A")
    git(tmp_path, "init", "-q", "other")
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other" / ".git" / "index"))

    assert seen(Changes(Disk(), root).staged()) == {"src/new.py": [1]}
