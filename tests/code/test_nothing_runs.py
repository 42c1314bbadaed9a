"""A repository names a program wherever git takes one; whatever is asked, none of them runs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.architecture.code import PACKAGE
from tests.code_files import VERSION, commit, git, repository

from remem.base.errors import NotPossible, RememError
from remem.cli.main import run
from remem.code import (
    blame,
    blobs,
    choose_reader,
    commit_facts,
    commit_ranges,
    file_history,
    ids_in_code,
    pickaxe,
    timeline,
    trees,
    work_state,
)
from remem.code import git as state
from remem.code.changed_lines import Changes, Looked
from remem.code.worktree import Worktree
from remem.store.io import Disk

HOOKS = (
    *("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "post-rewrite"),
    *("fsmonitor-watchman", "pre-auto-gc", "post-merge", "proc-receive", "update"),
)
WAYS_TO_ASK = {"run", "start", "ask", "listed", "_git", "_run"}


class Canaries:
    """Programs that leave a trace when they are run."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder

    def program(self, name: str) -> Path:
        path = self.folder / name
        # A remote is waited for until it speaks; all others hand on what they are given.
        then = "exit 1" if name == "remote" else "exec cat"
        path.write_text(f"#!/bin/sh\n: > '{self.folder}/{name}.ran'\n{then}\n")
        path.chmod(0o755)
        return path

    def fired(self) -> set[str]:
        return {path.stem for path in self.folder.glob("*.ran")}


@pytest.fixture
def canaries(tmp_path: Path) -> Canaries:
    return Canaries(tmp_path / "canaries")


