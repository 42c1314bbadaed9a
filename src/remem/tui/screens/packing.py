"""Packs on Browse: the marked entries go into a file, and a file's entries come in as candidates.

What a pack holds and what becomes of its entries is decided in `systems/sniper/pack_plan.py`; here
it is asked for, and shown before it happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from remem.base.errors import RememError
from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.library import Library
from remem.core.prompt.impact import Impact, measure_of
from remem.model.change import Change, Intent
from remem.model.entry import Ref
from remem.model.prompt import Ask, Prompt
from remem.store.cache_file import put
from remem.store.io import real_path
from remem.systems.sniper.pack_effects import PackEffects, effects_on_prompts, places_said
from remem.systems.sniper.pack_plan import (
    Arrival,
    Arriving,
    export,
    judge,
    pack_at,
    summary_of,
    target_of,
)
from remem.systems.sniper.packs import NAME, Pack
from remem.systems.sniper.records import DECISION
from remem.systems.sniper.sniper_verbs import PACK_IMPORT, PackImport
from remem.tui.screens.browse_panes import ShelvesScreen
from remem.tui.verbs import PACK_EXPORT
from remem.tui.widgets.input_line import Purpose, Question
from remem.views.list_rows import label
from remem.views.long_text import TextLine, span_line, text_line
from remem.views.plan import plan_lines
from remem.views.spans import Span, Tone, span

_IMPORT: Final = (PACK_IMPORT.id,)
_EXPORT: Final = (PACK_EXPORT.id,)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A pack that was read, before it comes in."""

    intent: Intent
    judged: Sequence[Arriving]
    change: Change | None
    """`None` where nothing comes in by itself."""
    lines: list[TextLine]

    @property
    def held(self) -> list[Arriving]:
        return [each for each in self.judged if each.arrival is Arrival.HELD]


class PackingScreen(ShelvesScreen):
    """Carries entries to other projects, and takes theirs in."""

    def action_pack_export(self) -> None:
        """Ask where the marked entries go; without marks all that are in force."""
        marked = self._packed_refs()
        what = count(marked, "marked entry", "marked entries") if marked else "what is active"
        self.ask(Question(Purpose.NAME, f"export {what} to", _EXPORT, NAME))

    def action_pack_import(self) -> None:
        self.ask(Question(Purpose.NAME, "import the pack", _IMPORT))

    async def answer(self, question: Question, text: str) -> None:
        match question.subject:
            case ("pack.export",):
                await self._export(self._path(text))
            case ("pack.import",):
                await self._import(self._path(text))
            case _:
                await super().answer(question, text)

    def _path(self, text: str) -> Path:
        given = Path(text.strip())
        with suppress(RuntimeError):  # `~nobody` is a name like any other
            given = given.expanduser()
        return real_path(self.session.root / given)

    def _packed_refs(self) -> list[Ref]:
        library = self.session.library
        return [key for key in self._entries.marked if isinstance(key, Ref) and library.has(key)]

    async def _export(self, path: Path) -> None:
        library, refs = self.session.library, self._packed_refs()
        wants_decisions = any(library.entry(ref).kind == DECISION for ref in refs)
        try:
            target = target_of(library, path)
            made = await asyncio.to_thread(export, library, refs, with_decisions=wants_decisions)
            await asyncio.to_thread(put, library.ground.disk, target, made.data)
        except RememError as error:
            self.remem.show_error(error)
            return
        what = count(made.refs, "entry", "entries")
        done = f"{what} exported to {label(self.session, target)}"
        self.say(done, *made.notes, bad=bool(made.notes))

    async def _import(self, path: Path) -> None:
        try:
            async with self.planning(f"{PACK_IMPORT.title} {path.name}"):
                self._offer(await asyncio.to_thread(self._read, path), path)
        except RememError as error:
            self.remem.show_error(error)

    def _offer(self, seen: _Seen, path: Path) -> None:
        """Show what a pack would add, and what hides in it."""
        if seen.change is None and seen.held:
            self._ask_for_held(seen)
            return

        async def go_on() -> None:
            if seen.change is not None and await self.carry_out(seen.intent, seen=True):
                self._ask_for_held(seen)

        title = seen.change.title if seen.change else f"{path.name} has nothing new"
        self.ask_plan(title, seen.lines, go_on, apply=PACK_IMPORT.title)

    def _ask_for_held(self, seen: _Seen) -> None:
        """Show what hides in the rest of a pack; who saw it may let it in."""
        if not seen.held:
            return
        arguments = {**seen.intent.arguments, "acknowledged": True}

        async def go_on() -> None:
            await self.carry_out(Intent(PACK_IMPORT.id, {}, arguments), seen=True)

        title = "Suspicious content: review before importing"
        self.ask_plan(title, held_lines(seen.held), go_on, apply="Approve anyway", careful=True)

    def _read(self, path: Path) -> _Seen:
        """Read a pack and tell what becomes of it; runs in a thread and touches no widget."""
        session = self.session
        library = session.library
        pack, digest = pack_at(library, path)
        judged = judge(library, pack)
        args = PackImport(path=str(path), digest=digest)
        intent = Intent(PACK_IMPORT.id, {}, args.to_json())
        if not any(each.arrival is Arrival.ADDED for each in judged):
            return _Seen(intent, judged, None, pack_lines(library, pack, judged, PackEffects()))

        def compose(ask: Ask, on: Library) -> Prompt:
            return session.compose(ask, library=on)

        change = session.plan(intent)
        effects = effects_on_prompts(library, path.name, judged, session.roles(), compose)
        lines = pack_lines(library, pack, judged, effects)
        return _Seen(intent, judged, change, [*lines, *plan_lines(session, change)])


