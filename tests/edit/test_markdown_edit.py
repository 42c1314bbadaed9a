import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files

from remem.base.errors import Refused
from remem.edit.markdown import Document, parse
from remem.edit.markdown_edit import (
    append,
    append_under,
    insert_section,
    remove_unit,
    replace_unit,
)

WORDS = st.sampled_from(["tabs", "a  b", "né 界", "x\ny", "x\n\ny", "- z", "# q", "```", "`k`"])


def raws(document: Document) -> list[bytes]:
    return [document.raw(unit) for unit in document.units]


def titles(document: Document) -> list[str]:
    return [heading.title for heading in document.headings]


@settings(max_examples=120)
@given(data=markdown_files(text_only=True), text=WORDS, pick=st.integers(min_value=0))
@example(data=b"\xef\xbb\xbf- after a BOM\n- second", text="new", pick=0)
@example(data=b"- a\r\n- b\r\n", text="x\ny", pick=1)
def test_another_text_for_one_unit_leaves_every_other_byte(
    data: bytes, text: str, pick: int
) -> None:
    document = parse(data)
    assume(document.units)
    index = pick % len(document.units)
    unit = document.units[index]

    try:
        edit = replace_unit(document, index, text)
    except Refused:
        return
    after = parse(edit.apply(data))

    assert (edit.start, edit.end) == (unit.start, unit.end)
    assert raws(after)[:index] == raws(document)[:index]
    assert raws(after)[index + 1 :] == raws(document)[index + 1 :]
    assert titles(after) == titles(document)
    assert after.text(after.units[index]).split() == text.removeprefix("- ").split() or (
        after.text(after.units[index]).split() == text.split()
    )


@settings(max_examples=120)
@given(data=markdown_files(text_only=True, one_end=True), pick=st.integers(min_value=0))
@example(data=b"- a\nlazy\n\n  indented\n", pick=0)
def test_the_same_text_again_changes_nothing(data: bytes, pick: int) -> None:
    document = parse(data)
    assume(document.units)
    index = pick % len(document.units)
    unit = document.units[index]
    text = document.text(unit)
    assume(text.strip("\n") == text and text.splitlines() == text.split("\n"))

    try:
        edit = replace_unit(document, index, text)
    except Refused:
        assume(False)

    assert edit.apply(data) == data


@settings(max_examples=150)
@given(data=markdown_files(text_only=True), pick=st.integers(min_value=0))
@example(data=b"- a\n- b", pick=1)
@example(data=b"## 2026-05-04\n- only\n\n## 2026-05-05\n- next\n", pick=0)
def test_a_removed_unit_takes_nobody_with_it(data: bytes, pick: int) -> None:
    document = parse(data)
    assume(document.units)
    index = pick % len(document.units)

    try:
        edit = remove_unit(document, index)
    except Refused:
        return
    after = parse(edit.apply(data))

    expected = raws(document)
    gone = expected.pop(index)
    assert raws(after) == expected
    assert titles(after) == titles(document)
    assert data[edit.start : edit.end].strip() == gone.strip()


@settings(max_examples=150)
@given(data=markdown_files(text_only=True), blank_lines=st.integers(0, 2))
@example(data=b"- no line end", blank_lines=0)
def test_appending_keeps_the_file_as_its_beginning(data: bytes, blank_lines: int) -> None:
    document = parse(data)

    try:
        edit = append(document, "## 2026-05-04\n- new\n\n", blank_lines=blank_lines)
    except Refused:
        return
    after = edit.apply(data)

    assert after.startswith(data)
    assert raws(parse(after)) == [*raws(document), b"- new"]
    assert titles(parse(after)) == [*titles(document), "2026-05-04"]


