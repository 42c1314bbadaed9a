"""Text reaches a widget as `Content`, and a toast without markup: nothing from disk is obeyed."""

import ast
from collections.abc import Iterator

import pytest
from tests.architecture.code import Module, dotted, modules

GATES = {"content", "Content"}
"""What makes `Content` of text; `tui/content.py` passes all of it through `safe_text`."""
WIDGETS = {
    *("Static", "Label", "Button", "Checkbox", "RadioButton", "ToggleButton", "Link", "Markdown"),
    *("Collapsible", "Option", "TabPane", "Select", "SelectionList", "Placeholder", "Pretty"),
}
"""Widgets of Textual that read a plain string as markup."""
TITLES = {"border_title", "border_subtitle", "tooltip"}


def is_gated(text: ast.expr) -> bool:
    """Tell whether this expression cannot carry markup: made by a gate, or written here."""
    if isinstance(text, ast.Constant):
        return text.value is None or (isinstance(text.value, str) and "[" not in text.value)
    if isinstance(text, ast.Call):
        return dotted(text.func).partition(".")[0] in GATES
    return isinstance(text, ast.IfExp) and is_gated(text.body) and is_gated(text.orelse)


def shown_texts(module: Module) -> Iterator[tuple[int, ast.expr]]:
    """Yield what is given to widgets as text, with its line."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and node.args:
            name = dotted(node.func)
            # Only a widget's `update` is called on what `query_one` found.
            if name in WIDGETS or (name == "().update" and _is_query(node.func)):
                yield node.lineno, node.args[0]
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr in TITLES:
                    yield node.lineno, node.value


def toasts(module: Module) -> Iterator[ast.Call]:
    return (call for name, call in module.calls if f".{name}".endswith(".notify"))


def _is_query(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Call)
        and dotted(function.value.func).endswith("query_one")
    )


SCREENS = [module for module in modules() if module.name.startswith("tui/")]


@pytest.mark.parametrize("module", SCREENS, ids=lambda module: module.name)
def test_every_text_of_a_widget_went_through_the_gate(module: Module) -> None:
    assert [line for line, text in shown_texts(module) if not is_gated(text)] == []


@pytest.mark.parametrize("module", SCREENS, ids=lambda module: module.name)
def test_every_toast_is_without_markup_and_safe(module: Module) -> None:
    for call in toasts(module):
        markup = [word.value for word in call.keywords if word.arg == "markup"]

        assert markup, f"{module.name}:{call.lineno} lets a toast read markup"
        assert isinstance(markup[0], ast.Constant)
        assert markup[0].value is False
        assert not _raw_parts(call.args[0]), f"{module.name}:{call.lineno} shows text as it came"


def _raw_parts(text: ast.expr) -> list[str]:
    """Return the parts of a message that no gate made safe."""
    if isinstance(text, ast.Constant) or (
        isinstance(text, ast.Call) and dotted(text.func) in {"safe_text", "count"}
    ):
        return []
    if isinstance(text, ast.JoinedStr):
        values = [part.value for part in text.values if isinstance(part, ast.FormattedValue)]
        return [raw for value in values for raw in _raw_parts(value)]
    # The plain text of `Content`, or what a line above made.
    if isinstance(text, ast.Name) or (isinstance(text, ast.Attribute) and is_gated(text.value)):
        return []
    return [ast.unparse(text)]


@pytest.mark.parametrize(
    ("source", "gated"),
    [
        ("content(entry.title)", True),
        ("Content('x')", True),
        ("'Keys'", True),
        ("entry.title", False),
        ("f'{entry.title}'", False),
        ("'[b]' + name", False),
        ("'[b]Keys[/b]'", False),
        ("safe_text(entry.title)", False),
    ],
)
def test_that_gate_tells_apart(source: str, gated: bool) -> None:
    assert is_gated(ast.parse(source, mode="eval").body) is gated
