"""A new file says what it was given, to every reader."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from remem.edit.yaml_read import Value, parse_document
from remem.edit.yaml_write import is_plain_safe, render, scalar

TEXT = st.sampled_from(
    [
        "no",
        "12:30",
        "010",
        "1_000",
        "0x1F",
        "2026-02-22",
        "~",
        "<<",
        "=",
        "a: b",
        "a #b",
        "- x",
        "x\ny\n",
        " x",
        "x ",
        "",
        "é",
        "y",
        "1e3",
        ".5",
        "+1",
        "null",
        "\u2028",
        "\ud7ff",
        "'",
        '"',
        "\\\\",
        "@a",
        "`",
    ]
) | st.text(st.characters(codec="utf-8"), max_size=12)
SCALARS = (
    TEXT
    | st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.sampled_from([0.5, 1.0, 1e15])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(value=st.dictionaries(TEXT, VALUES, max_size=4), header=TEXT)
@example(value={"seen": [[{"a": ["x\ny"]}]]}, header="two\nlines")
def test_a_new_file_reads_back_as_it_was_given(value: dict[str, Any], header: str) -> None:
    data = render(value, header)

    document = parse_document(data)

    assert document.problems == ()
    assert json.dumps(document.value) == json.dumps(value)
    if "<<" not in str(value) and "=" not in str(value):
        assert yaml.safe_load(data) == value
        assert json.dumps(YAML(typ="safe", pure=True).load(data.decode())) == json.dumps(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("conv-001", "conv-001"),
        ("Use one clock", '"Use one clock"'),
        ("2026-02-22", '"2026-02-22"'),
        ("a: b", '"a: b"'),
        ("No", '"No"'),
        ("tab\t", '"tab\\t"'),
        (0.7600001, "0.76"),
        (1.0, "1.0"),
        (-0.00001, "0.0"),
        (True, "true"),
        (None, "null"),
        ("\u202e", '"\\u202e"'),
        ("\U000e0041", '"\\U000e0041"'),
    ],
)
def test_a_scalar_is_written_so_that_no_reader_takes_it_for_something_else(
    value: bool | float | str | None, text: str
) -> None:
    assert scalar(value) == text


def test_a_file_is_written_as_people_write_one() -> None:
    item: dict[str, Value] = {
        "id": "c-1",
        "rule": "One clock",
        "tags": ["a", "b"],
        "seen": [{"ref": "r"}],
        "why": "x\ny\n",
    }

    data = render({"rules": [item], "none": []}, "Rules of the team\n\nkept by hand")

    assert data.decode() == (
        "# Rules of the team\n#\n# kept by hand\n"
        "rules:\n"
        "  - id: c-1\n"
        '    rule: "One clock"\n'
        "    tags: [a, b]\n"
        "    seen:\n"
        "      - ref: r\n"
        "    why: |\n"
        "      x\n"
        "      y\n"
        "none: []\n"
    )


@settings(max_examples=300, deadline=None)
@given(text=TEXT | st.text("ab1²٣_ Ⅷü漢-.(#\n'’\u0301", max_size=6))
def test_a_text_is_plain_where_it_begins_with_a_letter_and_holds_words_and_marks(text: str) -> None:
    is_of_that_shape = re.fullmatch(r"[^\W\d_][\w ./()+@%&*'’=–—:,;!?-]*", text)

    assert is_of_that_shape or not is_plain_safe(text)
    assert not is_of_that_shape or is_plain_safe(text + "x") or re.search(r": | #|:$", text)
