"""The package's own code as syntax trees, for tests of what may stand where."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "src" / "remem"


@dataclass(frozen=True)
class Module:
    """One module of remem."""

    name: str
    """Its path below the package, with slashes: `store/io.py`."""
    text: str
    tree: ast.Module

    def calls(self) -> Iterator[ast.Call]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.Call))

    def imports(self) -> Iterator[tuple[str, int]]:
        """Yield the dotted name of everything that is imported, with its line."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module, node.lineno
                yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.append(Module(path.relative_to(PACKAGE).as_posix(), text, ast.parse(text)))
    return tuple(found)


def outside(*allowed: str) -> Iterator[Module]:
    """Yield the modules whose names begin with none of `allowed`."""
    return (module for module in modules() if not module.name.startswith(allowed))


def importers_of(names: set[str], *, allowed: tuple[str, ...]) -> list[str]:
    """Return where one of these packages is imported outside the allowed modules."""
    return sorted(
        f"{module.name}:{line} imports {name}"
        for module in outside(*allowed)
        for name, line in set(module.imports())
        if name in names or name.split(".")[0] in names
    )


def callers_of(is_forbidden: Callable[[str], bool], *, allowed: tuple[str, ...]) -> list[str]:
    """Return the calls outside the allowed modules whose dotted name is forbidden."""
    return [
        f"{module.name}:{call.lineno} calls {dotted(call.func)}"
        for module in outside(*allowed)
        for call in module.calls()
        if is_forbidden(dotted(call.func))
    ]


def dotted(node: ast.expr) -> str:
    """Return `self._disk.read` for such an expression; `()` stands for what has no name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "()"
