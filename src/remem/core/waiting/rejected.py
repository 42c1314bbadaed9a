"""What was rejected before: looked up, and recorded so that it does not come back (FORMATS 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.own_folder import REJECTED, shared_list
from remem.core.relation.normal_form import fingerprint, norm
from remem.edit.yaml_read import parse_document
from remem.model.proposals_and_rejections import Rejection, Rejections
from remem.model.record import read_record
from remem.model.source import Source

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
    return known.get(fingerprint_of(kind, text, whose)) or known.get(fingerprint(kind, text))


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


def fingerprint_of(kind: str, text: str, whose: str) -> str:
    """Return what a rejection is found again by."""
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


@lru_cache(maxsize=8)
def _by_fingerprint(data: bytes) -> Mapping[str, Rejection]:
    value = parse_document(data).value
    if not isinstance(value, Mapping):
        return {}
    record, _ = read_record(Rejections, value)
    return {each.fingerprint: each for each in reversed(record.rejected)}
