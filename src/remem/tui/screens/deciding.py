"""How a verb is done, the same on every screen: ask, show the plan, apply, say how to undo it.

It acts on what was drawn when the key was pressed: each target carries the digest that was shown,
and where that reads otherwise meanwhile, the person decides between the texts.
"""

from __future__ import annotations

import asyncio
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from textual import on
from textual.binding import BindingType

from remem.base.errors import (
    ChangedOnDisk,
    Conflict,
    NotPossible,
    PlanChanged,
    RememError,
    Sides,
    Unacknowledged,
    UnknownRef,
)
from remem.core.verbs.verb import Verb
from remem.core.verbs.verbs import (
    ADD,
    APPROVE,
    ARCHIVE,
    EDIT,
    KEEP,
    KEEP_BOTH,
    MERGE,
    PROMOTE,
    REJECT,
    REMOVE,
    RESTORE,
    SCOPE,
    SUPERSEDE,
    needs_plan,
    verb,
)
from remem.model.change import Change, Intent, Json, touched_paths
from remem.model.entry import Entry, Ref, Status
from remem.systems.personas.persona_verbs import PERSONA_RENAME
from remem.systems.workspace.workspace_verbs import upward
from remem.tui.screens.base import CHANGED_ROW, OTHER_ROW
from remem.tui.screens.plans_on_screen import PlansOnScreen, changed_lines
from remem.tui.verbs import AGAIN, OPEN, action_of, bindings
from remem.tui.widgets.input_line import Purpose, Question
from remem.tui.widgets.key_bar import KeyHint
from remem.tui.widgets.line_list import LineList
from remem.tui.widgets.text_view import TextView
from remem.views.change_titles import by_words, decided_already, done
from remem.views.long_text import TextLine, text_line, text_lines
from remem.views.screen_state import Decision, Done
from remem.views.spans import Tone

if TYPE_CHECKING:
    from remem.core.library import Library
    from remem.core.waiting.item import Item
    from remem.views.list_rows import Choice

NO_REASON: Final = "no reason given"
_SHORT: Final = 20
"""Characters of a reason that the footer has room for."""
CHECKED: Final = 50
"""Marks that greying looks at on every move; planning looks at all of them."""


_SETTLING: Final = frozenset(action_of(each) for each in (SUPERSEDE, SCOPE, KEEP_BOTH))


class Target(Protocol):
    """What was drawn under the cursor: an item of the queue or an entry."""

    @property
    def ref(self) -> Ref: ...
    @property
    def digest(self) -> str: ...
    @property
    def title(self) -> str: ...


