"""Three-way merge of a memory file by entry: what both sides wrote stays.

Invariant: every entry that a side added or changed stands in the result, and every entry that one
side took out and the other left alone is gone. Where both sides changed one entry, or one changed
what the other took out, both versions stand between conflict markers as git writes them. It knows
text, and nothing of memory: Markdown falls into headings and units, YAML into the items of its
lists and the lines around them; a file of any other sort is merged by line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, TypeAlias

from remem.base.frozen import dataclass
from remem.edit.lines import runs, split_lines
from remem.edit.markdown import BOM, Kind, is_text, parse
from remem.edit.merge_lines import Clash, merge

MARKS: Final = 7
"""Length of a conflict marker, where git asks for no other."""
_ALIKE: Final = 60.0
"""Of a hundred: a text that came is what became of one that went."""
_PAIRS: Final = 40_000
"""Comparisons of texts; beyond that what changed is taken as gone and new."""
_GONE: Final = "gone heading"
_ITEM: Final = re.compile(rb"(?P<indent>[ ]*)-(?:[ ]|\r?$)")
_FIELD: Final = re.compile(rb"(?P<key>[\w-]+)[ ]*:(?:[ ]|\r?$)")
_KEY: Final = re.compile(rb"^[ ]*(?:-[ ]+)?(?:id|key)[ ]*:[ ]*(?P<key>[^\r\n#]+)", re.MULTILINE)

_Place: TypeAlias = tuple[str, int]
"""One of the base, or what is new on the first or the second side."""
_BASE: Final = "base"
_FIRST: Final = "first"
_SECOND: Final = "second"


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of a merge."""

    data: bytes
    conflicts: int
    """Places with conflict markers; 0 = it is merged."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A heading, an entry, or what stands between: bytes without the blank lines below them."""

    body: bytes
    below: bytes
    """Line end and blank lines."""
    kind: str = ""
    level: int = 0
    """Of a heading."""
    key: bytes = b""
    """What the entry calls itself."""

    @property
    def said(self) -> bytes:
        """What makes it the same: ends of lines make no difference."""
        return b"\n".join(line.rstrip() for line in self.body.splitlines())


@dataclass(frozen=True, slots=True)
class _Side:
    """One side, and what became on it of each part of the base."""

    parts: Sequence[_Part]
    now: Sequence[int]
    """Part of the base → its place here; -1 = it is gone."""

    @property
    def was(self) -> dict[int, int]:
        return {place: number for number, place in enumerate(self.now) if place >= 0}


def merge_entries(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    *,
    is_yaml: bool = False,
    marks: int = MARKS,
) -> Merged:
    """Merge two sides of one file by entry.

    Args:
        base: What both sides came from.
        ours: One.
        theirs: The other.
        is_yaml: Its entries are items of lists.
        marks: Length of the conflict markers.
    """
    if base in (ours, theirs) or ours == theirs:
        return Merged(theirs if ours == base else ours, 0)
    conflict = _Conflict(marks)
    if not all(map(is_text, (base, ours, theirs))):
        return Merged(conflict.of(ours, theirs), 1)
    taken = _yaml_parts if is_yaml else _markdown_parts
    parts = taken(base.removeprefix(BOM))
    one, two = (_side(parts, taken(data.removeprefix(BOM))) for data in (ours, theirs))
    merged = _joined(parts, one, two, conflict)
    mark = BOM if _has_mark(base, ours, theirs) else b""
    return Merged(mark + merged.data, merged.conflicts)


def _has_mark(base: bytes, ours: bytes, theirs: bytes) -> bool:
    """Tell whether the result begins with a byte order mark: what one side did to it counts."""
    was, one, two = (data.startswith(BOM) for data in (base, ours, theirs))
    return two if one == was else one


class _Conflict:
    """Writes two versions of one place as git does."""

    def __init__(self, marks: int) -> None:
        self._marks = marks

    def of(self, ours: bytes, theirs: bytes) -> bytes:
        eol = b"\r\n" if b"\r\n" in ours or b"\r\n" in theirs else b"\n"

        def mark(sign: bytes, name: str = "") -> bytes:
            return sign * self._marks + (b" " + name.encode() if name else b"") + eol

        one, two = (_ended(text, eol) for text in (ours, theirs))
        return b"".join((mark(b"<", "ours"), one, mark(b"="), two, mark(b">", "theirs")))


