"""Every command of `docs/tutorial.md` works on the demo and prints what the page shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from remem.demo.build import build_demo, home_of

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text("utf-8")
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

DATED = re.compile(r"written \d{4}-\d\d-\d\d ")


def steps() -> list[tuple[str, list[str]]]:
    """Return each block of commands with the lines that the page shows below it."""
    found: list[tuple[str, list[str]]] = []
    for kind, text in BLOCK.findall(PAGE):
        if kind == "sh":
            found.append((text, []))
        else:
            found[-1][1].extend(text.splitlines())
    return found


@pytest.mark.slow(reason="some twenty commands, each a process of its own")
def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    project = build_demo(tmp_path / "demo", night=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    surroundings = {**os.environ, "PATH": path, "REMEM_HOME": str(home_of(project))}

    for commands, shown in steps():
        done = subprocess.run(
            ["sh", "-ec", commands],
            cwd=project,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
        )
        # Between midnight and morning, the demo's last night is yesterday's and has its date.
        printed = DATED.sub("written ", done.stdout + done.stderr)
        assert done.returncode == 0, f"{commands}\n{printed}"
        assert [line for line in shown if line not in printed] == [], f"{commands}\n{printed}"
