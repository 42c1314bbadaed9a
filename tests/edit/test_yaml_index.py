"""An index that follows an edit is the index that a look at the whole file would give."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.edit.yaml_index import (
    Index,
    Spans,
    followed,
    index,
    index_of,
    scan,
)
from remem.edit.yaml_tree import (
    next_line,
)

PAD: Final = b"# " + b"x" * 300_000 + b"\n"
"""Makes a file big enough that its items are not all parsed when it is opened."""
PIECES: Final = st.sampled_from(
    [
        *(b"  - id: a\n", b"  - id: b\n    rule: x\n", b"  - rule: y\n    id: c\n", b"- id: d\n"),
        *(b"  - {id: e}\n", b"  -\n    id: f\n", b"  - |\n    text\n", b"  - id: g\n    t: |+\n\n"),
        *(
            b"    more: words # c\n",
            b"  # - id: no\n",
            b"\n",
            b"   \n",
            b"  -",
            b"  - ~\n",
            b"- \n",
        ),
        *(b"rules:\n", b"other: 1\n", b"x", b" ", b"#", b'"', b"'", b"|", b"\r\n", b"\r", b"\n#"),
        b"- \n",
        *(b"  - id: 'h", b"---\n", b"...\n", b"\t", b"\0", b"\xff", b"\xe2\x80\xa8", b"\xc3\xa9"),
        *(b"    - deeper\n", b"    k: >+\n      a\n\n", b"  -id: i\n", b"&a ", b"*a", b"?", b": "),
    ]
)
TEXTS: Final = st.lists(PIECES, max_size=7).map(b"".join)


def anew(data: bytes) -> Index:
    """Return the index of the same bytes in another object, which nothing knows yet."""
    return index(bytes(bytearray(data)), "rules")


def entry(number: int) -> bytes:
    return b"  - id: r-%d\n    rule: first line\n      and more\n" % number


def store(count: int) -> bytes:
    return b"rules:\n" + b"".join(map(entry, range(count)))


@settings(max_examples=400)
@example(b"  - id: a\n  - id: b\n", 1.0, 0, b"    x: 1\n", False, True)
@example(b"  - id: a\n  - id: b", 1.0, 0, b"\n", True, True)
@example(b"  - id: a\n    t: |\n      x\n  - id: b\n", 0.5, 3, b"#", True, True)
@given(
    body=TEXTS,
    place=st.floats(0, 1),
    length=st.integers(0, 9),
    new=TEXTS,
    is_big=st.booleans(),
    has_key=st.booleans(),
)
def test_following_an_edit_finds_what_a_look_at_the_whole_file_finds(
    body: bytes, place: float, length: int, new: bytes, is_big: bool, has_key: bool
) -> None:
    head = (PAD if is_big else b"") + (b"rules:\n" if has_key else b"")
    before = head + entry(1) + body + entry(2)
    at = len(head) - 3 + round(place * (len(before) - len(head) + 3))
    after = before[: max(0, at)] + new + before[max(0, at) + length :]

    made = index(after, "rules", index(before, "rules"))

    assert made == anew(after)


SMALL: Final = b"k:\n  - id: a\n    t: x\n  - id: b\n\n  - t: |\n      c\n"
NEW: Final = (b"", b"x", b" ", b"\n", b"-", b"- ", b"\n  - id: n\n", b"#", b"k:")


@pytest.mark.parametrize("below", [b"", b"o: 1\n", b"# c\n"])
def test_following_any_small_edit_anywhere_finds_what_a_look_at_the_whole_finds(
    below: bytes,
) -> None:
    data = SMALL + below
    before = index(data, "k")
    assert len(before.items) == 3

    for at in range(len(data) + 1):
        for length, new in product((0, 1, 2), NEW):
            edited = data[:at] + new + data[at + length :]
            made, found = followed(before, edited), scan(edited, "k")
            assert made is None or (found is not None and made == index_of(edited, found))


@example(b"  - id: a\n    x: 1\n  - id: b\r\n")
@example(b"  - id: a\n  - id: c, d\n  -   id: e\n")
@given(body=TEXTS)
def test_ids_are_the_same_whether_all_are_plain_or_one_behind_them_is_not(body: bytes) -> None:
    data = b"rules:\n  - id: p\n" + body + b"\n"
    quoted = data + b"  - id: 'q'\n"

    found, among = scan(data, "rules"), scan(quoted, "rules")

    assert found is not None
    assert among is not None
    if among.end == len(quoted):
        assert (*found.ids, "q") == among.ids
        assert found.dashes == among.dashes[:-1]


@settings(max_examples=150)
@given(body=TEXTS, place=st.floats(0, 1), length=st.integers(0, 9), new=TEXTS)
def test_what_an_index_takes_over_stands_in_the_same_bytes(
    body: bytes, place: float, length: int, new: bytes
) -> None:
    data = store(3) + body + store(3).removeprefix(b"rules:\n")
    at = round(place * len(data))
    edited = data[:at] + new + data[at + length :]
    before = index(data, "rules")

    after = index(edited, "rules", before)

    head, tail = after.head_and_tail(before)
    shift = len(after.items) - len(before.items)
    numbers = [*range(head), *range(len(before.items) - tail, len(before.items))]
    for number in numbers:
        old = before.items[number]
        new_span = after.items[number if number < head else number + shift]
        assert whole(data, old) == whole(edited, new_span)


def whole(data: bytes, span: tuple[int, int]) -> bytes:
    """Return an item with the rest of its last line, which may count for what it says."""
    return data[span[0] : next_line(data, span[1])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"r-50\n", b"r-5000\n", id="an id in the middle"),
        pytest.param(b"r-0\n", b"r-x\n", id="the first item"),
        pytest.param(b"r-99\n    rule: first", b"r-99\n    rule: last", id="the last item"),
        pytest.param(entry(99), entry(99) + entry(100), id="one more at the end"),
        pytest.param(entry(40), b"", id="one less"),
    ],
)
def test_an_edit_among_many_items_leaves_all_but_the_touched_ones(old: bytes, new: bytes) -> None:
    data = store(100)
    before = index(data, "rules")
    edited = data.replace(old, new)

    after = index(edited, "rules", before)

    assert after == anew(edited)
    assert sum(after.head_and_tail(before)) >= 98


def test_items_taken_over_stay_proven_and_others_have_to_be_proven_again() -> None:
    data = PAD + store(5)
    before = index(data, "rules")
    before.closed[:] = b"\1" * 5

    after = index(data.replace(b"r-2\n", b"r-two\n"), "rules", before)

    assert after.closed == bytearray([1, 1, 0, 1, 1])


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda data: data.replace(b"rules:", b"ruless:"), id="the key"),
        pytest.param(lambda data: data + b"other: 1\n", id="a key below"),
        pytest.param(lambda data: data.replace(b"  - id: r-2", b"- id: r-2"), id="the column"),
        pytest.param(lambda data: data.replace(b"r-2", b"\xff"), id="no text"),
        pytest.param(lambda data: data.replace(b"r-2", b"r\rx"), id="another line break"),
        pytest.param(lambda data: data.replace(entry(2), b"  -\n"), id="an empty item"),
    ],
)
def test_what_reaches_beyond_items_is_looked_at_as_a_whole(
    edit: Callable[[bytes], bytes],
) -> None:
    data = store(5)

    made = followed(index(data, "rules"), edit(data))

    assert made is None


def test_spans_compare_with_any_sequence_of_the_same_spans() -> None:
    spans = index(store(2), "rules").items

    assert isinstance(spans, Spans)
    assert spans == tuple(spans) == (*spans[:1], *spans[1:])
    assert spans != tuple(spans)[:1]
    assert hash(spans) == hash(index(bytes(bytearray(store(2))), "rules").items)


def test_an_index_of_other_bytes_at_the_same_place_in_memory_is_not_taken_for_this_one() -> None:
    for number in range(50):
        data = store(3).replace(b"r-1", b"r-%d" % (number % 7))

        assert index(data, "rules").ids[1] == f"r-{number % 7}"
