"""The group `mcp`: the door for agents, how clients get to it, and whether it opens.

Another program's own command puts the server into it where it has one; a project's file that is
missing is made by a change, and whatever is there already is left as it is.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from remem.base.errors import Already, NotPossible, RememError
from remem.base.text import count
from remem.cli.apply_or_dry_run import carry_out, dry_run_option
from remem.cli.failure import BAD_USAGE
from remem.cli.garbage_collection import sweep_as_usual
from remem.cli.invocation import Invocation
from remem.cli.options import pass_invocation, root_options
from remem.cli.out import emit, print_exact, say, show_field
from remem.model.change import Intent
from remem.store.io import Disk
from remem.systems.own.own_verbs import MCP_INSTALL, McpInstall
from remem.views.documents.mcp import DoctorReport, FindingOfDoctor, InstallReport

_FAILED: Final = 1
"""How `doctor` ends when something is wrong."""
_SECONDS: Final = 60.0
"""That another program, or the server's first answer, may take."""


@click.group(
    "mcp", invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@root_options
@pass_invocation
@click.pass_context
def mcp(context: click.Context, invocation: Invocation) -> None:
    """Serve memory tools to agents over MCP (stdio).

    `remem mcp install --client claude` puts it into a client, `remem mcp doctor` tries it.
    """
    if context.invoked_subcommand is not None:
        return
    if find_spec("mcp") is None:
        raise NotPossible("the MCP server needs the official SDK", hint=_NEEDS_SDK)
    from remem.mcp.start_server import serve

    sweep_as_usual()
    serve(invocation.root, invocation.places)


_NEEDS_SDK: Final = "install it with `pip install 'remem[mcp]'`"


def _client_names(_: click.Context, __: click.Parameter, start: str) -> list[str]:
    from remem.systems.own.mcp_clients import CLIENTS

    return [name for name in CLIENTS if name.startswith(start)]


@mcp.command("install")
@click.option(
    "--client",
    required=True,
    metavar="NAME",
    shell_complete=_client_names,
    help="`claude`, `codex`, `gemini`, `cursor`, `vscode`, `claude-desktop`, `devin`, `opencode`.",
)
@click.option(
    "--scope",
    default="",
    metavar="SCOPE",
    help="`project`, `user` or `local`, as the client has it.",
)
@click.option(
    "--print",
    "only_print",
    is_flag=True,
    help="Print the entry and the file it belongs in; write nothing.",
)
@dry_run_option
@root_options
@pass_invocation
def install(
    invocation: Invocation, client: str, scope: str, only_print: bool, dry_run: bool
) -> None:
    """Put the server into a client.

    By the client's own command where it has one. Else a project's file that is missing is made, and
    `remem undo` takes it out again; a file that is there stays as it is, and what belongs into it
    is printed.
    """
    from remem.systems.own.mcp_clients import client_named, has_server

    if find_spec("mcp") is None:
        say(f"warning: the server cannot start without the official SDK: {_NEEDS_SDK}")
    known = client_named(client)
    wanted = scope or known.scopes[0]
    if wanted not in known.scopes:
        raise NotPossible(
            f"{known.title} has no scope `{wanted}`", hint=f"use {' or '.join(known.scopes)}"
        )
    server = _server(invocation, in_project=known.starts_in_project)
    program = shutil.which(known.program) if known.program else None
    if program is not None and not only_print:
        _by_command(invocation, [program, *known.adds(server, wanted)], known.id, dry_run=dry_run)
        tell = [f"`{known.removes}` removes it"] if known.removes else []
        _say_notes([*tell, known.note])
        return
    path = invocation.root / known.project if known.project else None
    disk = Disk()
    kind = disk.kind(path) if path is not None else None
    is_missing = path is not None and kind is None
    if is_missing and wanted == "project" and not only_print:
        arguments = McpInstall(client=known.id, server=tuple(server)).to_json()
        carry_out(invocation, Intent(MCP_INSTALL.id, arguments=arguments), dry_run=dry_run)
        return
    has = path is not None and kind == "file" and has_server(disk.read(path))
    if has and wanted == "project" and not only_print:
        raise Already(f"`{known.project}` already has the server")
    _print(invocation, known.id, server, wanted)
    if known.program and not only_print:
        if invocation.as_json:  # what it would have to write is the answer; a second one is none
            click.get_current_context().exit(BAD_USAGE)
        can_make = "project" in known.scopes and is_missing
        raise NotPossible(
            f"nothing was written: `{known.program}`, which would add this, is not here",
            hint="`--scope project` makes the project's file" if can_make else "add it yourself",
        )


def _by_command(invocation: Invocation, command: list[str], client: str, *, dry_run: bool) -> None:
    """Let the client's own program write its own file."""
    from remem.core.agent.runner import AgentFailed, ask

    shown = click.get_current_context().params
    if dry_run:
        say(f"would run: {_quoted(command)}; nothing was written")
        return
    try:
        answer = ask(command, "", folder=invocation.root, timeout=_SECONDS).text
    except AgentFailed as failed:
        if failed.why != "empty":
            raise NotPossible(
                f"`{Path(command[0]).name}` failed: {failed}; {failed.hint}",
                hint=f"`remem mcp install --client {shown['client']} --print` has what to write",
            ) from failed
        answer = ""
    if invocation.as_json:
        emit(
            InstallReport(
                client=client, how="command", command=tuple(command), path=None, text=None
            )
        )
        return
    say(answer.strip() or f"added the server to `{Path(command[0]).name}`")


def _print(invocation: Invocation, client: str, server: list[str], scope: str) -> None:
    from remem.systems.own.mcp_clients import client_named, own_file

    known = client_named(client)
    home = invocation.places.home
    disk = Disk()
    own = own_file(known, home, lambda path: disk.kind(path) is not None)
    is_project = scope == "project" and known.project
    path = invocation.root / known.project if is_project else own
    text = known.snippet(server)
    if invocation.as_json:
        where = str(path) if path is not None else None
        emit(
            InstallReport(client=client, how="print", command=tuple(server), path=where, text=text)
        )
        return
    if path is not None:
        is_there = disk.kind(path) is not None
        there = (
            "exists and was not changed; add this to it:"
            if is_there
            else "is new; write this into it:"
        )
        say(f"`{path}` {there}")
    print_exact(text)
    _say_notes([known.note])


def _say_notes(notes: list[str]) -> None:
    for each in filter(None, notes):
        say(f"note: {each}")


def _server(invocation: Invocation, *, in_project: bool) -> list[str]:
    """Return the command that starts this server from anywhere, by absolute paths.

    A client that has no project of its own is told which one is meant.
    """
    own = Path(sys.argv[0])
    named = own if own.name.startswith("remem") and os.access(own, os.X_OK) else None
    found = named or (Path(each) if (each := shutil.which("remem")) else None)
    program = [str(found.absolute())] if found else [sys.executable, "-m", "remem"]
    root = [] if in_project else ["--root", str(invocation.root)]
    home = ["--home", invocation.home_given] if invocation.home_given else []
    return [*program, "mcp", *root, *home]


def _quoted(command: list[str]) -> str:
    from shlex import join

    return f"`{join(command)}`"


@mcp.command("doctor")
@root_options
@pass_invocation
def doctor(invocation: Invocation) -> int:
    """Start the server as a client would, and say what is wrong.

    It ends with 1 when something is.
    """
    found = [*_looked_at(invocation)]
    is_bad = any(not each.ok for each in found)
    if invocation.as_json:
        emit(DoctorReport(ok=not is_bad, checks=tuple(found)))
        return _FAILED if is_bad else 0
    for each in found:
        show_field(each.name, each.detail if each.ok else f"✗ {each.detail}")
        if each.hint:
            say(f"hint: {each.hint}")
    return _FAILED if is_bad else 0


def _looked_at(invocation: Invocation) -> list[FindingOfDoctor]:
    from remem.systems.own.mcp_clients import CLIENTS, has_server

    disk = Disk()
    command = _server(invocation, in_project=False)
    checks = [_check("command", " ".join(command))]
    if find_spec("mcp") is None:
        return [*checks, _check("SDK", "the official SDK is not installed", _NEEDS_SDK)]
    checks += [*_answers(command, invocation.root), _memory(invocation)]
    for client in CLIENTS.values():
        path = invocation.root / client.project if client.project else None
        if path is None or disk.kind(path) != "file":
            continue
        data = disk.read(path)
        has = has_server(data)
        said = {
            True: "has the server",
            False: "does not list the server",
            None: "cannot be read as JSON",
        }
        checks.append(_check(client.title, f"`{client.project}` {said[has]}"))
        if has:
            checks += _startable(client.title, data)
    return checks


def _startable(title: str, data: bytes) -> list[FindingOfDoctor]:
    """Say that a client's file names a program that is not there."""
    document = json.loads(data)
    groups = (document.get(key) for key in ("mcpServers", "servers"))
    servers = (each["remem"] for each in groups if isinstance(each, dict) and "remem" in each)
    for each in servers:
        program = each.get("command") if isinstance(each, dict) else None
        if isinstance(program, str) and shutil.which(program) is None:
            hint = "`remem mcp install --print --client NAME` prints its absolute path"
            return [_check(title, f"cannot find the program `{program}`", hint)]
    return []


def _answers(command: list[str], root: Path) -> list[FindingOfDoctor]:
    """Speak with the server as a client would: who are you, and which tools have you?"""
    from remem.core.agent.runner import AgentFailed, ask

    who = {"name": "remem doctor", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
    said: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    asked = "".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in said)
    try:
        answer = ask(command, asked, folder=root, timeout=_SECONDS)
    except AgentFailed as failed:
        return [_check("start", str(failed), "run the command by hand to see its output")]
    told: dict[int, Any] = {}
    for line in answer.text.splitlines():
        try:
            message = json.loads(line)
        except ValueError:
            return [
                _check(
                    "start",
                    f"prints something other than MCP messages: {line[:60]}",
                    "please report this",
                )
            ]
        if isinstance(message, dict) and isinstance(message.get("id"), int):
            told[message["id"]] = message.get("result")
    if not isinstance(told.get(1), dict):
        return [_check("start", "does not answer `initialize`", "please report this")]
    checks = [_check("start", f"answers after {answer.seconds:.1f} s")]
    tools = (told.get(2) or {}).get("tools") or []
    checks.append(_check("tools", f"{len(tools)} tools", "" if tools else "please report this"))
    return checks


def _memory(invocation: Invocation) -> FindingOfDoctor:
    """Say whether the database answers, and for which repository."""
    from remem.cli.agents.memory_look import service_of

    service = service_of(invocation)
    try:
        active = service.stats(service.repository).active
    except RememError as error:
        return _check("memory", str(error), error.hint or "see `remem status`")
    return _check("memory", f"{count(active, 'active fact')} of `{service.repository}`")


def _check(name: str, detail: str, hint: str = "") -> FindingOfDoctor:
    return FindingOfDoctor(name=name, ok=not hint, detail=detail, hint=hint)
