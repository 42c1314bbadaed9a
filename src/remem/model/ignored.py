"""Patterns as `.gitignore` has them, for tools whose settings keep paths out by such.

Source: https://git-scm.com/docs/gitignore, as tools take it: capitals mean nothing, two slashes are
one, and `!` and `^` in brackets are signs as any (seen of Claude Code 2.1.332 on 2026-11-28).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.model.globs import is_inside

_SPACE: Final = lazy_pattern(r"(?<!\\)\s+\Z")
_ESCAPED: Final = lazy_pattern(r"\\(?P<sign>.)")
_STARS: Final = lazy_pattern(r"\*\*+")
_NOT: Final = lazy_pattern(r"\[(?P<not>[!^])(?P<signs>[^\]]+)\]")


@dataclass(frozen=True, slots=True)
class _Rule:
    glob: str
    """Of whole paths, in small letters."""
    keeps: bool
    """It lets through what an earlier one keeps out: `!pattern`."""
    is_of_folders: bool
    """It is about folders alone: `pattern/`."""


def is_ignored(path: str, patterns: Sequence[str]) -> bool:
    """Tell whether patterns keep a file out; the last that is about it counts.

    What lies in a folder that is kept out cannot be let through.

    Args:
        path: Of the file, from the folder that the patterns are for: `docs/a.md`.
        patterns: In their order.
    """
    rules, small = _rules(tuple(patterns)), path.casefold()
    folders = (small[: slash.start()] for slash in re.finditer("/", small))
    return any(_is_out(each, rules, is_folder=True) for each in folders) or _is_out(
        small, rules, is_folder=False
    )


def _is_out(path: str, rules: Sequence[_Rule], *, is_folder: bool) -> bool:
    for rule in reversed(rules):
        is_about = is_folder or not rule.is_of_folders
        if is_about and is_inside(path, rule.glob, has_braces=False):
            return not rule.keeps
    return False


@lru_cache(maxsize=64)
def _rules(patterns: tuple[str, ...]) -> tuple[_Rule, ...]:
    return tuple(rule for each in patterns if (rule := _rule(each)) is not None)


def _rule(pattern: str) -> _Rule | None:
    """Return what a pattern says; `None` = it is a comment, or about nothing."""
    text = _SPACE.sub("", pattern.casefold())
    keeps = text.startswith("!")
    text = text[keeps:]
    path = text.removesuffix("/")
    if not path or pattern.startswith("#"):
        return None
    # A slash in front or inside ties it to the folder that the patterns are for.
    parts = [_part(each) for each in path.split("/") if each]
    if "." in parts or ".." in parts:
        return None
    glob = "/".join(parts if "/" in path else ("**", *parts))
    return _Rule(glob, keeps, path != text)


def _part(part: str) -> str:
    """Return a part of a pattern as a glob has it; two stars with more beside them are one."""
    if part == "**":
        return part
    plain = _ESCAPED.sub(lambda found: _literal(found["sign"]), part)
    return _NOT.sub(r"[\g<signs>\g<not>]", _STARS.sub("*", plain))


def _literal(sign: str) -> str:
    return f"[{sign}]" if sign in "*?[" else sign
