"""Putting the server into clients, by their own command, a new file, or a person."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Shell, document_of

from remem.systems.own.mcp_clients import CLIENTS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def lonely(shop: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shop on a machine whose path has no client's program."""
    empty = tmp_path / "bin"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    return shop


Program = Callable[[str, str], Path]


@pytest.fixture
def program(lonely: Shell, tmp_path: Path) -> Program:
    """Put a client's program onto the path, which notes what it is told."""

    def put(name: str, script: str) -> Path:
        file = tmp_path / "bin" / name
        said = tmp_path / f"{name}.said"
        file.write_text(f'#!/bin/sh\nfor each in "$@"; do echo "$each"; done > {said}\n{script}\n')
        file.chmod(0o755)
        return said

    return put


@pytest.mark.parametrize("name", [each.id for each in CLIENTS.values() if each.project])
def test_a_projects_file_that_is_missing_is_made_and_taken_back(lonely: Shell, name: str) -> None:
    path = lonely.root / CLIENTS[name].project

    done = lonely("mcp", "install", "--client", name, "--scope", "project")
    again = lonely("mcp", "install", "--client", name, "--scope", "project")

    document = json.loads(path.read_text())
    (server,) = (each["remem"] for each in document.values() if isinstance(each, dict))
    program = server["command"][0] if name == "opencode" else server["command"]
    assert done.code == again.code == 0
    assert Path(program).is_absolute()
    assert "already has the server" in again.err
    assert ("servers" in document) == (name == "vscode")
    assert lonely("undo").code == 0
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    ["// mine\n{}\n", '{"mcpServers": {"other": {"command": "x"}}}', "[1]", "", "\ufeff{}"],
)
@pytest.mark.parametrize("mode", [0o644, 0o444])
def test_a_file_that_is_there_is_printed_for_and_never_rewritten(
    lonely: Shell, text: str, mode: int
) -> None:
    path = lonely.root / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(mode)

    done = lonely("mcp", "install", "--client", "cursor")

    assert done.code == 0
    assert "remem" in json.loads(done.out)["mcpServers"]
    assert "was not changed" in done.err
    assert path.read_text() == text


def test_opencodes_newer_shape_is_read_too(lonely: Shell) -> None:
    (lonely.root / "opencode.json").write_text('{"mcp": {"servers": {"remem": {}}}}')

    assert "already has the server" in lonely("mcp", "install", "--client", "opencode").err


@pytest.mark.parametrize(
    ("client", "file"),
    [("claude-desktop", "claude_desktop_config.json"), ("devin", ".config/devin/mcp_config.json")],
)
def test_a_client_of_the_users_own_is_told_which_project_is_meant(
    lonely: Shell, client: str, file: str
) -> None:
    report = document_of(
        lonely("mcp", "install", "--client", client, "--print", "--json"), "mcp-install"
    )

    server = json.loads(report["text"])["mcpServers"]["remem"]
    assert [*server["args"]][server["args"].index("mcp") :][:3] == [
        "mcp",
        "--root",
        str(lonely.root),
    ]
    assert report["path"].endswith(file)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("claude", ["mcp", "add-json", "--scope", "local", "remem"]),
        ("codex", ["mcp", "add", "remem", "--"]),
        ("gemini", ["mcp", "add", "--scope", "project", "remem"]),
        ("devin", ["mcp", "add", "-s", "local", "remem", "--"]),
    ],
)
def test_a_clients_own_command_is_used_where_it_has_one(
    lonely: Shell, program: Program, name: str, told: list[str]
) -> None:
    said = program(name, "echo done")

    shown = lonely("mcp", "install", "--client", name, "--dry-run")
    assert not said.exists()
    done = lonely("mcp", "install", "--client", name)

    assert (shown.code, done.code) == (0, 0)
    assert said.read_text().splitlines()[: len(told)] == told
    assert f"{name} mcp remove remem" in done.err


def test_a_clients_command_that_fails_says_so_and_what_to_do_by_hand(
    lonely: Shell, program: Program
) -> None:
    program("codex", "echo 'no such thing' >&2; exit 3")

    done = lonely("mcp", "install", "--client", "codex")

    assert done.code == 2
    assert "exited with code 3" in done.err
    assert "no such thing" in done.err
    assert "--print" in done.err


