"""What a program that stays open all day holds of files that agents write to all day."""

import gc
from pathlib import Path
from weakref import ref

from tests.sniper_files import write

from remem.config import Places
from remem.model.prompt import Ask
from remem.model.source import Source
from remem.tui.ailing import ailments
from remem.workbench import Workbench

MEMORY = ".claude/agent-memory/keeper/MEMORY.md"
VERSIONS = 20
HELD = 8
"""Versions of a file that may be there at a time: the newest, and what still compares with it."""


def test_old_versions_of_a_file_go_whatever_was_asked_of_them(tmp_path: Path) -> None:
    root = tmp_path / "harbour"
    definition = "---\nname: keeper\nmemory: project\n---\nYou count the lamps.\n"
    write(root, {".claude/agents/keeper.md": definition, MEMORY: "# Memory\n\n- a lamp\n"})
    bench = Workbench(root, Places.of(tmp_path / "home"), door="tui")
    versions: list[ref[Source]] = []

    for number in range(VERSIONS):
        with (root / MEMORY).open("a") as file:
            file.write(f"- lamp {number} of `src/gone_{number}.py` was counted\n")
        library = bench.refresh([root / MEMORY])
        versions.append(ref(next(s for s in library.sources if s.path == root / MEMORY)))
        ailments(bench, bench.agents(), thorough=True)
        bench.compose(Ask(agent="keeper"))
        bench.queue()
    del library
    gc.collect()

    assert sum(version() is not None for version in versions) <= HELD
    bench.close()
