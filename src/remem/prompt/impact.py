"""What a change does to one prompt: tokens before and after, what goes, what comes."""

from __future__ import annotations

from dataclasses import dataclass

from remem.model.entry import Ref
from remem.model.prompt import Prompt, Reason, Verdict

_CROWDED_OUT = frozenset((Reason.BUDGET, Reason.LIMIT, Reason.NOT_LOADED))
"""Reasons that say nothing against the entry itself: there was no room."""


@dataclass(frozen=True, slots=True)
class Impact:
    """Two prompts for one role, compared."""

    role: str
    """The role, persona or agent that was asked for."""
    tokens_before: int
    tokens_after: int
    used_before: int
    """Of these, what is held against the budget; all where there is none."""
    used_after: int
    budget: int
    """Tokens that the memory layers may use together; 0 = no such budget."""
    pushed_out: tuple[Ref, ...] = ()
    """In before; no room any more."""
    let_in: tuple[Ref, ...] = ()
    """No room before; in now."""
    added: tuple[Ref, ...] = ()
    """In now, and not even waiting for room before."""
    removed: tuple[Ref, ...] = ()
    """In before; gone or out of force now."""

    @property
    def difference(self) -> int:
        return self.tokens_after - self.tokens_before

    @property
    def changes_nothing(self) -> bool:
        return not (self.difference or self.pushed_out or self.let_in or self.added or self.removed)


def impact(before: Prompt, after: Prompt) -> Impact:
    """Compare two prompts of one ask; refs come in the order of their prompt's verdicts."""
    old, new = _by_ref(before), _by_ref(after)
    gone = [ref for ref, verdict in old.items() if verdict.is_in and not _is_in(new, ref)]
    come = [ref for ref, verdict in new.items() if verdict.is_in and not _is_in(old, ref)]
    return Impact(
        role=after.ask.role or after.ask.persona or after.ask.agent,
        tokens_before=before.tokens,
        tokens_after=after.tokens,
        used_before=before.used,
        used_after=after.used,
        budget=after.budget,
        pushed_out=tuple(ref for ref in gone if _is_crowded_out(new, ref)),
        let_in=tuple(ref for ref in come if _is_crowded_out(old, ref)),
        added=tuple(ref for ref in come if not _is_crowded_out(old, ref)),
        removed=tuple(ref for ref in gone if not _is_crowded_out(new, ref)),
    )


def _by_ref(prompt: Prompt) -> dict[Ref, Verdict]:
    """Return one verdict a ref: in, if any layer has it."""
    found: dict[Ref, Verdict] = {}
    for verdict in prompt.verdicts:
        if verdict.is_in or verdict.ref not in found:
            found[verdict.ref] = verdict
    return found


def _is_in(verdicts: dict[Ref, Verdict], ref: Ref) -> bool:
    verdict = verdicts.get(ref)
    return verdict is not None and verdict.is_in


def _is_crowded_out(verdicts: dict[Ref, Verdict], ref: Ref) -> bool:
    verdict = verdicts.get(ref)
    return verdict is not None and verdict.reason in _CROWDED_OUT