class DecidingScreen(PlansOnScreen):
    """A screen whose rows can be decided on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings((APPROVE, REJECT, EDIT, MERGE, PROMOTE, ARCHIVE, RESTORE, PERSONA_RENAME, ADD)),
        *bindings((SUPERSEDE, SCOPE, KEEP_BOTH, AGAIN)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._asked = Intent(REJECT.id)
        """What was drawn when a reason was asked for."""
        self._unsaid: dict[tuple[Ref, ...], str] = {}
        """Reasons that were typed and stand nowhere, for the next time they are asked for."""
        self._words: dict[Hashable, str | None] = {}
        """Kind of entry and status → why its format has no word for it."""

    def targets(self) -> Sequence[Target]:
        """Return what the marks stand for, else what is under the cursor, as it was drawn."""
        raise NotImplementedError

    async def action_brought(self, name: str) -> None:
        """Do a verb of a plug-in on the targets."""
        await self.decide(verb(name))

    def action_show_who(self) -> None:
        """Show who gets the rule under the cursor, beside all others."""
        from remem.tui.screens.who_gets import WhoScreen

        first = next(iter(self.targets()), None)

        def go(ref: Ref | None) -> None:
            if ref is not None:
                self.remem.show_entry(ref)

        self.app.push_screen(WhoScreen(self.session, first.ref if first else None), go)

    def why_grey(self, action: str) -> str:
        # What settles a conflict is grey till one is known; a quick key looks for it first.
        is_open = action in _SETTLING and self.unjudged is not None
        return "" if is_open else super().why_grey(action)

    def blocked(self, asked: Verb) -> str:
        return self.why_not(asked) or ""

    def hint(self, verb: Verb) -> KeyHint:
        shown = super().hint(verb)
        is_known = verb is AGAIN and self._repeated
        return replace(shown, title=f"{shown.title}: {self._repeated}") if is_known else shown

    @property
    def _repeated(self) -> str:
        """What the key that repeats would do here, and why; empty = nothing was decided."""
        last = self.desk.last
        if last is None:
            return ""
        asked, reason = verb(last.verb), last.arguments.get("reason")
        is_short = isinstance(reason, str) and 0 < len(reason) <= _SHORT
        why = f" ({reason})" if is_short else ""
        return f"{self.called(asked) or asked.title}{why}"

    def why_not(self, asked: Verb) -> str | None:
        """Return why a verb cannot act on the targets; `None` when it can."""
        if asked is AGAIN:
            last = self.desk.last
            return self.why_not(verb(last.verb)) if last else "no decision to repeat yet"
        if asked is OPEN and isinstance(self.focused, TextView):
            return "what the list points at is open here"
        if asked is ARCHIVE and self.is_removed_instead():
            return None
        if asked in (ARCHIVE, RESTORE):
            return self._why_blocked(asked) or self._why_no_word(asked)
        return self._why_blocked(asked)

    def is_removed_instead(self) -> bool:
        """Tell whether putting the targets away takes them out of their file: it has no archive."""
        if not self.targets() or self._why_blocked(ARCHIVE) or not self._why_no_word(ARCHIVE):
            return False
        return not self._why_blocked(REMOVE)

    def meant(self, verb: Verb) -> Verb:
        return REMOVE if verb is ARCHIVE and self.is_removed_instead() else super().meant(verb)

    def _why_blocked(self, asked: Verb) -> str | None:
        found = self.targets()
        if not found:
            return asked.why_not(self.session.library, None)
        reasons = (
            asked.why_not(self.session.library, self.drawn(each.ref)) for each in found[:CHECKED]
        )
        return next((reason for reason in reasons if reason), None)

    def _why_no_word(self, asked: Verb) -> str | None:
        """Return why a format of the targets cannot put them away, or bring them back."""
        wanted = Status.ACTIVE if asked is RESTORE else Status.ARCHIVED
        library = self.session.library
        found = (library.entry(each.ref) for each in self.targets() if library.has(each.ref))
        reasons = (self._has_no_word(entry, wanted) for entry in found)
        return next((each for each in reasons if each), None)

    def _has_no_word(self, entry: Entry, wanted: Status) -> str | None:
        """Return why the entry's format cannot give it that status; asked once for each kind."""
        library = self.session.library
        source = library.source_of(entry)
        key = (source.format, source.layout, source.part, entry.kind, entry.status, wanted)
        if key not in self._words:
            try:
                library.format_of(entry).keeper.set_status(source, entry, wanted)
                self._words[key] = None
            except RememError as error:
                self._words[key] = f"{error}; {error.hint}" if error.hint else str(error)
        return self._words[key]

    def called(self, asked: Verb) -> str:
        """Return what a decision is called on what is no candidate; empty on anything else."""
        if asked not in (APPROVE, REJECT, PROMOTE, KEEP):
            return ""
        from remem.core.waiting.item import kinds_drawn
        from remem.core.waiting.kinds import called

        found = self.targets()[:CHECKED]
        picked = dict.fromkeys((each.ref for each in found), "") | kinds_drawn(found)
        return called(self.session.library, picked, asked.id)

    def drawn(self, ref: Ref) -> Item | Entry | None:
        """Return what a verb's check looks at, and what is remembered of a decision."""
        library = self.session.library
        return library.entry(ref) if library.has(ref) else None

    async def decide(self, asked: Verb, **arguments: Json) -> None:
        """Do a verb on the targets, after its plan where that is shown first."""
        if self.is_unsteady():
            return
        reason = self.why_not(asked)
        if reason:
            self.say(f"{self.called(asked) or asked.title}: {reason}")
            return
        intent = self.intent(asked, arguments)
        self.saw(intent.shown)
        await self.carry_out(intent)

    def intent(self, asked: Verb, arguments: Mapping[str, Json]) -> Intent:
        """Return what a verb is asked to do with the targets, as they were drawn."""
        from remem.core.waiting.item import item_ids, kinds_drawn

        drawn = self.targets()
        return Intent(asked.id, self.shown(), arguments, item_ids(drawn), kinds_drawn(drawn))

    def shown(self) -> dict[Ref, str]:
        """Return the targets with the digests that were drawn."""
        return {target.ref: target.digest for target in self.targets()}

    @on(LineList.Highlighted)
    def _keep_drawn(self) -> None:
        pane = self.list_pane
        if pane is not None and not pane.marked:
            # Marks may be very many; they are kept when a verb asks for them.
            self.saw(self.shown())

    def saw(self, shown: Mapping[Ref, str]) -> None:
        """Let the session remember what the person has before them when they decide."""
        self.session.seen.note(self.session.library, shown)

    def is_unsteady(self) -> bool:
        """Tell whether the ground moved under the cursor, and say so if it did."""
        pane = self.pointed_pane
        if pane is None or pane.is_settled:
            return False
        self.say(OTHER_ROW if pane.is_unpointed else CHANGED_ROW)
        return True

    async def carry_out(self, intent: Intent, *, seen: bool = False) -> bool:
        """Apply an intent and tell whether it stands; `seen` = its plan was shown and accepted."""
        known = {ref: self.drawn(ref) for ref in intent.shown}
        library = self.session.library
        names, waited = _names(library, intent, known), self.waiting()
        try:
            unseen = "" if seen else await self._unseen_conflict(intent)
            is_first_shown = needs_plan(intent) or self._is_hidden(intent)
            if unseen or (is_first_shown and not seen):
                await self._plan_in_sight(intent, unseen)
                return False
            plan = self.plan_shown(intent) if seen else None
            committed = await asyncio.to_thread(self.session.apply, intent, plan)
        except RememError as error:
            if not await self._is_decided_alike(intent, error, names):
                await self._not_done(intent, error, seen=seen)
            return False
        self._remember(intent, committed.id, known, library)
        await self.renew(own=True)
        if self.list_pane is not None and len(intent.shown) > 1:
            self.list_pane.clear_marks()
        self._keep_in_sight(committed.change, library)
        said = done(by_words(committed.change.title, names, library))
        opposed = _opposed_in(committed.change.notes) if not seen else ()
        settled = self._settled_line(committed.change, waited)
        self.say(said, *settled, *opposed, *committed.warnings, undoable=True)
        return True

    def _is_hidden(self, intent: Intent) -> bool:
        """Tell whether something is decided that is marked, and out of sight by a filter."""
        pane = self.list_pane
        if pane is None or not pane.marked:
            return False
        keys = map(self.key_of, intent.shown)
        return any(key in pane.marked and pane.rows.find(key) is None for key in keys)

    async def _is_decided_alike(
        self, intent: Intent, error: RememError, names: Mapping[Ref, str]
    ) -> bool:
        """Say what was decided just so already, and go on; false where nobody did.

        Of several marked ones the plan for what is left is shown, with that said first.
        """
        if not isinstance(error, ChangedOnDisk | NotPossible | UnknownRef):
            return False
        alike = await asyncio.to_thread(self.session.decided_alike, intent)
        left = _left_of(intent, alike)
        if not alike or left is None:
            return False
        told = decided_already(alike, names, self.session.library)
        await self.renew(own=True)
        if left.shown:
            await self._show_again(left, told)
        else:
            self.say(f"{told}; nothing to do")
        return True

    async def _not_done(self, intent: Intent, error: RememError, *, seen: bool) -> None:
        """Say why nothing was written, or ask what to do on what stands by now."""
        if isinstance(error, Unacknowledged):
            self._ask_to_acknowledge(intent, error, seen=seen)
            return
        self._keep_written(intent)
        if isinstance(error, ChangedOnDisk | UnknownRef):
            await self.renew(own=False)
        match error:
            case Conflict():
                await self.show_conflict(intent, error.sides, seen=seen)
            case PlanChanged():
                await self._show_again(intent, str(error))
            case _:
                self.remem.show_error(error)

    def waiting(self) -> Collection[Item]:
        """Return the items that the screen counts; none where it counts none."""
        return ()

    def _settled_line(self, change: Change, waited: Collection[Item]) -> Iterator[str]:
        """Yield what else of what waited a change settled, in one line."""
        from remem.core.waiting.settled_with import settled_with
        from remem.views.review.fewer_wait import settled_line

        if not waited or not change.intent.shown:
            return
        waits = self.waiting()
        settled = settled_with(change, self.session.library, waited, waits)
        if settled:
            left = {each.id for each in waits}
            decided = {
                each.ref for each in waited if each.id not in left
            } & change.intent.shown.keys()
            yield settled_line(len(decided), settled)

    @property
    def unjudged(self) -> Item | None:
        """The item under the cursor while the screen does not show yet what conflicts with it."""
        return None

    async def _unseen_conflict(self, intent: Intent) -> str:
        """Return what is approved before the screen showed what it conflicts with; empty = none."""
        item = self.unjudged
        if intent.verb != APPROVE.id or item is None or intent.shown.keys() != {item.ref}:
            return ""
        from remem.core.relation.already_said import tells_of_conflict

        told = await asyncio.to_thread(self.session.told_of, item)
        first, *more = [*filter(tells_of_conflict, told)] or [""]
        return f"{first} (and {len(more)} more)" if more else first

    def _keep_in_sight(self, change: Change, before: Library) -> None:
        """Keep the cursor on what was edited, whose ref may change, or go to what was added."""
        pane = self.list_pane
        if change.intent.verb == EDIT.id and pane is not None:
            for ref in change.stands:
                pane.move_to(ref)
        if change.intent.verb == ADD.id:
            paths = touched_paths(change.effects)
            changed = (each for each in self.session.library.sources if each.path in paths)
            came = (entry.ref for source in changed for entry in source.entries)
            new = next((ref for ref in came if not before.has(ref)), None)
            if new is not None:
                self.go_to_entry(new)

    def go_to_entry(self, ref: Ref) -> None:
        """Put the cursor on an entry that was added, where the list shows it."""
        if self.list_pane is not None:
            self.list_pane.move_to(ref)

    async def _show_again(self, intent: Intent, changed: str) -> None:
        """Show what an intent would do by now, after what changed since it was shown."""
        try:
            await self._plan_in_sight(intent, changed)
        except RememError as error:
            self.remem.show_error(error)

    async def show_planned(self, intent: Intent) -> None:
        """Show what an intent would write, with the focus on No."""
        try:
            await self._plan_in_sight(intent)
        except RememError as error:
            self.remem.show_error(error)

    async def _plan_in_sight(self, intent: Intent, changed: str = "") -> None:
        """Plan an intent and show the plan, unless the person left it meanwhile.

        Args:
            intent: What is asked.
            changed: What the person did not know when they asked; it stands first.

        Raises:
            RememError: It cannot be planned.
        """
        title, _ = self._called(intent)
        async with self.planning(title) as planning:
            at = self.session.clock.now()
            change = await asyncio.to_thread(self.session.plan, intent, at)
            if not planning.is_left:
                await self.show_plan(intent, change, changed)

    async def show_plan(self, intent: Intent, change: Change, changed: str = "") -> None:
        """Show what would happen, and do it if that is confirmed.

        Args:
            intent: What is asked.
            change: Its plan.
            changed: What the person did not know when they asked; it stands first.
        """
        from remem.core.shown_plan import plan_of
        from remem.views.plan import plan_lines
        from remem.views.prompts.plan_impact import reach_lines

        async def go_on() -> None:
            await self.carry_out(intent, seen=True)

        does, _ = self._called(intent)
        library = self.session.library
        names = _names(library, intent, {ref: self.drawn(ref) for ref in intent.shown})
        self.showed((intent, plan_of(self.session, change)))
        reached = await asyncio.to_thread(reach_lines, self.session, [change])
        lines = [*changed_lines(changed), *plan_lines(self.session, change, reached)]
        self.ask_plan(by_words(change.title, names, library), lines, go_on, apply=does)

    def _called(self, intent: Intent) -> tuple[str, tuple[str, ...]]:
        """Return what a decision is called on the cards it is about, and the reasons that fit it.

        Where it is not one and the same on all of them, it has the verb's own name and no reasons.
        """
        from remem.core.waiting.kinds import act_on

        library, waits = self.session.library, intent.waiting
        acts = [act_on(library, ref, intent.verb, waits.get(ref, "")) for ref in intent.shown]
        own = verb(intent.verb).title
        called = {(act.says or own) if act is not None else own for act in acts}
        fitting = {act.reasons if act is not None else () for act in acts}
        return (
            called.pop() if len(called) == 1 else own,
            fitting.pop() if len(fitting) == 1 else (),
        )

    async def show_conflict(self, intent: Intent, sides: Sides, *, seen: bool) -> None:
        """Show what was decided on, what stands there now, and what the decision would make of it.

        Nothing is decided by it: the person takes what stands now, rewrites it, or leaves it.
        """
        from remem.core.still_as_shown import on_what_stands
        from remem.tui.screens.changed_meanwhile import Answer, ConflictScreen

        on_now = on_what_stands(intent, sides)
        self.app.clear_notifications()  # what was said of the row lies over the keys
        self.saw(on_now.shown)
        self._keep_written(on_now)
        writes = await asyncio.to_thread(self._writes, on_now) if not sides.blocked else []
        does, _ = self._called(on_now)

        async def answer(chosen: Answer | None) -> None:
            match chosen:
                case Answer.DECIDE:
                    await self.carry_out(on_now, seen=seen)
                case Answer.EDIT if intent.verb == REJECT.id:
                    self._ask_reason(on_now)
                case Answer.EDIT:
                    now = Ref.parse(sides.now)
                    await self.write_anew(now, on_now.shown.get(now, sides.digest))
                case None:
                    self.say(
                        "left as it is; nothing was written; move the cursor before you decide"
                    )

        seconds = self.remem.seconds
        self.app.push_screen(ConflictScreen(does, sides, writes, seconds=seconds), answer)

    def _writes(self, intent: Intent) -> list[TextLine]:
        from remem.views.plan import plan_lines

        try:
            return plan_lines(self.session, self.session.plan(intent))
        except RememError as error:
            return [text_line(str(error), Tone.WARN)]

    async def write_anew(self, ref: Ref, digest: str) -> None:
        """Open the editor on an entry and take over what was changed in it."""
        from remem.tui.editor import edited_fields

        self.saw({ref: digest})
        fields = await edited_fields(self.remem, ref)
        if fields:
            await self.carry_out(Intent(EDIT.id, {ref: digest}, {"fields": fields}))

    def _ask_to_acknowledge(self, intent: Intent, error: Unacknowledged, *, seen: bool) -> None:
        """Show what hides in a text; who saw it may let it in all the same."""
        lines = [text_line(str(error), Tone.BAD), text_line(error.hint, Tone.DIM)]
        for ref in intent.shown:
            lines += self._whole_text(ref)
        before = intent.arguments.get("acknowledged")
        seen_before = before if isinstance(before, list) else []
        ids: list[Json] = [*seen_before, *error.ids]
        again = replace(intent, arguments={**intent.arguments, "acknowledged": ids})

        async def go_on() -> None:
            await self.carry_out(again, seen=seen)

        title = "Suspicious content: review before approving"
        self.ask_plan(title, lines, go_on, apply="Approve anyway", careful=True)

    def _whole_text(self, ref: Ref) -> list[TextLine]:
        """Return all that an entry holds; drawing makes visible what hides in it."""
        library = self.session.library
        if not library.has(ref):
            return []
        entry = library.entry(ref)
        body = library.format_of(entry).reader.body(library.source_of(entry), entry)
        head = [TextLine(""), text_line(library.short(ref), Tone.HEADING)]
        title = [] if entry.title in body else [text_line(entry.title, Tone.STRONG)]
        return [*head, *title, *text_lines(body)]

    def _keep_written(self, intent: Intent) -> None:
        """Keep what was typed for the next try."""
        reason = intent.text("reason")
        if intent.verb == REJECT.id and reason not in ("", NO_REASON):
            self._unsaid[tuple(intent.shown)] = reason
        fields = intent.arguments.get("fields")
        if intent.verb == EDIT.id and isinstance(fields, Mapping):
            for ref in intent.shown:
                self.desk.unsaved[ref] = dict(fields)

    def _remember(
        self,
        intent: Intent,
        change: str,
        known: Mapping[Ref, Item | Entry | None],
        before: Library,
    ) -> None:
        from remem.core.waiting.item import Item
        from remem.core.waiting.kinds import act_on
        from remem.model.change import INTO_SHOWN

        self._unsaid.pop(tuple(intent.shown), None)
        if intent.verb == EDIT.id:
            for ref in intent.shown:
                self.desk.unsaved.pop(ref, None)
        of_this_one = ("acknowledged", "fields", INTO_SHOWN)
        arguments = {k: v for k, v in intent.arguments.items() if k not in of_this_one}
        if verb(intent.verb).repeats:
            self.desk.last = Decision(intent.verb, arguments)
        reason = intent.text("reason")
        for key, told in (("into", "into"), ("instead_of", "instead of")):
            if other := intent.text(key):
                reason = f"{told} {other}" + (f"; {reason}" if reason else "")
        made = list[Done]()
        for item in known.values():
            if isinstance(item, Item):
                act = act_on(before, item.ref, intent.verb, intent.waiting.get(item.ref, ""))
                called = act.says if act is not None else ""
                title = _as_decided(before, item, intent)
                made.append(Done(change, intent.verb, title, item.group, reason, called))
        if made:
            self.desk.decided(made)
            self.keep_review()

    def ready(self, asked: Verb) -> tuple[dict[Ref, str], list[Entry]] | None:
        """Return what was drawn under the cursor, or say why the verb cannot act on it."""
        reason = self.why_not(asked)
        if reason:
            self.say(f"{self.called(asked) or asked.title}: {reason}")
            return None
        if self.is_unsteady():
            return None
        shown = self.shown()
        self.saw(shown)
        library = self.session.library
        return shown, [library.entry(ref) for ref in shown if library.has(ref)]

    def choose_promotion(self, shown: Mapping[Ref, str], entries: Sequence[Entry]) -> None:
        """Ask what lessons become or where they go, then do it."""
        from remem.core.waiting.item import item_ids, kinds_drawn
        from remem.systems.personas.team.people import everyone
        from remem.views.review.lesson_choices import promotions

        drawn, library = self.targets(), self.session.library
        intent = Intent(PROMOTE.id, dict(shown), {}, item_ids(drawn), kinds_drawn(drawn))
        self.choose(
            "Promote to; or type a place, `.claude/rules/tests.md`" if entries else "Put it where",
            promotions(library, entries, everyone(library)),
            lambda to: _lifted(intent, to),
            typed=True,
        )

    def choose(
        self,
        title: str,
        choices: Sequence[Choice],
        intent: Callable[[str], Intent],
        *,
        typed: bool = False,
    ) -> None:
        """Ask for one of several things, then carry out what comes of it."""
        from remem.tui.screens.choose import ChooseScreen

        async def answer(chosen: str | None) -> None:
            if chosen is None:
                return
            try:
                asked = intent(chosen)
            except RememError as error:
                self.remem.show_error(error)
                return
            await self.carry_out(asked)

        self.app.push_screen(ChooseScreen(title, choices, typed=typed), answer)

    async def action_approve(self) -> None:
        await self.decide(APPROVE)

    async def action_promote(self) -> None:
        library = self.session.library
        found = [library.entry(each.ref) for each in self.targets() if library.has(each.ref)]
        await self.decide(upward(library, found, PROMOTE))

    async def action_archive(self) -> None:
        if not self.is_removed_instead():
            await self.decide(ARCHIVE)
        elif not self.is_unsteady():
            self.saw(self.shown())
            await self.show_planned(self.intent(REMOVE, {}))

    async def action_restore(self) -> None:
        await self.decide(RESTORE)

    def action_reject(self) -> None:
        if self.is_unsteady():
            return
        reason = self.why_not(REJECT)
        if reason:
            self.say(f"{self.called(REJECT) or REJECT.title}: {reason}")
            return
        self._ask_reason(self.intent(REJECT, {}))

    def _ask_reason(self, intent: Intent) -> None:
        typed = self._unsaid.pop(tuple(intent.shown), "")
        does, stock = self._called(intent)
        # Rows that wait for nothing are marked with those between which they stand.
        is_of_marks = self.list_pane is not None and self.list_pane.marked
        what = f"{does} {len(intent.shown):,} marked" if is_of_marks else does
        self.ask_why(intent, f"{what} because", stock or self.session.config.reject.reasons, typed)

    def ask_why(self, intent: Intent, label: str, stock: tuple[str, ...], typed: str = "") -> None:
        """Ask for a reason, then carry out the intent with it."""
        self._asked = intent
        self.saw(intent.shown)
        subject = (intent.verb, *intent.shown)
        self.ask(Question(Purpose.REASON, label, subject, typed, stock))

    async def answer(self, question: Question, text: str) -> None:
        # What was drawn when the reason was asked for is bound to it: it may move meanwhile.
        if question.purpose is Purpose.REASON:
            if self._asked.verb == KEEP_BOTH.id and not text.strip():
                self.say(f"{KEEP_BOTH.title}: it needs a reason; nothing was written")
                return
            given = {**self._asked.arguments, "reason": text.strip() or NO_REASON}
            await self.carry_out(replace(self._asked, arguments=given))

    async def action_again(self) -> None:
        if self.desk.last is not None:
            await self.decide(verb(self.desk.last.verb), **self.desk.last.arguments)


