"""How a command comes to an answer: from the agent command, a file or stdin.

It shows how far a running command is, and takes it along when remem is ended.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final, TypeVar

import click

from remem.base.text import count, safe_text
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation
from remem.cli.out import put_aside, say, tell_hidden
from remem.core.agent.answers import Answers
from remem.core.agent.consult import Asker, Question, consult, how_many_are_kept
from remem.core.agent.runner import MAX_ANSWER, Progress
from remem.core.agent.untrusted_text import BadAnswer

T = TypeVar("T")
STDIN: Final = "-"
_ENDINGS: Final = (signal.SIGTERM, signal.SIGHUP)
_EVERY: Final = 10
"""Seconds between two lines of progress where no terminal can be drawn over."""

prompt_only_option = click.option(
    "--prompt-only", is_flag=True, help="Print the prompt only; run and write nothing."
)
answer_option = click.option(
    "--answer",
    default="",
    metavar="FILE",
    help="Use this answer instead of running the agent; `-` = stdin.",
)


def consulted(
    invocation: Invocation,
    questions: Sequence[Question[T]],
    given: Sequence[str] = (),
    *,
    anew: bool = False,
) -> list[T]:
    """Return what is made of the answers to the parts of one question, in order.

    Args:
        invocation: Has the command, and where answers are kept.
        questions: The parts.
        given: A file for each of them, `-` for stdin; none = the agent command is asked.
        anew: Ask what was answered before, too.

    Raises:
        BadUsage: There are more or fewer files than parts.
        BadAnswer: What was given cannot be used.
        AgentFailed: The command gave nothing that can be used.
    """
    if given:
        if len(given) != len(questions):
            raise BadUsage(
                f"{count(len(given), 'answer')} for {count(len(questions), 'part')}",
                hint="give `--answer` once for each, in order; `--prompt-only --part N` asks",
            )
        texts = [_given(invocation, each) for each in given]
        return [each.made_of(text) for each, text in zip(questions, texts, strict=True)]
    settings = invocation.session.config.agent
    answers = answers_of(invocation)
    kept = 0 if anew else how_many_are_kept(questions, answers)
    if kept:
        say(f"{count(kept, 'answer')} of {len(questions)} kept from before; `--anew` asks again")
    name = settings.command[0] if settings.command else ""
    for question in questions:
        tell_hidden(question.prompt, "what the agent is asked")
    with progress_line(name) as tell, ended_together():
        asker = Asker(
            settings,
            invocation.places.config,
            answers,
            anew,
            on_progress=tell,
            on_bad=lambda bad: say(f"{bad}; trying again"),
        )
        return consult(questions, asker)


def consulted_once(
    invocation: Invocation, prompt: str, read: Callable[[str], T], given: str = ""
) -> T:
    """Return what `read` makes of the answer to one question, which is asked anew each time.

    Raises:
        BadAnswer: What was given cannot be used.
        AgentFailed: The command gave nothing that can be used.
    """
    questions = [Question(prompt, read)]
    (found,) = consulted(invocation, questions, [given] if given else [], anew=True)
    return found


def answers_of(invocation: Invocation) -> Answers:
    """Return where the paid answers of the user's command are kept."""
    session = invocation.session
    command = tuple(session.config.agent.command)
    return Answers(session.disk, invocation.places.cache, session.clock, command)


def need_one_way(prompt_only: bool, answer: str) -> None:
    """Refuse to print the question and to take its answer at once.

    Raises:
        BadUsage: Both were asked for.
    """
    if prompt_only and answer:
        raise BadUsage(
            "`--prompt-only` and `--answer` cannot be combined", hint="use only one of them"
        )


def _given(invocation: Invocation, answer: str) -> str:
    """Return an answer that stands in a file, or comes on stdin."""
    if answer == STDIN:
        data = sys.stdin.buffer.read(MAX_ANSWER + 1)
    else:
        data = invocation.session.disk.read(Path(answer).expanduser().absolute())
    if len(data) > MAX_ANSWER:
        raise BadUsage(
            f"the answer has more than {MAX_ANSWER:,} bytes", hint="pass only the answer"
        )
    return answer_text(data)


def answer_text(data: bytes) -> str:
    """Return an answer that was given as text.

    Raises:
        BadAnswer: It is not UTF-8; what it meant is anybody's guess, and would become memory.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadAnswer(
            f"the answer is not UTF-8 text: byte {error.start + 1}",
            hint="save it as UTF-8 and try again",
        ) from None


@contextmanager
def progress_line(name: str) -> Iterator[Callable[[Progress], None]]:
    """Give what tells on stderr how far the command is: in one line on a terminal."""
    is_terminal = sys.stderr.isatty()
    told = (0, -1)

    def tell(progress: Progress) -> None:
        nonlocal told
        now = (progress.part, int(progress.seconds) // (1 if is_terminal else _EVERY))
        if now == told:
            return
        told = now
        again = f", try {progress.attempt}" if progress.attempt > 1 else ""
        part = f", part {progress.part} of {progress.parts}" if progress.parts > 1 else ""
        seconds, received = progress.seconds, progress.received
        has_begun = bool(received) or seconds >= 1
        figures = f": {seconds:.0f} s, {received:,} bytes" if has_begun else ""
        words = f"asking `{name}`{part}{figures}{again}"
        if is_terminal:
            put_aside(f"\r\x1b[K{safe_text(words, one_line=True)}")
        else:
            say(words)

    try:
        yield tell
    finally:
        if is_terminal:
            put_aside("\r\x1b[K")


@contextmanager
def ended_together() -> Iterator[None]:
    """Turn being ended, or a terminal that closes, into ctrl+c: the command ends with us."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in _ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
