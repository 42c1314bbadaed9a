"""What the first frame of the screens does not import, and what is there before a key needs it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bench.starting import everyones_files
from tests.bench.workspaces import project

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = """
import asyncio, os, sys
from pathlib import Path
from remem.core.settings import Places
from remem.tui.app import RememApp
from remem.core.session import Session
from remem.systems.registry import make_known

make_known()
root, home, keys = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3].split()
app = RememApp(Session.open(root, Places.of(home), door="tui"))

def drawn():
    # What Textual puts in the place of stdout does not flush it.
    print(*sys.modules, file=sys.__stdout__, flush=True)
    os._exit(0)

if not keys:
    app.begin = drawn

async def main():
    async with app.run_test(size=(120, 36)) as pilot:
        await app.workers.wait_for_complete(
            [each for each in app.workers if each.group == "begin"]
        )
        before = set(sys.modules)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        print(*(set(sys.modules) - before))

asyncio.run(main())
"""
FIRST_PLAN = """
import re, sys
from pathlib import Path
from unittest.mock import patch
from tests.architecture.measure import approval, opened
from remem.tui.preload import load_planners

load_planners()
_, bench = opened(Path(sys.argv[1]))
intent = approval(bench)
before = set(sys.modules)
with patch("re._compiler.compile", side_effect=re._compiler.compile) as compiled:
    bench.plan(intent)
print([call.args[0] for call in compiled.mock_calls], set(sys.modules) - before)
"""
NOT_FOR_A_FRAME = frozenset(
    {
        *(
            "remem.core.checks",
            "remem.core.verbs.blocked",
            "remem.core.waiting.approve",
            "remem.core.verbs.add_edit_archive",
        ),
        *(
            "remem.core.waiting.item",
            "remem.core.waiting.grouped_plans",
            "remem.systems.workspace.promotion",
        ),
        *(
            "remem.core.waiting.queue",
            "remem.systems.facts.stale",
            "remem.systems.sniper.retro.retro_run",
        ),
        *(
            "remem.core.checks.attention",
            "remem.store.changes.commit",
            "remem.store.history.journal",
            "remem.store.changes.preview",
        ),
        *(
            "remem.systems.facts.database.server_rows",
            "remem.edit.merge_lines",
            "remem.systems.learnings.format",
        ),
        *(
            "remem.systems.own.proposals",
            "remem.systems.sniper.format",
            "remem.systems.workspace.format",
        ),
        *(
            "remem.systems.shaktra.format",
            "remem.systems.facts.format",
            "remem.systems.facts.records",
        ),
        *("remem.core.prompt.compose", "remem.core.prompt.why"),
        "remem.systems.loading.persona_start",
        *("remem.views.diff", "remem.tui.editor", "remem.views.trend", "remem.views.plan"),
        *(
            "remem.tui.screens.browse",
            "remem.tui.screens.changed_meanwhile",
            "remem.tui.screens.plan",
        ),
        *("remem.tui.screens.health", "remem.tui.screens.history", "remem.tui.screens.prompt"),
        *("remem.tui.screens.review", "httpx", "importlib.resources", "mcp", "pydantic"),
        *("rapidfuzz", "ruamel", "sqlalchemy", "tiktoken", "watchfiles"),
    }
)

NOT_FOR_A_QUEUE = frozenset(
    {
        *("remem.core.relation.comparable_text", "remem.core.relation.in_force"),
        *(
            "remem.core.verbs.settle",
            "remem.core.prompt.compose",
            "remem.systems.learnings.waiting",
        ),
        *("remem.systems.personas.format", "remem.systems.plain.format"),
        *(
            "remem.store.changes.preview",
            "remem.views.diff",
            "remem.views.plan",
            "sqlite3",
            "pydantic",
            "tiktoken",
        ),
    }
)
"""What a queue of candidates is drawn without: nothing is compared, planned or taken apart."""


def imported(root: Path, home: Path, *keys: str) -> set[str]:
    """Return what the first frame imported, or what these keys did once the program was idle."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(root), str(home), " ".join(keys)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")},
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_first_frame_of_start_imports_nothing_that_it_is_not_drawn_with(tmp_path: Path) -> None:
    root = everyones_files(tmp_path / "root", files=20)

    loaded = imported(root, tmp_path / "home")

    assert "remem.tui.screens.start" in loaded
    assert not NOT_FOR_A_FRAME & loaded


def test_the_first_frame_of_a_queue_imports_nothing_that_it_is_not_drawn_with(
    tmp_path: Path,
) -> None:
    root = project(tmp_path / "root", 20, candidates=3)

    loaded = imported(root, tmp_path / "home")

    assert "remem.tui.screens.review" in loaded
    assert not NOT_FOR_A_QUEUE & loaded


@pytest.mark.parametrize(("make", "most"), [(everyones_files, 176), (project, 183)])
def test_the_first_frame_of_start_and_review_imports_no_more_modules_than_it_did(
    make: Callable[[Path, int], Path], most: int, tmp_path: Path
) -> None:
    root = make(tmp_path / "root", 20)

    loaded = {
        each for each in imported(root, tmp_path / "home") if each.partition(".")[0] == "remem"
    }

    assert len(loaded) <= most


def test_a_frame_that_is_kept_is_shown_by_a_handful_of_modules() -> None:
    code = """
import sys
import remem.cli.entry_point
from remem.base.clock import Clock
from remem.cli.first_frame import show_first_frame
from remem.core.first_frame import kept_frame
print(*sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")},
    )
    loaded = set(done.stdout.split())

    assert not {"click", "textual", "rich", "sqlite3", "asyncio", "msgspec"} & loaded
    assert len({each for each in loaded if each.partition(".")[0] == "remem"}) <= 15


@pytest.mark.slow
def test_no_key_waits_for_an_import_once_the_program_is_idle(tmp_path: Path) -> None:
    root = project(tmp_path / "root", 40, candidates=6)
    keys = "j d escape a u m escape 1 j x u 2 3 4 0 question_mark escape"

    late = imported(root, tmp_path / "home", *keys.split())

    assert not {name for name in late if name.startswith("remem")}


def test_a_program_that_imports_the_screens_can_open_a_session(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "import remem.tui.app\n"
        "from remem.core.session import Session\n"
        "from remem.core.settings import Places\n"
        "home = Path(sys.argv[1])\n"
        "Session.open(home, Places.of(home), door='tui').close()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr


def test_the_first_approval_imports_nothing_and_compiles_no_pattern(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PLAN, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPOSITORY,
    )

    assert done.stdout == "[] set()\n"
