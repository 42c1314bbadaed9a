"""The commands about what an agent will see: `compose` and `why`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from remem.cli.failure import did_you_mean
from remem.cli.naming import entry_named
from remem.cli.out import emit, print_exact, say, show_text
from remem.cli.session import Session, common_options, pass_session
from remem.library import Library
from remem.model.prompt import Ask, Layer, Prompt
from remem.model.report.prompt import (
    ComposeReport,
    ExcludedReport,
    LayerReport,
    LineReport,
    WhyReport,
)
from remem.text import count
from remem.workbench import Workbench

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def ask_options(command: Decorated) -> Decorated:
    """Add the options that say for whom and for what a prompt is composed."""
    for option in (
        click.option("--as-loaded", is_flag=True, help="What an agent that loads files gets."),
        click.option("--agent", default="", help="That agent; means `--as-loaded`."),
        click.option("--layout", default="", help="Which of an agent's layouts."),
        click.option("--phase", default="", help="The phase it works in."),
        click.option(
            "--files", multiple=True, metavar="GLOB", help="Files it works on; repeatable."
        ),
        click.option("--task", default="", metavar="TEXT", help="What it is asked to do."),
        click.option(
            "--budget",
            type=click.IntRange(min=1),
            default=None,
            metavar="N",
            help="Replace the budget of every memory layer, each for itself.",
        ),
        click.option(
            "--project", default="", help="Whose memory of a persona; default: this root."
        ),
        click.option("--persona", default="", help="The persona that starts."),
        click.option("--role", default="", help="The role that starts."),
    ):
        command = option(command)
    return command


@click.command("compose")
@ask_options
@common_options
@pass_session
def compose(session: Session, /, as_loaded: bool, **asked: Any) -> None:
    """Print what an agent will see."""
    workbench = session.workbench
    ask = _ask(asked)
    _warn_of_unknown_role(workbench, ask)
    prompt = _prompt(workbench, ask, as_loaded=as_loaded)
    if session.as_json:
        emit(_compose_report(workbench.library, prompt))
        return
    print_exact(prompt.text)
    for note in (*prompt.notes, *(f"not shown: {each}" for each in prompt.unseen)):
        say(f"note: {note}")
    about = "" if prompt.exact else "≈ "
    say(f"{about}{count(prompt.tokens, 'token')} ({prompt.encoding})")


@click.command("why")
@click.argument("ref", metavar="REF")
@ask_options
@common_options
@pass_session
def why(session: Session, /, ref: str, as_loaded: bool, **asked: Any) -> None:
    """Explain why an entry is in a prompt, or not."""
    workbench = session.workbench
    entry = entry_named(workbench.library, ref)
    ask = _ask(asked)
    _warn_of_unknown_role(workbench, ask)
    workbench.load_counter()
    found = workbench.why(entry.ref, ask, as_loaded=_is_loaded(ask, as_loaded))
    library = workbench.library
    if session.as_json:
        emit(
            WhyReport(
                ref=library.short(entry.ref),
                role=found.role,
                included=found.is_in,
                reason=found.reason.value if found.reason else "",
                sentences=found.sentences,
                tokens=found.tokens,
                lacked=found.lacked,
                makes_room=tuple(library.short(each) for each in found.makes_room),
            )
        )
        return
    first, *rest = found.sentences
    show_text(first, bold=True)
    for sentence in rest:
        show_text(sentence)


def _ask(asked: Mapping[str, Any]) -> Ask:
    return Ask(**{name: value for name, value in asked.items() if value})


def _prompt(workbench: Workbench, ask: Ask, *, as_loaded: bool) -> Prompt:
    workbench.load_counter()
    return workbench.as_loaded(ask) if _is_loaded(ask, as_loaded) else workbench.compose(ask)


def _is_loaded(ask: Ask, as_loaded: bool) -> bool:
    return as_loaded or bool(ask.agent)


def _warn_of_unknown_role(workbench: Workbench, ask: Ask) -> None:
    """Say so when nothing here knows the role: the prompt is composed all the same."""
    if not ask.role:
        return
    roles = workbench.roles()
    if ask.role.strip().casefold() in {role.casefold() for role in roles}:
        return
    question = did_you_mean(ask.role, roles)
    say(
        f"warning: nothing here names the role `{ask.role}`" + (f"; {question}" if question else "")
    )


def _compose_report(library: Library, prompt: Prompt) -> ComposeReport:
    return ComposeReport(
        role=prompt.ask.role,
        persona=prompt.ask.persona,
        encoding=prompt.encoding,
        exact=prompt.exact,
        as_loaded=prompt.as_loaded,
        tokens=prompt.tokens,
        layers=tuple(_layer_report(library, layer) for layer in prompt.layers),
        included=tuple(library.short(v.ref) for v in prompt.verdicts if v.is_in),
        excluded=tuple(
            ExcludedReport(ref=library.short(v.ref), reason=v.reason.value, detail=v.detail)
            for v in prompt.verdicts
            if v.reason is not None
        ),
        notes=prompt.notes,
        unseen=prompt.unseen,
        text=prompt.text,
    )


def _layer_report(library: Library, layer: Layer) -> LayerReport:
    return LayerReport(
        name=layer.name,
        tokens=layer.tokens,
        budget=layer.budget,
        unit=layer.unit.value,
        lines=tuple(
            LineReport(
                text=line.text,
                tokens=line.tokens,
                ref=None if line.ref is None else library.short(line.ref),
            )
            for line in layer.lines
        ),
    )
