"""Writes down what a person rejected, left as it is, or keeps as a candidate.

What is written is read in `rejected.py` and `candidate.py`, which a queue is drawn with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from remem.base.errors import Refused
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.own_folder import FOLDER, KEPT, REJECTED, ignore_file, shared_file, shared_list
from remem.core.waiting.candidate import fingerprint_met
from remem.core.waiting.rejected import NO_REASON, UNKNOWN, Sent, fingerprint_of, rejections
from remem.edit import yaml_splice
from remem.edit.yaml_index import index
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.change import Create, Effect, Json
from remem.model.done_by_others import REVERTED, words_of
from remem.model.entry import Entry, Ref
from remem.model.source import MEND, Source

_REJECTED: Final = Path("rejected.yaml")
_KEPT: Final = Path(f"{KEPT}.yaml")


def record(draft: Draft, sent: Sequence[Sent], reason: str) -> None:
    """Add rejections to the draft; what was rejected before stays as it is.

    Raises:
        Refused: The list of rejections cannot be written.
    """
    library = draft.library
    known = set(rejections(library))
    items: list[dict[str, Json]] = []
    for each in sent:
        item = _rejection(library, each, reason)
        if item["fingerprint"] not in known:
            known.add(str(item["fingerprint"]))
            items.append(item)
    there = shared_list(library.sources, REJECTED)
    if there is None and items:
        path = library.ground.root / FOLDER / _REJECTED
        rejected: list[Json] = list(items)
        draft.take((*ignore_file(library.ground), Create(path, render({REJECTED: rejected}))))
    elif there is not None:
        _append(draft, there, items)


def leaving(library: Library, shown: Mapping[Ref, str], reason: str = "") -> tuple[Effect, ...]:
    """Return what keeps that a person left what another writer made of entries."""
    draft, aside = Draft(library), library.aside
    sent: list[Sent] = []
    for ref, digest in shown.items():
        reverted, lost = aside.reverted_at(ref), aside.vanished_at(ref)
        if reverted is not None:
            if library.has(ref):
                library.entry(ref, digest)
            sent.append(Sent(REVERTED, words_of(reverted), reverted.change))
        elif lost is not None:
            sent.append(Sent(lost.kind, lost.title, lost.path.stem))
    record(draft, sent, reason)
    return draft.effects()


def _append(draft: Draft, there: Source, items: Sequence[dict[str, Json]]) -> None:
    if items and not there.is_writable:
        raise Refused(
            f"`{there.path}` is read-only here, so the rejection cannot be saved",
            hint=MEND,
        )
    for item in items:
        draft.take(there.splices(yaml_splice.add_item(there.data, REJECTED, item)))
        (there,) = (each for each in draft.sources(there.format) if each.path == there.path)


def _rejection(library: Library, sent: Sent, reason: str) -> dict[str, Json]:
    return {
        "fingerprint": fingerprint_of(sent.kind, sent.text, sent.whose),
        "kind": sent.kind,
        "text": sent.text,
        "reason": reason.strip() or NO_REASON,
        "by": library.by or UNKNOWN,
        "date": library.ground.given.clock.today().isoformat(),
        "source": sent.source or UNKNOWN,
    }


def remember_kept(draft: Draft, refs: Iterable[Ref]) -> None:
    """Plan to remember that these stay candidates, as what was drafted so far leaves them.

    Raises:
        Refused: The list cannot be written.
    """
    library = draft.library
    ground = library.ground
    wanted = set(refs)
    items = [
        _kept(library, source, entry)
        for name in dict.fromkeys(ref.format for ref in wanted)
        for source in draft.sources(name)
        for entry in source.entries
        if entry.ref in wanted
    ]
    there = shared_list(library.sources, KEPT)
    if there is None:
        path = ground.root / FOLDER / _KEPT
        kept: list[Json] = list(items)
        draft.take((*ignore_file(ground), Create(path, render({KEPT: kept}))))
    else:
        _write(draft, there, items)
    draft.take(shared_file(ground, str(_KEPT)))


def _kept(library: Library, source: Source, entry: Entry) -> dict[str, Json]:
    return {
        "ref": str(entry.ref.without_place()),
        "fingerprint": fingerprint_met(library, source, entry),
        "date": library.ground.given.clock.today().isoformat(),
        "by": library.by or UNKNOWN,
    }


def _write(draft: Draft, there: Source, items: Iterable[Mapping[str, Json]]) -> None:
    if not there.is_writable:
        raise Refused(
            f"`{there.path}` is read-only here, so the decision cannot be saved",
            hint=MEND,
        )
    for item in items:
        spans = index(there.data, KEPT)
        numbers = [n for n, ref in enumerate(_refs(there.data)) if ref == item["ref"]]
        if numbers:
            edits = yaml_splice.set_fields(there.data, spans, numbers[-1], dict(item))
        else:
            edits = yaml_splice.add_item(there.data, KEPT, item)
        draft.take(there.splices(edits))
        (there,) = (each for each in draft.sources(there.format) if each.path == there.path)


def _refs(data: bytes) -> list[str]:
    value = parse_document(data).value
    items = value.get(KEPT) if isinstance(value, Mapping) else None
    listed = items if isinstance(items, list) else []
    return [str(each.get("ref")) if isinstance(each, Mapping) else "" for each in listed]
