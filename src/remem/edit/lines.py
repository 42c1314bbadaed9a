r"""Lines of bytes, and which of them two texts have in common.

A line ends after `\n` and keeps it; `\r` is part of the line. Merge and diff build on this.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Final, NamedTuple

from remem.base.effects import Splice
from remem.base.errors import ChangedOnDisk

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


def missing_lines(base: bytes, live: bytes, late: bytes, made: bytes | None = None) -> list[bytes]:
    r"""Return the lines that `late` has beyond `base` and `live` has not got, in their order.

    A line is compared whole and counted. One that is only a part of another, or that stands
    indented deeper, is not there; the same line once more is one more line. So when these lines are
    added to `live`, each line of `late` beyond `base` stands there as often as somebody wrote it.

    The end of a line counts only as far as a text may lack its last `\n`, which comes with whatever
    is added next: `x` at the end of a text is the line `x\n`. A `\r` is a byte like any other, and
    so is a byte order mark: a line that differs in one is added rather than thought to be there.
    Blank lines hold nothing: they come with the line that they stand above, or not at all. Half a
    line at the end of `base` that `late` goes on with is another line than what became of it.

    Args:
        base: What `late` was before.
        live: Where the lines are looked for.
        late: What `base` has become.
        made: What `live` was before others wrote to it, if it is not `base`: a line that a change
            of our own put there is nobody's late line.
    """
    lines = split_lines(late)
    beyond = Counter(map(_content, lines))
    former = split_lines(base)
    beyond.subtract(map(_content, former[:-1] if goes_on(base, late) else former))
    got = Counter(map(_content, split_lines(live)))
    got.subtract(map(_content, split_lines(base if made is None else made)))
    needed = {line: beyond[line] - max(0, got[line] if line else 0) for line in beyond}
    found: list[bytes] = []
    # What is new stands behind what is equal to it and old.
    for line in reversed(lines):
        content = _content(line)
        if needed[content] > 0 and (content or found):
            needed[content] -= 1
            found.append(line)
    return found[::-1]


def goes_on(base: bytes, late: bytes) -> bool:
    """Tell whether `base` ends in half a line whose other half comes next in `late`."""
    is_half = bool(base) and not base.endswith(b"\n")
    return is_half and late.startswith(base) and late[len(base) :][:1] not in (b"", b"\n")


def _content(line: bytes) -> bytes:
    """Return what two lines that are the same line share; nothing for a blank one."""
    return line.removesuffix(b"\n") if line.strip() else b""


def common_prefix(a: bytes, b: bytes, a_from: int = 0, b_from: int = 0) -> int:
    """Return how many bytes both go on with, in time that does not count bytes one by one."""
    limit = min(len(a) - a_from, len(b) - b_from)
    same, step = 0, _STEP
    view = memoryview(b)  # a piece of some megabytes is compared, and not copied
    while same < limit:
        step = min(step, limit - same)
        start = b_from + same
        if a.startswith(view[start : start + step], a_from + same):
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
    view = memoryview(b)
    while same < limit:
        step = min(step, limit - same)
        end = len(b) - same
        if a.endswith(view[end - step : end], 0, len(a) - same):
            same += step
        elif step == 1:
            break
        else:
            step //= 2
    return same


def runs(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Run]:
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
    a: Sequence[Hashable], b: Sequence[Hashable], a_low: int, a_high: int, b_low: int, b_high: int
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
    a: Sequence[Hashable], b: Sequence[Hashable], a_low: int, a_high: int, b_low: int, b_high: int
) -> Iterator[Run]:
    if (a_high - a_low) * (b_high - b_low) <= _SMALL:
        from difflib import SequenceMatcher

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
    a: Sequence[Hashable], b: Sequence[Hashable], a_low: int, a_high: int, b_low: int, b_high: int
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


def spliced(base: bytes, splices: Sequence[Splice]) -> bytes:
    """Return `base` with every splice done; offsets are those of `base`.

    Raises:
        ChangedOnDisk: A splice does not find the bytes it was planned to replace, or two overlap.
    """
    parts: list[bytes] = []
    at = 0
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):
        if splice.start < at or base[splice.start : splice.end] != splice.old:
            raise ChangedOnDisk(
                f"`{splice.path}` changed since the change was planned",
                hint="run the command again to plan on the new text",
            )
        parts += [base[at : splice.start], splice.new]
        at = splice.end
    return b"".join([*parts, base[at:]])
