"""What stores of numbered records have in common: twins, free ids, fields in a field.

It knows ids and plain values; which kinds of entries there are is each format's concern.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from remem.base.errors import NotPossible
from remem.core.system import Addition
from remem.model.change import Effect, Json
from remem.model.entry import Ref

_DIGITS: Final = 3
"""Digits of a new id at least (FORMATS 0.5)."""


def twins(ids: Sequence[str]) -> dict[int, int]:
    """Return the number of each entry that shares its id: 0 for the first, then 2, 3 and so on."""
    if len(set(ids)) == len(ids):
        return {}
    places: dict[str, list[int]] = {}
    for number, name in enumerate(ids):
        if name:
            places.setdefault(name, []).append(number)
    return {
        number: 0 if turn == 1 else turn
        for numbers in places.values()
        if len(numbers) > 1
        for turn, number in enumerate(numbers, start=1)
    }


def id_in_ref(part: str, prefix: str, name: str, number: int) -> str:
    """Return what stands for an entry in its ref: its id, if no other store can hold it."""
    if not name:
        return f"{part}/{number + 1}"
    return name if name.startswith(f"{prefix}-") else f"{part}/{name}"


def next_ids(prefix: str, ids: Iterable[str], wanted: int) -> list[str]:
    """Return so many ids after the highest; those of another shape do not count."""
    shape = re.compile(rf"{prefix}-(\d+)")
    found = (shape.fullmatch(name) for name in ids)
    highest = max((int(match[1]) for match in found if match), default=0)
    return [f"{prefix}-{highest + 1 + n:0{_DIGITS}d}" for n in range(wanted)]


def need_free(name: str, taken: Collection[str]) -> None:
    """Insist that a new id is none that is there already.

    Raises:
        NotPossible: It is, or it is empty.
    """
    if not name.strip() or name in taken:
        raise NotPossible(f"the id `{name}` is taken or empty", hint="choose a free one")


def additions(refs: Iterable[Ref], path: Path, effects: tuple[Effect, ...]) -> tuple[Addition, ...]:
    """Return entries that one edit adds to one file; the effects are those of the first."""
    return tuple(Addition(ref, path, () if number else effects) for number, ref in enumerate(refs))


def whole(value: Mapping[str, Any], fields: Mapping[str, Json]) -> dict[str, Any]:
    """Return the fields to set, dotted paths put into what their field holds now."""
    wanted: dict[str, Any] = {}
    for path, new in fields.items():
        first, *rest = path.split(".")
        if not rest:
            wanted[first] = new
            continue
        if len(rest) > 1:
            raise NotPossible(f"`{path}` is too deep", hint=f"set `{first}` as a whole")
        held = wanted.get(first, value.get(first))
        inner = dict(held) if isinstance(held, Mapping) else {}
        inner[rest[0]] = new
        wanted[first] = {name: each for name, each in inner.items() if each is not None}
    return wanted
