"""What a path is called on the screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remem.core.session import Session


def label(session: Session, path: Path) -> str:
    """Return a path as people know it: below the root, or with `~` for the home folder."""
    if path.is_relative_to(session.root):
        return str(path.relative_to(session.root))
    if path.is_relative_to(session.places.home):
        return f"~/{path.relative_to(session.places.home)}"
    return str(path)
