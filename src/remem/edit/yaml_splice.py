"""Edits YAML by replacing bytes: what is touched changes, every other byte stays.

Invariant: after an edit the file means what it meant before, with exactly the change that was asked
for, and every byte outside the cuts is the same byte. The second half holds by construction: an
edit is a list of cuts, and no file is ever written anew. The first half is proved for each edit and
never assumed: a *window* of the file is read exactly, what it should mean is worked out on values,
the cuts are applied to its bytes, the result is read again and compared value by value
(`Window.verified`). What does not come out as intended is refused.

A window is enough, and a file of 10,000 entries need not be read, because it begins with the line
of a real dash and ends before a line with content: what stands behind it is read the same whatever
happens inside, as long as the inside parses by itself.

So a fault in planning cuts (`yaml_edit`) costs a refusal, not data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from remem.base.errors import Refused
from remem.base.frozen import dataclass
from remem.edit.lines import common_prefix, common_suffix
from remem.edit.yaml_edit import (
    BY_HAND,
    REMOVE,
    Cut,
    Edit,
    Editor,
    Meaning,
    Removal,
    Window,
    apply,
    meaning,
    meaning_of,
    places_of,
)
from remem.edit.yaml_index import Index, Span, index, is_proven
from remem.edit.yaml_read import Value, parse_item
from remem.edit.yaml_tree import (
    Kind,
    Node,
    next_line,
    start_of,
)
from remem.edit.yaml_write import block

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list places from the top."""
_MANY: Final = 50
"""Items added at once to an empty list above which it gets the first one by itself."""
_LONG: Final = 64 * 1024
"""Bytes of an addition above which its items are read one by one."""


def set_fields(
    data: bytes, index: Index, number: int, fields: Mapping[str, Value | Removal]
) -> tuple[Edit, ...]:
    """Plan to set, add and take out fields of one item; a new key goes to the item's end.

    Raises:
        Refused: The bytes cannot be changed without risk to others.
    """
    window, path, spot = _item(data, index, number)
    # Cuts and meaning are worked out apart, from the same nodes: neither can excuse the other.
    editor = Editor(data)
    wanted = meaning(window.root)
    editor.set_keys(spot.node, fields)
    wanted = _with(wanted, path, lambda node: _changed(node, fields))
    return window.verified(editor.settled(), wanted)


def _changed(item: Meaning, fields: Mapping[str, Value | Removal]) -> Meaning:
    """Return what an item means with `fields` set; anchors and known tags of set values stay."""
    if not isinstance(item[2], dict):
        # Which of two equal keys counts is the reader's choice; there is no one meaning to keep.
        raise Refused("the entry has a duplicate key, or merges another mapping", hint=BY_HAND)
    changed = dict(item[2])
    for key, value in fields.items():
        if isinstance(value, Removal):
            changed.pop(key, None)
        else:
            changed[key] = _grown(changed[key], (), value) if key in changed else meaning_of(value)
    return (item[0], item[1], changed)


def remove_item(data: bytes, index: Index, number: int) -> tuple[Edit, ...]:
    """Plan to take one item out; comments above it stay, and the only one leaves `[]`.

    Raises:
        Refused: The bytes cannot be changed without risk to others.
    """
    _refuse_blocked(data, index, number)
    span = index.items[number]
    path = _path_of(index)
    if index.column < 0:
        window = Window.whole(data)
    elif len(index.items) == 1:
        window = Window.of(data, index.region.start, index.region.end)
    else:
        # One neighbour is enough: a reader comes to the line of the first dash in the same state.
        is_last = number == len(index.items) - 1
        first = number - 1 if is_last else number
        end = index.region.end if is_last else _end_of_gap(data, index.items[number + 1].end)
        window, path = Window.of(data, index.items[first].start, end), ()
    return _remove(window, (*path, _number_at(window, path, span)))


