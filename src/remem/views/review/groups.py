"""From the queue to the list that Review shows: groups, a retro's categories, what is for reading.

Pure; the card of what is under the cursor is `item_card.py`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from operator import itemgetter
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.waiting.item import Item, Why
from remem.core.waiting.kinds import UNREVIEWED, decided
from remem.model.entry import Entry, Ref, Status, kind_text
from remem.systems.sniper.retro.retro_record import FOR_READING
from remem.views import signs
from remem.views.filter import Filter
from remem.views.list_rows import Row, Rows
from remem.views.review.retro import CATEGORIES, Head, category_of, heads_of, is_estimate
from remem.views.screen_state import Done
from remem.views.spans import Span, Tone, span

_ALL_DONE: Final = ("finished", "")
"""The row of the summary of everything."""
APPLICABLE: Final = "can go into estimates"
"""What is told of a finding that the estimates can take over."""


@dataclass(frozen=True, slots=True)
class Board:
    """The queue of one snapshot, ready to be drawn and filtered."""

    items: Mapping[str, Item]
    by_ref: Mapping[Ref, Item]
    readings: Mapping[Hashable, Entry]
    """Row → what a retro says and the queue does not ask: estimates, and what went well."""
    rows: Rows
    search: Filter
    places: Sequence[int]
    """Row of each item."""
    above: Sequence[tuple[int, ...]]
    """Rows that name each item's group and category."""
    open_estimates: Sequence[Ref] = ()
    """Readings that the estimates can take over."""
    heads: Mapping[str, Head] = field(default_factory=dict)
    """Group → the retro that it is."""
    finished: Mapping[Hashable, str] = field(default_factory=dict)
    """Row → the retro that was decided to its last item."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    """Retro that is finished → what was decided on it, as Markdown."""
    is_complete: bool = True
    """All that waits is in it: what was written since a person looked was found out, too."""
    is_whole: bool = True
    """Every reason why something waits was asked for; else there is no number in it."""
    summary: str = ""
    """What was decided on everything; made once nothing waits any more."""
    extents: Mapping[str, range] = field(default_factory=dict)
    """Group → its rows: the heading, the line that stands for all of it when it is folded, the
    rest."""

    def shown(self, typed: str, folded: Collection[str] = ()) -> tuple[Rows, int]:
        """Return the rows to show, and how many items are among them.

        Args:
            typed: A filter, which leaves groups without a match away; folding does not count then.
            folded: Groups of which only one line is shown.
        """
        if typed:
            found = self.search.find(typed)
            rows = {row for item in found for row in (self.places[item], *self.above[item])}
            return self.rows.narrowed(sorted(rows)), len(found)
        hidden: set[int] = set()
        for group, extent in self.extents.items():
            line = extent[1]
            hidden.update({*extent} - {line} if group in folded else {line})
        kept = [row for row in range(len(self.rows)) if row not in hidden]
        return self.rows.narrowed(kept), len(self.items)

    def beside_estimate(self, ref: Ref) -> Hashable:
        """Return where to go from an estimate that was applied, in its retro."""
        name = ref.id.partition("/")[0]
        left = (each for each in self.open_estimates if each.id.partition("/")[0] == name)
        return next(left, ("finished", name))

    def group_of(self, key: Hashable) -> str:
        """Return the group that a row belongs to; empty = none."""
        place = self.rows.find(key)
        if place is None:
            return ""
        return next((group for group, rows in self.extents.items() if place in rows), "")

    def head_of(self, key: Hashable) -> Head | None:
        """Return the retro that an item or a reading stands in."""
        item = self.items.get(str(key))
        if item is not None:
            return self.heads.get(item.group)
        reading = self.readings.get(key)
        if reading is not None:
            return self.heads.get(reading.ref.id.partition("/")[0])
        return None


def board(
    library: Library,
    items: Sequence[Item],
    done: Sequence[Done],
    before: Board | None = None,
    *,
    is_whole: bool = True,
) -> Board:
    """Return the queue under its groups, retros first and the newest of them before all.

    Args:
        library: The snapshot that the items are of.
        items: All that waits.
        done: What was decided since the program began.
        before: What was shown until now: what was typed there means the same here.
        is_whole: False: they are what shows at a glance, and how many there are is not known yet.
    """
    made = _Making(library, items, done, is_whole=is_whole).board()
    if before is not None:
        made.search.follow(before.search)
    return made


def in_order(library: Library, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return items in the order in which Review lists them, group by group."""
    places = board(library, items, ()).places
    return tuple(item for _, item in sorted(zip(places, items, strict=True), key=itemgetter(0)))


