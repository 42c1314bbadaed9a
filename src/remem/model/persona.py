"""What names of one persona share, however a tool spells them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_AS_HYPHEN: Final = re.compile(r"[. ]")
_NAMES: Final = 1_024
"""Names that are remembered: each agent's is held against that of every file's owner."""


@lru_cache(maxsize=_NAMES)
def persona_key(name: str) -> str:
    """Return what two names of one persona share: case ignored, `.` and blank are `-`."""
    return _AS_HYPHEN.sub("-", name.casefold())
