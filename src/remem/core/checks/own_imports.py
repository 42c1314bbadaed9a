"""Finds imports of a project's own modules where a path relative to the file names them.

A relative import is resolved against the file that it stands in and compared by whole names of
folders. What a module takes from itself is no import of it. A name without a folder may also be
that of a package: it counts only where a manifest above the file says that it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.code.changed_lines import ChangedFile, Tree
from remem.core.checks.code_imports import FROM, PYTHON, SCRIPTS, declared_in, is_manifest
from remem.core.checks.patterns import Place, places

if TYPE_CHECKING:
    from regex import Match as _Match

    Match: TypeAlias = _Match[str]

_SPECIFIER: Final = (
    rf"^[ \t]*(?:import|export)\s+(?:type\s+)?{FROM}\K[\"'](?P<a>\.[^\"'\n]*)[\"']"
    r"|\b(?:require|import)\s*\(\s*[\"'](?P<b>\.[^\"'\n]*)[\"']"
)
_FROM_IMPORT: Final = (
    r"^[ \t]*from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import\b[ \t]*"
    r"(?P<names>\([^()]*\)|[^\n;]*)"
)
_ENDING: Final = re.compile(r"\.(?:[cm]?[jt]sx?|d\.ts|vue|svelte|json)$")
_NAME: Final = re.compile(r"(\w+)(?:\s+as\s+\w+)?")
Parts: TypeAlias = tuple[str, ...]


def own_imports(file: ChangedFile, modules: Sequence[str], tree: Tree) -> tuple[Place, ...]:
    """Return where added lines import one of these modules by a path of the project.

    Args:
        file: One of a language that has relative imports; another has none.
        modules: Names between slashes or points, from any folder of the project.
        tree: Says which packages the project declares.

    Raises:
        NotChecked: The file takes too long.
    """
    ending = file.path.rpartition(".")[2]
    if ending in SCRIPTS:
        wanted = [tuple(each.strip("/").split("/")) for each in modules]
    elif ending in PYTHON:
        wanted = [tuple(re.split(r"[./]", each.strip("./"))) for each in modules]
    else:
        return ()
    text = "\n".join(file.lines)
    wanted = [each for each in wanted if each[-1] in text]
    if not wanted:
        return ()
    if ending in SCRIPTS:

        def is_met(match: Match) -> bool:
            named = _ENDING.sub("", match["a"] or match["b"])
            return _is_among(file, wanted, [_walked(file, named.split("/"))], tree)

        return places(_SPECIFIER, file, ("code", "strings"), is_met)

    def is_from(match: Match) -> bool:
        if match["dots"]:
            return _is_among(file, wanted, [*_python(file, match)], tree)
        # `from package import module` names the module without saying that it is one.
        return any((*match["module"].split("."), each) in wanted for each in _names(match))

    return places(_FROM_IMPORT, file, ("code",), is_from)


def _is_among(
    file: ChangedFile, wanted: Sequence[Parts], paths: Sequence[Parts | None], tree: Tree
) -> bool:
    own = _parts(file.path)
    return any(
        _leads_to(path, module, own) and (len(module) > 1 or _is_own(file, module[0], tree))
        for path in paths
        if path is not None
        for module in wanted
    )


def _leads_to(path: Parts, module: Parts, own: Parts) -> bool:
    """Tell whether a module is on the path, and the file that asks lies outside of it."""
    ends = range(len(module), len(path) + 1)
    return any(path[end - len(module) : end] == module and own[:end] != path[:end] for end in ends)


def _parts(path: str) -> Parts:
    return tuple(_ENDING.sub("", path).removesuffix(".py").split("/"))


def _walked(file: ChangedFile, steps: Sequence[str]) -> Parts | None:
    """Return the path that steps from a file lead to; `None` = out of the project."""
    path = file.path.split("/")[:-1]
    for step in steps:
        if step == "..":
            if not path:
                return None
            path.pop()
        elif step not in ("", "."):
            path.append(step)
    return tuple(path)


def _python(file: ChangedFile, match: Match) -> Iterator[Parts | None]:
    """Yield what `from ..module import names` may name: the module, and each name as one."""
    module = [each for each in match["module"].split(".") if each]
    start = [*[".."] * (len(match["dots"]) - 1), *module]
    yield _walked(file, start)
    for name in _names(match):
        yield _walked(file, [*start, name])


def _names(match: Match) -> list[str]:
    return _NAME.findall(match["names"])


def _is_own(file: ChangedFile, name: str, tree: Tree) -> bool:
    """Tell whether the manifests above a file declare no package of this name."""
    folders = file.path.split("/")[:-1]
    above = {"/".join(folders[:depth]) for depth in range(len(folders) + 1)}
    manifests = [
        path for path in tree.after if is_manifest(path) and path.rpartition("/")[0] in above
    ]
    if not manifests:
        return False
    read = (ChangedFile(path, tuple(tree.read(path)), None) for path in manifests)
    return not any(declared_in(each, name) for each in read)
