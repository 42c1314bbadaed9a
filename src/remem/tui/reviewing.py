"""From the queue to what Review shows: groups, cards, and what each verb would do to the prompts.

Pure but for planning, which the workbench does; it knows nothing of widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from remem.curation.queue import Item, Like, Why
from remem.curation.verbs import APPROVE, KEEP, MERGE, PROMOTE, REJECT, Verb, verb
from remem.disk.preview import FilePreview
from remem.errors import RememError
from remem.library import Library
from remem.model.change import Change, Intent, Json
from remem.model.entry import Entry, Ref
from remem.model.prompt import Ask, Prompt
from remem.model.retro import FINDING
from remem.model.similar import Alike
from remem.model.source import SourceKind
from remem.prompt.impact import Impact, impact
from remem.text import count
from remem.tui.content import Span, Spans, Tone, span
from remem.tui.desk import Done
from remem.tui.document import TextLine, span_line, text_line
from remem.tui.filtering import Filter
from remem.tui.glyphs import Glyphs
from remem.tui.impacts import RoleImpact, VerbImpact, impact_lines
from remem.tui.planning import file_lines, short_plan
from remem.tui.widgets.rows import Row, Rows
from remem.tui.word_diff import Kind, word_diff
from remem.workbench import Workbench

MOST_ROLES: Final = 8
"""Roles that the table names; more would push the verbs off the screen."""
PLANNED: Final = frozenset(each.id for each in (APPROVE, KEEP, PROMOTE, REJECT, MERGE))
"""Verbs whose effect is known beforehand."""
POSITIVE: Final = "positive_patterns"
"""The list of a retro that is for reading."""
_GLYPHS: Final = {
    Why.CANDIDATE: Span("?", Tone.ACCENT),
    Why.FINDING: Span("+", Tone.GOOD),
    Why.GATE_FAILURE: Span("!", Tone.WARN),
    Why.RECURRENCE: Span("^", Tone.GOOD),
    Why.PROPOSAL: Span("*", Tone.ACCENT),
}
_SIDES: Final = {
    Kind.SAME: Tone.PLAIN,
    Kind.REMOVED: Tone.REMOVED_WORD,
    Kind.ADDED: Tone.ADDED_WORD,
}


@dataclass(frozen=True, slots=True)
class Board:
    """The queue of one snapshot, ready to be drawn and filtered."""

    items: Mapping[str, Item]
    by_ref: Mapping[Ref, Item]
    readings: Mapping[Hashable, Entry]
    """Row → what a retro found good; it asks for nothing."""
    rows: Rows
    search: Filter
    places: Sequence[int]
    """Row of each item."""
    heads: Sequence[int]
    """Row of each item's group."""
    summary: str = ""
    """What was decided; made once nothing waits any more."""

    def shown(self, typed: str) -> tuple[Rows, int]:
        """Return the rows that pass a filter, groups with none left away, and how many items."""
        if not typed:
            return self.rows, len(self.items)
        found = self.search.find(typed)
        rows = {self.places[item] for item in found} | {self.heads[item] for item in found}
        return self.rows.narrowed(sorted(rows)), len(found)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one verb on offer would do."""

    verb: Verb
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


def board(library: Library, items: Sequence[Item], done: Sequence[Done]) -> Board:
    """Return the queue under its groups, each with done/total and what is for reading."""
    rows: list[Row] = []
    places: list[int] = []
    heads: list[int] = []
    good = _good(library, {item.group for item in items})
    readings: dict[Hashable, Entry] = {}
    for group, members in groupby(items, key=lambda item: item.group):
        waiting = list(members)
        decided = sum(each.group == group for each in done)
        tally = span(f"{decided}/{decided + len(waiting)}", Tone.DIM)
        head = len(rows)
        rows.append(Row(("group", group), (span(group),), right=(tally,), is_header=True))
        for item in waiting:
            places.append(len(rows))
            heads.append(head)
            rows.append(_row(item))
        for entry in good.get(group, ()):
            readings[entry.ref] = entry
            rows.append(_reading(entry))
    return Board(
        items={item.id: item for item in items},
        by_ref={item.ref: item for item in items},
        readings=readings,
        rows=Rows.of(rows),
        search=Filter(
            [f"{item.title} {item.group}".lower() for item in items],
            {
                "role": lambda place: items[place].roles,
                "kind": lambda place: items[place].kind,
                "status": lambda place: str(items[place].reason),
            },
        ),
        places=places,
        heads=heads,
    )


def _good(library: Library, groups: set[str]) -> dict[str, list[Entry]]:
    """Return what the retros among the groups found good."""
    found: dict[str, list[Entry]] = {}
    for source in library.of_format("sniper"):
        if source.kind is SourceKind.DOCUMENT and source.path.stem in groups:
            good = [e for e in source.entries if e.kind == FINDING and e.context == POSITIVE]
            found.setdefault(source.path.stem, []).extend(good)
    return found


def _row(item: Item) -> Row:
    warned = Span("‼ ", Tone.BAD) if item.suspects else Span("")
    return Row(
        item.id,
        (warned, span(item.title)),
        _GLYPHS[item.reason],
        (span(item.kind.replace("_", "-"), Tone.DIM),),
        item.digest,
    )


def _reading(entry: Entry) -> Row:
    label, right = (span(entry.title, Tone.DIM),), (Span("to read", Tone.DIM),)
    return Row(entry.ref, label, Span("=", Tone.DIM), right, entry.digest)


def way_in(item: Item) -> Verb:
    """Return what `a` does: what is suggested if that lets it in, else approving."""
    if item.suggested in (KEEP.id, PROMOTE.id):
        return verb(item.suggested)
    return APPROVE


def other_way_in(item: Item) -> Verb:
    """Return what `p` does: one level up, where `a` goes another number of levels."""
    if KEEP.id not in item.verbs:
        return PROMOTE
    return KEEP if way_in(item) is APPROVE else APPROVE


def card(
    bench: Workbench,
    item: Item,
    keys: Mapping[str, str],
    is_wanted: Callable[[], bool] = lambda: True,
) -> Card:
    """Gather likes, plans and impacts of an item; takes a moment, so it runs in a thread.

    Args:
        bench: Plans and composes.
        item: Whose card.
        keys: The keymap.
        is_wanted: Asked between steps; false = the person went on, and the rest is left out.
    """
    likes = bench.likes(item)
    roles = item.roles or bench.roles()
    before = [bench.compose(Ask(role=name)) for name in roles[:MOST_ROLES] if is_wanted()]
    into = next((str(like.ref) for like in likes if like.ref is not None), "")
    offered = [name for name in item.verbs if name in PLANNED and (name != MERGE.id or into)]
    first = way_in(item)
    offered.sort(key=lambda name: name != first.id)
    outlooks = tuple(
        _outlook(bench, item, verb(name), before, into) for name in offered if is_wanted()
    )
    return Card(item, likes, outlooks, max(len(roles) - MOST_ROLES, 0), _keys(item, keys))


def _keys(item: Item, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each verb for this item, as it is drawn."""
    found = {each.id: keys.get(each.id, each.key) for each in (REJECT, MERGE)}
    found[other_way_in(item).id] = keys.get(PROMOTE.id, PROMOTE.key)
    found[way_in(item).id] = keys.get(APPROVE.id, APPROVE.key)
    return found


