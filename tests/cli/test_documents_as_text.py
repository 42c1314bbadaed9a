"""A document is written in one pass, and is byte for byte what the standard library writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.views.documents.document import Document, Part


class Piece(Part):
    name: str
    held: Any


class Page(Document):
    pieces: tuple[Piece, ...]
    told: Mapping[Any, Any]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.text() | st.integers() | st.booleans() | st.none()


@pytest.mark.slow
@given(
    held=st.lists(st.tuples(st.text(), PLAIN), max_size=3),
    told=st.dictionaries(KEYS, PLAIN, max_size=3),
)
def test_a_document_reads_as_the_standard_library_writes_it(
    held: list[tuple[str, Any]], told: dict[Any, Any]
) -> None:
    page = Page(pieces=tuple(Piece(name=name, held=each) for name, each in held), told=told)

    assert page.to_json() == json.dumps(page.to_values(), indent=2)


def test_a_name_with_a_byte_that_is_no_text_is_written_out() -> None:
    page = Page(pieces=(Piece(name="\udcff", held=["\udc80"]),), told={})

    assert page.to_json() == json.dumps(page.to_values(), indent=2)
    assert json.loads(page.to_json())["pieces"][0]["name"] == "\\udcff"
