"""What was rejected before: looked up, and recorded so that it does not come back (FORMATS 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.curation.draft import Draft
from remem.disk import yaml_splice
from remem.disk.yaml_read import parse_document
from remem.disk.yaml_write import render
from remem.errors import Refused
from remem.formats.own import FOLDER, REJECTED, ignore_file
from remem.formats.protocol import Ground
from remem.formats.splices import as_splices
from remem.library import Library
from remem.model.change import Create, Json
from remem.model.own import Rejection, Rejections
from remem.model.similar import fingerprint
from remem.model.source import Source
from remem.model.tolerant import read_record

NO_REASON: Final = "no reason given"
UNKNOWN: Final = "unknown"


def rejections(library: Library) -> Mapping[str, Rejection]:
    """Return what was rejected at this root by fingerprint; the first of two counts."""
    source = _source(library)
    return {} if source is None else _by_fingerprint(source.data)


def suppressed(library: Library, kind: str, text: str) -> Rejection | None:
    """Return the rejection that keeps this text of that kind from being proposed again."""
    return rejections(library).get(fingerprint(kind, text))


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent away, as it will be kept."""

    kind: str
    text: str
    source: str
    """Retro stem, pack file, `mcp`, or story id."""


def record(draft: Draft, sent: Sequence[Sent], reason: str) -> None:
    """Add rejections to the draft; what was rejected before stays as it is.

    Raises:
        Refused: The list of rejections cannot be written.
    """
    library = draft.library
    known = set(rejections(library))
    items: list[dict[str, Json]] = []
    for each in sent:
        item = _item(library.ground, each, reason)
        if item["fingerprint"] not in known:
            known.add(str(item["fingerprint"]))
            items.append(item)
    there = _source(library)
    if there is None and items:
        path = library.ground.root / FOLDER / _NAME
        rejected: list[Json] = list(items)
        draft.take((*ignore_file(library.ground), Create(path, render({REJECTED: rejected}))))
    elif there is not None:
        _append(draft, there, items)


def _append(draft: Draft, there: Source, items: Sequence[dict[str, Json]]) -> None:
    if items and not there.is_writable:
        raise Refused(
            f"`{there.path}` is shown and not written, so the rejection cannot be kept",
            hint="mend what `remem status` reports",
        )
    for item in items:
        draft.take(as_splices(there, yaml_splice.add_item(there.data, REJECTED, item)))
        (there,) = (each for each in draft.sources(there.format) if each.path == there.path)


def _item(ground: Ground, sent: Sent, reason: str) -> dict[str, Json]:
    return {
        "fingerprint": fingerprint(sent.kind, sent.text),
        "kind": sent.kind,
        "text": sent.text,
        "reason": reason.strip() or NO_REASON,
        "by": ground.by or UNKNOWN,
        "date": ground.clock.today().isoformat(),
        "source": sent.source or UNKNOWN,
    }


_NAME: Final = Path("rejected.yaml")


def _source(library: Library) -> Source | None:
    return next((each for each in library.of_format("remem") if each.part == REJECTED), None)


@lru_cache(maxsize=8)
def _by_fingerprint(data: bytes) -> Mapping[str, Rejection]:
    value = parse_document(data).value
    if not isinstance(value, Mapping):
        return {}
    record, _ = read_record(Rejections, value)
    return {each.fingerprint: each for each in reversed(record.rejected)}
