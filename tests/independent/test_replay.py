"""remem held to its promises by a script that shares no code with it, on a small team's memory."""

import sys
from pathlib import Path

import pytest
from tests.hostile.crashing import memory_folder
from tests.independent.replay import Outcome, Promise, late_lines, receipts, replay, undo

PROGRAM = str(Path(sys.executable).with_name("remem"))
TOLD_TWICE = 4
"""A decision, its alternatives, a lesson (of either agent, in other words), and a plain rule."""


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Squad that is told some rules twice, and has equal headings over other texts."""
    monkeypatch.setattr("tempfile.tempdir", memory_folder())
    root = tmp_path / "team"
    squad = root / ".squad"
    for name, first, port in (("ada", 0, "port"), ("brook", 20, "the old port")):
        agent = squad / "agents" / name
        agent.mkdir(parents=True)
        (agent / "charter.md").write_text(f"# {name.title()} — Developer\n\nWrites code.\n")
        lessons = [*range(first, first + 12), 3, 3]
        lines = [
            f"- Lesson {n} of this harbour team: keep {port} {n} free\n  - port {n}\n"
            for n in lessons
        ]
        (agent / "history.md").write_text(
            f"# {name.title()} — History\n\n## Learnings\n\n" + "".join(lines)
        )
    (squad / "team.md").write_text(
        "# Team\n\n## Members\n\n| Name | Role | Charter | Status |\n|---|---|---|---|\n"
        "| Ada | Developer | `.squad/agents/ada/charter.md` | Active |\n"
        "| Brook | Tester | `.squad/agents/brook/charter.md` | Active |\n"
    )
    sections = []
    for n in (*range(6), 2):
        sections.append(f"### 2026-03-0{n + 1}: Decision {n}\n**By:** Ada\n**What:** Choice {n}.\n")
        sections.append(f"### Alternatives considered\n\n- Alternative {n}: too slow.\n")
    (squad / "decisions.md").write_text("# Decisions\n\n" + "\n".join(sections))
    (root / "CLAUDE.md").write_text("# Rules\n\n- Run the tests.\n- Keep commits small.\n")
    rules = root / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "commits.md").write_text("# Commits\n\n- Sign them.\n- Keep commits small.\n")
    return root


def held(promise: Promise, team: Path, seed: int) -> Outcome:
    (outcome,) = replay(PROGRAM, team, seed, verbs=8, promises=(promise,))
    assert outcome.faults == []
    return outcome


@pytest.mark.slow
def test_a_stranger_finds_no_late_line_lost(team: Path) -> None:
    outcome = held(late_lines, team, seed=3)

    assert outcome.tried > 2, outcome.line("team")


@pytest.mark.slow
def test_a_stranger_finds_undo_exact(team: Path) -> None:
    outcome = held(undo, team, seed=11)

    assert outcome.notes["undone"] > 4, outcome.line("team")


@pytest.mark.slow
def test_a_stranger_finds_no_text_gone_after_a_receipt(team: Path) -> None:
    outcome = held(receipts, team, seed=3)

    assert outcome.tried == TOLD_TWICE, outcome.line("team")
    assert outcome.notes["lines of near duplicates"], outcome.line("team")
