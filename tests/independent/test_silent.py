"""remem looked at for silence by a script that shares no code with it, on a small sprint."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.hostile.crashing import memory_folder
from tests.independent.silent import silent

PROGRAM = str(Path(sys.executable).with_name("remem"))
FILES = {
    ".sniper/config.yaml": "memory: {token_budget: 90}\ndomain_pack: trade\n",
    ".sniper/memory/conventions.yaml": """\
conventions:
  - id: conv-001
    rule: Importers log every line that they pass over
    rationale: Two lost files in one week
    applies_to: [backend-dev]
    enforcement: both
  - id: conv-002
    rule: A page has one heading of the first level and no more
    applies_to: [frontend-dev]
    owner: Mara
""",
    ".sniper/memory/anti-patterns.yaml": """\
anti_patterns:
  - {id: ap-001, description: The clock is read in the domain, severity: high}
""",
    ".sniper/retros/SNPR-20260309-c7d1.yaml": """\
protocol: full
completed_at: "2026-03-09T10:00:00Z"
weather: sunny in the morning
what_went_well:
  - {id: W1, area: engine, detail: The engine knows no page}
what_needs_improvement:
  - {id: I1, area: tests, detail: Nobody tested the store, action: Test stores through their pages}
""",
    ".sniper/memory/learnings/L003-aria.yaml": """\
id: L003
learning: Names for screen readers change with what they name
confidence: 0.6
scope: {agents: [frontend-dev]}
mood: good
""",
    ".sniper/spawn-prompts/_template.md": "# {name}\n\n{process_layer}\n\n{memory_layer}\n",
    ".sniper/personas/process/backend-dev.md": "# Backend\n\nYou build services.\n",
    ".sniper/personas/process/frontend-dev.md": "# Frontend\n\nYou build pages.\n",
    ".sniper/artifacts/SNPR-20260309-c7d1/stories/01-first.md": "---\nid: 1\n---\n# First\n",
    ".sniper/artifacts/SNPR-20260309-c7d1/stories/02-second.md": "---\nid: 2\n---\n# Second\n",
    ".learnings/LEARNINGS.md": """\
# Learnings

## [LRN-20260301-001] correction

**Logged**: 2026-03-01
**Priority**: high

### Summary
Ask before a file is moved

---
""",
}


@pytest.fixture
def sprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two stories with a retro, a learning, roles and a page of lessons."""
    monkeypatch.setattr("tempfile.tempdir", memory_folder())
    root = tmp_path / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)

    def git(*words: str) -> None:
        who = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org")
        subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    for subject in ("Begin", "feat(S1): first", "chore: tidy", "feat: page for stories 1-2"):
        (root / "notes.txt").write_text(subject)
        git("add", ".")
        git("commit", "-qm", subject)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("look", ["records", "lines", "prompts", "commits"])
def test_a_stranger_finds_nothing_passed_over_in_silence(sprint: Path, look: str) -> None:
    (outcome,) = silent(PROGRAM, sprint, most=20, looks=[look])

    assert outcome.faults == []
    assert outcome.tried > 2, outcome.line("shop")
