"""What counts tokens, and the estimate that stands for it until a vocabulary is loaded.

Exact counting is in `tokens.py`, which a first frame does without.
"""

from __future__ import annotations

from typing import Final, Protocol

ENCODINGS: Final = ("o200k_base", "cl100k_base")
CHARACTERS_A_TOKEN: Final = 4
"""What `Estimate` takes for one token."""


class Counter(Protocol):
    """Counts the tokens of a text."""

    @property
    def encoding(self) -> str:
        """The name of the vocabulary that the counts belong to."""
        ...

    @property
    def exact(self) -> bool:
        """False: counts are estimates and are shown with `≈`."""
        ...

    def count(self, text: str) -> int: ...

    def __hash__(self) -> int:
        """Return what tells counters apart: by it is kept what they counted."""
        ...


class Estimate:
    """A quarter of the characters, rounded up: what is shown until the vocabulary is loaded.

    It counts a few percent too many on prose, so that nothing that fits by it fails to fit later.
    """

    exact = False

    def __init__(self, encoding: str = ENCODINGS[0]) -> None:
        self.encoding = encoding

    def count(self, text: str) -> int:
        return -(-len(text) // CHARACTERS_A_TOKEN)
