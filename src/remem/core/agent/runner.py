"""Asks a language model through the command that the user configured: prompt in, answer out.

The command is run as it is written, never by a shell, in a session of its own and with a limit on
time and on what it may print. Whatever happens, its whole process group is gone afterwards. What
it answers is untrusted text; what to make of it is the caller's business.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final, Literal, TypeAlias

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.core.checks.secrets import redacted

MAX_ANSWER: Final = 1 << 20
"""Bytes of an answer; a file of that size is the biggest that is read whole."""
_TICK: Final = 0.05
"""Seconds between two looks at whether to stop."""
_GRACE: Final = 0.5
"""Seconds that a program has to end when it is asked to, and its last bytes to arrive."""
_PIECE: Final = 1 << 16
_KEPT: Final = 2_000
"""Bytes of what it says on stderr: the last ones say what went wrong."""

Why: TypeAlias = Literal[
    "no-command",
    "cannot-start",
    "time",
    "exit",
    "empty",
    "too-big",
    "encoding",
    "unusable",
    "cancelled",
]
_WORTH_ANOTHER_TRY: Final = frozenset({"exit", "empty", "encoding"})
"""A program that hangs or floods does so again, and each try costs the person's time."""


class AgentFailed(RememError):
    """The agent command gave no answer that can be used; nothing was written."""

    code = "agent-failed"
    exit_code = 4

    def __init__(self, message: str, why: Why, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.why = why


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running command is."""

    seconds: float
    """Since this try began."""
    received: int
    """Bytes of the answer so far."""
    attempt: int
    """From 1."""
    part: int = 1
    """Of a long question, which part is asked; from 1."""
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What the command printed."""

    text: str
    seconds: float
    attempts: int


def ask(
    command: Sequence[str],
    prompt: str,
    *,
    folder: Path,
    timeout: float,
    retries: int = 0,
    max_bytes: int = MAX_ANSWER,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] = lambda: False,
) -> Answer:
    """Run the command with the prompt on its stdin and return what it prints.

    Args:
        command: The program and its arguments.
        prompt: Any text; it is sent as UTF-8.
        folder: Where it runs. Not the root: a relative path in `command` must not name a file of
            a cloned repository, and agents obey what they find in the folder they start in.
        timeout: Seconds for each try.
        retries: How often a try that failed, or answered nothing, is made again.
        max_bytes: An answer that is longer is none.
        on_progress: Called some twenty times a second.
        cancel: Asked as often; true ends the command.

    Raises:
        AgentFailed: There is no answer; its `why` says of which kind of reason.
    """
    if not command:
        raise AgentFailed(
            "no agent command is configured",
            "no-command",
            hint="set one: `remem config set agent.command '[PROGRAM, ARGUMENT]'`",
        )
    for attempt in range(1, retries + 2):
        run = _Run(command, max_bytes, timeout, attempt, on_progress, cancel)
        try:
            data, seconds = run.through(prompt, folder)
            return Answer(_text(command, data), seconds, attempt)
        except AgentFailed as failed:
            if failed.why not in _WORTH_ANOTHER_TRY or attempt > retries:
                raise
    raise AssertionError("the last try returns or raises")


