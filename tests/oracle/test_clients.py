"""remem's server in the clients themselves, from npm; run on request, as `test_oracle.py` is."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.stub import Stub

from remem.mcp.tools import TOOLS

pytestmark = pytest.mark.oracle
SECONDS = 120
QUIET = {
    "TERM": "dumb",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "GEMINI_TELEMETRY_ENABLED": "false",
    "GEMINI_CLI_TRUST_WORKSPACE": "true",
    "OPENAI_API_KEY": "dummy",
}
LISTED = {
    "claude": (("mcp", "list"), "✔ Connected"),
    "gemini": (("mcp", "list"), "- Connected"),
    "opencode": (("mcp", "list"), "connected"),
    "codex": (("mcp", "list", "--json"), '"enabled": true'),
}


class Place:
    """A project and a home of its own, with remem's server put into one client."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.root, self.home = folder / "pier", folder / "home"
        self.root.mkdir()
        self.home.mkdir()
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        (self.root / "berths.py").write_text("LIMIT = 4\n")
        path = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
        self.environment = {**QUIET, "HOME": str(self.home), "PATH": os.pathsep.join(path)}

    def runs(self, *command: str, must: bool = True) -> str:
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=SECONDS,
        )
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == 0 or not must, said
        return said


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    folder = request.config.getoption("oracle")
    if not folder:
        pytest.skip("`--oracle FOLDER` names no installed tools")
    return Place(Path(folder).absolute() / "node_modules" / ".bin", tmp_path)


@pytest.mark.parametrize("client", LISTED)
def test_the_server_that_was_put_into_a_client_is_on_its_list(place: Place, client: str) -> None:
    command, connected = LISTED[client]
    place.runs("remem", "mcp", "install", "--client", client, "--root", str(place.root))

    said = place.runs(client, *command)

    assert "remem" in said
    assert connected in said


def test_codex_starts_the_server_and_offers_its_tools(place: Place) -> None:
    place.runs("remem", "mcp", "install", "--client", "codex", "--root", str(place.root))
    stub = Stub(lambda path, _: path.endswith("/responses"))
    provider = f'{{name="stub",base_url="{stub.address}/v1",wire_api="responses"}}'
    told = ["-c", f"model_providers.stub={provider}", "-c", 'model_provider="stub"']
    # It begins without servers that are slower than it is; its newest models call tools in code.
    told += ["-c", "mcp_servers.remem.required=true", "-m", "another-model"]
    try:
        place.runs("codex", "exec", "--skip-git-repo-check", *told, "hi", must=False)
    finally:
        stub.close()

    assert {tool.name for tool in TOOLS} <= set(names_in(stub.body["tools"]))


def names_in(tools: list[Any]) -> list[str]:
    """Return the names of tools, those in groups too, without what a client puts before them."""
    inside = [each for tool in tools for each in names_in(tool.get("tools", []))]
    return [*inside, *(str(tool.get("name", "")).split("__")[-1] for tool in tools)]
