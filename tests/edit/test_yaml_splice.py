"""Every edit changes what it was asked to change, in value, and no byte beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem.base.errors import Refused
from remem.edit.yaml_edit import REMOVE, Edit, Removal, Window, apply, meaning_of
from remem.edit.yaml_index import index
from remem.edit.yaml_read import Value, parse_document, parse_item
from remem.edit.yaml_splice import add_item, add_items, remove_item, set_fields, set_in_document

HOSTILE = [
    "plain",
    "two words",
    "no",
    "on",
    "12:30",
    "0o7",
    "010",
    "1_000",
    "true",
    "# x",
    "a: b",
    "- q",
    "it's",
    '"q"',
    "",
    " pad ",
    "é",
    "{x}",
    "[y",
    "*a",
    "&a",
    "!t",
    "%d",
    "@x",
    "`x`",
    "| y",
    "null",
    "~",
    "1e3",
    "2026-02-30",
    "two\nlines",
    "ends\n",
    "\n",
    "a\n\nb\n",
    "  deep\nx",
    "tab\there",
    "x\r\ny",
    "\u2028",
    "\x1b]0;t\x07",
    "emoji 👩‍💻",
    "…",
    "a #b",
    "=",
    "<<",
    ".inf",
    "-",
    "?",
    ":",
    "a:",
    "---",
    "x\n---\ny",
    "\x85",
    "\ufeff",
    "trailing \nblank",
    "#",
    "y",
    "N",
]
LETTERS = st.text(st.characters(codec="utf-8"), max_size=10)
TEXT = st.sampled_from(HOSTILE) | LETTERS
SCALARS = st.one_of(
    TEXT,
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63),
    st.sampled_from([0.5, 1.0, -0.25, 1e-3]),
)
KEYS = st.sampled_from(["id", "rule", "source", "tags", "seen", "no", "a b", "x-y", "é", "1"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
ITEMS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=5)


@dataclass(frozen=True)
class Look:
    """How a document is written: the same values in another dress."""

    indent: int = 2
    gap: int = 1
    nested: int = 2
    quote: str = "double"
    flow: bool = False
    comments: bool = False
    blanks: int = 0
    crlf: bool = False
    bom: bool = False
    last_newline: bool = True
    bare: bool = False
    marker: bool = False


LOOKS = st.builds(
    Look,
    indent=st.integers(0, 4),
    gap=st.integers(1, 3),
    nested=st.sampled_from([0, 2, 4]),
    quote=st.sampled_from(["double", "single", "plain", "block"]),
    flow=st.booleans(),
    comments=st.booleans(),
    blanks=st.integers(0, 2),
    crlf=st.booleans(),
    bom=st.booleans(),
    last_newline=st.booleans(),
    bare=st.booleans(),
    marker=st.booleans(),
)


def flow_text(value: Value) -> str:
    """Write JSON: it is YAML too."""
    return json.dumps(value)


def lines_of(value: Value, column: int, look: Look) -> list[str]:
    """Write a collection as a person might."""
    pad, note = " " * column, "  # said: {why}" if look.comments else ""
    found: list[str] = []
    entries: list[tuple[str | None, Value]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = [(None, child) for child in value]
    for key, child in entries:
        lead = pad + ("-" if key is None else f"{json.dumps(key)}:")
        if isinstance(child, dict | list) and child and not look.flow:
            step = max(look.nested, 1) if isinstance(child, dict) or key is None else look.nested
            found += [lead + note, *lines_of(child, column + step, look)]
        elif isinstance(child, str) and look.quote == "block" and is_tame(child):
            found += [f"{lead} |-", *(pad + "     " + line for line in child.split("\n"))]
        else:
            found.append(f"{lead} {scalar_in(child, look)}{note}")
        if look.comments:
            found.append(pad + "# - not: an item")
    return found


def is_tame(text: str) -> bool:
    return text.isascii() and text.replace(" ", "").isalnum() and text == text.strip() != ""


def scalar_in(value: Value, look: Look) -> str:
    if not isinstance(value, str) or look.quote in ("double", "block"):
        return flow_text(value)
    if look.quote == "single" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return value if is_tame(value) and yaml.safe_load(value) == value else flow_text(value)


def document(items: list[dict[str, Value]], look: Look) -> bytes:
    """Write a store that holds `items`."""
    lines = ["---"] if look.marker else []
    lines += ["# hand written"] if look.comments else []
    lines += [] if look.bare else ["rules:" + ("  # all of them" if look.comments else "")]
    column = 0 if look.bare else look.indent
    for number, item in enumerate(items):
        lines += [""] * look.blanks if number else []
        lines += [" " * column + "# about the next one"] if look.comments else []
        inner = lines_of(item, column + 1 + look.gap, look)
        lines += [" " * column + "-" + " " * look.gap + inner[0].lstrip(" "), *inner[1:]]
    lines += ["# the end"] if look.comments else []
    lines += [] if look.bare else ["after: {kept: [1,  2]}"]
    text = ("\r\n" if look.crlf else "\n").join(lines)
    text += ("\r\n" if look.crlf else "\n") if look.last_newline else ""
    return (b"\xef\xbb\xbf" if look.bom else b"") + text.encode()


def items_in(data: bytes) -> list[dict[str, Value]]:
    return [parse_item(data, span).value for span in index(data, "rules").items]


def rounded(value: Any) -> Any:
    """Return what is read back: floats keep four decimals, integers 64 bits."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [rounded(child) for child in value]
    if isinstance(value, dict):
        return {key: rounded(child) for key, child in value.items()}
    return value


