"""What the program does before it loads anything: a hook's snapshot, and the first frame."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of

from remem.cli.commands import COMMANDS, GROUPS
from remem.cli.entry_point import has_nothing_to_add, may_open
from remem.cli.first_frame import asked_for


def where(shop: Shell) -> list[str]:
    return ["--root", str(shop.root), "--home", str(shop.home)]


def test_a_snapshot_with_nothing_to_add_loads_neither_click_nor_memory(shop: Shell) -> None:
    shop("snapshot")
    code = (
        "import sys\n"
        "from remem.cli.entry_point import main\n"
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


@pytest.mark.parametrize(
    "more",
    [["status"], ["shop"], ["--json"], ["--repo", "x"], ["--help"], ["/a", "/b"], ["--root"]],
)
def test_only_the_screens_have_a_frame_before_all(more: list[str]) -> None:
    assert asked_for(more) is None


def test_the_screens_are_asked_for_by_a_folder_by_options_or_by_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REMEM_HOME", raising=False)

    assert asked_for([]) == ("", None)
    assert asked_for(["./shop", "--home", str(tmp_path)]) == ("./shop", tmp_path)
    assert asked_for([f"--home={tmp_path}", "--root=/shop"]) == ("/shop", tmp_path)


def test_whatever_may_ask_for_the_screens_is_looked_at_and_no_command_is(tmp_path: Path) -> None:
    for arguments in ([], ["./shop", "--home", str(tmp_path)], [f"--home={tmp_path}"], ["~/x"]):
        assert may_open(arguments)
        assert asked_for(arguments) is not None

    assert not any(may_open([name]) for name in ("--help", "-h", "--version", *COMMANDS, *GROUPS))
