"""What was rejected before: looked up, and recorded so that it does not come back (FORMATS 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.own_folder import FOLDER, REJECTED, ignore_file, shared_list
from remem.core.relation.similar import fingerprint, norm
from remem.edit import yaml_splice
from remem.edit.yaml_read import parse_document
from remem.edit.yaml_write import render
from remem.model.aside import REVERTED, words_of
from remem.model.change import Create, Effect, Json
from remem.model.decision import Rejection, Rejections
from remem.model.decode import read_record
from remem.model.entry import Ref
from remem.model.source import MEND, Source

NO_REASON: Final = "no reason given"
UNKNOWN: Final = "unknown"


def rejections(library: Library) -> Mapping[str, Rejection]:
    """Return what was rejected at this root by fingerprint; the first of two counts."""
    return rejected_in(library.sources)


def rejected_in(sources: Sequence[Source]) -> Mapping[str, Rejection]:
    """Return what was rejected, by fingerprint, where only the sources are at hand."""
    source = shared_list(sources, REJECTED)
    return {} if source is None else _by_fingerprint(source.data)


def suppressed(library: Library, kind: str, text: str, whose: str = "") -> Rejection | None:
    """Return the rejection that keeps this text of that kind from being proposed again.

    Args:
        library: What was rejected there.
        kind: Of the text.
        text: What it says.
        whose: The key of the persona that learnt it: what one of them is not to learn, another
            may. A record without a persona stands for all of them.
    """
    known = rejections(library)
    return known.get(_fingerprint(kind, text, whose)) or known.get(fingerprint(kind, text))


_TWO: Final = "both"
"""The kind of two texts that a person keeps though they conflict."""


def both(one: str, other: str) -> Sent:
    """Return what is kept of two texts that conflict and both stay, whichever comes first."""
    return Sent(_TWO, "\n".join(sorted((norm(one), norm(other)))), "kept both")


def kept_both(sources: Sequence[Source]) -> Callable[[str, str], bool] | None:
    """Return what tells of two texts whether a person keeps both; `None` = of none is that said."""
    known = {mark for mark, each in rejected_in(sources).items() if each.kind == _TWO}
    if not known:
        return None
    return lambda one, other: fingerprint(_TWO, both(one, other).text) in known


def _fingerprint(kind: str, text: str, whose: str) -> str:
    return fingerprint(f"{kind}\0{whose}" if whose else kind, text)


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent away, as it will be kept."""

    kind: str
    text: str
    source: str
    """Retro stem, pack file, `mcp`, or story id."""
    whose: str = ""
    """The key of the persona that learnt it; empty = it is nobody's own."""


def record(draft: Draft, sent: Sequence[Sent], reason: str) -> None:
    """Add rejections to the draft; what was rejected before stays as it is.

    Raises:
        Refused: The list of rejections cannot be written.
    """
    library = draft.library
    known = set(rejections(library))
    items: list[dict[str, Json]] = []
    for each in sent:
        item = _item(library, each, reason)
        if item["fingerprint"] not in known:
            known.add(str(item["fingerprint"]))
            items.append(item)
    there = shared_list(library.sources, REJECTED)
    if there is None and items:
        path = library.ground.root / FOLDER / _NAME
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


def _item(library: Library, sent: Sent, reason: str) -> dict[str, Json]:
    return {
        "fingerprint": _fingerprint(sent.kind, sent.text, sent.whose),
        "kind": sent.kind,
        "text": sent.text,
        "reason": reason.strip() or NO_REASON,
        "by": library.by or UNKNOWN,
        "date": library.ground.given.clock.today().isoformat(),
        "source": sent.source or UNKNOWN,
    }


_NAME: Final = Path("rejected.yaml")


@lru_cache(maxsize=8)
def _by_fingerprint(data: bytes) -> Mapping[str, Rejection]:
    value = parse_document(data).value
    if not isinstance(value, Mapping):
        return {}
    record, _ = read_record(Rejections, value)
    return {each.fingerprint: each for each in reversed(record.rejected)}
