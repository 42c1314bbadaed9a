"""Verified memory whose proofs no longer hold: what waits, and what a person makes of it.

Re-anchoring supersedes a memory by itself with the lines where they stand now; where the text
itself changed, a person says whether it still proves the fact; what nothing proves any more is
invalidated. Nothing is decided here by itself, and no code is ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.base.text import count
from remem.core.checks.issue import Issue
from remem.core.checks.secrets import need_clean
from remem.core.draft import chosen
from remem.core.library import Library
from remem.core.waiting.item import Item, Why, item_id, suspects_in
from remem.core.waiting.kinds import (
    Act,
    OfEntries,
)
from remem.model.change import Change, Effect, Intent, Json
from remem.model.citation import Citation, CitationStatus, Verdict
from remem.model.entry import (
    FACT,
    Entry,
    Problem,
    Ref,
    Status,
)
from remem.systems.facts import INVALIDATE, REANCHOR, SUPERSEDE
from remem.systems.facts.layer import why_out
from remem.systems.facts.read import judged
from remem.systems.facts.records import Memory, judgement
from remem.systems.facts.row_edits import invalidate, planned, supersede
from remem.systems.facts.source import FORMAT, VerifiedSource, memory_at, verified_sources
from remem.systems.facts.verdicts import without_secret

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject
    from remem.systems.facts.fact_verbs import MemoryInvalidate, MemorySupersede

_GROUP: Final = "verified memory"
_HOLDS: Final = frozenset({CitationStatus.VALID, CitationStatus.UNCHECKED})


def mends(memory: Memory, verdicts: Sequence[Verdict]) -> str:
    """Return the verb that puts a memory right; empty where it holds or was not compared."""
    status = judgement(memory, verdicts)
    if status in _HOLDS:
        return ""
    if status is CitationStatus.MOVED and _anew(verdicts):
        return REANCHOR
    return SUPERSEDE if _anew(verdicts) else INVALIDATE


def stale(library: Library) -> Iterator[tuple[Entry, Memory, tuple[Verdict, ...]]]:
    """Yield what is active and was found not to hold, in the order it was stored."""
    for source in verified_sources(library.of_format(FORMAT)):
        for memory, verdicts in source.judged():
            if judgement(memory, verdicts) not in _HOLDS:
                yield library.entry(Ref(FORMAT, memory.id, source.place)), memory, verdicts


def stale_items(library: Library) -> Iterator[Item]:
    """Yield an item for each memory that no longer holds."""
    for entry, memory, verdicts in stale(library):
        source = library.source_of(entry)
        verb = mends(memory, verdicts)
        suspects = suspects_in((memory.subject, memory.fact, memory.reason))
        sure = verb in (REANCHOR, INVALIDATE) and not suspects
        yield Item(
            id=item_id(library, Why.STALE, source, FACT, f"{memory.id} {memory.fact}"),
            ref=entry.ref,
            digest=entry.digest,
            kind=FACT,
            title=entry.title,
            group=_GROUP,
            source=source.name,
            why=_WHY[verb],
            reason=Why.STALE,
            evidence=tuple(_evidence(memory, verdicts)),
            roles=None,
            suggested=verb if sure else "",
            waiting=Stale.id,
            verbs=(verb,) if verb == INVALIDATE else (verb, INVALIDATE),
            suspects=suspects,
        )


def stale_issues(library: Library) -> Iterator[Issue]:
    """Yield what Health shows: memories whose proofs moved, changed or went, and unread ones."""
    for source in verified_sources(library.of_format(FORMAT)):
        for memory, verdicts in source.judged():
            status, ref = judgement(memory, verdicts), Ref(FORMAT, memory.id, source.place)
            bad = next((each for each in verdicts if not each.is_valid), None)
            if status is CitationStatus.VALID:
                continue
            told = str(bad) if bad is not None else why_out(memory, verdicts)
            message = f"`{memory.subject}`: {told}"
            if bad is not None and status is CitationStatus.UNCHECKED:
                message = f"`{memory.subject}` was not checked: {bad.error}"
            verb = mends(memory, verdicts)
            hint = _HINTS.get(verb, _UNREAD)
            if status is CitationStatus.UNCHECKED and bad is not None and bad.is_there:
                hint = f"check them, then confirm with `remem memory refresh {memory.id}`"
            yield Issue(Problem(f"citation-{status}", message, hint, source.path), ref, verb)


def mend_of(library: Library, entry: Entry) -> str:
    """Return the verb that puts an entry right; empty where it is no memory that fails to hold."""
    if entry.kind != FACT or entry.status is not Status.ACTIVE:
        return ""
    return mends(*_judged(library, entry)[1:])


def why_not(library: Library, entry: Entry) -> str:
    """Return why an entry is not put right as was asked."""
    return str(_cannot(library, entry, *_judged(library, entry)[1:]))


def plan_reanchor(library: Library, intent: Intent) -> Change:
    """Plan to put moved citations right, of any number of memories at once.

    Raises:
        NotPossible: The cited text of one changed or is gone, or it holds.
    """
    return _plan(library, intent, lambda mend: REANCHOR if mend == REANCHOR else "")


def plan_supersede(library: Library, intent: Intent, args: MemorySupersede) -> Change:
    """Plan a memory in the place of another one, proved by what stands at the cited lines now.

    Raises:
        NotPossible: There is nothing that could prove it.
    """
    return _plan(library, intent, lambda _: SUPERSEDE, fact=args.fact, reason=args.reason or "")


def plan_invalidate(library: Library, intent: Intent, args: MemoryInvalidate | Reject) -> Change:
    """Plan to call memories wrong; the reason is kept with the event."""
    return _plan(library, intent, lambda _: INVALIDATE, reason=args.reason)


class Stale(OfEntries):
    """Verified memory in force whose proof moved, changed or went."""

    id = "stale"
    order = 20
    system = FORMAT

    def items(self, library: Library) -> Iterator[Item]:
        return stale_items(library)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if entry.status is not Status.ACTIVE:
            return {"reject": Act(plan_invalidate, why_not=lambda: f"it is {entry.status}")}
        # The lines that prove it may stand, and what it says be wrong.
        acts = {"reject": Act(plan_invalidate, _TITLES[INVALIDATE])}
        verb = mend_of(library, entry)
        if verb:
            acts["approve"] = Act(_plan_mend, _TITLES[verb])
        return acts


def _plan_mend(library: Library, intent: Intent, _: Approve) -> Change:
    return _plan(library, intent, lambda mend: mend)


def _plan(
    library: Library,
    intent: Intent,
    does: Callable[[str], str],
    *,
    fact: str = "",
    reason: str = "",
) -> Change:
    """Plan one change for all memories of an intent.

    Args:
        library: What it is planned on.
        intent: Names the memories.
        does: Gives the verb that is done to a memory, by the one that mends it; empty = none.
        fact: What holds now, of one that is superseded; empty = the same.
        reason: Kept with each; of one that is superseded empty = the same.
    """
    effects: list[Effect] = []
    touched: dict[Ref, Ref | None] = {}
    done: list[str] = []
    told = planned(library, intent)
    for entry in chosen(library, intent):
        source, memory, verdicts = _judged(library, entry)
        verb = does(mends(memory, verdicts))
        is_unread = judgement(memory, verdicts) is CitationStatus.UNCHECKED
        if memory.status is not Status.ACTIVE or (is_unread and verb != INVALIDATE):
            raise _cannot(library, entry, memory, verdicts)
        if verb == INVALIDATE:
            effects += invalidate(source.path, memory, told, _result(verdicts, reason))
            touched[entry.ref] = entry.ref
        elif verb:
            anew = _anew(verdicts)
            if not anew:
                raise NotPossible(
                    f"no cited code is left to prove `{library.short(entry.ref)}`",
                    hint="invalidate it instead",
                )
            says = fact or memory.fact
            need_clean((says, reason or memory.reason), intent, f"`{memory.subject}`")
            keepers = source.active.keeps(memory.repository, memory.subject, says)
            new, edits = supersede(
                source.path, memory, anew, told, keepers=keepers, fact=says, reason=reason or None
            )
            effects += edits
            ref = Ref(FORMAT, new, source.place)
            touched |= {entry.ref: ref, ref: ref}
        else:
            raise _cannot(library, entry, memory, verdicts)
        done.append(verb)
    names = dict.fromkeys(_TITLES[verb] for verb in done)
    what = library.short(entry.ref) if len(done) == 1 else count(len(done), "fact", "facts")
    title = f"{' and '.join(names)} {what}"
    return Change(intent, title, tuple(effects), reason, touched)


def _anew(verdicts: Sequence[Verdict]) -> tuple[Citation, ...]:
    """Return the citations as they stand now; none if one of them is nowhere."""
    found = [verdict.anew for verdict in verdicts]
    if None in found:
        return ()
    return tuple(without_secret(each) for each in found if each is not None)


def _judged(library: Library, entry: Entry) -> tuple[VerifiedSource, Memory, tuple[Verdict, ...]]:
    source = library.source_of(entry)
    if not isinstance(source, VerifiedSource):
        raise NotPossible(f"`{library.short(entry.ref)}` is not a verified memory")
    memory = memory_at(source, entry)
    return source, memory, judged(source, memory)


def _cannot(
    library: Library, entry: Entry, memory: Memory, verdicts: Sequence[Verdict]
) -> NotPossible:
    name, status = library.short(entry.ref), judgement(memory, verdicts)
    if entry.status is not Status.ACTIVE:
        return NotPossible(f"`{name}` is {entry.status}", hint="only active facts can change")
    if status is CitationStatus.VALID:
        return NotPossible(f"`{name}` is valid: nothing to fix")
    if status is CitationStatus.UNCHECKED:
        error = next((each.error for each in verdicts if each.error), "")
        return NotPossible(f"`{name}` could not be checked: {error}")
    bad = next((str(each) for each in verdicts if not each.is_valid), why_out(memory, verdicts))
    return NotPossible(f"`{name}` did more than move: {bad}", hint="supersede it, or invalidate it")


def _evidence(memory: Memory, verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield f"about {memory.subject}"
    for verdict in verdicts:
        if not verdict.is_valid:
            yield str(verdict)
    yield from (each.message for each in memory.problems if each.field == "citations")
    if memory.reason:
        yield memory.reason


def _result(verdicts: Sequence[Verdict], reason: str) -> dict[str, Json]:
    valid = sum(verdict.is_valid for verdict in verdicts)
    bad = next((str(verdict) for verdict in verdicts if not verdict.is_valid), "")
    return {
        "valid_citations": valid,
        "invalid_citations": len(verdicts) - valid,
        "reason": reason or bad or None,
    }


_TITLES: Final = {REANCHOR: "Re-anchor", SUPERSEDE: "Supersede", INVALIDATE: "Invalidate"}
_WHY: Final = {
    REANCHOR: "its cited lines moved",
    SUPERSEDE: "its cited lines changed",
    INVALIDATE: "its cited code is gone",
}
_UNREAD: Final = "it is in no prompt until it can be checked"
_HINTS: Final = {
    REANCHOR: "re-anchor it to the new lines",
    SUPERSEDE: "check whether the new text still proves it; else supersede or invalidate it",
    INVALIDATE: "invalidate it, or store it again with other citations",
}
