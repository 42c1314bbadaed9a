"""Decisions that another writer took back, and entries that others took out.

Nothing is done by itself: approving plans once more what was reverted, rejecting keeps that a
person left it as it stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.base.text import count
from remem.core.library import Library
from remem.core.relation.normal_form import fingerprint
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.kinds import UNREVIEWED, Act, Waiting, kinds
from remem.model.change import Change, Intent
from remem.model.done_by_others import REVERTED, Reverted, intent_again
from remem.model.entry import Ref, Status

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject

_ASK_AGAIN: Final = "approve"
_LEAVE: Final = "reject"


class RevertedDecision(Waiting):
    """A decision that does not stand any more, though nobody decided otherwise.

    A candidate whose approval or rejection was reverted is a candidate like any other: approving
    it puts it into force, and rejecting it sends it away.
    """

    id = REVERTED
    order = 0
    is_beside = True

    def items(self, library: Library) -> Iterable[Item]:
        return ()  # it tells those that wait anyway, and adds the rest

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        found = library.aside.reverted_at(ref)
        if found is None or _is_unreviewed(library, ref):
            return {}  # the card of what was written tells both, and what deciding means
        acts = {}
        if found.intent.verb not in (_ASK_AGAIN, _LEAVE):
            acts[_ASK_AGAIN] = Act(_plan_again)
        if is_only_reverted(library, ref):
            acts[_LEAVE] = Act(plan_leave)
        return acts

    def again(self, library: Library, ref: Ref) -> Act | None:
        found = library.aside.reverted_at(ref)
        if found is None or found.intent.verb in (_ASK_AGAIN, _LEAVE):
            return None
        return Act(_plan_instead, "Apply again")

    def tells(self, library: Library, items: Sequence[Item]) -> Sequence[Item]:
        if not library.aside.reverted:
            return items
        again = {kind.id for kind in kinds(library) if kind.asks_again}
        told = [_told_of_revert(library, i) if i.waiting in again else i for i in items]
        refs = {item.ref for item in items}
        own = (_item(library, r) for r in library.aside.reverted if r.ref not in refs)
        return (*told, *own)


class Removed(Waiting):
    """An entry that another writer took out: it stands in Health, and can be left as it is."""

    id = "removed"
    order = 0

    def items(self, library: Library) -> Iterable[Item]:
        return ()

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        return {_LEAVE: Act(plan_leave)} if library.is_removed(ref) else {}


def _is_unreviewed(library: Library, ref: Ref) -> bool:
    """Tell whether an entry waits because it was written since a person looked."""
    return any(kind.id == UNREVIEWED and kind.acts(library, ref) for kind in kinds(library))


def is_only_reverted(library: Library, ref: Ref) -> bool:
    """Tell whether a decision on the entry was reverted and it waits for no other one."""
    if library.aside.reverted_at(ref) is None:
        return False
    return not library.has(ref) or library.entry(ref).status is not Status.CANDIDATE


def plan_leave(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to leave what another writer made of it, and not to be asked again."""
    from remem.core.waiting.decision_records import leaving

    effects = leaving(library, intent.shown, args.reason)
    if not effects:
        raise Already("no change is needed")
    refs = [library.short(ref) for ref in intent.shown]
    name = refs[0] if len(refs) == 1 else count(refs, "entry", "entries")
    title = f"Leave {name} as it is"
    return Change(intent, title, effects, args.reason)


def _plan_instead(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to make decisions once more instead of keeping what took them back."""
    return replace(_planned_again(library, intent), reason=args.reason)


def _plan_again(library: Library, intent: Intent, _: Approve) -> Change:
    """Plan once more what was reverted, as approving it means."""
    return _planned_again(library, intent)


def _planned_again(library: Library, intent: Intent) -> Change:
    """Plan once more what was reverted, each decision as it was made."""
    alike: dict[str, dict[Ref, str]] = {}
    for ref, digest in intent.shown.items():
        asked = _reverted_at(library, ref).intent
        how = json.dumps([asked.verb, dict(asked.arguments)], sort_keys=True)
        alike.setdefault(how, {})[ref] = digest
    if len(alike) == 1:
        return _plan_alike(library, intent)
    from remem.core.waiting.grouped_plans import planned_in_turn

    return planned_in_turn(library, intent, [(_plan_alike, shown) for shown in alike.values()])


def _plan_alike(library: Library, intent: Intent) -> Change:
    from remem.core.verbs.verbs import planned

    whole = intent_again([_reverted_at(library, ref) for ref in intent.shown])
    shown = {ref: intent.shown.get(ref) or digest for ref, digest in whole.shown.items()}
    seen = {key: value for key, value in intent.arguments.items() if key == "acknowledged"}
    asked = replace(whole, shown=shown, arguments={**whole.arguments, **seen})
    return planned(library, asked)


def _reverted_at(library: Library, ref: Ref) -> Reverted:
    found = library.aside.reverted_at(ref)
    if found is None:
        raise NotPossible(
            f"`{library.short(ref)}` does not wait for a decision",
            hint="`remem queue` lists the items to review",
        )
    return found


def _told_of_revert(library: Library, item: Item) -> Item:
    """Say of a candidate that waits again that it was decided on already."""
    found = library.aside.reverted_at(item.ref)
    if found is None:
        return item
    suggested = found.intent.verb if found.intent.verb in item.verbs else "approve"
    return replace(
        item,
        id=hashed(Why.REVERTED, item.id),
        reason=Why.REVERTED,
        why=_why_reverted(library, found),
        suggested="" if item.suspects else suggested,
    )


def _item(library: Library, found: Reverted) -> Item:
    """Return the item of a decision on what waits for no other one: an archived entry, an edit."""
    entry = library.entry(found.ref) if library.has(found.ref) else None
    text = fingerprint(found.kind, found.text)
    title = found.text.splitlines()[0] if found.text else found.title
    return Item(
        id=hashed(Why.REVERTED, found.change, str(found.ref), text),
        ref=found.ref,
        digest=entry.digest if entry is not None else "",
        kind=found.kind,
        title=entry.title if entry is not None else title,
        group="reverted",
        source=library.source_of(entry).name if entry is not None else "",
        why=_why_reverted(library, found),
        reason=Why.REVERTED,
        evidence=(f"`{found.path.name}` was changed after it",) if found.path else (),
        roles=entry.roles if entry is not None else None,
        suggested="approve",
        verbs=("approve", "reject"),
        suspects=suspects_in((found.text,)),
        waiting=RevertedDecision.id,
    )


def _why_reverted(library: Library, found: Reverted) -> str:
    at = found.time.astimezone()
    is_today = found.time.date() == library.ground.given.clock.today()
    when = f"{at:%H:%M}" if is_today else f"{at:%Y-%m-%d %H:%M}"
    return f"reverted by another program: `{found.title}` of {when}"