def _outlook(
    bench: Workbench, item: Item, asked: Verb, before: Sequence[Prompt], into: str
) -> Outlook:
    arguments: dict[str, Json] = {"acknowledged": True, "reason": ""}
    if asked is MERGE:
        arguments["into"] = into
    try:
        planned = bench.plan(Intent(asked.id, {item.ref: item.digest}, arguments))
        after = bench.library.preview(planned.effects)
        found = [(old, bench.compose(old.ask, library=after)) for old in before]
    except RememError as error:
        return Outlook(asked, None, str(error))
    impacts = tuple(
        _role_impact(impact(old, new), (bench.library, after), exact=old.exact and new.exact)
        for old, new in found
    )
    return Outlook(asked, planned, "", bench.preview(planned), impacts)


def _role_impact(found: Impact, libraries: Sequence[Library], *, exact: bool) -> RoleImpact:
    return RoleImpact(
        role=found.role,
        now=found.used_before,
        after=found.used_after,
        budget=found.budget,
        exact=exact,
        pushed_out=tuple(_title(ref, *libraries) for ref in found.pushed_out),
        let_in=tuple(_title(ref, *libraries) for ref in found.let_in),
    )


def _title(ref: Ref, *libraries: Library) -> str:
    """Name an entry that may stand in only one of several snapshots."""
    for library in libraries:
        if library.has(ref):
            return f"{library.short(ref)} {library.entry(ref).title}"
    return str(ref)


