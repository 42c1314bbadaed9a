"""A disk on which others are faster, for tests of what is written at the same time."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from remem.store.io import Disk

P = ParamSpec("P")
R = TypeVar("R")


class RacingDisk(Disk):
    """Lets somebody act just before the N-th call of a name."""

    def __init__(self, name: str, act: Callable[[], object], nth: int = 1) -> None:
        self.name = name
        self.act = act
        self.left = nth

    def perform(self, name: str, call: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if name == self.name:
            self.left -= 1
            if self.left == 0:
                self.act()
        return call(*args, **kwargs)
