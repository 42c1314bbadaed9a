"""The door for agents: tools over standard input and output, through the official SDK.

With `client_streams.py` it is all that knows the protocol. Every answer says that its text was
written by others; every error is an answer with a code, a sentence and a hint.
"""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import mcp_types as protocol
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from remem.base.errors import RememError
from remem.core.verbs.args import BadArgument
from remem.mcp.client_streams import Asked, Incoming, Outgoing
from remem.mcp.fitting_answers import as_text
from remem.mcp.tools import RULES, TOOLS, Tool

if TYPE_CHECKING:
    from remem.mcp.start_server import Opening

UNTRUSTED: Final = "untrusted"
"""The key that marks text of others, as every answer here is."""
_INTRODUCED: Final = "notifications/initialized"
_PAUSE: Final = 0.03
"""Seconds in which an answer is written."""
_BY_NAME: Final = {tool.name: tool for tool in TOOLS}


def answer_calls(opening: Opening) -> None:
    """Answer the tools' calls until the client goes away, and let go of everything then.

    Raises:
        BrokenPipeError: Nobody reads the answers any more.
    """
    # A thread waits for the next line and cannot be told to stop: `ctrl+c` would only end the
    # answers, and the third one would show a traceback. What is half written then is settled as
    # after any end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve, opening)
    except BaseExceptionGroup as group:
        if group.split(BrokenPipeError)[1] is not None:
            raise
        raise BrokenPipeError from None
    finally:
        opening.close()


async def _serve(opening: Opening) -> None:
    server = made(opening)
    async with stdio_server() as (incoming, outgoing):
        asked = Asked()
        told = Outgoing(outgoing, asked)
        options = server.create_initialization_options()
        await server.run(Incoming(incoming, told, asked), told, options)


def made(opening: Opening) -> Server[Any]:
    """Return the server with its tools."""

    async def list_tools(
        context: ServerRequestContext[Any], params: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        _begin_soon(opening)
        return protocol.ListToolsResult(tools=[_listed(tool) for tool in TOOLS])

    async def call_tool(
        context: ServerRequestContext[Any], params: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        about = context.session.client_params
        client = about.client_info.name if about is not None else ""
        # Reading code and waiting for a lock must not keep other calls waiting.
        call = partial(_answered, opening, params.name, params.arguments or {}, client)
        return await anyio.to_thread.run_sync(call)

    async def begin(
        context: ServerRequestContext[Any], params: protocol.NotificationParams | None
    ) -> None:
        _begin_soon(opening)

    server: Server[Any] = Server(
        "remem",
        version=version("remem"),
        title="remem",
        instructions=RULES,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.add_notification_handler(_INTRODUCED, protocol.NotificationParams, begin)
    return server


def _begin_soon(opening: Opening) -> None:
    """Load what calls need once the answer is on its way: it would wait for that, too."""
    asyncio.get_running_loop().call_later(_PAUSE, opening.begin)


def _listed(tool: Tool) -> protocol.Tool:
    return protocol.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        annotations=protocol.ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=False, open_world_hint=False
        ),
    )


def _answered(
    opening: Opening, name: str, values: dict[str, Any], client: str
) -> protocol.CallToolResult:
    try:
        from remem.mcp.calls import answer
        from remem.mcp.server_state import Call

        state = opening.state
        found = answer(Call(state, _tool(name).read(values), client))
    except RememError as error:
        return _failed(error.code, str(error), error.hint)
    except Exception as error:
        return _failed("internal", f"internal error: {type(error).__name__}", "report it")
    return _told({UNTRUSTED: True, **found})


def _tool(name: str) -> Tool:
    # Clients refuse all tools of a server for a dot in one name; older set-ups call them by it.
    name = name.replace(".", "_", 1) if name.startswith("memory.") else name
    if name not in _BY_NAME:
        known = ", ".join(f"`{each}`" for each in _BY_NAME)
        raise BadArgument(f"unknown tool `{name}`", hint=f"the tools are {known}")
    return _BY_NAME[name]


def _failed(code: str, message: str, hint: str) -> protocol.CallToolResult:
    words = {"code": code, "message": message, "hint": hint}
    return _told({UNTRUSTED: True, "error": words}, is_error=True)


def _told(document: dict[str, Any], *, is_error: bool = False) -> protocol.CallToolResult:
    """Return a document once, as text.

    The specification asks for structured content only where a tool declares the schema of its
    output, and who returns it "SHOULD also return the serialized JSON in a TextContent block"
    (2025-06-18 and later, server/tools): with text alone nothing is sent twice, and every client
    reads it.
    """
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=as_text(document))],
        is_error=is_error,
    )
