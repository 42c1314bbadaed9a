"""What the gate does not tell any more: read from `.remem/baseline.yaml`, which a team shares.

How it is written is `write_baseline.py`'s; here nothing is loaded that writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from remem.core.library import Library
from remem.core.own_folder import BASELINE, shared_list
from remem.edit.yaml_read import MAX_FILE, parse_document
from remem.model.record import read_record
from remem.systems.own.records import Accepted, Baseline

Known = Mapping[str, Mapping[str, int]]
"""Of a rule: marks of places, each with how often it is known; 0 = however often."""


def known_places(library: Library) -> Known:
    """Return what the gate does not tell any more, by the ref of the rule."""
    source = shared_list(library.sources, BASELINE)
    return {} if source is None else _known(source.data)


def why_unread(library: Library) -> str:
    """Return why the baseline cannot be read; empty = it can, or there is none."""
    source = shared_list(library.sources, BASELINE)
    problems = source.problems if source is not None else ()
    return next((each.message for each in problems if each.blocks_writing), "")


@lru_cache(maxsize=8)
def accepted_in(data: bytes) -> Sequence[Accepted]:
    """Return what a baseline holds, in file order."""
    value = parse_document(data, MAX_FILE).value
    return read_record(Baseline, value if isinstance(value, Mapping) else {})[0].baseline


@lru_cache(maxsize=8)
def _known(data: bytes) -> Known:
    found: dict[str, dict[str, int]] = {}
    for item in accepted_in(data):
        marks = found.setdefault(item.rule, {})
        for place in item.places:
            mark, _, times = place.rpartition("#")[2].partition("*")
            if item.reason:
                marks[mark] = 0
            elif marks.get(mark) != 0:
                marks[mark] = max(marks.get(mark, 0), int(times) if times.isdecimal() else 1)
    return found
