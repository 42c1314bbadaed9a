"""Where a repository and its workspace say nearly the same or may contradict, and who settles it.

Either the repository's entry overrides the workspace's, or both stand. Only the repository's own
entry is written, so that no other repository can feel it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from remem.base.errors import NotPossible
from remem.core.checks.issue import Issue
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.relation.normal_form import fingerprint
from remem.core.waiting.decision_records import record
from remem.core.waiting.item import Item, Why, hashed
from remem.core.waiting.kinds import (
    Act,
    OfEntries,
    waits_otherwise,
)
from remem.core.waiting.rejected import Sent
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Problem, Ref
from remem.systems.workspace.inherit import (
    BOTH,
    SNIPER,
    Between,
    between_in,
    declared,
    holds_on,
    names_of,
    said_by,
)
from remem.systems.workspace.records import WORKSPACE

if TYPE_CHECKING:
    from remem.core.verbs.verbs import Approve, KeepBoth, Reject
    from remem.systems.workspace.workspace_verbs import WorkspaceOverride


def plan_override(library: Library, intent: Intent, args: WorkspaceOverride) -> Change:
    """Plan the verb: see `override`."""
    return override(library, intent, args.of)


def override(library: Library, intent: Intent, of: str = "") -> Change:
    """Plan to write into a repository's entry which of the workspace's it stands in for.

    Args:
        library: Of that repository.
        intent: Names its entries.
        of: Which entry of the workspace; empty = all that the entry is like.

    Raises:
        NotPossible: There is nothing to override.
    """
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    notes: list[str] = []
    for entry in chosen(library, intent):
        if entry.ref.format != SNIPER:
            raise NotPossible(
                f"`{library.short(entry.ref)}` is not an entry of a repository",
                hint="name the repository's entry, and the workspace's with `--of`",
            )
        wanted = _wanted(library, of, entry)
        for ref in wanted:
            reason = holds_on(entry, library.source_of(ref), library.entry(ref))
            if reason:
                own, inherited = library.short(entry.ref), library.short(ref)
                raise NotPossible(
                    f"`{own}` cannot override `{inherited}`: {reason}",
                    hint="keep both, or change it in the workspace",
                )
        each = library.format_of(entry)
        source, current = draft.find(entry.ref)
        said = each.reader.fields(source, current).get("overrides")
        draft.take(each.keeper.edit(source, current, {"overrides": _with(said, library, wanted)}))
        touched[entry.ref] = entry.ref
        notes += [_by_position(library, one) for one in wanted if one.id.startswith("shared/")]
    return change(library, intent, "Override with", draft, touched, notes=tuple(notes))


def plan_leave_both(library: Library, intent: Intent, args: Reject | KeepBoth) -> Change:
    """Plan to leave both levels in force and not to ask again."""
    draft, touched = Draft(library), dict[Ref, Ref | None]()
    sent: list[Sent] = []
    for entry in chosen(library, intent):
        pairs = open_for(library, entry)
        sent += (Sent(BOTH, said_by(each), str(each.inherited.ref)) for each in pairs)
        touched[entry.ref] = entry.ref
    record(draft, sent, args.reason)
    return change(library, intent, "Keep both levels of", draft, touched, reason=args.reason)


def open_for(library: Library, entry: Entry) -> tuple[Between, ...]:
    """Return what an entry is asked about; an entry that waits for something else is asked later.

    A queue tells items apart by their entries, and an answer must have one meaning.
    """
    if entry.ref.format != SNIPER or not library.of_format(WORKSPACE):
        return ()
    found = between_for(library, entry.ref)
    return () if not found or waits_otherwise(library, entry.ref, Override()) else found


def override_items(library: Library) -> Iterator[Item]:
    """Yield an item for each entry that is like one of the workspace, in the order of those."""
    if not library.of_format(WORKSPACE):
        return
    for first, *_ in _between(library).values():
        found = open_for(library, first.own)
        if found:
            yield _item(library, first.own, found)


def _plan_override(library: Library, intent: Intent, _: Approve) -> Change:
    return override(library, intent)


class Override(OfEntries):
    """An entry of a repository that is like one of its workspace, and agents get both."""

    id = "override"
    order = 60
    system = SNIPER

    def items(self, library: Library) -> Iterator[Item]:
        return override_items(library)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        if not open_for(library, entry):
            return {}
        return {
            "approve": Act(_plan_override, "Override"),
            "reject": Act(plan_leave_both, "Keep both"),
            "keep_both": Act(plan_leave_both),
        }


def _wanted(library: Library, named: str, entry: Entry) -> list[Ref]:
    if named:
        inherited = library.resolve(named).ref
        if inherited.format != WORKSPACE:
            raise NotPossible(
                f"`{named}` is not an entry of a workspace",
                hint="`remem list --system workspace` lists those",
            )
        return [inherited]
    found = [each.inherited.ref for each in between_for(library, entry.ref)]
    if not found:
        raise NotPossible(
            f"`{library.short(entry.ref)}` resembles no workspace entry",
            hint="name the entry it overrides",
        )
    return found


def _with(said: Json, library: Library, wanted: Sequence[Ref]) -> Json:
    """Return what `overrides:` says with these: a text for one, a list for several."""
    before = said if isinstance(said, list) else [said] if said else []
    names = [*before, *(library.short(ref) for ref in wanted)]
    several: list[Json] = list(dict.fromkeys(str(name) for name in names))
    return several[0] if len(several) == 1 and not isinstance(said, list) else several


def _by_position(library: Library, ref: Ref) -> str:
    return f"`{library.short(ref)}` has no id, only its position in the list"


def _item(library: Library, entry: Entry, found: Sequence[Between]) -> Item:
    source = library.source_of(entry)
    first = found[0]
    name = library.short(first.inherited.ref)
    how = "possible conflict with" if first.is_contradiction else "similar to"
    told = "; not checked for conflicts" if not first.likeness.checked else ""
    texts = tuple(
        f"workspace `{library.short(each.inherited.ref)}`: {each.inherited.title}" for each in found
    )
    return Item(
        id=hashed(Why.OVERRIDE, str(entry.ref), *(fingerprint(BOTH, said_by(e)) for e in found)),
        ref=entry.ref,
        digest=entry.digest,
        kind=entry.kind,
        title=entry.title,
        group="workspace",
        source=source.name,
        why=f"{how} `{name}`; agents get both{told}",
        reason=Why.OVERRIDE,
        evidence=(*texts, f"`a` writes `overrides: {name}` to it; `b` keeps both"),
        roles=entry.roles,
        suggested="approve",
        verbs=("approve", "reject", "keep_both", "edit"),
        waiting=Override.id,
    )


OVERRIDE: Final = "workspace.override"
"""The verb that settles it."""
OF: Final = "of"
"""Its argument: the ref of the workspace's entry."""


