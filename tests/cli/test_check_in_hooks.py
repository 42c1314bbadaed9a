"""What a pre-commit hook and a workflow run, run."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.conftest import Shell, write

REPOSITORY = Path(__file__).parents[2]
RULES = """\
conventions:
  - id: conv-001
    rule: "No printing in the service"
    rationale: "logs are read by machines"
    applies_to: [backend-engineer]
    source: {type: manual, ref: user-added}
    detect: {files: ["src/**"], forbid: '\\bprint\\('}
"""


def environment() -> dict[str, str]:
    """Return one in which `remem` is this code's."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    people = {f"GIT_{who}_NAME": "Mara" for who in ("AUTHOR", "COMMITTER")}
    mails = {f"GIT_{who}_EMAIL": "mara@example.org" for who in ("AUTHOR", "COMMITTER")}
    return {**os.environ, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull, **people, **mails}


def ran(root: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**environment(), **more}
    return subprocess.run(
        command, cwd=root, env=env, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def repository(shop: Shell) -> Path:
    """A project with one rule, and a branch that breaks it."""
    write(shop.root, {".sniper/memory/conventions.yaml": RULES})
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        assert ran(shop.root, "git", *command).returncode == 0
    ran(shop.root, "git", "checkout", "-q", "-b", "topic")
    write(shop.root, {"src/a.py": "print(1)\n"})
    ran(shop.root, "git", "add", "-A")
    return shop.root


@pytest.mark.slow
@pytest.mark.parametrize("hook", ["remem-check", "remem-memory"])
def test_a_hook_stops_a_commit_that_breaks_a_rule_and_lets_others_through(
    repository: Path, hook: str
) -> None:
    hooks: list[dict[str, Any]] = yaml.safe_load(
        (REPOSITORY / ".pre-commit-hooks.yaml").read_text()
    )
    (entry,) = (each["entry"] for each in hooks if each["id"] == hook)

    broken = ran(repository, *entry.split())
    ran(repository, "git", "commit", "-q", "-m", "More")
    clean = ran(repository, *entry.split())

    severity_counts = hook == "remem-check"
    assert broken.returncode == (1 if severity_counts else 0)
    assert "src/a.py:1" in broken.stdout
    assert clean.returncode == 0, clean.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", ["-a", "src/b.py"], ids=["all", "one file"])
def test_a_hook_sees_what_a_commit_takes_in_by_itself(repository: Path, how: str) -> None:
    write(repository, {"src/a.py": "", "src/b.py": ""})
    ran(repository, "git", "add", "-A")
    ran(repository, "git", "commit", "-q", "-m", "More")
    hook = repository / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec remem check --staged\n")
    hook.chmod(0o755)

    write(repository, {"src/b.py": "print(1)\n"})
    broken = ran(repository, "git", "commit", "-q", "-m", "Broken", how)
    write(repository, {"src/b.py": "log(1)\n"})
    clean = ran(repository, "git", "commit", "-q", "-m", "Clean", how)

    assert broken.returncode == 1
    assert "src/b.py:1" in broken.stderr
    assert clean.returncode == 0, clean.stderr
    assert ran(repository, "git", "log", "--format=%s", "-1").stdout == "Clean\n"


@pytest.mark.slow
def test_the_action_fails_on_a_branch_that_breaks_a_rule_and_writes_what_it_found(
    repository: Path, tmp_path: Path
) -> None:
    action: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text())
    (script,) = (step["run"] for step in action["runs"]["steps"] if step["name"] == "check")
    ran(repository, "git", "commit", "-q", "-m", "More")
    summary, sarif = tmp_path / "summary.md", tmp_path / "found.sarif"
    asked = {
        "FAIL_ON": action["inputs"]["fail-on"]["default"],
        "MEMORY": action["inputs"]["memory"]["default"],
        "SARIF": str(sarif),
        "GITHUB_STEP_SUMMARY": str(summary),
    }

    broken = ran(repository, "bash", "-e", "-c", script, RANGE="main...HEAD", **asked)
    clean = ran(repository, "bash", "-e", "-c", script, RANGE="topic...HEAD", **asked)

    assert broken.returncode == 1
    assert "src/a.py:1" in summary.read_text()
    assert clean.returncode == 0
    assert json.loads(sarif.read_text())["version"] == "2.1.0"