class _Run:
    """One try."""

    def __init__(
        self,
        command: Sequence[str],
        max_bytes: int,
        timeout: float,
        attempt: int,
        on_progress: Callable[[Progress], None] | None,
        cancel: Callable[[], bool],
    ) -> None:
        self._command = command
        self._max_bytes = max_bytes
        self._timeout = timeout
        self._attempt = attempt
        self._on_progress = on_progress
        self._cancel = cancel
        self._answer = bytearray()
        self._said = bytearray()
        self._began = monotonic()

    def through(self, prompt: str, folder: Path) -> tuple[bytes, float]:
        """Run the command to its end and return what it printed, with the seconds it took."""
        rest = memoryview(prompt.encode("utf-8", "replace"))
        with _started(self._command, folder) as process, _listening(process) as listening:
            while process.poll() is None:
                self._look_whether_to_stop()
                rest = self._serve(listening, rest, _TICK)
            # What it left behind writes no answer any more, but may keep the pipe open.
            _signal(process, signal.SIGKILL)
            end = monotonic() + _GRACE
            while listening.open and monotonic() < end:
                self._serve(listening, memoryview(b""), _TICK)
        if process.returncode:
            raise self._failed(process.returncode)
        return bytes(self._answer), monotonic() - self._began

    def _serve(self, listening: _Listening, rest: memoryview, wait: float) -> memoryview:
        """Move what can be moved without waiting longer; return what is left of the prompt."""
        for stream in listening.ready(wait):
            if stream is listening.stdin:
                rest = rest[_sent(stream, rest) :]
                if not rest:
                    listening.close(stream)
                continue
            piece = stream.read(_PIECE)
            if not piece:
                listening.close(stream)
            elif stream is listening.stdout:
                self._take(piece)
            else:
                self._said = (self._said + piece)[-_KEPT:]
        return rest

    def _take(self, piece: bytes) -> None:
        self._answer += piece
        if len(self._answer) > self._max_bytes:
            raise AgentFailed(
                f"{self._name} printed more than {self._max_bytes:,} bytes and was stopped",
                "too-big",
                hint="make it print only the answer",
            )

    def _look_whether_to_stop(self) -> None:
        seconds = monotonic() - self._began
        if self._cancel():
            raise AgentFailed(f"{self._name} was cancelled", "cancelled")
        if seconds > self._timeout:
            raise AgentFailed(
                f"{self._name} did not answer within {self._timeout:g} s and was stopped",
                "time",
                hint="allow more time: `remem config set agent.timeout SECONDS`",
            )
        if self._on_progress is not None:
            self._on_progress(Progress(seconds, len(self._answer), self._attempt))

    def _failed(self, code: int) -> AgentFailed:
        ended = f"exited with code {code}" if code > 0 else f"was killed by signal {-code}"
        said = redacted(self._said.decode("utf-8", "replace")).strip()
        last = said.splitlines()[-3:]
        told = f"its output: {' / '.join(line.strip() for line in last)[-500:]}" if last else ""
        hint = told or "run it by hand: `--prompt-only` prints its input"
        return AgentFailed(f"{self._name} {ended}", "exit", hint=hint)

    @property
    def _name(self) -> str:
        return f"`{self._command[0]}`"


class _Listening:
    """The pipes of a running command that are still of use."""

    def __init__(self, process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self._selector = selector
        for stream in (self.stdin, self.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
        selector.register(self.stdin, selectors.EVENT_WRITE)
        selector.register(self.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)

    @property
    def open(self) -> bool:
        """True while more of the answer can come."""
        return not self.stdout.closed

    def ready(self, wait: float) -> Iterator[IO[bytes]]:
        for key, _ in self._selector.select(wait):
            stream = key.fileobj
            assert not isinstance(stream, int)
            yield stream  # type: ignore[misc]

    def close(self, stream: IO[bytes]) -> None:
        self._selector.unregister(stream)
        with suppress(BrokenPipeError):
            stream.close()


@contextmanager
def _listening(process: subprocess.Popen[bytes]) -> Iterator[_Listening]:
    with selectors.DefaultSelector() as selector:
        yield _Listening(process, selector)


@contextmanager
def _started(command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command and see to it that nothing of it is left, whatever happens meanwhile."""
    try:
        process = subprocess.Popen(
            [*command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={**os.environ, "PWD": str(folder)},
            # Away from the terminal: it can ask nothing there, and ctrl+c ends it through us.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
        raise AgentFailed(
            f"`{command[0]}` failed to start: {reason}",
            "cannot-start",
            hint="set program and arguments: `remem config set agent.command`",
        ) from error
    with ExitStack() as leaving:
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                leaving.callback(_close, stream)
        leaving.callback(_end, process)
        yield process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the whole group to end, and make it."""
    if process.poll() is None:
        _signal(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    _signal(process, signal.SIGKILL)
    process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _sent(stream: IO[bytes], rest: memoryview) -> int:
    """Return how many bytes it took; all of them, when it does not want to hear more."""
    try:
        return stream.write(rest[:_PIECE]) or 0
    except BrokenPipeError:
        return len(rest)


def _close(stream: IO[bytes]) -> None:
    with suppress(OSError):
        stream.close()


def _text(command: Sequence[str], data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AgentFailed(
            f"the output of `{command[0]}` is not UTF-8: byte {error.start + 1}",
            "encoding",
            hint="make it print UTF-8",
        ) from None
    if not text.strip():
        raise AgentFailed(
            f"`{command[0]}` printed nothing",
            "empty",
            hint="it must read a prompt on stdin and answer on stdout",
        )
    return text