def between_levels(library: Library) -> tuple[Between, ...]:
    """Return what a repository says otherwise than its workspace, and nobody has settled."""
    return tuple(each for found in _between(library).values() for each in found)


def between_for(library: Library, ref: Ref) -> tuple[Between, ...]:
    """Return what one entry of a repository says otherwise than its workspace."""
    return _between(library).get(ref, ())


def _between(library: Library) -> Mapping[Ref, tuple[Between, ...]]:
    """Return it by the repository's entry, worked out once for each snapshot."""
    found = _FOUND.get(library)
    if found is None:
        groups: dict[Ref, list[Between]] = {}
        for each in between_in(library.sources):
            groups.setdefault(each.own.ref, []).append(each)
        found = _FOUND[library] = {ref: tuple(group) for ref, group in groups.items()}
    return found


_FOUND: WeakKeyDictionary[Library, Mapping[Ref, tuple[Between, ...]]] = WeakKeyDictionary()


def level_issues(library: Library) -> Iterator[Issue]:
    """Yield what needs an `overrides:`, and what says one and overrides nothing."""
    if not library.of_format(WORKSPACE):
        return
    for found in between_levels(library):
        yield _issue(library, found)
    yield from _dangling(library)


def _issue(library: Library, found: Between) -> Issue:
    own, inherited = library.short(found.own.ref), library.short(found.inherited.ref)
    how = "possible conflict with" if found.is_contradiction else "similar to"
    told = "" if found.likeness.checked else " (not checked for conflicts)"
    message = f"`{own}`: {how} `{inherited}`{told}: {found.own.title}"
    message += f"; `{inherited}`: {found.inherited.title}"
    hint = f"agents get both; add `overrides: {inherited}` if the repository's should win"
    path = library.source_of(found.own).path
    problem = Problem("between-levels", message, hint, path)
    return Issue(problem, found.own.ref, OVERRIDE, {OF: str(found.inherited.ref)})


def _dangling(library: Library) -> Iterator[Issue]:
    known = {
        name: (source, entry)
        for source in library.of_format(WORKSPACE)
        for entry in source.entries
        for name in names_of(entry.ref)
    }
    for entry, name in declared(library.of_format(SNIPER)):
        if name not in known:
            message = (
                f"`{library.short(entry.ref)}` overrides `{name}`, which the "
                "workspace does not have"
            )
            hint = "name an entry of the workspace, or remove `overrides`"
            path = library.source_of(entry).path
            yield Issue(Problem("overrides-nothing", message, hint, path), entry.ref)
            continue
        reason = holds_on(entry, *known[name])
        if reason:
            message = f"`{library.short(entry.ref)}` does not override `{name}`: {reason}"
            hint = "remove `overrides`, or change the entry of the workspace"
            path = library.source_of(entry).path
            yield Issue(Problem("overrides-in-vain", message, hint, path), entry.ref)
