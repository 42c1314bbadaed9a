"""A command of the shell as the palette offers it, and what it printed, ready to be read."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.core.verbs.verb import Verb, Writing
from remem.model.change import Intent
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.spans import Span, Tone, span

_MOST_WORDS: Final = 3
"""Words of a command's path at most."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """One command with what it takes."""

    path: str
    """As it is typed after `remem`: `retro run`."""
    usage: str
    """What it takes, as its usage shows it: `[OPTIONS] REF...`."""
    help: str
    options: tuple[tuple[str, str], ...] = ()
    """Each option with what it does; those of every command are left out."""

    asks: Callable[[Sequence[str]], Intent | None] | None = None
    """Reads the words after it into what is asked of a verb; `None` = only the shell's can do it.

    Raises:
        NotPossible: They are no such words.
    """

    is_whole: Callable[[Sequence[str]], bool] | None = None
    """Tells whether nothing is missing in the words after it; `None` = nobody knows."""

    stands_alone: bool = False
    """Nothing has to be typed after it."""
    reads: bool = False
    """It stands alone and writes nothing: it is run as it is."""

    def is_of(self, verb: Verb) -> bool:
        """Tell whether it does what a verb does."""
        return self.path == (verb.command if isinstance(verb, Writing) else verb.id)

    def runs_with(self, rest: str) -> bool:
        """Tell whether a typed line can be run as it is: nothing is missing in it."""
        try:
            words = shlex.split(rest)
        except ValueError:
            return False
        return bool(words) and self.is_whole is not None and self.is_whole(words)

    @property
    def summary(self) -> str:
        """The first sentence of its help."""
        return self.help.partition("\n")[0]


def command_in(text: str, commands: Mapping[str, TypedCommand]) -> tuple[TypedCommand, str] | None:
    """Return the command that a typed line begins with, and what follows; `None` = nothing does.

    Args:
        text: As it was typed, with `remem` before it or without.
        commands: By their paths.
    """
    words = text.split()
    words = words[1:] if words[:1] == ["remem"] else words
    for size in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        found = commands.get(" ".join(words[:size]))
        if found is not None:
            rest = text.split(maxsplit=size + (text.split()[0] == "remem"))[-1]
            return found, rest.strip()
    return None


def command_lines(command: TypedCommand) -> Iterator[TextLine]:
    """Yield what a command takes, for the person who types it."""
    head = (Span(f"remem {command.path}", Tone.HEADING), span(f" {command.usage}", Tone.DIM))
    yield span_line(head)
    yield from (text_line(line) for line in command.help.split("\n"))
    if not command.options:
        return
    yield TextLine("")
    width = min(max(len(name) for name, _ in command.options), 28)
    for name, does in command.options:
        yield span_line((span(f"{name:<{width}}  ", Tone.KEY), span(does)))


def printed_lines(text: str) -> Iterator[TextLine]:
    """Yield what a command printed; columns that tabs part are aligned."""
    block: list[list[str]] = []
    for line in text.removesuffix("\n").split("\n"):
        cells = line.split("\t")
        if block and len(cells) != len(block[0]):
            yield from _aligned(block)
            block = []
        block.append(cells)
    yield from _aligned(block)


def _aligned(block: list[list[str]]) -> Iterator[TextLine]:
    widths = [min(max(map(len, column)), 48) for column in zip(*block, strict=True)]
    for cells in block:
        parts = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)]
        yield text_line("  ".join(parts).rstrip(), wraps=len(cells) == 1)
