"""A patch: what replaced what in one file, with enough around it to find the place again.

The journal keeps patches instead of whole files.

Invariant: on the bytes that they were made for, patches go on and come off to the byte; on any
others they change nothing but what they change, or are refused. The first holds because patches are
in file order, do not overlap, and compare what stands at their place before it gives way
(`put_on`). The second because each is merged inside a window of its own (`merge_in`): its ends are
lines that stand in the file once, so it is the same place as before, and neither what lies outside
of it nor another patch's window is looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from remem.base.effects import Splice
from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix, common_suffix, split_lines
from remem.edit.merge_lines import Clash, merge

_AROUND: Final = 32 * 1024
"""Bytes of surroundings kept for all patches of a file: the whole of most files."""
_LEAST: Final = 512
_ANCHOR: Final = 4
"""Lines that, occurring once, say where a window begins or ends."""
_PLACES: Final = 16
"""Patches between two texts at most."""
_RESUMING: Final = 8
"""Lines that are looked for on the other side."""
_LINE: Final = 40
"""Bytes of such a line, with those after it if it is shorter: enough to be no other's."""
_FAR: Final = 256 * 1024
"""Bytes above a place from which on it pays to remember how many lines they have."""
_COUNTED: Final[deque[tuple[bytes, int, int]]] = deque(maxlen=3)
"""Big texts with the places that were counted to last, and the lines above: of a decision one in a
store and two in what is rendered from it."""
_TRIES: Final = 60
"""Places to look for an anchor, so that a file of equal lines costs no minutes."""


@dataclass(frozen=True, slots=True)
class Patch:
    """At `start` in the former bytes, `old` gave way to `new`."""

    start: int
    old: bytes
    new: bytes
    above: bytes = b""
    """What stands before it on both sides, from the start of a line."""
    below: bytes = b""
    """What stands after it on both sides, to the end of a line."""
    line: int = 1
    """Of `start` in the former bytes, from 1."""


def patches_of(base: bytes, splices: Iterable[Splice]) -> tuple[Patch, ...]:
    """Return splices that do not overlap as patches, in file order, with their surroundings.

    Splices that stand close together become one patch.
    """
    bare: list[Patch] = []
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):
        last = bare[-1] if bare else None
        end = last.start + len(last.old) if last else 0
        if last is None or splice.start - end > _LEAST:
            bare.append(Patch(splice.start, base[splice.start : splice.end], splice.new))
            continue
        # Too close for a window each: with what lies between them, they become one.
        old = base[last.start : splice.end]
        bare[-1] = Patch(last.start, old, last.new + base[end : splice.start] + splice.new)
    return _with_surroundings(base, bare)


