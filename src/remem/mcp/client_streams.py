"""What a client of the server says and is told, line by line, around the SDK.

It sees to what the SDK leaves undone: a client that closed its end gets what it asked for before,
and a line that cannot be read is answered.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

import anyio
import mcp_types as protocol
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

_CANCELLED: Final = "notifications/cancelled"
_SECONDS: Final = 30
"""That an answer may take for a client that is gone already."""


class Asked:
    """The requests that wait for their answers.

    Where a client closes its end, the SDK drops what it is still working on: whoever writes all
    that it wants to know into a pipe would get a part of it.
    """

    def __init__(self) -> None:
        self._open: dict[str, anyio.Event] = {}

    def heard(self, found: SessionMessage) -> None:
        message = found.message
        if isinstance(message, protocol.JSONRPCRequest):
            self._open[str(message.id)] = anyio.Event()
        elif isinstance(message, protocol.JSONRPCNotification) and message.method == _CANCELLED:
            # What a client took back is never answered.
            self._settle((message.params or {}).get("requestId"))

    def told(self, message: protocol.JSONRPCMessage) -> None:
        if isinstance(message, protocol.JSONRPCResponse | protocol.JSONRPCError):
            self._settle(message.id)

    async def answered(self) -> None:
        with anyio.move_on_after(_SECONDS):
            for event in [*self._open.values()]:
                await event.wait()

    def _settle(self, request_id: object) -> None:
        event = self._open.pop(str(request_id), None)
        if event is not None:
            event.set()


class Incoming:
    """What a client says; its end comes once it was answered."""

    def __init__(
        self, stream: ReadStream[SessionMessage | Exception], told: Outgoing, asked: Asked
    ) -> None:
        self._stream = stream
        self._told = told
        self._asked = asked

    async def receive(self) -> SessionMessage | Exception:
        try:
            found = await self._stream.receive()
        except anyio.EndOfStream:
            await self._asked.answered()
            raise
        if isinstance(found, SessionMessage):
            self._asked.heard(found)
            return found
        answer = _about_unreadable(found)
        if answer is not None:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self._told.send(SessionMessage(answer))
        return found

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Outgoing:
    """What a client is told."""

    def __init__(self, stream: WriteStream[SessionMessage], asked: Asked) -> None:
        self._stream = stream
        self._asked = asked

    async def send(self, item: SessionMessage, /) -> None:
        await self._stream.send(item)
        self._asked.told(item.message)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _about_unreadable(found: Exception) -> protocol.JSONRPCError | None:
    """Return the answer to a line that is no message, or nothing where none is awaited.

    The SDK drops such a line, and whoever sent it waits until it gives up. One half of an emoji in
    an argument, as models write it, is enough.
    """
    if not isinstance(found, ValidationError):
        return None
    first = found.errors(include_url=False, include_context=False)[0]
    is_json = first["type"] != "json_invalid"
    said = first["input"] if is_json else _lenient(first["input"])
    if said == "" or _awaits_nothing(said):
        return None
    about = {"code": protocol.PARSE_ERROR, "message": first["msg"]}
    if is_json:
        what = "a batch is not supported" if isinstance(said, list) else first["msg"]
        about = {"code": protocol.INVALID_REQUEST, "message": f"Invalid request: {what}"}
    return protocol.JSONRPCError(
        jsonrpc="2.0", id=_id_of(said), error=protocol.ErrorData.model_validate(about)
    )


def _lenient(line: Any) -> Any:
    """Return what a line says to a reader that takes halves of characters, else the line."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return str(line).strip()


def _awaits_nothing(said: Any) -> bool:
    return isinstance(said, dict) and "id" not in said and "method" in said


def _id_of(said: Any) -> str | int | None:
    found = said.get("id") if isinstance(said, dict) else None
    is_whole = isinstance(found, int) and not isinstance(found, bool)
    is_text = isinstance(found, str) and found.isprintable()
    return found if is_whole or is_text else None
