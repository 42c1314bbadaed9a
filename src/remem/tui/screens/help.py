"""The overlay that names every key: what works here first, then the rest with why it does not.

It is generated from the verbs and from the signs; nothing is written twice. What is typed narrows
it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from remem.base.assets import asset_dir
from remem.tui.content import content
from remem.tui.usable_verbs import ALSO, Offer
from remem.tui.verbs import CLOSE_HELP, bindings, shown_keys
from remem.tui.widgets.text_view import TextView
from remem.views.glossary import GLOSSARY
from remem.views.glyphs import UNICODE, Glyphs, glyphs_of
from remem.views.long_text import TextLine, span_line
from remem.views.loose_match import rank, words_of
from remem.views.signs import legend
from remem.views.spans import Span, Spans, Tone, span

_KEYS: Final = 12
"""Cells for the keys of a verb."""
_WORD: Final = 24
"""Cells for a word of the glossary."""
_INDENT: Final = _KEYS + 4
"""Cells before what a verb does."""
_WIDEST: Final = 110
"""Columns of the overlay on a wide terminal, as the style sheet has it."""
_FRAME: Final = 6
"""Of them, what border, padding and scrollbar take."""
_MOVES: Final = "Move"
"""The group that everybody knows, and that stands last of what works here."""


class HelpScreen(ModalScreen[None]):
    """Lists verbs by group, then the signs; what is typed narrows both."""

    CSS_PATH = asset_dir("styles") / "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CLOSE_HELP,))]

    def __init__(self, offers: Sequence[Offer], keymap: Mapping[str, str]) -> None:
        """Make the overlay.

        Args:
            offers: Every verb with why it does nothing here.
            keymap: Verb id → keys that replace its own.
        """
        super().__init__()
        self._offers = offers
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content("Help"), classes="overlay-title")
            yield _HelpLine(
                compact=True, placeholder="type to filter: a word, a key, a sign, a column"
            )
            yield TextView(self._lines(""), id="help")
            yield Label(
                content(_foot("", glyphs_of(self.app))), id="help-foot", classes="overlay-foot"
            )

    def on_mount(self) -> None:
        self.query_one(TextView).can_focus = False
        self.query_one(Input).focus()

    def _lines(self, typed: str) -> list[TextLine]:
        width = min(self.app.size.width, _WIDEST) - _FRAME
        glyphs = glyphs_of(self.app)
        return [*help_lines(self._offers, self._keymap, typed, glyphs, width)]

    @on(TextView.Resized)
    def _lay_out(self) -> None:
        self._show(self.query_one(Input).value)

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._show(event.value)
        self.query_one("#help-foot", Label).update(content(_foot(event.value, glyphs_of(self.app))))

    def _show(self, typed: str) -> None:
        lines = self._lines(typed)
        none = [span_line((Span("no matches; esc clears the filter", Tone.DIM),))]
        self.query_one(TextView).show(lines or none, fresh=True)

    def on_key(self, event: events.Key) -> None:
        """Let the text scroll while the line has the focus."""
        self.query_one(TextView).scroll_by_key(event)

    def action_help_close(self) -> None:
        """Clear what was typed, or else leave."""
        line = self.query_one(Input)
        if line.value:
            line.value = ""
        else:
            self.dismiss(None)


def _foot(typed: str, glyphs: Glyphs) -> Spans:
    does = " clears the filter  " if typed else " closes  "
    # In ASCII the arrows would be signs that the legend above explains as something else.
    scrolls = "↓ ↑" if glyphs is UNICODE else "down up"
    return (Span("esc", Tone.KEY), Span(does), Span(scrolls, Tone.KEY), Span(" scroll"))


class _HelpLine(Input):
    """The typed line; `?` closes the help that it opened."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character != "?" and super().check_consume_key(key, character)

    async def _on_key(self, event: events.Key) -> None:
        if event.character != "?":
            await super()._on_key(event)


