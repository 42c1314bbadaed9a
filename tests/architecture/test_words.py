"""What a person reads has one word for one thing."""

import ast
import re
from collections.abc import Iterator

import pytest
from tests.architecture.code import Module, modules

OTHERS = re.compile(r"\b(?:waiting|pending|undecided)\b", re.IGNORECASE)
"""What else items to review might be called."""
MEANT = {"waiting for an answer"}
"""What waits there is no item: a program was asked."""
DOORS = [module for module in modules() if module.name.startswith(("cli/", "tui/", "views/"))]


def written(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are sentences or parts of one, docstrings left out."""
    said = {
        id(node.value)
        for node in module.nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in module.nodes:
        if not isinstance(node, ast.Constant) or id(node) in said:
            continue
        # A single word is a key or an id.
        if isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def test_items_to_review_are_called_nothing_else() -> None:
    found = [
        (module.name, line, text)
        for module in DOORS
        for line, text in written(module)
        if OTHERS.search(text) and text not in MEANT
    ]

    assert found == []


@pytest.mark.parametrize("text", ["3 waiting", "Nothing pending here", "2 items, undecided"])
def test_a_text_that_calls_them_otherwise_is_seen(text: str) -> None:
    module = Module("cli/x.py", f'"""Two waiting."""\nsay({text!r}, key="pending")')

    assert [each for each in written(module) if OTHERS.search(each[1])] == [(2, text)]
