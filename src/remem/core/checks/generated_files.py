"""Files that nobody writes by hand: generated, minified, locked. The gate names them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from remem.code.changed_lines import ChangedFile

_LONGEST: Final = 5_000
"""Characters of a line: a longer one was written by a program, or pasted, as a picture is."""
_HEAD: Final = 8
"""Lines in which a file says that it is generated."""
_SAYS: Final = re.compile(
    r"@generated\b|<auto-?generated\b|\bcode generated\b.*\bdo not (?:edit|modify)|"
    r"\b(?:auto-?generated|generated (?:by|from|file|code))\b.*(?:\bdo not\b|\bdon't\b)|"
    r"\b(?:do not|don't) (?:edit|modify|change)\b.*\bgenerated\b",
    re.IGNORECASE,
)
_NAMES: Final = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|"
    r"deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|Gemfile\.lock|"
    r"composer\.lock|go\.sum|packages\.lock\.json|mix\.lock|pubspec\.lock|Podfile\.lock)$"
    r"|\.min\.(?:js|css|mjs)$|\.(?:js|css|mjs)\.map$|\.(?:g|designer|generated)\.(?:cs|ts|dart)$"
    r"|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|(?:^|/)node_modules/",
    re.IGNORECASE,
)


def why_passed_over(file: ChangedFile) -> str:
    """Return why nobody writes this file by hand; empty = somebody may."""
    if _NAMES.search(file.path):
        return "generated (by its name)"
    sizes = [*map(len, file.lines)]
    long = [size for size in sizes if size > _LONGEST]
    # In code that somebody writes, a picture that was pasted is the smaller part.
    if sum(long) * 2 > sum(sizes):
        return f"minified or generated: a line of {max(long):,} characters"
    if _SAYS.search("\n".join(file.lines[:_HEAD])):
        return "marked as generated"
    return ""


def told_apart(
    files: Iterable[ChangedFile],
) -> tuple[tuple[ChangedFile, ...], tuple[tuple[ChangedFile, str], ...]]:
    """Return the files that people write, and the others, each with why."""
    written: list[ChangedFile] = []
    passed: list[tuple[ChangedFile, str]] = []
    for file in files:
        why = why_passed_over(file)
        if why:
            passed.append((file, why))
        else:
            written.append(file)
    return tuple(written), tuple(passed)
