"""What a change does to one prompt: tokens before and after, what goes, what comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from enum import StrEnum

from remem.base.frozen import dataclass
from remem.core.prompt.asks import asker
from remem.model.entry import Ref
from remem.model.prompt import CROWDED_OUT, Prompt, Reason


class Measure(StrEnum):
    """What the tokens of one table are of: every row and column of it is in one measure."""

    MEMORY = "memory"
    """The layers that are held against a budget."""
    PROMPT = "whole prompt"


@dataclass(frozen=True, slots=True)
class Figures:
    """Tokens before and after, in one measure."""

    before: int
    after: int
    budget: int
    """0 = none: of the whole prompt."""


@dataclass(frozen=True, slots=True)
class Impact:
    """Two prompts for one role, compared."""

    role: str
    """The role, persona or agent that was asked for."""
    tokens_before: int
    tokens_after: int
    used_before: int
    """Of these, what is held against the budget; all where there is none, or where what changes
    stands beside it."""
    used_after: int
    budget: int
    """Tokens that what is used may take; 0 = no such budget."""
    pushed_out: tuple[Ref, ...] = ()
    """In before; no room any more."""
    let_in: tuple[Ref, ...] = ()
    """No room before; in now."""
    added: tuple[Ref, ...] = ()
    """In now, and not even waiting for room before."""
    removed: tuple[Ref, ...] = ()
    """In before; gone or out of force now."""
    no_room: tuple[Ref, ...] = ()
    """What the change brings into force, and is out all the same."""

    @property
    def difference(self) -> int:
        return self.tokens_after - self.tokens_before

    def figures(self, measure: Measure) -> Figures:
        """Return the tokens before and after as a table of that measure shows them."""
        if measure is Measure.PROMPT:
            return Figures(self.tokens_before, self.tokens_after, 0)
        return Figures(self.used_before, self.used_after, self.budget)

    @property
    def changes_nothing(self) -> bool:
        return not (self.difference or self.pushed_out or self.let_in or self.added or self.removed)


def measure_of(found: Iterable[Impact]) -> Measure:
    """Return what one table of all of these can be in: memory only where it tells every change."""
    budgets = [each.budget for each in found]
    return Measure.MEMORY if budgets and all(budgets) else Measure.PROMPT


def impact(before: Prompt, after: Prompt, coming: Iterable[Ref] = ()) -> Impact:
    """Compare two prompts of one ask; refs come in the order of their prompt's verdicts.

    Args:
        before: As it was.
        after: As it is.
        coming: What was written in between, and might find no room.
    """
    old, new = _taken(before), _taken(after)
    gone, come = _differing(old, new)
    pushed, waited = _crowded_out(after, set(gone)), _crowded_out(before, set(come))
    outside = {*coming} - {*old} - {*new}
    late = _crowded_out(after, outside) - _crowded_out(before, outside)
    is_held = before.beside == after.beside
    return Impact(
        role=asker(after.ask),
        tokens_before=before.tokens,
        tokens_after=after.tokens,
        used_before=before.used if is_held else before.tokens,
        used_after=after.used if is_held else after.tokens,
        budget=after.budget if is_held else 0,
        pushed_out=tuple(ref for ref in gone if ref in pushed),
        let_in=tuple(ref for ref in come if ref in waited),
        added=tuple(ref for ref in come if ref not in waited),
        removed=tuple(ref for ref in gone if ref not in pushed),
        no_room=tuple(sorted(late, key=str)),
    )


def _taken(prompt: Prompt) -> list[Ref]:
    """Return what is in, in any layer; a prompt leaves out far more than it takes."""
    return [verdict.ref for verdict in prompt.verdicts if verdict.reason is None]


def _differing(old: Sequence[Ref], new: Sequence[Ref]) -> tuple[list[Ref], list[Ref]]:
    """Return what only the one has, and what only the other has, each once and in its order."""
    # Two snapshots share most objects: whose own object is in both need not be hashed.
    shared = {*map(id, old)}
    shared.intersection_update(map(id, new))
    one = dict.fromkeys(ref for ref in old if id(ref) not in shared)
    two = dict.fromkeys(ref for ref in new if id(ref) not in shared)
    few = one.keys() ^ two.keys()
    if few:
        names = {ref.id for ref in few}
        few -= {ref for ref in old if ref.id in names and id(ref) in shared}
    return [ref for ref in one if ref in few], [ref for ref in two if ref in few]


def _crowded_out(prompt: Prompt, refs: Set[Ref]) -> frozenset[Ref]:
    """Return which of these, none of which is in, are out for want of room."""
    if not refs:
        return frozenset()
    first: dict[Ref, Reason] = {}
    names = {ref.id for ref in refs}  # their hashes are known, and nearly all are others
    for verdict in prompt.verdicts:
        if verdict.ref.id in names and verdict.reason is not None and verdict.ref in refs:
            first.setdefault(verdict.ref, verdict.reason)
    return frozenset(ref for ref, reason in first.items() if reason in CROWDED_OUT)
