"""Turns spans into Textual's `Content`, for widgets that take that; all else draws spans."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from remem.base.text import safe_text
from remem.views.spans import Span, Tone


def content(text: str | Iterable[Span]) -> Content:
    """Return `text` for a widget that takes `Content`: a label, a border title.

    Tones are left to the widget's own style there: only match and emphasis are told apart.
    """
    if isinstance(text, str):
        return Content(safe_text(text))
    emphasis = {Tone.STRONG: "bold", Tone.HEADING: "bold", Tone.KEY: "bold", Tone.DIM: "dim"}
    return Content.assemble(*((safe_text(part.text), emphasis.get(part.tone, "")) for part in text))
