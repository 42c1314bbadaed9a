"""A part of a YAML file that is edited: read exactly, changed by bytes, read again and compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.edit.yaml_compose import compose
from remem.edit.yaml_cuts import Cut
from remem.edit.yaml_same import Meaning, meaning
from remem.edit.yaml_scan import line_start, start_of
from remem.edit.yaml_tree import Malformed, Node

BY_HAND: Final = "edit the lines by hand"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `[start, end)` by `new`; offsets are bytes of the file as it was."""

    start: int
    end: int
    new: bytes


def apply(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Return `data` with the edits carried out; they are in order and do not overlap."""
    parts, at = [], 0
    for edit in edits:
        parts += [data[at : edit.start], edit.new]
        at = edit.end
    return b"".join([*parts, data[at:]])


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a file that parses by itself, and the list in it that is edited.

    It begins with the line of a real dash, or is the whole file, and it ends before a line with
    content: so what follows is read the same whatever happens inside, as long as the inside parses
    by itself.
    """

    data: bytes
    start: int
    end: int
    root: Node | None

    @classmethod
    def of(cls, data: bytes, at: int, end: int) -> Window:
        start = line_start(data, at)
        try:
            return cls(data, start, end, compose(data, start, end))
        except Malformed as error:
            where = f" (line {error.line} from there)" if error.line else ""
            raise Refused(f"it cannot be read: {error.message}{where}", hint=BY_HAND) from None

    @classmethod
    def whole(cls, data: bytes) -> Window:
        return cls.of(data, start_of(data), len(data))

    def verified(self, cuts: Sequence[Cut], wanted: Meaning) -> tuple[Edit, ...]:
        """Return the cuts as edits if the spliced text means what is wanted.

        Raises:
            Refused: It does not, or it does not parse.
        """
        edits = tuple(Edit(*cut) for cut in cuts if self.data[cut[0] : cut[1]] != cut[2])
        if any(edit.start < self.start or edit.end > self.end for edit in edits):
            raise Refused("the edit reaches beyond what was read", hint=BY_HAND)
        inside = [Edit(edit.start - self.start, edit.end - self.start, edit.new) for edit in edits]
        after = apply(self.data[self.start : self.end], inside)
        try:
            got = meaning(compose(after))
        except Malformed as error:
            raise Refused(f"the result would not parse: {error.message}", hint=BY_HAND) from None
        if got != wanted:
            raise Refused("the result would not mean what was asked for", hint=BY_HAND)
        return edits
