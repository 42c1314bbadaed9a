"""The signs before rows, and what each means; help draws its legend from here.

A sign means one thing on every screen: an entry has that of its status, an item to review that of
the reason why it waits; what is wrong with it comes before either. Those that stand elsewhere
(cursor, cut text, budgets) are in `glyphs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from remem.base.frozen import dataclass
from remem.model.entry import Problem, Status
from remem.views.glyphs import ASCII, Glyphs
from remem.views.spans import Span, Tone

if TYPE_CHECKING:
    from remem.core.waiting.item import Why


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign with its meaning."""

    drawn: Span
    means: str


UNCONFIRMED: Final = Sign(Span("?", Tone.ACCENT), "candidate, or not certain")
NEW: Final = Sign(Span("+", Tone.GOOD), "new finding, or a change in force")
OUT: Final = Sign(Span("-", Tone.DIM), "archived, ignored, removed or undone")
SAME: Final = Sign(Span("=", Tone.DIM), "the same as before, or decided already")
LESS: Final = Sign(Span("<", Tone.GOOD), "happens less often than before")
AGAIN: Final = Sign(Span("&", Tone.GOOD), "seen again: it was a candidate before")
READ: Final = Sign(Span("·", Tone.DIM), "info only: asks for no decision")
ESTIMATE: Final = Sign(Span("~", Tone.DIM), "estimate that can be taken over")
REPLACED: Final = Sign(Span("/", Tone.DIM), "replaced by a newer entry")
INVALID: Final = Sign(Span("x", Tone.BAD), "marked as wrong")
PROBLEM: Final = Sign(Span("!", Tone.WARN), "problem, or a gate that failed")
VIOLATED: Final = Sign(Span("v", Tone.WARN), "a rule that the code violates")
DANGER: Final = Sign(Span("‼", Tone.BAD), "unreadable, secret, hidden text or suspicious content")
PROPOSED: Final = Sign(Span("p", Tone.ACCENT), "proposed by an agent")
REVERTED: Final = Sign(Span("r", Tone.WARN), "your decision was reverted by another writer")
ADDED: Final = Sign(Span("a", Tone.WARN), "auto-added, not reviewed")
SHARED: Final = Sign(Span("s", Tone.GOOD), "several repositories have it")
STALE: Final = Sign(Span("%", Tone.WARN), "the code it cites moved, changed or is gone")
OVERRIDE: Final = Sign(Span("w", Tone.WARN), "possible conflict with the workspace")
OBSERVED: Final = Sign(Span("o", Tone.GOOD), "observed in a story, not counted yet")
CHECK: Final = Sign(Span("#"), "could be checked by a machine")
WRITTEN: Final = Sign(Span("n", Tone.GOOD), "new since you looked, written by an agent")
REWRITTEN: Final = Sign(Span("c"), "changed since you last looked")
TAKEN: Final = Sign(Span("-", Tone.BAD), OUT.means)
EXTERNAL: Final = Sign(Span("e"), "external change, not made with remem")

SIGNS: Final = (
    *(UNCONFIRMED, NEW, OUT, SAME, LESS, AGAIN, READ, ESTIMATE, REPLACED, INVALID, PROBLEM, DANGER),
    VIOLATED,
    *(PROPOSED, REVERTED, ADDED, SHARED, STALE, OVERRIDE, OBSERVED, CHECK, WRITTEN, REWRITTEN),
    EXTERNAL,
)
"""Every sign that stands before a row."""


BY_STATUS: Final = {
    Status.CANDIDATE: UNCONFIRMED.drawn,
    Status.ACTIVE: Span(" "),
    Status.ARCHIVED: OUT.drawn,
    Status.SUPERSEDED: REPLACED.drawn,
    Status.INVALID: INVALID.drawn,
    Status.FINDING: READ.drawn,
    Status.IGNORED: OUT.drawn,
}
"""What stands before an entry in a list."""


def reason_sign(reason: Why) -> Span:
    """Return what stands before an item to review."""
    return _by_reason()[reason]


