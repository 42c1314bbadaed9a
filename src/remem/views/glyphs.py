"""The signs that tell state without colour, in two sets of equal width.

Every sign is one cell wide and remem's own; text from disk never comes through here.
"""

from __future__ import annotations

from typing import Final, Literal

from remem.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One sign per meaning."""

    cursor: str
    suggested: str
    """Before a key: what remem would do here."""
    marked: str
    changed: str
    folded: str
    open: str
    more: str
    """Stands where text was cut at the right."""
    before: str
    """Stands where text was cut at the left."""
    arrow: str
    about: str
    """Goes before a number that is an estimate."""
    bar_left: str
    bar_full: str
    bar_rest: str
    bar_over: str
    bar_right: str
    rule: str
    separator: str
    up: str
    down: str
    waiting: str
    live: str
    paused: str
    broken: str


UNICODE: Final = Glyphs(
    cursor="▌",
    suggested="›",
    marked="✓",
    changed="•",
    folded="▸",
    open="▾",
    more="…",
    before="‹",
    arrow="→",
    about="≈",
    bar_left="▕",
    bar_full="█",
    bar_rest="░",
    bar_over="▓",
    bar_right="▏",
    rule="─",
    separator="│",
    up="↑",
    down="↓",
    waiting="●",
    live="●",
    paused="○",
    broken="✗",
)
ASCII: Final = Glyphs(
    cursor=">",
    suggested="*",
    marked="X",
    changed="M",
    folded="}",
    open="{",
    more="\\",
    before="\\",
    arrow=">",
    about="~",
    bar_left="[",
    bar_full="#",
    bar_rest=".",
    bar_over="!",
    bar_right="]",
    rule="-",
    separator="|",
    up="^",
    down="_",
    waiting="@",
    live="@",
    paused="O",
    broken="!",
)
"""None is also a sign before a row (`signs.py`), but `~` and `!`, which mean the same there.

Two are what shells and git draw: text goes on behind `\\`, and what changed is `M`. Only `>` is
two things, as everywhere: at the left edge the cursor, between two texts the way from one to the
other.
"""


def glyphs_for(setting: Literal["unicode", "ascii"]) -> Glyphs:
    """Return the set that the setting `glyphs` names."""
    return ASCII if setting == "ascii" else UNICODE


def glyphs_of(app: object) -> Glyphs:
    """Return the app's set: like a theme, one for all widgets."""
    chosen = getattr(app, "glyphs", None)
    return chosen if isinstance(chosen, Glyphs) else UNICODE