def add_item(data: bytes, key: str, item: Mapping[str, Value]) -> tuple[Edit, ...]:
    """Plan to add an item at the end of the list, as its last item is written.

    `key` is the list's top-level key, empty for a bare list; a bare list that stands is kept bare.

    Raises:
        Refused: The bytes cannot be changed without risk to others.
    """
    return add_items(data, key, [item])


def add_items(data: bytes, key: str, items: Sequence[Mapping[str, Value]]) -> tuple[Edit, ...]:
    """Plan to add items, at least one, in their order and with one edit; as `add_item` does."""
    new: list[Value] = [dict(item) for item in items]
    found = index(data, key)
    if not found.items and len(items) > _MANY:
        return _added_to_none(data, key, items)
    _refuse_blocked(data, found, len(found.items))
    path = _path_of(found)
    if found.column >= 0 and found.items:
        window, path = Window.of(data, found.items[-1].start, found.region.end), ()
    else:
        window = Window.whole(data)
        if window.root is None:
            return _add_text(window, {key: new} if key else new)
    spot = _find(window, path)
    if spot is None or not spot.node.items:
        return _set(window, path, new)
    editor = Editor(window.data)
    editor.refuse_shared(spot.node)
    editor.append(spot.node, new)
    cuts = editor.settled()
    if sum(len(text) for _, _, text in cuts) > _LONG:
        return _verified_apart(data, key, items, cuts)
    made = [meaning_of(item) for item in new]
    wanted = _with(meaning(window.root), path, lambda node: (node[0], node[1], [*node[2], *made]))
    return window.verified(cuts, wanted)


def _added_to_none(data: bytes, key: str, items: Sequence[Mapping[str, Value]]) -> tuple[Edit, ...]:
    """Add the first of many items to an empty list, and the others after it; as one edit."""
    begun = apply(data, add_item(data, key, items[0]))
    after = apply(begun, add_items(begun, key, items[1:]))
    head = common_prefix(data, after)
    tail = min(common_suffix(data, after), len(data) - head, len(after) - head)
    return (Edit(head, len(data) - tail, after[head : len(after) - tail]),)


def _verified_apart(
    data: bytes, key: str, items: Sequence[Mapping[str, Value]], cuts: Sequence[Cut]
) -> tuple[Edit, ...]:
    """Return the addition of so many items that reading all of them exactly would take seconds.

    The first is tried in its place as any other is; the text of all, which is our own, is read item
    by item.
    """
    add_item(data, key, items[0])
    (edit,) = (Edit(*cut) for cut in cuts)
    alone = b"items:\n" + edit.new
    values = (parse_item(alone, span).value for span in index(alone, "items").items)
    if edit.start != edit.end or list(values) != [dict(item) for item in items]:
        raise Refused("the edit would change the meaning of the file", hint=BY_HAND)
    return (edit,)


def set_in_document(
    data: bytes, path: tuple[str | int, ...], value: Value | Removal
) -> tuple[Edit, ...]:
    """Plan to set, add or take out one value of a small file; missing mappings above it are made.

    A number is a place in a list; the list's length adds an item.

    Raises:
        Refused: There is no such place, or the bytes cannot be changed without risk to others.
    """
    window = Window.whole(data)
    if isinstance(value, Removal):
        return _remove(window, path) if _find(window, path) else ()
    if window.root is None:
        return _add_text(window, _nested(path, value))
    return _set(window, path, value)


