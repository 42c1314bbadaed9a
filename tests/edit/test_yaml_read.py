"""Reading never raises: what is wrong is a problem, what is right is found where it stands."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.base.errors import Refused
from remem.edit.yaml_edit import Edit
from remem.edit.yaml_index import Index, check, index
from remem.edit.yaml_read import Value, compose, parse_document, parse_item
from remem.edit.yaml_splice import add_item, remove_item, set_fields, set_in_document
from remem.edit.yaml_tree import Malformed, Reader, resolve

ENTRY = b"rules:\n  - id: a\n    rule: x\n"


def values(data: bytes, key: str = "rules") -> list[dict[str, Value]]:
    return [parse_item(data, span).value for span in index(data, key).items]


def codes(made: Index) -> list[str]:
    return [problem.code for problem in made.problems]


FORMS = [
    pytest.param(b"", "", [], id="empty"),
    pytest.param(b"# only\n# words\n", "", [], id="comments-only"),
    pytest.param(b"rules:\n", "rules", [], id="key-with-nothing"),
    pytest.param(b"rules: []  # none yet\n", "rules", [], id="empty-brackets"),
    pytest.param(b"rules: null\n", "rules", [], id="null"),
    pytest.param(ENTRY, "rules", ["a"], id="ordinary"),
    pytest.param(b"rules:\n- id: a\n- id: b\n", "rules", ["a", "b"], id="dashes-at-0"),
    pytest.param(
        b"rules:\n        -   id: a\n            x: 1\n", "rules", ["a"], id="indent-8-gap-3"
    ),
    pytest.param(b"rules:\n  -\n    id: a\n  -\n    id: b\n", "rules", ["a", "b"], id="dash-alone"),
    pytest.param(b"- id: a\n  x: 1\n# c\n- id: b", "", ["a", "b"], id="bare-list"),
    pytest.param(b"---\n- id: a\n", "", ["a"], id="marker-then-bare-list"),
    pytest.param(b"# c\n---\nrules:\n  - id: a\n", "rules", ["a"], id="comment-marker"),
    pytest.param(
        b"\xef\xbb\xbfrules:\r\n  - id: a\r\n  - id: b\r\n", "rules", ["a", "b"], id="bom-crlf"
    ),
    pytest.param(b"rules: [{id: a}, {id: 'b', x: [1]}]\n", "rules", ["a", "b"], id="flow-list"),
    pytest.param(
        b"rules:\n  - {id: a, x: 1}\n  - {x: 1, id: b}\n", "rules", ["a", "b"], id="flow-items"
    ),
    pytest.param(b'"rules":\n  - id: a\n', "rules", ["a"], id="quoted-key"),
    pytest.param(
        b"rules:\n  - x: 1\n    y:\n      id: no\n    id: a\n", "rules", ["a"], id="id-later"
    ),
    pytest.param(
        b"rules:\n  - id: \"a\"  # why\n  - id: 'b c'\n", "rules", ["a", "b c"], id="quoted-ids"
    ),
    pytest.param(
        b"notes: |\n  rules:\n    - id: no\nrules:\n  - id: a\n",
        "rules",
        ["a"],
        id="list-in-block-scalar",
    ),
    pytest.param(
        b't: "\nrules:\n  - id: no\n"\nrules:\n  - id: a\n',
        "rules",
        ["a"],
        id="list-in-quoted-text",
    ),
    pytest.param(
        b'rules:\n  - id: a\n    t: "\n  - id: no\n  "\n  - id: b\n',
        "rules",
        ["a", "b"],
        id="dash-in-quoted-text",
    ),
    pytest.param(
        b"rules:\n  - id: a\n    t: [1,\n2]\n  - id: b\n",
        "rules",
        ["a", "b"],
        id="brackets-to-column-0",
    ),
    pytest.param(
        b"rules:\n  - id: a\n    t: |\n      - id: no\n      # no comment\n\n  # c\n  - id: b\n",
        "rules",
        ["a", "b"],
        id="dash-in-block-scalar",
    ),
    pytest.param(
        b"rules:\n  - id: a\n    x:\n    - id: no\n  - id: b\n", "rules", ["a", "b"], id="nested"
    ),
    pytest.param(
        b"# - id: no\nrules:\n  # - id: no\n  - id: a\n", "rules", ["a"], id="in-comments"
    ),
    pytest.param(
        b"other:\n  - id: no\nrules:\n  - id: a\nmore:\n  - id: no\n", "rules", ["a"], id="others"
    ),
]


@pytest.mark.parametrize(("data", "key", "ids"), FORMS)
def test_the_items_of_a_list_are_found_however_it_is_written(
    data: bytes, key: str, ids: list[str]
) -> None:
    made = index(data, "rules")

    assert (made.key, list(made.ids), made.is_writable) == (key, ids, True)
    assert [item["id"] for item in values(data)] == ids
    assert made.problems == ()


@pytest.mark.parametrize(("data", "key", "ids"), FORMS)
def test_an_items_bytes_do_not_change_with_what_stands_around_it(
    data: bytes, key: str, ids: list[str]
) -> None:
    made = index(data, "rules")
    pieces = [data[span.start : span.end] for span in made.items]
    if made.column < 0:
        return

    spaced = data[: made.region.end].rstrip()
    for span in reversed(made.items):
        spaced = spaced[: span.end] + b"\n\n# said\n\n" + spaced[span.end :].lstrip(b"\r\n")
    around = index(spaced, "rules")

    assert [spaced[span.start : span.end] for span in around.items] == pieces
    assert all(piece == piece.rstrip() for piece in pieces)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("|\n      a\n      b\n", "a\nb\n", id="clip"),
        pytest.param("|-\n      a\n", "a", id="strip"),
        pytest.param("|+\n      a\n\n", "a\n\n", id="keep"),
        pytest.param(">\n      a\n      b\n", "a b\n", id="folded"),
        pytest.param("|\n      a", "a", id="at-the-end-of-the-file"),
        pytest.param("|\r\n      a\r\n", "a\n", id="crlf"),
        pytest.param("|\n      a\n      # b\n    # c\n", "a\n# b\n", id="hash-inside"),
    ],
)
def test_a_text_that_ends_an_item_keeps_its_last_line_break(text: str, value: str) -> None:
    data = f"rules:\n  - id: a\n    t: {text}".encode()

    assert values(data) == [{"id": "a", "t": value}]
    if text.endswith("\n"):
        assert values(data + b"  - id: b\n") == [{"id": "a", "t": value}, {"id": "b"}]


def test_an_item_says_on_which_line_each_field_stands() -> None:
    data = (
        b"# head\nrules:\n  - id: a\n\n  - id: b\n    source:\n      date: 2026-01-01\n"
        b"    seen: [{ref: x}]\n"
    )

    item = parse_item(data, index(data, "rules").items[1])

    assert item.value["source"] == {"date": "2026-01-01"}
    assert (item.lines["id"], item.lines["source.date"], item.lines["seen.0.ref"]) == (5, 7, 8)


def test_a_key_that_is_there_twice_is_told_with_both_values_and_blocks_edits() -> None:
    data = b"rules:\n  - id: a\n    status: active\n    status: draft\n  - id: b\n"
    made = index(data, "rules")

    item = parse_item(data, made.items[0])

    (problem,) = item.problems
    assert problem.message == "`status` is written twice: `active` and `draft`"
    assert (problem.line, problem.field, problem.blocks_writing) == (4, "status", True)
    assert made.is_writable
    with pytest.raises(Refused, match="duplicate key"):
        set_fields(data, made, 0, {"status": "x"})
    assert set_fields(data, made, 1, {"status": "x"})


def test_an_empty_item_is_a_problem_and_not_an_entry() -> None:
    data = b"rules:\n  - id: a\n  -\n  - ~  # later\n  - id: b\n"

    made = index(data, "rules")

    assert made.ids == ("a", "b")
    assert [(problem.code, problem.line) for problem in made.problems] == [
        ("null-item", 3),
        ("null-item", 4),
    ]
    assert made.is_writable


def test_an_item_that_uses_an_anchor_of_another_is_read() -> None:
    data = (
        b"rules:\n  - id: a\n    roles: &all [x, y]\n  - id: b\n    roles: *all\n"
        b"  - <<: &c {k: 1}\n    id: c\n"
    )

    found = values(data)

    assert [item.get("roles") for item in found] == [["x", "y"], ["x", "y"], None]
    assert found[2] == {"k": 1, "id": "c"}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_conflict_that_git_left_in_a_file_is_called_so(end: bytes) -> None:
    lines = [*b"rules:|<<<<<<< HEAD|- id: a|=======|- id: b|>>>>>>> other|".split(b"|")]

    made = index(end.join(lines), "rules")

    for problems in (made.problems, parse_document(end.join(lines)).problems):
        (problem,) = problems
        assert (problem.code, problem.line) == ("conflict-markers", 2)
    assert not made.is_writable
    assert codes(index(b'rules:\n  - id: a\n    rule: "<<<<<<< HEAD"\n', "rules")) == []


def test_a_file_that_does_not_parse_has_one_problem_with_its_place() -> None:
    data = b"rules:\n  - id: a\n    rule: x: y\n  - id: b\n"

    made = index(data, "rules")

    (problem,) = made.problems
    assert (problem.code, problem.line, problem.column) == ("syntax", 3, 12)
    assert (made.items, made.is_writable) == ((), False)
    with pytest.raises(Refused, match="read-only"):
        add_item(data, "rules", {"id": "c"})


def test_in_a_big_file_a_broken_item_is_found_by_the_check_and_the_others_are_read() -> None:
    good = b"".join(b'  - id: r-%05d\n    rule: "%s"\n' % (n, b"word " * 40) for n in range(2_000))
    data = b"rules:\n" + good + b"  - id: bad\n    rule: x: y\n  - id: last\n"

    made = index(data, "rules")
    problems = check(data, "rules")

    assert len(made.items) == 2_002
    assert made.problems == ()
    assert [(problem.code, problem.line) for problem in problems] == [("syntax", 4_003)]
    assert set_fields(data, made, 1_999, {"rule": "x"})
    with pytest.raises(Refused, match="above it does not parse"):
        set_fields(data, made, 2_001, {"rule": "x"})


BOMB = b"rules:\n  - a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"    %c: &%c [%s]\n" % (name, name, b",".join([b"*%c" % (name - 1)] * 9))
    for name in b"bcdefghi"
)
HOSTILE = [
    pytest.param(BOMB, "alias-bomb", id="alias-bomb"),
    pytest.param(b"rules:\n  - a: &a [*a]\n", "recursive", id="recursive"),
    pytest.param(b"rules:\n  - &a\n    a: *a\n", "recursive", id="recursive-item"),
    pytest.param(b"rules:\n  - a: " + b"[" * 2_000, "too-deep", id="2000-brackets"),
    pytest.param(b"rules:\n  - a: " + b"[" * 2_000 + b"]" * 2_000, "too-deep", id="2000-closed"),
    pytest.param(b"rules:\n  - a: " + b"[" * 100 + b"]" * 100, "too-deep", id="100-brackets"),
    pytest.param(b"rules:\n  - a: " + b"{a: " * 500 + b"}" * 500, "too-deep", id="500-braces"),
    pytest.param(b"rules:\n  " + b"- " * 3_000 + b"x\n", "too-deep", id="3000-dashes"),
    pytest.param(b"".join(b" " * n + b"a:\n" for n in range(300)), "too-deep", id="300-levels"),
    pytest.param(b'rules:\n  - a: "' + b"x" * 20_000_000 + b'"\n', "too-big", id="20-MB-scalar"),
    pytest.param(
        b"rules:\n  - a: 1\n" + b"".join(b"    k%d: 1\n" % n for n in range(100_000)),
        "too-big",
        id="100k-keys",
    ),
    pytest.param(b"x" * (64 * 1024 * 1024 + 1), "too-big", id="65-MB"),
    pytest.param(b"rules:\n  - a: !!python/object/apply:os.system [x]\n", "tag", id="python-tag"),
    pytest.param(b"rules:\n  - a: !mine 1\n", "tag", id="unknown-tag"),
    pytest.param(b"rules:\n  - !mine\n    a: 1\n", "tag", id="tagged-item"),
    pytest.param(b"rules:\n  - a: x\x00y\n", "control-character", id="NUL"),
    pytest.param(b"rules:\n  - a: x\x1b[31m\n", "control-character", id="raw-ESC"),
    pytest.param(b"rules:\n  - a: x\xc2\x9by\n", "control-character", id="raw-C1"),
    pytest.param(b"rules:\n  - a: \xff\xfe\n", "not-utf-8", id="bad-utf-8"),
    pytest.param("rules:\n  - a: caf\xe9\n".encode("latin-1"), "not-utf-8", id="latin-1"),
    pytest.param(b'rules:\n  - a: "\\ud800"\n', "surrogate", id="surrogate"),
    pytest.param("rules:\n  - a: 1\n".encode("utf-16"), "utf-16", id="utf-16"),
    pytest.param("rules:\n  - a: 1\n".encode("utf-16-be"), "control-character", id="utf-16-bare"),
    pytest.param(b"rules:\n  - a:\t1\n", "syntax", id="tab-after-colon"),
    pytest.param(b"rules:\n  - a: 1\n\t- b: 2\n", "syntax", id="tab-indent"),
    pytest.param(b"---\nrules: []\n---\nrules: []\n", "multi-document", id="two-documents"),
    pytest.param(ENTRY + b"...\n---\nx: 1\n", "multi-document", id="two-documents-below"),
    pytest.param(b"rules:\n  - a: *nobody\n", "unknown-anchor", id="unknown-anchor"),
    pytest.param(b"rules:\n  - just words\n", "not-a-mapping", id="scalar-item"),
    pytest.param(b"rules: 5\n", "wrong-shape", id="not-a-list"),
    pytest.param(b"words\n", "wrong-shape", id="scalar-file"),
    pytest.param(b"rules: {a: 1}\n", "wrong-shape", id="mapping-for-a-list"),
    pytest.param(b"rules: []\nrules: []\n", "duplicate-key", id="key-of-the-file-twice"),
    pytest.param(b"rules:\n  - ? [a, b]\n    : 1\n", "key", id="list-as-key"),
    pytest.param(b"rules:\n  - <<: 5\n    a: 1\n", "merge", id="merge-of-a-number"),
    pytest.param(b"other: 1\n", "missing-key", id="no-such-key"),
    pytest.param(b"rules:\n  - a: 'x\n", "syntax", id="open-quote"),
    pytest.param(b"\xef\xbb\xbf\xef\xbb\xbfrules:\n - a: 1", "", id="two-BOMs"),
    pytest.param(b"rules:\r  - a: 1\r  - b: 2\r", "", id="lone-CR"),
    pytest.param(b"%YAML 9.9\n---\nrules: []\n", "", id="directive"),
]


@pytest.mark.parametrize(("data", "code"), HOSTILE)
def test_hostile_input_becomes_a_problem_within_a_second(data: bytes, code: str) -> None:
    began = time.process_time()

    made = index(data, "rules")
    items = [parse_item(data, span) for span in made.items]
    document = parse_document(data)
    for number in range(len(items)):
        assert_only_refuses(partial(remove_item, data, made, number))
        assert_only_refuses(partial(set_fields, data, made, number, {"z": 1}))
    took = time.process_time() - began
    found = codes(made) + [problem.code for item in items for problem in item.problems]
    assert code in found if code else True
    assert took < 3, f"{took:.1f} s"  # a second on a quiet machine
    json.dumps([item.value for item in items] + [document.value])


def test_odd_numbers_and_dates_are_text() -> None:
    digits = "9" * 6_000
    data = (
        f"a: 2026-02-30\nb: {digits}\nc: 010\nd: 12:30\ne: 0x{'f' * 40}\n"
        "f: 1e400\ng: 99999999999999999999\n"
    )

    document = parse_document(data.encode())

    assert document.problems == ()
    assert isinstance(document.value, dict)
    assert {type(value) for value in document.value.values()} == {str}


PLAIN = st.text(
    st.sampled_from("0123456789abcdefxXobBeE+-._~nulTrueFalsNULYi "), min_size=1, max_size=8
)


@settings(max_examples=400, deadline=None)
@given(text=PLAIN.map(str.strip).filter(bool))
@example("0o17").via("octal")
@example("01.5").via("leading zero")
@example("-0").via("sign")
def test_the_fast_reader_and_the_exact_one_agree_on_plain_scalars(text: str) -> None:
    data = f"a: {text}\n".encode()
    try:
        node = compose(data)
    except Malformed:
        return
    if node is None or not node.pairs or node.pairs[0][1].text != text:
        return

    exact = Reader({}, 1).value(node)
    fast = parse_document(data).value

    assert repr(fast) == repr(exact)


@settings(max_examples=300, deadline=None)
@given(
    data=st.lists(
        st.sampled_from(
            [
                b"rules:",
                b"\n",
                b"  - ",
                b"- ",
                b"id: a",
                b"k: ",
                b"|",
                b">+\n",
                b"'",
                b'"',
                b"[",
                b"]",
                b"{",
                b"}",
                b",",
                b"# c",
                b"\r\n",
                b"\t",
                b"&a ",
                b"*a",
                b"!t ",
                b"<<: ",
                b"---\n",
                b"...",
                b"? ",
                b": ",
                b"\xc2\x85",
                b"\xe2\x80\xa8",
                b"\xff",
                b"\x00",
                b"    ",
                b"  ",
                b"x",
                b"%",
                b"\xef\xbb\xbf",
                b"\\",
                b"~",
                b"1",
                b"\r",
            ]
        ),
        max_size=24,
    ).map(b"".join)
)
@example(b"&a \xc2\x85  - ").via("a line break of another kind before a dash")
def test_whatever_the_bytes_nothing_but_a_refusal_is_raised(data: bytes) -> None:
    made = index(data, "rules")
    items: list[Any] = [parse_item(data, span) for span in made.items]
    document = parse_document(data)
    check(data, "rules")

    for number in range(len(made.items)):
        assert_only_refuses(partial(set_fields, data, made, number, {"id": "z", "new": ["x"]}))
        assert_only_refuses(partial(remove_item, data, made, number))
    assert_only_refuses(partial(add_item, data, "rules", {"id": "z"}))
    assert_only_refuses(partial(set_in_document, data, ("k", 0, "x"), "z"))
    assert len(items) == len(made.ids)
    assert made.is_writable or made.problems
    assert isinstance(json.dumps(document.value), str)


def assert_only_refuses(edit: Callable[[], tuple[Edit, ...]]) -> None:
    """Assert that an edit comes out or is refused in words; anything else is raised through."""
    with suppress(Refused):
        assert all(edit.start <= edit.end for edit in edit())


def test_resolve_knows_the_core_words() -> None:
    assert [resolve(text) for text in ("true", "Null", "0x1F", "-0o17", ".5", "1e3", "yes")] == [
        True,
        None,
        31,
        -15,
        0.5,
        1000.0,
        "yes",
    ]
