"""A start as one sum: a row for each file, each description that is listed, and what else there is.

The tokens of the rows are exactly those of the start: of a list, a row has what it adds to the rows
before it. What nobody can count has a row without a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from remem.base.frozen import dataclass
from remem.core.prompt.counter import Counter
from remem.model.loader import HOOK_PRINTS
from remem.model.prompt import BETWEEN_LAYERS, Layer, Line, Prompt


class RowKind(StrEnum):
    """What a row of a start is."""

    FILE = "file"
    SKILL = "skill"
    """The description of a skill or a command."""
    AGENT = "agent"
    """The description of an agent."""
    RULE = "rule"
    """What is told of a rule for some files: globs, path, description."""
    NAME = "name"
    """The name of a memory."""
    LAYER = "layer"
    """A section that remem composes, or text that is of no file."""
    BETWEEN = "between"
    """The blank lines between layers: what the whole text has more than they have one by one."""
    HOOK = "hook"
    UNKNOWN = "unknown"
    """What the tool adds itself."""


@dataclass(frozen=True, slots=True)
class SumRow:
    """One row of a start."""

    kind: RowKind
    name: str
    tokens: int | None
    """`None` = nobody can count it."""
    path: Path | None = None
    also: str = ""
    """What a skill calls itself, where that is another name than its folder's."""


def is_list(layer: Layer) -> bool:
    """Tell whether a part lists files by name or description, instead of holding them."""
    return any(line.path is not None and not line.number for line in layer.lines)


def sum_rows(prompt: Prompt, counter: Counter) -> tuple[SumRow, ...]:
    """Return the rows of a start, in loading order; their tokens are the start's."""
    rows: dict[tuple[object, ...], SumRow] = {}
    for row in (*_loaded(prompt, counter), *_uncounted(prompt)):
        key = (row.kind, row.path or row.name, row.name)
        known = rows.get(key)
        both = known is not None and known.tokens is not None and row.tokens is not None
        if known is not None and both:
            rows[key] = replace(known, tokens=(known.tokens or 0) + (row.tokens or 0))
        else:
            rows[key] = row
    return tuple(rows.values())


def _loaded(prompt: Prompt, counter: Counter) -> Iterator[SumRow]:
    for layer in prompt.layers:
        if is_list(layer):
            yield from _listed(layer, counter)
            continue
        path = next((line.path for line in layer.lines if line.path is not None), None)
        is_file = prompt.as_loaded and path is not None
        kind = RowKind.FILE if is_file else RowKind.LAYER
        yield SumRow(kind, layer.name, layer.tokens, path if is_file else None)
    if prompt.between:
        yield SumRow(RowKind.BETWEEN, BETWEEN_LAYERS, prompt.between)


def _listed(layer: Layer, counter: Counter) -> Iterator[SumRow]:
    """Yield a row for each file of a list, with what its lines add to those before."""
    items: list[list[Line]] = []
    for line in layer.lines:
        if items and items[-1][0].path == line.path:
            items[-1].append(line)
        else:
            items.append([line])
    text, before = "", 0
    for at, item in enumerate(items):
        more = "\n".join(line.text for line in item)
        text = f"{text}\n{more}" if at else more
        after = counter.count(text) if at < len(items) - 1 else layer.tokens
        yield _row(layer, item[0], after - before)
        before = after


def _row(layer: Layer, first: Line, tokens: int) -> SumRow:
    described = (RowKind.SKILL, RowKind.AGENT, RowKind.RULE)
    kind = next((k for k in described if k.value in layer.name), RowKind.NAME)
    if kind is RowKind.RULE:
        return SumRow(kind, first.source, tokens, first.path)
    if kind is RowKind.NAME:
        return SumRow(kind, first.text, tokens, first.path)
    called = first.text.removeprefix("- ").partition(": ")[0]
    name, _, also = called.partition(" (")
    return SumRow(kind, name, tokens, first.path, also.removesuffix(")"))


def _uncounted(prompt: Prompt) -> Iterator[SumRow]:
    for each in prompt.unseen:
        kind = RowKind.HOOK if each.startswith(HOOK_PRINTS) else RowKind.UNKNOWN
        yield SumRow(kind, each, None)
