"""Review: the queue, one card, what each verb on offer would write and do to the prompts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from remem.base.assets import asset_dir
from remem.base.text import count
from remem.core.library import Library
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import (
    APPROVE,
    EDIT,
    KEEP,
    KEEP_BOTH,
    MERGE,
    PROMOTE,
    REJECT,
    RESTORE,
    SCOPE,
    SUPERSEDE,
)
from remem.core.waiting.item import Item
from remem.core.waiting.item import Why as Reason
from remem.core.waiting.kinds import UNREVIEWED
from remem.model.change import Intent, Json
from remem.model.entry import Ref
from remem.systems.sniper.sniper_verbs import ESTIMATES_TAKE
from remem.tui.content import content
from remem.tui.garbage_when_idle import steady
from remem.tui.messages import EntriesRead
from remem.tui.screens import settle_conflict
from remem.tui.screens.card import WIDE, CardScreen
from remem.tui.screens.deciding import Target
from remem.tui.verbs import (
    AGAIN,
    COMPARE,
    COPY_REVIEW,
    DIFF,
    LEAVE,
    SIDEWAYS,
    SKIP,
    SUGGESTED,
    UNDO,
    WHY,
    bindings,
    key_shown,
)
from remem.tui.widgets.input_line import InputLine, Purpose
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.line_view import empty_text
from remem.tui.widgets.text_view import TextView
from remem.views.review.groups import Board, board, came, folded_key
from remem.views.review.item_card import (
    approving,
    by_verb,
    decided_lines,
    lifting,
    merge_choices,
    only_conflicts,
    to_accept,
    undecided_lines,
)
from remem.views.review.retro import retros_of

if TYPE_CHECKING:
    from remem.core.waiting.kinds import Coming
    from remem.views.review.compare_retros import Comparison

EMPTY: Final = empty_text("All caught up", "1", "browses memory")
LOOKING: Final = empty_text("looking for what was written …")
ON_ITEMS: Final = (APPROVE, REJECT, PROMOTE, MERGE, *settle_conflict.SETTLES, EDIT, KEEP)
NOT_OPPOSED: Final = "no active entry conflicts with it"
ON_ROW: Final = (*settle_conflict.SETTLES, EDIT)
"""What is done to the item under the cursor, whatever is marked."""
NEVER_MERGED: Final = "what conflicts is never merged"
_NAMED: Final = 48
"""Characters by which an overlay names what is marked."""
NO_SUGGESTIONS: Final = "no suggestions in this group"
ONLY_SHARED: Final = "what it conflicts with is active in other repositories too"
_LARGE: Final = 2_000
"""Entries from which on it is felt when all are searched."""


class ReviewScreen(CardScreen):
    """Takes a person from the first item to the last by single keys."""

    CSS_PATH = asset_dir("styles") / "review.tcss"
    NUMBER = 2
    FILTERS = "filter items"
    VERBS: ClassVar[tuple[Verb, ...]] = (
        APPROVE, REJECT, *settle_conflict.SETTLES, KEEP, SKIP, PROMOTE, MERGE, EDIT, AGAIN,
        SUGGESTED, DIFF, WHY, COMPARE, UNDO, COPY_REVIEW,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((SKIP, SUGGESTED, KEEP, COPY_REVIEW)),
        *bindings(SIDEWAYS),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._compared_from: Hashable = None
        """The row of the queue from which retros were put side by side."""
        self._folded: set[str] = set()
        """Groups of which one line is shown."""
        self._before: dict[str, Library] = {}
        """Group → the snapshot that its first decision was made on."""
        self._since = self.session.clock.now()

    def compose_panes(self) -> ComposeResult:
        queue = LineList(id="queue", classes="pane pane-list", empty=EMPTY)
        queue.border_title = content("Queue")
        yield queue
        about = TextView(
            id="card", classes="pane pane-detail", empty=empty_text("nothing selected")
        )
        about.border_title = content("Item")
        yield about
        writes = TextView(
            id="writes", classes="pane pane-detail", empty=empty_text("nothing selected")
        )
        writes.border_title = content("What it writes")
        yield writes

    def panes_here(self) -> list[Widget]:
        panes = super().panes_here()
        return panes if self.app.size.width >= WIDE else panes[:2]

    @property
    def stamp(self) -> Hashable:
        return super().stamp, self.desk.compared

    def load(self) -> tuple[Board, Comparison | None]:
        with steady():
            return self._load_comparison() or (self._load(), None)

    def _load_comparison(self) -> tuple[Board, Comparison] | None:
        """Return two retros side by side; `None` where that is not asked for, or one is gone."""
        found = {source.path.stem: source for source in retros_of(self.session.library)}
        asked = self.desk.compared
        if asked is None or not {*asked} <= found.keys():
            return None
        from remem.views.review.compare_retros import comparison_board

        before, after = (found[name] for name in asked)
        return comparison_board(self.session.library, self.desk.items(), before, after)

    def _load(self) -> Board:
        is_complete = self.remem.is_read  # asked first: what comes meanwhile is not in it
        done = self.desk.done
        # The first frame of a large store does without what every entry is searched for.
        is_whole = bool(self.remem.has_begun or done or not self._is_large)
        items = self.desk.items() if is_whole else self.session.first_queue()
        made = board(self.session.library, items, done, self._board, is_whole=is_whole)
        made = replace(made, is_complete=is_complete)
        return self._summed_up(made, is_over=not items) if done else made

    def _summed_up(self, made: Board, *, is_over: bool) -> Board:
        """Return the list with what came of the retros that are done, and of all of it."""
        from remem.views.review.review_summary import summary

        summaries = {
            name: summary(self.desk, name, self._before.get(name))
            for name in made.finished.values()
        }
        return replace(made, summaries=summaries, summary=summary(self.desk) if is_over else "")

    @property
    def _is_large(self) -> bool:
        return sum(len(source.entries) for source in self.session.library.sources) > _LARGE

    def after_first_frame(self) -> None:
        if self._board is not None and not self._board.is_whole:
            self.renew_later(own=False)
        super().after_first_frame()

    def fill(self, data: tuple[Board, Comparison | None], *, own: bool) -> None:
        before, self._board = self._board, data[0]
        was, self._comparison = self._compared, data[1]
        is_other = was != self._compared
        # What a part of the entries did not show came before anybody watched.
        watched = None if own or is_other or before is None or not before.is_complete else before
        new = came(watched, data[0], self.session.library, self._since)
        queue = self.query_one("#queue", LineList)
        had = self._item is not None or (before is not None and str(self._key) in before.items)
        applied = self._key if before is not None and self._key in before.open_estimates else None
        rows, found = data[0].shown(self._filter, self._folded)
        empty = EMPTY if data[0].is_complete and data[0].is_whole else LOOKING
        queue.show(rows, changed=new, decided=own or is_other, empty=empty)
        back = f" · {key_shown(LEAVE, self.remem.keys)} back"
        queue.border_title = content(f"{self._compared}{back}" if self._compared else "Queue")
        queue.show_subtitle(self._counted(data[0], found))
        if is_other:
            self._leave_reason()
            self._begin_anew(queue)
        elif own and had and self._item is None:
            self._go_on_to_next(queue)
        elif own and isinstance(applied, Ref) and self._key != applied:
            queue.move_to(data[0].beside_estimate(applied))
        finished = before.finished if before is not None and own else data[0].finished
        for key in data[0].finished.keys() - finished.keys():
            # After the last finding of a retro comes what was made of it.
            queue.move_to(key)
        self._go_to_wanted()
        if self._card is None or self._item != self._card.item:
            self._show_item()
        else:
            self._gather_card()

    @on(EntriesRead)
    def _say_that_it_is_all(self) -> None:
        self.renew_later(own=False)

    @on(events.ScreenResume)
    def _go_to_wanted(self) -> None:
        """Put the cursor on the first thing that an agent wrote in the file that was opened."""
        match self.desk.wanted:
            case (waiting, Path() as path) if waiting == UNREVIEWED and self._board is not None:
                known = self.session.library.aside.unreviewed
                for item in self._board.items.values():
                    is_there = item.waiting == UNREVIEWED and item.ref in known
                    if is_there and known[item.ref].path == path:
                        self.query_one("#queue", LineList).move_to(item.id)
                        self.desk.wanted = None
                        return

    @property
    def _compared(self) -> str:
        """The two retros that are shown side by side, in words; empty = it is the queue."""
        found = self._comparison
        return f"{found.before.path.stem} → {found.after.path.stem}" if found else ""

    def _leave_reason(self) -> None:
        """Ask for no reason any more: what it was for is not shown."""
        line = self.query_one(InputLine)
        if line.question is not None and line.question.purpose is Purpose.REASON:
            line.leave()

    def _begin_anew(self, queue: LineList) -> None:
        """Begin two retros at their summary, and the queue where it was left for them."""
        from remem.views.review.compare_retros import SUMMARY

        queue.move_to(SUMMARY if self._comparison is not None else self._compared_from)

    def _go_on_to_next(self, queue: LineList) -> None:
        """Leave what was decided, which stays to be read, for the next item that waits."""
        assert self._board is not None
        keys = [queue.rows.key(place) for place in range(queue.cursor, len(queue.rows))]
        after = next((key for key in keys if str(key) in self._board.items), None)
        if after is not None:
            queue.move_to(after)

    def compare_retros(self) -> None:
        """Show two retros side by side; of those that are, another one can be chosen."""
        if self._comparison is not None:
            self.compare_with_another(self._comparison.after.path.stem)
            return
        super().compare_retros()
        self._compared_from = self._key
        self.renew_later(own=True)

    def leave_level(self) -> bool:
        """Go one level back; from two retros side by side to the queue."""
        if super().leave_level():
            return True
        if self._whole_diff:
            self.action_show_diff()
            return True
        if self._comparison is None:
            return False
        self.desk.compared = None
        self.renew_later(own=True)
        return True

    def action_back(self) -> None:
        """Go back from two retros side by side, or else to the screen before."""
        if self._comparison is None or not self.leave_level():
            super().action_back()

    def retro_name(self) -> str:
        head = self._board.head_of(self._key) if self._board is not None else None
        return head.name if head is not None else self._finished

    def targets(self) -> Sequence[Target]:
        if self._board is None:
            return []
        items = self._board.items
        marked = self.query_one("#queue", LineList).marked
        found = [items[str(key)] for key in marked if str(key) in items]
        return found or ([self._item] if self._item else [])

    @property
    def _is_taking_over(self) -> bool:
        """True where approving takes over an estimate: its row is pointed at, nothing is marked."""
        return self.estimate() is not None and not self.targets()

    def waiting(self) -> Collection[Item]:
        """Return all that waits; none while it is not known what does."""
        board = self._board
        return tuple(board.items.values()) if board is not None and board.is_whole else ()

    def key_of(self, ref: Ref) -> Hashable:
        item = self.drawn(ref)
        return item.id if item is not None else None

    def drawn(self, ref: Ref) -> Item | None:
        return self._board.by_ref.get(ref) if self._board is not None else None

    def why_not(self, asked: Verb) -> str | None:
        item = self._item
        if asked is COPY_REVIEW:
            return None if self.desk.done else "nothing was decided yet"
        of_row = (*(ON_ROW if self.targets() else ON_ITEMS), SUGGESTED, DIFF)
        if self._finished and asked in (*of_row, SKIP):
            return None if asked is SKIP else "everything in it is decided"
        if asked is APPROVE and self._is_taking_over:
            return self.why_not_taken()
        if self._reading is not None and asked in of_row:
            is_planned = asked is DIFF and self.estimate() is not None
            return "what Apply writes is shown here" if is_planned else "it needs no decision"
        if asked is SUGGESTED and item is not None:
            found = to_accept(self._board, item.group, self._edited) if self._board else ()
            return None if any(True for _ in found) else NO_SUGGESTIONS
        if asked is DIFF and self._card is not None and self._card.unreviewed is not None:
            return "all that was written is shown here"
        if asked in (SUGGESTED, DIFF, WHY, SKIP):
            return None if item or self._reading else "nothing to review here"
        if asked is EDIT and item is not None and self._coming(item) is not None:
            return None
        if asked is PROMOTE and item is not None and lifting(item) is not PROMOTE:
            return None
        if asked in settle_conflict.SETTLES and item is not None and self._opposed == ():
            return None if self._keeps_both(asked) else NOT_OPPOSED
        if asked is SUPERSEDE and not settle_conflict.makes_room(
            self.session.library, item, self._opposed
        ):
            return ONLY_SHARED
        if asked is SCOPE and not settle_conflict.can_limit(
            self.session.library, item, self._opposed
        ):
            return settle_conflict.NO_FIELD
        if asked is MERGE and self.targets() == [item] and only_conflicts(self._card):
            return NEVER_MERGED
        if asked is RESTORE and item is not None and item.reason is Reason.TAKEN_OUT:
            return None
        return super().why_not(asked)

    def hint(self, verb: Verb) -> KeyHint:
        shown, item = super().hint(verb), self._item
        if verb is AGAIN:
            return shown
        if verb is APPROVE and self._is_taking_over:
            return replace(shown, title=ESTIMATES_TAKE.title)
        does = verb
        if item is not None and verb in (APPROVE, PROMOTE):
            does = self._approving(item) if verb is APPROVE else lifting(item)
        is_suggested = item is not None and does.id == item.suggested
        if verb is PROMOTE and item is not None and does is approving(item):
            is_suggested = False  # approving does it
        return replace(shown, title=self.called(verb) or does.title, is_suggested=is_suggested)

    def filter_rows(self, text: str) -> tuple[int, int]:
        if self._board is None:
            return 0, 0
        rows, found = self._board.shown(text, self._folded)
        queue = self.query_one("#queue", LineList)
        queue.show(rows, decided=True)
        queue.show_subtitle(self._counted(self._board, found))
        return found, len(self._board.items)

    def _counted(self, board: Board, found: int) -> str:
        """Return how many were decided, and how many of the rest a filter leaves.

        Empty where it is not known how many there are, and where there is nothing to count.
        """
        done, waiting = len(self.desk.done), len(board.items)
        if not board.is_whole or not done + waiting:
            return ""
        decided = f"{done}/{done + waiting} decided"
        return f"{found:,} of {count(waiting, 'item')} · {decided}" if self._filter else decided

    def action_move_left(self) -> None:
        """Fold the group under the cursor."""
        group = self._board.group_of(self._key) if self._board is not None else ""
        if group and not self._filter:
            self._folded.add(group)
            self._refold(folded_key(group))

    def action_move_right(self) -> None:
        """Unfold the group under the cursor."""
        group = self._folded_here
        if group and self._board is not None:
            self._folded.discard(group)
            self._refold(None)
            queue = self.query_one("#queue", LineList)
            queue.action_move_down() if queue.row is None else None

    def _refold(self, key: Hashable) -> None:
        assert self._board is not None
        queue = self.query_one("#queue", LineList)
        queue.show(self._board.shown(self._filter, self._folded)[0], decided=True)
        if key is not None:
            queue.move_to(key)

    @property
    def _folded_here(self) -> str:
        """The folded group whose line is under the cursor; empty = none."""
        key = self._key
        group = self._board.group_of(key) if self._board is not None else ""
        return group if group in self._folded and key == folded_key(group) else ""

    async def action_review_copy(self) -> None:
        """Copy what was decided, for an agent or a pull request."""
        reason = self.why_not(COPY_REVIEW)
        if reason:
            self.say(f"{COPY_REVIEW.title}: {reason}")
        else:
            from remem.views.review.review_summary import summary

            self.remem.copy(await asyncio.to_thread(summary, self.desk))

    def action_skip(self) -> None:
        if self.is_unsteady():
            return
        if self._item is not None:
            self.desk.skipped.add(self._item.id)
        queue = self.query_one("#queue", LineList)
        if self._board is None:
            return
        keys, after = [*map(queue.rows.key, range(len(queue.rows)))], queue.cursor + 1
        left = self._board.items.keys() - self.desk.skipped
        following = (key for key in keys[after:] if key in self._board.items)
        candidates = chain(following, (key for key in keys if key in left))
        if not any(queue.move_to(key) for key in candidates):
            queue.action_move_down()

    @on(LineList.Opened, "#queue")
    def _open_row(self) -> None:
        if self._folded_here:
            self.action_move_right()
        else:
            self.call_pane(self.query_one("#card", TextView))

    async def action_approve(self) -> None:
        if self._is_taking_over:
            await self.take_over()
            return
        await self._let_in(self._approving)

    def _approving(self, item: Item) -> Verb:
        return APPROVE if item.id in self._edited else approving(item)

    async def carry_out(self, intent: Intent, *, seen: bool = False) -> bool:
        """Apply an intent, and keep what each retro was first decided on."""
        library = self.session.library
        known = [item for item in map(self.drawn, intent.shown) if item is not None]
        stands = await super().carry_out(intent, seen=seen)
        if stands:
            for item in known:
                self._edited.pop(item.id, None)
                self._before.setdefault(item.group, library)
        return stands

    async def action_promote(self) -> None:
        items = [item for item in self.targets() if isinstance(item, Item)]
        if not items or any(item.waiting != UNREVIEWED for item in items):
            await self._let_in(lifting)
            return
        found = self.ready(PROMOTE)
        if found is not None:
            self.choose_promotion(*found)

    async def action_keep(self) -> None:
        await self.decide(KEEP)

    async def _let_in(self, way: Callable[[Item], Verb]) -> None:
        """Decide by each item's own way in; several ways at once show their plan first."""
        items = [item for item in self.targets() if isinstance(item, Item)]
        intents = by_verb((way(item), item) for item in items)
        edited = [self._edited[item.id] for item in items if item.id in self._edited]
        if edited and len(items) > 1:
            self.say("one of these was edited: approve it on its own")
            return
        if edited and way == self._approving:
            await self.decide(APPROVE, fields=edited[0])
            return
        if len(intents) > 1:
            if not self.is_unsteady():
                await self.carry_out_each(f"Decide {count(items, 'item')}", intents)
            return
        await self.decide(way(items[0]) if items else APPROVE)

    async def action_edit(self) -> None:
        item = self._item
        reason = self.why_not(EDIT)
        if item is None or reason:
            self.say(f"{EDIT.title}: {reason or 'nothing selected'}")
        elif not self.is_unsteady():
            coming = self._coming(item)
            if coming is None:
                await self.write_anew(item.ref, item.digest)
            else:
                await self._write_on_card(item, coming)

    async def _write_on_card(self, item: Item, coming: Coming) -> None:
        """Open the editor on what approving an item would write, and keep it for that."""
        from remem.tui.editor import edited_fields

        before = self._edited.get(item.id, {})
        fields = await edited_fields(self.remem, item.ref, coming.fields, before)
        if fields:
            self._edited[item.id] = fields
            self._show_item()

    def blocked(self, asked: Verb) -> str:
        if asked in settle_conflict.SETTLES and not self._opposed and not self._keeps_both(asked):
            return NOT_OPPOSED  # the footer shows it once that is known
        return super().blocked(asked)

    async def action_supersede(self) -> None:
        clash = await self._clash(SUPERSEDE)
        if clash is not None:
            await settle_conflict.supersede(self, clash)

    async def action_scope(self) -> None:
        clash = await self._clash(SCOPE)
        if clash is not None:
            await settle_conflict.limit(self, clash)

    async def action_keep_both(self) -> None:
        clash = await self._clash(KEEP_BOTH)
        if clash is not None:
            settle_conflict.keep_both(self, clash)

    async def _clash(self, asked: Verb) -> settle_conflict.Clash | None:
        """Return what a verb settles under the cursor, or say why there is nothing."""
        item, reason = self._item, self.why_not(asked)
        if item is None or reason:
            self.say(f"{asked.title}: {reason or 'nothing selected'}")
            return None
        if self.is_unsteady():
            return None
        found = self._opposed
        if found is None:
            found = await asyncio.to_thread(self.session.opposed, item)
        edited = self._edited.get(item.id, {})
        clash = settle_conflict.clash_of(self.session.library, asked, item, found, edited)
        if not clash.others and not self._keeps_both(asked):
            self.say(f"{asked.title}: {NOT_OPPOSED}")
            return None
        return clash

    def _keeps_both(self, asked: Verb) -> bool:
        """Tell whether keeping both is what is asked about the item, whatever it conflicts with."""
        return asked is KEEP_BOTH and self._item is not None and asked.id in self._item.verbs

    async def action_merge(self) -> None:
        items = [item for item in self.targets() if isinstance(item, Item)]
        reason = self.why_not(MERGE)
        if not items or reason:
            self.say(f"{MERGE.title}: {reason or 'nothing selected'}")
            return
        if self.is_unsteady():
            return
        from remem.model.change import INTO_SHOWN
        from remem.tui.screens.choose import ChooseScreen

        intent, library = self.intent(MERGE, {}), self.session.library
        self.saw(intent.shown)
        choices = await asyncio.to_thread(merge_choices, self.session, items)

        async def answer(chosen: str | None) -> None:
            if chosen:
                into = library.entry(Ref.parse(chosen))
                self.session.seen.note(library, {into.ref: into.digest})
                pins: dict[str, Json] = {"into": chosen, INTO_SHOWN: into.digest}
                await self.carry_out(replace(intent, arguments=pins))

        # The card beside the overlay is of the row under the cursor, and not of what is marked.
        first = shorten(items[0].title, _NAMED, placeholder="…")
        named = count(items, "item") if len(items) > 1 else f'"{first}"'
        title = "Merge into" if items == [self._item] else f"Merge {named} into"
        none = "no entry can take in all of these"
        self.app.push_screen(ChooseScreen(title, choices, none=none), answer)

    async def action_suggested(self) -> None:
        """Show what the suggestions for the rest of the group would do, and do it if confirmed."""
        item = self._item
        if item is None or self._board is None or self.is_unsteady():
            return
        rest = [other for other in self._board.items.values() if other.group == item.group]
        wanted = [*to_accept(self._board, item.group, self._edited)]
        if not wanted:
            self.say(NO_SUGGESTIONS)
            return
        title = f"Accept {count(wanted, 'suggestion')} in {item.group}"
        taken = {other.id for _, other in wanted}
        left = undecided_lines([other for other in rest if other.id not in taken])
        await self.carry_out_each(title, by_verb(wanted), decided_lines(wanted), left)
