"""Plans to consolidate a story: what its observations did goes into the stores, as one change.

The rules are `outcome.py`'s; here their outcome becomes bytes, all or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from remem.base.errors import Already, Refused
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft
from remem.core.library import Library
from remem.core.own_folder import OWN
from remem.core.relation.in_force import unread_settings
from remem.core.relation.normal_form import norm
from remem.edit import yaml_splice
from remem.model.change import Change, Delete, Intent, Json, texts_in
from remem.model.entry import Ref
from remem.model.proposals_and_rejections import PROPOSAL
from remem.model.source import need_writable
from remem.systems.shaktra.consolidation.counted_observations import Moved, record
from remem.systems.shaktra.consolidation.story import case_of, counted_by
from remem.systems.shaktra.consolidation.terms import (
    Changed,
    Dropped,
    Made,
    Noted,
    Outcome,
    Story,
)
from remem.systems.shaktra.documents import handoff_among, value_of
from remem.systems.shaktra.edits import add_all
from remem.systems.shaktra.records import RECORDS, SHAKTRA

if TYPE_CHECKING:
    from remem.systems.shaktra.shaktra_verbs import Consolidate


def plan_consolidate(library: Library, intent: Intent, args: Consolidate) -> Change:
    """Plan to consolidate a story; without anything left to count, the change is empty.

    Args:
        library: Where the story lies.
        intent: What asks for it.
        args: Which story, and how it is counted.

    Raises:
        NotPossible: There is no such story, or memory was made of it and nobody forces it.
        Refused: A file cannot be written, or settings cannot be read.
        Unacknowledged: Something new holds a secret or hidden characters.
    """
    name = args.story
    case = case_of(library, name, is_incident=args.incident)
    if case.is_empty:
        waits = _told_of(case.outcome)
        title = f"Consolidate {name}: {waits[0] if waits else 'nothing to consolidate'}"
        draft = Draft(library)
        left = (*waits, *case.outcome.left_out, *case.over_cap)
        if not left and not unread_settings(library):
            # What reads the hand-off asks whether memory was made, not whether there was any.
            capture(library, draft, name)
        return Change(intent, title, draft.effects(), notes=waits)
    if case.is_captured and not args.force:
        raise Already(
            f"`{name}` is already consolidated",
            hint=f"`--force` counts newer ones: {count(case.counted, 'observation')}",
        )
    off = unread_settings(library)
    if off:
        hint = "fix it and consolidate again; `remem queue` lists each part for a person to decide"
        raise Refused(f"nothing was counted: {off}", hint=hint)
    ends = not case.outcome.waiting
    return change_of(library, intent, case.story, case.outcome, f"Consolidate {name}", ends=ends)


def change_of(
    library: Library, intent: Intent, story: Story, outcome: Outcome, title: str, *, ends: bool
) -> Change:
    """Return an outcome as a change.

    Args:
        library: What it was worked out on.
        intent: What asked for it.
        story: Whose observations are counted.
        outcome: What comes of them.
        title: For the history.
        ends: Nothing of the story is left after it.
    """
    need_clean(_texts(outcome.made), intent, "the new entries")
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    for changed in outcome.changed:
        _write(library, draft, changed)
        touched[changed.entry.ref] = changed.entry.ref
    if ends:
        capture(library, draft, story.id)
    touched |= {ref: ref for ref in _add(draft, outcome.made)}
    counted = counted_by(story, outcome)
    moved = moved_in(outcome)
    record(draft, story.id, [(each.name, each.sha, moved.get(each.ref, {})) for each in counted])
    proposed = (each for each in outcome.made if each.is_proposed)
    touched |= {ref: ref for ref in [_propose(draft, each, story.id) for each in proposed]}
    touched |= {ref: ref for ref in _tell_proposals(library, draft, story.id, outcome.dropped)}
    for ref in _withdraw(library, draft, outcome.made):
        touched[ref] = None
    return Change(
        intent,
        title,
        draft.effects(),
        touched=touched,
        receipt=_receipt(story, outcome, counted),
        notes=(*(note for made in outcome.made for note in made.notes), *_told_of(outcome)),
    )


def _told_of(outcome: Outcome) -> tuple[str, ...]:
    """Return what is said of observations that a person has to decide on; () = of none."""
    if not outcome.waiting:
        return ()
    waits = "waits" if len(outcome.waiting) == 1 else "wait"
    return (f"{count(outcome.waiting, 'observation')} {waits} in the queue for a person",)


def moved_in(outcome: Outcome) -> Mapping[Ref, Moved]:
    """Return what each observation did to the confidence of which entries."""
    found: dict[Ref, dict[str, tuple[float, float]]] = {}
    for changed in outcome.changed:
        name, before = changed.entry.record.id, changed.before
        for share in changed.shares:
            if share.delta:
                moved = found.setdefault(share.by.ref, {})
                first = moved[name][0] if name in moved else before
                moved[name] = (first, share.after)
            before = share.after
    return found


def _texts(made: Iterable[Made]) -> list[str]:
    return [text for each in made if not each.is_proposed for text in texts_in(dict(each.fields))]


def _write(library: Library, draft: Draft, changed: Changed) -> None:
    if not changed.fields:
        return
    entry = library.entry(changed.entry.ref)
    source, each = library.source_of(entry), library.format_of(entry)
    draft.take_on_base(each.keeper.edit(source, entry, changed.fields))


def _add(draft: Draft, made: Sequence[Made]) -> list[Ref]:
    """Add what is new to its stores, each store with one edit."""
    ground, refs = draft.library.ground, list[Ref]()
    for kind in RECORDS:
        several = [dict(each.fields) for each in made if each.kind == kind and not each.is_proposed]
        if several:
            additions = add_all(ground, draft.sources(SHAKTRA), kind, several)
            draft.take(additions[0].effects)
            refs += [each.ref for each in additions]
    return refs


def _propose(draft: Draft, made: Made, story: str) -> Ref:
    """Put a proposal where a person decides on it."""
    fields: dict[str, Json] = {
        "kind": made.kind,
        "target": SHAKTRA,
        "fields": dict(made.fields),
        "by": draft.library.by,
        "evidence": f"observed in {story}: {', '.join(each.name for each in made.by)}",
        "door": story,
        "why": f"consolidating `{story}` proposes it: {made.why}",
    }
    home = draft.library.format(OWN)
    addition = home.keeper.add(draft.library.ground, draft.sources(OWN), PROPOSAL, fields)
    draft.take(addition.effects)
    return addition.ref


def _tell_proposals(
    library: Library, draft: Draft, story: str, dropped: Iterable[Dropped]
) -> list[Ref]:
    """Add what was observed to the evidence of the proposals that say it already."""
    told: list[Ref] = []
    seen = {each.by.title: each.by.name for each in dropped if each.proposal}
    for source in library.of_format(OWN):
        for entry in source.entries:
            name = seen.get(norm(entry.title)) if entry.kind == PROPOSAL else None
            if name is None:
                continue
            home, (current, kept) = library.format(OWN), draft.find(entry.ref)
            before = str(home.reader.fields(current, kept).get("evidence") or "")
            more = f"observed in {story}: {name}"
            if more not in before:
                text = "; ".join(filter(None, (before, more)))
                edits = yaml_splice.set_in_document(current.data, ("evidence",), text)
                draft.take(current.splices(edits))
                told.append(entry.ref)
    return told


def _withdraw(library: Library, draft: Draft, made: Sequence[Made]) -> list[Ref]:
    """Take away proposals of what is now an entry."""
    texts = {by.title for each in made if not each.is_proposed for by in each.by}
    gone: list[Ref] = []
    for source in library.of_format(OWN):
        for entry in source.entries:
            if entry.kind == PROPOSAL and norm(entry.title) in texts:
                draft.take((Delete(source.path, source.data, source.digest),))
                gone.append(entry.ref)
    return gone


def capture(library: Library, draft: Draft, story: str) -> None:
    """Say in the hand-off that memory was made of the story."""
    source = handoff_among(library.of_format(SHAKTRA), story)
    if source is None or value_of(source).get("memory_captured") is True:
        return
    need_writable(source)
    edits = yaml_splice.set_keys(source.data, {"memory_captured": True})
    draft.take_on_base(source.splices(edits))


def _receipt(story: Story, outcome: Outcome, counted: Sequence[Noted]) -> str:
    """Return how the observations add up.

    Raises:
        Refused: They do not.
    """
    own = {each.ref for each in story.fresh}
    on_entries = sum(len(each.shares) for each in outcome.changed)
    made, proposed = (
        sum(len([by for by in each.by if by.ref in own]) for each in outcome.made
            if each.is_proposed is is_proposed)
        for is_proposed in (False, True)
    )  # fmt: skip
    dropped = len(outcome.dropped)
    if on_entries + made + proposed + dropped != len(counted):
        raise Refused("the observations do not add up", hint="this is a bug in remem")
    parts = (
        (on_entries, "on entries"),
        (made, "in new ones"),
        (proposed, "proposed"),
        (dropped, "dropped"),
    )
    named = " + ".join(f"{number} {what}" for number, what in parts if number)
    return f"{count(counted, 'observation')} = {named or '0'}"
