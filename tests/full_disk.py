"""A disk on which no file grows any more, for this process alone, and what is told of a disk."""

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from remem.store.io import Disk


@contextmanager
def nothing_grows() -> Iterator[None]:
    """Refuse every byte that is written, as a full disk does: SQLite makes no file beside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class Mounted(Disk):
    """A disk of which the system tells something else than it is."""

    def __init__(self, told: os.statvfs_result) -> None:
        self._told = told

    def perform(self, name: str, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return self._told if name == "statvfs" else super().perform(name, call, *args, **kwargs)