@settings(max_examples=150)
@given(data=markdown_files(text_only=True), pick=st.integers(min_value=0))
@example(data=b"\xef\xbb\xbf# A\r\n- a\r\n", pick=0)
@example(data=b"- a\n# A\n- b\n", pick=0)
def test_a_section_that_is_put_before_another_leaves_every_other_byte(
    data: bytes, pick: int
) -> None:
    document = parse(data)
    assume(document.headings)
    index = pick % len(document.headings)
    heading = document.headings[index]

    try:
        edit = insert_section(document, index, "## 2026-05-04\n\n- new\n")
    except Refused:
        return
    after = parse(edit.apply(data))

    assert edit.start == edit.end == heading.start
    expected, place = raws(document), heading.first_unit
    assert raws(after) == [*expected[:place], b"- new", *expected[place:]]
    named = titles(document)
    assert titles(after) == [*named[:index], "2026-05-04", *named[index:]]


def test_an_open_fence_at_the_end_refuses_what_it_would_swallow() -> None:
    with pytest.raises(Refused, match="surrounding text is parsed"):
        append(parse(b"- a\n```\nnever closed\n"), "- b\n")


def test_a_text_that_would_become_two_units_is_refused() -> None:
    with pytest.raises(Refused):
        replace_unit(parse(b"a paragraph\n"), 0, "one\n\ntwo")


def test_an_item_takes_more_lines_at_its_own_indentation() -> None:
    data = b"1. one\r\n2. two\r\n"

    edit = replace_unit(parse(data), 0, "one\n\nmore")

    assert edit.apply(data) == b"1. one\r\n\r\n   more\r\n2. two\r\n"


def test_lines_that_stay_keep_their_bytes() -> None:
    data = b"- head\nlazy line\n      deep\n"

    edit = replace_unit(parse(data), 0, "other\nlazy line\n    deep")

    assert edit.apply(data) == b"- other\nlazy line\n      deep\n"


def test_a_marker_that_is_typed_again_is_not_doubled() -> None:
    assert replace_unit(parse(b"* a\n"), 0, "* b").apply(b"* a\n") == b"* b\n"


def test_removing_a_paragraph_leaves_one_blank_line() -> None:
    data = b"- a\n\nprose\n\n- b\n"

    assert remove_unit(parse(data), 1).apply(data) == b"- a\n\n- b\n"


def test_an_emptied_section_goes_only_on_request() -> None:
    data = b"- head\n\n## 2026-05-04\n- only\n\n## 2026-05-05\n- b\n"

    kept = remove_unit(parse(data), 1).apply(data)
    gone = remove_unit(parse(data), 1, with_empty_section=True).apply(data)

    assert kept == b"- head\n\n## 2026-05-04\n\n## 2026-05-05\n- b\n"
    assert gone == b"- head\n\n## 2026-05-05\n- b\n"


def test_a_section_with_something_else_in_it_stays() -> None:
    data = b"## 2026-05-04\n- a\n\n### Details\n- b\n"

    after = remove_unit(parse(data), 0, with_empty_section=True).apply(data)

    assert after == b"## 2026-05-04\n\n### Details\n- b\n"


def test_the_second_number_stays_an_item_when_the_first_goes() -> None:
    data = b"Steps:\n1. a\n2. b\n"

    assert remove_unit(parse(data), 1).apply(data) == b"Steps:\n\n2. b\n"


def test_what_would_join_its_neighbour_after_a_removal_is_refused() -> None:
    with pytest.raises(Refused):
        remove_unit(parse(b"- a\n\nprose\n\n  indented\n"), 1)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"# A\n\n* x\n\n# B\n", b"# A\n\n* x\n* new\n\n# B\n", id="bullets"),
        pytest.param(b"# A\n1. x\n# B\n", b"# A\n1. x\n2. new\n# B\n", id="numbers"),
        pytest.param(b"# A\nprose\n# B\n", b"# A\nprose\n\n- new\n# B\n", id="prose"),
        pytest.param(b"# A\n# B\n", b"# A\n\n- new\n# B\n", id="nothing"),
        pytest.param(b"# A", b"# A\n\n- new", id="no-line-end"),
    ],
)
def test_a_new_item_stands_last_below_its_heading(data: bytes, expected: bytes) -> None:
    assert append_under(parse(data), 0, "new").apply(data) == expected
