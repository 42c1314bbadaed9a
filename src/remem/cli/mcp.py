"""The command `mcp`: opens the door for agents on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

import click

from remem.base.errors import NotPossible
from remem.cli.invocation import Invocation, common_options, pass_invocation


@click.command("mcp")
@common_options
@pass_invocation
def mcp(invocation: Invocation) -> None:
    """Serve memory tools to agents over MCP (stdio).

    For Claude Code: `claude mcp add remem -- remem mcp`.
    """
    if find_spec("mcp") is None:
        raise NotPossible(
            "the MCP server needs the official SDK",
            hint="install it with `pip install 'remem[mcp]'`",
        )
    from remem.mcp.start import serve

    serve(invocation.root, invocation.places)
