"""The two ways out: stdout for data, stderr for messages, and what a terminal adds.

A listing goes through `safe_text`; what has to arrive byte for byte goes to a pipe as it is. Colour
is for a terminal that wants it, and never says what the words do not.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import click

from remem.base.text import count, hidden, safe_text

if TYPE_CHECKING:
    from remem.views.documents.document import Document

ELLIPSIS: Final = "…"
GAP: Final = "  "
_INDENT: Final = "    "
_READABLE: Final = 24
"""Columns that the last cell of a row has beside the others; with less it stands below them."""
NOTHING: Final = "–"
"""Stands where a field has no value."""


def emit(document: Document) -> None:
    """Print one JSON document in plain ASCII: nothing in it can be obeyed by a terminal."""
    click.echo(document.to_json())


def say(message: str) -> None:
    """Print a message on stderr; with `--quiet` only warnings and problems."""
    if _is_quiet() and not message.startswith(("warning:", "problem:")):
        return
    put_aside(f"{safe_text(message)}\n")


def _is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and getattr(context.find_root().obj, "is_quiet", False)


def put_aside(text: str) -> None:
    """Write to stderr as it is; where it takes nothing, the command goes on all the same."""
    with suppress(OSError, ValueError):  # a full disk, or a stream that was closed
        click.echo(text, err=True, nl=False)


def show_text(text: str = "", **style: Any) -> None:
    """Print lines of text that may come from disk, painted when the terminal wants it."""
    click.echo(paint(safe_text(text), **style))


def show_field(name: str, value: str = "") -> None:
    """Print a name and its value; both may come from disk."""
    label = paint(f"{safe_text(name, one_line=True)}:", bold=True)
    click.echo(f"{label} {safe_text(value)}".rstrip())


def paint(text: str, **style: Any) -> str:
    """Return `text` with the style of `click.style`; as it is where colour is not wanted."""
    if not style or os.environ.get("NO_COLOR") or not on_terminal():
        return text
    return click.style(text, **style)


def on_terminal() -> bool:
    """Tell whether stdout is read by a person."""
    return sys.stdout.isatty()


def err_on_terminal() -> bool:
    """Tell whether stderr is read by a person: progress is for nobody else."""
    return sys.stderr.isatty()


def tell_hidden(text: str, what: str) -> None:
    """Warn on stderr of characters that nobody sees in a text that goes on to somebody."""
    found = hidden(text)
    if found:
        kinds = ", ".join(sorted({each.kind for each in found}))
        say(f"warning: {count(found, 'hidden character')} in {what}: {kinds}")


def print_exact(text: str) -> None:
    """Print a text byte for byte to a pipe, and made safe on a terminal.

    Hidden characters are named on stderr: whoever pipes the text on cannot see them.
    """
    tell_hidden(text, "this text")
    if on_terminal():
        click.echo(safe_text(text), nl=not text.endswith("\n"))
        return
    click.echo(text.encode("utf-8", "surrogateescape"), nl=False)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    below: Sequence[str] = (),
    labelled: bool = False,
) -> None:
    """Print rows in columns on a terminal, and separated by tabs in a pipe.

    On a terminal the last column is cut at the edge; in a pipe nothing is.

    Args:
        headings: Of the columns.
        rows: The cells of each.
        below: For each row what stands below it on a terminal, and behind it in a pipe; it is safe
            and painted already. Empty texts take no line.
        labelled: Print the headings in a pipe too: the page has several tables.
    """
    cells = [[safe_text(cell, one_line=True) for cell in row] for row in rows]
    if not on_terminal():
        cells = [[*row, more] for row, more in zip(cells, below, strict=True)] if below else cells
        for row in (headings, *cells) if labelled and cells else cells:
            click.echo("\t".join(row))
        return
    if not cells:
        return
    widths = [max(map(cell_width, column)) for column in zip(headings, *cells, strict=True)]
    import shutil

    edge = shutil.get_terminal_size().columns
    is_stacked = edge - sum(widths[:-1]) - len(GAP) * (len(widths) - 1) < min(_READABLE, widths[-1])
    if is_stacked:
        filled = [place for place, column in enumerate(zip(*cells, strict=True)) if any(column)]
        headings, widths = [headings[at] for at in filled], [widths[at] for at in filled]
        cells = [[row[at] for at in filled] for row in cells]
    draw = _stacked if is_stacked else _line
    click.echo(paint(draw(headings, widths, edge), bold=True))
    for row, more in zip(cells, below or [""] * len(cells), strict=True):
        click.echo(draw(row, widths, edge))
        if more:
            click.echo(f"{_INDENT}{more}")


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _line(row: Sequence[str], widths: Sequence[int], edge: int) -> str:
    *firsts, last = row
    padded = (
        cell + " " * (width - cell_width(cell)) for cell, width in zip(firsts, widths, strict=False)
    )
    start = "".join(cell + GAP for cell in padded)
    return (start + _cut(last, max(edge - cell_width(start), 10))).rstrip()


def _stacked(row: Sequence[str], widths: Sequence[int], edge: int) -> str:
    """Return a row on several lines: columns that have no room beside the others stand below.

    Each cell stays below its heading, whatever cells are empty.
    """
    lines: list[str] = []
    indent, start = "", 0
    while start < len(row):
        # On the first line the last column would be cut, even where some of it fits.
        rest = (not start and widths[:-1]) or widths[start:]
        end = start + _fitting(rest, edge - len(indent))
        line = _padded(row[start:end], widths[start:end])
        lines += [indent + _cut(line, edge - len(indent))] if line else []
        indent, start = _INDENT, end
    return "\n".join(lines)


def _fitting(widths: Sequence[int], edge: int) -> int:
    """Return how many columns fit in one line; the first always does."""
    taken = 0
    for place, width in enumerate(widths):
        taken += width + (len(GAP) if place else 0)
        if taken > edge:
            return max(place, 1)
    return len(widths)


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (
        cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=False)
    )
    return GAP.join(cells).rstrip()


def _cut(text: str, width: int) -> str:
    if cell_width(text) <= width:
        return text
    taken, kept = 0, []
    for char in text:
        taken += _char_width(char)
        if taken > width - 1:
            break
        kept.append(char)
    return "".join(kept) + ELLIPSIS
