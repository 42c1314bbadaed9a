"""One cell before a row is for its sign, so that all names of a list start in one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from tests.demo_files import demo_at

from remem.core.session import Session
from remem.core.settings import Places
from remem.demo.build import home_of
from remem.model.entry import Status
from remem.views.entries.browse import entry_row, everyone_in, source_tree
from remem.views.list_rows import Node
from remem.views.review.groups import row_of
from remem.views.signs import BY_STATUS, DANGER, PROBLEM
from remem.views.spans import plain


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Return an open demo that nothing writes to."""
    project = demo_at(tmp_path_factory.mktemp("demo") / "demo")
    return Session.open(project, Places.of(home_of(project)), door="tui")


def test_an_entry_with_a_problem_starts_in_the_column_of_all_titles(bench: Session) -> None:
    wrong = next(e for e in bench.library.entries() if e.title.startswith("Try the scanner"))
    right = next(e for e in bench.library.entries() if e.status is Status.CANDIDATE)

    row, other = entry_row(bench.library, wrong), entry_row(bench.library, right)

    assert wrong.problems
    assert row.glyph == PROBLEM.drawn
    assert plain(row.label) == wrong.row_text
    assert other.glyph == BY_STATUS[Status.CANDIDATE]


def test_a_file_with_a_problem_says_so_beside_its_size(bench: Session) -> None:
    library = bench.library
    tree = source_tree(library, everyone_in(library), bench.counter, documents=True)
    wrong = {source.path for source in library.sources if source.problems}

    shown = [node for node in _all(tree) if node.key in {("source", path) for path in wrong}]

    assert shown
    for node in shown:
        assert plain(node.label)[:1] not in (PROBLEM.drawn.text, DANGER.drawn.text)
        assert plain(node.right).startswith(("! ", "‼ "))


def test_a_suspicious_item_has_its_danger_in_the_place_of_its_reason(bench: Session) -> None:
    item = next(item for item in bench.queue() if item.suspects)

    row = row_of(item, "")

    assert row.glyph == DANGER.drawn
    assert plain(row.label).startswith(item.title[:30])


def _all(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _all(node.children)
