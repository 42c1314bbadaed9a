"""Tells the screens which commands there are, for their palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import cleandoc

import click

from remem.base.errors import NotPossible, RememError
from remem.cli.commands import COMMANDS
from remem.cli.main import remem
from remem.cli.verb_command import VerbCommand
from remem.model.change import Intent
from remem.views.typed_command import TypedCommand

_NOT_FROM_SCREENS = frozenset({"demo", "hook"})
"""One opens screens itself, the other answers a client's hooks on its standard input."""
_ELSEWHERE = frozenset({"--root", "--home", "--repo", "--json", "--quiet", "--help", "-h"})
"""Options of another place or another answer, which only the shell's command can give."""
_READS = frozenset(
    {
        *("config path", "config show", "status", "list", "layout list", "queue"),
        *("history", "duplicates", "retro list", "estimates show", "learn list", "persona list"),
        *("persona shared", "workspace show", "memory stats"),
    }
)
"""Commands that say by themselves all that there is, and write nothing."""
_HELP = frozenset({"--help", "-h"})
_FOR_GOOD = frozenset({"forget"})
"""Commands that cannot be undone: they are run from the form, which shows them once more."""
_COMMON = frozenset({"--root", "--home", "--json", "--help"})


def typed_commands() -> tuple[TypedCommand, ...]:
    """Return every command that can be typed on the screens; imports all of them."""
    root = click.Context(remem, info_name="remem")
    names = [name for name in COMMANDS if name not in _NOT_FROM_SCREENS]
    return tuple(
        made
        for name in names
        if (command := remem.get_command(root, name)) is not None
        for made in _made(name, command, root)
    )


def _made(path: str, command: click.Command, above: click.Context) -> Iterator[TypedCommand]:
    ctx = click.Context(command, parent=above, info_name=path.rpartition(" ")[2])
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            if not inner.hidden:
                yield from _made(f"{path} {name}", inner, ctx)
        return
    options = tuple(
        record
        for each in command.get_params(ctx)
        if not _COMMON & {*each.opts}
        if (record := each.get_help_record(ctx)) is not None
    )
    usage = " ".join(command.collect_usage_pieces(ctx))
    asks = _asks(command) if isinstance(command, VerbCommand) and command.asked else None
    stands_alone = not any(each.required for each in command.get_params(ctx)) and all(
        piece.startswith("[") for piece in command.collect_usage_pieces(ctx)
    )
    yield TypedCommand(
        path,
        usage,
        _unbroken(cleandoc(command.help or "")),
        options,
        asks,
        None if path in _FOR_GOOD else _wholeness(command, ctx),
        stands_alone=stands_alone,
        reads=path in _READS,
    )


def _unbroken(text: str) -> str:
    """Return a text without the line ends inside its paragraphs: screens break it anew."""
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))


def _wholeness(command: click.Command, ctx: click.Context) -> Callable[[Sequence[str]], bool]:
    def is_whole(words: Sequence[str]) -> bool:
        if _HELP & {*words}:
            return False
        try:
            command.make_context(ctx.info_name, [*words], parent=ctx.parent)
        except (click.ClickException, RememError):
            return False
        return True

    return is_whole


def _asks(command: VerbCommand) -> Callable[[Sequence[str]], Intent | None]:
    def asks(words: Sequence[str]) -> Intent | None:
        if command.asked is None or _ELSEWHERE & {word.partition("=")[0] for word in words}:
            return None
        try:
            return command.asked(words)
        except click.ClickException as error:
            raise NotPossible(
                error.format_message(), hint="choose it without words to see what it takes"
            ) from None

    return asks
