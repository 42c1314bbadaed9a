"""A prompt that is longer than who reads it takes: where it is, and what matters most of it."""

from __future__ import annotations

from typing import Final

from remem.base.text import count
from remem.core.library import Library
from remem.model.entry import Ref
from remem.model.prompt import Prompt

_NAMED: Final = 10
"""Entries that are named where the prompt itself does not fit."""
_LONGEST: Final = 300
"""Characters of an entry that is named."""


def within_characters(library: Library, prompt: Prompt, most: int, command: str) -> str:
    """Return a prompt's text if it is short enough, else a pointer to it with its first entries.

    Args:
        library: That it was composed of.
        prompt: What was composed.
        most: Characters.
        command: What prints the whole of it.
    """
    text = f"{prompt.text}\n" if prompt.text else ""
    if len(text) <= most:
        return text
    inside = [each.ref for each in prompt.verdicts if each.is_in and library.has(each.ref)]
    refs = list(dict.fromkeys([*_by_layers(prompt, {*inside}), *inside]))
    head = (
        f"## Project memory\n\nIt has {count(len(refs), 'entry', 'entries')} for you, too long for "
        f"this place. Read it before you begin: run `{command}`, or call `memory_compose`.\n"
    )
    lines = [head, "What matters most of it:\n"]
    for ref in refs[:_NAMED]:
        entry = library.entry(ref)
        said = " ".join(entry.title.split())
        said = said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
        line = f"- **{library.short(ref)}** {said}"
        if len("\n".join([*lines, line])) + 1 > most:
            break
        lines.append(line)
    return ("\n".join(lines) + "\n")[: max(most, 0)]


def _by_layers(prompt: Prompt, inside: set[Ref]) -> list[Ref]:
    """Return the entries of a prompt, the first of each layer before the second of any."""
    columns = [
        list(
            dict.fromkeys(
                ref for line in layer.lines if (ref := line.ref) is not None and ref in inside
            )
        )
        for layer in prompt.layers
    ]
    deepest = max(map(len, columns), default=0)
    return [column[row] for row in range(deepest) for column in columns if row < len(column)]
