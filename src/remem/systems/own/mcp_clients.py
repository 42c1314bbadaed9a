"""The programs that start remem's server: where each keeps it, in which shape, by what command.

The places are those of their pages; `docs/agents.md` quotes them with their dates. Only a project's
file that is missing is ever made: another program's file, whatever its shape, stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.model.change import Change, Create, Intent

if TYPE_CHECKING:
    from remem.systems.own.own_verbs import McpInstall

NAME: Final = "remem"
"""What the server is called in every client."""
Command = Sequence[str]


@dataclass(frozen=True, slots=True)
class Client:
    """One program that starts servers."""

    id: str
    title: str
    snippet: Callable[[Command], str]
    """What its file has to hold, given the command of the server."""
    project: str = ""
    """Its file in a project; empty = it has none."""
    own: tuple[str, ...] = ()
    """Its file of the user's, below the home folder, for each system that has another one."""
    program: str = ""
    """The command that puts a server into it; empty = it has none."""
    adds: Callable[[Command, str], Sequence[str]] = lambda command, scope: ()
    """What that command is told, given the server's command and a scope."""
    scopes: tuple[str, ...] = ("project",)
    """Where it can be put, the first unless another is named."""
    removes: str = ""
    """How a person takes it out again."""
    note: str = ""
    """What the person has to know or do afterwards."""
    starts_in_project: bool = True
    """It starts servers in the project's folder; else they have to be told which one is meant."""


def _servers(key: str, **more: str) -> Callable[[Command], str]:
    def snippet(command: Command) -> str:
        program, *arguments = command
        server = {**more, "command": program, "args": [*arguments]}
        return json.dumps({key: {NAME: server}}, indent=2) + "\n"

    return snippet


def _opencode(command: Command) -> str:
    server = {"type": "local", "command": [*command], "enabled": True}
    document = {"$schema": "https://opencode.ai/config.json", "mcp": {NAME: server}}
    return json.dumps(document, indent=2) + "\n"


def _toml(command: Command) -> str:
    program, *arguments = command
    return (
        f"[mcp_servers.{NAME}]\ncommand = {json.dumps(program)}\nargs = {json.dumps(arguments)}\n"
    )


def _claude(command: Command, scope: str) -> Sequence[str]:
    program, *arguments = command
    server = json.dumps({"type": "stdio", "command": program, "args": arguments})
    return ("mcp", "add-json", "--scope", scope, NAME, server)


def _codex(command: Command, scope: str) -> Sequence[str]:
    return ("mcp", "add", NAME, "--", *command)


def _gemini(command: Command, scope: str) -> Sequence[str]:
    program, *arguments = command
    return ("mcp", "add", "--scope", scope, NAME, program, *arguments)


def _devin(command: Command, scope: str) -> Sequence[str]:
    return ("mcp", "add", "-s", scope, NAME, "--", *command)


CLIENTS: Final[Mapping[str, Client]] = {
    each.id: each
    for each in (
        Client(
            "claude",
            "Claude Code",
            _servers("mcpServers", type="stdio"),
            project=".mcp.json",
            program="claude",
            adds=_claude,
            scopes=("local", "project", "user"),
            removes=f"claude mcp remove {NAME}",
            note="Claude Code asks once before it starts a server from a project's `.mcp.json`",
        ),
        Client(
            "codex",
            "Codex",
            _toml,
            own=(".codex/config.toml",),
            program="codex",
            adds=_codex,
            scopes=("user",),
            removes=f"codex mcp remove {NAME}",
        ),
        Client(
            "gemini",
            "Gemini CLI",
            _servers("mcpServers"),
            project=".gemini/settings.json",
            own=(".gemini/settings.json",),
            program="gemini",
            adds=_gemini,
            scopes=("project", "user"),
            removes=f"gemini mcp remove {NAME}",
            note="Gemini CLI starts servers only in trusted folders",
        ),
        Client(
            "cursor",
            "Cursor",
            _servers("mcpServers"),
            project=".cursor/mcp.json",
            own=(".cursor/mcp.json",),
            note="turn the server on in Cursor's settings",
        ),
        Client(
            "vscode",
            "VS Code",
            _servers("servers", type="stdio"),
            project=".vscode/mcp.json",
            note="VS Code asks once whether you trust the server",
        ),
        Client(
            "claude-desktop",
            "Claude Desktop",
            _servers("mcpServers"),
            own=(
                "Library/Application Support/Claude/claude_desktop_config.json",
                ".config/Claude/claude_desktop_config.json",
            ),
            scopes=("user",),
            note="restart Claude Desktop afterwards",
            starts_in_project=False,
        ),
        Client(
            "devin",
            "Devin Desktop (Windsurf)",
            _servers("mcpServers"),
            own=(".config/devin/mcp_config.json",),
            program="devin",
            adds=_devin,
            scopes=("local", "project", "user"),
            removes=f"devin mcp remove {NAME}",
            note="Cascade, the older agent, reads `~/.codeium/windsurf/mcp_config.json`",
            starts_in_project=False,
        ),
        Client(
            "opencode",
            "OpenCode",
            _opencode,
            project="opencode.json",
            own=(".config/opencode/opencode.json",),
        ),
    )
}
"""By the name that people give; the order is that of `remem mcp install --help`."""


def client_named(name: str) -> Client:
    """Return a client by its name.

    Raises:
        NotPossible: Nothing is known of it.
    """
    found = CLIENTS.get(name.strip().casefold())
    if found is None:
        known = ", ".join(CLIENTS)
        raise NotPossible(f"unknown client `{name}`", hint=f"use one of {known}")
    return found


def has_server(data: bytes) -> bool | None:
    """Tell whether a client's file has the server already; `None` = it cannot be read as its own.

    Comments are allowed in some of these files, and what they hide is not guessed at.
    """
    try:
        document = json.loads(data)
    except ValueError:
        return None
    if not isinstance(document, dict):
        return None
    groups = [document.get(key) for key in ("mcpServers", "servers", "mcp")]
    groups += [each.get("servers") for each in groups if isinstance(each, dict)]
    return any(isinstance(each, dict) and NAME in each for each in groups)


def own_file(client: Client, home: Path, is_there: Callable[[Path], bool]) -> Path | None:
    """Return the user's own file of a client: one that is there, else where it would lie."""
    paths = [home / each for each in client.own]
    return next((each for each in paths if is_there(each)), paths[-1] if paths else None)


def plan_install(library: Library, intent: Intent, args: McpInstall) -> Change:
    """Plan to make the file by which a client starts the server in this project.

    Raises:
        NotPossible: The client has no such file, or one is there: it is not rewritten.
        Already: It has the server.
    """
    client, ground = client_named(args.client), library.ground
    if not client.project:
        raise NotPossible(
            f"{client.title} has no MCP servers per project",
            hint=f"`remem mcp install --client {client.id} --print` prints where they go",
        )
    path = ground.root / client.project
    if ground.disk.kind(path) is not None:
        if ground.disk.kind(path) == "file" and has_server(ground.disk.read(path)):
            raise Already(f"`{client.project}` already has the server")
        raise NotPossible(
            f"`{client.project}` exists and is not rewritten",
            hint=f"`remem mcp install --client {client.id} --print` prints what to add to it",
        )
    text = client.snippet(tuple(args.server))
    notes = (client.note,) if client.note else ()
    title = f"Add remem's server to {client.title}"
    return Change(intent, title, (Create(path, text.encode()),), notes=notes)
