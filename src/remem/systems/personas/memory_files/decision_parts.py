"""Which headings of a log of decisions are parts of the decision above them.

An entry takes the undated `##` headings below its `###` along, as Squad's own tool does, which
parts the log at `###` alone (`archiveDecisions` of `squad nap`, in
packages/squad-cli/src/cli/core/nap.ts, repository as of 2026-07-01): what agents write below a
decision often has headings of its own, `## Rationale`. The two headings that a log is begun with
are parts of the log, and `#` begins another decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from remem.edit.markdown import Heading
from remem.model.layout import Reader
from remem.systems.personas.read import Passage, document_of, is_dated, passages
from remem.systems.personas.source import PersonaSource

_PARTS_OF_LOG: Final = frozenset({"active decisions", "governance"})


def is_part_of(entry: Heading, other: Heading) -> bool:
    """Tell whether a heading below a decision's belongs to it, though it is not below its level."""
    is_inner = other.level == 2 and not is_dated(other)
    return entry.level == 3 and is_inner and other.title.casefold() not in _PARTS_OF_LOG


def decisions_in(source: PersonaSource) -> Iterator[Passage]:
    """Yield the decisions of a log: what stands above the first is none, nor are their parts."""
    headings = document_of(source.data).headings
    above: Heading | None = None
    for passage in passages(source):
        if passage.heading < 0:
            continue
        own = headings[passage.heading]
        if above is None or not (own.level > above.level or is_part_of(above, own)):
            above = own
            yield passage


def parts_of(source: PersonaSource, passage: Passage) -> tuple[Passage, ...]:
    """Return the entries that are parts of a decision, in their order; () = it has none."""
    if source.file.reader is not Reader.DECISIONS or passage.unit >= 0 or passage.heading < 0:
        return ()
    headings = document_of(source.data).headings
    entry = headings[passage.heading]
    end = len(source.data)
    for other in headings[passage.heading + 1 :]:
        if other.level <= entry.level and not is_part_of(entry, other):
            end = other.start
            break
    return tuple(each for each in passages(source) if passage.start < each.start < end)
