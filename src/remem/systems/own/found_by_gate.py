"""What the gate found and nobody looked at yet: `.remem/gate.yaml`, local to a checkout.

One entry for each rule that was found broken. `violations.py` says what is made of it; this module
knows the file, and what makes two places the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from remem.base.errors import Refused
from remem.core.numbered_records import twins
from remem.edit.lines import common_prefix, common_suffix
from remem.edit.yaml_index import Index, index
from remem.edit.yaml_read import Item, Value, parse_item
from remem.model.change import Effect, Json
from remem.model.entry import Entry, FileSpan, Problem, Ref, Status, digest_of
from remem.model.record import read_record
from remem.model.source import Source
from remem.systems.own.records import GateFinding

if TYPE_CHECKING:
    from remem.edit.yaml_edit import Removal

PART: Final = "gate"
KEY: Final = "findings"
VIOLATION: Final = "violation"
"""The kind of its entries."""


def read_findings(source: Source) -> Source:
    """Return the source with an entry for each rule that was found broken."""
    found = index(source.data, KEY)
    problems = tuple(replace(problem, path=source.path) for problem in found.problems)
    items = [_item(source.data, number) for number in range(len(found.items))]
    names = [_name(_record(item), number) for number, item in enumerate(items)]
    turns = twins(names)
    entries = (
        _entry(source, found, number, Ref(source.format, name, source.place, turns.get(number, 0)))
        for number, name in enumerate(names)
    )
    return replace(source, entries=tuple(entries), problems=(*source.problems, *problems))


def finding_of(source: Source, entry: Entry) -> GateFinding:
    """Return what an entry of the file says."""
    return _record(_item(source.data, _number(source, entry)))


def fields_of(source: Source, entry: Entry) -> Mapping[str, Json]:
    """Return what an entry holds, in file order."""
    return dict(_item(source.data, _number(source, entry)).value)


def body_of(source: Source, entry: Entry) -> str:
    """Return the bytes of an entry as text."""
    start, end = index(source.data, KEY).items[_number(source, entry)]
    return source.data[start:end].decode("utf-8", "replace")


def without(source: Source, entry: Entry) -> tuple[Effect, ...]:
    """Plan to take an entry out of the file."""
    from remem.edit import yaml_splice

    number = _number(source, entry)
    _need_writable(source)
    found = index(source.data, KEY)
    return source.splices(yaml_splice.remove_item(source.data, found, number))


def rewritten(
    source: Source,
    changed: Mapping[int, Mapping[str, Value | Removal]],
    gone: Collection[int],
    new: Sequence[Mapping[str, Json]],
) -> tuple[Effect, ...]:
    """Plan to change entries of the file, take some out and add others at its end.

    Args:
        source: The file.
        changed: Fields to set, by the number of the entry, from 0.
        gone: Numbers of the entries to take out.
        new: What each added one holds.
    """
    from remem.edit import yaml_splice
    from remem.edit.yaml_edit import apply

    _need_writable(source)
    data = source.data
    for number, fields in changed.items():
        data = apply(data, yaml_splice.set_fields(data, index(data, KEY), number, fields))
    for number in sorted(gone, reverse=True):
        data = apply(data, yaml_splice.remove_item(data, index(data, KEY), number))
    if new:
        data = apply(data, yaml_splice.add_items(data, KEY, new))
    return spliced(source, data)


def spliced(source: Source, data: bytes) -> tuple[Effect, ...]:
    """Plan to give a file these bytes: only what lies between their ends is written."""
    from remem.edit.yaml_edit import Edit

    if data == source.data:
        return ()
    head = common_prefix(source.data, data)
    tail = min(common_suffix(source.data, data), len(source.data) - head, len(data) - head)
    return source.splices([Edit(head, len(source.data) - tail, data[head : len(data) - tail])])


def _need_writable(source: Source) -> None:
    if not source.is_writable:
        raise Refused(
            source.why_read_only,
            hint="remove the file; `remem check --record` recreates it",
        )


def _name(finding: GateFinding, number: int) -> str:
    return f"{PART}/{finding.rule.replace(':', '/') or number + 1}"


def _entry(source: Source, found: Index, number: int, ref: Ref) -> Entry:
    span, item = found.items[number], _item(source.data, number)
    record, faults = read_record(GateFinding, item.value)
    problems = [replace(problem, path=source.path) for problem in item.problems]
    for fault in faults:
        line = item.lines.get(fault.field, 0)
        problems.append(
            Problem(fault.code, fault.message, fault.hint, source.path, line, field=fault.field)
        )
    return Entry(
        ref=ref,
        kind=VIOLATION,
        title=record.text or record.rule,
        status=Status.CANDIDATE,
        at=FileSpan(source.path, span.start, span.end),
        digest=digest_of(source.data[span.start : span.end]),
        context=record.rule,
        date=record.date,
        problems=tuple(problems),
    )


def _record(item: Item) -> GateFinding:
    return read_record(GateFinding, item.value)[0]


@lru_cache(maxsize=512)
def _item(data: bytes, number: int) -> Item:
    return parse_item(data, index(data, KEY).items[number])


def _number(source: Source, entry: Entry) -> int:
    assert isinstance(entry.at, FileSpan)
    starts = [span.start for span in index(source.data, KEY).items]
    return starts.index(entry.at.start)
