"""What a change does to a text, as hunks of lines for people; it knows bytes, not files.

Hunks around splices are computed from the splices, so a diff of one edit in a store of 100,000
lines costs that edit and not the store.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from remem.base.effects import Splice
from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix, common_suffix, runs, split_lines
from remem.edit.patch import Patch
from remem.store.changes.steps import Edited, Made, Removed, Rendered, Step, Updated

CONTEXT: Final = 3
"""Lines shown above and below a hunk."""
NO_LAST_NEWLINE: Final = "\\ No newline at end of file"
"""Stands as a line of its own after a last line without an end, as every diff tool has it."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that go and lines that come, with their surroundings; no line carries its end."""

    line: int
    """Where `before` begins in the old text, from 1; where it is empty, the line it precedes."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    @property
    def gone(self) -> int:
        """How many lines go."""
        return _count(self.before)

    @property
    def came(self) -> int:
        """How many lines come."""
        return _count(self.after)


class _Region(NamedTuple):
    start: int
    end: int
    after: bytes


def hunks(base: bytes, splices: Iterable[Splice]) -> tuple[Hunk, ...]:
    """Return what the splices do to `base`, in file order."""
    regions = list(_regions(base, sorted(splices, key=lambda s: (s.start, s.end))))
    return tuple(_to_hunks(base, regions))


def file_diff(before: bytes, after: bytes) -> tuple[Hunk, ...]:
    """Return what leads from one text to the other; either may be empty."""
    head, tail = common_prefix(before, after), common_suffix(before, after)
    start = before.rfind(b"\n", 0, head) + 1
    tail = min(tail, len(before) - start, len(after) - start)
    cut = before.find(b"\n", len(before) - tail)
    end = cut + 1 if cut >= 0 else len(before)
    tail = len(before) - end
    old, new = split_lines(before[start:end]), split_lines(after[start : len(after) - tail])
    return tuple(_to_hunks(before, list(_differing(old, new, start))))


def patch_diff(patches: Iterable[Patch]) -> tuple[Hunk, ...]:
    """Return what patches did, from what the journal keeps of the file around them."""
    found: list[Hunk] = []
    for patch in patches:
        before = patch.above + patch.old + patch.below
        after = patch.above + patch.new + patch.below
        first = patch.line - patch.above.count(b"\n") - 1
        found += (replace(hunk, line=hunk.line + first) for hunk in file_diff(before, after))
    return tuple(found)


def step_diff(step: Step) -> tuple[Hunk, ...]:
    """Return what a step of the history did to the text of its file; moves and rows have none."""
    match step:
        case Edited():
            return patch_diff(step.patches)
        case Made():
            return file_diff(b"", step.data)
        case Removed():
            return file_diff(step.data, b"")
        case Rendered():
            return file_diff(step.before or b"", step.after or b"")
        case Updated():
            return patch_diff(step.edit.patches)
        case _:
            return ()


def unified(path_label: str, hunks: Sequence[Hunk]) -> str:
    """Return the hunks as a unified diff with one label for both sides; empty without hunks."""
    if not hunks:
        return ""
    lines = [f"--- {path_label}", f"+++ {path_label}"]
    shift = 0
    for near in _near(hunks):
        body: list[str] = []
        told = start = near[0].line - len(near[0].above)
        for hunk in near:
            # A line that two hunks have around them stands once.
            above = hunk.above[max(0, told - (hunk.line - len(hunk.above))) :]
            body += [*_signed(" ", above), *_signed("-", hunk.before)]
            body += [*_signed("+", hunk.after), *_signed(" ", hunk.below)]
            told = _end(hunk)
        old = told - start
        grown = sum(hunk.came - hunk.gone for hunk in near)
        lines.append(f"@@ -{_range(start, old)} +{_range(start + shift, old + grown)} @@")
        lines += body
        shift += grown
    return "\n".join(lines) + "\n"


def _signed(sign: str, lines: Iterable[str]) -> Iterator[str]:
    return (line if line is NO_LAST_NEWLINE else f"{sign}{line}" for line in lines)


def _near(hunks: Sequence[Hunk]) -> Iterator[list[Hunk]]:
    """Yield hunks whose surroundings touch together: `patch` takes a cut one for a file's end."""
    near: list[Hunk] = []
    for hunk in hunks:
        if near and hunk.line - len(hunk.above) > _end(near[-1]):
            yield near
            near = []
        near.append(hunk)
    yield near


