"""What an entry's `seen` tells besides places: who put it into force, and what was merged into it.

`auto: true` marks what `retro ingest` put into force and nobody looked at yet; `said` keeps the
words of what was merged. `seen` is remem's own key: SNIPER's own fields stay as documented, git
carries it, and undo undoes it with everything else. `core/waiting` says what is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from remem.core.library import Library
from remem.core.relation.normal_form import exact, norm
from remem.core.system import System
from remem.model.change import Effect, Json
from remem.model.entry import Entry, Status
from remem.model.memo import kept
from remem.model.origin import Origin, origin_of
from remem.model.source import Source, SourceKind
from remem.systems.sniper.stores import Look, StoreEntries, WordLook

_NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})
AUTO: Final = "auto"
SAID: Final = "said"
_AUTO_KEY: Final = WordLook(b"auto", re.compile(rb"auto(?<!\wauto)\b[\"']?[ \t]*:"))
_SAID_KEY: Final = WordLook(b"said", re.compile(rb"said(?<!\wsaid)\b[\"']?[ \t]*:"))


def marked(source: Source) -> Iterator[Entry]:
    """Yield the marked entries of a store; only what may be marked is parsed."""
    for entry, fields in _hinted(source, _AUTO_KEY):
        if entry.status is Status.ACTIVE and mark_of(fields):
            yield entry


@kept
def merged_texts(source: Source) -> Mapping[str, Entry]:
    """Return normal form → entry of all that was merged into entries of a store."""
    return {
        norm(text): entry
        for entry, fields in _hinted(source, _SAID_KEY)
        for one in _seen(fields)
        if isinstance(text := one.get(SAID), str)
    }


def merged_into(library: Library, kind: str, text: str) -> Entry | None:
    """Return the entry into which something with that text was merged."""
    form = norm(text)
    for source in library.sources:
        if source.kind is SourceKind.STORE and source.may_hold(kind):
            entry = merged_texts(source).get(form)
            if entry is not None:
                return entry
    return None


def noted(
    each: System,
    source: Source,
    entry: Entry,
    seen: Mapping[str, Json],
    says: str,
    fields: Mapping[str, Json] = _NOTHING,
) -> tuple[Effect, ...]:
    """Plan to note in `seen` that an entry was met, once for each place and text.

    Args:
        each: The system that keeps the entry.
        source: Where it stands.
        entry: It.
        seen: Where it was met.
        says: In which words; kept where they are others than its own.
        fields: What else is set.
    """
    item = {**seen} if exact(says, entry.title) else {**seen, SAID: says}
    held = each.reader.fields(source, entry).get("seen")
    known = held if isinstance(held, list) else []
    places = [(one.get("ref"), one.get(SAID)) for one in known if isinstance(one, Mapping)]
    if (item["ref"], item.get(SAID)) not in places:
        fields = {**fields, "seen": [*known, item]}
    return each.keeper.edit(source, entry, fields) if fields else ()


def united_seen(mine: Mapping[str, Json], theirs: Mapping[str, Json], said: str) -> dict[str, Json]:
    """Return `seen` with where the other entry was met, where it came from and why.

    Args:
        mine: Fields of the entry that stays.
        theirs: Of the one that goes.
        said: The text of that, where it is another one; else empty.
    """
    known: list[Json] = [*(looked_at(mine) or ())]
    for one in (*_origin_as_seen(mine, theirs, said), *(looked_at(theirs) or ())):
        if one not in known:
            known.append(one)
    return {} if known == mine.get("seen", []) else {"seen": known or None}


REASONS: Final = ("rationale", "why_bad", "context")
"""Fields that say what an entry rests on."""


def _origin_as_seen(
    mine: Mapping[str, Json], theirs: Mapping[str, Json], said: str
) -> Iterator[dict[str, Json]]:
    origin = origin_of(theirs) or Origin()
    reasons = [str(theirs.get(name) or "") for name in REASONS]
    known = {str(mine.get(name) or "") for name in REASONS}
    new = "; ".join(each for each in reasons if each.strip() and each not in known)
    mine_from = origin_of(mine) or Origin()
    if not (new or said) and origin.ref in ("", mine_from.ref):
        return
    item: dict[str, Json] = {"ref": origin.ref, "date": origin.date}
    if origin.story:
        item["stories"] = [origin.story]
    item |= {name: each for name, each in ((SAID, said), ("evidence", new)) if each}
    yield item


def _hinted(source: Source, key: Look) -> Iterator[tuple[Entry, Mapping[str, Any]]]:
    """Yield the entries in whose bytes a key seems to stand, with their fields."""
    entries = source.entries
    if isinstance(entries, StoreEntries):
        for number in entries.hinted(key):
            yield entries[number], entries.value(number)


def mark_of(fields: Mapping[str, Any]) -> str:
    """Return the retro that brought an entry in by itself; empty = it is not marked."""
    return next((str(one.get("ref") or "") for one in _seen(fields) if one.get(AUTO) is True), "")


def looked_at(fields: Mapping[str, Any]) -> list[Any] | None:
    """Return `seen` without marks; a place that says no more than `source` does goes with them."""
    kept: list[Any] = []
    for one in fields.get("seen") or ():
        if not isinstance(one, Mapping) or one.get(AUTO) is not True:
            kept.append(one)
            continue
        plain = {key: value for key, value in one.items() if key != AUTO}
        if not _is_said_by_source(plain, fields):
            kept.append(plain)
    return kept or None


def _seen(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    seen = fields.get("seen")
    return (one for one in (seen if isinstance(seen, list) else ()) if isinstance(one, Mapping))


def _is_said_by_source(place: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Tell whether `source` keeps all of a place; the stories that it was met in it does not."""
    source = fields.get("source")
    said = source if isinstance(source, Mapping) else {}
    return all(name in said and said[name] == value for name, value in place.items())