def _names(
    library: Library, intent: Intent, drawn: Mapping[Ref, Item | Entry | None]
) -> dict[Ref, str]:
    """Return what each thing that was decided on is called, in words."""
    known = {
        ref: each or (library.entry(ref) if library.has(ref) else None)
        for ref, each in drawn.items()
    }
    return {ref: _as_decided(library, each, intent) for ref, each in known.items() if each}


def _as_decided(library: Library, asked: Item | Entry, intent: Intent) -> str:
    """Return what was decided on, in the words that a person put in their place on its card."""
    from remem.core.waiting.approve import as_edited
    from remem.core.waiting.item import Item
    from remem.views.review.item_card import edited_on_card

    fields = intent.arguments.get("fields")
    if intent.verb != APPROVE.id or not isinstance(fields, Mapping) or not isinstance(asked, Item):
        return asked.title
    coming = edited_on_card(library, asked)
    return as_edited(library, coming, fields).text if coming is not None else asked.title


def _left_of(intent: Intent, done_already: Collection[Ref]) -> Intent | None:
    """Return an intent on what is not done yet; `None` where an entry had several cards."""
    shown = {ref: digest for ref, digest in intent.shown.items() if ref not in done_already}
    if shown and len(intent.items) not in (0, len(intent.shown)):
        return None
    cards = zip(intent.shown, intent.items, strict=False)
    items = tuple(item for ref, item in cards if ref in shown)
    waiting = {ref: kind for ref, kind in intent.waiting.items() if ref in shown}
    return replace(intent, shown=shown, items=items, waiting=waiting)


def _lifted(intent: Intent, to: str) -> Intent:
    """Return what is done with lessons: promoting, or settling what several personas have."""
    from remem.systems.personas.persona_verbs import LESSON_SHARE
    from remem.views.review.lesson_choices import SHARE

    if to.startswith(SHARE):
        return Intent(LESSON_SHARE.id, intent.shown, {"to": to.removeprefix(SHARE)})
    return replace(intent, arguments={"to": to})


def _opposed_in(notes: Iterable[str]) -> tuple[str, ...]:
    """Return what an entry that was put in force at once may contradict, each without its text."""
    from remem.core.relation.already_said import ConflictNote

    return tuple(note.head for note in notes if isinstance(note, ConflictNote))
