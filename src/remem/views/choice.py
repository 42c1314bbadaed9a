"""One of several things that a person is asked to choose from."""

from remem.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    id: str
    name: str
    note: str = ""
    right: str = ""
