"""What waits for a person, as every door shows it; `queue.py` finds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from remem.base.frozen import dataclass
from remem.core.checks.secrets import Finding as Suspect
from remem.core.checks.secrets import examine
from remem.core.library import Library
from remem.core.relation.normal_form import Alike, fingerprint
from remem.model.change import Intent, Json, texts_in
from remem.model.entry import Ref
from remem.model.memo import kept
from remem.model.source import Source

if TYPE_CHECKING:
    from remem.core.draft import Draft


class Why(StrEnum):
    """Why an item waits; part of its id."""

    CANDIDATE = "candidate"
    FINDING = "finding"
    GATE_FAILURE = "gate-failure"
    RECURRENCE = "recurrence"
    ADDED = "added"
    """auto-added by `retro ingest` · not reviewed."""
    PROPOSAL = "proposal"
    STALE = "stale"
    """The code that proves it moved, changed or went."""
    OBSERVED = "observed"
    """Agents observed it in a story, and it was not counted yet."""
    SHARED = "shared"
    """Several repositories of a workspace have it."""
    VIOLATED = "violated"
    """The gate found it broken, and nobody looked at that yet."""
    DETECT = "detect"
    """What its hint says could be checked by machine, and is not."""
    OVERRIDE = "override"
    """A repository says otherwise than its workspace, and agents get both."""
    REVERTED = "reverted"
    """A person decided on it, and another writer took that back."""
    WRITTEN = "written"
    """It is new since a person looked."""
    REWRITTEN = "rewritten"
    """It was changed since a person looked."""
    TAKEN_OUT = "taken-out"
    """It was removed since a person looked."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that waits for a person."""

    id: str
    """12 hexadecimal digits, the same as long as the text is (FORMATS 7)."""
    ref: Ref
    digest: str
    """Of the entry that was looked at; goes into the intent."""
    kind: str
    """The entry that it is or would become: `convention`."""
    title: str
    group: str
    """The retro or the source that it is shown under."""
    source: str
    """Name of the source that it stands in."""
    why: str
    """One sentence without a full stop."""
    reason: Why
    evidence: tuple[str, ...]
    roles: tuple[str, ...] | None
    suggested: str
    """Id of the verb that remem would use; empty = none."""
    verbs: tuple[str, ...]
    phases: tuple[str, ...] = ()
    """Phases of a protocol that it is for; empty = all."""
    suspects: tuple[Suspect, ...] = ()
    """Hidden characters, secrets, risky instructions in what it would bring into memory."""
    waiting: str = ""
    """Id of the kind that it waits for, which knows what each verb does with it."""
    suggests: str = ""
    """What the suggested verb is called here; empty = by its own name."""
    stands_by: Path | None = None
    """The file in whose order it is listed; `None` = after all that have one."""


@dataclass(frozen=True, slots=True)
class Like:
    """An entry, or a rejected text, that an item resembles."""

    ref: Ref | None
    """`None` = it was rejected before."""
    title: str
    relation: Alike
    ratio: float
    reason: str
    """One sentence without a full stop: why it matters."""
    because: str = ""
    """What decided it, as a clause; empty where they say the same."""


def item_ids(drawn: Iterable[object]) -> tuple[str, ...]:
    """Return the ids of the items among what was drawn, for the intent that decides on it."""
    return tuple(each.id for each in drawn if isinstance(each, Item))


def kinds_drawn(drawn: Iterable[object]) -> dict[Ref, str]:
    """Return which kind of waiting was on the card of each item among what was drawn."""
    return {each.ref: each.waiting for each in drawn if isinstance(each, Item)}


def suspects_in(texts: tuple[str, ...]) -> tuple[Suspect, ...]:
    """Return what in these texts nobody should approve unseen; each text is examined once."""
    found = (suspect for text in dict.fromkeys(texts) for suspect in _examined(text))
    return tuple(found)


def reworded(item: Item, fields: Mapping[str, Json]) -> Item:
    """Return an item with what is suspicious in the words that approving it would write."""
    if not item.suspects:
        return item
    suspects = suspects_in(tuple(texts_in(fields)))
    why = suspects[0].message if suspects else "edited on this card"
    return replace(item, suspects=suspects, why=why)


@lru_cache(maxsize=4096)
def _examined(text: str) -> tuple[Suspect, ...]:
    return examine(text)


def item_id(library: Library, why: Why, source: Source, kind: str, text: str) -> str:
    """Return the id of what waits in a source: the same as long as its text is."""
    return hashed(why, place_of(library, source.path), fingerprint(kind, text))


def place_of(library: Library, path: Path) -> str:
    """Return a path as ids hold it: relative to the root, so that every clone has the same."""
    root = library.ground.root
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def hashed(*parts: str) -> str:
    """Return 12 hexadecimal digits of these parts."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


class Evidence(Protocol):
    """What was found out about one entry, and waits beside it."""

    is_said_already: bool = False
    """Its text is in force already: approving it adds nothing that could conflict."""

    def told(self, item: Item) -> Item:
        """Return the card of the entry, which waits, with what was found said on it."""
        ...

    def count(self, draft: Draft, intent: Intent) -> None:
        """Plan to note in the entry what was found: a person puts it into force."""
        ...


@kept
def evidence(library: Library) -> Mapping[Ref, Evidence]:
    """Return what any system found out about entries, by their refs; the first system counts."""
    known: dict[Ref, Evidence] = {}
    for each in library.formats:
        if each.facets.evidence is not None:
            known = {**each.facets.evidence(library), **known}
    return known


def is_said_already(library: Library, ref: Ref) -> bool:
    """Tell whether the text of what waits is in force already, as its evidence says."""
    found = evidence(library).get(ref)
    return found is not None and found.is_said_already
