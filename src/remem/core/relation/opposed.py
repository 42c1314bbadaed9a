"""Whether two texts about the same may speak against each other, or only tell of the same thing.

It words what waits, and lets nothing through: all that is about the same waits for a person
(`core/relation/subject.py`).
"""

from __future__ import annotations

from remem.core.relation.relation import Related, relate
from remem.core.relation.similar import is_listed, norm


def may_oppose(one: str, other: str, *, warns: tuple[bool, bool] = (False, False)) -> bool:
    """Tell whether two texts that are about the same may say opposite things.

    In a language of which nobody listed how it denies they may: it was not checked.
    """
    if not is_listed(f"{norm(one)} {norm(other)}".replace("’", "'")):
        return True
    return relate(one, other, warns=warns).related is Related.CONFLICT