def _ended(text: bytes, eol: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + eol


def _markdown_parts(data: bytes) -> list[_Part]:
    document = parse(data)
    found = [(each.start, each.end, str(each.kind), 0) for each in document.units]
    found += [(each.start, each.end, "heading", each.level) for each in document.headings]
    return list(_cut(data, sorted(found)))


def _cut(data: bytes, found: Sequence[tuple[int, int, str, int]]) -> Iterator[_Part]:
    """Yield what was found, and the lines between that are none of it."""
    at = 0
    for number, (start, end, kind, level) in enumerate(found):
        yield from _between(data[at:start])
        at = found[number + 1][0] if number + 1 < len(found) else len(data)
        rest = data[end:at]
        blank = _blank(rest)
        yield _Part(data[start:end], rest[:blank], kind, level)
        at = end + blank
    yield from _between(data[at:])


def _blank(rest: bytes) -> int:
    """Return how far line ends and blank lines reach."""
    return len(rest) - len(rest.lstrip(b" \t\r\n")) if not rest.strip() else _to_text(rest)


def _to_text(rest: bytes) -> int:
    text = len(rest) - len(rest.lstrip(b" \t\r\n"))
    return rest.rfind(b"\n", 0, text) + 1


def _between(data: bytes) -> Iterator[_Part]:
    """Yield lines that belong to no entry, each with the blank ones below it."""
    lines = split_lines(data)
    while lines:
        line = lines.pop(0)
        text = line.rstrip(b"\r\n")
        below = line[len(text) :]
        while lines and not lines[0].strip():
            below += lines.pop(0)
        yield _Part(text, below)


def _yaml_parts(data: bytes) -> list[_Part]:
    """Return the items of the outermost lists, the fields around them, and other lines."""
    lines = split_lines(data)
    starts = [found for line in lines if (found := _ITEM.match(line))]
    indent = min((len(found["indent"]) for found in starts), default=0)
    groups: list[tuple[str, list[bytes]]] = []
    for line in lines:
        found = _ITEM.match(line)
        kind = groups[-1][0] if groups else ""
        depth = len(line) - len(line.lstrip(b" "))
        if found is not None and len(found["indent"]) == indent:
            groups.append(("item", [line]))
        elif kind and (not line.strip() or depth > (indent if kind == "item" else 0)):
            groups[-1][1].append(line)
        else:
            groups.append(("field" if _FIELD.match(line) else "", [line]))
    return [part for kind, group in groups for part in _yaml_group(b"".join(group), kind)]


def _yaml_group(data: bytes, kind: str) -> Iterator[_Part]:
    if not kind:
        yield from _between(data)
        return
    body = data.rstrip(b" \t\r\n")
    found = (_KEY.search if kind == "item" else _FIELD.match)(body)
    yield _Part(body, data[len(body) :], kind, key=found["key"].strip() if found else b"")


def _side(base: Sequence[_Part], parts: Sequence[_Part]) -> _Side:
    """Find what became of each part: the same text first, then its own name, then the likest."""
    now = [-1] * len(base)
    left = set(range(len(parts)))

    def take(number: int, place: int) -> None:
        now[number] = place
        left.discard(place)

    texts = [(part.kind, part.said) for part in base], [(part.kind, part.said) for part in parts]
    for run in runs(*texts):
        for step in range(run.length):
            take(run.a + step, run.b + step)
    for same in (_text_of, _key_of):
        places: dict[object, list[int]] = {}
        for place in sorted(left):
            if (name := same(parts[place])) is not None:
                places.setdefault(name, []).append(place)
        for number, part in enumerate(base):
            if now[number] < 0 and places.get(same(part)):
                take(number, places[same(part)].pop(0))
    _take_alike(base, parts, now, left, take)
    return _Side(parts, now)


def _text_of(part: _Part) -> object:
    return (part.kind, part.said) if part.kind else None


def _key_of(part: _Part) -> object:
    return (part.kind, part.key) if part.key else None


def _take_alike(
    base: Sequence[_Part],
    parts: Sequence[_Part],
    now: Sequence[int],
    left: set[int],
    take: Callable[[int, int], None],
) -> None:
    gone = [number for number, place in enumerate(now) if place < 0 and base[number].kind]
    gone = [number for number in gone if not base[number].key]
    if not gone or len(gone) * len(left) > _PAIRS:
        return
    from rapidfuzz.fuzz import ratio

    scored = [
        (score, number, place)
        for number in gone
        for place in left
        if base[number].kind == parts[place].kind and not parts[place].key
        if (score := ratio(base[number].said, parts[place].said, score_cutoff=_ALIKE))
    ]
    for _, number, place in sorted(scored, key=lambda each: (-each[0], each[1], each[2])):
        if now[number] < 0 and place in left:
            take(number, place)


def _joined(base: Sequence[_Part], one: _Side, two: _Side, conflict: _Conflict) -> Merged:
    # Whoever moved entries has their order; where both did, it is ours.
    first, second, is_turned = one, two, False
    if _is_ordered(one) and not _is_ordered(two):
        first, second, is_turned = two, one, True
    decided = _Decided(base, one, two, conflict)
    was = first.was
    order = [
        (_BASE, was[place]) if place in was else (_FIRST, place)
        for place in range(len(first.parts))
    ]
    _put_in_gone(order, first)
    _put_in_new(order, second, _twins(first, second))
    pieces: list[tuple[_Part, bytes]] = []
    for where, place in order:
        if where == _BASE:
            pieces += decided.of(place)
            continue
        part = (first if where == _FIRST else second).parts[place]
        pieces.append((part, part.body + part.below))
    pieces = list(_no_oftener(pieces, one, two))
    pieces = _without_double_keys(pieces, decided, turned=is_turned)
    said = [{part.said for part in side.parts} for side in (two, one)]
    return Merged(_text(pieces, said), decided.conflicts)


def _no_oftener(
    pieces: Sequence[tuple[_Part, bytes]], one: _Side, two: _Side
) -> Iterator[tuple[_Part, bytes]]:
    """Yield all but what would say something oftener than either side does."""
    most = Counter(part.said for part in one.parts) | Counter(part.said for part in two.parts)
    for part, text in pieces:
        if part.kind not in ("", "heading", _GONE) and text.startswith(part.body):
            most[part.said] -= 1
            if most[part.said] < 0:
                continue
        yield part, text


def _is_ordered(side: _Side) -> bool:
    places = [place for place in side.now if place >= 0]
    return places == sorted(places)


def _put_in_gone(order: list[_Place], side: _Side) -> None:
    """Put in what this side took out of the base, where it stood: the other may have changed it."""
    for number, place in enumerate(side.now):
        if place < 0:
            order.insert(order.index((_BASE, number - 1)) + 1 if number else 0, (_BASE, number))


def _twins(first: _Side, second: _Side) -> dict[int, _Place]:
    """Return what is new on both sides in the same words: by its place on the second side."""
    known, places = first.was, dict[tuple[str, bytes], list[int]]()
    for place, part in enumerate(first.parts):
        if place not in known and part.kind:
            places.setdefault((part.kind, part.said), []).append(place)
    was, found = second.was, dict[int, _Place]()
    for place, part in enumerate(second.parts):
        same = places.get((part.kind, part.said))
        if place not in was and same:
            found[place] = (_FIRST, same.pop(0))
    return found


def _put_in_new(order: list[_Place], side: _Side, twins: Mapping[int, _Place]) -> None:
    """Put what is new on a side behind what stands above it there, and behind what is new too."""
    was, at = side.was, 0
    for place in range(len(side.parts)):
        name = (_BASE, was[place]) if place in was else twins.get(place)
        if name is not None:
            at = order.index(name) + 1
            continue
        while at < len(order) and order[at][0] == _FIRST:
            at += 1
        order.insert(at, (_SECOND, place))
        at += 1


class _Decided:
    """Decides on each part of the base, and counts where nobody can."""

    def __init__(self, base: Sequence[_Part], one: _Side, two: _Side, conflict: _Conflict) -> None:
        self._base = base
        self._one = one
        self._two = two
        self._conflict = conflict
        self.conflicts = 0

    def of(self, number: int) -> list[tuple[_Part, bytes]]:
        """Return what stands in the place of a part: nothing, one text, or both."""
        was = self._base[number]
        ours, theirs = (_at(side, number) for side in (self._one, self._two))
        if ours is None and theirs is None:
            return []
        if ours is None or theirs is None:
            other = ours or theirs
            assert other is not None
            if was.kind == "heading" and other.said != was.said:
                return [(other, other.body + other.below)]
            if was.kind == "heading":
                # It stays where the other side wrote below it.
                return [(_Part(other.body, other.below, _GONE, key=b"1" if ours else b"2"), b"")]
            return [] if other.said == was.said or not was.kind else self.clash(ours, theirs)
        below = ours.below if theirs.below == was.below else theirs.below
        if ours.said == theirs.said or was.said in (ours.said, theirs.said):
            # Of two that say the same it is the one that was touched.
            is_kept = ours.body == was.body or (ours.said == was.said and theirs.said != was.said)
            taken = theirs if is_kept else ours
            return [(taken, taken.body + below)]
        if was.kind in ("", Kind.FRONT_MATTER, Kind.TABLE, Kind.FENCE):
            lines = merge(was.body + b"\n", ours.body + b"\n", theirs.body + b"\n")
            if not isinstance(lines, Clash):
                return [(ours, lines.removesuffix(b"\n") + below)]
        return self.clash(ours, theirs)

    def clash(self, ours: _Part | None, theirs: _Part | None) -> list[tuple[_Part, bytes]]:
        self.conflicts += 1
        there = ours or theirs
        assert there is not None
        texts = (part.body if part is not None else b"" for part in (ours, theirs))
        written = self._conflict.of(*texts)
        blank = there.below.partition(b"\n")[2]
        return [(there, written + blank)]


def _at(side: _Side, number: int) -> _Part | None:
    place = side.now[number]
    return side.parts[place] if place >= 0 else None


def _without_double_keys(
    pieces: list[tuple[_Part, bytes]],
    decided: _Decided,
    *,
    turned: bool,
) -> list[tuple[_Part, bytes]]:
    """Let two new entries of one name be a conflict: nobody can tell which one is meant."""
    found: list[tuple[_Part, bytes]] = []
    by_key: dict[bytes, int] = {}
    for part, text in pieces:
        known = by_key.get(part.key) if part.key and part.kind != _GONE else None
        if known is None or found[known][0].said == part.said:
            if part.key and part.kind != _GONE:
                by_key.setdefault(part.key, len(found))
            found.append((part, text))
            continue
        first = found[known][0]
        sides = (part, first) if turned else (first, part)
        found[known] = decided.clash(*sides)[0]
    return found


def _text(pieces: Sequence[tuple[_Part, bytes]], took_out: Sequence[set[bytes]]) -> bytes:
    """Return the whole.

    Args:
        pieces: What stands in it; a heading that one side took out stays where the other wrote
            something below it.
        took_out: What the side says that took it out: the second, where the first kept it.
    """
    kept: list[bytes] = []
    for number, (part, text) in enumerate(pieces):
        if part.kind != _GONE:
            kept.append(text)
            continue
        known = took_out[0 if part.key == b"1" else 1]
        below = takewhile(lambda each: each[0].kind not in ("heading", _GONE), pieces[number + 1 :])
        if any(each.kind and each.said not in known for each, _ in below):
            if kept and not kept[-1].endswith((b"\n\n", b"\n\r\n")):
                kept.append(b"\r\n" if kept[-1].endswith(b"\r\n") else b"\n")
            kept.append(part.body + part.below)
    return b"".join(
        text if not text or text.endswith(b"\n") or number == len(kept) else text + b"\n"
        for number, text in enumerate(kept, 1)
    )
