"""Puts splices into bytes; knows nothing of what the bytes mean."""

from __future__ import annotations

from collections.abc import Sequence

from remem.base.effects import Splice
from remem.base.errors import ChangedOnDisk


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
                f"`{splice.path}` is not what the change was planned on",
                hint="run the command again to plan on the new text",
            )
        parts += [base[at : splice.start], splice.new]
        at = splice.end
    return b"".join([*parts, base[at:]])
