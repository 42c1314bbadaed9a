"""Turns the passages of a memory file into entries, with the refs of FORMATS 3.2.

Owns how a ref is made and when it stays. It reads no bytes but for their digests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from remem.model.entry import Entry, FileSpan, Ref, Status, WholeFile, digest_of
from remem.model.layout import Part, Reader
from remem.systems.personas import squad
from remem.systems.personas.source import LESSON, PersonaSource

if TYPE_CHECKING:
    from remem.systems.personas.read import Passage

_HEX: Final = 6
"""Digits of a ref as long as they tell units apart."""


def entries_of(source: PersonaSource, found: Sequence[Passage]) -> tuple[Entry, ...]:
    """Return an entry for each passage of the file."""
    status, kind = _status(source), _kind(source)
    return tuple(
        _entry(source, index, passage, ref, status, kind)
        for index, (ref, passage) in enumerate(zip(_refs(source, found), found, strict=True))
    )


def entries_again(
    source: PersonaSource, found: Sequence[Passage], before: Sequence[Entry], head: int, tail: int
) -> tuple[Entry, ...]:
    """Return what `entries_of` would, keeping what did not change.

    Args:
        source: The file now.
        found: All its passages.
        before: The entries that it had.
        head: So many passages at its beginning are as they were.
        tail: So many at its end are as they were, moved at most.
    """
    status, kind = _status(source), _kind(source)
    refs = _new_refs(source, found, before, head, tail)
    stop, by = len(found) - tail, len(before) - len(found)
    known = {entry.ref: entry for entry in before[head : len(before) - tail]}
    made = [*before[:head]]
    for index in range(head, stop):
        entry = _entry(source, index, found[index], refs[index], status, kind)
        old = known.get(entry.ref)
        made.append(old if old is not None and old == entry else entry)
    rest = before[len(before) - tail :]
    if by or (rest and _at(source, found[stop]) != rest[0].at):
        made += [_moved(source, i, found[i], before[i + by]) for i in range(stop, len(found))]
    else:
        made += rest
    for index, ref in refs.items():
        if made[index].ref != ref:
            made[index] = _entry(source, index, found[index], ref, status, kind)
    return tuple(made)


def _new_refs(
    source: PersonaSource, found: Sequence[Passage], before: Sequence[Entry], head: int, tail: int
) -> dict[int, Ref]:
    """Return the refs of what changed, and of all whose refs go by it: twins, and clashes."""
    stop, by = len(found) - tail, len(before) - len(found)
    at = len(source.ref_id) + 1
    concerned = {_hash(found[i])[:_HEX] for i in range(head, stop)}
    concerned |= {entry.ref.id[at : at + _HEX] for entry in before[head : len(before) - tail]}
    group = [i for i in range(head) if before[i].ref.id[at : at + _HEX] in concerned]
    group += range(head, stop)
    group += [
        i for i in range(stop, len(found)) if before[i + by].ref.id[at : at + _HEX] in concerned
    ]
    return dict(zip(group, _refs(source, [found[i] for i in group]), strict=True))


def _entry(
    source: PersonaSource, index: int, passage: Passage, ref: Ref, status: Status, kind: str
) -> Entry:
    return Entry(
        ref=ref,
        kind=kind,
        title=_title(source, passage),
        status=status,
        at=_at(source, passage),
        digest=digest_of(source.data[passage.start : passage.end]),
        rank=(index,),
        context=passage.context,
        date=passage.date,
    )


def _moved(source: PersonaSource, index: int, passage: Passage, entry: Entry) -> Entry:
    return Entry(
        entry.ref,
        entry.kind,
        entry.title,
        entry.status,
        _at(source, passage),
        entry.digest,
        rank=(index,),
        context=entry.context,
        date=entry.date,
    )


def _status(source: PersonaSource) -> Status:
    if source.archived or source.part == Part.ARCHIVE:
        return Status.ARCHIVED
    return Status.CANDIDATE if source.part == Part.INBOX else Status.ACTIVE


def _kind(source: PersonaSource) -> str:
    is_decision = source.file.reader in {Reader.DECISIONS, Reader.WHOLE}
    return "decision" if is_decision else LESSON


def _at(source: PersonaSource, passage: Passage) -> FileSpan | WholeFile:
    if source.file.reader is Reader.WHOLE:
        return WholeFile(source.path)
    return FileSpan(source.path, passage.start, passage.end)


def _title(source: PersonaSource, passage: Passage) -> str:
    match source.file.reader:
        case Reader.WHOLE:
            return squad.title_of(passage.text)
        case Reader.DECISIONS:
            return squad.without_date(passage.section) or squad.title_of(passage.text)
        case _:
            return passage.text


def _refs(source: PersonaSource, found: Sequence[Passage]) -> Iterator[Ref]:
    """Yield a ref for each: six digits of its hash, more on a clash, a number for twins."""
    hashes = [_hash(passage) for passage in found]
    lengths = _lengths(set(hashes))
    seen: dict[str, int] = {}
    for full in hashes:
        count = seen[full] = seen.get(full, 0) + 1
        yield Ref(
            source.format,
            f"{source.ref_id}#{full[: lengths[full[:_HEX]]]}",
            source.place,
            twin=count if count > 1 else 0,
        )


def _hash(passage: Passage) -> str:
    text = f"{passage.section}\0{passage.text}"
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def _lengths(hashes: set[str]) -> dict[str, int]:
    """Return how many digits tell the hashes apart that share their first six."""
    groups: dict[str, list[str]] = {}
    for full in hashes:
        groups.setdefault(full[:_HEX], []).append(full)
    lengths = {}
    for start, group in groups.items():
        length = _HEX
        while len({full[:length] for full in group}) < len(group):
            length += 1
        lengths[start] = length
    return lengths
