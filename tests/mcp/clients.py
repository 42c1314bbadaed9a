"""The official client against `remem mcp` in a process of its own, as agents use it."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.client.stdio import stdio_client

from mcp import ClientSession, StdioServerParameters


@dataclass(frozen=True)
class Agent:
    """One client of one server."""

    session: ClientSession

    async def asks(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that has to work; return its answer."""
        found = await self.session.call_tool(tool, arguments)
        assert not found.is_error, found.content
        return self._document(found)

    async def fails(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that has to refuse; return its error."""
        found = await self.session.call_tool(tool, arguments)
        assert found.is_error, found.content
        return self._document(found)["error"]

    def _document(self, found: Any) -> Any:
        # Once, as text: every client reads that.
        assert found.structured_content is None
        document = json.loads(found.content[0].text)
        assert document["untrusted"] is True
        return document


@asynccontextmanager
async def agent(root: Path, home: Path) -> AsyncIterator[Agent]:
    """Start a server at a root and connect to it."""
    where = ["--root", str(root), "--home", str(home)]
    server = StdioServerParameters(command=sys.executable, args=["-m", "remem", "mcp", *where])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield Agent(session)
