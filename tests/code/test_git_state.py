import os
import subprocess
from pathlib import Path

import pytest

from remem.code import git
from remem.store.io import Disk

STORE = b"conventions:\n  - id: conv-001\n"


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
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


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    run(root, "init", "-q", "-b", "main")
    (root / "store.yaml").write_bytes(STORE)
    run(root, "add", ".")
    run(root, "commit", "-q", "-m", "Begin")
    return root


def state(folder: Path) -> str:
    return git.state(Disk(), folder)


def test_a_folder_without_a_repository_has_no_state(tmp_path: Path) -> None:
    assert state(tmp_path / "nowhere") == ""


def test_the_state_stays_while_only_files_of_the_work_tree_change(repository: Path) -> None:
    before = state(repository)

    (repository / "store.yaml").write_bytes(b"# rewritten\n")
    (repository / "new.md").write_bytes(b"new\n")

    assert before
    assert state(repository) == before


def test_a_folder_inside_the_work_tree_has_its_state(repository: Path) -> None:
    (repository / "deep" / "er").mkdir(parents=True)

    assert state(repository / "deep" / "er") == state(repository)


@pytest.mark.parametrize(
    "command",
    [
        ["commit", "-q", "--allow-empty", "-m", "More"],
        ["checkout", "-q", "-b", "other"],
        ["checkout", "-q", "--detach"],
        ["update-ref", "refs/heads/main", "HEAD~1"],
    ],
    ids=["commit", "branch", "detach", "reset"],
)
def test_the_state_changes_when_git_moves(repository: Path, command: list[str]) -> None:
    run(repository, "commit", "-q", "--allow-empty", "-m", "Second")
    before = state(repository)

    run(repository, *command)

    assert state(repository) != before


def test_what_only_the_index_says_moves_nothing(repository: Path) -> None:
    before = state(repository)
    (repository / "store.yaml").write_bytes(b"# rewritten\n")

    run(repository, "status")
    run(repository, "add", "store.yaml")

    assert state(repository) == before
    assert git.knows(repository, b"# rewritten\n")


def test_the_state_changes_with_every_stash(repository: Path) -> None:
    seen = [state(repository)]

    for text in (b"one\n", b"two\n"):
        (repository / "store.yaml").write_bytes(text)
        run(repository, "stash", "-q")
        seen.append(state(repository))
    run(repository, "stash", "drop", "-q")

    assert len({*seen, state(repository)}) == 4


def test_a_commit_on_a_branch_whose_ref_is_packed_changes_the_state(repository: Path) -> None:
    run(repository, "pack-refs", "--all")
    before = state(repository)

    run(repository, "commit", "-q", "--allow-empty", "-m", "More")

    assert state(repository) != before


def test_a_work_tree_of_its_own_has_a_state_of_its_own(repository: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    run(repository, "worktree", "add", "-q", "-b", "side", str(tree))
    before, main = state(tree), state(repository)

    run(tree, "commit", "-q", "--allow-empty", "-m", "On the side")

    assert before
    assert state(tree) != before
    assert state(repository) == main


def test_a_stash_moves_every_work_tree(repository: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    run(repository, "worktree", "add", "-q", "-b", "side", str(tree))
    before = state(tree)

    (repository / "store.yaml").write_bytes(b"stashed\n")
    run(repository, "stash", "-q")

    assert state(tree) != before


@pytest.mark.parametrize("text", [b"", b"gitdir:", b"gitdir: ../nowhere\n", b"\xff\x00", b"ref"])
def test_a_git_file_that_leads_nowhere_is_no_error(tmp_path: Path, text: bytes) -> None:
    (tmp_path / ".git").write_bytes(text)

    assert isinstance(state(tmp_path), str)


@pytest.mark.parametrize(
    "text", [b"ref: refs/heads/a\n", b"ref: ../../etc/passwd\n", b"ref: refs/\xff\n", b"ref: \x00"]
)
def test_a_head_that_names_itself_or_leads_out_ends(tmp_path: Path, text: bytes) -> None:
    heads = tmp_path / ".git" / "refs" / "heads"
    heads.mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_bytes(text)
    (heads / "a").write_bytes(text)

    assert state(tmp_path)


def test_git_knows_what_was_committed_stashed_or_staged(repository: Path) -> None:
    (repository / "store.yaml").write_bytes(b"stashed\n")
    run(repository, "stash", "-q")
    (repository / "store.yaml").write_bytes(b"staged\n")
    run(repository, "add", ".")
    (repository / "store.yaml").write_bytes(b"only written\n")

    known = [git.knows(repository, data) for data in (STORE, b"stashed\n", b"staged\n")]

    assert known == [True, True, True]
    assert not git.knows(repository, b"only written\n")


def test_git_knows_a_file_whose_line_ends_the_work_tree_has_otherwise(repository: Path) -> None:
    assert git.knows(repository, STORE.replace(b"\n", b"\r\n"))


def test_an_empty_file_is_nothing_that_git_knows(repository: Path) -> None:
    (repository / "empty").write_bytes(b"")
    run(repository, "add", ".")

    assert not git.knows(repository, b"")


def test_git_knows_nothing_where_there_is_no_repository(tmp_path: Path) -> None:
    assert not git.knows(tmp_path, STORE)
    assert not git.knows(tmp_path / "nowhere", STORE)


def test_a_repository_with_longer_names_is_asked_for_those(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "store.yaml").write_bytes(STORE)
    run(tmp_path, "add", ".")

    assert git.knows(tmp_path, STORE)


def test_the_environment_of_a_hook_does_not_lead_to_another_repository(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))

    assert git.knows(repository, STORE)


def test_asking_changes_no_file_of_the_repository(repository: Path) -> None:
    def picture() -> dict[str, tuple[int, bytes]]:
        files = (path for path in repository.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

    os.utime(repository / "store.yaml")  # a git that may would refresh its index now
    before = picture()

    git.knows(repository, STORE)
    git.knows(repository, b"never seen")
    state(repository)

    assert picture() == before


def test_a_missing_object_of_a_partial_clone_is_not_fetched(
    repository: Path, tmp_path: Path
) -> None:
    run(repository, "config", "uploadpack.allowFilter", "true")
    clone, trace = tmp_path / "clone", tmp_path / "fetched"
    origin = repository.as_uri()
    run(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", origin, str(clone))
    run(clone, "config", "remote.origin.uploadpack", f"touch '{trace}'; git-upload-pack")

    assert not git.knows(clone, STORE)
    assert not trace.exists()


@pytest.mark.parametrize("deed", ["loose", "packed", "detached", "worktree", "tagged"])
def test_the_commit_of_head_is_read_without_starting_git(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    place = repository
    if deed == "packed":
        run(repository, "pack-refs", "--all")
    elif deed == "detached":
        run(repository, "checkout", "-q", "--detach")
    elif deed == "worktree":
        place = tmp_path / "other"
        run(repository, "worktree", "add", "-q", "-b", "side/branch", str(place))
    elif deed == "tagged":
        run(repository, "tag", "-a", "-m", "x", "main2")
        run(repository, "pack-refs", "--all")
    wanted = run(place, "rev-parse", "HEAD")
    monkeypatch.setenv("PATH", "")

    assert git.head_commit(Disk(), place) == wanted


def test_before_the_first_commit_and_without_git_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    run(tmp_path / "new", "init", "-q", "-b", "main")

    assert git.head_commit(Disk(), tmp_path / "new") == ""
    assert git.head_commit(Disk(), tmp_path) == ""
