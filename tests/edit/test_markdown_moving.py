"""Several units at once: taking them out, and putting others where they belong."""

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.markdown_files import markdown_files

from remem.base.errors import Refused
from remem.edit.markdown import Document, parse
from remem.edit.markdown_edit import applied, insert_before, insert_under, remove_units

ITEM = "- a new one\n"


def units(data: bytes) -> list[bytes]:
    document = parse(data)
    return [document.raw(unit) for unit in document.units]


def headings(document: Document) -> list[str]:
    return [heading.title for heading in document.headings]


@settings(max_examples=80)
@given(data=markdown_files(), picks=st.sets(st.integers(0, 30), min_size=1))
def test_units_that_leave_together_take_nobody_with_them(data: bytes, picks: set[int]) -> None:
    document = parse(data)
    assume(document.units)
    gone = {pick % len(document.units) for pick in picks}

    try:
        edits = remove_units(document, gone)
    except Refused:
        return
    after = applied(data, edits)

    assert units(after) == [raw for i, raw in enumerate(units(data)) if i not in gone]
    assert headings(parse(after)) == headings(document)
    assert all(one.end <= other.start for one, other in itertools.pairwise(edits))


@settings(max_examples=80)
@given(data=markdown_files(), pick=st.integers(0, 12))
def test_a_unit_joins_a_section_and_every_other_unit_stays(data: bytes, pick: int) -> None:
    document = parse(data)
    heading = pick % (len(document.headings) + 1) - 1

    try:
        edit = insert_under(document, heading, ITEM)
    except Refused:
        return
    after = edit.apply(data)

    assert edit.start == edit.end
    found = parse(after)
    new = next(unit for unit in found.units if found.raw(unit) == ITEM.strip().encode())
    assert sorted(units(after)) == sorted([*units(data), ITEM.strip().encode()])
    assert new.heading == heading


@settings(max_examples=80)
@given(data=markdown_files(), pick=st.integers(0, 12))
def test_a_unit_stands_right_before_the_one_that_is_named(data: bytes, pick: int) -> None:
    document = parse(data)
    assume(document.units)
    pick %= len(document.units)

    try:
        edit = insert_before(document, pick, ITEM)
    except Refused:
        return
    after = units(edit.apply(data))

    before = units(data)
    assert after == [*before[:pick], ITEM.strip().encode(), *before[pick:]]


@pytest.mark.parametrize(
    ("data", "gone", "expected"),
    [
        pytest.param("# A\n\n- a\n- b\n- c\n", {0, 1}, "# A\n\n- c\n", id="tight-list"),
        pytest.param("# A\n\n- a\n\n- b\n\n- c\n", {0, 2}, "# A\n\n- b\n\n", id="loose-list"),
        pytest.param("- a\r\n- b\r\n## X\r\n", {0, 1}, "## X\r\n", id="crlf"),
        pytest.param("prose\n\n| a |\n\n- b", {0, 1}, "- b", id="prose-and-table"),
    ],
)
def test_what_is_left_after_several_removals(data: str, gone: set[int], expected: str) -> None:
    edits = remove_units(parse(data.encode()), gone)

    assert applied(data.encode(), edits).decode() == expected


@pytest.mark.parametrize(
    ("data", "heading", "expected"),
    [
        pytest.param("", -1, "- a new one\n", id="empty"),
        pytest.param("## X\n- a\n", -1, "- a new one\n\n## X\n- a\n", id="head"),
        pytest.param("- a\n\n## X\n", -1, "- a\n- a new one\n\n## X\n", id="list-of-the-head"),
        pytest.param("## X\n- a\n\n- b\n", 0, "## X\n- a\n\n- b\n\n- a new one\n", id="loose"),
        pytest.param("## X\nprose\n## Y\n", 0, "## X\nprose\n\n- a new one\n## Y\n", id="prose"),
        pytest.param("## X\r\n- a", 0, "## X\r\n- a\r\n- a new one", id="crlf-no-line-end"),
    ],
)
def test_a_bullet_joins_a_section_as_a_person_would_write_it(
    data: str, heading: int, expected: str
) -> None:
    edit = insert_under(parse(data.encode()), heading, ITEM)

    assert edit.apply(data.encode()).decode() == expected


def test_a_block_without_text_is_refused() -> None:
    with pytest.raises(Refused, match="no text"):
        insert_under(parse(b"- a\n"), -1, "\n")
