"""Line merges on bytes: what two writers made of one text, or where they clash.

Invariant: a line that both left alone stands in the result, in its order; one that a single side
changed or took out is as that side left it; and no line stands there that neither has. It holds
because each side is told as runs of lines that replace runs of the base (`_Hunk`), and the result
is the base with all of them: two that overlap are a clash and never both carried out, unless they
are the same, which counts once.
"""

from collections.abc import Sequence

from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix, common_suffix, runs, split_lines


@dataclass(frozen=True, slots=True)
class Clash:
    """Both sides changed the same lines."""

    line: int
    """Where in the base text, from 1."""


@dataclass(frozen=True, slots=True)
class _Hunk:
    low: int
    high: int
    lines: tuple[bytes, ...]

    @property
    def inserts(self) -> bool:
        return self.low == self.high


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | Clash:
    """Return `base` with what both sides did to it.

    Equal changes count once. Lines inserted beside the other side's change stand beside it; where
    both insert at one place, ours come first. Everything else that overlaps is a clash.
    """
    if base in (ours, theirs) or ours == theirs:
        return theirs if ours == base else ours
    head, tail = _shared_ends(base, ours, theirs)
    middle = _merge_lines(
        *(split_lines(text[head : len(text) - tail]) for text in (base, ours, theirs))
    )
    if isinstance(middle, Clash):
        return Clash(middle.line + base.count(b"\n", 0, head))
    return base[:head] + middle + base[len(base) - tail :]


def keep_all(one: bytes, two: bytes) -> bytes:
    """Return the lines of both texts, each once where both have it in the same order.

    For versions whose common base is not known: what one of them took out comes back, and nothing
    that either holds is lost.
    """
    head, tail = _shared_ends(one, one, two)
    a, b = (split_lines(text[head : len(text) - tail]) for text in (one, two))
    parts: list[bytes] = []
    at_a = at_b = 0
    for run in [*runs(a, b), (len(a), len(b), 0)]:
        parts += [*a[at_a : run[0]], *b[at_b : run[1]], *a[run[0] : run[0] + run[2]]]
        at_a, at_b = run[0] + run[2], run[1] + run[2]
    return one[:head] + _joined(parts) + one[len(one) - tail :]


def _shared_ends(base: bytes, ours: bytes, theirs: bytes) -> tuple[int, int]:
    """Return how many bytes of whole lines all three share at their start and at their end.

    The line ends that bound them lie inside what is shared, so all three are cut between lines.
    """
    head = min(common_prefix(base, ours), common_prefix(base, theirs))
    head = base.rfind(b"\n", 0, head) + 1
    room = min(len(base), len(ours), len(theirs)) - head
    tail = min(common_suffix(base, ours), common_suffix(base, theirs), room)
    end = base.find(b"\n", len(base) - tail)
    return head, (len(base) - end - 1 if end >= 0 else 0)


def _merge_lines(
    base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]
) -> bytes | Clash:
    mine, others = _hunks(base, ours), _hunks(base, theirs)
    parts: list[bytes] = []
    at = 0
    while mine or others:
        if mine and others and mine[0] == others[0]:
            others.pop(0)  # both did the same: what is left of the two is ours
            continue
        if mine and others and _overlap(mine[0], others[0]):
            return Clash(max(mine[0].low, others[0].low) + 1)
        hunk = _first(mine, others).pop(0)
        parts.extend(base[at : hunk.low])
        parts.extend(hunk.lines)
        at = hunk.high
    parts.extend(base[at:])
    return _joined(parts)


def _joined(lines: Sequence[bytes]) -> bytes:
    """Join lines; one that ended its text and now has others after it gets an end."""
    return b"".join(
        line if line.endswith(b"\n") or number == len(lines) else line + b"\n"
        for number, line in enumerate(lines, 1)
    )


def _first(mine: list[_Hunk], others: list[_Hunk]) -> list[_Hunk]:
    if not mine or not others:
        return mine or others
    # At one place an insertion stands before what follows it, and ours before theirs.
    mine_at, other_at = ((h[0].low, not h[0].inserts) for h in (mine, others))
    return others if other_at < mine_at else mine


def _overlap(one: _Hunk, two: _Hunk) -> bool:
    return max(one.low, two.low) < min(one.high, two.high) or any(
        a.inserts and b.low < a.low < b.high for a, b in ((one, two), (two, one))
    )


def _hunks(base: Sequence[bytes], side: Sequence[bytes]) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    at_base = at_side = 0
    for run in [*runs(base, side), (len(base), len(side), 0)]:
        a, b, length = run
        if at_base < a or at_side < b:
            hunks.append(_Hunk(at_base, a, tuple(side[at_side:b])))
        at_base, at_side = a + length, b + length
    return hunks
