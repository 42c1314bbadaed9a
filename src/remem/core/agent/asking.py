"""Asks until the answer can be used: a second time where it could not, and then no more.

What an answer has to hold is told by who asks; running the command is the runner's business.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from remem.core.agent.answers import Answers
from remem.core.agent.prompts import BadAnswer, once_more
from remem.core.agent.runner import AgentFailed, Progress, ask
from remem.core.settings import AgentCommand

T = TypeVar("T")
_RETRIES: Final = 1


def answer_to(
    prompt: str,
    read: Callable[[str], T],
    settings: AgentCommand,
    *,
    folder: Path,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] = lambda: False,
    answers: Answers | None = None,
) -> T:
    """Return what `read` makes of the answer; it is asked once more if that is not possible.

    Args:
        prompt: What is asked.
        read: Raises `BadAnswer` for what it cannot use.
        settings: Names the command.
        folder: Where the command runs; see `runner.ask`.
        on_progress: Called some twenty times a second.
        cancel: Asked as often; true ends the command.
        answers: Keeps what is answered, usable or not; the hint says where.

    Raises:
        AgentFailed: There is no answer that can be used.
    """

    def asked(text: str) -> str:
        answer = ask(
            settings.command,
            text,
            folder=folder,
            timeout=settings.timeout,
            retries=_RETRIES,
            on_progress=on_progress,
            cancel=cancel,
        )
        if answers is not None:
            answers.put(prompt, answer.text)
        return answer.text

    try:
        return read(asked(prompt))
    except BadAnswer as bad:
        again = once_more(prompt, str(bad))
    try:
        return read(asked(again))
    except BadAnswer as bad:
        where = f"; it is kept in `{answers.path_of(prompt)}`" if answers is not None else ""
        raise AgentFailed(str(bad), "unusable", hint=f"{bad.hint}{where}") from bad
