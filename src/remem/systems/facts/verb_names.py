"""What is done to facts, as people's history and keymaps name it, for those who load no verb."""

from typing import Final

REANCHOR: Final = "memory.reanchor"
SUPERSEDE: Final = "memory.supersede"
INVALIDATE: Final = "memory.invalidate"
RETIRE: Final = "memory.retire"