def card_lines(item: Item) -> list[TextLine]:
    """Return what is known of an item at once."""
    roles = ", ".join(item.roles) if item.roles else "every role"
    head = (span(item.kind.replace("_", " "), Tone.HEADING), span(f"  {item.id}", Tone.DIM))
    return [
        span_line(head),
        text_line(item.title, Tone.STRONG),
        *(text_line(f"‼ {suspect.message}", Tone.BAD) for suspect in item.suspects),
        *(text_line(f"- {fact}") for fact in item.evidence),
        _fact("for", roles),
        _fact("waits", item.why),
        _fact("suggests", _suggested(item)),
    ]


def reading_lines(entry: Entry) -> list[TextLine]:
    """Return what a retro found good."""
    return [
        text_line("what went well", Tone.HEADING),
        text_line(entry.title, Tone.STRONG),
        TextLine(""),
        text_line("it is for reading: nothing waits, and it is not counted", Tone.DIM),
    ]


def table_lines(found: Card, width: int, glyphs: Glyphs) -> list[TextLine]:
    """Return one column for each verb on offer, one line for each role it reaches."""
    impacts = [
        VerbImpact(
            found.keys.get(outlook.verb.id, ":"),
            outlook.verb.title,
            outlook.impacts,
            outlook.reason,
        )
        for outlook in found.outlooks
    ]
    lines = [span_line(parts, wraps=False) for parts in impact_lines(impacts, width, glyphs)]
    if found.unnamed:
        lines.append(text_line(f"and {count(found.unnamed, 'more role')}", Tone.DIM))
    return lines


def like_lines(library: Library, found: Card) -> list[TextLine]:
    """Return what an item is like, each with the words that differ."""
    lines: list[TextLine] = []
    for like in found.likes[:5]:
        name = library.short(like.ref) if like.ref is not None else "rejected"
        tone = Tone.WARN if like.relation is Alike.CONTRADICTION or like.ref is None else Tone.DIM
        head = (span("like ", Tone.DIM), span(name, Tone.KEY), span(f"  {like.reason}", tone))
        lines += [span_line(head), span_line(_words(like.title, found.item.title))]
    return lines


def write_lines(bench: Workbench, found: Card, *, whole: bool) -> list[TextLine]:
    """Return what each verb on offer writes.

    Args:
        bench: Knows how files are called.
        found: The card.
        whole: Show additions line by line too.
    """
    draw = file_lines if whole else short_plan
    lines: list[TextLine] = []
    for outlook in found.outlooks:
        lines.append(text_line(f"{outlook.verb.title} writes", Tone.HEADING))
        if outlook.change is None:
            lines.append(text_line(outlook.reason, Tone.WARN))
        lines += draw(bench, outlook.previews)
    return lines


def _fact(name: str, text: str) -> TextLine:
    return span_line((Span(f"{name:9}", Tone.DIM), span(text)))


def _suggested(item: Item) -> str:
    return verb(item.suggested).title.lower() if item.suggested else "nothing: it is yours to judge"


def _words(old: str, new: str) -> Spans:
    return tuple(Span(text, _SIDES[kind]) for kind, text in word_diff(old, new))
