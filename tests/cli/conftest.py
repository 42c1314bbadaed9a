import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from remem.cli.main import run
from remem.cli.output.schema import all_schemas

CONVENTIONS = """\
# Kept by the payments team.
conventions:
  - id: conv-001
    rule: "Every queue consumer is idempotent"   # learnt the hard way
    rationale: "Two double charges in one night"
    source: {type: retro, ref: "sprint-2-retro", date: "2026-01-12"}
    applies_to: [backend-engineer]
    enforcement: both

  - id: conv-002
    rule: "Buttons say what they do"
    rationale: ""
    source:
      type: manual
      ref: user-added
      date: "2026-01-20"
    applies_to: [frontend-engineer]
    enforcement: spawn_prompt
    status: candidate
"""
ANTI_PATTERNS = """\
anti_patterns:
  - id: ap-001
    description: "Reading the clock inside domain code"
    fix_pattern: "pass a clock in"
    source: {type: review_gate, ref: "sprint-2-review", date: "2026-01-12"}
    applies_to: [backend-engineer]
    severity: high
"""
DECISIONS = """\
decisions:
  - id: dec-001
    title: "Primary datastore"
    context: "Reports join eleven tables"
    decision: "PostgreSQL"
    alternatives_considered: ["MongoDB — no joins"]
    source: {type: manual, ref: user-added, date: "2026-01-10"}
    applies_to: [backend-engineer, architect]
    status: active
    superseded_by: null
"""
RETRO = """\
sprint: 3
date: "2026-02-02"
stories_completed: 5
stories_carried_over: 1
findings:
  new_conventions:
    - rule: "Migrations run twice without harm"
      confidence: high
      evidence: "4 of 5 stories"
      recommendation: codify
      applies_to: [backend-engineer]
    - rule: "Feature flags have an owner"
      confidence: medium
      evidence: "2 of 5 stories"
      recommendation: monitor
  positive_patterns:
    - "Pairing on the importer"
"""
MEMORY = """\
- Ask for the failing input first

## 2026-01-15
- Retries need a cap

## 2026-02-01
- The importer holds one row in memory
"""


@dataclass(frozen=True)
class Answer:
    """What one command said."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()

    @property
    def document(self) -> Any:
        return json.loads(self.raw)


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Shell:
    """Runs commands at one root with one home folder."""

    root: Path
    home: Path

    def __call__(self, *arguments: str, terminal: bool = False) -> Answer:
        """Run a command in this process."""
        out, err = io.BytesIO(), io.BytesIO()
        to_out = (_Terminal if terminal else io.TextIOWrapper)(out, "utf-8", write_through=True)
        to_err = io.TextIOWrapper(err, "utf-8", write_through=True)
        with redirect_stdout(to_out), redirect_stderr(to_err):
            code = run(self._with_places(arguments))
        return Answer(code, out.getvalue(), err.getvalue().decode())

    def process(self, *arguments: str, env: Mapping[str, str] | None = None) -> Answer:
        """Run a command in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "remem", *self._with_places(arguments)],
            capture_output=True,
            check=False,
            cwd=self.root,
            env={**os.environ, **(env or {})},
        )
        return Answer(done.returncode, done.stdout, done.stderr.decode())

    def bytes_of(self, name: str) -> bytes:
        return (self.root / name).read_bytes()

    def digest(self) -> str:
        """Return what changes when any file, folder or mode below root or home does."""
        tree = sha256()
        for base in (self.root, self.home):
            for path in sorted(base.rglob("*")):
                if ".cache" in path.relative_to(base).parts:
                    continue
                tree.update(f"{path} {path.lstat().st_mode}\0".encode())
                if path.is_file():
                    tree.update(path.read_bytes())
        return tree.hexdigest()

    def digest_of_memory(self) -> str:
        """Return what changes when a file below the root does; what counts uses is left out."""
        tree = sha256()
        for path in sorted(self.root.rglob("*")):
            is_database = path.name.startswith("memory.db")
            if path.is_file() and not is_database and ".git" not in path.parts:
                tree.update(f"{path}\0".encode() + path.read_bytes())
        return tree.hexdigest()

    def _with_places(self, arguments: tuple[str, ...]) -> list[str]:
        return ["--root", str(self.root), "--home", str(self.home), *arguments]


def write(base: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def empty(tmp_path: Path) -> Shell:
    """A folder without memory."""
    shell = Shell(tmp_path / "work" / "shop", tmp_path / "home")
    shell.root.mkdir(parents=True)
    shell.home.mkdir()
    return shell


@pytest.fixture
def shop(empty: Shell) -> Shell:
    """A project with SNIPER memory, one retro and one persona of Night Watch."""
    write(
        empty.root,
        {
            ".sniper/config.yaml": "memory:\n  token_budget: 2000\n",
            ".sniper/memory/conventions.yaml": CONVENTIONS,
            ".sniper/memory/anti-patterns.yaml": ANTI_PATTERNS,
            ".sniper/memory/decisions.yaml": DECISIONS,
            ".sniper/memory/retros/sprint-3-retro.yaml": RETRO,
        },
    )
    write(empty.home, {".night-watch/agents/Rosa/memories/shop/main.md": MEMORY})
    return empty


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return every schema; making them takes longer than most commands."""
    return all_schemas()


def document_of(answer: Answer, schema: str) -> Any:
    """Return the document that a command printed, checked against its schema."""
    validator = Draft202012Validator(schemas()[f"output/{schema}"])
    problems = [
        f"{each.json_path}: {each.message}" for each in validator.iter_errors(answer.document)
    ]
    assert problems == []
    assert answer.raw.isascii()
    return answer.document