def _end(hunk: Hunk) -> int:
    """Return the number of the first line after a hunk and what is shown around it."""
    return hunk.line + hunk.gone + _count(hunk.below)


def _count(lines: Sequence[str]) -> int:
    return sum(line is not NO_LAST_NEWLINE for line in lines)


def _range(start: int, length: int) -> str:
    """Write a range as unified diffs do: an empty one names the line before it."""
    if length == 1:
        return str(start)
    return f"{start if length else start - 1},{length}"


def _regions(base: bytes, splices: Sequence[Splice]) -> Iterator[_Region]:
    """Widen splices to whole lines; those that share a line become one region."""
    index = 0
    while index < len(splices):
        start = base.rfind(b"\n", 0, splices[index].start) + 1
        at, end, parts = start, start, list[bytes]()
        while index < len(splices) and (
            end == start or splices[index].start < end + _is_open(base, end, [*parts, base[at:end]])
        ):
            splice = splices[index]
            parts += [base[at : splice.start], splice.new]
            at, index = splice.end, index + 1
            cut = base.find(b"\n", at)
            end = cut + 1 if cut >= 0 else len(base)
        yield _Region(start, end, b"".join([*parts, base[at:end]]))


def _is_open(base: bytes, end: int, parts: Sequence[bytes]) -> bool:
    """Tell whether the last line has no end there, or none any more: what follows is part of it."""
    last = next((part for part in reversed(parts) if part), b"\n")
    return not base.endswith(b"\n", 0, end) or not last.endswith(b"\n")


def _differing(old: Sequence[bytes], new: Sequence[bytes], start: int) -> Iterator[_Region]:
    at_old = at_new = 0
    for run in [*runs(old, new), (len(old), len(new), 0)]:
        a, b, length = run
        gone = b"".join(old[at_old:a])
        if at_old < a or at_new < b:
            yield _Region(start, start + len(gone), b"".join(new[at_new:b]))
        start += len(gone) + sum(map(len, old[a : a + length]))
        at_old, at_new = a + length, b + length


def _to_hunks(base: bytes, regions: Sequence[_Region]) -> Iterator[Hunk]:
    counted = line = 0
    for index, region in enumerate(regions):
        before, after, head = _trimmed(base[region.start : region.end], region.after)
        if before == after:
            continue
        start = region.start + head
        end = start + sum(map(len, before))
        line += base.count(b"\n", counted, start)
        counted = start
        floor = regions[index - 1].end if index else 0
        ceiling = regions[index + 1].start if index + 1 < len(regions) else len(base)
        yield Hunk(
            line + 1,
            _texts(before),
            _texts(after),
            _texts(_lines_above(base, floor, start)),
            _texts(_lines_below(base, end, ceiling)),
        )


def _trimmed(old: bytes, new: bytes) -> tuple[list[bytes], list[bytes], int]:
    """Cut the lines that both begin and end with; the number is the bytes cut ahead."""
    before, after = split_lines(old), split_lines(new)
    head = 0
    while before and after and before[0] == after[0]:
        head += len(before.pop(0))
        after.pop(0)
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    return before, after, head


def _lines_above(base: bytes, floor: int, start: int) -> list[bytes]:
    at = start
    for _ in range(CONTEXT):
        if at <= floor:
            break
        at = max(floor, base.rfind(b"\n", 0, at - 1) + 1)
    return split_lines(base[at:start])


def _lines_below(base: bytes, end: int, ceiling: int) -> list[bytes]:
    at = end
    for _ in range(CONTEXT):
        if at >= ceiling:
            break
        cut = base.find(b"\n", at, ceiling)
        at = cut + 1 if cut >= 0 else ceiling
    return split_lines(base[end:at])


def _texts(lines: Iterable[bytes]) -> tuple[str, ...]:
    texts: list[str] = []
    for line in lines:
        texts.append(line.removesuffix(b"\n").decode("utf-8", "replace"))
        if not line.endswith(b"\n"):
            texts.append(NO_LAST_NEWLINE)
    return tuple(texts)
