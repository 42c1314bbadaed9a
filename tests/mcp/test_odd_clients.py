"""Clients that send no message, take a question back, or go away: by lines, without an SDK."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

HELLO: Final = {
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "odd", "version": "1"},
    },
}
READY: Final = {"method": "notifications/initialized"}
PING: Final = {"id": 99, "method": "ping"}
"""Asked after what may get no answer, so that a test fails and does not wait for ever."""


class Lines:
    """A server and what is said to it, line by line."""

    def __init__(self, root: Path) -> None:
        where = ["--root", str(root), "--home", str(root / "home")]
        pipe = subprocess.PIPE
        self.server = subprocess.Popen(
            [sys.executable, "-m", "remem", "mcp", *where], stdin=pipe, stdout=pipe, stderr=pipe
        )
        self.say(HELLO)
        assert "serverInfo" in str(self.heard())
        self.say(READY)

    def say(self, message: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}))

    def write(self, line: str) -> None:
        assert self.server.stdin is not None
        self.server.stdin.write(line.encode() + b"\n")
        self.server.stdin.flush()

    def call(self, number: int, tool: str, **arguments: Any) -> None:
        params = {"name": tool, "arguments": arguments}
        self.say({"id": number, "method": "tools/call", "params": params})

    def heard(self) -> Any:
        assert self.server.stdout is not None
        return json.loads(self.server.stdout.readline())

    def hang_up(self) -> tuple[int, bytes]:
        """Close this end; return how the server ended and what it said about it."""
        assert self.server.stdin is not None
        assert self.server.stderr is not None
        self.server.stdin.close()
        return self.server.wait(20), self.server.stderr.read()


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[Lines]:
    lines = Lines(tmp_path)
    yield lines
    lines.server.kill()
    lines.server.wait()
    for pipe in (lines.server.stdin, lines.server.stdout, lines.server.stderr):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def test_half_a_character_in_an_argument_is_answered_and_not_waited_for(lines: Lines) -> None:
    lines.call(7, "memory_search", query="half an emoji \ud83d")
    lines.say(PING)

    answer = lines.heard()

    assert (answer["id"], answer["error"]["code"]) == (7, -32700)
    assert "hex escape" in answer["error"]["message"]
    assert lines.heard() == {"jsonrpc": "2.0", "id": 99, "result": {}}
    assert lines.hang_up() == (0, b"")


@pytest.mark.parametrize(
    ("line", "told", "code"),
    [
        ("not json", None, -32700),
        ('[{"jsonrpc": "2.0", "id": 4, "method": "ping"}]', None, -32600),
        ('{"jsonrpc": "2.0", "id": "a"}', "a", -32600),
        ('{"id": 5, "method": "ping"}', 5, -32600),
        ('{"id": true, "method": "ping"}', None, -32600),
    ],
)
def test_a_line_that_is_no_request_is_answered(
    lines: Lines, line: str, told: object, code: int
) -> None:
    lines.write(line)
    lines.say(PING)

    answer = lines.heard()

    assert (answer["id"], answer["error"]["code"]) == (told, code)


def test_an_empty_line_and_an_odd_notification_get_no_answer(lines: Lines) -> None:
    lines.write("")
    lines.write('{"method": "notifications/odd", "params": 5}')
    lines.say(PING)

    assert lines.heard()["id"] == 99


@pytest.mark.parametrize("taken_back", [3, "3"])
def test_a_server_does_not_wait_for_an_answer_that_was_taken_back(
    lines: Lines, taken_back: object
) -> None:
    lines.call(3, "memory_stats")
    lines.say({"method": "notifications/cancelled", "params": {"requestId": taken_back}})
    began = time.monotonic()

    assert lines.hang_up() == (0, b"")
    assert time.monotonic() - began < 15


def test_a_reader_that_is_gone_ends_the_server_without_a_word(lines: Lines) -> None:
    assert lines.server.stdout is not None
    lines.server.stdout.close()
    lines.call(3, "memory_stats")

    assert lines.hang_up() == (141, b"")


def test_an_interrupt_ends_a_server_that_waits_for_its_client(lines: Lines) -> None:
    os.kill(lines.server.pid, signal.SIGINT)

    assert lines.server.wait(20) == -signal.SIGINT
    assert lines.server.stderr is not None
    assert lines.server.stderr.read() == b""
