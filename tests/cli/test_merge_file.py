"""git merges memory files by entry: the driver, and how it is set up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Shell

RULES = "# Rules\n\n- Use tabs in Makefiles.\n- Never push to main.\n"


def git(root: Path, *words: str, ok: bool = True) -> str:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    found = subprocess.run(["git", *who, *words], cwd=root, capture_output=True, text=True)
    assert found.returncode == 0 or not ok, found.stderr
    return found.stdout


def project(top: Path) -> Shell:
    root = top / "shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "CLAUDE.md").write_text(RULES)
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    return Shell(root, top / "home")


def test_the_lines_are_shown_and_written_on_request_and_undone(tmp_path: Path) -> None:
    shell = project(tmp_path)
    config = (shell.root / ".git/config").read_bytes()

    shown = shell("init", "--merge-driver")

    assert "CLAUDE.md merge=remem" in shown.out
    assert "driver = remem merge-file %O %A %B" in shown.out
    assert not (shell.root / ".gitattributes").exists()
    assert shell("init", "--merge-driver", "--apply").code == 0
    assert (shell.root / ".gitattributes").read_text() == "CLAUDE.md merge=remem\n"
    assert git(shell.root, "config", "merge.remem.driver").startswith("remem merge-file")
    assert shell("init", "--merge-driver", "--apply").code == 0
    shell("undo")
    assert (shell.root / ".git/config").read_bytes() == config
    assert not (shell.root / ".gitattributes").exists()


def test_git_merges_by_entry_and_leaves_what_both_changed(tmp_path: Path) -> None:
    shell = project(tmp_path)
    shell("init", "--merge-driver", "--apply")
    driver = f"{sys.executable} -m remem merge-file %O %A %B --path %P --marks %L"
    git(shell.root, "config", "merge.remem.driver", driver)
    git(shell.root, "add", ".")
    git(shell.root, "commit", "-qm", "attributes")
    git(shell.root, "checkout", "-qb", "other")
    (shell.root / "CLAUDE.md").write_text(f"{RULES}- Prefer ruff.\n")
    git(shell.root, "commit", "-qam", "other")
    git(shell.root, "checkout", "-q", "main")
    (shell.root / "CLAUDE.md").write_text(f"{RULES}- Prefer pytest.\n")
    git(shell.root, "commit", "-qam", "ours")

    git(shell.root, "merge", "-q", "other")

    assert (shell.root / "CLAUDE.md").read_text() == f"{RULES}- Prefer pytest.\n- Prefer ruff.\n"
    git(shell.root, "checkout", "-q", "other")
    (shell.root / "CLAUDE.md").write_text(RULES.replace("main", "main alone"))
    git(shell.root, "commit", "-qam", "theirs again")
    git(shell.root, "checkout", "-q", "main")
    (shell.root / "CLAUDE.md").write_text(RULES.replace("main", "main at all"))
    git(shell.root, "commit", "-qam", "ours again")
    git(shell.root, "merge", "-q", "other", ok=False)
    assert "<<<<<<< " in (shell.root / "CLAUDE.md").read_text()
    assert "UU CLAUDE.md" in git(shell.root, "status", "--short")