_TONES: Final = {
    Arrival.ADDED: Tone.GOOD,
    Arrival.HELD: Tone.BAD,
    Arrival.UNREADABLE: Tone.WARN,
}
_INDENT: Final = " " * 12


def pack_lines(
    library: Library, pack: Pack, judged: Sequence[Arriving], effects: PackEffects
) -> list[TextLine]:
    """Return what becomes of each entry, and what approving all would do to each role."""
    from_ = f"from {pack.exported_from}" if pack.exported_from else "of unknown origin"
    at = f", {pack.exported_at}" if pack.exported_at else ""
    lines = [text_line(f"{from_}{at}: {summary_of(judged)}", Tone.STRONG), TextLine("")]
    places = iter(effects.places[ref] for ref in effects.refs)
    for each in judged:
        lines.append(_head(each))
        lines += [_below(each.why, Tone.WARN if each.known else Tone.DIM)] if each.why else []
        lines += [
            _below(f"risky: {suspect.message}", Tone.WARN)
            for suspect in each.suspects
            if not suspect.is_kept_out
        ]
        if each.arrival is Arrival.ADDED:
            lines.append(_below(places_said(next(places)), Tone.DIM))
    if effects.impacts:
        lines += [TextLine(""), text_line("once all of it is approved", Tone.HEADING)]
        lines += _roles(library, effects.impacts)
    return [*lines, TextLine("")]


def held_lines(held: Sequence[Arriving]) -> list[TextLine]:
    """Return what was held back, with what hides in it."""
    lines: list[TextLine] = []
    for each in held:
        lines += [_head(each), _below(each.why, Tone.BAD)]
    return lines


def _head(each: Arriving) -> TextLine:
    word = Span(f"{each.arrival:<12}", _TONES.get(each.arrival, Tone.DIM))
    return span_line((word, span(each.packed.text or f"{each.packed.kind} {each.packed.number}")))


def _below(text: str, tone: Tone) -> TextLine:
    return text_line(f"{_INDENT}{text}", tone)


def _roles(library: Library, impacts: Sequence[Impact]) -> Iterator[TextLine]:
    measure = measure_of(impacts)
    for found in impacts:
        of = found.figures(measure)
        budget = f" of {of.budget:,}" if of.budget else ""
        line = f"{found.role}  {measure} {of.before:,} → {of.after:,}{budget} tokens"
        yield text_line(line, Tone.WARN if found.pushed_out else Tone.PLAIN)
        if found.pushed_out:
            names = ", ".join(library.short(ref) for ref in found.pushed_out)
            yield _below(f"drops: {names}", Tone.WARN)
