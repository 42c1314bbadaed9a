"""Keeps what was made of something for as long as that lives, and no longer.

A source never changes, so what was made of it stays true; but a file that agents append to all day
has a new source each time, and a cache that holds a number of them holds that many old files.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, ref

Owner = TypeVar("Owner")
P = ParamSpec("P")
R = TypeVar("R")


def kept(make: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Let a function make a thing once for each first argument and what is asked of it.

    The first argument is told from others by what it is, and must not be held by the result: then
    both would stay for good.
    """
    made: WeakKeyDictionary[Owner, dict[Hashable, R]] = WeakKeyDictionary()

    @wraps(make)
    def once(of: Owner, /, *args: P.args, **how: P.kwargs) -> R:
        known = made.setdefault(of, {})
        asked = (*args, *how.items())
        if asked not in known:
            known[asked] = make(of, *args, **how)
        return known[asked]

    return once


def kept_together(
    make: Callable[Concatenate[tuple[Owner, ...], P], R],
) -> Callable[Concatenate[tuple[Owner, ...], P], R]:
    """Let a function make a thing once for several owners, for as long as all of them live.

    The result must hold none of them.
    """
    made: dict[Hashable, tuple[R, Sequence[ref[Owner]]]] = {}

    @wraps(make)
    def once(of: tuple[Owner, ...], /, *args: P.args, **how: P.kwargs) -> R:
        if not of:
            return make(of, *args, **how)
        asked = (*map(id, of), *args, *how.items())
        known = made.get(asked)
        if known is not None:
            return known[0]
        result = make(of, *args, **how)
        # An owner that goes takes the result along before anything else can get its id.
        made[asked] = result, [ref(each, lambda _: made.pop(asked, None)) for each in of]
        return result

    return once
