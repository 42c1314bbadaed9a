"""Plans what settles a conflict without choosing one side: keep both, or limit who gets which.

Either puts what waits into force as approving does, and remembers that both stay: the pair is not
told again until one of the texts changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from remem.base.errors import NotPossible
from remem.core.draft import Draft, change, chosen
from remem.core.library import Library
from remem.core.relation.already_said import whole_of
from remem.core.relation.in_force import against, opposes
from remem.core.relation.normal_form import MANY
from remem.core.verbs.supersede import brought_in, comes_in, is_wider
from remem.core.verbs.verb import read_only
from remem.core.waiting.approve import said_in
from remem.core.waiting.decision_records import record
from remem.core.waiting.grouped_plans import planner
from remem.core.waiting.kinds import act_on, is_waiting
from remem.core.waiting.rejected import Sent, both
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, kind_text
from remem.model.roles import matches, unknown_roles
from remem.model.source import SourceKind

if TYPE_CHECKING:
    from remem.core.verbs.verbs import KeepBoth, Scope

_ROLES: Final = "role"


def plan_keep_both(library: Library, intent: Intent, args: KeepBoth) -> Change:
    """Plan to keep an entry beside what it conflicts with, and why.

    Raises:
        NotPossible: It conflicts with nothing in force, or no reason was given.
        Unacknowledged: It would bring a secret or hidden characters into memory.
        UnknownRef: There is no such entry.
    """
    if not args.reason.strip():
        raise NotPossible("keeping both needs a reason", hint="say why, e.g. `--reason TEXT`")
    other = library.resolve(args.beside) if args.beside else None
    new = _only(library, intent, other)
    act = act_on(library, new.ref, intent.verb, intent.waiting.get(new.ref, ""))
    if act is not None:
        return planner(act)(library, replace(intent, shown={new.ref: intent.shown[new.ref]}), args)
    kept = [*_kept(library, new, other)]
    if not kept:
        raise NotPossible(
            f"`{library.short(new.ref)}` conflicts with no active entry",
            hint="approve it, or name the other entry with `--beside`",
        )
    draft, touched, notes = _in_force(library, intent, new, args.fields)
    record(draft, kept, args.reason)
    made = change(library, intent, "", draft, touched, notes=notes, reason=args.reason)
    beside = f" beside {library.short(other.ref)}" if other is not None else ""
    return replace(made, title=f"Keep {library.short(new.ref)}{beside}")


def plan_scope(library: Library, intent: Intent, args: Scope) -> Change:
    """Plan to limit an entry, what it conflicts with, or both, to roles or files.

    Where another writer took one half back, the intent shows that half alone, and only that is
    done again.

    Raises:
        NotPossible: Nothing was said to limit them to, or a format has no field for it.
        Unacknowledged: It would bring a secret or hidden characters into memory.
        UnknownRef: There is no such entry.
    """
    other = library.resolve(args.apart_from)
    is_half = other.ref in intent.shown and library.aside.reverted_at(other.ref) is not None
    new = None if is_half and len(intent.shown) == 1 else _only(library, intent, other)
    mine = {} if new is None else _limits(library, new, args.roles, args.files)
    theirs = _limits(library, other, args.other_roles, args.other_files)
    if not mine and not theirs:
        raise NotPossible(
            "say which roles or files to limit it to", hint="e.g. `--role qa-engineer`"
        )
    if theirs and new is not None and is_wider(library, other, new):
        raise NotPossible(
            f"`{library.short(other.ref)}` is active in other repositories too",
            hint="limit the new entry; it overrides the workspace in its own repository",
        )
    _need_apart(args)
    draft, touched, notes = Draft(library), dict[Ref, Ref | None](), tuple[str, ...]()
    if new is not None:
        draft, touched, notes = _in_force(library, intent, new, {**args.fields, **mine})
    limited = [(other, theirs), *([(new, mine)] if new is not None else [])]
    for entry, fields in limited:
        if fields and entry.ref not in touched:
            draft.take(library.format_of(entry).keeper.edit(*draft.find(entry.ref), fields))
            touched[entry.ref] = entry.ref
    told = "; ".join(_limited(library, entry, fields) for entry, fields in limited if fields)
    if new is not None:
        record(draft, [*_kept(library, new, other)], told)
    notes = (*unknown_roles((*args.roles, *args.other_roles), library.role_names()), *notes)
    made = change(library, intent, "", draft, touched, notes=notes, reason=told)
    sides = ((new, mine), (other, theirs))
    names = " and ".join(library.short(each.ref) for each, limits in sides if each and limits)
    beside = f" beside {library.short(new.ref)}" if new is not None and not mine else ""
    return replace(made, title=f"Limit the scope of {names}{beside}")


def _need_apart(args: Scope) -> None:
    """Let nobody be told both by what is to keep them apart.

    Raises:
        NotPossible: Both would be for the same role, or the same files.
    """
    if {*args.files}.isdisjoint(args.other_files) and args.files and args.other_files:
        return
    same = [each for each in args.roles if args.other_roles and matches(each, args.other_roles)]
    if same:
        raise NotPossible(
            f"both would still be for `{same[0]}`", hint="limit one of them to another role"
        )


def _limited(library: Library, entry: Entry, fields: Mapping[str, Json]) -> str:
    names = [each for wanted in fields.values() if isinstance(wanted, list) for each in wanted]
    return f"`{library.short(entry.ref)}` is for {', '.join(map(str, names))}"


def scope_fields(library: Library, entry: Entry) -> tuple[str, str]:
    """Return the fields that say for which roles and which files an entry is; empty = it has none.

    Its own system is asked first: two may keep a kind of one name. What stands in a text has no
    fields but those of its own system.
    """
    kind, own = said_in(library, entry)[0], library.format_of(entry).facets
    is_text = library.source_of(entry).kind is SourceKind.MEMORY
    facets = [own] if is_text else [own, *(each.facets for each in library.formats)]
    roles = (
        each.roles_field.get(kind, "") or each.options_of_add.get(kind, {}).get(_ROLES, "")
        for each in facets
    )
    files = (each.files_field.get(kind, "") for each in facets)
    return next(filter(None, roles), ""), next(filter(None, files), "")


def _only(library: Library, intent: Intent, other: Entry | None) -> Entry:
    found = [e for e in chosen(library, intent) if other is None or e.ref != other.ref]
    if not found:
        hint = "name another entry in the same repository"
        raise NotPossible(f"`{_name(library, other)}` cannot conflict with itself", hint=hint)
    if len(found) > 1:
        raise NotPossible("only one item can be settled at a time", hint="unmark the others")
    return found[0]


def _name(library: Library, entry: Entry | None) -> str:
    return library.short(entry.ref) if entry is not None else ""


def _kept(library: Library, new: Entry, other: Entry | None) -> Iterator[Sent]:
    """Yield an entry with the other one, or with all in force that may say the opposite."""
    kind, text = said_in(library, new)
    if other is not None:
        found = [other]
    else:
        about = against(library, kind, text, apart={new.ref})[:MANY]
        found = [each.key for each in about if opposes(library, each)]
    for each in found:
        # A heading may be compared alone, or with what stands below it.
        for one, two in product(
            dict.fromkeys((text, new.title)), dict.fromkeys((whole_of(library, each), each.title))
        ):
            yield both(one, two)


def _in_force(
    library: Library, intent: Intent, new: Entry, fields: Mapping[str, Json]
) -> tuple[Draft, dict[Ref, Ref | None], tuple[str, ...]]:
    """Return a draft with an entry in force, and what bringing it there does."""
    draft = Draft(library)
    if not comes_in(library, intent, new):
        return draft, {}, ()
    part = brought_in(library, intent, new, fields)
    draft.take(part.effects)
    return draft, {**part.touched}, part.notes


def _limits(
    library: Library, entry: Entry, roles: Sequence[str], files: Sequence[str]
) -> dict[str, Json]:
    """Return the fields that limit an entry.

    Raises:
        NotPossible: Its format has no field for that, or it cannot be written.
    """
    if not roles and not files:
        return {}
    name, kind = library.short(entry.ref), said_in(library, entry)[0]
    waits = is_waiting(library, entry)
    fixed = None if waits else library.format_of(entry).facets.fixed.get(kind)
    blocked = fixed or read_only(library, entry) if not waits else None
    if blocked:
        raise NotPossible(f"`{name}`: {blocked}", hint=_INSTEAD)
    limits: dict[str, Json] = {}
    for field, wanted, what in zip(
        scope_fields(library, entry), (roles, files), ("roles", "files"), strict=True
    ):
        if wanted and not field:
            raise NotPossible(
                f"`{name}` cannot be limited to {what}: {kind_text(kind)}s have no field for them",
                hint=_INSTEAD,
            )
        if wanted:
            limits[field] = [*wanted]
    return limits


_INSTEAD: Final = "limit the other entry, replace one (`remem supersede`), or `remem keep-both`"
