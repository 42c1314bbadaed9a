"""A model that is none: keeps what it is sent, and answers that it cannot.

It listens on loopback alone. The tools give up, or are ended once their first request is here.
"""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable
from typing import Any, Final

_REFUSAL: Final = b'{"type":"error","error":{"type":"invalid_request_error","message":"a stub"}}'


class Stub:
    """Serves until it is closed; `wanted` says which of the requests is the one to keep."""

    def __init__(self, wanted: Callable[[str, Any], bool]) -> None:
        self.wanted = wanted
        self.seen: list[str] = []
        """Path and length of everything that was asked, for a person who looks why."""
        self.body: Any = None
        self.arrived = threading.Event()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def take(self, path: str, raw: bytes) -> None:
        self.seen.append(f"{path} {len(raw)} {raw[:8]!r}")
        try:
            body = json.loads(raw)
        except ValueError:
            return
        if not self.arrived.is_set() and self.wanted(path, body):
            self.body = body
            self.arrived.set()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(stub: Stub) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            stub.take(self.path, self.rfile.read(int(self.headers.get("content-length", 0))))
            self._say(400, _REFUSAL)

        def do_GET(self) -> None:
            stub.seen.append(f"GET {self.path}")
            self._say(404, b"{}")

        def _say(self, code: int, body: bytes) -> None:
            self.send_response(code)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    return Handler
