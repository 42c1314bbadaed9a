"""Instruction files are found in whatever folder git keeps them, and the rest is said."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.plain_files import Repo

from remem.store.io import Disk
from remem.systems.plain.instruction_folders import folders_below

NAMES = (
    ".github", "build", "dist", "target", "vendor", "coverage", ".vscode", ".storybook",
    ".devcontainer", ".agents", "node_modules", "venv",
)  # fmt: skip


def git(folder: Path, *arguments: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    subprocess.run(["git", *who, "-C", str(folder), *arguments], check=True, env=env,
                   capture_output=True)  # fmt: skip


def checkout(tmp_path: Path, kept: Mapping[str, str], *, loose: Mapping[str, str]) -> Repo:
    """Return a repository with files that git keeps, and others that it does not."""
    repo = Repo(tmp_path).write(kept)
    git(repo.root, "init", "-q")
    git(repo.root, "add", "-A", "-f")
    git(repo.root, "commit", "-qm", "first")
    return repo.write(loose)


def test_files_are_found_in_every_folder_that_git_keeps_whatever_it_is_called(
    tmp_path: Path,
) -> None:
    kept = {f"{name}/AGENTS.md": "- a\n" for name in NAMES} | {
        "a/b/c/d/e/f/g/h/i/AGENTS.md": "- b\n"
    }

    repo = checkout(tmp_path, kept, loose={})

    assert sorted(repo.names()) == sorted(kept)


def test_what_git_ignores_is_passed_over_and_named_with_the_reason(tmp_path: Path) -> None:
    kept = {".gitignore": "dist/\n.claude/\n", "CLAUDE.md": "- a\n"}
    loose = {
        "dist/AGENTS.md": "- b\n",
        "node_modules/lib/CLAUDE.md": "- c\n",
        "new/CLAUDE.md": "- d\n",
        "CLAUDE.local.md": "- e\n",
        ".claude/CLAUDE.md": "- f\n",
    }
    repo = checkout(tmp_path, kept, loose=loose)

    assert sorted(repo.names()) == [
        ".claude/CLAUDE.md", "CLAUDE.local.md", "CLAUDE.md", "new/CLAUDE.md",
    ]  # fmt: skip
    assert folders_below(Disk(), repo.root).passed == {
        ".claude": "git ignores it",
        "dist": "git ignores it",
        "node_modules": "dependencies or caches ignored by git",
    }


@pytest.mark.parametrize("name", [".github", "build", "node_modules"])
def test_a_file_that_comes_later_is_found_by_the_next_look(tmp_path: Path, name: str) -> None:
    kept = {".gitignore": "build/\n", "CLAUDE.md": "- a\n"}
    repo = checkout(tmp_path, kept, loose={})
    library = repo.library()
    repo.write({f"{name}/CLAUDE.md": "- b\n"})
    if name == "node_modules":
        git(repo.root, "add", "-f", name)
    elif name == "build":
        repo.write({".gitignore": "\n"})

    after = library.refresh({repo.root / name / "CLAUDE.md", repo.root / ".gitignore"})

    assert repo.root / name / "CLAUDE.md" in {source.path for source in after.sources}


def test_git_is_asked_again_only_when_its_answer_may_be_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = checkout(tmp_path, {"CLAUDE.md": "- a\n", "src/a.py": ""}, loose={"b/c.py": ""})
    first = folders_below(Disk(), repo.root)
    monkeypatch.setenv("PATH", "")  # git cannot be started any more

    assert folders_below(Disk(), repo.root) == first


def test_another_work_tree_inside_the_checkout_is_passed_over(tmp_path: Path) -> None:
    repo = checkout(tmp_path, {"CLAUDE.md": "- a\n"}, loose={})
    git(repo.root, "worktree", "add", "-q", str(repo.root / ".claude/worktrees/x"), "-b", "x")

    assert repo.names() == ["CLAUDE.md"]
    assert folders_below(Disk(), repo.root).passed == {
        ".claude/worktrees/x": "another work tree of this repository"
    }


def test_below_the_folders_that_are_looked_into_gits_own_list_is_believed(tmp_path: Path) -> None:
    kept = {f"{name}/x/AGENTS.md": "- a\n" for name in "abc"}
    repo = checkout(tmp_path, kept, loose={})

    found = folders_below(Disk(), repo.root, most=3)

    assert found.is_whole
    assert {p for p, names in found.names.items() if "AGENTS.md" in names} == {"a/x", "b/x", "c/x"}


def test_without_git_everything_but_dependencies_and_caches_is_looked_into(tmp_path: Path) -> None:
    repo = Repo(tmp_path).write({f"{name}/CLAUDE.md": "- a\n" for name in NAMES})

    assert sorted(repo.names()) == sorted(
        f"{name}/CLAUDE.md" for name in NAMES if name not in ("node_modules", "venv")
    )
