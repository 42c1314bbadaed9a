"""What `check --ask-agent` adds: what the agent command thinks of rules that no machine checks.

It is shown as opinion, apart from what was checked, and changes the exit code only when asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.cli.failure import BadUsage
from remem.cli.out import emit, print_exact, say

if TYPE_CHECKING:
    from remem.cli.invocation import Invocation
    from remem.code.changed_lines import ChangedFile, Looked
    from remem.core.agent.judging import Opinion, Opinions
    from remem.model.detect import Compliance, Rule

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
_KEY: Final = "remem.opinion"
_HEADING: Final = "### Opinion of the agent, not checked"


@dataclass(frozen=True, slots=True)
class Heard:
    """What the agent said; nothing of it where nobody asked."""

    opinions: tuple[Opinion, ...] = ()
    notes: tuple[str, ...] = ()
    asked: bool = False
    fails: bool = False
    """A rule is broken in its opinion, and that was asked to count."""
    failed: int = 0
    """Exit code of a question that was not answered; 0 = it was."""


def opinion_options(command: Decorated) -> Decorated:
    """Add the options of an opinion, which go to the context and not to the function."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def hear(
    ctx: click.Context,
    invocation: Invocation,
    found: Compliance,
    looked: Looked,
    rules: Sequence[Rule],
) -> Heard:
    """Ask about the rules that were not checked, if that is wanted.

    With `--prompt-only` the question is printed and the command ends.
    """
    wanted = _wanted(ctx)
    if not any(wanted.values()):
        return Heard()
    from remem.core.agent.judging import judging_prompt, unchecked
    from remem.core.checks.gate import is_own

    if not (wanted["ask_agent"] or wanted["prompt_only"] or wanted["answer"]):
        raise BadUsage("`--fail-on-opinion` needs an opinion", hint="add `--ask-agent`")
    about = unchecked(rules, found.checks)
    shown = tuple(file for file in looked.files if file.adds and not is_own(file.path))
    prompt, notes = judging_prompt(about, shown)
    if wanted["prompt_only"]:
        if invocation.as_json or ctx.params.get("form") == "json":
            from remem.views.documents.checks import CheckPromptReport

            emit(CheckPromptReport(prompt=prompt, notes=notes))
        else:
            for note in notes:
                say(f"note: {note}")
            print_exact(prompt)
        ctx.exit(0)
    if not about or not shown:
        why = "every rule has a check" if not about else "no lines were added"
        return Heard(notes=(f"the agent was not run: {why}",), asked=True)
    return _heard(invocation, wanted, prompt, about, shown, notes)


def _heard(
    invocation: Invocation,
    wanted: Mapping[str, Any],
    prompt: str,
    about: Sequence[Any],
    shown: Sequence[ChangedFile],
    notes: tuple[str, ...],
) -> Heard:
    from remem.base.errors import RememError
    from remem.cli.ask_agent import consulted_once
    from remem.core.agent.judging import read_opinions

    def read(text: str) -> Opinions:
        return read_opinions(text, about, shown)

    try:
        said = consulted_once(invocation, prompt, read, wanted["answer"])
    except RememError as error:
        # What the machine found is told all the same.
        hint = f" ({error.hint})" if error.hint else ""
        return Heard(notes=(f"no opinion: {error}{hint}",), asked=True, failed=error.exit_code)
    fails = wanted["fail_on_opinion"] and any(each.is_founded for each in said.opinions)
    return Heard(said.opinions, (*notes, *said.notes), asked=True, fails=fails)


def opinion_lines(heard: Heard) -> Iterator[str]:
    """Yield what the agent thinks, what it finds broken first."""
    if not heard.asked:
        return
    yield ""
    yield _HEADING
    order = ("breaks", "unsure", "keeps")
    for each in sorted(heard.opinions, key=lambda one: order.index(one.view)):
        yield _line(each)
    for note in heard.notes:
        yield f"note: {note}"
    broken = sum(each.view.value == "breaks" for each in heard.opinions)
    yield f"{count(heard.opinions, 'opinion')}, {broken} of a violated rule"


def tell_failure(heard: Heard) -> None:
    """Say on stderr that there was no answer."""
    if heard.failed:
        say(heard.notes[0])


def _line(each: Opinion) -> str:
    places = ", ".join(f"{one.path}:{one.line}" for one in each.places)
    where = f" ({places})" if places else ""
    if each.view.value == "breaks" and not places:
        where = " (it cites no line of the change)"
    because = f": {each.because}" if each.because else ""
    words = {"breaks": "thinks it is violated", "keeps": "thinks it is kept"}
    return f"OPINION {each.id}: {each.title} — {words.get(each.view, 'is unsure')}{because}{where}"


def _wanted(ctx: click.Context) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(("ask_agent", "prompt_only", "fail_on_opinion"), False)
    return {**found, "answer": "", **ctx.meta.get(_KEY, {})}


def _keep(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    if value and parameter.name:
        ctx.meta.setdefault(_KEY, {})[parameter.name] = value


_OPTIONS: Final = (
    click.option(
        "--ask-agent",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Ask your agent command about rules without a check.",
    ),
    click.option(
        "--fail-on-opinion",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Exit with 1 if the agent names a violation.",
    ),
    click.option(
        "--prompt-only",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Print the prompt for the agent and exit.",
    ),
    click.option(
        "--answer",
        default="",
        metavar="FILE",
        expose_value=False,
        callback=_keep,
        help="Use this as the agent's answer; `-` = stdin.",
    ),
)
