"""What can wait for a person, one kind for each reason, and what became of what waited.

Nothing is kept of what became of it. A finding was decided when memory says it, when it was merged
into an entry, or when it was rejected; it is open again as soon as none of that holds, after an
undo for one.

Core finds what waits, groups what a person picked by what its kinds do with it, and joins the
plans (`queue.py`, `grouped_plans.py`). It names no system: each brings its kinds (`System.waits`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.core.library import Library
from remem.core.registered import own
from remem.core.repositories import repository_at, within
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, Status
from remem.model.memo import kept
from remem.model.source import SourceKind

if TYPE_CHECKING:
    from remem.core.waiting.item import Item
    from remem.model.proposals_and_rejections import Rejection


@dataclass(frozen=True, slots=True)
class Coming:
    """An entry that something would become which is none of a store yet."""

    kind: str
    text: str
    fields: Mapping[str, Json]
    target: str = ""
    """Name of the format that it goes to; empty = the one that keeps that kind."""
    seen: Mapping[str, Json] | None = None
    """Where it was met: an entry that says it already notes this; `None` = it is added in any case,
    and what it came of goes."""
    tells_itself: bool = False
    """A new entry says by its own record where it was met."""
    whence: str = ""
    """What a rejection names as where it is from; empty = the file that it waits in."""
    whose: str = ""
    """The key of the persona that learnt it; empty = it is nobody's own."""


BRING_IN: Final = "bring_in"
"""What makes an entry of something that waits, where approving it does something else: so a
conflict with it can be settled like any other."""
UNREVIEWED: Final = "unreviewed"
"""The kind of what was written since a person looked."""

Plan: TypeAlias = Callable[[Library, Intent, Any], Change]
"""Plans a verb on what waits, from what that verb is told: `Approve`, `Reject`, `Keep`."""


class Usual(Enum):
    """What is planned for any system, named so that a queue is drawn without loading its plan."""

    APPROVE = "put candidates, findings and proposals into force"
    REJECT = "send candidates away"
    KEEP = "keep findings and candidates as candidates"
    PROMOTE = "lift candidates into force"
    PROMOTE_MET = "lift the candidates that say what findings say, and note these in them"
    MERGE_MET = "note findings in an entry that says the same"


def may_always() -> str | None:
    """Let what is always done be done."""
    return None


@dataclass(frozen=True, slots=True)
class Act:
    """What a verb does with something that waits."""

    plan: Plan | Usual
    """Plans it for all that was picked under it: what has the same planner is planned together."""
    says: str = ""
    """What the verb is called here; empty = by its own name."""
    why_not: Callable[[], str | None] = may_always
    """Says why it cannot be done now, in words for the footer; `None` = it can."""
    reasons: tuple[str, ...] = ()
    """Stock reasons that fit it; empty = those for rejecting."""


class Waiting(Protocol):
    """One reason why something waits.

    What it finds says all that its card shows. It is asked about a whole library for the queue,
    and about one ref for a key, which must walk over nothing.
    """

    id: str
    """In intents; permanent."""
    order: int
    """Its place in the queue, and who is asked first about an entry that waits for two reasons."""
    claims: tuple[str, ...] = ()
    """Kinds of entries that wait for this reason alone, and are no candidates of a store."""
    is_whole: bool = False
    """It is about several repositories at once, and sees all of them."""
    asks_again: bool = False
    """A decision on it that another writer took back is told on its card."""
    is_compared: bool = False
    """What in force may say otherwise is shown on its card: it would come in beside that."""
    is_evidence: bool = False
    """Approving it counts for an entry that is there already: its words conflict with nothing."""
    is_beside: bool = False
    """It is asked about beside whatever else is on the card."""
    is_loaded: bool = False
    """Agents load by themselves what approving it writes: its card tells what they start with."""
    is_sought: bool = False
    """It is looked for in the bytes of every entry, which takes its time in a large store."""
    stays: bool = False
    """What is turned down keeps its place, under another status or none."""

    def items(self, library: Library) -> Iterable[Item]:
        """Yield all that waits for this reason, in the order of the files."""
        ...

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        """Return what can be done with what has this ref, by verb id; {} where it does not wait."""
        ...

    def takes(self, library: Library, entry: Entry) -> bool:
        """Tell whether an entry of a kind that it claims is its own; several may claim one kind."""
        return True

    def coming(self, library: Library, entry: Entry) -> Coming | None:
        """Return what an entry that it claims would become; `None` = it is an entry already.

        Raises:
            NotPossible: It is for reading only.
        """
        return None

    def again(self, library: Library, ref: Ref) -> Act | None:
        """Return what makes once more a decision that was taken back; `None` = none was."""
        return None

    def settled(self, library: Library, entry: Entry) -> Decided | None:
        """Return what became of an entry that it claims; `None` = it is open."""
        return None

    def tells(self, library: Library, items: Sequence[Item]) -> Sequence[Item]:
        """Return what waits for other reasons, with what this kind knows about it."""
        return items


