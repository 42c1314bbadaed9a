"""Everything that needs a decision: derived from the library on each look, nothing is kept.

In a workspace each repository's is found as if it had been opened alone, and told apart here. What
an item's verbs write is planned in `approve.py` and beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.errors import UnknownRef
from remem.core.library import Library
from remem.core.relation.already_said import (
    ConflictNote,
    Known,
    alike,
    relation,
    tells_of_conflict,
    whole_of,
)
from remem.core.relation.normal_form import MANY, Alike, norm
from remem.core.repositories import name_of, views
from remem.core.waiting.candidate import Candidate
from remem.core.waiting.item import Item, Like, hashed, is_said_already
from remem.core.waiting.kinds import Waiting, kind_of, kinds
from remem.core.waiting.rejected import rejections
from remem.model.entry import RESTING, Entry, Ref, Status

if TYPE_CHECKING:
    from remem.core.relation.in_force import Against


_Find: TypeAlias = Callable[[Library], Iterable[Item]]


def queue(library: Library) -> tuple[Item, ...]:
    """Return all that waits, in the order of the sources and of each file.

    Entries of stores are parsed only where their bytes may make them candidates; with an open
    finding or a proposal all are, because something in force may say otherwise.
    """
    found: Sequence[Item] = _gathered(library, _waiting)
    for kind in kinds(library) if library.is_whole else ():
        if kind.is_whole:
            found = (*kind.tells(library, found), *kind.items(library))
    return tuple(found)


def items_in_queue(library: Library) -> tuple[Item, ...]:
    """Return all that waits but for whole roots; what may say otherwise is not looked for."""
    return _gathered(library, _all_waiting)


def refs_in_queue(library: Library) -> frozenset[Ref]:
    """Return the refs of `items_in_queue`."""
    return frozenset(item.ref for item in items_in_queue(library))


def at_a_glance(library: Library) -> tuple[Item, ...]:
    """Return of all that waits what no entry has to be searched for; the rest may be missing."""
    return _gathered(library, lambda view: _waiting(view, sought=False))


def _waiting(library: Library, *, sought: bool = True) -> tuple[Item, ...]:
    """Return what waits in one repository, whatever the reason."""
    asked = {kind.id: kind for kind in kinds(library) if not kind.is_whole}
    return tuple(
        _held_against(library, item, asked.get(item.waiting))
        for item in _all_waiting(library, sought=sought)
    )


def _all_waiting(library: Library, *, sought: bool = True) -> tuple[Item, ...]:
    """Return what waits in one repository, not yet held against what is in force."""
    own = [k for k in kinds(library) if not k.is_whole and (sought or not k.is_sought)]
    place = {source.path: n for n, source in reversed([*enumerate(library.sources)])}
    found: Sequence[Item] = sorted(
        (item for kind in own for item in kind.items(library)),
        key=lambda item: place[item.stands_by] if item.stands_by else len(place),
    )
    for kind in own:
        found = kind.tells(library, found)
    return tuple(_with_own_ids(found))


def _gathered(library: Library, find: _Find) -> tuple[Item, ...]:
    """Return what waits in every repository; from inside of one, what waits in that one.

    What the workspace proposes is decided where it is open, for all who inherit it.
    """
    if not library.is_whole:
        return tuple(item for item in find(library) if not library.is_shared(item.ref))
    return tuple(_named(view, item) for view in views(library) for item in _own(view, find))


def _own(view: Library, find: _Find) -> Iterator[Item]:
    """Yield what waits in one repository and not in what it shares with others."""
    name = name_of(view)
    for item in find(view):
        there = view.source_of(item.ref).repository if view.has(item.ref) else item.ref.place
        if there == name or (name and there.startswith(f"{name}/")):
            yield item


def _named(view: Library, item: Item) -> Item:
    """Return an item under its repository's name, with an id that no other repository's has."""
    name = name_of(view)
    if not name:
        return item
    return replace(item, id=hashed(name, item.id), group=f"{name} · {item.group}")


def _held_against(library: Library, item: Item, kind: Waiting | None) -> Item:
    """Let a card say what in force may say otherwise, as the reason why it waits asks for it."""
    if kind is not None and kind.is_evidence:
        return item
    is_compared = kind is not None and kind.is_compared
    return _told_of_doubt(library, item) if is_compared else _unopposed(library, item)


def _with_own_ids(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items with ids that no two share, though two say the same in one file."""
    taken: set[str] = set()
    for item in items:
        own = item
        while own.id in taken:
            own = replace(own, id=hashed(own.id, str(own.ref)))
        taken.add(own.id)
        yield own