def came(before: Board | None, now: Board, library: Library, since: datetime) -> set[str]:
    """Return the items that came, or read otherwise, while somebody watched.

    Args:
        before: The board that was drawn; `None` = nobody watched, or changed it themselves.
        now: The one that is drawn now.
        library: Its snapshot.
        since: What was written earlier is not marked.
    """
    if before is None:
        return set()
    old = {name: item.digest for name, item in before.items.items()}
    new = {name: item for name, item in now.items.items() if old.get(name) != item.digest}
    known = library.aside.unreviewed
    return {
        name
        for name, item in new.items()
        if item.waiting != UNREVIEWED or item.ref not in known or known[item.ref].time >= since
    }


class _Making:
    """Puts the rows of one board together."""

    def __init__(
        self, library: Library, items: Sequence[Item], done: Sequence[Done], *, is_whole: bool
    ) -> None:
        self._library = library
        self._is_whole = is_whole
        self._items = items
        self._done: dict[str, int] = {}
        for each in done:
            self._done[each.group] = self._done.get(each.group, 0) + 1
        waiting = {item.group for item in items}
        heads = heads_of(library, waiting | set(self._done))
        self._heads = dict(reversed(heads.items()))
        """The newest first: its findings are what a person comes for."""
        self._left = [name for name in self._heads if name not in waiting]
        """Retros that were decided to the last item."""
        self._rows: list[Row] = []
        self._places = [0] * len(items)
        self._above: list[tuple[int, ...]] = [()] * len(items)
        self._readings: dict[Hashable, Entry] = {}
        self._open_estimates: list[Ref] = []
        self._finished: dict[Hashable, str] = {}
        self._extents: dict[str, range] = {}

    def board(self) -> Board:
        items = self._items
        groups: dict[str, list[int]] = {}
        for place, item in enumerate(items):
            # What `retro ingest` added lies in the stores, far from the rest of its retro.
            groups.setdefault(item.group, []).append(place)
        retros = [name for name in self._heads if name in groups]
        for group in (*retros, *(name for name in groups if name not in self._heads)):
            self._finish(before=group)
            first = len(self._rows)
            self._group(group, groups[group])
            self._extents[group] = range(first, len(self._rows))
        if items:
            self._finish(before="")
        else:
            self._finish_all()
        return Board(
            items={item.id: item for item in items},
            by_ref={item.ref: item for item in items},
            readings=self._readings,
            open_estimates=self._open_estimates,
            rows=Rows.of(self._rows),
            search=Filter(
                [_said(item).lower() for item in items],
                {
                    "role": lambda place: items[place].roles,
                    "kind": lambda place: items[place].kind,
                    "status": lambda place: str(items[place].reason),
                },
            ),
            places=self._places,
            above=self._above,
            heads=self._heads,
            finished=self._finished,
            extents=self._extents,
            is_whole=self._is_whole,
        )

    def _group(self, group: str, members: Sequence[int]) -> None:
        head = self._heads.get(group)
        done = self._done.get(group, 0)
        tally = (_tally(done, done + len(members)),) if self._is_whole else ()
        finished = head.completed if head is not None else None
        told = f"{count(finished, 'story', 'stories')} done  " if finished is not None else ""
        right = (Span(told, Tone.DIM), *tally) if told else tally
        header = Row(("group", group), (span(group),), right=right, narrow=tally)
        at = self._add(replace(header, is_header=True, is_open=True))
        self._add(replace(header, key=folded_key(group), is_open=False))
        if head is None:
            for place in members:
                self._item(place, (at,), group)
            return
        asked = {self._items[place].ref for place in members}
        entries = head.source.entries if head.source is not None else ()
        others = [entry for entry in entries if entry.ref not in asked]
        for category, found in self._sorted(members):
            readings = [each for each in others if category_of(each) == category]
            if not found and not readings:
                continue
            states = [in_short(self._library, each) for each in readings]
            counts = (len(found), states.count(APPLICABLE))
            settled = sum(decided(self._library, each) is not None for each in readings)
            name = self._add(_category(group, category, counts, head, settled))
            for place in found:
                self._item(place, (at, name), category)
            self._read(head, readings)

    def _read(self, head: Head, readings: Iterable[Entry]) -> None:
        """Add what is only read, and what the estimates can take over."""
        for entry in readings:
            self._readings[entry.ref] = entry
            self._add(_reading(self._library, head, entry))
            if in_short(self._library, entry) == APPLICABLE:
                self._open_estimates.append(entry.ref)

    def _sorted(self, members: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
        """Yield every category with its members, what belongs to none of a retro's first."""
        found: dict[str, list[int]] = {}
        for place in members:
            ref = self._items[place].ref
            entry = self._library.entry(ref) if self._library.has(ref) else None
            found.setdefault(category_of(entry) if entry else "", []).append(place)
        others = [category for category in found if category not in CATEGORIES]
        for category in (*others, *CATEGORIES):
            yield category, found.get(category, [])

    def _finish(self, *, before: str) -> None:
        """Add the retros that are finished and whose files come before a group's."""
        names = list(self._heads)
        limit = names.index(before) if before in self._heads else len(names)
        if before and before not in self._heads:
            return
        while self._left and names.index(self._left[0]) < limit:
            name = self._left.pop(0)
            key: Hashable = ("finished", name)
            self._finished[key] = name
            decided = self._done[name]
            right = (_tally(decided, decided),)
            self._add(Row(key, (span(name, Tone.STRONG),), signs.SAME.drawn, right, str(decided)))
            self._still_applicable(name)

    def _finish_all(self) -> None:
        """Add what the estimates can still take over, once nothing waits, below one summary."""
        self._add(Row(_ALL_DONE, (Span("all decided: the summary", Tone.STRONG),)))
        self._finished[_ALL_DONE] = ""
        for name in self._left:
            self._still_applicable(name)
        if not self._readings:  # the summary alone needs no list
            self._rows, self._finished = [], {}

    def _still_applicable(self, name: str) -> None:
        """Add the estimates of a finished retro that can be taken over: they wait for no one."""
        head = self._heads[name]
        entries = head.source.entries if head.source is not None else ()
        left = [each for each in entries if in_short(self._library, each) == APPLICABLE]
        for category in dict.fromkeys(map(category_of, left)):
            found = [each for each in left if category_of(each) == category]
            self._add(_category(name, category, (0, len(found)), head))
            self._read(head, found)

    def _item(self, place: int, above: tuple[int, ...], heading: str) -> None:
        self._above[place] = above
        self._places[place] = self._add(row_of(self._items[place], heading))

    def _add(self, row: Row) -> int:
        self._rows.append(row)
        return len(self._rows) - 1


def _said(item: Item) -> str:
    """Return what a filter finds an item by: what its row and its card say of it."""
    return " ".join((item.title, item.group, item.kind, item.why, *item.evidence))


def _category(group: str, category: str, asked: tuple[int, int], head: Head, done: int = 0) -> Row:
    """Return the heading of a category.

    Args:
        group: The retro.
        category: Its name.
        asked: How many of it wait, and can be applied.
        head: Knows how many there are.
        done: How many were decided.
    """
    found, (waiting, applicable) = (head.found or {}).get(category, 0), asked
    told = f"{waiting} of {found} to review" if waiting else "info only"
    if done and not waiting:
        told = f"{done} of {found} decided"
    if applicable and not waiting:
        told = f"{applicable} of {found} {APPLICABLE}"
    return Row(
        ("category", group, category),
        (Span("  "), Span(category)),
        right=(Span(told, Tone.DIM),),
        is_header=True,
        depth=1,
        narrow=(Span(told.replace(APPLICABLE, "to apply"), Tone.DIM),),
    )


def _tally(decided: int, among: int) -> Span:
    return Span(f"{decided}/{among} decided", Tone.DIM)


def folded_key(group: str) -> Hashable:
    """Return the key of the line that stands for a folded group."""
    return ("folded", group)


def row_of(item: Item, heading: str) -> Row:
    """Return the line of an item; its kind stands there unless the heading above tells it."""
    sign = signs.DANGER.drawn if item.suspects else signs.reason_sign(item.reason)
    kind = kind_text(item.kind)
    right = () if heading.endswith(f"{kind}s") else (span(kind, Tone.DIM),)
    if item.reason is Why.RECURRENCE:
        right = (*right, span("  seen again" if right else "seen again", Tone.DIM))
    return Row(item.id, (span(item.title),), sign, right, item.digest)


def _reading(library: Library, head: Head, entry: Entry) -> Row:
    """Return the line of a finding that asks for nothing, dimmed, with why it does not."""
    told = ""
    if is_estimate(entry):
        told = _of_estimates(library, entry)
    elif head.source is not None and entry.context not in FOR_READING:
        told = in_short(library, entry)
    right = (Span(told, Tone.DIM),) if told else ()
    glyph = (signs.ESTIMATE if is_estimate(entry) else signs.READ).drawn
    return Row(entry.ref, (span(entry.title, Tone.DIM),), glyph, right, entry.digest)


def _of_estimates(library: Library, entry: Entry) -> str:
    """Return whether the estimates can take over a finding, or have it; empty = neither."""
    from remem.systems.sniper.estimates import can_take, is_taken

    if can_take(library, entry) is None:
        return APPLICABLE
    return "applied" if is_taken(library, entry) else ""


def in_short(library: Library, entry: Entry) -> str:
    """Return in a word or two why a finding does not wait; its card says the rest."""
    found = decided(library, entry)
    if found is not None:
        return found.short(library)
    if is_estimate(entry):
        return _of_estimates(library, entry) or "info only"
    if entry.context in FOR_READING:
        return "info only"
    return "ignored" if entry.status is Status.IGNORED else "no decision needed"