class OfEntries(Waiting):
    """A reason for which entries wait that are there, of one system: most reasons are."""

    system: str = ""
    """Whose entries; empty = anybody's."""
    kind: str = ""
    """Of this kind alone; empty = of any."""
    status: Status | None = None
    """With this status alone; `None` = with any."""

    def acts(self, library: Library, ref: Ref) -> Mapping[str, Act]:
        entry = library.get(ref) if self.system in ("", ref.format) else None
        if entry is None:
            return {}
        if self.kind not in ("", entry.kind) or self.status not in (None, entry.status):
            return {}
        return self.acts_on(library, entry)

    def acts_on(self, library: Library, entry: Entry) -> Mapping[str, Act]:
        """Return what can be done with such an entry; {} where it does not wait for this reason."""
        raise NotImplementedError


def usual(library: Library, entry: Entry) -> dict[str, Act]:
    """Return the acts of what is put into force or sent away as in any other system."""
    from remem.core.verbs.verb import read_only

    why_not = partial(read_only, library, entry)
    return {
        "approve": Act(Usual.APPROVE, why_not=why_not),
        "reject": Act(Usual.REJECT, why_not=why_not),
    }


@kept
def kinds(library: Library) -> tuple[Waiting, ...]:
    """Return what can wait in a library, in the order of the queue."""
    found = [*own().kinds(library)]
    for each in library.formats:
        found += _kinds_of(library, each.name)
    return _in_order(found)


def _in_order(found: Iterable[Waiting]) -> tuple[Waiting, ...]:
    return tuple(sorted(found, key=lambda kind: kind.order))


@kept
def _kinds_of(library: Library, system: str) -> Sequence[Waiting]:
    return library.format(system).waits(library)


def kind_of(library: Library, entry: Entry) -> Waiting | None:
    """Return the kind that claims an entry; `None` = it waits only where it is a candidate."""
    return _claiming(kinds(library), library, entry)


def settled(library: Library, entry: Entry) -> Decided | None:
    """Return what became of an entry; `None` = it is open, or no such entry is ever settled."""
    found, asked = _found_settled(library), (entry.ref, entry.digest)
    if asked not in found:
        kind = _claiming(_settling(library, entry.kind), library, entry)
        found[asked] = kind.settled(library, entry) if kind is not None else None
    return found[asked]


@kept
def _found_settled(library: Library) -> dict[tuple[Ref, str], Decided | None]:
    """Return what is known by now of one snapshot: the queue asks, and each of its rows again."""
    return {}


@kept
def _settling(library: Library, settled: str) -> Sequence[Waiting]:
    """Return the kinds of the systems that tell what became of such entries, and no others."""
    systems = (each.name for each in library.formats if settled in each.facets.settles)
    return _in_order(kind for system in systems for kind in _kinds_of(library, system))


def _claiming(among: Iterable[Waiting], library: Library, entry: Entry) -> Waiting | None:
    return next((k for k in among if entry.kind in k.claims and k.takes(library, entry)), None)


def coming_of(library: Library, entry: Entry) -> Coming:
    """Return what a finding or a proposal would become.

    Raises:
        NotPossible: Nothing comes of it.
    """
    found = may_come_of(library, entry)
    if found is None:
        raise NotPossible(f"`{library.short(entry.ref)}` is already an entry")
    return found


def may_come_of(library: Library, entry: Entry) -> Coming | None:
    """Return what an entry becomes that is none of a store yet; `None` = it is one already."""
    kind = kind_of(library, entry)
    return kind.coming(library, entry) if kind is not None else None


def is_waiting(library: Library, entry: Entry) -> bool:
    """Tell whether a person is asked about an entry in its repository, for whichever reason."""
    return any(kind.acts(library, entry.ref) for kind in kinds(library) if not kind.is_whole)


def act_on(library: Library, ref: Ref, verb: str, waiting: str = "") -> Act | None:
    """Return what a verb does with what waits; `None` where it waits for no such decision.

    Args:
        library: What is open: one repository, or a whole workspace.
        ref: What is decided on.
        verb: Its id.
        waiting: The kind that was on the card; empty = the first that has an answer.
    """
    found = _answer(library, ref, verb, waiting)
    return found[1] if found is not None else None


def is_about_all(library: Library, ref: Ref, verb: str, waiting: str) -> bool:
    """Tell whether a verb on what waits is about several repositories at once."""
    found = _answer(library, ref, verb, waiting)
    return found is not None and found[0].is_whole


