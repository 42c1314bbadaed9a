"""Code that names an entry is found through git, and nothing else is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from remem.code.ids_in_code import Reference, references

PREFIXES = ("PR", "AP", "PC")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_every_place_that_names_an_id_is_found(repository: Path) -> None:
    put(repository, "src/a.py", "# Applies: PR-001 (queue), AP-002\n\nx = 1  # PR-001\n")
    put(repository, "src/ü b.py", "# PC-0007\n")

    found = references(repository, PREFIXES)

    assert found.found == (
        Reference("src/a.py", 1, "AP-002"),
        Reference("src/a.py", 1, "PR-001"),
        Reference("src/a.py", 3, "PR-001"),
        Reference("src/ü b.py", 1, "PC-0007"),
    )
    assert (found.searched, found.whole) == (True, True)


@pytest.mark.parametrize(
    "text", ["XPR-001", "PR-001a", "PR001", "OB-001", "pr-001", "PR-"], ids=lambda text: text
)
def test_what_only_looks_like_an_id_is_not(repository: Path, text: str) -> None:
    put(repository, "a.txt", f"see {text}\n")

    assert references(repository, PREFIXES).found == ()


@pytest.mark.parametrize(
    "name", [".shaktra/memory/principles.yml", ".remem/consolidated.yaml", "run.log", "out/x.py"]
)
def test_memory_logs_and_what_git_ignores_are_not_code(repository: Path, name: str) -> None:
    put(repository, ".gitignore", "out/\n")
    put(repository, name, "PR-001\n")

    assert references(repository, PREFIXES).found == ()


def test_bytes_that_are_no_text_are_passed_over(repository: Path) -> None:
    (repository / "a.bin").write_bytes(b"PR-001\0")

    assert references(repository, PREFIXES).found == ()


def test_an_empty_repository_was_searched(repository: Path) -> None:
    assert references(repository, PREFIXES).searched


def test_without_git_nothing_is_known(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "PR-001\n")

    assert not references(tmp_path, PREFIXES).searched


def test_more_than_can_be_taken_in_is_said(repository: Path) -> None:
    put(repository, "a.py", "PR-001\n" * 100)

    found = references(repository, PREFIXES, most=64)

    assert not found.whole
    assert found.found
