"""The command `persona reflect`: it asks a persona what it learnt, and keeps what it answers."""

from __future__ import annotations

import click

from remem.cli.asking import answer_option, consulted_once, need_one_way, prompt_only_option
from remem.cli.execute import carry_out, dry_run_option
from remem.cli.failure import BadUsage
from remem.cli.invocation import Invocation, common_options, pass_invocation
from remem.cli.out import emit, print_exact, say
from remem.cli.persona_compact import compact_unasked
from remem.model.change import Intent
from remem.systems.personas.reflect import whose
from remem.systems.personas.reflect_answer import read_lessons
from remem.systems.personas.reflect_verbs import PERSONA_REFLECT, PersonaReflect
from remem.systems.personas.reflection_prompt import Occasion, most_lessons, reflection_prompt
from remem.views.documents.people import PersonaPromptReport


@click.command("reflect")
@click.argument("name", metavar="NAME")
@click.option(
    "--trigger", default="", metavar="WORD", help="The trigger: `pr_review`, `build_failure`, …"
)
@click.option("--outcome", default="", metavar="TEXT", help="The outcome.")
@click.option("--summary", default="", metavar="TEXT", help="What happened.")
@click.option("--files", multiple=True, metavar="PATH", help="Changed files; repeatable.")
@click.option("--layout", default="", help="The place, if the persona has several.")
@click.option(
    "--apply", is_flag=True, help="Add the lessons to its memory now; default: propose them."
)
@prompt_only_option
@answer_option
@dry_run_option
@common_options
@pass_invocation
def reflect(
    invocation: Invocation,
    name: str,
    trigger: str,
    outcome: str,
    summary: str,
    files: tuple[str, ...],
    layout: str,
    apply: bool,
    prompt_only: bool,
    answer: str,
    dry_run: bool,
) -> None:
    """Ask a persona what it learned, and keep its lessons.

    Lessons are proposed in Review; with `--apply` they are added to its memory under today's date.
    Suspicious lessons always need review.
    """
    need_one_way(prompt_only, answer)
    if not answer and not (trigger and outcome and summary):
        raise BadUsage(
            "a reflection needs to know what happened",
            hint="give `--trigger`, `--outcome` and `--summary`",
        )
    session = invocation.session
    found = whose(session.library, name, layout)
    occasion = Occasion(trigger, outcome, summary, files)
    prompt = "" if answer else reflection_prompt(session.library, found, occasion)
    if prompt_only:
        _print_prompt(invocation, prompt)
        return
    most = most_lessons(found)
    lessons = consulted_once(invocation, prompt, lambda text: read_lessons(text, most), answer)
    for note in lessons.notes:
        say(f"note: {note}")
    args = PersonaReflect(
        persona=found.persona.name,
        layout=found.place,
        lessons=tuple(lessons.texts),
        apply=apply,
        evidence=occasion.evidence,
        door=session.door,
    )
    carry_out(invocation, Intent(PERSONA_REFLECT.id, arguments=args.to_json()), dry_run=dry_run)
    if dry_run:
        return
    if not apply:
        say("review them with `remem queue`, then `remem approve ID`")
    elif session.config.agent.compacts:
        compact_unasked(invocation, found.persona.name, found.layout)


def _print_prompt(invocation: Invocation, prompt: str) -> None:
    if invocation.as_json:
        emit(PersonaPromptReport(prompt=prompt, base=""))
    else:
        print_exact(prompt)
