"""Plans that what one repository knows becomes memory of its workspace (FORMATS 1.13).

The entry is added above under the next id there, and removed below, or kept on wish; where the
whole workspace is open, copies of it in other repositories go with it as long as nothing of them is
lost. It is one change over several files, and always a person's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from remem.base.errors import Already, NotPossible
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.checks.secrets import need_clean
from remem.core.draft import Draft, all_touched, chosen
from remem.core.library import Library
from remem.core.no_text_lost import need_kept
from remem.core.relation.already_said import Known, alike, named
from remem.core.relation.normal_form import Alike, exact
from remem.core.repositories import repository_of, within, workspaces_of
from remem.core.waiting.decision_records import record
from remem.core.waiting.kinds import coming_of, need_waiting
from remem.core.waiting.rejected import Sent
from remem.model.change import Change, Effect, Intent, Json, texts_in
from remem.model.entry import LESSON, Entry, Ref, Status
from remem.systems.sniper.records import DECISION, FINDING, RECORDS, from_bare
from remem.systems.sniper.seen import looked_at, united_seen
from remem.systems.workspace.format import Workspaces
from remem.systems.workspace.promotion_found import KINDS, PROPOSAL, SNIPER, copies_of, shared
from remem.systems.workspace.records import WORKSPACE

if TYPE_CHECKING:
    from remem.systems.workspace.workspace_verbs import WorkspaceLeave, WorkspacePromote

_APART: Final = frozenset({"id", "status", "scope", "overrides", "superseded_by"})
"""Fields that say where an entry stands and not what it says."""
_UNITED: Final = frozenset({"source", "seen", "applies_to"})
_REASONS: Final = frozenset({"rationale", "why_bad", "context"})
"""Fields that a copy's place in `seen` keeps."""
_QUOTED: Final = re.compile(r""""(?:\\.|[^"\\])*"|'(?:''|[^'])*'""")
_COMMENT: Final = re.compile(r"(?m)(?:^|[ \t])#")


def plan_promotion(library: Library, intent: Intent, args: WorkspacePromote) -> Change:
    """Plan to lift entries and findings of repositories into their workspace.

    Args:
        library: Of one repository, or of the whole workspace.
        intent: Names them.
        args: `keep` leaves the entries where they are as well.

    Raises:
        NotPossible: There is no workspace, or something cannot be lifted; the message says why.
        Refused: A file cannot be written.
        Unacknowledged: Something holds a secret or hidden characters.
    """
    entries = chosen(library, intent)
    lifting = _Lifting(library, intent, keeps=args.keep)
    for entry in entries:
        if entry.ref not in lifting.touched:
            lifting.lift(entry)
    names = [library.short(ref) for ref in intent.shown]
    what = names[0] if len(names) == 1 else count(names, "entry", "entries")
    effects = lifting.effects()
    need_kept(library, effects, lifting.instead)
    return Change(
        intent,
        f"Promote {what} to the workspace",
        effects,
        touched=all_touched(library, effects, lifting.touched),
        receipt=lifting.receipt(),
        notes=tuple(lifting.notes),
    )


def plan_leaving(library: Library, intent: Intent, args: WorkspaceLeave) -> Change:
    """Plan to leave entries in their repositories: that they are alike is not proposed again.

    Raises:
        NotPossible: One of them is not proposed.
    """
    proposed = shared(library)
    draft = Draft(within(library, ""))
    sent: list[Sent] = []
    for entry in chosen(library, intent):
        if entry.ref not in proposed:
            raise NotPossible(
                f"no proposal to promote `{library.short(entry.ref)}`",
                hint="`remem queue` lists the items to review",
            )
        sent.append(Sent(PROPOSAL, entry.title, library.short(entry.ref)))
    record(draft, sent, args.reason)
    names = [library.short(ref) for ref in intent.shown]
    what = names[0] if len(names) == 1 else count(names, "entry", "entries")
    title = f"Leave {what} in the repositories"
    return Change(intent, title, draft.effects(), args.reason)


@dataclass(frozen=True, slots=True)
class _Coming:
    """An entry of the workspace in the making."""

    kind: str
    text: str
    fields: dict[str, Any]


