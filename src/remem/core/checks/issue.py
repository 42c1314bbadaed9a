"""What an issue is: something that is worth a look though no file is broken.

`issues.py` lists who finds them; it stands apart so that they can be imported there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from remem.base.frozen import dataclass
from remem.model.change import Json
from remem.model.entry import Problem, Ref


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is worth a look, and the verb that mends it."""

    problem: Problem
    ref: Ref | None = None
    """The entry that it is about."""
    verb: str = ""
    """Id of the verb that mends it, on `ref` where there is one; empty = none does at one key."""
    arguments: Mapping[str, Json] = field(default_factory=dict)
