"""A forge on this machine that speaks the contents API, and stumbles where it is told to."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT = "c0ffee" + "0" * 34
BIG = 1 << 20
"""Bytes from which a file does not come as JSON."""
PER_PAGE = 2


@dataclass
class Forge:
    """What the forge holds, and what it was asked."""

    files: dict[str, bytes | dict[str, Any] | list[Any]] = field(default_factory=dict)
    """Path → bytes, or what it says of a link, a submodule, a folder."""
    past: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Commit → its files."""
    renames: list[tuple[str, str]] = field(default_factory=list)
    is_truncated: bool = False
    """It tells of no tree as a whole."""
    refuses: tuple[str, ...] = ()
    """Parts of addresses that it never answers."""
    stumbles: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """Status and headers that the next requests get instead of an answer."""
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    api: str = ""

    def answer(self, target: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        url = urlsplit(target)
        parts = unquote(url.path).split("/")
        if self.stumbles:
            status, headers = self.stumbles.pop(0)
            return status, headers, b'{"message": "not now"}'
        if any(part in parts for part in self.refuses):
            return 403, {}, b'{"message": "Forbidden"}'
        if parts[1:4] == ["repos", "ada", "moved"]:
            return 301, {"Location": target.replace("/ada/moved/", "/ada/shop/")}, b""
        if parts[1:4] == ["repos", "ada", "strange"]:
            return 301, {"Location": "http://192.0.2.1/repos/ada/shop/commits/HEAD"}, b""
        if parts[1:4] != ["repos", "ada", "shop"]:
            return 404, {}, b'{"message": "Not Found"}'
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        match parts[4]:
            case "commits" if parts[5] in {"HEAD", "main", COMMIT}:
                return 200, {}, json.dumps({"sha": COMMIT}).encode()
            case "contents":
                return self._contents("/".join(parts[5:]), query["ref"], accept)
            case "git" if parts[5] == "trees":
                return self._tree(parts[6])
            case "compare":
                return self._compare(int(query.get("page", "1")), url.path)
            case _:
                return 422, {}, b'{"message": "No commit found"}'

    def _contents(self, path: str, ref: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        held = self.files.get(path) if ref == COMMIT else self.past.get(ref, {}).get(path)
        if held is None:
            return 404, {}, b'{"message": "Not Found"}'
        if not isinstance(held, bytes):
            return 200, {}, json.dumps(held).encode()
        if "raw" in accept:
            return 200, {}, held
        said: dict[str, Any] = {
            "type": "file",
            "size": len(held),
            "encoding": "none",
            "content": "",
        }
        if len(held) < BIG:
            text = b64encode(held).decode()
            lines = "\n".join(text[at : at + 60] for at in range(0, len(text), 60))
            said |= {"encoding": "base64", "content": f"{lines}\n"}
        return 200, {}, json.dumps(said).encode()

    def _tree(self, commit: str) -> tuple[int, dict[str, str], bytes]:
        held = self.files if commit == COMMIT else self.past.get(commit)
        if held is None:
            return 404, {}, b'{"message": "Not Found"}'
        leaves = [
            {
                "path": path,
                "type": "blob",
                "mode": "100644",
                "sha": sha1(data).hexdigest(),
                "size": len(data),
            }
            for path, data in held.items()
            if isinstance(data, bytes)
        ]
        told = {"tree": leaves, "truncated": self.is_truncated}
        return 200, {}, json.dumps(told).encode()

    def _compare(self, page: int, path: str) -> tuple[int, dict[str, str], bytes]:
        first = (page - 1) * PER_PAGE
        files = [
            {"status": "renamed", "previous_filename": old, "filename": new}
            for old, new in self.renames[first : first + PER_PAGE]
        ]
        more = first + PER_PAGE < len(self.renames)
        following = f'<{self.api}{path}?page={page + 1}>; rel="next"' if more else ""
        return 200, {"Link": following} if more else {}, json.dumps({"files": files}).encode()


@contextmanager
def running(forge: Forge) -> Iterator[Forge]:
    """Serve a forge until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            forge.asked.append(self.path)
            forge.tokens.add(self.headers.get("Authorization", ""))
            status, headers, body = forge.answer(self.path, self.headers.get("Accept", ""))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base has it
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    forge.api = f"http://127.0.0.1:{server.server_port}"
    try:
        yield forge
    finally:
        server.shutdown()
        server.server_close()
