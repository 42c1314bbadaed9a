"""Asks a language model what a verb has to know first: one question, or the parts of a long one.

A verb brings its questions and how an answer is read; a door shows how far it is and what can be
picked of it. What was answered is kept, so that a consultation that was stopped goes on where it
was, and nothing is paid for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.agent.answers import Answers
from remem.core.agent.asking import answer_to
from remem.core.agent.prompts import BadAnswer
from remem.core.agent.runner import AgentFailed, Progress
from remem.core.settings import AgentCommand

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One question, and what is made of its answer."""

    prompt: str
    read: Callable[[str], T]
    """Raises `BadAnswer` for what it cannot use."""
    about: str = ""
    """Which part of the whole it is, in a few words."""


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
    cancel: Callable[[], bool] = lambda: False


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

    return answer_to(
        question.prompt,
        question.read,
        asker.settings,
        folder=asker.folder,
        on_progress=tell,
        cancel=asker.cancel,
        answers=asker.answers,
    )


def _known(question: Question[T], answers: Answers) -> tuple[T] | None:
    text = answers.get(question.prompt)
    if text is None:
        return None
    try:
        return (question.read(text),)
    except BadAnswer:
        return None
