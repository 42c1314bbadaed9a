"""Finds a command by its name: every verb of the screens, and every command of the shell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from textual import on, work
from textual.message import Message
from textual.widgets import Input

from remem.base.frozen import dataclass
from remem.tui.screens.choose import ChooseScreen, with_note
from remem.tui.usable_verbs import ALSO, Offer
from remem.tui.verbs import DETAIL, JUMPING, MOVING, SIDEWAYS, key_shown
from remem.views.list_rows import Row, Rows
from remem.views.loose_match import rank, words_of
from remem.views.spans import Span, Tone, span
from remem.views.typed_command import TypedCommand, command_in

VERB: Final = "verb "
COMMAND: Final = "remem "
LINE: Final = "line "
THEME: Final = "theme"
_NAME: Final = 22
"""Cells behind which what a command does begins; few are called longer."""
_LAST: Final = frozenset(verb.id for verb in (*MOVING, *SIDEWAYS, *JUMPING, *DETAIL))
"""What everybody moves with, and nobody looks for first."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the palette, with the words by which it is found."""

    row: Row
    name: str
    more: str
    order: int
    """Of equals, which comes first: what works here, then the shell's, then the rest."""


class PaletteScreen(ChooseScreen):
    """Lists all commands, the best match first; `enter` does what is under the cursor."""

    is_ranked = True
    keys_told = "type to filter   enter runs it   esc closes"

    class Commands(Message):
        """The commands of the shell were read."""

        def __init__(self, commands: Sequence[TypedCommand]) -> None:
            super().__init__()
            self.commands = commands

    def __init__(
        self,
        offers: Sequence[Offer],
        keymap: Mapping[str, str],
        load: Callable[[], Sequence[TypedCommand]] | None = None,
        *,
        decides: bool = False,
    ) -> None:
        """Make the overlay.

        Args:
            offers: Every verb with why it does nothing here.
            keymap: Verb id → keys that replace its own.
            load: Returns the commands of the shell; `None` = there are none.
            decides: A plan can be shown and applied where the person is.
        """
        super().__init__("Commands", ())
        self._load = load
        self._decides = decides
        self.commands: Mapping[str, TypedCommand] = {}
        """Id of the row → the command."""
        self._entries = [_verb_entry(offer, keymap) for offer in offers]
        self._entries.append(_theme_entry())

    def on_mount(self) -> None:
        super().on_mount()
        self.list_matching("")
        if self._load is not None:
            self._read(self._load)

    @work(thread=True, group="commands", exit_on_error=False, description="commands")
    def _read(self, load: Callable[[], Sequence[TypedCommand]]) -> None:
        self.post_message(self.Commands(load()))

    @on(Commands)
    def _take_commands(self, message: Commands) -> None:
        self.commands = {f"{COMMAND}{each.path}": each for each in message.commands}
        self._entries += [_command_entry(each) for each in message.commands]
        self.list_matching(self.query_one(Input).value)

    def matching(self, text: str) -> Rows:
        words = words_of(text)
        ranked = [
            (-rank(words, each.name, each.more) if words else 0, each.order, place)
            for place, each in enumerate(self._entries)
        ]
        found = sorted(each for each in ranked if each[0] or not words)
        line = self.line(text)
        typed = [self._line_row(text, *line)] if line is not None else []
        return Rows.of([*typed, *(self._entries[place].row for _, _, place in found)])

    def line(self, text: str) -> tuple[TypedCommand, str] | None:
        """Return the command that a typed line begins with, and the words that follow it."""
        return command_in(text, {each.path: each for each in self.commands.values()})

    def _line_row(self, text: str, command: TypedCommand, rest: str) -> Row:
        is_planned = self._decides and command.asks is not None
        otherwise = "run it" if command.runs_with(rest) else "type on, or run it"
        does = "show the plan" if is_planned else otherwise
        name = f"{COMMAND}{command.path} "
        label = (Span(name, Tone.CODE), span(rest, Tone.CODE), span(f"  {does}", Tone.DIM))
        return Row(f"{LINE}{text}", label)


def _verb_entry(offer: Offer, keymap: Mapping[str, str]) -> _Entry:
    verb, keyed = offer.verb, offer.keyed
    key = key_shown(keyed, keymap) if keyed.key else ""
    tone = Tone.DIM if offer.why_not else Tone.PLAIN
    note = offer.why_not or verb.help
    label = with_note(span(verb.title, tone), note, _NAME)
    row = Row(f"{VERB}{verb.id}", label, right=(span(key, Tone.KEY),) if key else ())
    more = f"{verb.help} {verb.id} {ALSO.get(verb.id, '')} {key}"
    order = 3 if verb.id in _LAST else 2 if offer.why_not else 0
    return _Entry(row, verb.title, more, order)


def _command_entry(command: TypedCommand) -> _Entry:
    name = f"{COMMAND}{command.path}"
    label = with_note(Span(name, Tone.CODE), command.summary, _NAME)
    more = f"{command.summary} {ALSO.get(name, '')}"
    return _Entry(Row(name, label), command.path, more, 1)


def _theme_entry() -> _Entry:
    label = with_note(Span("Theme"), "Choose a colour theme.", _NAME)
    return _Entry(Row(THEME, label), "Theme", "colours colors dark light ansi", 0)
