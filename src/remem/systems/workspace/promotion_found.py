"""What several repositories of a workspace say: proposed to be said once, for all of them.

It is looked for only where the whole workspace is open, and nothing is ever promoted by it: that is
a person's verb, whatever `auto_promote` says (FORMATS 1.13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.relation.alike_in_library import Alikes
from remem.core.relation.matching import Matcher
from remem.core.relation.normal_form import Alike, exact, fingerprint, norm
from remem.core.relation.pairs import pairs_among
from remem.core.repositories import within
from remem.core.verbs.args import EVERY_VERBS
from remem.core.verbs.verbs import planned, verb
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.kinds import Act, Waiting
from remem.core.waiting.rejected import rejections
from remem.model.change import Change, Intent, texts_in
from remem.model.entry import Entry, Ref, Status
from remem.model.memo import kept_together
from remem.model.source import Source, SourceKind
from remem.store.cache import Cache
from remem.systems.sniper.records import ANTI_PATTERN, CONVENTION, DECISION, FINDING
from remem.systems.workspace.records import LEAVE, PROMOTE, WORKSPACE

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject

PROPOSAL: Final = "promotion"
"""The kind under which it is kept that a proposal was turned down."""
SNIPER: Final = "sniper"
KINDS: Final = (CONVENTION, ANTI_PATTERN, DECISION)
_GROUP: Final = "workspace"
_FINDINGS: Final = frozenset({Why.FINDING, Why.GATE_FAILURE, Why.RECURRENCE})
_SHOWN: Final = 6
"""Repositories that a card names; the others are counted."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Entries in force in several repositories that say the same, or nearly."""

    entries: tuple[Entry, ...]
    """In the order of the repositories; the first would be taken up."""
    is_exact: bool

    @property
    def first(self) -> Entry:
        return self.entries[0]


def shared(library: Library) -> Mapping[Ref, Shared]:
    """Return what is proposed, by the entry that would be taken up; {} inside of a repository."""
    if not library.is_whole:
        return {}
    known = _FOUND.get(library)
    if known is None:
        refused = rejections(within(library, ""))
        known = _FOUND[library] = {
            each.first.ref: each
            for each in _groups(_stores(library), library.ground.given.cache)
            if fingerprint(PROPOSAL, each.first.title) not in refused
        }
    return known


class SharedByRepositories(Waiting):
    """An entry that several repositories have, to be said once for all of them."""

    id = "shared"
    order = 90
    is_whole = True

    def items(self, library: Library) -> Iterator[Item]:
        for each in shared(library).values():
            yield _item(library, each)

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        if ref not in shared(library):
            return {}
        promote = Act(_plan_promotion, verb(PROMOTE).title)
        return {PROMOTE: promote, "approve": promote, "reject": Act(_plan_leaving)}

    def tells(self, library: Library, items: Sequence[Item]) -> Sequence[Item]:
        return _told_of_others(library, items)


def _plan_promotion(library: Library, intent: Intent, _: Approve) -> Change:
    seen = {name: each for name, each in intent.arguments.items() if name in EVERY_VERBS}
    asked = replace(intent, verb=PROMOTE, arguments=seen)
    return planned(library, asked)


def _plan_leaving(library: Library, intent: Intent, args: Reject) -> Change:
    asked = replace(intent, verb=LEAVE, arguments={"reason": args.reason})
    return planned(library, asked)


def _told_of_others(library: Library, items: Sequence[Item]) -> tuple[Item, ...]:
    """Say of findings that other repositories say it too: they can be taken up for all."""
    findings = [item for item in items if item.reason in _FINDINGS and library.has(item.ref)]
    if not findings:
        return tuple(items)
    also = _also_found(library, findings)
    return tuple(
        _told(library, item, (*_elsewhere(library, item), *also.get(item.ref, ())))
        if item.reason in _FINDINGS
        else item
        for item in items
    )


def copies_of(library: Library, kind: str, text: str, but: Ref) -> tuple[Entry, ...]:
    """Return the entries in force of other repositories that say a text, or nearly."""
    stores = _stores(library)
    home = library.source_of(but).repository
    return tuple(
        source.entries[number]
        for source, number in _alike(kind, stores, text)
        if source.format == SNIPER
        and source.repository != home
        and source.entries[number].status is Status.ACTIVE
    )


_FOUND: WeakKeyDictionary[Library, Mapping[Ref, Shared]] = WeakKeyDictionary()


def _stores(library: Library) -> tuple[Source, ...]:
    """Return the stores of the workspace and of its repositories."""
    return tuple(
        source
        for source in library.sources
        if source.kind is SourceKind.STORE
        and (source.format == WORKSPACE or (source.format == SNIPER and source.repository))
    )


def _groups(stores: Sequence[Source], cache: Cache) -> Iterator[Shared]:
    for kind in KINDS:
        holding = tuple(each for each in stores if each.may_hold(kind))
        yield from _groups_of(holding, kind, cache)