def test_a_client_that_is_not_here_gets_nothing_and_that_is_no_success(lonely: Shell) -> None:
    lonely("mcp", "install", "--client", "claude", "--scope", "project")

    done = lonely("mcp", "install", "--client", "claude", "--scope", "user")

    assert done.code == 2
    assert "nothing was written: `claude`" in done.err
    asked = lonely("mcp", "install", "--client", "claude", "--scope", "user", "--json")
    assert (asked.code, asked.document["how"]) == (2, "print")
    assert '"mcpServers"' in done.out


def test_an_unknown_client_or_scope_is_told_the_known_ones(lonely: Shell) -> None:
    assert "claude-desktop" in lonely("mcp", "install", "--client", "emacs").err
    assert "user" in lonely("mcp", "install", "--client", "codex", "--scope", "project").err


@pytest.mark.slow
def test_the_doctor_starts_the_server_and_says_what_is_wrong(shop: Shell) -> None:
    (shop.root / ".cursor").mkdir()
    missing = {"mcpServers": {"remem": {"command": "/nowhere/remem", "args": ["mcp"]}}}
    (shop.root / ".cursor/mcp.json").write_text(json.dumps(missing))

    report = document_of(shop("mcp", "doctor", "--json"), "mcp-doctor")

    checks = {each["name"]: each for each in report["checks"] if each["ok"]}
    (bad,) = (each for each in report["checks"] if not each["ok"] and each["name"] != "memory")
    assert "answers after" in checks["start"]["detail"]
    assert "tools" in checks["tools"]["detail"]
    assert "active fact" in checks["memory"]["detail"]
    assert "/nowhere/remem" in bad["detail"]
    assert report["ok"] is False


def hook(root: Path, home: Path, name: str, *options: str, **told: object) -> str:
    command = [sys.executable, "-m", "remem", "hook", name, *options, "--root", str(root)]
    done = subprocess.run(
        [*command, "--home", str(home)], input=json.dumps(told), capture_output=True, text=True,
        check=False, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("with_git", ["none", "no commit", "a commit"])
def test_an_agent_is_asked_once_and_only_if_files_changed(tmp_path: Path, with_git: str) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    (root / ".remem").mkdir(parents=True)
    (root / "a.py").write_text("value = 1\n")
    if with_git != "none":
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    if with_git == "a commit":
        who = ["-c", "user.name=Ada", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)
        subprocess.run(["git", "-C", str(root), *who, "commit", "-qm", "first"], check=True)

    hook(root, home, "start", session_id="one", source="startup")
    (root / ".remem/memory.db-wal").write_text("a look at facts")
    assert hook(root, home, "stop", session_id="one") == ""
    (root / "a.py").write_text("value = 22\n")
    asked = hook(root, home, "stop", session_id="one")
    (root / "b.py").write_text("value = 3\n")

    assert "additionalContext" in json.loads(asked)["hookSpecificOutput"]
    assert hook(root, home, "stop", session_id="one") == ""
    assert hook(root, home, "stop", session_id="never seen to start") == ""
    hook(root, home, "start", session_id="two", source="clear")
    assert hook(root, home, "stop", session_id="two", stop_hook_active=True) == ""
    (root / "a.py").write_text("value = 4444\n")
    assert hook(root, home, "stop", session_id="two") != ""


def test_a_prompt_that_is_too_long_becomes_a_pointer_with_ten_entries(shop: Shell) -> None:
    store = shop.root / ".sniper/memory/conventions.yaml"
    more = (
        f"  - id: conv-{number}\n    rule: Rule {number} says {'a lot of words ' * 12}about it\n"
        for number in range(100, 140)
    )
    store.write_text(store.read_text() + "".join(more))

    whole = shop("compose", "--role", "backend-engineer").out
    short = shop("compose", "--role", "backend-engineer", "--max-chars", "5000").out
    tight = shop("compose", "--role", "backend-engineer", "--max-chars", "700").out
    room = shop("compose", "--role", "backend-engineer", "--max-chars", str(len(whole)))

    assert len(whole) > 5_000
    assert "remem compose --role backend-engineer" in short
    assert short.count("\n- **") == 10
    assert len(tight) <= 700
    assert room.out == whole


def test_the_plug_in_names_its_version_and_the_tools_are_short_enough_for_it() -> None:
    manifest = json.loads((ROOT / "plugin/.claude-plugin/plugin.json").read_text())
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())

    assert f'version = "{manifest["version"]}"' in (ROOT / "pyproject.toml").read_text()
    assert [each["source"] for each in market["plugins"]] == ["./plugin"]
    for skill in (ROOT / "plugin/skills").glob("*/SKILL.md"):
        assert skill.read_text().startswith(f"---\nname: {skill.parent.name}\ndescription: ")
