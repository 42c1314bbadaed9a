"""Everything that `docs/agents.md` tells people to write or to run does what the page says."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import build_demo, home_of

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
AGENT = "#!/bin/sh\ncat > /dev/null\necho '- Ask for the failing input first'\n"


def blocks(kind: str, name: str = "") -> list[str]:
    """Return the blocks of that kind and name; what needs a tool of others has the tool's."""
    return [text for found, called, text in BLOCK.findall(PAGE) if (found, called) == (kind, name)]


Runs = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = build_demo(tmp_path / "demo")
    (project / "notes.md").write_text("Ships, harbours, times.\n")
    return project


@pytest.fixture
def surroundings(project: Path, tmp_path: Path) -> dict[str, str]:
    """Return an environment with `remem` and an `agent` on the path, and the demo's home."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "agent").write_text(AGENT)
    (programs / "agent").chmod(0o755)
    path = f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    return {
        **os.environ,
        **{f"GIT_{name}": "mara" for name in names},
        "PATH": path,
        "REMEM_HOME": str(home_of(project)),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


@pytest.fixture
def run(project: Path, surroundings: dict[str, str]) -> Runs:
    """Run a command in the demo, under git, as a shell does."""

    def run_it(*command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=project, env=surroundings, input=given, capture_output=True, text=True,
            check=False, timeout=60,
        )  # fmt: skip

    assert run_it("git", "init", "-q", "-b", "main").returncode == 0
    assert run_it("git", "commit", "-q", "--allow-empty", "-m", "Begin").returncode == 0
    return run_it


def titles(project: Path) -> list[str]:
    bench = Session.open(project, Places.of(home_of(project)), door="cli")
    try:
        return [item.title for item in bench.queue()]
    finally:
        bench.close()


@pytest.mark.slow
def test_every_command_of_the_page_runs_and_what_agents_say_waits(project: Path, run: Runs) -> None:
    commands = blocks("sh")

    done = [run("bash", "-euo", "pipefail", "-c", command) for command in commands]

    assert len(commands) >= 4
    assert [(each.returncode, each.stderr) for each in done if each.returncode] == []
    assert "Every consumer" in (project / "prompt.md").read_text()
    said = {
        "Boards show the berth before the time",
        "Every retry has a limit",
        "Ask for the failing input first",
    }
    assert said <= {*titles(project)}


@pytest.mark.slow
def test_the_hooks_give_memory_at_the_start_and_ask_for_lessons_once(
    project: Path, run: Runs
) -> None:
    settings = json.loads(blocks("json")[0])
    (script,) = blocks("sh", "reflect.sh")
    (project / ".claude" / "hooks").mkdir()
    (project / ".claude" / "hooks" / "reflect.sh").write_text(script)
    commands = {
        event: found[0]["hooks"][0]["command"] for event, found in settings["hooks"].items()
    }

    start = run("sh", "-c", commands["SessionStart"], given='{"source": "startup"}')
    first = run("sh", "-c", commands["Stop"], given='{"stop_hook_active": false}')
    again = run("sh", "-c", commands["Stop"], given='{"stop_hook_active":true}')

    assert start.returncode == 0
    assert "## Project Memory" in start.stdout
    assert first.returncode == 2
    assert "Ines" in first.stderr
    assert "--answer -" in first.stderr
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.slow
def test_the_slash_command_looks_first_and_proposes(project: Path, run: Runs) -> None:
    (text,) = blocks("markdown", "remember.md")
    said = "Harbours close at night"
    looks, proposes = (
        each.replace("$ARGUMENTS", said) for each in re.findall(r"`(remem [^`]*\$ARG[^`]*)`", text)
    )

    assert run("sh", "-c", looks).returncode == 0
    assert run("sh", "-c", proposes).returncode == 0

    assert said in titles(project)


@pytest.mark.slow
async def test_the_server_of_the_page_offers_to_propose_and_to_compose(
    project: Path, surroundings: dict[str, str]
) -> None:
    pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    from mcp import ClientSession, StdioServerParameters

    (server,) = json.loads(blocks("json")[1])["mcpServers"].values()
    asked = StdioServerParameters(**server, env=surroundings, cwd=project)

    async with stdio_client(asked) as streams, ClientSession(*streams) as invocation:
        await invocation.initialize()
        tools = (await invocation.list_tools()).tools

    assert {"memory_propose", "memory_compose"} <= {tool.name for tool in tools}


@pytest.mark.slow
def test_the_python_of_the_page_stores_and_gives_out(run: Runs) -> None:
    (script,) = blocks("python")
    run("git", "add", "-A")

    done = run(sys.executable, "-c", script)

    assert done.returncode == 0, done.stderr
    assert "Notes of the team stand in one file." in done.stdout
