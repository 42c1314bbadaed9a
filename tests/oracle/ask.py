"""Runs the tools on the fixtures, holds remem against them, and keeps what they loaded.

    python -m tests.oracle.ask install FOLDER
    python -m tests.oracle.ask compare FOLDER [--tool ID] [--fixture NAME] [--write]
    python -m tests.oracle.ask compare FOLDER --repository CHECKOUT [--tool ID]

`FOLDER` is where the tools are installed, outside the repository. Each runs without the network
where the machine can take it away, with an empty environment, a home of its own, a dummy key and a
model that is none. `compare` ends with 1 where remem says anything else than a tool did; `--write`
keeps what the tools did in `results.jsonl`. With `--repository` the files that a checkout tracks
are the fixture, each with a word of its own; nothing of them is kept.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.oracle import answers, results
from tests.oracle.fixtures import FIXTURES, Built, Fixture, build
from tests.oracle.repositories import repository_fixture
from tests.oracle.results import Result
from tests.oracle.tools import (
    CLAUDE,
    TOOLS,
    NoRequest,
    Tool,
    first_request,
    lists_of,
    runtime_folder,
    texts,
)

_ALONE: Final = "ORACLE_IS_ALONE"
_SET_FLAGS: Final = 0x8914
_UP: Final = 0x49


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("install", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tool", action="append", help="Only this one; repeatable.")
    parser.add_argument("--fixture", action="append", help="Only this one; repeatable.")
    parser.add_argument(
        "--repository", action="append", type=Path, help="A checkout in place of the fixtures."
    )
    parser.add_argument("--write", action="store_true", help="Keep what the tools did.")
    asked = parser.parse_args(arguments)
    tools = [tool for tool in TOOLS if not asked.tool or tool.id in asked.tool]
    if asked.what == "install":
        return _install(asked.folder, tools)
    _without_network()
    programs = asked.folder / "node_modules" / ".bin"
    if asked.repository:
        checkouts = [repository_fixture(each.absolute()) for each in asked.repository]
        return _compare(programs, tools, checkouts, writes=False)
    fixtures = [f for f in FIXTURES if not asked.fixture or f.name in asked.fixture]
    return _compare(programs, tools, fixtures, asked.write)


def _install(folder: Path, tools: Sequence[Tool]) -> int:
    from_npm = [tool for tool in tools if not tool.is_python]
    code = _npm(folder, [f"{tool.package}@{tool.version}" for tool in from_npm]) if from_npm else 0
    runtimes = sorted({tool.runs_on for tool in tools if tool.runs_on})
    code = code or (_npm(runtime_folder(folder), runtimes) if runtimes else 0)
    return code or max((_pip(folder, tool) for tool in tools if tool.is_python), default=0)


def _pip(folder: Path, tool: Tool) -> int:
    """Install a tool where it finds its own libraries alone, and its program beside the others."""
    bin_ = folder / "python" / tool.id / "bin"
    made = subprocess.run((sys.executable, "-m", "venv", str(bin_.parent)), check=False)
    command = (str(bin_ / "pip"), "install", "-q", f"{tool.package}=={tool.version}")
    code = made.returncode or subprocess.run(command, check=False).returncode
    program = folder / "node_modules" / ".bin" / tool.program
    program.parent.mkdir(parents=True, exist_ok=True)
    program.unlink(missing_ok=True)
    program.symlink_to(bin_ / tool.program)
    return code


def _npm(folder: Path, names: Sequence[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    command = ("npm", "install", "--no-audit", "--no-fund", "--save-exact", *names)
    return subprocess.run(command, cwd=folder, check=False).returncode


def _without_network() -> None:
    """Go on in a network of one's own, which has nothing but loopback, where that can be had."""
    if os.environ.get(_ALONE):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14s", b"lo", _UP, b""))
        return
    alone = ("unshare", "-rn")
    can = shutil.which("unshare") and subprocess.run((*alone, "true"), check=False).returncode == 0
    if not can:
        _say("unshare gives no network of its own here: the tools have that of the machine")
        return
    command = (*alone, sys.executable, "-m", "tests.oracle.ask", *sys.argv[1:])
    os.execvpe("unshare", command, {**os.environ, _ALONE: "1"})


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def _compare(
    programs: Path, tools: Sequence[Tool], fixtures: Sequence[Fixture], writes: bool
) -> int:
    differing = 0
    for tool in tools:
        if not (programs / tool.program).exists():
            _say(f"{tool.title} is not installed in {programs}")
            differing += 1
            continue
        found = []
        for fixture in (each for each in fixtures if tool.is_asked(each)):
            with tempfile.TemporaryDirectory(prefix="oracle", ignore_cleanup_errors=True) as place:
                try:
                    result, lines = _one(programs, tool, fixture, Path(place))
                except NoRequest as error:
                    lines, result = [f"{tool.id} {fixture.name}: it sent nothing: {error}"], None
            if result is not None:
                found.append(result)
            differing += bool(lines)
            _say(*lines)
        _say(f"{tool.title} {tool.version}: {len(found)} fixtures")
        if writes:
            results.keep(found)
    _say(f"{differing} differ")
    return 1 if differing else 0


def _sent(programs: Path, tool: Tool, built: Built) -> str:
    """Return all texts that a tool sends first; nothing where a fixture keeps it from starting."""
    try:
        return "\n".join(texts(first_request(tool, built, programs)))
    except NoRequest:
        if built.fixture.stops:
            return ""
        raise


def _one(programs: Path, tool: Tool, fixture: Fixture, place: Path) -> tuple[Result, list[str]]:
    """Return what a tool did with a fixture, and how remem's answer differs from it."""
    built = build(fixture, place)
    said = built.said_in(_sent(programs, tool, built)).as_listed_by(tool.id)
    context, hook = lists_of(built, programs) if tool is CLAUDE else (None, None)
    today = datetime.now(UTC).date().isoformat()
    result = Result(fixture.name, tool.id, tool.version, today, said, context, hook)
    says = answers.ask(built, tool.title).said.as_listed_by(tool.id)
    lines = [
        f"{tool.id} {fixture.name} {kind}:\n    it    {', '.join(did)}\n    remem {', '.join(told)}"
        for kind, did in asdict(said).items()
        if did != (told := getattr(says, kind))
    ]
    if fixture in FIXTURES:
        # A command without a description is listed by its first line, with a repository's word.
        lines += [f"{tool.id} {fixture.name}: {each}" for each in results.own_lists_differ(result)]
    return result, lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
