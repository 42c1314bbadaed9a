"""The cuts of one edit: what bytes go, what comes in their place, and how they fit together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.errors import Refused
from remem.edit.yaml_scan import line_start
from remem.edit.yaml_write import ends_with_break

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

Cut: TypeAlias = tuple[int, int, bytes]
"""Start, end, the bytes that go there."""
UNUSUAL: Final = "edit the lines by hand"
"""What to do about a piece of YAML that no plan fits."""


class Cuts:
    """Gathers cuts for one piece of a file; the offsets of nodes and cuts are those of `data`."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        first = data.find(b"\n")
        self.newline = b"\r\n" if first > 0 and data[first - 1] == 13 else b"\n"
        self.cuts: list[Cut] = []

    def column(self, at: int) -> int:
        """Return the column in bytes: blanks, dashes and ASCII marks stand before a block node."""
        return at - line_start(self.data, at)

    def cut(self, start: int, end: int, text: str | bytes = b"") -> None:
        self.cuts.append((start, end, text.encode() if isinstance(text, str) else text))

    def joined(self, lines: Sequence[str]) -> bytes:
        return self.newline.join(line.encode() for line in lines)

    def closed(self, lines: Sequence[str], last: Value, at: int) -> bytes:
        """Join lines that end with `last`; at the very end of a file a text may need its break."""
        text = self.joined(lines)
        needs = at == len(self.data) and not self.data.endswith(b"\n") and ends_with_break(last)
        return text + self.newline if needs else text

    def settled(self) -> list[Cut]:
        """Return the cuts in order; those that overlap become one."""
        found: list[Cut] = []
        for cut in sorted(self.cuts, key=lambda cut: cut[:2]):
            if found and cut[0] < found[-1][1]:
                found[-1] = self.united(found[-1], cut)
            else:
                found.append(cut)
        return found

    def united(self, one: Cut, other: Cut) -> Cut:
        """Return one cut for two that overlap: deletions, or new lines below lines that go."""
        start, end = one[0], max(one[1], other[1])
        if not one[2] and not other[2]:
            return (start, end, b"")
        # Whole lines go, up to and with their line break, and the new text begins with one.
        whole = self.data[end - 1 : end] == b"\n" and start == line_start(self.data, start)
        if one[2] or other[0] < other[1] or not whole or not other[2].startswith(self.newline):
            raise Refused("two parts of the edit meet at the same place", hint=UNUSUAL)
        return (start, end, other[2].removeprefix(self.newline) + self.newline)
