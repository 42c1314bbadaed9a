"""The package's own code as syntax trees, for tests of what may stand where."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "src" / "remem"


@dataclass(frozen=True)
class Module:
    """One module of remem; it is parsed when somebody first asks, and walked over once."""

    name: str
    """Its path below the package, with slashes: `store/io.py`."""
    made_up: str = ""
    """What it says where no such file is there."""

    @cached_property
    def text(self) -> str:
        return self.made_up or (PACKAGE / self.name).read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def calls(self) -> tuple[tuple[str, ast.Call], ...]:
        """Every call, with the dotted name of what is called."""
        return tuple((dotted(node.func), node) for node in self.nodes if isinstance(node, ast.Call))

    @cached_property
    def imports(self) -> frozenset[tuple[str, int]]:
        """The dotted name of everything that is imported, with its line."""
        return frozenset(self._imports())

    def _imports(self) -> Iterator[tuple[str, int]]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module, node.lineno
                yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


@cache
def modules() -> tuple[Module, ...]:
    return tuple(
        Module(path.relative_to(PACKAGE).as_posix()) for path in sorted(PACKAGE.rglob("*.py"))
    )


def outside(*allowed: str) -> Iterator[Module]:
    """Yield the modules whose names begin with none of `allowed`."""
    return (module for module in modules() if not module.name.startswith(allowed))


def importers_of(names: set[str], *, allowed: tuple[str, ...]) -> list[str]:
    """Return where one of these packages is imported outside the allowed modules."""
    return sorted(
        f"{module.name}:{line} imports {name}"
        for module in outside(*allowed)
        for name, line in module.imports
        if name in names or name.split(".")[0] in names
    )


def callers_of(is_forbidden: Callable[[str], bool], *, allowed: tuple[str, ...]) -> list[str]:
    """Return the calls outside the allowed modules whose dotted name is forbidden."""
    return [
        f"{module.name}:{call.lineno} calls {name}"
        for module in outside(*allowed)
        for name, call in module.calls
        if is_forbidden(name)
    ]


def dotted(node: ast.expr) -> str:
    """Return `self._disk.read` for such an expression; `()` stands for what has no name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "()"
