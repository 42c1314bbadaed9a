"""Holds paths against globs, in time that a glob cannot blow up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from remem.base.frozen import dataclass

_Token: TypeAlias = "str | re.Pattern[str]"
_STAR: Final = "*"
_DEEP: Final = "**"
_FOLDERS: Final = "**/"
"""Folders, each with its slash, or nothing."""
_ONE: Final = "?"
_WILD: Final = re.compile(r"[*?\[{]")
_PART: Final = re.compile(r"\*\*+/?|\*|\?|\[[^\]/\\]+\]|.", re.DOTALL)
_BELOW: Final = re.compile(r"(?P<folder>(?:[^*?\[{]*/)?)\*\*(?:/\*(?P<end>[^*?\[{/]*))?")
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_WRITTEN: Final = {_STAR: "[^/]*", _DEEP: ".*", _FOLDERS: "(?:.*/)?", _ONE: "[^/]"}
_STARS: Final = 3
"""Stars of a pattern: with many, what does not fit is found out only after all ways were tried."""
_MOST: Final = 64
"""Alternatives that braces may make; a glob with more is read as it is written."""


def is_inside(path: str, glob: str, *, has_braces: bool = True) -> bool:
    """Tell whether a path, or a glob that stands for paths, lies inside a glob.

    Args:
        path: Of the file.
        glob: With `*`, `**`, `?` and `[…]`.
        has_braces: `{a,b}` is one or the other; else braces are signs as any.
    """
    path = path.removeprefix("./")
    plain, written, odd = _told_apart(glob, has_braces)
    return (
        path == glob
        or any(each.has(path) for each in plain)
        or any(each.fullmatch(path) for each in written)
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
def _told_apart(
    glob: str, has_braces: bool
) -> tuple[tuple[_Below, ...], tuple[re.Pattern[str], ...], tuple[tuple[_Token, ...], ...]]:
    """Return the alternatives by how they are held: by folder and end, as a pattern, by a walk.

    Those of one folder, and those that differ in their end alone, are held together.
    """
    ends: dict[str, list[str]] = {}
    heads: dict[tuple[_Token, ...], list[str]] = {}
    odd: list[tuple[_Token, ...]] = []
    for tokens in _alternatives(glob, has_braces):
        found = _BELOW.fullmatch("".join(map(str, tokens)))
        if found and all(isinstance(each, str) for each in tokens):
            ends.setdefault(found["folder"], []).append(found["end"] or "")
        elif sum(each in (_STAR, _DEEP, _FOLDERS) for each in tokens) <= _STARS:
            tail = _tail(tokens)
            heads.setdefault(tokens[: len(tokens) - len(tail)], []).append(tail)
        else:
            odd.append(tokens)
    plain = tuple(_Below(folder, tuple(each)) for folder, each in ends.items())
    return plain, tuple(_pattern(head, tails) for head, tails in heads.items()), tuple(odd)


def _pattern(head: tuple[_Token, ...], tails: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern with so few stars that going back over them costs next to nothing."""
    parts = [
        (_WRITTEN.get(token) or re.escape(token))
        if isinstance(token, str)
        else f"(?!/){token.pattern}"
        for token in head
    ]
    return re.compile(f"{''.join(parts)}(?:{'|'.join(map(re.escape, tails))})", re.DOTALL)


@lru_cache(maxsize=512)
def _alternatives(glob: str, has_braces: bool) -> tuple[tuple[_Token, ...], ...]:
    glob = glob.removeprefix("./")
    parts = _BRACES.split(glob) if has_braces else [glob]
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
    if part.startswith(_DEEP):
        return _FOLDERS if part.endswith("/") else _DEEP
    return part


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
    while end and isinstance(tokens[end - 1], str) and tokens[end - 1] not in _WRITTEN:
        end -= 1
    return "".join(str(token) for token in tokens[end:])


def _reached(places: set[int], tokens: tuple[_Token, ...]) -> set[int]:
    """Add where one comes without a character: what a star or `**/` stands for may be nothing.

    A place inside of `**/`, below zero, is left by a slash alone.
    """
    found, left = set(places), list(places)
    while left:
        at = left.pop()
        if 0 <= at < len(tokens) and tokens[at] in (_STAR, _DEEP, _FOLDERS) and at + 1 not in found:
            left.append(at + 1)
            found.add(at + 1)
    return found


def _after(at: int, tokens: tuple[_Token, ...], char: str) -> tuple[int, ...]:
    place = at if at >= 0 else ~at
    if place >= len(tokens):
        return ()
    token = tokens[place]
    if not isinstance(token, str):
        return (at + 1,) if char != "/" and token.fullmatch(char) else ()
    if token == _FOLDERS:
        return (~place, place + 1) if char == "/" else (~place,)
    if token == _DEEP:
        return (at,)
    if token == _STAR:
        return (at,) if char != "/" else ()
    fits = char == token or (token == _ONE and char != "/")
    return (at + 1,) if fits else ()
