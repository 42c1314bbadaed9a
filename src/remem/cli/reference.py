"""Writes the reference of the command line from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import cleandoc

import click

from remem.cli.commands import COMMANDS, GROUPS
from remem.cli.main import remem
from remem.views.documents.outputs import OUTPUTS

_COMMON = frozenset({"--root", "--home", "--json", "--help"})
"""Options that every command has; told once."""
_SPEAKS_JSON = "remem mcp"
"""Its standard output is a protocol, which no option changes."""
_INTRODUCTION = """\
# The command line

<!-- Made by `python -m remem.cli.generate`; edits are lost. -->

`remem [ROOT]` opens the screens. Every verb has a command too, so that hooks, scripts and CI can do
all that a person can. Data goes to stdout, messages go to stderr. A listing is aligned on a
terminal and separated by tabs in a pipe.

| option of every command | does |
|---|---|
"""
_EXIT_CODES = """
| exit code | means |
|---|---|
| 0 | done |
| 1 | findings: only from `check` and `memory verify` |
| 2 | bad usage or input |
| 3 | changed on disk, nothing was written |
| 4 | a program or a service that was asked failed |
| 130, 141 | interrupted; the reader of the pipe went away |

With `--json` a command prints one document, whose schema is named below. What went wrong is a
document too: [error](schemas/output/error.schema.json).
"""


def reference() -> str:
    """Return the whole page as Markdown."""
    root = click.Context(remem, info_name="remem")
    # A command that ran in this process keeps the help option that it ran with, `-h` and all.
    rows = [(name.replace("`-h, ", "`"), text) for name, text in _option_rows(remem, root)]
    common = [row for row in rows if row[0].startswith("`--")]
    parts = [
        _INTRODUCTION + _rows([row for row in common if row[0] != "`--version`"]) + _EXIT_CODES
    ]
    for heading, known in GROUPS.items():
        parts.append(f"## {heading}\n")
        for name in known:
            command = remem.get_command(root, name)
            assert command is not None
            parts += _sections(command, click.Context(command, parent=root, info_name=name))
    return "\n".join(parts)


def output_of(path: str) -> str:
    """Return the name of the document that a command prints: `retro list` → `retro-list`."""
    name = path.removeprefix("remem ").replace(" ", "-")
    return name if name in OUTPUTS else "change"


def command_paths() -> tuple[str, ...]:
    """Return every command that does something, as it is typed: `list`, `persona rename`."""
    root = click.Context(remem, info_name="remem")
    found: list[str] = []
    for name in COMMANDS:
        command = remem.get_command(root, name)
        inner = command.commands if isinstance(command, click.Group) else {}
        found += [f"{name} {each}" for each in inner] or [name]
    return tuple(found)


def _sections(command: click.Command, ctx: click.Context) -> Iterator[str]:
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _sections(inner, click.Context(inner, parent=ctx, info_name=name))
        return
    pieces = " ".join(command.collect_usage_pieces(ctx))
    path = ctx.command_path
    text = cleandoc(command.help or "")
    schema = output_of(path)
    yield f"### `{path}`\n\n```\n{path} {pieces}\n```\n\n{text}\n"
    rows = _own_rows(command, ctx)
    if rows:
        yield "| option | does |\n|---|---|\n" + _rows(rows)
    if path != _SPEAKS_JSON:
        yield f"`--json`: [{schema}](schemas/output/{schema}.schema.json)\n"


def _own_rows(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    own = [p for p in command.get_params(ctx) if not _COMMON & {*p.opts}]
    return [row for each in own if (row := _row(each, ctx))]


def _option_rows(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    return [row for each in command.get_params(ctx) if (row := _row(each, ctx))]


def _row(parameter: click.Parameter, ctx: click.Context) -> tuple[str, str] | None:
    record = parameter.get_help_record(ctx)
    return (f"`{_cell(record[0])}`", _cell(record[1])) if record else None


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    return "".join(f"| {option} | {help_text} |\n" for option, help_text in rows)