@cache
def _by_reason() -> Mapping[Why, Span]:
    from remem.core.waiting.item import Why

    return {
        Why.CANDIDATE: UNCONFIRMED.drawn,
        Why.FINDING: NEW.drawn,
        Why.GATE_FAILURE: PROBLEM.drawn,
        Why.RECURRENCE: AGAIN.drawn,
        Why.PROPOSAL: PROPOSED.drawn,
        Why.REVERTED: REVERTED.drawn,
        Why.ADDED: ADDED.drawn,
        Why.SHARED: SHARED.drawn,
        Why.VIOLATED: VIOLATED.drawn,
        Why.STALE: STALE.drawn,
        Why.OVERRIDE: OVERRIDE.drawn,
        Why.OBSERVED: OBSERVED.drawn,
        Why.DETECT: CHECK.drawn,
        Why.WRITTEN: WRITTEN.drawn,
        Why.REWRITTEN: REWRITTEN.drawn,
        Why.TAKEN_OUT: TAKEN.drawn,
    }


def problem_sign(problems: Iterable[Problem]) -> Sign | None:
    """Return the sign of what is wrong with one thing; `None` = nothing is."""
    wrong = [*problems]
    if not wrong:
        return None
    # Start draws signs before anything is known to be wrong.
    from remem.core.checks.attention import is_dangerous

    found = map(is_dangerous, wrong)
    return DANGER if any(found) else PROBLEM


def warned(problems: Iterable[Problem]) -> tuple[Span, ...]:
    """Return the same sign with a blank behind it, to stand before a text or a size."""
    sign = problem_sign(problems)
    return (Span(f"{sign.drawn.text} ", sign.drawn.tone),) if sign is not None else ()


def worst(own: Span, problems: Iterable[Problem]) -> Span:
    """Return the one sign before a row: that of what is wrong with it, or else its own.

    A row has one cell for signs, so that all names of a list start in one column.
    """
    sign = problem_sign(problems)
    return own if sign is None else sign.drawn


def legend(glyphs: Glyphs) -> Iterator[tuple[Span, str]]:
    """Yield every sign that remem draws, with what it means."""
    for sign in SIGNS:
        yield sign.drawn, sign.means
    yield Span(glyphs.cursor, Tone.ACCENT), "the cursor"
    yield Span(glyphs.marked, Tone.KEY), "marked: verbs act on all marks"
    yield Span(glyphs.changed, Tone.WARN), "changed while you watched"
    yield Span(glyphs.suggested, Tone.ACCENT), "before a key: what remem suggests"
    yield Span(glyphs.waiting, Tone.WARN), "items to review; at the right edge: files are watched"
    yield Span(f"{glyphs.folded}{glyphs.open}", Tone.DIM), "folded, unfolded"
    yield Span(glyphs.about, Tone.PLAIN), "before a number: an estimate"
    if glyphs.before != glyphs.more:
        yield Span(glyphs.before, Tone.DIM), "cut: there is more before it"
    yield Span(glyphs.more, Tone.DIM), "cut: there is more"
    yield Span(glyphs.up, Tone.PLAIN), "enters the prompt; took longer; the next limit above"
    yield Span(glyphs.down, Tone.PLAIN), "drops out of the prompt; took less; the next limit below"
    yield Span(glyphs.arrow, Tone.DIM), "between two numbers or texts: from, to"
    yield Span("^", Tone.BAD), "below a line of a file: the place of the problem"
    got = who_gets_signs(glyphs)
    for drawn, when in zip(got, ("at startup", "on demand", "never", "copies differ"), strict=True):
        yield Span(drawn, Tone.GOOD), f"who gets it: {when}"
    yield Span("⏎", Tone.DIM), "a line break within a text of one row"
    yield Span("⋯", Tone.DIM), "lines left out"
    yield Span("–", Tone.DIM), "nothing to tell"


def who_gets_signs(glyphs: Glyphs) -> tuple[str, str, str, str]:
    """Return the signs of: at startup, on demand, never, and copies that differ."""
    return ("@", "(", ".", "!") if glyphs is ASCII else ("●", "◐", "·", "≠")
