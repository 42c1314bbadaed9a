"""Asks until the answer can be used: a second time where it could not, and then no more.

What an answer has to hold is told by who asks; running the command is the runner's business.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

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
) -> T:
    """Return what `read` makes of the answer; it is asked once more if that is not possible.

    Args:
        prompt: What is asked.
        read: Raises `BadAnswer` for what it cannot use.
        settings: Names the command.
        folder: Where the command runs; see `runner.ask`.
        on_progress: Called some twenty times a second.
        cancel: Asked as often; true ends the command.

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
        return answer.text

    try:
        return read(asked(prompt))
    except BadAnswer as bad:
        prompt = once_more(prompt, str(bad))
    try:
        return read(asked(prompt))
    except BadAnswer as bad:
        raise AgentFailed(str(bad), "unusable", hint=bad.hint) from bad
