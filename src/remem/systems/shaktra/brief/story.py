"""What a story is about: the words of what it says of itself (FORMATS 5.3).

It reads plain values and opens nothing: a file that a story names, wherever it would lie, is words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Final

from remem.base.frozen import dataclass

LETTERS: Final = 4
"""A word with fewer letters says too little to be a keyword."""
_WORD: Final = re.compile(r"[^\W_]+(?:[-_'’][^\W_]+)*")
_PART: Final = re.compile(r"[^\W_]+")
_MOST_TEXT: Final = 200_000
"""Characters of a story that are looked at; nobody writes a longer one by hand."""
_MOST_TEXTS: Final = 5_000
_NO_TEXT: Final = frozenset({"id", "priority", "status"})
"""Keys of a criterion that say nothing of what it is about."""


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


STOP_WORDS: Final = _words(
    "able about above across after again against allow allowed allows along already also although",
    "anyone anything everyone everything nobody nothing someone something somewhere",
    "always among another because been before being below between both cannot comes could does",
    "doing done down during each either else ensure every from give given gives have having here",
    "however implement implemented implements including instead into itself just keep keeps like",
    "made make makes many more most must need needed needs never once only onto other others over",
    "properly same shall should since some such sure take takes than that their them then there",
    "these they thing things this those through thus unless until upon used uses using very want",
    "wants well were what when where whether which while whose will with within without would your",
)
"""Words of four letters and more that stand in any story."""


@dataclass(frozen=True)
class Story:
    """A story as far as memory is held against it."""

    id: str
    title: str = ""
    description: str = ""
    criteria: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """All that it says, case folded: triggers are looked for in it."""
        parts = (self.title, self.description, *self.criteria, *self.tags, *self.files)
        return "\n".join(parts)[:_MOST_TEXT].casefold()

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """Distinct words of four or more letters and the stems of its files, sorted."""
        stems = (_stem(file) for file in self.files)
        found = {*filter(is_keyword, words_of(self.text)), *filter(None, stems)}
        return tuple(sorted(found - STOP_WORDS))

    @property
    def is_empty(self) -> bool:
        """It says nothing that memory could be held against."""
        return not self.keywords

    def told(self, title: str = "", description: str = "", files: Sequence[str] = ()) -> Story:
        """Return the story with what is given in the place of what its file says."""
        return replace(
            self,
            title=title or self.title,
            description=description or self.description,
            files=tuple(files) or self.files,
        )


def read_story(id: str, value: object) -> Story:  # noqa: A002 - a field of `Story`
    """Return the story that a file holds; what has another shape counts as absent.

    Args:
        id: Its id, as its file is called.
        value: The file's plain value.
    """
    held = value if isinstance(value, Mapping) else {}
    return Story(
        id,
        title=_text(held.get("title")),
        description=_text(held.get("description")),
        criteria=tuple(_texts(held.get("acceptance_criteria"))),
        tags=tuple(_texts(held.get("tags"))),
        files=tuple(_texts(held.get("files"))),
    )


def words_of(folded: str) -> set[str]:
    """Return the words of a case-folded text, joined ones whole and in their parts."""
    words = set(_PART.findall(folded))
    if "-" in folded or "_" in folded or "'" in folded or "’" in folded:
        words.update(_WORD.findall(folded))
    return words


def is_keyword(word: str) -> bool:
    """Tell whether a word is long enough to say something."""
    return sum(map(str.isalpha, word)) >= LETTERS


def _stem(file: str) -> str:
    """Return a file's name without its endings; a pattern has none."""
    name = file.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold()
    stem = name.lstrip(".").split(".", 1)[0]
    return stem if _WORD.fullmatch(stem) else ""


def _text(value: object) -> str:
    return " ".join(_texts(value))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a plain value, in order; what is nested without end has an end here."""
    return islice(_all_texts(value), _MOST_TEXTS)


def _all_texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                if key not in _NO_TEXT:
                    yield from _all_texts(each)
        case list() | tuple():
            for each in value:
                yield from _all_texts(each)
        case _:
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield str(value)