@dataclass(slots=True)
class _Lifting:
    """Several plans that become one change: one above, and one in each repository."""

    library: Library
    intent: Intent
    keeps: bool
    """The entries stay where they are as well."""
    touched: dict[Ref, Ref | None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _above: Draft = field(init=False)
    _below: dict[str, Draft] = field(default_factory=dict)
    _added: int = 0
    _removed: list[str] = field(default_factory=list)
    instead: dict[str, str] = field(default_factory=dict)
    """The text of each copy that leaves, and the one that says the same above."""

    def __post_init__(self) -> None:
        self._above = Draft(within(self.library, ""))

    def lift(self, entry: Entry) -> None:
        """Plan to add an entry above, and to take it and its copies out below."""
        library, name = self.library, self.library.short(entry.ref)
        _need_liftable(library, entry)
        view = within(library, repository_of(library, entry.ref))
        if entry.kind == FINDING:
            need_waiting(view, entry)
        coming = _coming(view, entry)
        need_clean((coming.text, *texts_in(coming.fields)), self.intent, f"`{name}`")
        self._tell_of_like(coming)
        gone = [] if self.keeps or entry.kind == FINDING else [entry]
        copies = self._copies(entry, coming)
        gone += [copy for copy in copies if not self.keeps and self._takes_in(coming, copy)]
        if not self.keeps:
            self._tell_of_loss(gone)
        ref = self._add(coming)
        self.touched |= {entry.ref: entry.ref, ref: ref}
        for each in gone:
            self._take_out(each)
            self.instead[each.title] = coming.text
            self.touched[each.ref] = ref

    def effects(self) -> tuple[Effect, ...]:
        """Return what is written above, then repository by repository."""
        drafts = (self._above, *self._below.values())
        return tuple(effect for draft in drafts for effect in draft.effects())

    def receipt(self) -> str:
        """Return how the entries add up."""
        added = f"{count(self._added, 'entry', 'entries')} added to the workspace"
        if not self._removed:
            return f"{added} · 0 removed below"
        return f"{added} · {len(self._removed)} removed below: {', '.join(self._removed)}"

    def _copies(self, entry: Entry, coming: _Coming) -> Iterator[Entry]:
        """Yield the entries of other repositories that say the same; tell of the others."""
        if not self.library.is_whole:
            return
        for other in copies_of(self.library, coming.kind, coming.text, entry.ref):
            if exact(other.title, coming.text):
                yield other
            elif other.ref not in self.intent.shown:
                name = self.library.short(other.ref)
                self.notes.append(f"`{name}` is similar and stays: {other.title}")

    def _takes_in(self, coming: _Coming, copy: Entry) -> bool:
        """Unite the new entry with a copy; false = the copy says more, and stays."""
        theirs = _fields(self.library, copy)
        own = [name for name, value in theirs.items() if _is_own(name, value, coming)]
        name = self.library.short(copy.ref)
        if own:
            says = ", ".join(f"`{each}`" for each in own)
            self.notes.append(f"`{name}` is a duplicate with another {says} and stays")
            return False
        mine = coming.fields
        for each, value in theirs.items():
            if each not in _UNITED | _APART and _is_empty(mine.get(each)):
                mine[each] = value
        mine |= united_seen(mine, theirs, "")
        mine["applies_to"] = _united_roles(mine.get("applies_to"), theirs.get("applies_to"))
        return True

    def _tell_of_like(self, coming: _Coming) -> None:
        """Tell what the workspace has that is like it.

        Raises:
            NotPossible: It says it already.
        """
        for known in _above_like(self._above.library, coming):
            name = self.library.short(known.entry.ref)
            if known.alike is Alike.EXACT:
                raise Already(
                    f"`{name}` already says it",
                    hint="remove it here to inherit that one, or keep it to override it",
                )
            told = named(self.library, known.entry.ref, known.alike)
            self.notes.append(f"{told}: {known.entry.title}")

    def _tell_of_loss(self, gone: list[Entry]) -> None:
        """Tell what taking out loses.

        Raises:
            NotPossible: Another decision names it as its successor.
        """
        for each in gone:
            view = within(self.library, repository_of(self.library, each.ref))
            successor = _superseded_by(view, each)
            if successor:
                raise NotPossible(
                    f"`{self.library.short(successor)}` names "
                    f"`{self.library.short(each.ref)}` as what took its place",
                    hint="keep it where it is as well: `--keep`",
                )
            source = view.source_of(each)
            if _COMMENT.search(_QUOTED.sub("", view.format_of(each).reader.body(source, each))):
                name = self.library.short(each.ref)
                self.notes.append(f"comments in `{name}` go with it; the diff shows them")

    def _add(self, coming: _Coming) -> Ref:
        ground = self._above.library.ground
        sources = self._above.sources(WORKSPACE)
        (addition,) = Workspaces().add_all(
            ground, sources, coming.kind, [coming.fields], foreign=True
        )
        self._above.take(addition.effects)
        self._added += 1
        return addition.ref

    def _take_out(self, entry: Entry) -> None:
        name = repository_of(self.library, entry.ref)
        if name not in self._below:
            self._below[name] = Draft(within(self.library, name))
        draft = self._below[name]
        draft.take(self.library.format_of(entry).keeper.remove(*draft.find(entry.ref)))
        self._removed.append(self.library.short(entry.ref))


def why_not(library: Library, entry: Entry) -> str | None:
    """Return why an entry cannot be lifted, as far as a look tells; `None` = it can."""
    if entry.ref.format == WORKSPACE:
        return "it is already in the workspace"
    if entry.ref.format != SNIPER or entry.kind not in (*KINDS, FINDING):
        return "a workspace stores conventions, anti-patterns and decisions"
    if not workspaces_of(library):
        return "there is no workspace above it"
    if entry.kind != FINDING and entry.status is Status.CANDIDATE:
        return "it is a candidate; approve it first"
    if entry.kind != FINDING and entry.status is not Status.ACTIVE:
        return f"it is {entry.status}"
    return None


def _need_liftable(library: Library, entry: Entry) -> None:
    reason = why_not(library, entry)
    if reason is not None:
        raise NotPossible(
            f"`{library.short(entry.ref)}` cannot be promoted to the workspace: {reason}",
            hint="first promote it: `--to convention`"
            if entry.kind == LESSON
            else "`remem workspace show` says how to make one",
        )


def _coming(view: Library, entry: Entry) -> _Coming:
    """Return what an entry becomes above: all that it says, and where it is from."""
    if entry.kind == FINDING:
        found = coming_of(view, entry)
        if found.kind not in KINDS:
            raise NotPossible("a workspace stores no learnings", hint="approve it here")
        return _Coming(found.kind, found.text, {**found.fields, "scope": WORKSPACE})
    fields = _fields(view, entry)
    if fields.get("overrides"):
        raise NotPossible(
            f"`{view.short(entry.ref)}` overrides `{fields['overrides']}`, which is there",
            hint="change that one in the workspace, or remove `overrides`",
        )
    kept = {name: value for name, value in fields.items() if name not in _APART}
    seen = looked_at(fields)
    kept.pop("seen", None)
    if seen:
        kept["seen"] = seen
    return _Coming(entry.kind, entry.title, {**kept, "scope": WORKSPACE})


def _fields(library: Library, entry: Entry) -> dict[str, Any]:
    """Return what an entry holds under the names of FORMATS 1.2–1.4."""
    fields = library.format_of(entry).reader.fields(library.source_of(entry), entry)
    return from_bare(entry.kind, fields)


def _is_own(name: str, value: Json, coming: _Coming) -> bool:
    """Tell whether a field of a copy would be lost with it."""
    if name in _APART | _UNITED | _REASONS or name == RECORDS[coming.kind].text_field:
        return False
    mine = coming.fields.get(name)
    return not (_is_empty(value) or _is_empty(mine) or mine == value)


def _is_empty(value: Json) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_empty, value.values()))
    return value is None or value in ("", [])


def _united_roles(mine: Json, theirs: Json) -> list[Json]:
    """An entry without roles is for everyone, and so is what it is united with."""
    if not mine or not theirs:
        return []
    lists = [each if isinstance(each, list) else [each] for each in (mine, theirs)]
    return [*dict.fromkeys(role for each in lists for role in each)]


def _above_like(view: Library, coming: _Coming) -> Iterator[Known]:
    for known in alike(view, coming.kind, coming.text):
        if known.entry.ref.format == WORKSPACE and known.entry.status is Status.ACTIVE:
            yield known


def _superseded_by(view: Library, entry: Entry) -> Ref | None:
    """Return the decision that names this one as its successor."""
    if entry.kind != DECISION:
        return None
    for other in view.of_kind(DECISION):
        if other.ref.format == SNIPER and other.ref != entry.ref:
            fields = view.format_of(other).reader.fields(view.source_of(other), other)
            if fields.get("superseded_by") == entry.ref.id:
                return other.ref
    return None
