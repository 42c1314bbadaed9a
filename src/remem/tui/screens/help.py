"""The overlay that names every key: what works here first, then the rest.

It is generated from the verbs; nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Label

from remem.core.verbs.verb import Verb
from remem.tui.content import content
from remem.tui.screens.base import RememScreen
from remem.tui.verbs import CLOSE_HELP, action_of, bindings, shown_keys
from remem.tui.widgets.text_view import TextView
from remem.views.document import TextLine, span_line
from remem.views.spans import Span, Tone, span


class HelpScreen(ModalScreen[None]):
    """Lists verbs by group; any key of its own closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings((CLOSE_HELP,))]

    def __init__(
        self, verbs: Sequence[Verb], usable: Collection[str], keymap: Mapping[str, str]
    ) -> None:
        """Make the overlay.

        Args:
            verbs: Every verb, in the order of declaration.
            usable: Ids of those that can act where the person is.
            keymap: Verb id → keys that replace its own.
        """
        super().__init__()
        self._lines = [*help_lines(verbs, usable, keymap)]

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Label(content("Keys"), classes="overlay-title")
            yield TextView(self._lines, id="help")
            yield Label(content((Span("esc", Tone.KEY), Span(" closes"))), classes="overlay-foot")

    def on_mount(self) -> None:
        self.query_one(TextView).focus()

    def action_help_close(self) -> None:
        self.dismiss(None)


def usable_on(screen: Screen[Any], verbs: Iterable[Verb]) -> frozenset[str]:
    """Return the ids of the verbs that do something where the person is.

    Screens that decide share their keys; one that has no such action, or a reason not to, does
    nothing with one of them.
    """
    known = {verb.id: verb for verb in verbs}
    return frozenset(
        active.binding.id
        for active in screen.active_bindings.values()
        if active.enabled and active.binding.id in known
        if _acts(active.node, known[active.binding.id])
    )


def _acts(node: DOMNode, verb: Verb) -> bool:
    name = action_of(verb)
    if not any(hasattr(node, f"{prefix}{name}") for prefix in ("action_", "_action_")):
        return False
    return not (isinstance(node, RememScreen) and node.blocked(verb))


def help_lines(
    verbs: Sequence[Verb], usable: Collection[str], keymap: Mapping[str, str]
) -> Iterator[TextLine]:
    """Yield the overlay's lines: a heading, then `keys  what they do  id`."""
    here = [verb for verb in verbs if verb.id in usable]
    rest = [verb for verb in verbs if verb.id not in usable]
    for heading, members in (("Works here", here), ("Elsewhere", rest)):
        if not members:
            continue
        yield span_line((Span(heading, Tone.HEADING),))
        for group in dict.fromkeys(verb.group for verb in members):
            yield span_line((Span(f"  {group}", Tone.DIM),))
            for verb in members:
                if verb.group == group:
                    yield _verb_line(verb, keymap, dim=members is rest)
        yield span_line(())


def _verb_line(verb: Verb, keymap: Mapping[str, str], *, dim: bool) -> TextLine:
    keys = " ".join(shown_keys(verb, keymap))
    pad = " " * max(14 - cell_len(keys), 1)
    tone = Tone.DIM if dim else Tone.PLAIN
    return span_line(
        (
            Span(f"    {keys}{pad}", Tone.DIM if dim else Tone.KEY),
            span(verb.help, tone),
            span(f"  {verb.id}", Tone.DIM),
        )
    )