def set_keys(data: bytes, fields: Mapping[str, Value | Removal]) -> tuple[Edit, ...]:
    """Plan to set, add and take out keys at the top of a small file; a new key goes to its end.

    Raises:
        Refused: The file is no mapping, or the bytes cannot be changed without risk to others.
    """
    window, editor = Window.whole(data), Editor(data)
    if window.root is None or window.root.kind is not Kind.MAP:
        raise Refused("the file has no `key: value` lines", hint=BY_HAND)
    editor.set_keys(window.root, fields)
    return window.verified(editor.settled(), _changed(meaning(window.root), fields))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A node with what its place says about how it may be written."""

    node: Node
    column: int = 0
    after: int | None = None
    in_flow: bool = False


def _find(window: Window, path: Path) -> _Spot | None:
    """Return the node at `path`; on the way nothing may be shared with other places."""
    if window.root is None:
        return None
    spot, editor = _Spot(window.root), Editor(window.data)
    for step in path:
        node = spot.node
        editor.refuse_shared(node)
        if isinstance(step, int):
            if node.kind is not Kind.LIST or not 0 <= step < len(node.items):
                return None
            column = editor.column(places_of(window.data, node)[step])
            spot = _Spot(node.items[step], column, None, node.flow)
        else:
            found = [pair for pair in node.pairs if _names(pair[0], step)]
            if len(found) > 1:
                raise Refused(
                    f"`{step}` is written twice", hint="remove one of the two in an editor"
                )
            if not found:
                return None
            key, child = found[0]
            spot = _Spot(child, editor.column(key.outer), editor.after_colon(key), node.flow)
    return spot


def _names(key: Node, step: str) -> bool:
    return key.kind is Kind.SCALAR and key.text == step


def _set(window: Window, path: Path, value: Value) -> tuple[Edit, ...]:
    """Set what stands at `path`, or add it to the nearest thing that is there."""
    depth = next(n for n in range(len(path), -1, -1) if _find(window, path[:n]))
    spot, rest = _find(window, path[:depth]), path[depth:]
    assert spot is not None
    wanted, editor = meaning(window.root), Editor(window.data)
    editor.refuse_shared(spot.node)
    wanted = _with(wanted, path[:depth], lambda node: _grown(node, rest, value))
    if not rest:
        editor.set_value(spot.node, value, spot.column, spot.after, in_flow=spot.in_flow)
    elif isinstance(rest[0], int) and spot.node.items:
        editor.append(spot.node, [_nested(rest[1:], value)])
    elif spot.node.pairs:
        editor.set_keys(spot.node, {str(rest[0]): _nested(rest[1:], value)})
    else:
        made = _nested(rest, value)
        editor.set_value(spot.node, made, spot.column, spot.after, in_flow=spot.in_flow)
    return window.verified(editor.settled(), wanted)


def _grown(old: Meaning, rest: Path, value: Value) -> Meaning:
    """Return what a node means once `value` stands at `rest` below it."""
    if not rest:
        return (meaning_of(value)[0], old[1], meaning_of(value)[2])
    step, made = rest[0], meaning_of(_nested(rest[1:], value))
    if isinstance(step, int) and isinstance(old[2], list) and step == len(old[2]):
        return ("list", old[1], [*old[2], made])
    if isinstance(step, str) and isinstance(old[2], dict):
        return ("map", old[1], {**old[2], step: made})
    if old[0] == "NoneType" and step != 0 and not isinstance(step, int):
        return meaning_of({step: _nested(rest[1:], value)})
    if step == 0 and old[0] == "NoneType":
        return meaning_of([_nested(rest[1:], value)])
    raise Refused(f"cannot add `{step}`", hint="its parent has another type")


def _nested(path: Path, value: Value) -> Value:
    """Wrap `value` in the mappings and lists that `path` goes through."""
    for step in reversed(path):
        if isinstance(step, int) and step:
            raise Refused(f"a new list has no item {step}", hint="its first item is 0")
        value = [value] if isinstance(step, int) else {step: value}
    return value


def _remove(window: Window, path: Path) -> tuple[Edit, ...]:
    """Take out what stands at `path`; a collection that loses its only child becomes empty."""
    if not path:
        raise Refused("an edit cannot remove a whole file", hint="delete the file")
    spot, step = _find(window, path[:-1]), path[-1]
    assert spot is not None
    editor, node = Editor(window.data), spot.node
    editor.refuse_shared(node)
    wanted = _with(meaning(window.root), path[:-1], lambda above: _without(above, step))
    if len(node.items) + len(node.pairs) == 1:
        empty: Value = [] if node.items else {}
        editor.set_value(node, empty, spot.column, spot.after, in_flow=spot.in_flow)
    elif isinstance(step, int):
        editor.remove_items(node, [step])
    else:
        editor.set_keys(node, {step: REMOVE})
    return window.verified(editor.settled(), wanted)


def _add_text(window: Window, value: Value) -> tuple[Edit, ...]:
    """Add the first content to a file that is empty or holds comments only."""
    data, editor = window.data, Editor(window.data)
    lead = b"" if not data[start_of(data) :] or data.endswith(b"\n") else editor.newline
    editor.cut(len(data), len(data), lead + editor.joined(block(value, 0)) + editor.newline)
    return window.verified(editor.settled(), meaning_of(value))


def _item(data: bytes, index: Index, number: int) -> tuple[Window, Path, _Spot]:
    """Return the smallest window around an item, with the item's path and place in it."""
    _refuse_blocked(data, index, number)
    span = index.items[number]
    if index.column >= 0:
        window = Window.of(data, span.start, _end_of_gap(data, span.end))
        path: Path = (0,)
    else:
        window, above = Window.whole(data), _path_of(index)
        path = (*above, _number_at(window, above, span))
    spot = _find(window, path)
    assert spot is not None
    if spot.node.kind is not Kind.MAP:
        raise Refused("the entry is not a mapping", hint=BY_HAND)
    Editor(data).refuse_shared(spot.node)
    return window, path, spot


