"""From an item of the queue to its card: what it is, and what each verb would do to the prompts.

Pure but for planning, which the session does; it knows nothing of widgets. The list beside it is
`groups.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.prompt.asks import asks_about, roles_about
from remem.core.relation.already_said import SIMILAR, relation, tells_of_conflict
from remem.core.relation.normal_form import MANY, Alike
from remem.core.repositories import repositories_of
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import APPROVE, KEEP, MERGE, PROMOTE, REJECT, verb
from remem.core.waiting.item import Item, Like, Why, item_ids, kinds_drawn
from remem.core.waiting.kinds import UNREVIEWED, called, kinds
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref, kind_text
from remem.model.prompt import Ask, Prompt
from remem.model.roles import audience, persona_key
from remem.systems.facts import fact_verbs
from remem.systems.sniper.retro import retro_entries
from remem.systems.workspace.workspace_verbs import WORKSPACE_PROMOTE
from remem.views.confidence_history import lines as ledger
from remem.views.confidence_history import trajectory
from remem.views.glyphs import Glyphs
from remem.views.list_rows import Choice
from remem.views.long_text import TextLine, markdown_lines, span_line, text_line, writes_head
from remem.views.review.impact import RoleImpact, VerbImpact, felt, impact_lines
from remem.views.review.retro import Head, head_line, is_estimate, section_name
from remem.views.spans import Span, Tone, span

if TYPE_CHECKING:
    from remem.core.prompt.impact import Impact, Measure
    from remem.core.session import Session
    from remem.core.waiting.kinds import Coming
    from remem.store.changes.preview import FilePreview
    from remem.views.review.groups import Board
    from remem.views.review.unreviewed import Told

_LEFT: Final = 20
"""Items that a plan names which it does nothing to."""
MOST_ROLES: Final = 8
"""Roles that the table names; more would push the verbs off the screen."""
WHY_IT_WAITS: Final = "why"
"""The name of a fact of a card, and the mark of its line."""
"""What the line of a card begins with that says so."""
_VERIFIED: Final = "verified"
_READ_AS: Final = {
    "overestimates": "took less than estimated",
    "underestimates": "took more than estimated",
    "patterns": "estimation patterns",
}
PLANNED: Final = frozenset(
    each.id
    for each in (APPROVE, KEEP, PROMOTE, WORKSPACE_PROMOTE, REJECT, MERGE, *fact_verbs.VERBS)
)
"""Verbs whose effect is known beforehand."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one verb on offer would do."""

    verb: Verb
    title: str
    """What the verb is called on this item."""
    change: Change | None
    """`None` where it cannot be planned; then `reason` says why."""
    reason: str = ""
    previews: tuple[FilePreview, ...] = ()
    impacts: tuple[RoleImpact, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """All that is known of one item."""

    item: Item
    likes: tuple[Like, ...] = ()
    outlooks: tuple[Outlook, ...] = ()
    unnamed: int = 0
    """Roles that it reaches and the table does not name."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Verb → the key that does it here."""
    conflicts: tuple[str, ...] = ()
    """What in force may say otherwise, beside what the item itself tells."""
    code: Sequence[TextLine] = ()
    """Where the code breaks what is proposed to be checked."""
    opposed: tuple[Ref, ...] | None = None
    """What in force may say otherwise, the likest first; `None` = that is not known yet."""
    unreviewed: Told | None = None
    """What an agent's write did; stands in place of what verbs would write."""
    starts: Sequence[TextLine] = ()
    """What agents that load files by themselves would start with once it is approved."""
    others: Sequence[TextLine] = ()
    """What a verb on offer does to prompts that the table does not name."""
    others_by: Outlook | None = None
    """By which verb: the first one, or approving where that changes nothing else."""


_FACT: Final = 320
"""Characters of one fact on a card; what is alike stands below with the words that differ."""
_AS_FOUND: Final[Mapping[str, Json]] = MappingProxyType({})


def approving(item: Item) -> Verb:
    """Return what approving an item means: it is put into force, or what it proposes is done."""
    if item.reason is Why.SHARED:
        return WORKSPACE_PROMOTE
    # What no longer holds is put right.
    return verb(item.verbs[0]) if item.reason is Why.STALE else APPROVE


def lifting(item: Item) -> Verb:
    """Return what promoting an item means: to the workspace where that is above it."""
    return WORKSPACE_PROMOTE if WORKSPACE_PROMOTE.id in item.verbs else PROMOTE


def card(
    session: Session,
    item: Item,
    keys: Mapping[str, str],
    is_wanted: Callable[[], bool] = lambda: True,
    edited: Mapping[str, Json] | None = None,
) -> Card:
    """Gather likes, plans and impacts of an item; takes a moment, so it runs in a thread.

    Args:
        session: Plans and composes.
        item: Whose card.
        keys: The keymap.
        is_wanted: Asked between steps; false = the person went on, and the rest is left out.
        edited: What approving would write in place of what was found.
    """
    likes = session.likes(item)
    if item.waiting == UNREVIEWED:
        from remem.views.review import unreviewed

        keys = _keys(item, keys)
        conflicts = any(map(tells_of_conflict, item.evidence))
        opposed = session.opposed(item) if conflicts and is_wanted() else ()
        wrote = unreviewed.told(session, item)
        return Card(item, likes, (), 0, keys, opposed=opposed, unreviewed=wrote)
    is_loaded = any(k.is_loaded for k in kinds(session.library) if k.id == item.waiting)
    roles = () if is_loaded else roles_about(session.library, item.roles)
    asks = asks_about(session.library, item.ref, roles)
    if WORKSPACE_PROMOTE.id in item.verbs:
        every = repositories_of(session.library)
        asks = tuple(Ask(role=role, repository=each.name) for role in roles for each in every)
    before = [session.compose(ask) for ask in asks[:MOST_ROLES] if is_wanted()]
    into = next((str(like.ref) for like in likes if _takes(like)), "")
    offered = [name for name in item.verbs if name in PLANNED and (name != MERGE.id or into)]
    first = APPROVE.id if edited else item.suggested or approving(item).id
    offered.sort(key=lambda name: name != first)
    outlooks = _in_one_measure(
        session,
        [
            _outlook(session, item, verb(name), before, _told(name, into, edited))
            for name in offered
            if is_wanted()
        ],
    )
    unnamed = max(len(asks) - MOST_ROLES, 0)
    code = _code(session, item, is_wanted)
    told, opposed = _conflicts(session, item), session.opposed(item) if is_wanted() else ()
    starts = _starts(session, item) if is_loaded and is_wanted() else ()
    keys = _keys(item, keys)
    return Card(item, likes, outlooks, unnamed, keys, told, code, opposed, starts=starts)


def edited_on_card(library: Library, item: Item) -> Coming | None:
    """Return the entry that approving an item makes, in the words that a person gives it.

    `None` where it is an entry already, or where approving does something else with it: then it is
    edited where it stands.
    """
    from remem.core.waiting.kinds import Usual, act_on, kind_of

    act = act_on(library, item.ref, APPROVE.id, item.waiting)
    if act is None or act.plan is not Usual.APPROVE or not library.has(item.ref):
        return None
    entry = library.entry(item.ref)
    kind = kind_of(library, entry)
    return kind.coming(library, entry) if kind is not None else None


def cards(
    session: Session,
    item: Item,
    keys: Mapping[str, str],
    is_wanted: Callable[[], bool],
    edited: Mapping[str, Json] | None = None,
) -> Iterator[Card]:
    """Yield the card of an item, and once that is known, again with everybody whom it reaches.

    The arguments are those of `card`.
    """
    found = card(session, item, keys, is_wanted, edited)
    yield found
    if found.starts:
        return
    from remem.views.prompts.plan_impact import others_lines

    named = {one.role for each in found.outlooks for one in each.impacts}
    approves = (each for each in found.outlooks[1:] if each.verb is approving(item))
    for outlook in (*found.outlooks[:1], *approves):
        if outlook.change is None or not is_wanted():
            continue
        if others := others_lines(session, outlook.change, named):
            yield replace(found, others=others, others_by=outlook)
            return


def _starts(session: Session, item: Item) -> tuple[TextLine, ...]:
    from remem.views.review.unreviewed import starts_if_approved

    return starts_if_approved(session, item)


def only_conflicts(found: Card | None) -> bool:
    """Tell whether all that an item is like conflicts with it; no till that is known."""
    if found is None or any(map(_takes, found.likes)):
        return False
    return bool(found.opposed) or any(like.relation is Alike.CONTRADICTION for like in found.likes)


def merge_choices(session: Session, items: Sequence[Item]) -> list[Choice]:
    """Return what each of some items can be merged into, as a person chooses from it."""
    library = session.library
    first, *more = (merge_into(library, item, session.likes(item)) for item in items)
    fits = set(first).intersection(*more)
    return [
        Choice(str(ref), library.short(ref), library.entry(ref).title)
        for ref in first
        if ref in fits
    ]


def merge_into(library: Library, item: Item, likes: Sequence[Like]) -> list[Ref]:
    """Return what an item can be merged into, the likest first.

    What conflicts with it is settled, never merged.
    """
    first = [like.ref for like in likes if like.ref is not None and _takes(like)]
    opposed = (like.ref for like in likes if like.ref is not None and not _takes(like))
    apart = {item.ref, *opposed}
    others = dict.fromkeys(e.ref for e in library.of_kind(item.kind) if e.ref not in apart)
    from remem.core.relation.in_force import against

    about = against(library, item.kind, item.title, apart=apart)
    nearest = sorted(islice(about, MANY), key=lambda each: -len(each.shared))
    named = (each.key.ref for each in nearest if each.key.ref in others)
    return [*dict.fromkeys((*first, *named, *others))]


def _takes(like: Like) -> bool:
    """Tell whether what an item is like could take it in: never what it conflicts with."""
    return like.ref is not None and like.relation is not Alike.CONTRADICTION


def _conflicts(session: Session, item: Item) -> tuple[str, ...]:
    if not session.library.has(item.ref):
        return ()
    found = session.conflicts(session.library.entry(item.ref))
    return tuple(each for each in found if each not in item.evidence)


def _code(session: Session, item: Item, is_wanted: Callable[[], bool]) -> Sequence[TextLine]:
    if item.reason is not Why.DETECT:
        return ()
    from remem.views.entries.detect import card_lines_of

    return card_lines_of(session, item, is_wanted)


def _keys(item: Item, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each verb for this item, as it is drawn."""
    found = {each.id: keys.get(each.id, each.key) for each in (REJECT, MERGE, KEEP)}
    found[lifting(item).id] = keys.get(PROMOTE.id, PROMOTE.key)
    # On verified memory rejecting is called otherwise.
    found[fact_verbs.MEMORY_INVALIDATE.id] = found[REJECT.id]
    found[approving(item).id] = keys.get(APPROVE.id, APPROVE.key)
    return found


def _is_itself(item: Item, like: Like) -> bool:
    """Tell whether what an item is like is the entry that its observations are about."""
    return item.reason is Why.OBSERVED and like.relation is Alike.EXACT


def owner_of(library: Library, ref: Ref) -> str:
    """Return the persona in whose memory something stands, stood or would; empty = all share it."""
    if library.has(ref):
        return library.source_of(ref).owner or _coming_owner(library, library.entry(ref))
    gone = library.aside.unreviewed.get(ref)
    if gone is not None:
        return gone.owner
    lost = library.aside.vanished_at(ref)
    paths = (source for source in library.sources if lost and source.path == lost.path)
    return next((source.owner for source in paths), "")


def _coming_owner(library: Library, entry: Entry) -> str:
    from remem.core.waiting.kinds import kind_of

    kind = kind_of(library, entry)
    coming = kind.coming(library, entry) if kind is not None else None
    whose = coming.whose if coming is not None else ""
    owners = (source.owner for source in library.sources if source.owner)
    return next((each for each in owners if persona_key(each) == whose), whose) if whose else ""


def _told(name: str, into: str, edited: Mapping[str, Json] | None) -> dict[str, Json]:
    """Return what a verb is told for its outlook."""
    if name == MERGE.id:
        return {"acknowledged": True, "into": into}
    is_edited = name == APPROVE.id and edited
    return {"acknowledged": True, **({"fields": dict(edited or {})} if is_edited else {})}


def _edited_lines(edited: Mapping[str, Json]) -> Iterator[TextLine]:
    """Yield what a person set on the card of an item, marked."""
    for name, value in edited.items():
        said = f"{name}: {value}" if value is not None else f"without {name}"
        yield text_line(f"edited   {said}", Tone.HEADING)


def _outlook(
    session: Session,
    item: Item,
    asked: Verb,
    before: Sequence[Prompt],
    arguments: Mapping[str, Json],
) -> _Planned:
    drawn = kinds_drawn([item])
    title = called(session.library, drawn, asked.id) or asked.title
    try:
        shown = {item.ref: item.digest}
        planned = session.plan(Intent(asked.id, shown, arguments, waiting=drawn))
        after = session.library.preview(planned.effects)
        found = [(old, session.compose(old.ask, library=after)) for old in before]
    except RememError as error:
        return _Planned(Outlook(asked, title, None, str(error)))
    from remem.core.prompt.impact import impact

    impacts = [(impact(a, b, planned.stands), a.exact and b.exact) for a, b in found]
    files = session.preview(planned, after)
    return _Planned(Outlook(asked, title, planned, "", files), impacts, after)


@dataclass(frozen=True, slots=True)
class _Planned:
    """What one verb would do, before it is known what all of them can be measured in."""

    outlook: Outlook
    impacts: Sequence[tuple[Impact, bool]] = ()
    """Each with whether its tokens are exact."""
    after: Library | None = None


def _in_one_measure(session: Session, planned: Sequence[_Planned]) -> tuple[Outlook, ...]:
    """Return outlooks whose tokens are all of the same: of memory, or of whole prompts."""
    from remem.core.prompt.impact import measure_of

    measure = measure_of(found for each in planned for found, _ in each.impacts)
    return tuple(
        replace(
            each.outlook,
            impacts=tuple(
                _role_impact(found, measure, (session.library, each.after), exact=exact)
                for found, exact in each.impacts
                if each.after is not None
            ),
        )
        for each in planned
    )


def _role_impact(
    found: Impact, measure: Measure, among: Sequence[Library | None], *, exact: bool
) -> RoleImpact:
    libraries, figures = [each for each in among if each is not None], found.figures(measure)
    return RoleImpact(
        role=found.role,
        now=figures.before,
        after=figures.after,
        budget=figures.budget,
        exact=exact,
        pushed_out=tuple(_title(ref, *libraries) for ref in found.pushed_out),
        let_in=tuple(_title(ref, *libraries) for ref in found.let_in),
        no_room=tuple(_title(ref, *libraries) for ref in found.no_room),
    )


def _title(ref: Ref, *libraries: Library) -> str:
    """Name an entry that may stand in only one of several snapshots."""
    for library in libraries:
        if library.has(ref):
            return f"{library.short(ref)} {library.entry(ref).title}"
    return str(ref)


_LIKENESSES: Final = tuple(f"{relation(each)} " for each in (Alike.EXACT, Alike.NEAR))


def card_lines(
    item: Item,
    retro: Head | None = None,
    conflicts: Sequence[str] = (),
    edited: Mapping[str, Json] = _AS_FOUND,
    owner: str = "",
    settles: Sequence[tuple[str, str]] = (),
) -> list[TextLine]:
    """Return what is known of an item at once, below the retro that it is from.

    What it is like is told by `alike_lines`.

    Args:
        item: Whose card it is.
        retro: Where it is from.
        conflicts: What in force may say otherwise, once that is known.
        edited: What a person set on the card, which approving writes.
        owner: The persona whose memory it stands in; empty = shared by all.
        settles: The ways to settle what it conflicts with, each a key and a title.
    """
    head = (span(kind_text(item.kind), Tone.HEADING), span(f"  {item.id}", Tone.DIM))
    # A conflict is what the decision is about: it stands first, with the ways to settle it.
    told = (*item.evidence, *conflicts)
    opposing = [each for each in told if tells_of_conflict(each)]
    facts = [each for each in told if not (tells_of_conflict(each) or _tells_of_likeness(each))]
    return [
        *_head_lines(retro),
        span_line(head),
        text_line(item.title, Tone.STRONG),
        *_edited_lines(edited),
        *(text_line(f"‼ {suspect.message}", Tone.BAD) for suspect in item.suspects),
        *(text_line(f"· {_begun(each)}", Tone.WARN) for each in opposing),
        *([_settle_line(settles)] if settles else []),
        *(text_line(f"· {_begun(fact)}") for fact in facts),
        _fact("for", audience(item.roles, item.phases, owner)),
        _fact(WHY_IT_WAITS, item.why),
        _fact("suggests", _suggested(item)),
    ]


def alike_lines(item: Item, conflicts: Sequence[str] = ()) -> list[TextLine]:
    """Return what is known of an item that says the same or nearly so, one fact a line."""
    told = (each for each in (*item.evidence, *conflicts) if not tells_of_conflict(each))
    return [text_line(f"· {_begun(each)}") for each in told if _tells_of_likeness(each)]


def _tells_of_likeness(fact: str) -> bool:
    """Tell whether a fact names what is alike, or counts the rest; it is told further below."""
    return fact.startswith(_LIKENESSES) or fact.endswith(SIMILAR)


def _begun(fact: str) -> str:
    """Return a fact as far as a card has room: whole pages that are alike would fill it."""
    return fact if len(fact) <= _FACT else f"{fact[: _FACT - 1].rstrip()}…"


def reading_lines(
    library: Library, entry: Entry, retro: Head | None, why_not_taken: str
) -> list[TextLine]:
    """Return what a retro says and the queue does not ask, with why it does not.

    Args:
        library: What the retro is of.
        entry: One of its findings.
        retro: Where it stands.
        why_not_taken: Why it cannot be taken over into the estimates, if it cannot.
    """
    lines = [
        *_head_lines(retro),
        text_line(_READ_AS.get(entry.context, section_name(entry.context)), Tone.HEADING),
        text_line(entry.title, Tone.STRONG),
    ]
    if retro is not None and retro.source is not None:
        from remem.systems.sniper.retro.retro_view import said, why_not

        found = retro_entries.finding_of(retro.source, entry)
        told = said(retro.source, found[1]) if found is not None else {}
        lines += [text_line(f"· {key}: {text}") for key, text in told.items()]
        why = why_not(library, retro.source, entry)
        if why and not is_estimate(entry):
            lines += [TextLine(""), text_line(f"nothing to decide: {why}", Tone.DIM)]
    if is_estimate(entry):
        told_key = why_not_taken or "a applies it to the estimates"
        lines.append(text_line(told_key, Tone.DIM if why_not_taken else Tone.PLAIN))
    return lines


def applied_lines(session: Session, estimate: Entry) -> list[TextLine]:
    """Return what applying a retro's pattern to the estimates would write."""
    from remem.systems.sniper.sniper_verbs import ESTIMATES_TAKE
    from remem.views.plan import short_plan

    try:
        planned = session.plan(Intent(ESTIMATES_TAKE.id, {estimate.ref: estimate.digest}))
    except RememError as error:
        return [TextLine(""), text_line(str(error), Tone.WARN)]
    head = writes_head(f"{ESTIMATES_TAKE.title} writes")
    return [TextLine(""), head, *short_plan(session, session.preview(planned))]


def finished_lines(name: str, summary: str, key: str) -> list[TextLine]:
    """Return the summary of a retro, or of everything, once nothing waits in it any more.

    `key` is the one that copies it.
    """
    head = text_line(f"{name}: all decided" if name else "all decided", Tone.GOOD)
    return [
        head,
        text_line(f"{key} copies this summary", Tone.DIM),
        TextLine(""),
        *markdown_lines(summary.removesuffix("\n")),
    ]


def decided_lines(wanted: Sequence[tuple[Verb, Item]]) -> list[TextLine]:
    """Return what a plan decides and on what, verb by verb, before what it writes."""
    lines: list[TextLine] = []
    for asked in dict.fromkeys(asked for asked, _ in wanted):
        items = [item for each, item in wanted if each is asked]
        called = {item.suggests for item in items}
        # What is one act on all of them is called as their card calls it.
        name = called.pop() if len(called) == 1 else ""
        lines.append(text_line(f"{name.capitalize() or asked.title} ({len(items)})", Tone.STRONG))
        lines += [text_line(f"  - {item.title}") for item in items]
    return [*lines, TextLine("")]


def undecided_lines(left: Sequence[Item]) -> list[TextLine]:
    """Return the items of a group that a plan does nothing to; they come after what it writes."""
    if not left:
        return []
    needs = "needs" if len(left) == 1 else "need"
    lines = [text_line(f"{count(left, 'item')} still {needs} your decision", Tone.DIM)]
    lines += [text_line(f"  - {item.title}", Tone.DIM) for item in left[:_LEFT]]
    if len(left) > _LEFT:
        lines.append(text_line(f"  … and {len(left) - _LEFT:,} more", Tone.DIM))
    return lines


def sureness_lines(library: Library, item: Item, glyphs: Glyphs) -> list[TextLine]:
    """Return what else tells how sure it is: a learning's ledger, the code that a memory cites."""
    if item.ref.format == _VERIFIED and library.has(item.ref):
        from remem.views.entries.fact import proof_lines_of

        return proof_lines_of(library, item.ref)
    found = trajectory(library, library.entry(item.ref)) if library.has(item.ref) else None
    if found is None:
        return []
    return [TextLine(""), *(span_line(parts) for parts in ledger(found, glyphs))]


def _head_lines(retro: Head | None) -> list[TextLine]:
    return [span_line(head_line(retro), wraps=False)] if retro is not None else []


def table_lines(found: Card, width: int, glyphs: Glyphs) -> list[TextLine]:
    """Return one column for each verb on offer, one line for each role it reaches."""
    if found.unreviewed is not None:
        return [*found.unreviewed.starts]
    if found.starts:
        return [*found.starts]
    impacts = [
        VerbImpact(
            found.keys.get(outlook.verb.id, ":"),
            outlook.title,
            outlook.impacts,
            outlook.reason,
        )
        for outlook in found.outlooks
    ]
    lines = [span_line(parts, wraps=False) for parts in impact_lines(impacts, width, glyphs)]
    if found.unnamed and not found.others:
        lines.append(text_line(f"and {count(found.unnamed, 'more role')}", Tone.DIM))
    if found.others_by is not None:
        also = "also changes" if found.others_by.impacts else "changes"
        lines.append(text_line(f"{found.others_by.title} {also}", Tone.DIM))
    return [*lines, *found.others]


def like_lines(library: Library, found: Card, beside: int = 0) -> list[TextLine]:
    """Return what an item is like, each with the words that differ.

    Args:
        library: Names what it is like.
        found: The card.
        beside: Columns in which both stand side by side; 0 = one below the other.
    """
    lines: list[TextLine] = []
    likes = [like for like in found.likes if not _is_itself(found.item, like)]
    if not likes:
        return lines
    from remem.views.diff import old_and_new

    for like in likes[:5]:
        name = library.short(like.ref) if like.ref is not None else "rejected"
        tone = Tone.WARN if like.relation is Alike.CONTRADICTION or like.ref is None else Tone.DIM
        head = (span(f"{like.reason} ", tone), span(name, Tone.STRONG))
        if like.ref is None:
            head = (span("similar to a text that was ", Tone.DIM), span(like.reason, tone))
        if like.because and like.title == found.item.title:
            lines.append(span_line((*head, span(f" ({like.because})", Tone.DIM))))
            continue
        lines += [span_line(head), *old_and_new(like.title, found.item.title, beside)]
    return lines


def write_lines(session: Session, found: Card, *, whole: bool) -> list[TextLine]:
    """Return what each verb on offer writes.

    Args:
        session: Knows how files are called.
        found: The card.
        whole: Show additions line by line too.
    """
    if found.unreviewed is not None:
        return [*found.unreviewed.written]
    if not found.outlooks:
        return []
    from remem.views.plan import file_lines, short_plan

    draw = file_lines if whole else short_plan
    lines: list[TextLine] = []
    for outlook in found.outlooks:
        lines.append(writes_head(f"{outlook.title} writes"))
        if outlook.change is None:
            lines.append(text_line(outlook.reason, Tone.WARN))
        lines += draw(session, outlook.previews)
    return lines


def block(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return lines with an empty one before them, if there are any."""
    return [TextLine(""), *lines] if lines else []


def to_accept(board: Board, group: str, edited: Collection[str]) -> Iterator[tuple[Verb, Item]]:
    """Yield what is suggested for the items of a group and needs no look of its own.

    What would be merged needs a choice, what hides something a look; what was edited, by its id, is
    approved as it was.
    """
    for item in board.items.values():
        if item.group != group or item.suspects or item.id in edited:
            continue
        if item.suggested in (approving(item).id, KEEP.id, lifting(item).id):
            yield verb(item.suggested), item


def by_verb(decisions: Iterable[tuple[Verb, Item]]) -> list[Intent]:
    """Return one intent for each verb, on the items that it is for."""
    wanted: dict[str, list[Item]] = {}
    for asked, item in decisions:
        wanted.setdefault(asked.id, []).append(item)
    return [
        Intent(
            name,
            {item.ref: item.digest for item in items},
            items=item_ids(items),
            waiting=kinds_drawn(items),
        )
        for name, items in wanted.items()
    ]


def _fact(name: str, text: str) -> TextLine:
    return span_line((Span(f"{name:9}", Tone.DIM), span(text)), hang=9, mark=name)


def _settle_line(ways: Sequence[tuple[str, str]]) -> TextLine:
    """Return the ways to settle a conflict with the key of each."""
    parts = [
        part
        for place, (key, title) in enumerate(ways)
        for part in (Span(" · " if place else "", Tone.DIM), Span(key, Tone.KEY), span(f" {title}"))
    ]
    return span_line((Span(f"{'settle':9}", Tone.DIM), *parts), hang=9)


def _suggested(item: Item) -> str:
    if not item.suggested:
        return "nothing"
    return item.suggests or verb(item.suggested).title.lower()


def brief_lines(session: Session, found: Card) -> list[TextLine]:
    """Return what the first verb on offer writes, its first line, and what it does to prompts.

    They are three lines also before that is known: what stands below them must not jump.
    """
    empty = TextLine("")
    if found.unreviewed is not None or not found.outlooks:
        known = found.unreviewed is not None
        return [text_line("" if known else "writes: being planned", Tone.DIM), empty, empty]
    first = found.outlooks[0]
    if first.change is None:
        return [text_line(f"{first.title}: {first.reason}", Tone.WARN), empty, empty]
    from remem.store.changes.preview import REMOVES
    from remem.views.plan import all_in_brief, first_written

    told = all_in_brief(session, first.previews)
    is_gone = bool(first.previews) and all(each.action == REMOVES for each in first.previews)
    does = "removes" if is_gone else "writes"
    head = span_line((Span(f"{first.title} {does} ", Tone.STRONG), *told))
    return [head, first_written(first.previews), span_line(felt(first.impacts), wraps=False)]
