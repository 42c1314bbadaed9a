"""Which stories a branch or a commit's subject names.

An id that is known (of the sprint's stories) counts wherever it stands as a word. Any other id
counts only where people write nothing else: at the head of a subject, or in its scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

_STORY: Final = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z][A-Z0-9]+|story)-\d+(?![A-Za-z0-9])")
"""In lower case anything could be meant: `release-2`, `sprint-3`."""
_NO_STORY: Final = frozenset({"CVE", "ISO", "PEP", "RFC", "SHA", "UTF"})
_SCOPE: Final = re.compile(r"\w+\(([^()]+)\)!?:")
"""Of a conventional commit: `feat(S03-S04): …`."""
_HEAD: Final = re.compile(r"\[?((?:[A-Z]{2,}|[Ss]tory)-\d+)(?:\]|:|\s+[-–—]\s)")
_SHORT: Final = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{2,}-\d+|S\d{2,})(?![A-Za-z0-9])")
"""What names a story in a scope: `STORY-101`, `US-7`, and the `S01` of SNIPER."""
_PARTS: Final = re.compile(r"(.*?)(\d+)")
_THROUGH: Final = re.compile(r"\s*(?:-|–|—|\.\.\.?|to|through)\s*")
_NUMBERED: Final = re.compile(
    r"\bstor(?:y|ies)\s+#?(\d+(?:\s*(?:-|–|,|&|and|to|through)\s*#?\d+)*)", re.IGNORECASE
)
_LETTERED: Final = re.compile(r"(?<![A-Za-z0-9])(S\d+(?:\s*[-–,&]\s*S?\d+)*)(?![A-Za-z0-9])")
"""What a scope calls stories that are known by a number: `S5` of 5, `S05-S07`."""
_WIDEST: Final = 100
"""Stories that `S01-S99` may name."""


def story_in(name: str, known: Mapping[str, str]) -> str:
    """Return the story that a branch is named for, or an empty text.

    Args:
        name: Of the branch: `story/STORY-201-login`.
        known: Ids of stories by their folded text; one of these wins.
    """
    folded = name.casefold()
    for key in sorted(known, key=len, reverse=True):
        if not key.isdecimal() and re.search(_as_word(key), folded):
            return known[key]
    match = _STORY.search(name)
    return match[0].upper() if match and not _is_standard(match[0]) else ""


def stories_in(subject: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the stories that a commit's subject names, each once, in their order there.

    A range names all between its ends: `feat(S07-S09)` is S07, S08 and S09.

    Args:
        subject: The first line of the message.
        known: Ids of stories by their folded text.
    """
    found = [*_known_in(subject, known), *_numbered_in(subject, known)]
    for part in _told_in(subject):
        found += ((place, _known_as(name, known)) for place, name in _ids(part))
    return tuple(dict.fromkeys(name for _, name in sorted(found, key=lambda each: each[0])))


def _known_in(subject: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    folded = subject.casefold()
    for key, name in known.items():
        if key.isdecimal():
            continue  # a bare number says nothing by itself
        for match in re.finditer(_as_word(key), folded):
            yield match.start(), name
            for between in _through(name, folded[match.end() :]):
                if between.casefold() in known:
                    yield match.start(), known[between.casefold()]


def _numbered_in(subject: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield stories that are known by a number alone: `stories 4-7`, `feat(S5): …`."""
    numbers = {int(key): name for key, name in known.items() if key.isdecimal()}
    if not numbers:
        return
    scope = _SCOPE.match(subject)
    short = _LETTERED.finditer(subject, *scope.span(1)) if scope is not None else ()
    for match in (*_NUMBERED.finditer(subject), *short):
        for part in re.split(r",|&|\band\b", match[1]):
            ends = [int(digits[:6]) for digits in re.findall(r"\d+", part)]
            for number in range(min(ends), min(max(ends), min(ends) + _WIDEST) + 1):
                if number in numbers:
                    yield match.start(), numbers[number]


def _told_in(subject: str) -> Iterator[re.Match[str]]:
    """Yield where a subject names what it is about: its head, its scope."""
    for pattern in (_HEAD, _SCOPE):
        match = pattern.match(subject)
        if match is not None:
            yield match


def _ids(part: re.Match[str]) -> Iterator[tuple[int, str]]:
    for match in _SHORT.finditer(part[1]):
        if _is_standard(match[0]):
            continue
        place = part.start(1) + match.start()
        yield place, match[0]
        yield from ((place, name) for name in _through(match[0], part[1][match.end() :]))


def _through(first: str, rest: str) -> Iterator[str]:
    """Yield the ids after the first one up to the end of a range: of `S07`, `-S09`, S08 and S09."""
    parts, joint = _PARTS.fullmatch(first), _THROUGH.match(rest)
    if parts is None or joint is None:
        return
    prefix, digits = parts[1], parts[2]
    behind = rest[joint.end() :]
    last = re.match(rf"(?:{re.escape(prefix)})?(\d+)(?![A-Za-z0-9])", behind, re.IGNORECASE)
    if last is None or len(last[1]) > len(digits) + 2 or not prefix:
        return
    start, end = int(digits), int(last[1])
    for number in range(start + 1, min(end, start + _WIDEST) + 1):
        yield f"{prefix}{number:0{len(digits)}}"


def _known_as(name: str, known: Mapping[str, str]) -> str:
    """Return how the stories call what a scope calls so: of `S05` it may be `5`."""
    number = name.lstrip("S").lstrip("0")
    if name.startswith("S") and name.casefold() not in known and number.isdecimal():
        for key, each in known.items():
            if key.isdecimal() and key.lstrip("0") == number:
                return each
    return known.get(name.casefold(), name)


def _as_word(key: str) -> str:
    return rf"(?<![a-z0-9]){re.escape(key)}(?![a-z0-9])"


def _is_standard(name: str) -> bool:
    """Tell what looks like a story and is none: `UTF-8`, `RFC-2119`."""
    return name.partition("-")[0].upper() in _NO_STORY
