"""Acceptance criteria 2, 4 and 6 of SNIPER's proposal for agent memory, each in its own words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.cli.conftest import Shell, write

ANSWER = """\
findings:
  new_conventions:
    - rule: "All service functions return Result<T, AppError> instead of throwing"
      confidence: high
      evidence: "2 of 2 stories"
      recommendation: codify
      applies_to: [backend-engineer]
  new_anti_patterns:
    - description: "Using `any` type for API response bodies"
      occurrences: 3
      stories: [STORY-051, STORY-055]
      recommendation: codify
      severity: medium
      applies_to: [backend-engineer, frontend-engineer]
  estimation_calibration:
    overestimates: []
    underestimates: [STORY-055]
    patterns: ["Stories with an external API take longer by ~30%"]
  positive_patterns: ["All new endpoints have integration tests"]
"""
GATE = """\
WARN ap-002: Missing error handling in webhook delivery — 2 matches (src/a.ts:3)
"""
STORIES = """\
stories:
  - {id: STORY-051, points: 3, status: done}
  - {id: STORY-055, points: 2, status: done}
"""
CONVENTIONS = """\
conventions:
  - id: conv-001
    rule: "All React components use named exports, no default exports"
    rationale: "Improves auto-import. Established in Sprint 2 after STORY-042."
    source: {type: review_gate, ref: sprint-2-review, date: "2026-02-15", story: STORY-042}
    applies_to: [frontend-engineer]
    enforcement: review_gate
    status: confirmed
    seen: [{ref: sprint-3-retro, date: "2026-02-20", stories: [STORY-044]}]
    detect: {forbid: "export default", files: ["**/*.tsx"], message: "a default export"}
  - id: conv-002
    rule: "Agents say what they will change before they do"
    enforcement: spawn_prompt
    status: confirmed
    detect: {forbid: "export", files: ["**/*.tsx"], message: "it is not checked"}
"""
ANTI_PATTERNS = """\
anti_patterns:
  - id: ap-001
    description: "Direct database queries in route handlers"
    why_bad: "Testing becomes difficult. It broke in Sprint 3."
    fix_pattern: "Use repository/service layer pattern"
    source: {type: review_gate, ref: sprint-3-review, story: STORY-042, date: "2026-02-18"}
    severity: high
    applies_to: [backend-engineer]
"""


@pytest.fixture
def saas(empty: Shell) -> Shell:
    """A project with memory, under git, after a sprint of two stories."""
    write(
        empty.root,
        {
            ".sniper/config.yaml": "project: {name: my-saas-api}\n",
            ".sniper/memory/conventions.yaml": CONVENTIONS,
            ".sniper/memory/anti-patterns.yaml": ANTI_PATTERNS,
            "stories.yaml": STORIES,
        },
    )
    git(empty.root, "init", "-q", "-b", "main")
    commit(empty.root, "Begin")
    for story in ("STORY-051", "STORY-055"):
        write(empty.root, {f"src/{story.lower()}.ts": "export const a = 1;\n"})
        commit(empty.root, f"feat({story}): work")
    return empty


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org")
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


def commit(root: Path, subject: str) -> None:
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", subject)


def test_criterion_2(saas: Shell) -> None:
    """**Given** a sprint that completes and passes review, **When** the retro agent runs, **Then**
    it produces a structured retro YAML with findings categorized as new conventions,
    anti-patterns, review gate failures, and estimation calibration.
    """
    folder = saas.home / ".config" / "remem"
    command = json.dumps([sys.executable, "-S", "agent.py"])
    agent = f"import sys\nsys.stdin.read()\nprint({ANSWER!r})\n"
    write(folder, {"config.yaml": f"agent: {{command: {command}}}\n", "agent.py": agent})

    write(saas.root, {"gate.md": GATE})
    files = ("--stories", str(saas.root / "stories.yaml"), "--gate", str(saas.root / "gate.md"))
    answer = saas("retro", "run", "--sprint", "5", "--range", "HEAD~2..HEAD", *files)

    assert answer.code == 0, answer.err
    retro = yaml.safe_load(saas.bytes_of(".sniper/memory/retros/sprint-5-retro.yaml"))
    assert (retro["sprint"], retro["stories_completed"]) == (5, 2)
    found = retro["findings"]
    assert [each["rule"] for each in found["new_conventions"]] == [
        "All service functions return Result<T, AppError> instead of throwing"
    ]
    assert [each["description"] for each in found["new_anti_patterns"]] == [
        "Using `any` type for API response bodies"
    ]
    (failure,) = found["review_gate_failures"]
    assert failure["pattern"] == "Missing error handling in webhook delivery"
    assert (failure["failures"], failure["already_tracked"]) == (2, False)
    assert found["estimation_calibration"]["patterns"] == [
        "Stories with an external API take longer by ~30%"
    ]
    assert "2 commits" in answer.err
    assert "0 of" not in answer.err


def test_criterion_4(saas: Shell) -> None:
    """**Given** conventions with `enforcement: review_gate`, **When** `/sniper-review` runs,
    **Then** the review gate checks convention compliance and reports violations.
    """
    write(saas.root, {"src/Card.tsx": "export default function Card() {}\n"})

    broken = saas("check", "--diff", "HEAD", "--format", "markdown")
    git(saas.root, "checkout", "-q", "--", ".")
    (saas.root / "src" / "Card.tsx").unlink()
    clean = saas("check", "--diff", "HEAD~1")

    assert "## Memory Compliance" in broken.out
    assert "### Convention Checks" in broken.out
    assert "conv-001" in broken.out
    assert "src/Card.tsx:1" in broken.out
    assert "conv-002" not in broken.out
    assert "src/Card.tsx" not in clean.out
    assert clean.code == 0


def test_criterion_6(saas: Shell) -> None:
    """**Given** `/sniper-memory --export`, **When** the export runs, **Then** it produces a
    portable YAML file with project-specific metadata stripped.
    """
    file = saas.root / "exported-memory.yaml"

    done = saas("export", "-o", str(file))
    kept = saas("export", "--keep-rationale")

    pack = yaml.safe_load(file.read_bytes())
    assert done.code == 0, done.err
    assert (pack["exported_from"], pack["version"]) == ("my-saas-api", "1.0")
    assert pack["conventions"][0]["rationale"] == "Improves auto-import."
    assert pack["anti_patterns"][0]["why_bad"] == "Testing becomes difficult."
    assert pack["decisions"] == []
    text = file.read_text()
    for name in ("Sprint", "sprint-", "STORY-", "conv-001", "ap-001", "source:", "seen:", "status"):
        assert name not in text
    assert "Established in Sprint 2 after STORY-042." in kept.out
    assert "It broke in Sprint 3." in kept.out
    assert "sprint-2-review" not in kept.out
