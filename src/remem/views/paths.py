"""What a path is called on the screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remem.core.session import Workbench


def label(workbench: Workbench, path: Path) -> str:
    """Return a path as people know it: below the root, or with `~` for the home folder."""
    if path.is_relative_to(workbench.root):
        return str(path.relative_to(workbench.root))
    if path.is_relative_to(workbench.places.home):
        return f"~/{path.relative_to(workbench.places.home)}"
    return str(path)
