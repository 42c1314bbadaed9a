"""Modules stay small, say what they are for, and hold nothing unfinished."""

import ast
import io
import tokenize

from tests.architecture.code import dotted, modules

MAX_LINES = 800
"""What the biggest of concepts may take; a file is one concept (DESIGN §2)."""


def test_no_module_is_two() -> None:
    lines = {module.name: module.text.count("\n") for module in modules()}

    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}


def test_every_module_says_what_it_owns() -> None:
    silent = [m.name for m in modules() if m.tree.body and not ast.get_docstring(m.tree)]

    assert silent == []


def test_every_public_function_and_class_says_what_it_is() -> None:
    silent = [
        f"{module.name}:{node.lineno} {node.name}"
        for module in modules()
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]

    assert silent == []


def test_no_function_is_longer_than_sixty_lines() -> None:
    long = {
        f"{module.name}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        # One statement of any length is a table.
        and len(node.body) - (ast.get_docstring(node) is not None) > 1
    }

    assert {name: lines for name, lines in long.items() if lines > 60} == {}


def test_nothing_is_left_for_later() -> None:
    words = ("TODO", "FIXME", "XXX")
    left = [
        f"{module.name}:{token.start[0]} {token.string}"
        for module in modules()
        if any(word in module.text for word in words)
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline)
        if token.type == tokenize.COMMENT and any(word in token.string for word in words)
    ]

    assert left == []


def test_what_a_base_class_leaves_open_somebody_fills() -> None:
    functions = [
        (module.name, node)
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    written = [node.name for _, node in functions if not _is_open(node)]

    left = [f"{name}:{node.lineno}" for name, node in functions if _is_open(node)]
    filled = {node.name for _, node in functions if _is_open(node)} <= set(written)
    assert filled, left


def test_no_thread_of_the_screens_is_named_after_what_it_is_given() -> None:
    """Textual writes out every argument for a name: of a prompt of 5,000 lines at each key."""
    nameless = [
        f"{module.name}:{function.lineno} {function.name}"
        for module in modules()
        for function in module.nodes
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        if len(function.args.args) + len(function.args.kwonlyargs) > 1
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and dotted(mark.func) == "work"
        if "description" not in {each.arg for each in mark.keywords}
    ]

    assert nameless == []


def test_no_module_is_called_by_what_it_is_not() -> None:
    vague = {"utils", "helpers", "manager", "common", "misc", "types", "constants"}

    assert [m.name for m in modules() if vague & set(m.name.removesuffix(".py").split("/"))] == []


def _is_open(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether all that the function does is to say that it is not implemented."""
    last = function.body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return False
    raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    return dotted(raised) == "NotImplementedError"
