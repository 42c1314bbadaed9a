"""Asks a language model what a verb has to know first: one question, or the parts of a long one.

Every question to a model goes through here. A verb brings its questions and how an answer is read;
a door shows how far it is and what can be picked of it. An answer that cannot be used is asked for
a second time, and then no more. What was answered is kept, so that a consultation that was stopped
goes on where it was, and nothing is paid for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Generic, TypeVar

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.agent.answers import Answers
from remem.core.agent.runner import AgentFailed, Progress, ask
from remem.core.agent.untrusted_text import BadAnswer, once_more, without_question
from remem.core.settings import AgentCommand

T = TypeVar("T")
_RETRIES: Final = 1
_AGAIN: Final = "check that `agent.command` answers what it reads"


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One question, and what is made of its answer."""

    prompt: str
    read: Callable[[str], T]
    """Raises `BadAnswer` for what it cannot use."""
    about: str = ""
    """Which part of the whole it is, in a few words."""

    def made_of(self, answer: str) -> T:
        """Return what is made of an answer; a question that it repeats is no part of it.

        Raises:
            BadAnswer: It cannot be used, or there is nothing but the question in it.
        """
        said = without_question(answer, self.prompt)
        if answer.strip() and not said.strip():
            raise BadAnswer("the answer only repeats the question", hint=_AGAIN)
        return self.read(said)


@dataclass(frozen=True, slots=True)
class Asker:
    """How questions are asked."""

    settings: AgentCommand
    folder: Path
    """Where the command runs; see `runner.ask`."""
    answers: Answers
    anew: bool = False
    """Ask what was answered before, too."""
    on_progress: Callable[[Progress], None] = lambda progress: None
    """Called some twenty times a second."""
    cancel: Callable[[], bool] = lambda: False
    """Asked as often; true ends the command."""
    on_bad: Callable[[BadAnswer], None] = lambda bad: None
    """Told why the first answer cannot be used, before it is asked for again."""


def consult(questions: Sequence[Question[T]], asker: Asker) -> list[T]:
    """Return what is made of the answer to each question, in order.

    Raises:
        AgentFailed: One has no answer that can be used; the hint says how many are kept.
    """
    found: list[T] = []
    for number, question in enumerate(questions):
        try:
            found.append(_answered(question, asker, number + 1, len(questions)))
        except AgentFailed as failed:
            if number:
                kept = f"{count(number, 'answer')} of {len(questions)} kept"
                hint = f"{kept}: ask again, and it goes on from there"
                failed.hint = "; ".join(filter(None, (failed.hint, hint)))
            raise
    return found


def how_many_are_kept(questions: Sequence[Question[T]], answers: Answers) -> int:
    """Return how many of the questions have an answer already that can be used."""
    return sum(_known(question, answers) is not None for question in questions)


def _answered(question: Question[T], asker: Asker, part: int, parts: int) -> T:
    known = None if asker.anew else _known(question, asker.answers)
    if known is not None:
        return known[0]

    def tell(progress: Progress) -> None:
        asker.on_progress(replace(progress, part=part, parts=parts))

    def asked(text: str) -> T:
        answer = ask(
            asker.settings.command,
            text,
            folder=asker.folder,
            timeout=asker.settings.timeout,
            retries=_RETRIES,
            on_progress=tell,
            cancel=asker.cancel,
        )
        # Kept before it is read: it was paid for, whether it can be used or not.
        asker.answers.put(question.prompt, answer.text)
        return question.made_of(answer.text)

    try:
        return asked(question.prompt)
    except BadAnswer as bad:
        asker.on_bad(bad)
        again = once_more(question.prompt, str(bad))
    try:
        return asked(again)
    except BadAnswer as bad:
        where = f"it is kept in `{asker.answers.path_of(question.prompt)}`"
        raise AgentFailed(str(bad), "unusable", hint=f"{bad.hint}; {where}") from bad


def _known(question: Question[T], answers: Answers) -> tuple[T] | None:
    text = answers.get(question.prompt)
    if text is None:
        return None
    try:
        return (question.made_of(text),)
    except BadAnswer:
        return None