def exactly(value: Any) -> str:
    """Return a text that tells `1`, `1.0` and `true` apart; the order of keys does not count."""
    return json.dumps(value, sort_keys=True)


def assert_only_spans_changed(data: bytes, edits: tuple[Edit, ...], after: bytes) -> None:
    """Assert that what lies between the edits stands, and that they can be taken back."""
    back, at, shift = [], 0, 0
    for edit in edits:
        assert at <= edit.start <= edit.end
        assert after[at + shift : edit.start + shift] == data[at : edit.start]
        start = edit.start + shift
        back.append(Edit(start, start + len(edit.new), data[edit.start : edit.end]))
        shift += len(edit.new) - (edit.end - edit.start)
        at = edit.end
    assert after[at + shift :] == data[at:]
    assert apply(after, back) == data


def edit_or_none(plan: Callable[[], tuple[Edit, ...]]) -> tuple[Edit, ...] | None:
    try:
        return plan()
    except Refused:
        return None


STORES = st.lists(ITEMS, min_size=1, max_size=3)


@settings(max_examples=150, deadline=None)
@given(
    items=STORES,
    look=LOOKS,
    pick=st.integers(0, 9),
    fields=st.dictionaries(KEYS, VALUES | st.just(REMOVE), max_size=3),
)
@example(
    items=[{"id": "a", "tags": ["x"]}],
    look=Look(comments=True, last_newline=False, bare=True),
    pick=0,
    fields={"tags": REMOVE, "seen": "two\nlines"},
)  # fmt: skip
@example(
    items=[{"no": [], "source": None, "id": None}],
    look=Look(indent=0),
    pick=0,
    fields={"no": REMOVE, "source": REMOVE},
)
@example(
    items=[{"x-y": {"rule": [], "id": "plain"}}],
    look=Look(),
    pick=0,
    fields={"rule": "plain", "x-y": {"rule": "plain"}},
)
@example(
    items=[{"x-y": {"id": "plain", "rule": []}}],
    look=Look(flow=True),
    pick=0,
    fields={"x-y": {"id": "plain", "source": "plain"}},
)
def test_setting_fields_gives_the_intended_values_and_no_other_byte_moves(
    items: list[dict[str, Value]], look: Look, pick: int, fields: Mapping[str, Value | Removal]
) -> None:
    data = document(items, look)
    before = items_in(data)
    number = pick % len(before)
    made = index(data, "rules")

    edits = edit_or_none(lambda: set_fields(data, made, number, fields))

    intended = {**before[number], **{k: rounded(v) for k, v in fields.items() if v is not REMOVE}}
    intended = {k: v for k, v in intended.items() if fields.get(k) is not REMOVE}
    if edits is None:
        assert "\u2028" in str(items) or "\x85" in str(items) or not intended
        return
    after = apply(data, edits)
    assert_only_spans_changed(data, edits, after)
    before[number] = intended
    assert exactly(items_in(after)) == exactly(before)


@settings(max_examples=100, deadline=None)
@given(items=STORES, look=LOOKS, new=ITEMS)
@example(items=[{"id": []}], look=Look(last_newline=False, bare=True), new={"id": "a\n\nb\n"})
def test_an_added_item_stands_at_the_end_and_removing_it_leaves_the_rest(
    items: list[dict[str, Value]], look: Look, new: dict[str, Value]
) -> None:
    data = document(items, look)
    before = items_in(data)

    edits = add_item(data, "rules", new)

    after = apply(data, edits)
    assert_only_spans_changed(data, edits, after)
    assert exactly(items_in(after)) == exactly([*before, rounded(new)])
    assert all(edit.start == edit.end for edit in edits)
    without = apply(after, remove_item(after, index(after, "rules"), len(before)))
    assert exactly(items_in(without)) == exactly(before)


