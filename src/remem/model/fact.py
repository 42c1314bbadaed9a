"""What verified memory is called, for those who load none of it."""

from typing import Final

FACT: Final = "fact"
"""The kind of a memory as an entry."""
SHARED: Final = "default"
"""The tenant whose memories everyone sees."""
