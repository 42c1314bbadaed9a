import re

import pytest
from hypothesis import example, given, settings
from tests.markdown_files import markdown_files

from remem.edit.markdown import BOM, Document, Kind, front_matter_end, is_text, parse

RULE = re.compile(rb"[ \t]*([-*_])([ \t]*\1){2,}[ \t]*")


def kinds(document: Document) -> list[Kind]:
    return [unit.kind for unit in document.units]


def texts(data: bytes) -> list[str]:
    document = parse(data)
    return [document.text(unit) for unit in document.units]


@settings(max_examples=120)
@given(data=markdown_files())
@example(data=b"- a\n\n\n  b\n")
@example(data=b"```\n# not a heading\n")
@example(data=b"---\nname: x\n---\ntext")
def test_every_line_with_text_belongs_to_exactly_one_unit_heading_or_rule(data: bytes) -> None:
    document = parse(data)
    covered = [0] * len(data)
    for unit in document.units:
        for at in range(unit.start, unit.end):
            covered[at] += 1
    headings = {heading.start for heading in document.headings}

    at = len(BOM) if data.startswith(BOM) else 0
    for line in data[at:].splitlines(keepends=True):
        text = line.rstrip(b"\r\n")
        counts = set(covered[at : at + len(text)])
        if at in headings:
            assert counts == {0}
        elif text.strip():
            assert counts == {1} or (counts == {0} and RULE.fullmatch(text))
        at += len(line)


@settings(max_examples=120)
@given(data=markdown_files())
def test_units_and_what_lies_between_them_are_the_file(data: bytes) -> None:
    document = parse(data)

    parts, at = [], 0
    for unit in document.units:
        parts += [data[at : unit.start], document.raw(unit)]
        at = unit.end

    assert b"".join([*parts, data[at:]]) == data
    assert all(unit.start < unit.end for unit in document.units)


def test_an_item_takes_its_indented_lazy_and_fenced_lines_with_it() -> None:
    data = b"- first\nlazy\n\n  more\n  ```\n# no heading\n  ```\n- second\n"

    assert texts(data) == ["first\nlazy\n\nmore\n```\n# no heading\n```", "second"]


def test_paragraph_table_and_fence_between_items_are_units_of_their_own() -> None:
    data = b"- a\n\nprose\ngoes on\n| x |\n|---|\n```\n- no item\n```\n1. b\n"

    document = parse(data)

    assert kinds(document) == [Kind.ITEM, Kind.PARAGRAPH, Kind.TABLE, Kind.FENCE, Kind.ITEM]
    assert document.text(document.units[-1]) == "b"


def test_two_blanks_below_a_numbered_item_are_enough() -> None:
    assert texts(b"1. a\n  - b\n2. c\n") == ["a\n- b", "c"]


def test_a_wrapped_line_that_starts_with_a_number_stays_in_its_paragraph() -> None:
    assert texts(b"we shipped in\n2026. It held.\n") == ["we shipped in\n2026. It held."]


def test_headings_in_fences_do_not_count_and_closing_hashes_fall_away() -> None:
    data = b"# One ##\n~~~\n# two\n~~~\n    # three\n\n#four\n   ### Five\n"

    headings = parse(data).headings

    assert [(heading.level, heading.title) for heading in headings] == [(1, "One"), (3, "Five")]


def test_a_path_holds_the_headings_that_enclose_a_unit() -> None:
    document = parse(b"# A\n### B\n## C\n- x\n# D\n- y\n")

    paths = [[h.title for h in document.path(unit.heading)] for unit in document.units]

    assert paths == [["A", "C"], ["D"]]


def test_front_matter_is_one_unit_and_its_comments_are_no_headings() -> None:
    data = b"---\nname: x\n# a comment\n---\n- y\n"

    document = parse(data)

    assert kinds(document) == [Kind.FRONT_MATTER, Kind.ITEM]
    assert document.headings == ()
    assert data[front_matter_end(data) :] == b"- y\n"


def test_a_rule_at_the_top_is_not_front_matter() -> None:
    assert front_matter_end(b"---\n\n# Title\n\n---\n") == 0
    assert front_matter_end(b"---\n# Title\n---\n") == 0
    assert front_matter_end(b"---\n# who\nname: x\n---\ntext") == 22
    assert front_matter_end(b"---\nname: never closed\n") == 0


def test_nul_and_broken_utf_8_are_not_text() -> None:
    assert is_text("né".encode())
    assert not is_text(b"a\0b")
    assert not is_text(b"\xff")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"".join(b" " * (2 * n) + b"- x\n" for n in range(2_000)), id="nested"),
        pytest.param(b"+ " * 500_000, id="markers"),
        pytest.param(b"* - " * 250_000, id="mixed-markers"),
        pytest.param(b"#" * 1_000_000, id="hashes"),
        pytest.param(b"# " + b"# " * 500_000, id="closing-hashes"),
        pytest.param(b"`" * 1_000_000, id="ticks"),
        pytest.param(b"> " * 500_000, id="quotes"),
        pytest.param(b"-" + b" \t" * 500_000 + b"x", id="blanks"),
        pytest.param(b"- ```\n" * 20_000, id="fences"),
    ],
)
def test_hostile_shapes_do_not_hold_the_reader(data: bytes) -> None:
    """Quadratic work would need hours here."""
    document = parse(data)

    assert document.units or document.headings


def test_a_list_nested_2_000_deep_is_one_unit() -> None:
    data = b"".join(b" " * (2 * n) + b"- x\n" for n in range(2_000))

    assert len(parse(data).units) == 1
