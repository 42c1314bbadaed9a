"""What a file is without one step: found from its bytes alone, whatever a crash left beside it.

Invariant: the result has every line that others wrote into any of the versions, and not the step;
and folding a result again gives the same, so that recovery may be killed and begun anew.

A commit leaves up to four versions of a file: the live one, and those that were swapped in or out.
Each may hold the step or not, and lines of others that the rest lack. First the step is taken off
each (`without`): by the digest where nobody else wrote, by the patches where they wrote elsewhere,
by a merge where they wrote near. Then what is left is put together over the text that the step was
made on, where one of the versions still has it; where none has, no line of any is dropped, for a
line too many can be seen and a lost one cannot. Pure: nothing is read or written here.
"""

import re
from collections.abc import Iterable
from typing import Final

from remem.base.effects import digest_of
from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix
from remem.edit.merge_lines import Clash, keep_all, merge
from remem.edit.patch import merge_in, put_on, reverse
from remem.store.changes.steps import Edited

_MARK: Final = re.compile(rb"(?P<indent>[ \t]*)(?P<mark>[-*+]|#{1,6}|\d+[.)])[ \t]+(?=\S)")
"""How the line of a list item or a heading begins."""


def is_addition(step: Edited) -> bool:
    """Tell whether a step only puts bytes at the end of its file."""
    if len(step.patches) != 1:
        return False
    patch = step.patches[0]
    return not patch.old and patch.start == step.size


def reaches_end(step: Edited) -> bool:
    """Tell whether what is added to the file afterwards would touch what the step wrote."""
    last = step.patches[-1]
    return last.start + len(last.old) == step.size


def tail_after(base: bytes, data: bytes) -> bytes | None:
    """Return what was added to `base` in lines of its own; `None` if something else happened."""
    if data == base:
        return b""
    whole = not base or base.endswith(b"\n")
    return data[len(base) :] if whole and data.startswith(base) else None


def without(step: Edited, data: bytes) -> bytes | None:
    """Return bytes with the step taken off, as they are if it is not on; `None` = it clashes."""
    # Exactly the text before: the step is not on it.
    if digest_of(data) == step.before:
        return data
    # Exactly the text after, perhaps with lines of others at its end: the patches go backwards,
    # and the digest proves that what comes out is what stood there.
    former = put_on(data, reverse(step.patches))
    if former is not None and digest_of(former[: step.size]) == step.before:
        return former
    # An append that a crash cut off stands there in part.
    torn = _without_torn(step, data)
    if torn is not None:
        return torn
    # Others wrote elsewhere in it: lines are merged, and where they touch the step it clashes.
    merged = merge_in(data, reverse(step.patches), step.size_after)
    return None if isinstance(merged, Clash) else merged


def _without_torn(step: Edited, data: bytes) -> bytes | None:
    """Take off an addition that came in part, or did not come at all, when nothing else did."""
    if not is_addition(step):
        return None
    added, rest = step.patches[0].new, data[step.size :]
    if digest_of(data[: step.size]) == step.before:
        if added.startswith(rest):
            return data[: step.size]
        if glued := _length_glued(added, rest):
            return data[: step.size] + rest[glued:]
    # It stands there only as lines of its own: the end of a longer line is somebody else's.
    return None if b"\n" + added.removeprefix(b"\n") in b"\n" + data else data


def _length_glued(added: bytes, rest: bytes) -> int:
    """Return how much of an addition stands before somebody else's line; 0 = none for certain.

    What was cut off in the middle of a line and what another appended next make one line, `- Tie
    the - Ask first`. That others wrote a line which only begins as the addition does must never be
    taken for it, so all of these hold: what is common reaches beyond the mark of a list item or a
    heading, it ends inside a line, and a mark with the same indent follows it.
    """
    common = common_prefix(added, rest)
    mine = _MARK.match(added, len(added) - len(added.lstrip(b"\n")))
    theirs = _MARK.match(rest, len(rest[:common].rstrip(b" \t")))
    if mine is None or theirs is None:
        return 0
    # Blanks may be the end of the one or the indent of the other: it is as deep as the addition.
    cut = theirs.start("mark") - len(mine["indent"])
    if not mine.end() < cut <= common < len(added) or rest[cut - 1 : cut] == b"\n":
        return 0
    return cut if rest[cut:].startswith(mine["indent"]) else 0


@dataclass(frozen=True, slots=True)
class Found:
    """The versions of one file that a run left; `None` = there is none."""

    live: bytes
    new: bytes | None = None
    """Never swapped in, or just swapped out."""
    old: bytes | None = None
    """Swapped out, so that the step was never on it."""
    back: bytes | None = None
    """Staged to take the step back, or just swapped out for that."""
    gone: bytes | None = None
    """Swapped out when the step was taken back."""
    is_replaced: bool = False
    """The live file is another one than what was swapped in: somebody put it there since."""


def is_begun(step: Edited, found: Found) -> bool:
    """Tell whether the live file may have got the step."""
    if is_addition(step):
        return True
    if found.new is not None and _holds(step, found.new):
        return found.back is not None or found.gone is not None
    return any(data is not None for data in (found.new, found.old, found.back, found.gone))


def fold(step: Edited, found: Found) -> tuple[bytes, bool]:
    """Return what should stand after a step that was begun, and whether the step is off it."""
    back = found.back if found.back is None else _bare(step, found.back)
    # It was taken back already if what was swapped out for that lies there, or if what was staged
    # for it still has the step, for then it is the old live file.
    is_back = found.gone is not None or back != found.back
    off = found.live if is_back else without(step, found.live)
    gone = None if found.gone is None else _bare(step, found.gone)
    others = [data for data in (found.old, found.new, back, gone) if data is not None]
    want = found.live if off is None else off
    base = _base(step, [want, *others])
    if base is not None and found.is_replaced:
        # Whoever put it there may have read, and written again, what others had taken out just
        # before the swap: of two versions no line is dropped that one of them has.
        others = [keep_all(base, other) for other in others]
    for other in others:
        want = joined(base, want, other)
    return want, off is not None


def _holds(step: Edited, data: bytes) -> bool:
    """Tell whether bytes are exactly those that the step makes."""
    former = put_on(data, reverse(step.patches))
    return former is not None and digest_of(former) == step.before


def _bare(step: Edited, data: bytes) -> bytes:
    former = without(step, data)
    return data if former is None else former


def joined(base: bytes | None, one: bytes, two: bytes) -> bytes:
    """Return what two made of `base`; where that is not known or they clash, the lines of both."""
    if base is None:
        return keep_all(one, two)
    merged = merge(base, one, two)
    return keep_all(one, two) if isinstance(merged, Clash) else merged


def _base(step: Edited, versions: Iterable[bytes]) -> bytes | None:
    starts = (data[: step.size] for data in versions)
    return next((start for start in starts if digest_of(start) == step.before), None)
