"""Plans how bytes around nodes change: set, add and remove in mappings and lists, block or flow.

Owns the geometry: where a key, a dash and a value begin and end. It refuses what it cannot do
without touching other bytes. A plan (`Editor`) vouches for nothing: the part of the file in which
it cuts (`Window`) is read again with the cuts applied, and compared down to the exact type of each
value with what it should mean. So outside the bytes that an edit names the text means the same
before and after, whatever the plan thought.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.edit.yaml_read import NotQuick, compose, plain_item, quick
from remem.edit.yaml_tree import (
    CORE_TAG,
    Kind,
    Malformed,
    Node,
    Reader,
    content_end,
    dashes_of,
    is_merge,
    last_leaf,
    line_end,
    line_start,
    next_line,
    start_of,
)
from remem.edit.yaml_write import (
    STEP,
    Styles,
    block,
    ends_with_break,
    fits_one_line,
    flow,
    is_block_text,
    list_item,
    name,
    pair,
    rounded,
    text_block,
)
from remem.edit.yaml_write import scalar as scalar_text

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

BY_HAND: Final = "edit the lines by hand"
"""What to do about a piece of YAML that no plan fits."""


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
            root = plain_item(data, start, end) or compose(data, start, end)
            return cls(data, start, end, root)
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
        # The fast way answers as the exact one does, or not at all; only the exact one refuses.
        value = quick(after)
        if not isinstance(value, NotQuick) and _as_read(value) == wanted:
            return edits
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


def _as_read(value: Value) -> Meaning:
    """Return what a value means that was read as it stands."""
    if isinstance(value, list):
        return ("list", "", [_as_read(item) for item in value])
    if isinstance(value, dict):
        return ("map", "", {key: _as_read(child) for key, child in value.items()})
    kind, text = _scalar(value)
    return (kind, "", text)


def _scalar(value: Value) -> tuple[str, str]:
    return (type(value).__name__, value if isinstance(value, str) else repr(value))


Cut: TypeAlias = tuple[int, int, bytes]
"""Start, end, the bytes that go there."""


def places_of(data: bytes, node: Node) -> list[int]:
    """Return where each item of a list begins, as `dashes_of` does.

    Raises:
        Refused: A dash is not where one is expected.
    """
    try:
        return dashes_of(data, node)
    except Malformed as error:
        raise Refused(error.message, hint=BY_HAND) from None


class Removal(Enum):
    """Stands for a key that is taken out."""

    REMOVE = "remove"


REMOVE: Final = Removal.REMOVE
_COLON: Final = lazy_pattern(rb"[ \t]*:")
_COMMA: Final = lazy_pattern(rb"[ \t\r\n]*,")
_GAP_ABOVE: Final = lazy_pattern(rb"\n(?:[ \t]*(?:#[^\n]*)?\r?\n)+\Z")
_BLANK_LINE: Final = lazy_pattern(rb"\n[ \t]*\r?\n")
_LOOK_BACK: Final = 1_000
"""Bytes above a dash that are looked at for a blank line."""


class Editor:
    """Plans cuts for one piece of a file; the offsets of nodes and cuts are those of `data`."""

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
            raise Refused("two parts of the edit overlap", hint=BY_HAND)
        return (start, end, other[2].removeprefix(self.newline) + self.newline)

    def set_value(
        self, node: Node, value: Value, column: int, after: int | None, *, in_flow: bool
    ) -> None:
        """Make `node` mean `value`, with as few bytes as possible.

        Args:
            node: The old value.
            value: The new one.
            column: Of the key or the dash that the node belongs to.
            after: Right behind that key's colon; `None` in a list and at the top.
            in_flow: It stands inside brackets.
        """
        if meaning(node) == meaning_of(value):
            return
        self.refuse_shared(node)
        if (
            node.kind is Kind.MAP
            and isinstance(value, dict)
            and any(k.text in value for k, _ in node.pairs)
        ):
            gone = {key.text: REMOVE for key, _ in node.pairs if key.text not in value}
            self.set_keys(node, {**value, **gone})
        elif node.kind is Kind.LIST and isinstance(value, list) and value and node.items:
            self.set_items(node, value)
        else:
            self.replace(node, value, column, after, in_flow=in_flow)

    def refuse_shared(self, node: Node) -> None:
        if node.kind is Kind.ALIAS:
            raise Refused(f"the value is an alias, `*{node.text}`", hint=BY_HAND)
        self.refuse_named(node)
        if node.tag and node.tag != CORE_TAG + "str":
            raise Refused(f"the value has the tag `{node.tag}`", hint=BY_HAND)

    def refuse_losing(self, node: Node) -> None:
        """Refuse to take out what other places refer to."""
        for part in node.walk():
            self.refuse_named(part)

    def refuse_named(self, node: Node) -> None:
        """Refuse what the file seems to hold an alias of; a look at the bytes is careful enough."""
        if not node.anchor:
            return
        alias = rb"\*" + re.escape(node.anchor.encode()) + rb"(?=[\s,\]}:]|\Z)"
        if re.search(alias, self.data):
            raise Refused(f"other places use the anchor `&{node.anchor}`", hint=BY_HAND)

    def replace(
        self, node: Node, value: Value, column: int, after: int | None, *, in_flow: bool
    ) -> None:
        self.refuse_losing(node)
        is_block = not node.flow and bool(node.items or node.pairs)
        wide = isinstance(value, dict | list) and bool(value) and not in_flow
        if is_block:
            self.replace_block(node, value, column, after)
        elif wide and after is not None and not self.stays_inline(node, value):
            if node.start > after:
                self.cut(after, node.end)
            place = line_end(self.data, node.end)
            lines = block(value, column + STEP)
            self.cut(place, place, self.newline + self.closed(lines, value, place))
        elif wide and after is None and self.column(node.outer) == 0:
            self.cut(node.start, node.end, self.closed(block(value, 0), value, node.end))
        else:
            text = self.scalar_or_flow(node, value, column, in_flow=in_flow)
            bare = self.data[node.start - 1 : node.start] in (b":", b"-") and node.is_empty
            lead = b" " if bare else b""
            self.cut(node.start, content_end(self.data, node), lead + text)

    def stays_inline(self, node: Node, value: Value) -> bool:
        """Say whether a collection goes beside its key, in brackets."""
        if node.flow and (node.items or node.pairs):
            return True
        return fits_one_line(value)

    def scalar_or_flow(self, node: Node, value: Value, column: int, *, in_flow: bool) -> bytes:
        if isinstance(value, dict | list):
            return flow(value).encode()
        tail = self.data[node.end : line_end(self.data, node.end)]
        if isinstance(value, str) and is_block_text(value) and not in_flow and not tail.strip():
            return self.closed(text_block(value, column), value, content_end(self.data, node))
        style = node.style if node.style in ("'", '"') else "plain"
        was_text = (
            node.kind is Kind.SCALAR and not node.is_empty and node.style[:1] not in ("|", ">")
        )
        return scalar_text(value, style if was_text else "", in_flow=in_flow).encode()

    def replace_block(self, node: Node, value: Value, column: int, after: int | None) -> None:
        """Put something else in the place of a block collection."""
        end = line_end(self.data, content_end(self.data, last_leaf(node)))
        if isinstance(value, dict | list) and value:
            found = self.column(node.start)
            # A list may stand right below its key, a mapping has to stand further in.
            wanted = column + STEP if after is not None and found <= column else found
            lines = block(value, found if isinstance(value, list) else wanted)
            lines[0] = lines[0][found:]
            self.cut(node.start, end, self.closed(lines, value, end))
            return
        text = self.scalar_or_flow(node, value, column, in_flow=True)
        if after is None or line_start(self.data, after) == line_start(self.data, node.start):
            self.cut(node.start, end, text)
            return
        self.cut(after, after, b" " + text)
        self.cut(self.break_before(line_start(self.data, node.start)), end)

    def break_before(self, at: int) -> int:
        """Return where the line break before a line begins; the line's own start at the top."""
        if self.data[at - 2 : at] == b"\r\n":
            return at - 2
        return at - 1 if self.data[at - 1 : at] == b"\n" else at

    def set_keys(self, node: Node, fields: Mapping[str, Value | Removal]) -> None:
        """Set, add and take out keys of a mapping; those not named stay."""
        names = [key.text for key, _ in node.pairs]
        if any(is_merge(key) for key, _ in node.pairs):
            raise Refused("the mapping merges another one (`<<`)", hint=BY_HAND)
        if len(set(names)) < len(names):
            raise Refused(
                "the mapping has a duplicate key", hint="remove one of the two in an editor"
            )
        gone = [n for n, key in enumerate(names) if fields.get(key) is REMOVE]
        kept = [n for n in range(len(names)) if n not in gone]
        fresh = {
            key: value for key, value in fields.items() if key not in names and value is not REMOVE
        }
        if not kept:
            self.replace_all_keys(node, {key: _sure(value) for key, value in fresh.items()})
            return
        for number in kept:
            key, child = node.pairs[number]
            if key.text in fields:
                after = self.after_colon(key)
                column = self.column(key.outer)
                self.set_value(child, _sure(fields[key.text]), column, after, in_flow=node.flow)
        added = {key: _sure(value) for key, value in fresh.items()}
        if node.flow and gone and added:
            key, child = node.pairs[gone.pop()]
            self.refuse_losing(child)
            self.cut(key.outer, max(key.end, child.end), flow(added)[1:-1])
            added = {}
        self.remove_pairs(node, gone)
        if added:
            self.add_pairs(node, kept, added)

    def replace_all_keys(self, node: Node, fresh: Mapping[str, Value]) -> None:
        self.refuse_losing(node)
        if node.flow or not fresh:
            self.cut(node.start, content_end(self.data, last_leaf(node)), flow(dict(fresh)))
            return
        self.replace_block(node, dict(fresh), 0, None)

    def after_colon(self, key: Node) -> int | None:
        colon = _COLON.match(self.data, key.end)
        return colon.end() if colon else None

    def add_pairs(self, node: Node, kept: Sequence[int], fresh: Mapping[str, Value]) -> None:
        if node.flow:
            texts = [f"{name(key)}: {flow(value)}" for key, value in fresh.items()]
            children = [(node.pairs[n][0].outer, node.pairs[n][1].end) for n in kept]
            self.add_to_flow(node, children, texts)
            return
        key, value = node.pairs[kept[-1]]
        column = self.column(node.pairs[0][0].outer)
        lines = [line for name_, child in fresh.items() for line in pair(name_, child, column)]
        self.add_lines(value, max(value.end, key.end), lines, list(fresh.values()))

    def add_lines(
        self, last: Node, end: int, lines: Sequence[str], new: Value, *, spaced: bool = False
    ) -> None:
        """Add the lines of `new` after the node that ends at `end`."""
        leaf = last_leaf(last)
        text = self.joined(lines)
        if leaf.keeps_blanks:
            ends_line = self.data[leaf.end - 1 : leaf.end] == b"\n"
            self.cut(leaf.end, leaf.end, text + self.newline if ends_line else self.newline + text)
            return
        place = line_end(self.data, end)
        text = self.closed(lines, new, place)
        self.cut(place, place, self.newline * (2 if spaced else 1) + text)

    def add_to_flow(
        self, node: Node, children: Sequence[tuple[int, int]], texts: Sequence[str]
    ) -> None:
        """Add to a collection in brackets, on lines of their own where its last child has one."""
        if not children:
            self.cut(node.start + 1, node.start + 1, ", ".join(texts))
            return
        start, end = children[-1]
        before = self.data[line_start(self.data, start) : start]
        gap = self.newline + before if not before.strip() else b" "
        comma = _COMMA.match(self.data, end)
        joined = (b"," + gap).join(text.encode() for text in texts)
        if comma:
            self.cut(comma.end(), comma.end(), gap + joined + (b"," if gap != b" " else b""))
        else:
            self.cut(end, end, b"," + gap + joined)

    def remove_pairs(self, node: Node, gone: Collection[int]) -> None:
        starts = [key.outer for key, _ in node.pairs]
        ends = [max(key.end, value.end) for key, value in node.pairs]
        values = [value for _, value in node.pairs]
        self.remove_children(node, values, starts, ends, gone)

    def remove_children(
        self, node: Node, values: Sequence[Node], starts: Sequence[int], ends: Sequence[int],
        gone: Collection[int],
    ) -> None:  # fmt: skip
        for number in gone:
            self.refuse_losing(values[number])
            if node.flow:
                self.remove_from_flow(starts, ends, number)
            else:
                self.remove_lines(values, starts, ends, number, gone)

    def remove_from_flow(self, starts: Sequence[int], ends: Sequence[int], number: int) -> None:
        if number + 1 < len(starts):
            self.cut(starts[number], starts[number + 1])
        elif b"#" in self.data[ends[number - 1] : starts[number]]:
            self.cut(starts[number], ends[number])  # the comma and the comment before it stay
        else:
            self.cut(ends[number - 1], ends[number])

    def remove_lines(
        self, values: Sequence[Node], starts: Sequence[int], ends: Sequence[int], number: int,
        gone: Collection[int],
    ) -> None:  # fmt: skip
        """Take the lines of one child out of a block collection; comments above it stay."""
        start, leaf = starts[number], last_leaf(values[number])
        line = line_start(self.data, start)
        if self.data[line:start].strip(b" "):
            self.remove_from_dash_line(starts, ends, number, gone)
            return
        end = leaf.end if leaf.keeps_blanks else next_line(self.data, ends[number])
        if end == len(self.data) and not self.data.endswith(b"\n"):
            line = self.break_before(line)
        elif len(gone) == 1:
            line, end = self.with_blank_line(line, end)
        self.cut(line, end)

    def with_blank_line(self, start: int, end: int) -> tuple[int, int]:
        """Take a blank line along where two would meet."""
        above = line_start(self.data, max(self.break_before(start), 0))
        if above == start or self.data[above:start].strip():
            return start, end
        below = next_line(self.data, end)
        if end == len(self.data):
            return above, end
        return (start, below) if not self.data[end:below].strip() else (start, end)

    def remove_from_dash_line(
        self, starts: Sequence[int], ends: Sequence[int], number: int, gone: Collection[int]
    ) -> None:
        """Take out a first child beside its parent's dash: the next that stays moves there."""
        stays = next((n for n in range(number, len(starts)) if n not in gone), None)
        if number or stays is None:
            raise Refused("it does not start on its own line", hint=BY_HAND)
        between = (self.data[ends[n] : starts[n + 1]] for n in range(stays))
        if any(b"#" in gap for gap in between):
            self.cut(starts[number], ends[number])
        else:
            self.cut(starts[number], starts[stays])

    def set_items(self, node: Node, value: Sequence[Value]) -> None:
        """Make a list mean `value`: items that stay are not touched where that can be seen."""
        old, new = [meaning(item) for item in node.items], [meaning_of(item) for item in value]
        if len(new) < len(old):
            gone = _left_out(old, new)
            if gone is None:
                self.replace(node, list(value), self.column(node.start), None, in_flow=node.flow)
                return
            self.remove_items(node, gone)
            return
        dashes = places_of(self.data, node)
        for item, child, dash in zip(node.items, value, dashes, strict=False):
            self.set_value(item, child, self.column(dash), None, in_flow=node.flow)
        if len(new) > len(old):
            self.append(node, value[len(old) :])

    def append(self, node: Node, values: Sequence[Value]) -> None:
        """Add items after the last one, as that is written."""
        if node.flow:
            children = [(item.outer, item.end) for item in node.items]
            self.add_to_flow(node, children, [flow(value) for value in values])
            return
        dashes, last = places_of(self.data, node), node.items[-1]
        column, dash = self.column(dashes[-1]), dashes[-1]
        same_line = line_start(self.data, last.outer) == line_start(self.data, dash)
        gap = max(1, last.outer - dash - 1) if same_line and not last.is_empty else 1
        styles = self.styles(last)
        spaced = self.is_spaced(dash, column)
        lines: list[str] = []
        for value in values:
            lines += [""] if spaced and lines else []
            lines += list_item(value, column, gap, styles)
        end = max(last.end, dash + 1)
        end = self.past_own_comments(end, column)
        self.add_lines(last, end, lines, list(values), spaced=spaced)

    def past_own_comments(self, end: int, column: int) -> int:
        """Go past comments right below the last item that are indented as its own."""
        at = next_line(self.data, end)
        while comment := re.compile(rb" {%d,}#[^\n]*\n?" % (column + 1)).match(self.data, at):
            end, at = at, comment.end()
        return end

    def is_spaced(self, dash: int, column: int) -> bool:
        """Say whether a blank line parts the last item from one before it."""
        gap = _GAP_ABOVE.search(self.data, max(dash - _LOOK_BACK, 0), line_start(self.data, dash))
        if gap is None or not _BLANK_LINE.search(gap[0]):
            return False
        mark = b" " * column + b"-"
        above = self.data.rfind(b"\n" + mark, 0, gap.start() + 1) >= 0
        return above or self.data.startswith(mark, start_of(self.data))

    def styles(self, like: Node) -> Styles:
        """Return how an item writes the collections below its keys."""
        return {
            key.text: None if child.flow else self.column(child.start) - self.column(key.outer)
            for key, child in like.pairs
            if (child.items or child.pairs) and not child.anchor and not child.tag
        }

    def remove_items(self, node: Node, gone: Collection[int]) -> None:
        starts = places_of(self.data, node)
        ends = [
            max(item.end, at + (not node.flow)) for item, at in zip(node.items, starts, strict=True)
        ]
        self.remove_children(node, node.items, starts, ends, gone)


def _sure(value: Value | Removal) -> Value:
    if isinstance(value, Removal):
        raise TypeError("a removal is not a value")
    return value


def _left_out(old: Sequence[object], new: Sequence[object]) -> list[int] | None:
    """Return the places of `old` that `new` leaves out; `None` where more than that differs."""
    gone, wanted = [], iter(new)
    want = next(wanted, None)
    for number, one in enumerate(old):
        if want is not None and one == want:
            want = next(wanted, None)
        else:
            gone.append(number)
    return gone if want is None else None
