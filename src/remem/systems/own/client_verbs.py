"""The verb that puts remem's server into a program that starts servers."""

from __future__ import annotations

from typing import Final

from remem.core.library import Library
from remem.core.verbs.args import Args, other_doors
from remem.core.verbs.verb import Writing
from remem.model.change import Change, Intent


class McpInstall(Args):
    """Add remem's server to a client in this project."""

    client: str = other_doors("`claude`, `cursor`, `vscode`, …")
    server: tuple[str, ...] = other_doors(
        "The command that starts the server", default=("remem", "mcp")
    )


def _plan_install(library: Library, intent: Intent, args: McpInstall) -> Change:
    from remem.systems.own.mcp_clients import plan_install

    return plan_install(library, intent, args)


MCP_INSTALL: Final = Writing(
    id="mcp.install",
    title="Add remem's server to a client",
    help="Create the project's file that tells a client to start remem's server.",
    group="Keep",
    args=McpInstall,
    plan=_plan_install,
    shows="always",
    follows="never",
)

VERBS: Final = (MCP_INSTALL,)
