"""Verified memory: facts about a repository, each proved by lines of its code.

Here stand the names of what is done to facts, as people's history and keymaps have them, for those
who load no verb.
"""

from typing import Final

REANCHOR: Final = "memory.reanchor"
SUPERSEDE: Final = "memory.supersede"
INVALIDATE: Final = "memory.invalidate"
RETIRE: Final = "memory.retire"
