"""Makes everything that is generated: `python -m remem.cli.generate`.

It writes `schemas/`, `CLI.md`, `docs/loaders.md`, the tables of `README.md` and `docs/words.md` and
`screenshots/` of a checkout. With `--check` nothing is written and what is stale is named.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from inspect import cleandoc
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from remem.cli.commands import COMMANDS, GROUPS
from remem.cli.main import remem
from remem.cli.open import draw_screens, key_table
from remem.cli.output.schema import schema_files
from remem.demo.build import build_branch, build_demo, home_of
from remem.store.cache_file import put
from remem.store.io import Disk, Unreadable
from remem.systems.personas.persona_layouts import BUILT_IN
from remem.systems.plain.tools.loader_page import loaders_page
from remem.views.documents.outputs import OUTPUTS
from remem.views.glossary import glossary_table

COMMAND: Final = "python -m remem.cli.generate"
CHECKOUT: Final = Path(__file__).parents[3]
KEYS_BEGIN: Final = "<!-- keys: begin -->\n"
KEYS_END: Final = "<!-- keys: end -->\n"
WORDS_MARKS: Final = ("<!-- words: begin -->\n", "<!-- words: end -->\n")
_FETCHED: Final = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Fonts that a picture would get from elsewhere; the reader's own are as good."""
_COLUMNS: Final = 100
"""Of the picture of a command line."""
DRAWN_WITH: Final = "8.2.8"
"""The Textual that the screenshots are drawn with; another one moves pixels."""


def generated_texts(disk: Disk, checkout: Path) -> Mapping[Path, bytes]:
    """Return every generated text of a checkout: path → bytes."""
    texts = {checkout / "schemas" / name: data for name, data in schema_files().items()}
    texts[checkout / "CLI.md"] = reference().encode()
    texts[checkout / "docs/loaders.md"] = loaders_page(BUILT_IN).encode()
    texts[checkout / "screenshots/check.svg"] = picture_of_check()
    readme = checkout / "README.md"
    texts[readme] = with_keys(disk.read(readme).decode(), key_table()).encode()
    words = checkout / "docs/words.md"
    texts[words] = with_table(disk.read(words).decode(), WORDS_MARKS, glossary_table()).encode()
    return texts


def picture_of_check() -> bytes:
    """Return what `remem check` prints of the demo's branch, drawn as a terminal's window."""
    typed = ("check", "--diff", "main...HEAD")
    with (
        TemporaryDirectory(prefix="remem-check-") as at,
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()),
    ):
        project = build_demo(Path(at))
        where = ("--root", str(build_branch(Path(at))), "--home", str(home_of(project)))
        # Findings: the exit code of a gate that is shut.
        with suppress(click.exceptions.Exit):
            remem.main([*typed, *where], prog_name="remem", standalone_mode=False)
    console = Console(record=True, width=_COLUMNS, file=StringIO(), color_system=None)
    console.print(Text(f"$ remem {' '.join(typed)}", style="bold"))
    console.print(Text(out.getvalue().rstrip()))
    picture = console.export_svg(title="remem", unique_id="check")
    return _FETCHED.sub("", picture).encode()


def with_keys(page: str, table: str) -> str:
    """Return the page with the table of keys between its two markers."""
    return with_table(page, (KEYS_BEGIN, KEYS_END), table)


def with_table(page: str, marks: tuple[str, str], table: str) -> str:
    """Return the page with the table between two markers; a page without them as it is."""
    before, begin, rest = page.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    return f"{before}{begin}\n{table}\n{end}{after}" if begin and end else page


def stale_files(disk: Disk, texts: Mapping[Path, bytes], checkout: Path) -> list[Path]:
    """Return what differs from `texts`, and schemas that nothing generates any more."""
    differing = [path for path, data in texts.items() if _read(disk, path) != data]
    lying = disk.walk(checkout / "schemas", 2, ".json")
    return differing + [path for path in lying if path not in texts]


def main(arguments: Sequence[str]) -> int:
    """Write or check every generated file and return the exit code."""
    disk = Disk()
    texts = generated_texts(disk, CHECKOUT)
    if "--check" in arguments:
        stale = stale_files(disk, texts, CHECKOUT)
        for path in stale:
            sys.stdout.write(f"stale: {path.relative_to(CHECKOUT)}\n")
        return 1 if stale else 0
    for path in stale_files(disk, texts, CHECKOUT):
        if path in texts:
            put(disk, path, texts[path])
        else:
            disk.unlink(path)
        sys.stdout.write(f"{path.relative_to(CHECKOUT)}\n")
    if _textual_version() == DRAWN_WITH:
        draw_screens(CHECKOUT / "screenshots", ())
    else:
        sys.stderr.write(f"screenshots are drawn with Textual {DRAWN_WITH} and were left alone\n")
    return 0


def _read(disk: Disk, path: Path) -> bytes | None:
    try:
        return disk.read(path)
    except Unreadable:
        return None


def _textual_version() -> str:
    from importlib.metadata import version

    return version("textual")


_COMMON = frozenset({"--root", "--home", "--json", "--help"})
"""Options that every command has; told once."""
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
| 1 | findings of `check`, `memory verify`, `mcp doctor`; conflicts that `merge-file` leaves |
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
        if command.invoke_without_command:
            pieces = " ".join(command.collect_usage_pieces(ctx))
            text = cleandoc(command.help or "")
            yield f"### `{ctx.command_path}`\n\n```\n{ctx.command_path} {pieces}\n```\n\n{text}\n"
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
