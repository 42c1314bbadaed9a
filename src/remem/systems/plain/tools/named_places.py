"""Where something lies that settings of a tool name, as a layout says it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from remem.base.lazy_pattern import lazy_pattern
from remem.core.system import Ground
from remem.model.layout import Base

HAS_SIGNS: Final = lazy_pattern(r"[*?\[\]{}]")
"""Signs that stand for others in a layout's patterns."""


def named_place(ground: Ground, path: Path, settings: str) -> tuple[Base, str] | None:
    """Return the base and the name below it by which a layout finds a path; `None` = none may.

    What comes with a project leads remem to nothing outside of it.

    Args:
        ground: Where the root and the home folder are.
        path: Without `..`.
        settings: What the file is called that names it; a person's own begins with `~/`.
    """
    bases = ((Base.ROOT, ground.root), (Base.HOME, ground.home))
    for base, top in bases if settings.startswith("~/") else bases[:1]:
        if path != top and path.is_relative_to(top):
            name = path.relative_to(top).as_posix()
            return None if HAS_SIGNS.search(name) else (base, name)
    return None
