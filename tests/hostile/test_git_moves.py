"""Git moves the files under an open screen: remem follows, and does nothing else."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.tui.journey import until
from tests.tui.opened import MEMORY, Opened, opened

from remem.core.verbs.verbs import APPROVE, REJECT

STORE = f"{MEMORY}/conventions.yaml"
THEIRS = (
    b"  - id: conv-900\n    rule: Every harbour has one clock\n    rationale: two clocks\n"
    b'    source: {type: manual, ref: user-added, date: "2026-05-01"}\n    status: candidate\n'
)
OTHERS = THEIRS.replace(b"conv-900", b"conv-901").replace(b"one clock", b"one crane")


@dataclass
class Repository:
    """The demo's project under git, and a screen that shows it."""

    desk: Opened
    root: Path

    def git(self, *arguments: str, at: Path | None = None) -> str:
        identity = ("-c", "user.name=Priya", "-c", "user.email=priya@example.org")
        done = subprocess.run(
            ["git", *identity, "-c", "init.defaultBranch=main", *arguments],
            cwd=at or self.root,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "GIT_EDITOR": "true"},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def append(self, data: bytes) -> None:
        with (self.root / STORE).open("ab") as file:
            file.write(data)

    def tree(self) -> dict[str, tuple[bytes, int, int]]:
        """Return every file with what even an equal rewrite would change."""
        return {
            str(path.relative_to(self.root)): (path.read_bytes(), found.st_mtime_ns, found.st_ino)
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(self.root).parts
            for found in [path.stat()]
        }

    async def follows(self) -> None:
        """Wait until the screens stand on what is on disk, and everything has come to rest."""
        store = self.root / STORE

        def is_there() -> bool:
            sources = self.desk.bench.library.sources
            shown = next((each.data for each in sources if each.path == store), b"")
            return shown == store.read_bytes()

        await until(is_there)
        await self.desk.journey.rest()

    async def moves(self, *commands: tuple[str, ...]) -> None:
        """Let git work, let the screens follow, and check that nothing else happened."""
        for command in commands:
            await asyncio.to_thread(self.git, *command)
        before, status = self.tree(), self.git("status", "--porcelain")
        await self.follows()
        assert self.tree() == before
        assert self.git("status", "--porcelain") == status
        aside = self.desk.bench.library.aside
        assert aside.reverted == ()
        assert aside.vanished == ()
        assert not [item for item in self.desk.bench.queue() if item.reason == "reverted"]


@asynccontextmanager
async def under_git(tmp_path: Path) -> AsyncIterator[Repository]:
    """Open the demo under git, with a decision of this session that is committed."""
    async with opened(tmp_path) as desk:
        repository = Repository(desk, desk.bench.root)
        await desk.go_to("Feature flags")
        await desk.journey.use(APPROVE)
        repository.commit("Approve")
        await repository.follows()
        yield repository


def waits(repository: Repository, text: str) -> bool:
    return any(text in item.title for item in repository.desk.bench.queue())


@pytest.mark.slow
async def test_a_switch_to_another_branch_and_back_is_followed(tmp_path: Path) -> None:
    async with under_git(tmp_path) as repository:
        await repository.moves(("switch", "--quiet", "--create", "theirs", "HEAD~1"))
        repository.append(THEIRS)
        repository.commit("Theirs")
        await repository.follows()
        assert waits(repository, "one clock")

        await repository.moves(("switch", "--quiet", "main"))
        assert not waits(repository, "one clock")

        await repository.moves(("switch", "--quiet", "theirs"))
        assert waits(repository, "one clock")


@pytest.mark.slow
async def test_what_is_stashed_right_after_it_was_decided_is_not_called_reverted(
    tmp_path: Path,
) -> None:
    async with under_git(tmp_path) as repository:
        await repository.desk.journey.use(REJECT)
        await repository.desk.journey.reason("2")
        await repository.follows()
        decided = (repository.root / STORE).read_bytes()

        await repository.moves(("stash", "--quiet", "--include-untracked"))
        await repository.moves(("stash", "pop", "--quiet"))

        assert (repository.root / STORE).read_bytes() == decided


@pytest.mark.slow
async def test_a_pull_brings_its_entries_to_the_screen(tmp_path: Path) -> None:
    async with under_git(tmp_path) as repository:
        remote, clone = tmp_path / "remote.git", tmp_path / "clone"
        repository.git("clone", "--quiet", "--bare", str(repository.root), str(remote))
        repository.git("clone", "--quiet", str(remote), str(clone))
        other = Repository(repository.desk, clone)
        other.append(THEIRS)
        other.commit("Theirs")
        other.git("push", "--quiet")
        repository.git("remote", "add", "origin", str(remote))
        repository.git("fetch", "--quiet", "origin")

        await repository.moves(("pull", "--quiet", "--ff-only", "origin", "main"))

        assert waits(repository, "one clock")


async def test_a_rebase_is_followed_to_its_end(tmp_path: Path) -> None:
    async with under_git(tmp_path) as repository:
        notes = repository.root / "NOTES.md"
        repository.git("switch", "--quiet", "--create", "theirs", "HEAD~1")
        repository.append(THEIRS)
        repository.commit("Theirs")
        repository.git("switch", "--quiet", "main")
        for number in range(3):
            notes.write_text(f"note {number}\n")
            repository.commit(f"Note {number}")
        await repository.follows()

        await repository.moves(("rebase", "--quiet", "theirs", "main"))

        assert waits(repository, "one clock")
        assert b"conv-900" in (repository.root / STORE).read_bytes()


@pytest.mark.slow
async def test_a_reset_of_what_was_decided_is_gits_and_waits_nowhere(tmp_path: Path) -> None:
    async with under_git(tmp_path) as repository:
        repository.append(OTHERS)
        await repository.follows()
        repository.commit("Others")

        await repository.moves(("reset", "--quiet", "--hard", "HEAD~2"))

        assert not waits(repository, "one crane")