@settings(max_examples=100, deadline=None)
@given(items=STORES, look=LOOKS, pick=st.integers(0, 9))
def test_a_removed_item_takes_its_lines_along_and_no_comment_of_others(
    items: list[dict[str, Value]], look: Look, pick: int
) -> None:
    data = document(items, look)
    before = items_in(data)
    number = pick % len(before)

    edits = remove_item(data, index(data, "rules"), number)

    after = apply(data, edits)
    assert_only_spans_changed(data, edits, after)
    assert exactly(items_in(after)) == exactly(before[:number] + before[number + 1 :])
    assert after.count(b"# about the next one") == data.count(b"# about the next one")


PATHS = st.lists(KEYS, min_size=1, max_size=3).map(tuple)


@settings(max_examples=100, deadline=None)
@given(item=ITEMS, look=LOOKS, path=PATHS, value=VALUES | st.just(REMOVE))
@example(item={"id": ["x"]}, look=Look(nested=0), path=("id",), value={"id": None})
def test_one_place_in_a_small_file_is_set_or_taken_out(
    item: dict[str, Value], look: Look, path: tuple[str, ...], value: Value | Removal
) -> None:
    text = "\n".join(["# head", *lines_of(item, 0, look), ""])
    data = text.encode()
    before = parse_document(data).value

    edits = edit_or_none(lambda: set_in_document(data, path, value))

    intended = changed_at(before, path, value)
    if edits is None:
        assert intended is None
        return
    after = apply(data, edits)
    assert_only_spans_changed(data, edits, after)
    assert exactly(parse_document(after).value) == exactly(intended)


def changed_at(value: Any, path: tuple[str, ...], new: Any) -> Any:
    """Return `value` with `new` at `path`; `None` where there is no place for it."""
    if not path:
        return rounded(new)
    if value is None and new is not REMOVE:
        value = {}
    if new is REMOVE and (not isinstance(value, dict) or path[0] not in value):
        return value
    if not isinstance(value, dict):
        return None
    if len(path) == 1 and new is REMOVE:
        return {key: child for key, child in value.items() if key != path[0]}
    below = changed_at(value.get(path[0]), path[1:], new)
    if below is None and not (len(path) == 1 and new is None):
        return {**value, path[0]: None} if value.get(path[0]) is None and new is REMOVE else None
    return {**value, path[0]: below}


@settings(max_examples=60, deadline=None)
@given(items=STORES, look=LOOKS, text=TEXT)
def test_other_readers_see_what_was_written(
    items: list[dict[str, Value]], look: Look, text: str
) -> None:
    """Agents read with PyYAML, by the rules of YAML 1.1."""
    known: dict[str, Value] = {"id": "a", "rule": "was"}
    data = document([known, *items], replace(look, bare=False))
    edits = edit_or_none(
        lambda: set_fields(data, index(data, "rules"), 0, {"rule": text, "fresh": [text]})
    )

    assert edits is not None
    written = yaml.safe_load(apply(data, edits).decode("utf-8-sig"))["rules"][0]
    assert (written["rule"], written["fresh"]) == (text, [text])


STORE = b"""\
# Team rules
rules:
  -   id: a   # first
      rule: 'it''s'   # why
      tags: [x,  y]
      source:   # where
        type: retro
        date: 2026-01-01
      list:
      - one # 1
      - two
      empty:
      text: |
        foo

        bar
      # still about a

  # about b
  - id: b
# the end
"""