_FORCE: Final = frozenset({"approve", "promote"})
_SUGGESTED: Final = _FORCE | {"keep", "merge"}
"""What brings a text into memory: nothing of it is suggested where it conflicts."""


def _told_of_doubt(library: Library, item: Item) -> Item:
    """Show what in force may say otherwise, whole; then nothing is suggested that adds to it."""
    from remem.core.relation.in_force import against, named_first, whole

    found = against(library, item.kind, item.title, apart={item.ref})
    if not found:
        return item
    evidence = (*item.evidence, *whole(library, found))
    told = replace(item, evidence=evidence)
    if item.suggested in _FORCE:
        why = f"{item.why}, {named_first(library, found)}: nothing is suggested"
        told = replace(told, suggested="", suggests="", why=why)
    return _told_of_conflict(library, told, found)


def _unopposed(library: Library, item: Item) -> Item:
    """Suggest nothing for a candidate that conflicts with what is in force."""
    if item.suggested not in _SUGGESTED or not library.has(item.ref):
        return item
    if library.entry(item.ref).status is not Status.CANDIDATE or is_said_already(library, item.ref):
        return item
    from remem.core.relation.in_force import against

    found = against(library, item.kind, item.title, apart={item.ref})
    return _told_of_conflict(library, item, found)


def _told_of_conflict(library: Library, item: Item, found: Sequence[Against]) -> Item:
    """Let the card say why nothing is suggested: what conflicts is never added to unasked."""
    from remem.core.relation.in_force import opposes

    first = next((each for each in islice(found, MANY) if opposes(library, each)), None)
    if first is None:
        return item
    why = f"{relation(Alike.CONTRADICTION)} `{library.short(first.key.ref)}`"
    return replace(item, suggested="", why=item.suspects[0].message if item.suspects else why)


