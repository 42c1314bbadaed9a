"""What became of a decision that was reverted: the intent that does it again, or leaving it so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.errors import Already, NotPossible
from remem.base.text import count
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.waiting.rejected import Sent, record
from remem.model.aside import Reverted
from remem.model.change import Change, Effect, Intent
from remem.model.entry import Ref, Status

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Reject

KIND: Final = "reverted"
"""What a rejection is of that leaves a reverted decision as it stands now."""


def again(found: Sequence[Reverted]) -> Intent:
    """Return the one intent that does again what was reverted of a change.

    Raises:
        NotPossible: They were decided in different ways.
    """
    first = found[0].intent
    shown: dict[Ref, str] = {}
    for each in found:
        if (each.intent.verb, each.intent.arguments) != (first.verb, first.arguments):
            raise NotPossible(
                "these were decided in different ways", hint="decide on them one by one"
            )
        shown.update(each.intent.shown)
    return Intent(first.verb, shown, first.arguments)


def is_only_reverted(library: Library, ref: Ref) -> bool:
    """Tell whether a decision on the entry was reverted and it waits for no other one."""
    if library.aside.reverted_at(ref) is None:
        return False
    return not library.has(ref) or library.entry(ref).status is not Status.CANDIDATE


def is_vanished(library: Library, ref: Ref) -> bool:
    """Tell whether an entry vanished and nothing that waits or rests has its ref now."""
    if library.aside.vanished_at(ref) is None:
        return False
    return not library.has(ref) or library.entry(ref).status is Status.ACTIVE


def plan_leave(library: Library, intent: Intent, args: Reject) -> Change:
    """Plan to leave what another writer made of it, and not to be asked again."""
    effects = leaving(library, intent.shown, args.reason)
    if not effects:
        raise Already("no change is needed")
    refs = [library.short(ref) for ref in intent.shown]
    name = refs[0] if len(refs) == 1 else count(refs, "entry", "entries")
    title = f"Leave {name} as it is"
    return Change(intent, title, effects, args.reason)


def leaving(library: Library, shown: Mapping[Ref, str], reason: str = "") -> tuple[Effect, ...]:
    """Return what keeps that a person left what another writer made of entries."""
    draft, aside = Draft(library), library.aside
    sent: list[Sent] = []
    for ref, digest in shown.items():
        reverted, lost = aside.reverted_at(ref), aside.vanished_at(ref)
        if reverted is not None:
            if library.has(ref):
                library.entry(ref, digest)
            sent.append(Sent(KIND, words_of(reverted), reverted.change))
        elif lost is not None:
            sent.append(Sent(lost.kind, lost.title, lost.path.stem))
    record(draft, sent, reason)
    return draft.effects()


def words_of(reverted: Reverted) -> str:
    """Return what is kept of a reverted decision that is left so."""
    return f"{reverted.title} of {reverted.time:%Y-%m-%d %H:%M:%S}: {reverted.text}"
