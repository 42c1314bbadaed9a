"""The base of everything that draws lines: tones to styles, spans to strips, the last gate.

Subclasses give it spans per line; only lines on the screen are ever built. It knows no entries, no
files and no verbs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from remem.base.text import safe_text
from remem.tui.content import content
from remem.tui.textual_private import StyledLate
from remem.views.glyphs import Glyphs, glyphs_of
from remem.views.spans import Span, Spans, Tone, clip, spans, width_of


class _Styles(dict[Tone, Style]):
    """The styles of tones, each made when it is first drawn: Textual takes long to find one."""

    def __init__(self, make: Callable[[Tone], Style]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, tone: Tone) -> Style:
        self[tone] = style = self._make(tone)
        return style


class LineView(StyledLate, can_focus=True, inherit_bindings=False):
    """Draws spans line by line in the tones of the style sheet."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"line-view--{tone}" for tone in Tone),
        "line-view--cursor",
        "line-view--cursor-blurred",
        "line-view--gutter",
    }
    DEFAULT_CSS = """
    LineView {
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        overflow-x: hidden;
        background: $background;
        color: $foreground;
        & > .line-view--dim, & > .line-view--gutter { text-style: dim; }
        & > .line-view--strong { text-style: bold; }
        & > .line-view--accent { color: $text-accent; text-style: bold; }
        & > .line-view--good { color: $text-success; }
        & > .line-view--warn { color: $text-warning; }
        & > .line-view--bad { color: $text-error; text-style: bold; }
        & > .line-view--match { color: $text-warning; text-style: bold underline; }
        & > .line-view--hidden { color: $text-error; text-style: reverse; }
        & > .line-view--added { color: $text-success; }
        & > .line-view--removed { color: $text-error; }
        & > .line-view--added-word { color: $text-success; text-style: bold underline; }
        & > .line-view--removed-word { color: $text-error; text-style: bold underline; }
        & > .line-view--heading { text-style: bold; }
        & > .line-view--code { color: $text-secondary; }
        & > .line-view--key { color: $text-primary; text-style: bold; }
        & > .line-view--layer-1 { color: $text-primary; }
        & > .line-view--layer-2 { color: $text-success; }
        & > .line-view--layer-3 { color: $text-secondary; }
        & > .line-view--layer-4 { color: $foreground; }
        /* Of the sixteen colours blue is too dark for text, and the accent is the green of good. */
        &:ansi > .line-view--key { color: $foreground; }
        &:ansi > .line-view--accent { color: $text-warning; }
        & > .line-view--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: $block-cursor-text-style;
        }
        & > .line-view--cursor-blurred {
            background: $block-cursor-blurred-background;
            color: $block-cursor-blurred-foreground;
        }
    }
    """

    _tones: Mapping[tuple[Style, bool], Mapping[Tone, Style]] = MappingProxyType({})
    """By ground, until the styles change; the first frame after that makes it anew."""
    _title = ""
    _subtitle = ""
    _filtered_by = ""

    def show_title(self, text: str) -> None:
        """Name the pane; given the same name again, Textual would draw all of it anew."""
        if text != self._title:
            self._title = text
            self.border_title = content(text)

    def show_subtitle(self, text: str) -> None:
        """Say something at the lower edge of the pane."""
        if text != self._subtitle:
            self._subtitle = text
            self._draw_subtitle()

    def show_filter(self, text: str) -> None:
        """Say at the lower edge what the pane is filtered by; empty = by nothing."""
        if text != self._filtered_by:
            self._filtered_by = text
            self._draw_subtitle()

    def _draw_subtitle(self) -> None:
        parts = (f"/{self._filtered_by}" if self._filtered_by else "", self._subtitle)
        self.border_subtitle = content(" · ".join(part for part in parts if part))

    def tone_style(self, tone: Tone) -> Style:
        """Return what `tone` adds to the style of a line."""
        if tone is Tone.PLAIN:
            return Style.null()
        return self.get_component_rich_style(f"line-view--{tone}", partial=True)

    def ground_style(self) -> Style:
        """Return the widget's own style; unlike `rich_style` it is not computed for every line."""
        return self.get_component_rich_style("line-view--plain")

    def cursor_style(self) -> Style:
        """Return the style of the line under the cursor, by focus."""
        name = "cursor" if self.has_focus else "cursor-blurred"
        return self.get_component_rich_style(f"line-view--{name}")

    def draw(
        self, parts: Iterable[Span], width: int, *, base: Style | None = None, flat: bool = False
    ) -> Strip:
        """Return one line of exactly `width` cells; what is longer is cut with a sign.

        Args:
            parts: What to draw; gated once more, whoever made it.
            width: In cells.
            base: The style below the tones; default: the widget's own.
            flat: Keep only the tones' bold and underline, for a line with a background of its own.
        """
        ground = self.ground_style() if base is None else base
        shown = clip(self._gated(parts), width, self.glyphs)
        styles = self._on_ground(ground, flat=flat)
        segments = [Segment(part.text, styles[part.tone]) for part in shown]
        return Strip(segments).adjust_cell_length(width, ground)

    def _on_ground(self, ground: Style, *, flat: bool) -> Mapping[Tone, Style]:
        """Return the style of each tone on a ground; a frame asks for a few of them very often."""
        styles = self._tones.get((ground, flat))
        if styles is None:
            styles = _Styles(lambda tone: ground + self._tone(tone, flat=flat))
            self._tones = {**self._tones, (ground, flat): styles}
        return styles

    def notify_style_update(self) -> None:
        self._tones = {}
        super().notify_style_update()

    def draw_empty(self, y: int, why: Spans, width: int) -> Strip:
        """Return line `y` of a pane that has nothing to show: why, and what to press."""
        lines = split_lines(why)
        return self.draw(lines[y] if y < len(lines) else (), width)

    def jump_to(self, y: int) -> None:
        """Put line `y` at the top, or as near as the end allows.

        Forced, because a list that has just grown shows its scrollbar only after the next layout
        and would not move before.
        """
        self.scroll_to(y=y, animate=False, force=True, immediate=True)

    @property
    def line_width(self) -> int:
        """Cells that a line has beside the scrollbar."""
        return self.scrollable_content_region.width

    @property
    def glyphs(self) -> Glyphs:
        return glyphs_of(self.app)

    def _tone(self, tone: Tone, *, flat: bool) -> Style:
        style = self.tone_style(tone)
        # Without colours a hue would be its grey, and red, which is the most serious, the darkest.
        if tone is Tone.PLAIN or not (flat or self.app.no_color):
            return style
        dim = None if flat else style.dim
        return Style(bold=style.bold, dim=dim, underline=style.underline, reverse=style.reverse)

    def _gated(self, parts: Iterable[Span]) -> Spans:
        return tuple(
            part
            if part.text.isascii() and part.text.isprintable()
            else Span(safe_text(part.text, one_line=True), part.tone)
            for part in parts
        )


def split_lines(parts: Spans) -> list[Spans]:
    """Split at the spans that are exactly one newline."""
    lines: list[Spans] = [()]
    for part in parts:
        if part.text == "\n":
            lines.append(())
        else:
            lines[-1] = (*lines[-1], part)
    return lines


def empty_text(why: str, press: str = "", then: str = "") -> Spans:
    """Return what an empty pane shows: `why`, then the key `press` and what it does."""
    if not press:
        return spans(Span(why, Tone.DIM))
    return (
        *spans(Span(why, Tone.DIM)),
        Span("\n"),
        *spans(Span(press, Tone.KEY), Span(f" {then}", Tone.DIM)),
    )


def justify(left: Spans, right: Spans, width: int, glyphs: Glyphs) -> Spans:
    """Return `left` and `right` at the edges of `width` cells; `left` is cut first."""
    right = clip(right, width, glyphs)
    size = width_of(right)
    shown = clip(left, max(width - size, 0), glyphs)
    gap = width - width_of(shown) - size
    return (*shown, Span(" " * max(gap, 0)), *right)


READING: Final = empty_text("reading …")
"""What a pane shows before it is known what it has to show."""
