"""What verified memory is called, for those who load none of it."""

from typing import Final

FACT: Final = "fact"
"""The kind of a memory as an entry."""
REANCHOR: Final = "memory.reanchor"
SUPERSEDE: Final = "memory.supersede"
INVALIDATE: Final = "memory.invalidate"
RETIRE: Final = "memory.retire"
"""Its verbs, as people's history and keymaps name them."""
SHARED: Final = "default"
"""The tenant whose memories everyone sees."""