@pytest.fixture
def hostile(tmp_path: Path, canaries: Canaries) -> Path:
    """A repository with history, memory, a submodule, and a program in every place for one."""
    top = repository(tmp_path / "hostile")
    (top / "CLAUDE.md").write_text("- Ports are opened in `src/old.py`.\n- PR-001 is walnut.\n")
    (top / "src" / "old.py").write_text("# Applies: PR-001\nwalnut = 1\n")
    commit(top, "Merge branch 'story/STORY-1'\n\nStory: STORY-1")
    git(top, "rm", "-q", "src/old.py")
    (top / "src" / "odd.py").write_text("odd = 1\n")
    (top / "src" / "same.py").write_text("same = 1\n")
    inner = repository(tmp_path / "inner")
    git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    commit(top, "second")
    _sign_head(top)
    (top / ".gitattributes").write_text(
        "*.py diff=evil filter=evil merge=evil\nsrc/odd.py filter=e=vil\nCLAUDE.md diff=evil\n"
    )
    for repo in (top, top / "sub"):
        _arm(repo, canaries)
    (top / "sub" / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (top / "CLAUDE.md").write_text("- Ports are opened in `src/old.py`.\n- PR-001 is maple.\n")
    for path in ("src/version.py", "src/odd.py", "sub/src/version.py"):
        _write_in_the_second_of_the_index(top, path)
    _take_the_index_for_as_old_as(top, "src/same.py")
    assert canaries.fired() == set()
    return top


def _sign_head(top: Path) -> None:
    """Give the last commit a signature, which git would have a program look at."""
    text = subprocess.run(
        ["git", "-C", str(top), "cat-file", "commit", "HEAD"], capture_output=True, check=True
    ).stdout
    head, _, message = text.partition(b"\n\n")
    begin, end = b"-----BEGIN PGP SIGNATURE-----", b"-----END PGP SIGNATURE-----"
    signed = head + b"\ngpgsig " + begin + b"\n \n AAAA\n " + end + b"\n\n" + message
    made = subprocess.run(
        ["git", "-C", str(top), "hash-object", "-t", "commit", "-w", "--stdin"],
        input=signed,
        capture_output=True,
        check=True,
    )
    git(top, "update-ref", "HEAD", made.stdout.decode().strip())


def _arm(top: Path, canaries: Canaries) -> None:
    hooks = Path(git(top, "rev-parse", "--absolute-git-dir")) / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in HOOKS:
        canaries.program(name)
        (hooks / name).unlink(missing_ok=True)
        (hooks / name).symlink_to(canaries.folder / name)
    settings = {
        "core.pager": "pager",
        "pager.log": "pager",
        "core.editor": "editor",
        "core.askPass": "askpass",
        "core.sshCommand": "ssh",
        "core.gitProxy": "proxy",
        "core.alternateRefsCommand": "alternates",
        "diff.external": "external",
        "diff.evil.command": "driver",
        "diff.evil.textconv": "textconv",
        "filter.evil.clean": "clean",
        "filter.evil.smudge": "smudge",
        "filter.e=vil.clean": "clean-odd",
        "filter.e=vil.process": "process-odd",
        "gpg.program": "gpg",
        "gpg.ssh.program": "gpg",
        "credential.helper": "credential",
        "merge.evil.driver": "merge",
        "trailer.story.command": "trailer",
        "trailer.story.cmd": "trailer",
        "remote.origin.uploadpack": "uploadpack",
        "uploadpack.packObjectsHook": "pack",
        "interactive.diffFilter": "interactive",
        "core.hooksPath": "",
        "core.fsmonitor": "fsmonitor",
    }
    for name, program in settings.items():
        git(top, "config", name, str(canaries.program(program) if program else canaries.folder))
    for name, value in {
        "filter.evil.required": "true",
        "log.showSignature": "true",
        "submodule.recurse": "true",
        "diff.submodule": "diff",
        "alias.log": f"!{canaries.program('alias')}",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{canaries.program('remote')}",
        "diff.ignoreSubmodules": "none",
        "core.untrackedCache": "true",
    }.items():
        git(top, "-c", "core.fsmonitor=false", "config", name, value)


def _write_in_the_second_of_the_index(top: Path, path: str) -> None:
    """Leave git in doubt whether a file changed, so that it compares what a filter makes."""
    file = top / path
    data = file.read_bytes()
    file.write_bytes(data[:-2] + b"7\n")
    repo = top / "sub" if path.startswith("sub/") else top
    index = (
        Path(git(repo, "-c", "core.fsmonitor=false", "rev-parse", "--absolute-git-dir")) / "index"
    )
    stamp = index.stat().st_mtime_ns
    os.utime(file, ns=(stamp, stamp))


def _take_the_index_for_as_old_as(top: Path, path: str) -> None:
    """Leave git in doubt about a file that is as the index has it, for `diff-index` too."""
    stamp = (top / path).stat().st_mtime_ns
    os.utime(top / ".git" / "index", ns=(stamp, stamp))


def everything_that_asks_git(top: Path) -> Iterator[Callable[[], object]]:
    """Yield every question that the house has for git."""
    disk = Disk()
    first, last = "HEAD~2", "HEAD"
    moved = state.state(disk, top)
    yield lambda: state.person_at(top)
    yield lambda: state.knows(top, b"walnut")
    yield lambda: state.committed_at(top, "src/client.ts", (top / "src/client.ts").read_bytes())
    yield lambda: state.at_head(top, "src/client.ts")
    yield lambda: state.in_head(top, {top / "CLAUDE.md": (top / "CLAUDE.md").read_bytes()})
    yield lambda: state.last_commit(top, top / "CLAUDE.md")
    yield lambda: work_state.work_state(disk, top)
    yield lambda: file_history.written(top, ["src"], date(2000, 1, 1), timedelta(weeks=4))
    yield lambda: file_history.written(top, ["src"], date(2099, 1, 1), timedelta(weeks=4))
    yield lambda: pickaxe.commits_with(top, "walnut", ["src", "CLAUDE.md"], 20)
    yield lambda: pickaxe.commit_named(top, last)
    yield lambda: [*pickaxe.versions(top, _named(top, last), ["src"])]
    yield lambda: file_history.sizes(top / "CLAUDE.md", date(2000, 1, 1), moved)
    yield lambda: file_history.removed(top, moved)
    yield lambda: file_history.removed(top / "nowhere", "state")
    yield lambda: trees.kept_outside(disk, top)
    yield lambda: _objects(top)
    yield lambda: blobs.Blobs(top).texts(["src/version.py", "src/nowhere.py"])
    yield lambda: blobs.Blobs(top).renamed({"src/old.py": _named(top, "HEAD~1"), "src/no.py": ""})
    yield lambda: Worktree(disk, top).renamed({"src/old.py": _named(top, "HEAD~1")})
    yield lambda: Worktree(disk, top).tracked()
    yield lambda: Worktree(disk, top).texts_at([(_named(top, last), "src/version.py")])
    for asked in (f"{first}..{last}", f"{first}...{last}", first, "nowhere"):
        yield lambda asked=asked: _named_in(Changes(disk, top).between(asked))  # type: ignore[misc]
    yield lambda: _named_in(Changes(disk, top).staged())
    yield lambda: _named_in(Changes(disk, top).since_head())
    yield lambda: _named_in(Changes(disk, top).whole())
    yield Changes(disk, top).named
    empty = top.parent / "empty"
    if not empty.exists():
        empty.mkdir()
        git(empty, "init", "-q")
    yield Changes(disk, empty).since_head
    yield lambda: file_history.removed(empty, "state")
    yield lambda: timeline.timeline(empty, 5)
    yield lambda: blame.blame(top, "src/version.py", VERSION.encode(), 1)
    yield lambda: timeline.timeline(top, 5)
    yield lambda: timeline.written_since(top, "", ["src/version.py", "CLAUDE.md"])
    yield lambda: commit_ranges.commit_before(top, date(2099, 1, 1))
    yield lambda: commit_ranges.commit_before(top, date(1971, 1, 1))
    yield lambda: commit_ranges.recent_commits(top, ["CLAUDE.md"], 5, 20)
    yield lambda: choose_reader.repository_of(disk, top)
    yield lambda: ids_in_code.references(top, ["PR"])
    yield lambda: commit_facts.range_facts(top, f"{first}..{last}")
    yield lambda: commit_facts.range_facts(top, f"root..{last}")
    yield lambda: commit_facts.length_of_head(top)
    yield lambda: commit_facts.moment_of_head(top)
    yield lambda: commit_facts.span_of(top, ["S01"])
    yield lambda: commit_facts.span_of(top, ["S01"], "1971-01-01")
    yield lambda: commit_facts.between(top, "1971-01-01", "2099-01-01")
    yield lambda: commit_facts.began(top, top / "src" / "version.py")
    yield lambda: state.ignored_below(top)
    yield lambda: state.kept_of(top, ["src", "sub"])
    yield lambda: state.wrote(disk, top / "src" / "version.py")
    yield lambda: commit_facts.added_lines(
        top, commit_facts.range_facts(top, "HEAD~2..HEAD").commits, 1 << 20
    )


def _named(top: Path, name: str) -> str:
    return blobs.commit_of(top, name)


def _objects(top: Path) -> None:
    leaves = trees.tree_of(top, "HEAD")
    with trees.Objects(top) as objects:
        for leaf in leaves.values():
            objects.read(leaf.object)


def _named_in(looked: Looked) -> None:
    """Ask for the names of all files on both sides, which nobody lists before they are needed."""
    assert looked.tree.before | looked.tree.after | {""}


def ask_all(top: Path) -> None:
    for ask in everything_that_asks_git(top):
        with suppress(NotPossible):
            ask()


def test_of_a_hostile_repository_no_program_runs_whatever_is_asked(
    hostile: Path, canaries: Canaries
) -> None:
    with _lines_that_ran() as ran:
        ask_all(hostile)

    assert canaries.fired() == set()
    assert _places_that_ask() - ran == set(), "a place that asks git was not tried"


def test_a_clone_that_lacks_objects_fetches_none(hostile: Path, canaries: Canaries) -> None:
    git(hostile, "-c", "core.fsmonitor=false", "config", "core.repositoryFormatVersion", "1")
    git(hostile, "-c", "core.fsmonitor=false", "config", "extensions.partialClone", "origin")
    for loose in (hostile / ".git" / "objects").glob("[0-9a-f][0-9a-f]/*"):
        name = loose.parent.name + loose.name
        kind = git(hostile, "cat-file", "-t", name)
        if kind == "blob":
            loose.unlink()

    for ask in everything_that_asks_git(hostile):
        with suppress(RememError):
            ask()

    assert canaries.fired() == set()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(arguments, id=" ".join(arguments))
        for arguments in (
            ("status",),
            ("check", "--all"),
            ("check", "--staged"),
            ("check", "--diff", "HEAD~2..HEAD"),
            ("search", "--everywhere", "walnut"),
            ("search", "--everywhere", "Ports are opened"),
            ("diff", "HEAD~1..HEAD"),
            ("diff", "HEAD~1"),
            ("history",),
            ("queue",),
        )
    ],
)
def test_no_command_that_reads_runs_a_program_of_the_repository(
    hostile: Path, canaries: Canaries, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEM_HOME", str(hostile.parent / "remem"))
    monkeypatch.chdir(hostile)

    code = run([*arguments, "--root", str(hostile)])

    assert code in {0, 1}
    assert canaries.fired() == set()


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["status"], {"fsmonitor", "clean", "process-odd"}),
        (["log", "-p", "--show-signature"], {"textconv", "gpg"}),
        (["diff"], {"fsmonitor", "driver"}),
        (["diff-index", "HEAD"], {"fsmonitor", "clean"}),
        (["diff-tree", "HEAD"], {"fsmonitor"}),
        (["ls-remote", "origin"], {"remote"}),
        (["update-ref", "refs/heads/other", "HEAD"], {"reference-transaction"}),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_plain_git_runs_what_that_repository_names(
    hostile: Path, canaries: Canaries, arguments: list[str], names: set[str]
) -> None:
    """Else the tests above could not fail."""
    command = ["git", "-C", str(hostile), "-c", "protocol.ext.allow=always", *arguments]
    subprocess.run(command, capture_output=True, check=False)

    assert names <= canaries.fired()


def _places_that_ask() -> set[tuple[str, int]]:
    """Return file and line of every call in `code/` that leads to git."""
    return {
        (str(path), node.lineno)
        for path in (PACKAGE / "code").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _name(node.func) in WAYS_TO_ASK
    }


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    is_of_blobs = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return node.attr if is_of_blobs and node.value.id == "blobs" else ""  # type: ignore[attr-defined]


@contextmanager
def _lines_that_ran() -> Iterator[set[tuple[str, int]]]:
    """Collect file and line of what runs in `code/`."""
    ran: set[tuple[str, int]] = set()
    code = str(PACKAGE / "code")

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(code):
            return None
        if event == "line":
            ran.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    threading.settrace(trace)
    try:
        yield ran
    finally:
        sys.settrace(before)
        threading.settrace(before)
