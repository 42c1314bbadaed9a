"""Plans superseding: what waits goes into force, and what it conflicts with goes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from remem.base.errors import Already, NotPossible
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.verbs.args import EVERY_VERBS, Args, other_doors
from remem.core.verbs.verb import read_only
from remem.core.waiting.decision_records import record
from remem.core.waiting.grouped_plans import plan_decision, planner
from remem.core.waiting.kinds import BRING_IN, act_on
from remem.core.waiting.reject import sent_of
from remem.model.change import Change, Effect, Intent, Json
from remem.model.entry import Entry, Ref, Status

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Supersede


def plan_supersede(library: Library, intent: Intent, args: Supersede) -> Change:
    """Plan to put one entry in the place of another one, as one change.

    The intent shows both, so that neither is decided on unseen. Where another writer took one half
    back, it shows that half alone, and only that is done again.

    Raises:
        NotPossible: It is not one entry and another one in force, or one of them cannot be written.
        Unacknowledged: The new one would bring a secret or hidden characters into memory.
        UnknownRef: There is no such entry.
    """
    old = library.resolve(args.instead_of)
    entries = chosen(library, intent)
    new = [entry for entry in entries if entry.ref != old.ref]
    _need_two(library, new, old)
    draft, touched, notes = Draft(library), dict[Ref, Ref | None](), tuple[str, ...]()
    now, taking = library, new[0] if new else None
    if taking is not None and comes_in(library, intent, taking):
        part = brought_in(library, intent, taking, args.fields)
        draft.take(part.effects)
        touched, notes = {**part.touched}, part.notes
        now = library.preview(draft.effects())
        ref = part.touched.get(taking.ref)
        is_lost = ref is None and taking.status is not Status.ACTIVE
        if is_lost or ref == old.ref:
            # A place in the code that breaks a rule, for one, is told by that rule.
            name = library.short(taking.ref)
            raise NotPossible(
                f"nothing of `{name}` would take the place of `{library.short(old.ref)}`",
                hint="approve or reject it",
            )
        taking = now.entry(ref) if ref is not None else None
    left = now.entry(old.ref)
    effects = _retired(now, left, taking)
    if effects is not None:
        draft.take(effects)
        need_kept(library, draft.effects())
    else:
        by = taking or (new[0] if new else None)
        _turned_down(draft, old, f"superseded by {now.short(by.ref)}" if by is not None else "")
    touched[old.ref] = old.ref if effects is not None else None
    made = change(library, intent, "Supersede", draft, touched, notes=notes)
    return replace(made, title=_title(library, new, old))


def is_wider(library: Library, old: Entry, new: Entry) -> bool:
    """Tell whether an entry is shared by repositories of which the new one is in one alone."""
    facets = [library.format_of(each).facets for each in (old, new)]
    return facets[0].is_shared and not facets[1].is_shared


def _need_two(library: Library, new: list[Entry], old: Entry) -> None:
    name = library.short(old.ref)
    if not new and library.aside.reverted_at(old.ref) is None:
        hint = "name another entry in the same repository"
        raise NotPossible(f"`{name}` cannot supersede itself", hint=hint)
    if any(is_wider(library, old, entry) for entry in new):
        raise NotPossible(
            f"`{name}` is active in other repositories too",
            hint="approve the new entry; it overrides the workspace in its own repository",
        )
    if len(new) > 1:
        raise NotPossible("one entry supersedes exactly one other", hint="unmark the others")
    if old.status is not Status.ACTIVE and all(e.status is Status.ACTIVE for e in new):
        raise Already(f"`{name}` is no longer active")
    if old.status is not Status.ACTIVE:
        raise NotPossible(f"`{name}` is not active", hint="just approve the new entry")
    fixed = library.format_of(old).facets.fixed.get(old.kind) or read_only(library, old)
    if fixed:
        raise NotPossible(f"`{name}`: {fixed}", hint="keep both, or reject the new one")


class _Edited(Args):
    """What approving is told: the fields to which an entry was edited."""

    fields: Mapping[str, Json] = other_doors("", default_factory=dict)
    reason: str = other_doors("", default="")


def comes_in(library: Library, intent: Intent, new: Entry) -> bool:
    """Tell whether settling brings an entry into force; not where approving it is something else.

    What stands is a side of the conflict already.
    """
    waiting = intent.waiting.get(new.ref, "")
    if new.status is not Status.ACTIVE or act_on(library, new.ref, BRING_IN, waiting) is not None:
        return True
    act = act_on(library, new.ref, "approve", waiting)
    return act is not None and not act.says


def brought_in(library: Library, intent: Intent, new: Entry, fields: Mapping[str, Json]) -> Change:
    """Return what approving an entry writes, with the fields that it was edited to.

    Raises:
        NotPossible: It does not wait, or what comes of it cannot be edited first.
        Unacknowledged: It would bring a secret or hidden characters into memory.
    """
    told = {key: each for key, each in intent.arguments.items() if key in EVERY_VERBS}
    if fields:
        told["fields"] = dict(fields)
    asked = replace(intent, verb="approve", shown={new.ref: intent.shown[new.ref]}, arguments=told)
    act = act_on(library, new.ref, BRING_IN, intent.waiting.get(new.ref, ""))
    if act is not None:
        return planner(act)(library, asked, _Edited(fields=fields))
    return plan_decision(library, asked, _Edited(fields=fields))


def _turned_down(draft: Draft, old: Entry, reason: str) -> None:
    """Take an entry out of a file that keeps no archive.

    Its text is kept among what was turned down, so that no retro brings it back unasked.
    """
    each = draft.library.format_of(old)
    sent = sent_of(draft.library, old)
    draft.take(each.keeper.remove(*draft.find(old.ref)))
    record(draft, [sent], reason)


def _retired(library: Library, old: Entry, new: Entry | None) -> tuple[Effect, ...] | None:
    """Return what takes an entry out of force and leaves it in its file; `None` = nothing does.

    Where its system can, it names its successor.
    """
    each, source = library.format_of(old), library.source_of(old)
    names = each.facets.supersede
    if names is not None and new is not None and new.ref.format == old.ref.format:
        effects = names(library, old, new)
        if effects is not None:
            return effects
    with suppress(NotPossible):
        return each.keeper.set_status(source, old, Status.ARCHIVED)
    return None


def _title(library: Library, new: list[Entry], old: Entry) -> str:
    name = library.short(old.ref)
    return f"Supersede {name} by {library.short(new[0].ref)}" if new else f"Supersede {name}"
