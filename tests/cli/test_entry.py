"""A hook's snapshot ends before anything else is loaded, and only where there is nothing to add."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.cli.conftest import Shell, document_of

from remem.cli.entry import has_nothing_to_add


def where(shop: Shell) -> list[str]:
    return ["--root", str(shop.root), "--home", str(shop.home)]


def test_a_snapshot_with_nothing_to_add_loads_neither_click_nor_memory(shop: Shell) -> None:
    shop("snapshot")
    code = (
        "import sys\n"
        "from remem.cli.entry import main\n"
        "main()\n"
        "costly = {'click', 'sqlite3', 'remem.cli.main', 'remem.core.library'}\n"
        "assert not costly & set(sys.modules), costly & set(sys.modules)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, "snapshot", "--as=claude", *where(shop)],
        capture_output=True,
        text=True,
        env={**os.environ},
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_changed_or_came_since_is_left_to_the_command(shop: Shell) -> None:
    assert not has_nothing_to_add(where(shop))
    shop("snapshot")
    assert has_nothing_to_add(where(shop))

    (shop.root / "CLAUDE.md").write_text("- Prefer pytest.\n")

    assert not has_nothing_to_add(where(shop))
    assert document_of(shop("snapshot", "--json"), "snapshot")["changed"]
    assert has_nothing_to_add(where(shop))


@pytest.mark.parametrize(
    "more", [["--json"], ["--as"], ["--by"], ["--root"], ["x"], ["--help"], ["-h"]]
)
def test_other_options_and_mistakes_are_the_commands(shop: Shell, more: list[str]) -> None:
    shop("snapshot")

    assert not has_nothing_to_add([*where(shop), *more])
