"""Kinds of entries of which more than one system speaks: what one proposes another one keeps."""

from typing import Final

CONVENTION: Final = "convention"
LEARNING: Final = "learning"
LESSON: Final = "lesson"
"""What a persona learnt, or what stands in a plain file."""
FACT: Final = "fact"
"""A verified memory."""
