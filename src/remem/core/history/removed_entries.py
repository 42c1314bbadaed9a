"""Entries of a store that a change took out and whose place is gone: read from what it took.

They come back as new ones at the end of their list, under their own id where that is free. It
plans nothing by itself; `removed.py` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from remem.base.errors import NotPossible
from remem.core.library import Library
from remem.core.system import Addition, AddsMany
from remem.edit.yaml_read import parse_document
from remem.model.change import Json
from remem.model.entry import Entry
from remem.model.source import Source
from remem.store.steps import Edited, Removed

_ITEM: Final = re.compile(r"( *)- ")
Kept = tuple[str, Mapping[str, Json]]
"""Kind and fields of an entry."""


def lost_entries(
    library: Library, source: Source, step: Edited | Removed, has: Callable[[str], bool]
) -> list[Kept]:
    """Return the entries that a step took out of a store.

    Args:
        library: Knows how the store is read.
        source: The store as it stands.
        step: What was done to it.
        has: Tells whether a text is one that is looked for.
    """
    if isinstance(step, Removed):
        return [*_read(library, source, step.data, has)]
    key = _list_key(source.data)
    if not key:
        return []
    texts = [(p.above + p.old + p.below).decode("utf-8", "replace") for p in step.patches]
    blocks = dict.fromkeys(block for text in texts for block in _items(text) if has(block))
    alone = (f"{key}:\n{block}".encode() for block in blocks)
    return [kept for data in alone for kept in _read(library, source, data, has)]


def add_back(library: Library, source: Source, lost: Sequence[Kept]) -> tuple[Addition, ...]:
    """Plan to add entries at the end of their list, each under its own id if that is free.

    Raises:
        NotPossible: The format adds no such entries, or not several at once.
    """
    form, ground = library.format(source.format), library.ground
    kind = lost[0][0]
    if kind not in form.kinds or any(each != kind for each, _ in lost):
        raise NotPossible(
            f"`{source.name}` takes no {kind} at its end",
            hint="copy its text from `remem history` into the file",
        )
    taken = {entry.ref.id for entry in source.entries}
    fields: list[Mapping[str, Json]] = []
    for _, each in lost:
        is_free = each.get("id") not in taken
        fields.append({name: v for name, v in each.items() if name != "id" or is_free})
        taken.add(str(each.get("id")))
    sources = library.of_format(source.format)
    if len(fields) == 1:
        return (form.add(ground, sources, kind, fields[0]),)
    if not isinstance(form, AddsMany):
        raise NotPossible(
            f"`{source.name}` takes one {kind} at a time", hint="look for a longer phrase"
        )
    return form.add_all(ground, sources, kind, fields)


def _read(
    library: Library, source: Source, data: bytes, has: Callable[[str], bool]
) -> Iterator[Kept]:
    form = library.format(source.format)
    read = form.read(replace(source, problems=()), data)
    standing = {entry.title for entry in source.entries}
    for entry in read.entries:
        if has(form.body(read, entry)) and _is_sound(entry) and entry.title not in standing:
            yield entry.kind, form.fields(read, entry)


def _is_sound(entry: Entry) -> bool:
    return not any(problem.blocks_writing for problem in entry.problems)


def _list_key(data: bytes) -> str:
    """Return the key of the one list that a store holds; empty where that is not so."""
    value = parse_document(data).value
    keys = (
        [key for key, each in value.items() if each is None or isinstance(each, list)]
        if (isinstance(value, dict))
        else []
    )
    return str(keys[0]) if len(keys) == 1 else ""


def _items(text: str) -> Iterator[str]:
    """Yield each whole item of a list: from its dash to the next one that stands as far left."""
    lines = text.splitlines(keepends=True)
    starts = [
        (number, len(match[1])) for number, line in enumerate(lines) if (match := _ITEM.match(line))
    ]
    if not starts:
        return
    left = min(indent for _, indent in starts)
    heads = [number for number, indent in starts if indent == left]
    for head, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        yield "".join(lines[head:following])
