"""What a person or a script is told when a command cannot do what it was asked.

It owns the wording of errors on stderr and the error document on stdout.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import click

from remem.base.errors import Already, Conflict, RememError, Sides, Unacknowledged
from remem.base.frozen import dataclass
from remem.base.text import count, did_you_mean, safe_text
from remem.cli.out import put_aside

BAD_USAGE: Final = 2
UNPRINTED: Final = "unprinted"

SHORT: Final = 20
"""Lines of a difference; the whole of it is in the `--json` document."""

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
    sides: Sides | None = None
    """The three texts of a conflict."""


_SLIPS: Final = 2
"""Letters by which a mistyped option may differ from the one that was meant."""
_STEM: Final = 3
"""Letters that two options begin with, of which one is short for the other."""


def failure_of(error: Exception) -> Failure:
    """Put any error into words."""
    match error:
        case Unacknowledged():
            ids = " ".join(f"--acknowledge {each}" for each in error.ids) or "--acknowledge ID"
            hint = f"remove it, or review it and continue with `{ids}`"
            return Failure(error.code, str(error), hint, error.exit_code)
        case Conflict():
            return Failure(error.code, str(error), error.hint, error.exit_code, error.sides)
        case RememError():
            return Failure(error.code, str(error), error.hint, error.exit_code)
        case click.ClickException():
            near = getattr(error, "possibilities", None)
            text = error.message if near else error.format_message()
            return Failure("usage", _sentence(text), _hint(error, near), BAD_USAGE)
        case OSError() if error.filename is None and error.strerror:
            # What reads or writes a file has words of its own: only a stream is left.
            return Failure(
                UNPRINTED,
                f"the answer could not be printed: {error.strerror}",
                "see `remem history` for what was written",
                BAD_USAGE,
            )
        case _:
            return Failure(
                "internal",
                f"internal error: {type(error).__name__}: {error}",
                "set `REMEM_DEBUG=1` for a traceback, and report it",
                BAD_USAGE,
            )


def tell(failure: Failure, *, as_json: bool) -> None:
    """Print a failure: one document on stdout, or on stderr two sentences and what differs.

    That there is nothing to do is none, and is told as what a command did.
    """
    sides = failure.sides
    if failure.code == Already.code:
        _tell_nothing_to_do(failure, as_json=as_json)
        return
    if as_json:
        words = {"code": failure.code, "message": failure.message, "hint": failure.hint}
        document: dict[str, object] = {"error": words}
        if sides is not None:
            texts = {"base": sides.base, "theirs": sides.theirs, "yours": sides.yours}
            document["conflict"] = {"ref": sides.name, **texts}
        click.echo(json.dumps(document, indent=2))
        return
    differs = f"\n\n{three_way(sides)}" if sides is not None else ""
    hint = f"\n\nhint: {safe_text(failure.hint)}" if failure.hint else ""
    put_aside(f"error: {safe_text(failure.message)}{differs}{hint}\n")


def _tell_nothing_to_do(failure: Failure, *, as_json: bool) -> None:
    """Say that all is as it was asked to be, as commands do that write nothing."""
    notes = tuple(filter(None, (failure.message, failure.hint)))
    if as_json:
        from remem.cli.out import emit
        from remem.views.documents.changes import ChangeReport, ChangeWords

        words = ChangeWords(
            id="",
            verb="",
            title="Nothing to do",
            reason="",
            effects=(),
            touched=(),
            receipt="",
            notes=notes,
            warnings=(),
        )
        emit(ChangeReport(change=words, written=False, undone=False))
        return
    for each in (*(f"note: {note}" for note in notes), "Nothing to do"):
        put_aside(f"{safe_text(each)}\n")


def three_way(sides: Sides) -> str:
    """Return what others made of a text, and what the decision would make of theirs, gated."""
    from remem.store.changes.hunks import file_diff, unified

    def between(label: str, old: str, new: str) -> str:
        before, after = ((t.rstrip("\n") + "\n").encode(errors="replace") for t in (old, new))
        lines = unified("", file_diff(before, after)).split("\n")[2:-1] or ["no differences"]
        rest = len(lines) - SHORT
        kept = lines[:SHORT] + ([f"… {count(rest, 'more line')}"] if rest > 0 else [])
        return "\n".join((f"{label}:", *(f"  {line}" for line in kept)))

    if sides.theirs is None:
        theirs = f"now: {sides.changed}"
    elif sides.base is None:
        theirs = "now (the version you saw is not known here):\n" + _indented(sides.theirs)
    else:
        theirs = between("as shown → now", sides.base, sides.theirs)
    if sides.blocked:
        yours = f"yours: not possible on the current text: {sides.blocked}"
    elif sides.yours is None:
        yours = "yours: it would be removed"
    else:
        yours = between("now → yours", sides.theirs or "", sides.yours)
    return safe_text(f"{theirs}\n{yours}")


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines()[:SHORT])


_NO_COMMAND: Final = re.compile(r"^No such command '(\w+)'")
_MEANT: Final[Mapping[str, str]] = {
    "create": "add",
    "delete": "remove",
    "deprecate": "archive",
    "find": "search",
    "log": "history",
    "ls": "list",
    "new": "add",
    "prompt": "compose",
    "retire": "archive",
    "revert": "undo",
    "review": "queue",
    "rm": "remove",
}
"""Words of other tools for what a command does here; those that look alike may do the opposite."""


def unknown_command(name: str, known: Iterable[str]) -> BadUsage:
    """Return the error for a word that is neither a command nor a folder."""
    meant = _MEANT.get(name.casefold(), "")
    hint = f"did you mean `{meant}`?" if meant else did_you_mean(name, known)
    hint = hint or "`remem --help` lists the commands"
    return BadUsage(f"no command or folder is called `{name}`", hint=hint)


def _sentence(text: str) -> str:
    """Return click's sentence in our spelling: lower case, backticks, no full stop."""
    text = _QUOTED.sub(r"`\1`", text.strip().removesuffix("."))
    return text[:1].lower() + text[1:]


def _is_near(typed: str, known: str) -> bool:
    """Tell whether an option is another one mistyped: a slip or two, or one begins the other."""
    from rapidfuzz.distance import DamerauLevenshtein

    one, two = sorted((typed.lstrip("-"), known.lstrip("-")), key=len)
    slips = DamerauLevenshtein.distance(one, two)
    return slips <= min(_SLIPS, len(one) // 2) or (len(one) >= _STEM and two.startswith(one))


def _hint(error: click.ClickException, near: Sequence[str] | None) -> str:
    if not isinstance(error, click.UsageError):
        return ""
    if isinstance(error, click.NoSuchOption):
        near = [each for each in near or () if _is_near(error.option_name, each)]
    word = _NO_COMMAND.search(error.message)
    if word is not None and word[1].casefold() in _MEANT:
        return f"did you mean `remem {_MEANT[word[1].casefold()]}`?"
    if near:
        return f"did you mean `{near[0]}`?"
    if error.ctx is None:
        return "see `--help` of the command"
    path = error.ctx.command_path
    if isinstance(error, click.MissingParameter):
        from remem.cli.examples import example_lines

        example = next(iter(example_lines(path.removeprefix("remem "))), "")
        command = example.partition("  #")[0].rstrip(" \\")
        if command:
            return f"for example `{command}`; see `{path} --help`"
    return f"see `{path} --help`"