def help_lines(
    offers: Sequence[Offer],
    keymap: Mapping[str, str],
    typed: str = "",
    glyphs: Glyphs = UNICODE,
    width: int = 80,
) -> Iterator[TextLine]:
    """Yield the overlay's lines: what works here, the signs, the rest with its reason.

    Args:
        offers: Every verb, those that work here first.
        keymap: Verb id → keys that replace its own.
        typed: Narrows all of it; empty = nothing is left out.
        glyphs: What the signs are drawn with.
        width: Cells of a line.
    """
    words = words_of(typed)
    signs = [*legend(glyphs)]
    told = [*GLOSSARY]
    # One character is asked about as a key or a sign, where it is either.
    one = typed.strip()
    keyed = [each for each in offers if one in _keys_of(each, keymap)] if len(one) == 1 else []
    drawn = [each for each in signs if each[0].text == one]
    if keyed or drawn:
        here, rest = ([e for e in keyed if bool(e.why_not) is away] for away in (False, True))
        yield from _part("Works here", here, keymap, width, wanted=True)
        yield from _legend(drawn)
        yield from _part("Not here", rest, keymap, width, wanted=True)
        return
    # What is misspelt counts where nothing is there as it was typed.
    for exact in (True, False):
        found = [each for each in offers if not words or _rank(each, words, keymap, exact=exact)]
        shown = [each for each in signs if not words or _is_meant(each, words, exact=exact)]
        meant = [each for each in told if not words or rank(words, *each, exact=exact) > 0]
        if found or shown or meant:
            break
    here = [each for each in found if not each.why_not]
    rest = [each for each in found if each.why_not]
    yield from _part("Works here", here, keymap, width, wanted=bool(words))
    yield from _legend(shown)
    yield from _glossary(meant, width)
    yield from _part("Not here", rest, keymap, width, wanted=bool(words))


def _is_meant(sign: tuple[Span, str], words: Sequence[str], *, exact: bool) -> bool:
    return words == (sign[0].text,) or rank(words, "signs legend", sign[1], exact=exact) > 0


def _keys_of(offer: Offer, keymap: Mapping[str, str]) -> Sequence[str]:
    return shown_keys(offer.keyed, keymap) if offer.keyed.key else ()


def _rank(offer: Offer, words: Sequence[str], keymap: Mapping[str, str], *, exact: bool) -> int:
    verb = offer.verb
    keys = " ".join(_keys_of(offer, keymap))
    if len(words) == 1 and words[0] in keys.lower().split():
        return 1
    more = f"{verb.help} {verb.id} {verb.group} {ALSO.get(verb.id, '')}"
    return rank(words, verb.title, more, exact=exact)


def _part(
    heading: str,
    members: Sequence[Offer],
    keymap: Mapping[str, str],
    width: int,
    *,
    wanted: bool,
) -> Iterator[TextLine]:
    if not members:
        return
    yield span_line((Span(heading, Tone.HEADING),))
    groups = sorted(dict.fromkeys(each.verb.group for each in members), key=_MOVES.__eq__)
    for group in groups:
        yield span_line((Span(f"  {group}", Tone.DIM),))
        for each in members:
            if each.verb.group == group:
                yield from _verb_lines(each, keymap, width, named=wanted)
    yield span_line(())


def _legend(signs: Sequence[tuple[Span, str]]) -> Iterator[TextLine]:
    if not signs:
        return
    yield span_line((Span("Signs", Tone.HEADING),))
    for sign, means in signs:
        pad = " " * (_KEYS - cell_len(sign.text))
        yield span_line((Span("    "), sign, Span(pad), Span(means)))
    yield span_line(())


def _glossary(words: Sequence[tuple[str, str]], width: int) -> Iterator[TextLine]:
    if not words:
        return
    yield span_line((Span("Words", Tone.HEADING),))
    for word, means in words:
        pad = " " * max(_WORD - cell_len(word), 1)
        first, *rest = textwrap.wrap(means, max(width - _WORD - 4, 20))
        yield span_line((Span(f"    {word}{pad}", Tone.KEY), span(first)), wraps=False)
        for line in rest:
            yield span_line((Span(" " * (_WORD + 4)), span(line)), wraps=False)
    yield span_line(())


def _verb_lines(
    offer: Offer, keymap: Mapping[str, str], width: int, *, named: bool
) -> Iterator[TextLine]:
    """Yield the keys of a verb with what they do, which hangs under its beginning."""
    verb, keyed = offer.verb, offer.keyed
    keys = " ".join(shown_keys(keyed, keymap)) if keyed.key else ":"
    does = f"{verb.title}: {verb.help}" if verb.help else verb.title
    more = [*([offer.why_not] if offer.why_not else []), *([verb.id] if named else [])]
    rest = textwrap.wrap(does, width - _INDENT) or [""]
    tone = Tone.DIM if offer.why_not else Tone.KEY
    if cell_len(keys) < _KEYS:
        head = Span(f"    {keys:{_KEYS}}", tone)
        yield span_line((head, span(rest.pop(0))), wraps=False)
    else:  # several keys need the line, and what they do stands below it
        yield span_line((Span(f"    {keys}", tone),), wraps=False)
    for line in rest:
        yield span_line((Span(" " * _INDENT), span(line)), wraps=False)
    for line in textwrap.wrap("  ".join(more), width - _INDENT):
        yield span_line((Span(" " * _INDENT), span(line, Tone.DIM)), wraps=False)
