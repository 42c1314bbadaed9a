"""Every command of the README's five jobs works on the demo that its first line opens."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from remem.demo.build import build_branch, build_crew, build_demo, home_of

PAGE = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
JOB = re.compile(r"^### (.+)\n(?s:.*?)^```sh\n((?s:.*?))^```$", re.MULTILINE)
ANSWERS: dict[str, int] = {"remem check --diff": 1, "remem check --memory": 1}
"""Commands that answer by their exit code: three rules are broken, and memory has gaps."""


@pytest.mark.slow(reason="some thirty commands, each a process of its own")
@pytest.mark.parametrize(("job", "lines"), JOB.findall(PAGE))
def test_the_examples_of_a_job_work_on_its_demo(job: str, lines: str, tmp_path: Path) -> None:
    project = build_demo(tmp_path, night=True)
    home = home_of(project)
    commands = [line.partition("  #")[0].strip() for line in lines.splitlines()]
    if "remem demo --team" in commands:
        project = build_crew(tmp_path)
    elif "remem demo --branch" in commands:
        project = build_branch(tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    surroundings = {**os.environ, "PATH": path, "REMEM_HOME": str(home), "HOME": str(home)}

    for command in commands:
        if command.startswith(("remem demo", "remem mcp install")):
            continue
        done = subprocess.run(
            ["sh", "-c", command], cwd=project, env=surroundings, capture_output=True, text=True
        )

        expected = next((code for name, code in ANSWERS.items() if command.startswith(name)), 0)
        assert done.returncode == expected, f"{job}: {command}\n{done.stderr}"
        assert done.stdout or done.stderr, command
        assert "no changes" not in done.stderr, command


def test_there_are_five_jobs() -> None:
    assert len(JOB.findall(PAGE)) == 5
