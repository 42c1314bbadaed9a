r"""Lines of bytes, and which of them two texts have in common.

A line ends after `\n` and keeps it; `\r` is part of the line. Merge and diff build on this.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

_STEP: Final = 256 * 1024
"""Bytes that are compared at once."""
_SMALL: Final = 250_000
"""Lines times lines up to which difflib is quick even when most lines are equal."""


class Run(NamedTuple):
    """`length` equal lines, from line `a` of one text and line `b` of the other, from 0."""

    a: int
    b: int
    length: int


def split_lines(data: bytes) -> list[bytes]:
    """Return the lines with their ends; joined they are `data` again."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def common_prefix(a: bytes, b: bytes, a_from: int = 0, b_from: int = 0) -> int:
    """Return how many bytes both go on with, in time that does not count bytes one by one."""
    limit = min(len(a) - a_from, len(b) - b_from)
    same, step = 0, _STEP
    while same < limit:
        step = min(step, limit - same)
        start = b_from + same
        if a.startswith(b[start : start + step], a_from + same):
            same += step
        elif step == 1:
            break
        else:
            step //= 2
    return same


def common_suffix(a: bytes, b: bytes, a_from: int = 0, b_from: int = 0) -> int:
    """Return how many bytes both end with, looking no further back than to where they begin."""
    limit = min(len(a) - a_from, len(b) - b_from)
    same, step = 0, _STEP
    while same < limit:
        step = min(step, limit - same)
        end = len(b) - same
        if a.endswith(b[end - step : end], 0, len(a) - same):
            same += step
        elif step == 1:
            break
        else:
            step //= 2
    return same


def runs(a: Sequence[bytes], b: Sequence[bytes]) -> list[Run]:
    """Return runs of equal lines, in order in both texts.

    Common ends go first; between them lines that each side has once are matched (patience diff),
    and only what is left small is compared line by line. So two stores of 100,000 lines of which
    most are alike are matched in time that grows with their length.
    """
    found: list[Run] = []
    for run in _runs(a, b, 0, len(a), 0, len(b)):
        if found and _continues(found[-1], run):
            last = found.pop()
            run = Run(last.a, last.b, last.length + run.length)
        found.append(run)
    return found


def _continues(last: Run, run: Run) -> bool:
    return last.a + last.length == run.a and last.b + last.length == run.b


def _runs(
    a: Sequence[bytes], b: Sequence[bytes], a_low: int, a_high: int, b_low: int, b_high: int
) -> Iterator[Run]:
    head = 0
    while a_low + head < a_high and b_low + head < b_high and a[a_low + head] == b[b_low + head]:
        head += 1
    if head:
        yield Run(a_low, b_low, head)
    a_low, b_low = a_low + head, b_low + head
    tail = 0
    while (
        a_low < a_high - tail
        and b_low < b_high - tail
        and a[a_high - tail - 1] == b[b_high - tail - 1]
    ):
        tail += 1
    a_high, b_high = a_high - tail, b_high - tail
    if a_low < a_high and b_low < b_high:
        yield from _middle(a, b, a_low, a_high, b_low, b_high)
    if tail:
        yield Run(a_high, b_high, tail)


def _middle(
    a: Sequence[bytes], b: Sequence[bytes], a_low: int, a_high: int, b_low: int, b_high: int
) -> Iterator[Run]:
    if (a_high - a_low) * (b_high - b_low) <= _SMALL:
        matcher = SequenceMatcher(None, a[a_low:a_high], b[b_low:b_high], autojunk=False)
        for i, j, length in matcher.get_matching_blocks():
            if length:
                yield Run(a_low + i, b_low + j, length)
        return
    at_a, at_b = a_low, b_low
    for i, j in _anchors(a, b, a_low, a_high, b_low, b_high):
        if i < at_a or j < at_b:
            continue
        yield from _runs(a, b, at_a, i, at_b, j)
        yield Run(i, j, 1)
        at_a, at_b = i + 1, j + 1
    if (at_a, at_b) != (a_low, b_low):
        yield from _runs(a, b, at_a, a_high, at_b, b_high)


def _anchors(
    a: Sequence[bytes], b: Sequence[bytes], a_low: int, a_high: int, b_low: int, b_high: int
) -> list[tuple[int, int]]:
    """Return lines that occur once on each side, as the longest chain that ascends on both."""
    in_a, in_b = Counter(a[a_low:a_high]), Counter(b[b_low:b_high])
    place = {b[j]: j for j in range(b_low, b_high) if in_b[b[j]] == 1}
    pairs = [(i, place[a[i]]) for i in range(a_low, a_high) if in_a[a[i]] == 1 and a[i] in place]
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for index, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(tops[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        tops[length : length + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = tops[-1] if tops else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