@pytest.mark.parametrize(
    ("fields", "old", "new"),
    [
        pytest.param({"id": "new id"}, b"id: a   #", b"id: new id   #", id="plain-stays-plain"),
        pytest.param({"rule": "isn't"}, b"'it''s'", b"'isn''t'", id="quote-kept"),
        pytest.param({"id": "no"}, b"id: a ", b'id: "no" ', id="a-word-that-readers-differ-on"),
        pytest.param({"id": "2026-02-22"}, b"id: a ", b'id: "2026-02-22" ', id="date-quoted"),
        pytest.param({"id": 0.7612345}, b"id: a ", b"id: 0.7612 ", id="float-rounded"),
        pytest.param({"empty": "x"}, b"empty:\n", b"empty: x\n", id="nothing-to-something"),
        pytest.param({"tags": ["x", "y", "z"]}, b"[x,  y]", b"[x,  y, z]", id="flow-append"),
        pytest.param({"tags": ["y"]}, b"[x,  y]", b"[y]", id="flow-remove"),
        pytest.param({"tags": []}, b"[x,  y]", b"[]", id="flow-emptied"),
        pytest.param({"list": ["two"]}, b"      - one # 1\n", b"", id="block-remove"),
        pytest.param(
            {"list": ["one", "two", "a: b"]}, b"two\n", b'two\n      - "a: b"\n', id="block-append"
        ),
        pytest.param(
            {"source": {"type": "gate", "date": "2026-01-01"}}, b"retro", b"gate", id="in-a-map"
        ),
        pytest.param(
            {"source": {"type": "retro", "date": "2026-01-01", "ref": "s-1"}},
            b"2026-01-01\n",
            b"2026-01-01\n        ref: s-1\n",
            id="key-in-a-map",
        ),
        pytest.param(
            {"source": "manual"},
            b"source:   # where\n        type: retro\n        date: 2026-01-01\n",
            b"source: manual   # where\n",
            id="map-to-word",
        ),
        pytest.param(
            {"text": "a\nb\n"}, b"foo\n\n        bar\n", b"a\n        b\n", id="block-scalar"
        ),
        pytest.param(
            {"text": "one"}, b"|\n        foo\n\n        bar\n", b"one\n", id="block-scalar-to-word"
        ),
        pytest.param(
            {"empty": [{"ref": "r", "stories": ["s"]}]},
            b"empty:\n",
            b"empty:\n        - ref: r\n          stories: [s]\n",
            id="nothing-to-records",
        ),
        pytest.param(
            {"list": REMOVE}, b"      list:\n      - one # 1\n      - two\n", b"", id="key-removed"
        ),
        pytest.param(
            {"status": "draft"},
            b"        bar\n",
            b"        bar\n      status: draft\n",
            id="key-added",
        ),
        pytest.param({"tags": ["x", "y"], "gone": REMOVE}, b"", b"", id="nothing-to-do"),
    ],
)
def test_a_field_is_set_in_the_style_that_stands_there(
    fields: Mapping[str, Value | Removal], old: bytes, new: bytes
) -> None:
    for data in (STORE, STORE.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + STORE):
        crlf = b"\r\n" in data
        edits = set_fields(data, index(data, "rules"), 0, fields)

        wanted = STORE.replace(old, new, 1) if old else STORE
        wanted = wanted.replace(b"\n", b"\r\n") if crlf else wanted
        assert apply(data, edits).removeprefix(b"\xef\xbb\xbf") == wanted


NEW: dict[str, Value] = {"id": "new", "roles": ["x"]}


@pytest.mark.parametrize(
    ("data", "after"),
    [
        pytest.param(b"", b"rules:\n  - id: new\n    roles: [x]\n", id="empty-file"),
        pytest.param(b"# c", b"# c\nrules:\n  - id: new\n    roles: [x]\n", id="comment-only"),
        pytest.param(b"rules: # c\n", b"rules: # c\n  - id: new\n    roles: [x]\n", id="key-only"),
        pytest.param(
            b"rules: []  # c\n", b"rules:  # c\n  - id: new\n    roles: [x]\n", id="empty-brackets"
        ),
        pytest.param(
            b"rules: [{id: a}]\n", b"rules: [{id: a}, {id: new, roles: [x]}]\n", id="flow"
        ),
        pytest.param(
            b"rules: [\n  {id: a},  # c\n]\n",
            b"rules: [\n  {id: a},\n  {id: new, roles: [x]},  # c\n]\n",
            id="flow-on-lines",
        ),
        pytest.param(b"- id: a", b"- id: a\n- id: new\n  roles: [x]", id="bare-no-final-newline"),
        pytest.param(b"[]\n", b"- id: new\n  roles: [x]\n", id="bare-brackets"),
        pytest.param(
            b"other: 1\n", b"other: 1\nrules:\n  - id: new\n    roles: [x]\n", id="no-such-key"
        ),
        pytest.param(
            b"rules:\n    -  id: a\n       roles:\n       - y\n\n"
            b"    -  id: b\n       roles:\n       - y\nz: 1\n",
            b"rules:\n    -  id: a\n       roles:\n       - y\n\n"
            b"    -  id: b\n       roles:\n       - y\n\n"
            b"    -  id: new\n       roles:\n       - x\nz: 1\n",
            id="as-the-last-one",
        ),
        pytest.param(
            b"rules:\r\n- id: a # c\r\n  # on a\r\n# end\r\n",
            b"rules:\r\n- id: a # c\r\n  # on a\r\n- id: new\r\n  roles: [x]\r\n# end\r\n",
            id="below-its-own-comment",
        ),
    ],
)
def test_a_new_item_is_written_as_its_neighbours_are(data: bytes, after: bytes) -> None:
    assert apply(data, add_item(data, "rules", NEW)) == after


