"""Verified memories as a section of a prompt, for whoever writes the rest of it (FORMATS 6.5).

It says nothing about which memories may be used: those that come in are those that held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from remem.systems.facts.layer import block
from remem.systems.facts.records import Memory

EMPTY: Final = "No repository memories available."
_HEAD: Final = (
    "## Repository Memories\n\nCheck each memory against its cited lines before you rely on it."
)


def prompt_block(memories: Sequence[Memory]) -> str:
    """Return the section, with a final newline; a sentence where there are none."""
    if not memories:
        return f"{EMPTY}\n"
    parts = (block(each, number) for number, each in enumerate(memories, 1))
    return "\n\n".join((_HEAD, *parts)) + "\n"
