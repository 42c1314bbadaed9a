"""What a person or a script is told when a command cannot do what it was asked.

It owns the wording of errors on stderr and the error document on stdout.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import click

from remem.errors import RememError, Unacknowledged
from remem.text import safe_text

BAD_USAGE: Final = 2

_QUOTED: Final = re.compile(r"'([^']*)'")


class BadUsage(RememError):
    """The command line does not say what to do."""

    code = "usage"


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, what to do, and how the process ends."""

    code: str
    message: str
    hint: str
    exit_code: int


def failure_of(error: Exception) -> Failure:
    """Put any error into words."""
    match error:
        case Unacknowledged():
            hint = "take it out, or look at it and go on with `--acknowledge`"
            return Failure(error.code, str(error), hint, error.exit_code)
        case RememError():
            return Failure(error.code, str(error), error.hint, error.exit_code)
        case click.ClickException():
            near = getattr(error, "possibilities", None)
            text = error.message if near else error.format_message()
            return Failure("usage", _sentence(text), _hint(error, near), BAD_USAGE)
        case _:
            return Failure(
                "internal",
                f"remem stumbled: {type(error).__name__}: {error}",
                "set `REMEM_DEBUG=1` to see where, and report it",
                BAD_USAGE,
            )


def tell(failure: Failure, *, as_json: bool) -> None:
    """Print a failure: one document on stdout, or two sentences on stderr."""
    if as_json:
        words = {"code": failure.code, "message": failure.message, "hint": failure.hint}
        click.echo(json.dumps({"error": words}, indent=2))
        return
    hint = f"\n\nhint: {safe_text(failure.hint)}" if failure.hint else ""
    click.echo(f"error: {safe_text(failure.message)}{hint}", err=True)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the question with the nearest of the known words, or an empty text."""
    near = get_close_matches(word.lower(), [*known], n=1)
    return f"did you mean `{near[0]}`?" if near else ""


def unknown_command(name: str, known: Iterable[str]) -> BadUsage:
    """Return the error for a word that is neither a command nor a folder."""
    hint = did_you_mean(name, known) or "`remem --help` lists the commands"
    return BadUsage(f"there is no command or folder `{name}`", hint=hint)


def _sentence(text: str) -> str:
    """Return click's sentence in our spelling: lower case, backticks, no full stop."""
    text = _QUOTED.sub(r"`\1`", text.strip().removesuffix("."))
    return text[:1].lower() + text[1:]


def _hint(error: click.ClickException, near: Sequence[str] | None) -> str:
    if not isinstance(error, click.UsageError):
        return ""
    if near:
        return f"did you mean `{near[0]}`?"
    path = error.ctx.command_path if error.ctx else "remem"
    return f"`{path} --help` shows how"
