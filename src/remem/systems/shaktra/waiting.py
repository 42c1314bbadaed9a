"""What was observed and not yet counted, as items that wait for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remem.base.text import count
from remem.core.library import Library
from remem.core.verbs.verb import read_only
from remem.core.waiting.item import Item, Why, hashed, suspects_in
from remem.core.waiting.kinds import Act, Waiting
from remem.model.change import Change, Intent, texts_in
from remem.model.entry import Ref
from remem.systems.shaktra.consolidation_parts import Part, part_at, waiting_parts
from remem.systems.shaktra.consolidation_terms import Changed, Made, Noted, Share
from remem.systems.shaktra.records import SHAKTRA

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, Reject


class Observed(Waiting):
    """What agents observed in a story and nobody counted yet."""

    id = "observed"
    order = 30

    def items(self, library: Library) -> Iterator[Item]:
        for part in waiting_parts(library):
            yield _item(library, part)

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        if ref.format != SHAKTRA or not library.has(ref):
            return {}
        entry = library.entry(ref)
        if part_at(library, entry) is None:
            return {}
        why_not = read_only(library, entry)
        return {
            "approve": Act(_plan_count, why_not=why_not),
            "reject": Act(_plan_leave_out, why_not=why_not),
        }


def _plan_count(library: Library, intent: Intent, _: Approve) -> Change:
    from remem.systems.shaktra.consolidation_parts import plan_count

    return plan_count(library, intent)


def _plan_leave_out(library: Library, intent: Intent, args: Reject) -> Change:
    from remem.systems.shaktra.consolidation_parts import plan_leave_out

    return plan_leave_out(library, intent, args)


def _item(library: Library, part: Part) -> Item:
    entry, does = library.entry(part.ref), part.does
    made = does if isinstance(does, Made) else None
    record = None if isinstance(does, Made) else does.entry.record
    title = made.text if made is not None else (record.says if record is not None else "")
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
        evidence=(*_evidence(does), *(doubt.told for doubt in part.doubts)),
        roles=names or (record.roles if record is not None and record.roles else None),
        suggested=suggested,
        verbs=("approve", "reject") if part.observations else ("approve",),
        suspects=suspects,
        waiting=Observed.id,
    )


def _why(library: Library, does: Changed | Made) -> str:
    """Return why it waits, as one sentence."""
    if isinstance(does, Made):
        return f"new entry at {does.confidence:g}: {does.why}"
    name = library.short(does.entry.ref)
    if not does.shares:
        return f"`{name}` would be {does.fate}: {does.why}"
    fate = f", and {does.fate}: {does.why}" if does.fate else ""
    times = count(does.shares, "observation")
    return f"`{name}` would go {does.before:g} → {does.after:g} by {times}{fate}"


def _evidence(does: Changed | Made) -> Iterator[str]:
    if isinstance(does, Made):
        yield from (f"{_said(by)}: {by.record.text}" for by in does.by)
        yield from does.notes
        return
    for share in does.shares:
        text = " ".join(share.by.record.text.split())
        yield f"{_said(share.by)} {arithmetic(share)}, {share.how}: {text}"


def _said(by: Noted) -> str:
    who = ", ".join(filter(None, (by.record.agent, by.record.phase)))
    return f"{by.name} ({who})" if who else by.name


def arithmetic(share: Share) -> str:
    """Return what an observation does to a confidence, in numbers."""
    return f"{share.does} {share.delta:+g} → {share.after:g}"
