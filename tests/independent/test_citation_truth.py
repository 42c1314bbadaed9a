"""The judging of citations held against git by a script that shares no code with it."""

import os
import random
from pathlib import Path

import pytest
from tests.code_files import commit, git
from tests.independent.citation_truth import Score, main, measured

CLONES = os.environ.get("REMEM_CLONES", "")
"""Clones of public repositories, with their history; no test sees the variable itself."""


@pytest.mark.slow
def test_citations_of_a_history_are_judged_as_git_tells_it(tmp_path: Path) -> None:
    top = tmp_path / "source"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    parts = [f"def part{n}():\n    value = {n}\n    return value\n\n\n" for n in range(40)]
    (top / "a.py").write_text("".join(parts))
    (top / "b.py").write_text("".join(parts[::-1]))
    (top / "d.py").write_text("".join(parts[20:]))
    commit(top, "first")
    (top / "a.py").write_text("import os\n\n" + "".join(parts[:9] + parts[12:]))
    git(top, "mv", "b.py", "c.py")
    commit(top, "second")
    score = Score()

    measured(top, 1, 120, random.Random(7), score)

    assert sum(score.table.values()) == 120
    assert score.count("stands")
    assert score.false_alarms == 0
    assert score.invalid_found > 0.99
    assert score.moved_found > 0.98
    assert score.said("moved", "gone") == 0


@pytest.mark.slow
@pytest.mark.skipif(not CLONES, reason="`REMEM_CLONES` names no clones")
def test_citations_of_public_repositories_are_judged_as_git_tells_it() -> None:
    score = main(["--seed", "19", "--each", "700", *CLONES.split(os.pathsep)])

    assert sum(score.table.values()) >= 3_000
    assert score.invalid_found > 0.995
    assert score.false_alarms < 0.002
    assert score.moved_found > 0.98
    assert score.moved_right > 0.98
