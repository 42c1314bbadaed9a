"""Holds paths against globs, in time that a glob cannot blow up."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from remem.base.frozen import dataclass

_Token: TypeAlias = "str | re.Pattern[str]"
_STAR: Final = "*"
_DEEP: Final = "**"
_ONE: Final = "?"
_WILD: Final = re.compile(r"[*?\[{]")
_PART: Final = re.compile(r"\*\*+|\*|\?|\[[^\]/\\]+\]|.", re.DOTALL)
_BELOW: Final = re.compile(r"(?P<folder>(?:[^*?\[{]*/)?)\*\*(?:/\*(?P<end>[^*?\[{/]*))?")
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_MOST: Final = 64
"""Alternatives that braces may make; a glob with more is read as it is written."""


def is_inside(path: str, glob: str) -> bool:
    """Tell whether a path, or a glob that stands for paths, lies inside a glob."""
    path = path.removeprefix("./")
    plain, odd = _told_apart(glob)
    return (
        path == glob
        or any(each.has(path) for each in plain)
        or any(_fits(path, tokens) for tokens in odd)
    )


def overlaps(one: str, other: str) -> bool:
    """Tell whether one is the literal beginning of the other, up to its first wildcard."""
    a, b = _literal(one), _literal(other)
    return a.startswith(b) or b.startswith(a)


def _literal(glob: str) -> str:
    wild = _WILD.search(glob)
    return (glob[: wild.start()] if wild else glob).removeprefix("./")


@dataclass(frozen=True, slots=True)
class _Below:
    """Globs such as `src/**` or `src/**/*.ts`, as most are: files by folder and end."""

    folder: str
    ends: tuple[str, ...]

    def has(self, path: str) -> bool:
        return path.startswith(self.folder) and path[len(self.folder) :].endswith(self.ends)


@lru_cache(maxsize=512)
def _told_apart(glob: str) -> tuple[tuple[_Below, ...], tuple[tuple[_Token, ...], ...]]:
    """Return the alternatives that need no walk, those of one folder together, and the others."""
    ends: dict[str, list[str]] = {}
    odd: list[tuple[_Token, ...]] = []
    for tokens in _alternatives(glob):
        found = _BELOW.fullmatch("".join(map(str, tokens)))
        if found and all(isinstance(each, str) for each in tokens):
            ends.setdefault(found["folder"], []).append(found["end"] or "")
        else:
            odd.append(tokens)
    return tuple(_Below(folder, tuple(each)) for folder, each in ends.items()), tuple(odd)


@lru_cache(maxsize=512)
def _alternatives(glob: str) -> tuple[tuple[_Token, ...], ...]:
    parts = _BRACES.split(glob.removeprefix("./"))
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    made = 1
    for each in choices:
        made *= len(each)
    globs = ["".join(each) for each in product(*choices)] if made <= _MOST else [glob]
    return tuple(tuple(map(_token, _PART.findall(each))) for each in globs)


def _token(part: str) -> _Token:
    if len(part) > 1 and part.startswith("["):
        try:
            return re.compile(part.replace("[!", "[^", 1))
        except re.error:
            return part
    return _DEEP if part.startswith(_DEEP) else part


def _fits(path: str, tokens: tuple[_Token, ...]) -> bool:
    """Walk all readings of the tokens at once, character by character."""
    if not path.endswith(_tail(tokens)):
        return False
    now = _reached({0}, tokens)
    for char in path:
        now = _reached({to for at in now for to in _after(at, tokens, char)}, tokens)
    return len(tokens) in now


@lru_cache(maxsize=4096)
def _tail(tokens: tuple[_Token, ...]) -> str:
    """Return what every path ends in: most paths are told apart by it, without a walk."""
    end = len(tokens)
    while end and isinstance(tokens[end - 1], str) and tokens[end - 1] not in (_STAR, _DEEP, _ONE):
        end -= 1
    return "".join(str(token) for token in tokens[end:])


def _reached(places: set[int], tokens: tuple[_Token, ...]) -> set[int]:
    """Add where one comes without a character: a star may stand for nothing, `**/` as well."""
    found, left = set(places), list(places)
    while left:
        at = left.pop()
        ahead = []
        if at < len(tokens) and tokens[at] in (_STAR, _DEEP):
            ahead.append(at + 1)
            if tokens[at] == _DEEP and tokens[at + 1 : at + 2] == ("/",):
                ahead.append(at + 2)
        left += (place for place in ahead if place not in found)
        found.update(ahead)
    return found


def _after(at: int, tokens: tuple[_Token, ...], char: str) -> tuple[int, ...]:
    if at >= len(tokens):
        return ()
    token = tokens[at]
    if not isinstance(token, str):
        return (at + 1,) if char != "/" and token.fullmatch(char) else ()
    if token == _DEEP:
        return (at,)
    if token == _STAR:
        return (at,) if char != "/" else ()
    fits = char == token or (token == _ONE and char != "/")
    return (at + 1,) if fits else ()
