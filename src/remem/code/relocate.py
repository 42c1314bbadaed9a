"""Finds cited lines that left their place: further up or down, or in another file of the tree.

Lines are compared with the blanks at both ends taken off, as FORMATS 6.3 has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.code.code_reader import Reader, Text
from remem.model.citation import Place, hash_of

_FILES: Final = 200
"""Files that are read at once."""
_MOST_FILES: Final = 50_000
"""Of a tree that is looked through; past that a place in the rest is not found."""
_MOST_BYTES: Final = 1 << 20
"""Of a file that is looked through; what is longer is data."""
_MOST_PLACES: Final = 20
"""Places of one snippet that are collected: more than one already means: not sure."""


def holds(lines: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether lines say the same, whatever blanks they begin and end with."""
    return [line.strip() for line in lines] == [line.strip() for line in wanted]


def places_in(
    lines: Sequence[str], wanted: Sequence[str], known: str, count: int
) -> tuple[int, ...]:
    """Return the numbers of the lines, from 1, at which a snippet begins in a file.

    Args:
        lines: Of the file.
        wanted: The snippet; empty where only its hash is known.
        known: Its hash; empty where nothing is known.
        count: How many lines it has.
    """
    if not wanted:
        if not known:
            return ()
        starts = range(len(lines) - count + 1)
        return tuple(at + 1 for at in starts if hash_of(lines[at : at + count]) == known)
    said = [line.strip() for line in wanted]
    if not any(said):
        return ()  # blank lines stand everywhere
    return tuple(_starts([line.strip() for line in lines], said, _anchor(said)))


def _anchor(said: Sequence[str]) -> int:
    """Return which of the lines is looked for first: the longest is the rarest."""
    return max(range(len(said)), key=lambda number: len(said[number]))


def _starts(stripped: Sequence[str], said: Sequence[str], anchor: int) -> list[int]:
    found: list[int] = []
    for number, line in enumerate(stripped):
        start = number - anchor
        is_here = line == said[anchor] and start >= 0
        if is_here and list(stripped[start : start + len(said)]) == list(said):
            found.append(start + 1)
    return found


@dataclass(frozen=True, slots=True)
class Found:
    """Where a snippet stands."""

    place: Place
    text: str
    """As it stands there, blanks included."""


class Search:
    """Looks through a whole tree for many snippets at once."""

    def __init__(self, wanted: Mapping[int, Sequence[str]]) -> None:
        """Say what is looked for.

        Args:
            wanted: Snippets, each by a number that the result names it by.
        """
        self._said = {number: [line.strip() for line in lines] for number, lines in wanted.items()}
        self._by_anchor: dict[str, list[tuple[int, int]]] = {}
        for number, said in self._said.items():
            anchor = _anchor(said)
            self._by_anchor.setdefault(said[anchor], []).append((number, anchor))
        self._found: dict[int, list[Found]] = {}

    def run(self, reader: Reader) -> Mapping[int, Sequence[Found]]:
        """Return the places of each snippet that any file holds, in the order of the paths."""
        paths = sorted(reader.tracked() or ())[:_MOST_FILES]
        for at in range(0, len(paths), _FILES):
            for path, text in reader.texts(paths[at : at + _FILES], _MOST_BYTES).items():
                if isinstance(text, Text):
                    self._look(path, text.lines)
        return self._found

    def _look(self, path: str, lines: Sequence[str]) -> None:
        stripped = [line.strip() for line in lines]
        for number, line in enumerate(stripped):
            for wanted, anchor in self._by_anchor.get(line, ()):
                said, start = self._said[wanted], number - anchor
                found = self._found.get(wanted, [])
                is_full = len(found) >= _MOST_PLACES
                if start >= 0 and not is_full and stripped[start : start + len(said)] == said:
                    place = Place(path, start + 1, start + len(said))
                    text = "\n".join(lines[start : start + len(said)])
                    self._found.setdefault(wanted, []).append(Found(place, text))
