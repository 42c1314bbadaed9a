"""The sprint loop's criteria, held by a script that shares no code with remem."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.independent.sprint_loop import hold

PROGRAM = str(Path(sys.executable).with_name("remem"))


def git(root: Path, *arguments: str) -> None:
    who = {f"GIT_{one}_NAME": "Mara" for one in ("AUTHOR", "COMMITTER")}
    who |= {f"GIT_{one}_EMAIL": "mara@example.org" for one in ("AUTHOR", "COMMITTER")}
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **who}
    subprocess.run(["git", "-C", str(root), *arguments], check=True, env=environment)


@pytest.mark.slow
def test_a_stranger_goes_once_around_the_sprint_loop(tmp_path: Path) -> None:
    root = tmp_path / "bakery"
    (root / "src").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for number in range(12):
        oven = root / "src" / f"oven{number % 4}.py"
        before = oven.read_text() if oven.exists() else ""
        oven.write_text(before + f"def bake_{number}(oven):\n    return oven.bake({number})\n\n\n")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", f"Bake {number}\n\nStory: STORY-{number % 2 + 1}")

    held = hold(PROGRAM, root, commits=9)

    assert held.faults == []
    assert (held.notes["places"], held.notes["commits"]) == (18, 9)
