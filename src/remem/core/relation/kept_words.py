"""The words of what is in force in a run of entries, kept from one process to the next.

Of a store of ten thousand one entry is asked about at a time; what its texts are compared by is
worked out once for the same bytes.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final, NamedTuple

from remem.base.turns import give_way
from remem.core.relation.subject import Stretch, words_of
from remem.model.entry import Entry, Status
from remem.model.source import KnowsSpans, Run
from remem.store.cache import Cache

KIND: Final = "words in force"


class RunInForce(NamedTuple):
    """What is in force of a run."""

    words: Stretch
    places: list[int]
    """Place among the texts → place in the run."""


def is_in_force(entry: Entry) -> bool:
    """Tell whether an entry says something that holds."""
    return entry.status is Status.ACTIVE and bool(entry.title.strip())


def run_in_force(entries: KnowsSpans, run: Run, cache: Cache) -> RunInForce:
    """Return what is in force of a run: as it was kept, or read anew and to be kept."""
    data = cache.get(KIND, run.name)
    known = _decoded(data, run.last - run.first) if data is not None else None
    if known is not None:
        return known
    made = RunInForce(Stretch(), [])
    for place in range(run.last - run.first):
        give_way()
        entry = entries[run.first + place]
        if is_in_force(entry):
            made.words.add(entry.kind, words_of(entry.title))
            made.places.append(place)
    cache.put(_encoded(made), KIND, run.name)
    return made


def _encoded(made: RunInForce) -> bytes:
    words = made.words
    kept = [made.places, words.kinds, words.sizes, words.forms, words.places, words.about]
    return json.dumps(kept, separators=(",", ":")).encode()


def _decoded(data: bytes, length: int) -> RunInForce | None:
    """Return what was kept of a run of so many entries; `None` where it is something else."""
    with suppress(ValueError, TypeError):
        places, kinds, sizes, forms, holding, about = json.loads(data)
        if len(places) == len(kinds) == len(sizes) == len(forms) <= length:
            words = Stretch()
            words.kinds, words.sizes, words.forms = kinds, sizes, forms
            words.places, words.about = holding, about
            for place, form in enumerate(forms):
                words.same.setdefault(form, []).append(place)
            return RunInForce(words, places)
    return None