def patch_between(before: bytes, after: bytes) -> tuple[Patch, ...]:
    """Return the one patch that leads from one text to the other; none if they are equal."""
    if before == after:
        return ()
    head = common_prefix(before, after)
    tail = min(common_suffix(before, after), len(before) - head, len(after) - head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    return _with_surroundings(before, [Patch(head, old, new)])


def splice_to(path: Path, before: bytes, after: bytes, digest: str) -> tuple[Splice, ...]:
    """Return the effect that makes one text of a file the other; none if they are equal.

    Args:
        path: Of the file.
        before: What it holds.
        after: What it is to hold.
        digest: Of `before`.
    """
    return tuple(
        Splice(path, each.start, each.start + len(each.old), each.old, each.new, digest)
        for each in patch_between(before, after)
    )


def patches_between(before: bytes, after: bytes) -> tuple[Patch, ...]:
    """Return patches that lead from one text to the other: one for each place that differs.

    What differs ends at the next line that both have; where none of some lines is found again, the
    rest is one patch.
    """
    bare: list[Patch] = []
    old = new = 0
    while True:
        head = common_prefix(before, after, old, new)
        old, new = old + head, new + head
        if (old, new) == (len(before), len(after)):
            return _with_surroundings(before, bare)
        ends = _resumed(before, old, after, new) if len(bare) < _PLACES else None
        if ends is None:
            # Nothing is found again, or it was looked for often enough: the rest is one place.
            tail = common_suffix(before, after, old, new)
            ends = len(before) - tail, len(after) - tail
        bare.append(Patch(old, before[old : ends[0]], after[new : ends[1]]))
        old, new = ends


def _resumed(before: bytes, old: int, after: bytes, new: int) -> tuple[int, int] | None:
    """Return where both texts go on with the same lines after a place that differs."""
    start = old
    for _ in range(_RESUMING):
        start = before.find(b"\n", start) + 1
        stop = before.find(b"\n", start + _LINE) if start else -1
        if stop < 0:
            return None
        place = after.find(before[start - 1 : stop + 1], new)
        if place >= 0:
            return start - 1, place
    return None


def put_on(before: bytes, patches: Sequence[Patch]) -> bytes | None:
    """Return the bytes after the patches; `None` if they are not about these bytes."""
    view = memoryview(before)  # a store of some megabytes is copied once, not twice
    parts: list[bytes | memoryview] = []
    at = 0
    for patch in patches:
        end = patch.start + len(patch.old)
        if patch.start < at or view[patch.start : end] != patch.old:
            return None
        parts += [view[at : patch.start], patch.new]
        at = end
    return b"".join([*parts, view[at:]])


def reverse(patches: Sequence[Patch]) -> tuple[Patch, ...]:
    """Return the patches that take these back."""
    shift = lines = 0
    turned: list[Patch] = []
    for patch in patches:
        turned.append(
            replace(
                patch,
                start=patch.start + shift,
                old=patch.new,
                new=patch.old,
                line=patch.line + lines,
            )
        )
        shift += len(patch.new) - len(patch.old)
        lines += patch.new.count(b"\n") - patch.old.count(b"\n")
    return tuple(turned)


def merge_in(now: bytes, patches: Sequence[Patch], size: int) -> bytes | Clash:
    """Put patches on bytes in which someone else wrote since, changing only what they change.

    Args:
        now: The bytes as they stand.
        patches: Made for other bytes than these.
        size: Length of those other bytes; tells whether surroundings reach the end of the file.

    Returns:
        The merged bytes, or where in them the patch found no place or someone else's change.
    """
    # From the back: what is merged further down moves nothing of what is still to be found.
    for patch in reversed(patches):
        # Surroundings that reach an end of the file need no line to be found by.
        whole = (not _above_is_cut(patch), patch.start + len(patch.old + patch.below) == size)
        found = _merge_one(now, patch, *whole)
        if isinstance(found, Clash):
            return found
        now = found
    return now


def _merge_one(now: bytes, patch: Patch, from_top: bool, to_end: bool) -> bytes | Clash:
    above, below = split_lines(patch.above), split_lines(patch.below)
    top = 0 if from_top else _anchor_above(now, above)
    end = len(now) if to_end else _anchor_below(now, below)
    if top is None or end is None or top > end:
        # Where the place is cannot be told: a guess would change what somebody else wrote.
        return Clash(now.count(b"\n", 0, min(patch.start, len(now))) + 1)
    base = b"".join([*above, patch.old, *below])
    ours = b"".join([*above, patch.new, *below])
    merged = merge(base, ours, now[top:end])
    if isinstance(merged, Clash):
        return Clash(merged.line + now.count(b"\n", 0, top))
    return now[:top] + merged + now[end:]


def _anchor_above(now: bytes, above: list[bytes]) -> int | None:
    """Return where the window begins in `now`, and cut `above` to begin there too."""
    # Lines that stand there twice tell no place; those furthest off are given up first, for the
    # window should be as large as what nobody changed.
    for skip in range(min(_TRIES, len(above) - _ANCHOR + 1)):
        anchor = b"".join(above[skip : skip + _ANCHOR])
        at = now.find(anchor)
        if at >= 0 and now.find(anchor, at + 1) < 0 and _at_line_start(now, at):
            del above[:skip]
            return at
    return None


def _anchor_below(now: bytes, below: list[bytes]) -> int | None:
    """Return where the window ends in `now`, and cut `below` to end there too."""
    for skip in range(min(_TRIES, len(below) - _ANCHOR + 1)):
        stop = len(below) - skip
        anchor = b"".join(below[stop - _ANCHOR : stop])
        at = now.find(anchor)
        if at >= 0 and now.find(anchor, at + 1) < 0:
            del below[stop:]
            return at + len(anchor)
    return None


def _at_line_start(data: bytes, at: int) -> bool:
    return at == 0 or data[at - 1 : at] == b"\n"


def _above_is_cut(patch: Patch) -> bool:
    return patch.start != len(patch.above)


def _with_surroundings(base: bytes, bare: Sequence[Patch]) -> tuple[Patch, ...]:
    room = max(_LEAST, _AROUND // max(1, 2 * len(bare)))
    whole: list[Patch] = []
    for index, patch in enumerate(bare):
        line = 1 + _lines_above(base, patch.start)
        above = _above(base, patch.start, room, bare[index - 1] if index else None)
        below = _below(base, patch, room, bare[index + 1] if index + 1 < len(bare) else None)
        whole.append(replace(patch, above=above, below=below, line=line))
    return tuple(whole)


def _lines_above(base: bytes, at: int) -> int:
    """Return how many lines end before a place.

    They are counted on from where they were counted last, in a text that is the same up to there
    but for one piece: to compare so much takes a fifth of the time.
    """
    for other, place, lines in tuple(_COUNTED):
        same = min(place, at)
        if 2 * same > at > _FAR and (differs := _one_piece(other, base, same)):
            for text, sign in ((base, 1), (other, -1)):
                lines += sign * text.count(b"\n", *differs)
            lines += base.count(b"\n", place, at) - other.count(b"\n", at, place)
            break
    else:
        lines = base.count(b"\n", 0, at)
    if at > _FAR:
        _COUNTED.append((base, at, lines))
    return lines


def _one_piece(one: bytes, two: bytes, length: int) -> tuple[int, int] | None:
    """Return where two texts differ, of which one small piece differs up to a length, or none.

    A heading that tells how many lines follow is another one whenever one was added.
    """
    start = min(common_prefix(one, two), length)
    end = min(start + _LINE, length)
    return (start, end) if two.startswith(memoryview(one)[end:length], end) else None


def _above(base: bytes, start: int, room: int, last: Patch | None) -> bytes:
    # Half of the way to its neighbour belongs to that one, so that no two windows overlap.
    floor = (start + last.start + len(last.old)) // 2 if last else 0
    low = max(floor, start - room)
    if low == 0:
        return base[:start]
    cut = base.find(b"\n", low - 1, start)
    return base[cut + 1 : start] if cut >= 0 else b""


def _below(base: bytes, patch: Patch, room: int, following: Patch | None) -> bytes:
    end = patch.start + len(patch.old)
    ceiling = (end + following.start) // 2 if following else len(base)
    high = min(ceiling, end + room)
    if high == len(base):
        return base[end:]
    return base[end : base.rfind(b"\n", end, high) + 1] if base.find(b"\n", end, high) >= 0 else b""
