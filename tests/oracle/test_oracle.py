"""What remem says of each fixture, against what the tools were seen to load; no tool is needed.

The runs themselves are `ask.py`'s, and asked for by hand.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.answers import Answer, answer_of, question
from tests.oracle.fixtures import FIXTURES, Built, Fixture, build
from tests.oracle.results import Result, committed, own_lists_differ
from tests.oracle.tools import TOOLS

from remem.cli.main import run

CLAUDE = "claude-code"
TITLES = {tool.id: tool.title for tool in TOOLS}
FEWEST = 60
OPEN: dict[str, set[str]] = {"qwen-code": {"qwen-names-below"}}
"""What remem does not show yet as it was seen, which it says itself; the list may only shrink."""


def _ask(built: Built, agent: str) -> Answer:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        run(question(built, agent))
    raw: Any = out.buffer
    return answer_of(built, json.loads(raw.getvalue()))


def _of(fixture: Fixture, *, claude: bool) -> list[Result]:
    kept = (result for result in committed().values() if result.fixture == fixture.name)
    return [result for result in kept if (result.tool == CLAUDE) == claude]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_claude_code_gets_what_it_was_seen_to_load(fixture: Fixture, tmp_path: Path) -> None:
    seen = _of(fixture, claude=True)
    if not seen:
        return
    built = build(fixture, tmp_path)

    assert _ask(built, TITLES[CLAUDE]).said == seen[0].said


@pytest.mark.slow
@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_every_other_tool_gets_what_it_was_seen_to_load(fixture: Fixture, tmp_path: Path) -> None:
    built = build(fixture, tmp_path)

    for seen in _of(fixture, claude=False):
        is_open = fixture.name in OPEN.get(seen.tool, ())
        says, did = (
            each.as_listed_by(seen.tool)
            for each in (_ask(built, TITLES[seen.tool]).said, seen.said)
        )
        assert (seen.tool, says == did) == (seen.tool, not is_open)


def test_what_claude_code_lists_is_what_it_sent() -> None:
    for result in committed().values():
        assert not list(own_lists_differ(result)), result.fixture


def test_the_results_are_of_fixtures_that_are_there() -> None:
    names = {fixture.name for fixture in FIXTURES}

    assert {fixture for fixture, _ in committed()} == names
    assert len(names) == len(FIXTURES) >= FEWEST


@pytest.mark.oracle
@pytest.mark.parametrize("tool", sorted(TITLES))
def test_a_tool_does_today_what_remem_says(tool: str, request: pytest.FixtureRequest) -> None:
    folder = request.config.getoption("oracle")
    if folder is None:
        pytest.skip("`--oracle FOLDER` says where the tools are installed")

    command = (sys.executable, "-m", "tests.oracle.ask", "compare", folder, "--tool", tool)
    done = subprocess.run(command, cwd=request.config.rootpath, capture_output=True, check=False)

    assert done.returncode == 0, done.stdout.decode()