@kept_together
def _groups_of(stores: tuple[Source, ...], kind: str, cache: Cache) -> tuple[Shared, ...]:
    """Return the groups among stores of one kind.

    Sources are compared by identity: what did not change is not looked at again.
    """
    homes: dict[Ref, str] = {}
    said: dict[str, list[Entry]] = {}
    for source in stores:
        for entry in source.entries:
            form = norm(entry.title) if entry.status is Status.ACTIVE else ""
            if form:
                homes[entry.ref] = source.repository
                said.setdefault(form, []).append(entry)
    groups = (
        [entry for form in forms for entry in said[form]] for forms in _joined(kind, said, cache)
    )
    place = {ref: number for number, ref in enumerate(homes)}
    ordered = [sorted(group, key=lambda entry: place[entry.ref]) for group in groups]
    return tuple(
        Shared(tuple(group), all(exact(entry.title, group[0].title) for entry in group))
        for group in sorted(ordered, key=lambda each: place[each[0].ref])
        # What the workspace has itself is inherited already.
        if len({homes[entry.ref] for entry in group} - {""}) > 1
        and all(homes[entry.ref] for entry in group)
    )


def _joined(kind: str, said: Mapping[str, object], cache: Cache) -> Iterable[Sequence[str]]:
    """Return the texts that belong together: near ones with each other, all others alone."""
    groups = {form: [form] for form in said}
    for (one, other), likeness in _NEAR[kind].among([*said], cache).items():
        first, second = groups[one], groups[other]
        if likeness.alike is Alike.NEAR and first is not second:
            first += second
            groups |= dict.fromkeys(second, first)
    return {id(group): group for group in groups.values()}.values()


_NEAR: Final = {kind: Alikes() for kind in KINDS}


def _item(library: Library, found: Shared) -> Item:
    first = found.first
    names = [*dict.fromkeys(library.source_of(entry).repository for entry in found.entries)]
    fields = library.format_of(first).reader.fields(library.source_of(first), first)
    suspects = suspects_in((first.title, *texts_in(fields)))
    said = "the same" if found.is_exact else "something similar"
    return Item(
        id=hashed(Why.SHARED, fingerprint(first.kind, first.title), *names),
        ref=first.ref,
        digest=first.digest,
        kind=first.kind,
        title=first.title,
        group=_GROUP,
        source=library.source_of(first).name,
        why=f"{len(names)} repositories say {said}",
        reason=Why.SHARED,
        evidence=tuple(_evidence(library, found.entries)),
        roles=_roles(found.entries),
        suggested=PROMOTE if found.is_exact and not suspects else "",
        verbs=(PROMOTE, "reject"),
        suspects=suspects,
        waiting=SharedByRepositories.id,
    )


def _evidence(library: Library, entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries[:_SHOWN]:
        yield f"`{library.short(entry.ref)}` {' '.join(entry.title.split())}"
    if len(entries) > _SHOWN:
        yield f"and {len(entries) - _SHOWN} more"


def _roles(entries: Sequence[Entry]) -> tuple[str, ...] | None:
    if any(entry.roles is None for entry in entries):
        return None
    return tuple(dict.fromkeys(role for entry in entries for role in entry.roles or ()))


def _elsewhere(library: Library, item: Item) -> tuple[Entry, ...]:
    """Return what other repositories have in force that is like a finding."""
    return copies_of(library, item.kind, item.title, item.ref)


def _also_found(library: Library, items: Sequence[Item]) -> Mapping[Ref, tuple[Entry, ...]]:
    """Return the findings of other repositories' retros that are like each finding."""
    also: dict[Ref, tuple[Entry, ...]] = {}
    for kind in dict.fromkeys(item.kind for item in items):
        entries = [library.entry(item.ref) for item in items if item.kind == kind]
        found = [entry for entry in entries if entry.kind == FINDING]
        for pair in pairs_among(found, (FINDING, kind)):
            homes = {library.source_of(each).repository for each in (pair.first, pair.second)}
            if not pair.is_contradiction and len(homes) > 1:
                also[pair.first.ref] = (*also.get(pair.first.ref, ()), pair.second)
                also[pair.second.ref] = (*also.get(pair.second.ref, ()), pair.first)
    return also


def _told(library: Library, item: Item, others: Sequence[Entry]) -> Item:
    if not others:
        return item
    names = [*dict.fromkeys(library.source_of(entry).repository for entry in others)]
    same = any(exact(item.title, entry.title) for entry in others)
    said = "the same" if same else "something similar"
    return replace(
        item,
        evidence=(
            *item.evidence,
            f"{', '.join(names[:_SHOWN])} {'say' if len(names) > 1 else 'says'} {said}",
            *_evidence(library, others),
        ),
        suggested=PROMOTE if same and not item.suspects else item.suggested,
        verbs=(*item.verbs, PROMOTE),
    )


def _alike(kind: str, stores: tuple[Source, ...], text: str) -> Iterator[tuple[Source, int]]:
    for match in _matcher(kind, stores).like(text):
        if match.likeness.alike is not Alike.CONTRADICTION:
            yield match.key


@lru_cache(maxsize=len(KINDS))
def _matcher(kind: str, stores: tuple[Source, ...]) -> Matcher[tuple[Source, int]]:
    return Matcher(
        ((source, number), entry.title)
        for source in stores
        if source.may_hold(kind)
        for number, entry in enumerate(source.entries)
    )
