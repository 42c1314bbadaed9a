"""Single files elsewhere are watched beside the folders of memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.store.test_watch import OFTEN, watching

from remem.store.io import Disk
from remem.store.own_writes import OwnWrites
from remem.store.watch import Watcher


@pytest.mark.parametrize("polls", [False, True], ids=["inotify", "polling"])
async def test_a_cited_file_is_told_of_and_its_neighbours_are_not(
    tmp_path: Path, polls: bool
) -> None:
    memory, cited, other = tmp_path / "memory", tmp_path / "src" / "a", tmp_path / "src" / "b"
    memory.mkdir()
    cited.parent.mkdir()
    cited.write_text("1")
    own = OwnWrites()
    watcher = Watcher([memory], Disk(), own, polling=polls, files=lambda: {cited}, every=OFTEN)

    async with watching(watcher, memory / "first") as seen:
        other.write_text("2")
        cited.write_text("22")

        assert await seen.until(cited) <= {memory / "first", memory}


async def test_a_file_that_is_cited_later_is_watched_from_then_on(tmp_path: Path) -> None:
    memory, cited = tmp_path / "memory", tmp_path / "src" / "a"
    memory.mkdir()
    cited.parent.mkdir()
    cited.write_text("1")
    named: set[Path] = set()
    watcher = Watcher([memory], Disk(), OwnWrites(), files=lambda: named)

    async with watching(watcher, memory / "first") as seen:
        named.add(cited)
        (memory / "second").write_text("it cites a")
        await seen.until(memory / "second", cited)  # looked at, because it is new to it
        seen.paths.clear()
        await asyncio.to_thread(cited.write_text, "333")

        await seen.until(cited)