def find_item(library: Library, name: str) -> Item:
    """Return the item with that id, an unambiguous start of it, or the ref of its entry.

    Raises:
        UnknownRef: None or several have that name.
    """
    items = queue(library)
    found = [item for item in items if item.id.startswith(name)]
    found = found or [i for i in items if name in (str(i.ref), library.short(i.ref))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownRef(f"`{name}` matches {len(found)} ids", hint="use more characters of the id")
    raise UnknownRef(
        f"no item in the queue has the id `{name}`", hint="`remem queue` lists the items to review"
    )


def likes(library: Library, item: Item) -> tuple[Like, ...]:
    """Return what an item is like: entries of its kind, best first, then rejected texts.

    What is in force nowhere any more conflicts with nothing.
    """
    from remem.core.relation.matching import likeness

    text = _whole(library, item)
    found = [
        _like(library, item, match)
        for match in alike(library, item.kind, text)
        if match.entry.ref != item.ref
        and not (match.alike is Alike.CONTRADICTION and match.entry.status in RESTING)
    ]
    for rejection in rejections(library).values():
        near = likeness(text, rejection.text) if rejection.kind == item.kind else None
        if near is not None:
            reason = f"rejected by {rejection.by} on {rejection.date}: {rejection.reason}"
            found.append(Like(None, rejection.text, near.alike, near.ratio, reason, near.because))
    return tuple(found)


def _like(library: Library, item: Item, known: Known) -> Like:
    """Return what an item is like; of two with one title what stands below decides."""
    entry, is_alike, because = known.entry, known.alike, known.because
    if is_alike is Alike.EXACT and library.has(item.ref):
        below, other = (_below(library, each) for each in (library.entry(item.ref), entry))
        if norm(below) != norm(other):
            is_alike, because = Alike.NEAR, "the text below it differs"
    return Like(entry.ref, entry.title, is_alike, known.ratio, relation(is_alike), because)


def _below(library: Library, entry: Entry) -> str:
    says_below = library.format_of(entry).facets.says_below
    return says_below(library.source_of(entry), entry) if says_below is not None else ""


def told(library: Library, item: Item) -> tuple[str, ...]:
    """Return all that a card tells of an item, a sentence each: what conflicts with it first.

    That is its evidence, what in force is like it, and what of its kind it is like.
    """
    from remem.core.relation.in_force import conflicts

    said = dict.fromkeys(item.evidence)
    if is_said_already(library, item.ref):
        return tuple(said)
    is_evidence = _is_evidence(library, item)
    if library.has(item.ref) and not is_evidence:
        entry = library.entry(item.ref)
        opposed = conflicts(library, entry) if entry.status is Status.CANDIDATE else ()
        said.update(dict.fromkeys(opposed))
    for like in likes(library, item):
        is_opposed = like.ref is not None and like.relation is Alike.CONTRADICTION
        if is_opposed and is_evidence:
            continue
        name = f"`{library.short(like.ref)}`" if like.ref is not None else ""
        # Whoever proposes something may name what it conflicts with, and say what they like of it.
        known = filter(tells_of_conflict, said) if is_opposed else said
        if name and any(name in each for each in known):
            continue
        text = " ".join(like.title.split())
        if like.ref is not None and is_opposed:
            said[ConflictNote.on(library, like.ref, text, like.because)] = None
            continue
        why = f" ({like.because})" if like.because else ""
        about = f"{like.reason} {name}{why}" if name else f"similar to a text {like.reason}"
        said[f"{about}: {text}"] = None
    return tuple(sorted(said, key=lambda each: not tells_of_conflict(each)))


def opposed(library: Library, item: Item) -> tuple[Ref, ...]:
    """Return what in force may say otherwise than an item, the likest first.

    What only counts for an entry conflicts with nothing: nothing of it would take a place.
    """
    from remem.core.relation.in_force import opposing

    if _is_evidence(library, item):
        return ()
    if is_said_already(library, item.ref):
        return ()
    kind, text = _said_by(library, item)
    says = _whole(library, item) if text == item.title else text
    return opposing(library, kind, text, whole=says, apart={item.ref})


def _is_evidence(library: Library, item: Item) -> bool:
    return any(kind.is_evidence for kind in kinds(library) if kind.id == item.waiting)


def _whole(library: Library, item: Item) -> str:
    """Return all that an item says: its entry may stand under another text."""
    says = whole_of(library, library.entry(item.ref)) if library.has(item.ref) else ""
    return says if item.title in says else item.title


def _said_by(library: Library, item: Item) -> tuple[str, str]:
    """Return the kind and the text that would come of an item: its card may begin with another."""
    entry = library.entry(item.ref) if library.has(item.ref) else None
    kind = kind_of(library, entry) if entry is not None else None
    is_own = kind is not None and kind.id == item.waiting
    coming = kind.coming(library, entry) if kind and entry and is_own else None
    return (coming.kind, coming.text) if coming is not None else (item.kind, item.title)


def own_kinds(library: Library) -> Sequence[Waiting]:
    """Return what can wait here whichever systems there are."""
    found: list[Waiting] = [Candidate()]
    if library.aside.reverted or library.aside.vanished:
        from remem.core.waiting.reverted import Removed, RevertedDecision

        found += (RevertedDecision(), Removed())
    if library.aside.unreviewed:
        from remem.core.waiting.unreviewed import WrittenSince

        found.append(WrittenSince())
    return found
