"""Kinds of entries of which more than one system speaks: what one proposes another one keeps.

Of verified memory the verbs and the tenant too, for those who load none of it.
"""

from typing import Final

CONVENTION: Final = "convention"
LEARNING: Final = "learning"
LESSON: Final = "lesson"
"""What a persona learnt, or what stands in a plain file."""
FACT: Final = "fact"
"""A verified memory."""
REANCHOR: Final = "memory.reanchor"
SUPERSEDE: Final = "memory.supersede"
INVALIDATE: Final = "memory.invalidate"
RETIRE: Final = "memory.retire"
"""What is done to facts, as people's history and keymaps name it."""
SHARED: Final = "default"
"""The tenant whose facts everyone sees."""