def _answer(library: Library, ref: Ref, verb: str, waiting: str) -> tuple[Waiting, Act] | None:
    view = within(library, repository_at(library, ref)) if library.is_whole else library
    for kind in kinds(library):
        # A decision that was taken back is asked about beside whatever else was on the card.
        if waiting in ("", kind.id) or kind.is_beside:
            act = kind.acts(library if kind.is_whole else view, ref).get(verb)
            if act is not None:
                return kind, act
    return None


def waits_otherwise(library: Library, ref: Ref, kind: Waiting) -> bool:
    """Tell whether something waits for a reason that is asked about before this one.

    A decision that was taken back (order 0) is told beside any of them.
    """
    return any(each.acts(library, ref) for each in kinds(library) if 0 < each.order < kind.order)


def called(library: Library, picked: Mapping[Ref, str], verb: str) -> str:
    """Return what a verb is called on what was picked, by kind; empty = by its own name."""
    acts = [act_on(library, ref, verb, waiting) for ref, waiting in picked.items()]
    names = {act.says if act is not None else "" for act in acts}
    return names.pop() if len(names) == 1 else ""


STATES: Final = ("confirmed", "kept", "merged", "known", "rejected")
"""What a finding can have come to; `known` = memory said it before."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision that stands on a finding."""

    state: str
    """`confirmed`, `kept` as a candidate, `merged`, `rejected`, or `known`: said before it."""
    entry: Entry | None = None
    """The entry that it became, went into, or that says it."""
    rejection: Rejection | None = None

    def short(self, library: Library) -> str:
        """Return it as a list has room for: `confirmed conv-004`."""
        return f"{self.state} {library.short(self.entry.ref)}" if self.entry else self.state

    def told(self, library: Library) -> str:
        """Return it as a clause: `became `conv-004``."""
        if self.rejection is not None:
            by, day = self.rejection.by, self.rejection.date
            return f"{by} rejected it on {day}: {self.rejection.reason}"
        assert self.entry is not None
        name = library.short(self.entry.ref)
        match self.state:
            case "confirmed":
                return f"became `{name}`"
            case "kept":
                return f"became `{name}`, a candidate"
            case "merged":
                return f"merged into `{name}`"
            case _:
                return f"`{name}` already says it"


def decided(library: Library, entry: Entry) -> Decided | None:
    """Return the decision that stands on a finding; `None` = it is open, or no finding."""
    if library.source_of(entry).kind is SourceKind.STORE:
        return None
    return settled(library, entry)


def state_of(library: Library, entry: Entry) -> str:
    """Return an entry's status as lists show it: of a decided finding, what became of it."""
    found = decided(library, entry)
    return entry.status.value if found is None else found.state


def said_by(library: Library, kind: str, text: str) -> Sequence[Entry]:
    """Return the entries of a kind that say a text in the same words, in file order."""
    from remem.core.relation.normal_form import norm

    form = norm(text)
    return _by_form(library, kind).get(form, ()) if form else ()


@kept
def _by_form(library: Library, kind: str) -> Mapping[str, Sequence[Entry]]:
    from remem.core.relation.normal_form import norm

    forms: dict[str, list[Entry]] = {}
    for source in library.sources:
        if source.may_hold(kind):
            for entry in source.entries:
                if entry.kind == kind:
                    forms.setdefault(norm(entry.title), []).append(entry)
    return forms


def need_waiting(library: Library, entry: Entry) -> None:
    """Let only candidates through.

    Raises:
        NotPossible: It is none.
    """
    if is_waiting(library, entry):
        return
    name, found = library.short(entry.ref), decided(library, entry)
    if found is None:
        raise NotPossible(
            f"`{name}` does not wait for a decision", hint="`remem queue` lists the items to review"
        )
    instead = (
        f"decide on `{library.short(found.entry.ref)}`" if found.entry else "undo that decision"
    )
    raise NotPossible(f"`{name}` is already decided: {found.told(library)}", hint=instead)


def undecided(
    library: Library, entries: Sequence[Entry], done: Collection[str]
) -> tuple[list[Entry], list[str]]:
    """Return what is left to decide on, and a note for each finding that was decided so already.

    Args:
        library: Where they stand.
        entries: What is to be decided on.
        done: The states of a finding in which this decision stands.
    """
    left: list[Entry] = []
    notes: list[str] = []
    for entry in entries:
        found = decided(library, entry)
        if found is None or found.state not in done:
            left.append(entry)
        else:
            notes.append(f"`{library.short(entry.ref)}` is already decided: {found.told(library)}")
    return left, notes