def test_the_only_item_leaves_an_empty_list_and_the_comments() -> None:
    data = b"# head\nrules: # all\n  # on a\n  - id: a\n    x: 1\n# end\nz: 1\n"

    after = apply(data, remove_item(data, index(data, "rules"), 0))

    assert after == b"# head\nrules: [] # all\n  # on a\n# end\nz: 1\n"


REFUSED = [
    pytest.param(b"rules:\n  - id: &x a\n    r: *x\n", {"id": "b"}, "anchor", id="anchored"),
    pytest.param(
        b"rules:\n  - id: a\n    r: &x 1\n  - id: b\n    r: *x\n", {"r": 2}, "anchor", id="across"
    ),
    pytest.param(b"rules:\n  - &x\n    id: a\n  - *x\n", {"id": "b"}, "anchor", id="anchored-item"),
    pytest.param(b"rules:\n  - id: a\n    r: *x\n    s: &x 1\n", {"r": 2}, "alias", id="alias"),
    pytest.param(b"rules:\n  - id: a\n    <<: {k: 1}\n", {"id": "b"}, "<<", id="merge"),
    pytest.param(b"rules:\n  - id: a\n    id: b\n", {"id": "c"}, "duplicate key", id="twice"),
    pytest.param(b"rules:\n  - id: !t a\n", {"id": "c"}, "tag", id="tag"),
    pytest.param(b"rules:\n  - id: a\n---\nx: 1\n", {"id": "c"}, "read-only", id="two-documents"),
    pytest.param(
        b"rules:\n  - id: a\n", {"id": "\ud800"}, "broken character", id="half-a-character"
    ),
]


@pytest.mark.parametrize(("data", "fields", "reason"), REFUSED)
def test_what_could_harm_other_bytes_is_refused_with_a_reason(
    data: bytes, fields: Mapping[str, Value | Removal], reason: str
) -> None:
    with pytest.raises(Refused, match=reason) as refusal:
        set_fields(data, index(data, "rules"), 0, fields)

    assert refusal.value.hint


@pytest.mark.parametrize(
    ("cut", "reason"),
    [
        pytest.param((3, 4, b"3"), "change the meaning", id="another-value"),
        pytest.param((3, 4, b"2.0"), "change the meaning", id="another-type"),
        pytest.param((3, 4, b"2\nb: 5"), "change the meaning", id="a-neighbour"),
        pytest.param((3, 4, b"[2"), "not parse", id="no-yaml"),
        pytest.param((8, 12, b"2"), "beyond", id="outside"),
    ],
)
def test_a_plan_that_comes_out_otherwise_than_intended_is_refused(
    cut: tuple[int, int, bytes], reason: str
) -> None:
    window = Window.whole(b"a: 1\nb: 2\n")
    assert window.verified([(3, 4, b"2")], meaning_of({"a": 2, "b": 2}))

    with pytest.raises(Refused, match=reason):
        window.verified([cut], meaning_of({"a": 2, "b": 2}))


def test_a_lone_path_makes_the_mappings_above_it() -> None:
    data = b"calibration:\n  velocity: 1.0  # so far\n  misses: []\n"

    once = apply(data, set_in_document(data, ("calibration", "last", "by"), "x"))
    twice = apply(once, set_in_document(once, ("calibration", "misses", 0), {"story": "S-1"}))
    thrice = apply(twice, set_in_document(twice, ("calibration", "velocity"), 0.8))

    assert thrice == (
        b"calibration:\n  velocity: 0.8  # so far\n"
        b"  misses:\n    - story: S-1\n  last:\n    by: x\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        b"conventions:\n  - id: conv-001\n    rule: one\n\n  # the end\n",
        b"# none yet\nconventions: []\n",
        b"conventions:\n",
        b"",
    ],
)
def test_a_thousand_items_at_once_are_added_as_one_is(data: bytes) -> None:
    texts = ("plain", 'a "quote" & <<more>>', "two\nlines\n", "a\ttab", "- dash: colon # sign", "é")
    items: list[dict[str, Value]] = [
        {"id": f"conv-{number}", "rule": f"{texts[number % 6]} {number}", "roles": ["a", "b"]}
        for number in range(2, 1_200)
    ]
    before = (yaml.safe_load(data) or {}).get("conventions") or []

    edits = add_items(data, "conventions", items)

    assert len(edits) == 1
    assert yaml.safe_load(apply(data, edits))["conventions"] == before + items
