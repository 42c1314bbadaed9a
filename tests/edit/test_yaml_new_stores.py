"""A store that holds an empty list is known at sight, and only then."""

import pytest
from tests.fresh_python import holds

from remem.edit.yaml_index import index


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("decisions: []\n", id="scaffolded"),
        pytest.param("\ufeff# ours\n---\ndecisions:   []", id="mark-comment-start"),
        pytest.param("decisions: [\r\n]\r\n", id="two-lines"),
    ],
)
def test_an_empty_list_has_no_items_and_no_problems(text: str) -> None:
    found = index(text.encode(), "decisions")

    assert (len(found.items), found.problems) == (0, ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("decisons: []\n", "missing-key", id="misspelt"),
        pytest.param("decisions: []\ndecisions: []\n", "duplicate-key", id="twice"),
        pytest.param("decisions: [[]]]\n", "syntax", id="broken"),
    ],
)
def test_what_only_looks_like_it_is_looked_at_exactly(text: str, code: str) -> None:
    found = index(text.encode(), "decisions")

    assert [problem.code for problem in found.problems] == [code]


def test_a_new_store_is_read_without_the_slow_parser() -> None:
    script = (
        "import sys\n"
        "from remem.edit.yaml_index import index\n"
        "index(b'decisions: []\\n', 'decisions')\n"
        "assert 'ruamel' not in sys.modules\n"
        "index(b'decisions: [', 'decisions')\n"
        "assert 'ruamel' in sys.modules\n"
    )

    holds(script)
