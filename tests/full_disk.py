"""A disk on which no file grows any more, for this process alone."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_grows() -> Iterator[None]:
    """Refuse every byte that is written, as a full disk does: SQLite makes no file beside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
