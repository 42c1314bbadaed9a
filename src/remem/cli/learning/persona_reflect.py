"""The command `persona reflect`: it asks a persona what it learnt, and keeps what it answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from remem.cli.apply_or_dry_run import carry_out
from remem.cli.ask_agent import answer_option, consulted_once, need_one_way, prompt_only_option
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation
from remem.cli.learning.persona_compact import compact_unasked
from remem.cli.out import emit, print_exact, say
from remem.cli.verb_command import command_of
from remem.model.change import Intent
from remem.systems.personas.lessons.reflection import (
    Occasion,
    most_lessons,
    read_lessons,
    reflection_prompt,
    whose,
)
from remem.systems.personas.persona_verbs import PERSONA_REFLECT, PersonaReflect
from remem.views.documents.people import PersonaPromptReport

_first = {
    "trigger": click.option(
        "--trigger", default="", metavar="WORD", help="The trigger: `pr_review`, `build_failure`, …"
    ),
    "outcome": click.option("--outcome", default="", metavar="TEXT", help="The outcome."),
    "summary": click.option("--summary", default="", metavar="TEXT", help="What happened."),
    "files": click.option(
        "--files", multiple=True, metavar="PATH", help="Changed files; repeatable."
    ),
}


def ask_and_keep(
    invocation: Invocation,
    intent: Intent,
    args: PersonaReflect,
    *,
    dry_run: bool,
    prompt_only: bool,
    answer: str,
    **told: Any,
) -> None:
    """Ask what was learned, unless it is given, and propose the lessons or keep them."""
    occasion = Occasion(**told)
    need_one_way(prompt_only, answer)
    if not answer and not (occasion.trigger and occasion.outcome and occasion.summary):
        raise BadUsage(
            "a reflection needs to know what happened",
            hint="give `--trigger`, `--outcome` and `--summary`",
        )
    session = invocation.session
    found = whose(session.library, args.persona, args.layout)
    prompt = "" if answer else reflection_prompt(session.library, found, occasion)
    if prompt_only:
        _print_prompt(invocation, prompt)
        return
    most = most_lessons(found)
    lessons = consulted_once(invocation, prompt, lambda text: read_lessons(text, most), answer)
    for note in lessons.notes:
        say(f"note: {note}")
    kept = replace(
        args,
        persona=found.persona.name,
        layout=found.place,
        lessons=tuple(lessons.texts),
        evidence=occasion.evidence,
        door=session.door,
    )
    carry_out(invocation, replace(intent, arguments=kept.to_json()), dry_run=dry_run)
    if dry_run:
        return
    if not args.apply:
        say("review them with `remem queue`, then `remem approve ID`")
    elif session.config.agent.compacts:
        compact_unasked(invocation, found.persona.name, found.layout)


def _print_prompt(invocation: Invocation, prompt: str) -> None:
    if invocation.as_json:
        emit(PersonaPromptReport(prompt=prompt, base=""))
    else:
        print_exact(prompt)


reflect = command_of(
    PERSONA_REFLECT,
    page=ask_and_keep,
    first=_first,
    more={"prompt_only": prompt_only_option, "answer": answer_option},
)