def _refuse_blocked(data: bytes, index: Index, number: int) -> None:
    blocking = next((problem for problem in index.problems if problem.blocks_writing), None)
    if blocking is not None:
        raise Refused(f"the file is read-only: {blocking.message}", hint=blocking.hint)
    if index.column >= 0 and not is_proven(data, index, number):
        raise Refused("an entry above it does not parse", hint="fix that one in an editor first")


def _path_of(index: Index) -> Path:
    return (index.key,) if index.key else ()


def _number_at(window: Window, path: Path, span: Span) -> int:
    """Return which item of the list at `path` begins where the span does."""
    spot = _find(window, path)
    assert spot is not None
    return places_of(window.data, spot.node).index(span.start)


def _end_of_gap(data: bytes, at: int) -> int:
    """Return where the blank lines and comments end that follow the line of `at`."""
    at = next_line(data, at)
    while at < len(data):
        after = next_line(data, at)
        if data[at:after].lstrip(b" \t")[:1] not in (b"", b"#", b"\n"):
            break
        at = after
    return at


def _with(root: Meaning, path: Path, change: Callable[[Meaning], Meaning]) -> Meaning:
    """Return `root` with what stands at `path` changed."""
    if not path:
        return change(root)
    kind, marks, content = root
    if isinstance(content, dict):
        key = str(path[0])
        return (kind, marks, {**content, key: _with(content[key], path[1:], change)})
    if isinstance(content, str):
        raise Refused(f"cannot add `{path[0]}`", hint="its parent is a scalar")
    place = path[0] if isinstance(path[0], int) else _place_of(content, path[0])
    parts = list(content)
    parts[place] = _with(parts[place], path[1:], change)
    return (kind, marks, parts)


def _place_of(pairs: Sequence[Meaning], key: str) -> int:
    """Return where the value of a key stands among keys and values in turn."""
    return next(n for n in range(0, len(pairs), 2) if pairs[n][2] == key) + 1


def _without(node: Meaning, step: str | int) -> Meaning:
    kind, marks, content = node
    if isinstance(content, dict):
        return (kind, marks, {key: child for key, child in content.items() if key != step})
    if isinstance(content, str):
        raise Refused(f"there is no `{step}`", hint="the value there is a scalar")
    return (kind, marks, [child for number, child in enumerate(content) if number != step])
