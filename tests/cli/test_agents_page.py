"""Everything that `docs/agents.md` tells people to write or to run does what the page says."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.demo_files import demo_at

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import home_of

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
AGENT = "#!/bin/sh\ncat > /dev/null\necho '- Ask for the failing input first'\n"


def blocks(kind: str, name: str = "") -> list[str]:
    """Return the blocks of that kind and name; what needs a tool of others has the tool's."""
    return [text for found, called, text in BLOCK.findall(PAGE) if (found, called) == (kind, name)]


Runs = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = demo_at(tmp_path / "demo")
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


def hooks(project: Path) -> dict[str, list[str]]:
    """Return the commands of the hooks in exec form, as the client fills them in."""
    settings = json.loads(blocks("json")[0])
    (start,), (stop,) = (settings["hooks"][event] for event in ("SessionStart", "Stop"))
    assert start["matcher"] == "startup|clear"
    found = {"start": start["hooks"][0], "stop": stop["hooks"][0]}
    return {
        name: [
            each["command"],
            *(arg.replace("${CLAUDE_PROJECT_DIR}", str(project)) for arg in each["args"]),
        ]
        for name, each in found.items()
    }


@pytest.mark.slow
def test_the_hooks_give_memory_at_the_start_and_ask_for_lessons_once(
    project: Path, run: Runs
) -> None:
    commands = hooks(project)
    told = {"session_id": "s-1", "cwd": str(project), "stop_hook_active": False}

    def runs(name: str, **more: object) -> str:
        done = run(*commands[name], given=json.dumps({**told, **more}))
        assert done.returncode == 0, done.stderr
        return done.stdout

    start = runs("start", source="startup")
    resumed = runs("start", source="resume")
    unchanged = runs("stop")
    (project / "new.py").write_text("value = 1\n")
    first = json.loads(runs("stop"))["hookSpecificOutput"]
    again = runs("stop", stop_hook_active=True)
    (project / "newer.py").write_text("value = 1\n")
    later = runs("stop")

    assert "## Project Memory" in start
    assert len(start) < 10_000
    assert (resumed, unchanged, again, later) == ("", "", "", "")
    assert first["hookEventName"] == "Stop"
    assert "Ines" in first["additionalContext"]
    assert "--answer -" in first["additionalContext"]
    assert "new.py" in first["additionalContext"]


@pytest.mark.slow
def test_the_slash_command_looks_first_and_proposes(project: Path, run: Runs) -> None:
    (text,) = blocks("markdown", "remember.md")
    (looks,) = re.findall(r"^!`(.*)`$", text, re.MULTILINE)
    (proposes,) = re.findall(r"`(remem add [^`]*)`", text)
    said = "Harbours close at night, `date` says"

    assert "ARGUMENTS" not in looks + proposes  # nothing that a person typed is a shell's to read
    assert run("sh", "-c", looks).returncode == 0
    assert run("sh", "-c", proposes.replace("THE RULE", said)).returncode == 0

    assert said in titles(project)


@pytest.mark.slow
async def test_the_server_of_the_page_offers_to_propose_and_to_compose(
    project: Path, surroundings: dict[str, str]
) -> None:
    pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    from mcp import ClientSession, StdioServerParameters

    made = subprocess.run(
        ["remem", "mcp", "install", "--client", "cursor"], cwd=project, env=surroundings, check=True
    )
    assert made.returncode == 0
    (server,) = json.loads((project / ".cursor/mcp.json").read_text())["mcpServers"].values()
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


@pytest.mark.slow
def test_facts_and_code_from_elsewhere_are_judged_alike(project: Path, run: Runs) -> None:
    (script,) = blocks("python", "stores.py")
    facts = [
        {"id": "1", "path": "a.py", "says": "LIMIT = 4", "subject": "limit", "fact": "It is 4"},
        {"id": "2", "path": "a.py", "says": "LIMIT = 5", "subject": "limit", "fact": "It is 5"},
    ]
    (project / "facts.json").write_text(json.dumps(facts))

    done = run(sys.executable, "-c", script)

    assert done.returncode == 0, done.stderr
    assert "It is 4" in done.stdout
    assert "It is 5" not in done.stdout
