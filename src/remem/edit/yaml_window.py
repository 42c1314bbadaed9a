"""A part of a YAML file that is edited: read exactly, cut by bytes, read again and compared.

Invariant: outside the bytes that an edit names, the text means the same before and after. `Cuts`
says which bytes go and what comes in their place, `meaning` reads both texts down to the exact
type of each value, and an edit that moved anything else is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.edit.yaml_compose import compose
from remem.edit.yaml_scan import line_start, start_of
from remem.edit.yaml_tree import Kind, Malformed, Node, is_merge
from remem.edit.yaml_values import CORE_TAG, Reader
from remem.edit.yaml_write import ends_with_break, rounded

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

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
        # Of what lies outside nothing is known, so nothing there is touched.
        if any(edit.start < self.start or edit.end > self.end for edit in edits):
            raise Refused("the edit goes beyond the text that was read", hint=BY_HAND)
        # Read again as bytes, not as nodes: what counts is what the next reader will find.
        inside = [Edit(edit.start - self.start, edit.end - self.start, edit.new) for edit in edits]
        after = apply(self.data[self.start : self.end], inside)
        try:
            got = meaning(compose(after))
        except Malformed as error:
            raise Refused(f"the result would not parse: {error.message}", hint=BY_HAND) from None
        if got != wanted:
            raise Refused("the edit would change the meaning of the file", hint=BY_HAND)
        return edits


Meaning: TypeAlias = "tuple[str, str, str | list[Meaning] | dict[str, Meaning]]"
"""Kind, properties, content; `1`, `1.0` and `true` differ, the order of keys does not count."""


def meaning(node: Node | None) -> Meaning:
    """Return what a node means, in a form that compares exactly."""
    if node is None:
        return ("nothing", "", "")
    tag = "" if node.tag.startswith(CORE_TAG) else node.tag
    marks = f"&{node.anchor} {tag}" if node.anchor or tag else ""
    match node.kind:
        case Kind.ALIAS:
            return ("alias", marks, node.text)
        case Kind.SCALAR:
            kind, text = _scalar(Reader({}, 1).scalar(node, ""))
            return (kind, marks, text)
        case Kind.LIST:
            return ("list", marks, [meaning(item) for item in node.items])
        case Kind.MAP:
            return _mapping(node, marks)


def _mapping(node: Node, marks: str) -> Meaning:
    names = [key.text for key, _ in node.pairs]
    plain = all(key.kind is Kind.SCALAR and not is_merge(key) for key, _ in node.pairs)
    if plain and len(set(names)) == len(names):
        return ("map", marks, {key.text: meaning(value) for key, value in node.pairs})
    return ("pairs", marks, [meaning(part) for pair in node.pairs for part in pair])


def meaning_of(value: Value) -> Meaning:
    """Return what a node has to mean to be `value`; floats count to 4 decimals, as written."""
    if isinstance(value, list):
        return ("list", "", [meaning_of(item) for item in value])
    if isinstance(value, dict):
        return ("map", "", {key: meaning_of(child) for key, child in value.items()})
    kind, text = _scalar(rounded(value) if isinstance(value, float) else value)
    return (kind, "", text)


def _scalar(value: Value) -> tuple[str, str]:
    return (type(value).__name__, value if isinstance(value, str) else repr(value))


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
            raise Refused("two parts of the edit overlap", hint=UNUSUAL)
        return (start, end, other[2].removeprefix(self.newline) + self.newline)
