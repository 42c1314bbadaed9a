"""Patterns that are compiled when they first look for something.

A module says what its patterns are as it is loaded; to compile them all then took a tenth of what
loading the screens took, and most never look at anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

    lazy_pattern = re.compile
else:
    import re
    from typing import Any

    class _Pattern:
        """Has what the compiled pattern has, from when it is first asked for it."""

        def __init__(self, source: str | bytes, flags: int) -> None:
            self._source, self._flags = source, flags

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            found = getattr(re.compile(self._source, self._flags), name)
            vars(self)[name] = found  # not asked here again
            return found

    def lazy_pattern(pattern: str | bytes, flags: int = 0) -> _Pattern:
        """Return a pattern with the methods of a compiled one; functions of `re` do not take it."""
        return _Pattern(pattern, flags)
