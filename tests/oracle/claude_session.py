"""A whole session of Claude Code, with a model that says what it was told to say.

It listens on loopback alone and speaks the stream of Anthropic's messages. What the client sent is
kept, request by request, so that a test sees what a hook or a server put into the conversation.
"""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_SECONDS: Final = 120
_PLUGIN: Final = Path(__file__).parents[2] / "plugin"

Block = Mapping[str, Any]
"""A part of an answer: a text, or the use of a tool."""


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def use(tool: str, **arguments: Any) -> Block:
    return {"type": "tool_use", "id": f"toolu_{tool}", "name": tool, "input": arguments}


@dataclass
class Model:
    """Answers each request of the conversation with the next of its turns, then with `done`."""

    turns: Sequence[Block]
    requests: list[Any] = field(default_factory=list)
    """The conversation's own; what a client asks beside it is answered with `done`."""

    def __post_init__(self) -> None:
        self._left = [*self.turns]
        self._lock = threading.Lock()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, body: Any) -> Block:
        with self._lock:
            if not body.get("tools"):
                return text("done")
            self.requests.append(body)
            return self._left.pop(0) if self._left else text("done")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _stream(block: Block) -> Iterator[bytes]:
    is_use = block["type"] == "tool_use"
    begun = {**block, "input": {}} if is_use else {"type": "text", "text": ""}
    given = json.dumps(block["input"]) if is_use else block["text"]
    kind, name = ("input_json_delta", "partial_json") if is_use else ("text_delta", "text")
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "none",
    }
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    reason = "tool_use" if is_use else "end_turn"
    for event in (
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": begun},
        {"type": "content_block_delta", "index": 0, "delta": {"type": kind, name: given}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": usage,
        },
        {"type": "message_stop"},
    ):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _handler(model: Model) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            is_asked = self.path.startswith("/v1/messages") and "count_tokens" not in self.path
            body = json.loads(raw) if is_asked else {}
            if not is_asked or not body.get("stream"):
                self._say(200, "application/json", b'{"input_tokens": 1}')
                return
            self._say(200, "text/event-stream", b"".join(_stream(model.answer(body))))

        def do_GET(self) -> None:
            self._say(404, "application/json", b"{}")

        def _say(self, code: int, kind: str, body: bytes) -> None:
            self.send_response(code)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    return Handler


@dataclass(frozen=True)
class Session:
    """What came of one."""

    requests: tuple[Any, ...]
    output: str

    def says(self, number: int) -> str:
        """Return all that the client sent with a request of the conversation."""
        return json.dumps(self.requests[number]["messages"], ensure_ascii=False)

    def tools(self, number: int) -> tuple[str, ...]:
        return tuple(each["name"] for each in self.requests[number]["tools"])


def session(
    program: Path, root: Path, home: Path, prompt: str, turns: Sequence[Block], *more: str
) -> Session:
    """Run Claude Code once in a project, with remem's plug-in and nothing else."""
    model = Model(turns)
    home.mkdir(exist_ok=True)
    path = [str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    try:
        done = subprocess.run(
            [str(program), "--plugin-dir", str(_PLUGIN), *more, "-p", prompt],
            cwd=root,
            env={
                "PATH": os.pathsep.join(path),
                "HOME": str(home),
                "TERM": "dumb",
                "ANTHROPIC_BASE_URL": model.address,
                "ANTHROPIC_API_KEY": "dummy",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_TELEMETRY": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "ENABLE_TOOL_SEARCH": "false",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    finally:
        model.close()
    return Session(tuple(model.requests), (done.stdout + done.stderr).decode())
