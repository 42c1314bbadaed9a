"""What was observed and not yet counted, as items that wait for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from remem.base.text import count
from remem.core.library import Library
from remem.core.verbs.verb import read_only
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.kinds import (
    BRING_IN,
    Act,
    Coming,
    OfEntries,
)
from remem.model.change import Change, Intent, texts_in
from remem.model.entry import Entry
from remem.systems.shaktra.consolidation.parts import (
    Part,
    made_of,
    part_at,
    waiting_parts,
)
from remem.systems.shaktra.consolidation.terms import Changed, Made, Noted, Share
from remem.systems.shaktra.records import OBSERVATION, SHAKTRA

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject


class Observed(OfEntries):
    """What agents observed in a story and nobody counted yet."""

    id = "observed"
    order = 30
    claims = (OBSERVATION,)
    system = SHAKTRA

    def items(self, library: Library) -> Iterator[Item]:
        for part in waiting_parts(library):
            yield _item(library, part)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        part = part_at(library, entry)
        if part is None:
            return {}
        why_not = partial(read_only, library, entry)
        if part.is_pair:
            return {"reject": Act(_plan_give_way, says="Archive", why_not=why_not)}
        acts = {
            "approve": Act(_plan_count, why_not=why_not),
            "reject": Act(_plan_leave_out, why_not=why_not),
        }
        if part.observations and part.conflicts:
            acts[BRING_IN] = Act(_plan_bring_in, why_not=why_not)
        return acts

    def coming(self, library: Library, entry: Entry) -> Coming | None:
        part = part_at(library, entry)
        made = made_of(library, part) if part is not None and part.observations else None
        if made is None:
            return None
        return Coming(made.kind, made.text, made.fields, target=SHAKTRA)


def _plan_count(library: Library, intent: Intent, _: Approve) -> Change:
    from remem.systems.shaktra.consolidation.parts import plan_count

    return plan_count(library, intent)


def _plan_leave_out(library: Library, intent: Intent, args: Reject) -> Change:
    from remem.systems.shaktra.consolidation.parts import plan_leave_out

    return plan_leave_out(library, intent, args)


def _plan_bring_in(library: Library, intent: Intent, args: Approve) -> Change:
    from remem.systems.shaktra.consolidation.parts import plan_bring_in

    return plan_bring_in(library, intent, args.fields)


def _plan_give_way(library: Library, intent: Intent, args: Reject) -> Change:
    from remem.systems.shaktra.consolidation.parts import plan_give_way

    return plan_give_way(library, intent, args.reason)


def _item(library: Library, part: Part) -> Item:
    entry, does = library.entry(part.ref), part.does
    made = does if isinstance(does, Made) else None
    record = None if isinstance(does, Made) else does.entry.record
    title = made.text if made is not None else (record.says if record is not None else "")
    if made is None and part.observations and part.conflicts:
        # What is asked is whether this holds: what it is held against stands below it.
        title = " ".join(part.observations[0].record.text.split())
    texts = (title, *texts_in(dict(made.fields))) if made is not None else ()
    suspects = suspects_in(tuple(texts))
    roles = made.fields.get("roles") if made is not None else None
    names = tuple(map(str, roles)) if isinstance(roles, list) else ()
    is_open = suspects or part.doubts or (made is not None and made.is_proposed)
    suggested = "" if is_open else "approve"
    return Item(
        id=hashed(
            Why.OBSERVED, part.story, str(part.ref), *(each.sha for each in part.observations)
        ),
        ref=part.ref,
        digest=entry.digest,
        kind=does.kind if isinstance(does, Made) else does.entry.kind,
        title=title,
        group=part.story,
        source=library.source_of(entry).name,
        why=_why(library, does),
        reason=Why.OBSERVED,
        evidence=(*_evidence(does, title), *(doubt.told for doubt in part.doubts)),
        roles=names or (record.roles if record is not None and record.roles else None),
        suggested=suggested,
        verbs=_verbs(part),
        suspects=suspects,
        waiting=Observed.id,
    )


def _verbs(part: Part) -> tuple[str, ...]:
    if part.observations:
        return "approve", "reject"
    return ("reject",) if part.is_pair else ("approve",)


def _why(library: Library, does: Changed | Made) -> str:
    """Return why it waits, as one sentence."""
    if isinstance(does, Made):
        return f"new entry at {does.confidence:g}: {does.why}"
    name = library.short(does.entry.ref)
    if not does.shares and not does.fate:
        return does.why
    if not does.shares:
        return f"`{name}` would be {does.fate}: {does.why}"
    fate = f", and {does.fate}: {does.why}" if does.fate else ""
    times = count(does.shares, "observation")
    return f"`{name}` would go {does.before:g} → {does.after:g} by {times}{fate}"


def _evidence(does: Changed | Made, title: str) -> Iterator[str]:
    if isinstance(does, Made):
        yield from (f"{_said(by)}: {by.record.text}" for by in does.by)
        yield from does.notes
        return
    for share in does.shares:
        text = " ".join(share.by.record.text.split())
        told = f"{_said(share.by)} {arithmetic(share)}, {share.how}"
        yield told if text == title else f"{told}: {text}"


def _said(by: Noted) -> str:
    who = ", ".join(filter(None, (by.record.agent, by.record.phase)))
    return f"{by.name} ({who})" if who else by.name


def arithmetic(share: Share) -> str:
    """Return what an observation does to a confidence, in numbers."""
    return f"{share.does} {share.delta:+g} → {share.after:g}"
