"""Says why an entry is in a prompt or not, and what would let it in.

It reads the verdicts of a prompt that was composed or loaded; only what would make room is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.prompt.budget import amount
from remem.model.entry import FACT, RESTING, Entry, Ref, Status
from remem.model.prompt import NO_TEXT, Layer, Prompt, Reason, Unit, Verdict
from remem.model.roles import matches

_NAMED: Final = 3
"""Entries that are named as ways to make room."""
_TRIED: Final = 12
"""Entries that are tried as such; each costs as much as filling the layer."""
_HEADING: Final = 40
"""Tokens that an entry may free beyond its own: its section's heading goes with the last of it."""

_WHY: Final = {
    Reason.ROLE: "the entry is for other roles",
    Reason.STATUS: "it is not active",
    Reason.CONFIDENCE: "its confidence is too low",
    Reason.SCOPE: "it is outside the requested scope",
    Reason.EXPIRED: "it has expired",
    Reason.OVERRIDDEN: "another entry overrides it",
    Reason.LIMIT: "higher-ranked entries fill the layer",
    Reason.BUDGET: "it does not fit the budget",
    Reason.DISABLED: "this memory is turned off",
    Reason.NOT_LOADED: "the agent does not load this part",
    Reason.REJECTED: "it was rejected",
}
_REMEDY: Final = {
    Reason.ROLE: "add the role to the entry, or remove all its roles",
    Reason.STATUS: "restore it",
    Reason.CONFIDENCE: "confirm it, or lower the limit in the configuration",
    Reason.SCOPE: "try other files, another phase or persona, or widen its scope",
    Reason.EXPIRED: "renew it",
    Reason.OVERRIDDEN: "archive the entry that overrides it",
    Reason.LIMIT: "archive an entry that ranks higher",
    Reason.DISABLED: "turn it on in the system's configuration",
    Reason.NOT_LOADED: "move it to a file that is loaded at startup",
    Reason.REJECTED: "undo the rejection",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an entry is in or out."""

    ref: Ref
    role: str
    """The role, persona or agent; empty = everyone."""
    is_in: bool
    sentences: tuple[str, ...]
    """Each without a full stop: first the verdict, then what belongs to it."""
    reason: Reason | None = None
    """`None` where it is in, and where no layer speaks of it."""
    tokens: int = 0
    lacked: int = 0
    """For `budget`: how much has to go before it fits, in the layer's unit."""
    makes_room: tuple[Ref, ...] = ()
    """In its way: each of these, taken out by itself, would let it in; least important first."""
    because: str = ""
    """Why it is in or out, in words, without a full stop."""
    is_at_rest: bool = False
    """It is in force nowhere: archived, superseded or invalid."""
    does: str = ""
    """The id of the verb that lets it in by itself; empty = none does."""

    @property
    def code(self) -> str:
        """Return the reason as a code; empty where it is in."""
        if self.is_in:
            return ""
        silent = Reason.STATUS if self.is_at_rest else Reason.NOT_LOADED
        return (self.reason or silent).value


def explain(entry: Entry, prompt: Prompt, owner: str = "") -> Explanation:
    """Explain what became of `entry` in `prompt`.

    Args:
        entry: What is asked about.
        prompt: As it was composed or loaded.
        owner: The persona in whose memory the entry stands.
    """
    who = prompt.ask.role or prompt.ask.persona or prompt.ask.agent
    target = target_of(prompt)
    verdicts = [verdict for verdict in prompt.verdicts if verdict.ref == entry.ref]
    verdict = next((v for v in verdicts if v.is_in), next(iter(verdicts), None))
    if verdict is None:
        is_at_rest = entry.status in RESTING
        because = "nothing of its file is loaded there"
        sentence = f"nothing of its file is in {target}"
        if is_at_rest:
            because = f"it is {entry.status.value}"
            sentence = f"{because}, and prompts include only what is in force"
        said = (f"Not included: {sentence}",)
        does = _does(entry) if is_at_rest else ""
        return Explanation(
            entry.ref, who, False, said, because=because, is_at_rest=is_at_rest, does=does
        )
    if verdict.reason is None:
        sentences = _why_in(verdict, prompt, target)
        because = because_of(entry, verdict, prompt, owner)
        return Explanation(entry.ref, who, True, sentences, because=because, tokens=verdict.tokens)
    room = _room(verdict, prompt) if verdict.reason is Reason.BUDGET else ()
    return Explanation(
        entry.ref,
        who,
        False,
        _why_out(entry, verdict, verdict.reason, prompt, target, room),
        verdict.reason,
        verdict.tokens,
        verdict.lacked,
        room,
        because_of(entry, verdict, prompt, owner),
        does=_does(entry) if verdict.reason is Reason.STATUS and verdict.detail != NO_TEXT else "",
    )


def _does(entry: Entry) -> str:
    """Return the verb that puts an entry in force; empty = none does by itself."""
    if entry.kind == FACT:
        return ""
    if entry.status is Status.CANDIDATE:
        return "approve"
    return "restore" if entry.status in RESTING else ""


def because_of(entry: Entry, verdict: Verdict, prompt: Prompt, owner: str = "") -> str:
    """Return why an entry is in or out, in words, without a full stop; nothing is tried for it.

    Args:
        entry: What the verdict is of.
        verdict: What became of it.
        prompt: As it was composed or loaded.
        owner: The persona in whose memory the entry stands.
    """
    if verdict.reason is None:
        return "; ".join(_because(entry, verdict, prompt, owner))
    return verdict.detail or _WHY[verdict.reason]


def target_of(prompt: Prompt) -> str:
    """Name the prompt; of an agent also which one, for it can have a composed and a loaded one."""
    who = prompt.ask.role or prompt.ask.persona or prompt.ask.agent
    if not who:
        return "the prompt"
    if prompt.as_loaded:
        return f"the prompt of `{who}` as loaded"
    return f"the composed prompt of `{who}`" if prompt.ask.persona else f"the prompt of `{who}`"


def _why_in(verdict: Verdict, prompt: Prompt, target: str) -> tuple[str, ...]:
    about = "" if prompt.exact else "≈"
    tokens = count(verdict.tokens, "token")
    sentences = [f"It is in {target} and costs {about}{tokens}"]
    sentences += [verdict.detail] if verdict.detail else []
    layer = _layer(verdict, prompt)
    if layer is None or not layer.budget:
        return tuple(sentences)
    before = [v for v in _rivals(verdict, prompt) if v.is_in]
    place = next(i for i, v in enumerate(before, 1) if v.ref == verdict.ref)
    sentences.append(f"Priority {place} of {len(before)} in {layer.name}")
    if layer.over_budget:
        sentences.append(
            f"Required entries exceed the budget of {amount(layer.budget, layer.unit)} by "
            f"{amount(layer.over_budget, layer.unit)}, so nothing else fits"
        )
    return tuple(sentences)


def _because(entry: Entry, verdict: Verdict, prompt: Prompt, owner: str) -> Iterator[str]:
    """Yield what lets an entry in, in words: its file is loaded, or it is for who asks."""
    layer = _layer(verdict, prompt)
    if prompt.as_loaded:
        joins = layer.joins if layer is not None else None
        yield joins.why if joins is not None else f"`{verdict.layer}` is loaded at startup"
        return
    asked = prompt.ask.role
    named = [role for role in entry.roles or () if matches(asked, (role,))]
    if named and not asked and not prompt.ask.persona:
        yield f"it is for {', '.join(named)}; asked without a role, every role's entries are in"
    elif named:
        yield f"it is for {', '.join(named)}"
    else:
        yield f"it is in the memory of {owner}" if owner else "it is for all roles"
    if verdict.detail:
        yield verdict.detail


def _why_out(
    entry: Entry,
    verdict: Verdict,
    reason: Reason,
    prompt: Prompt,
    target: str,
    room: Sequence[Ref],
) -> tuple[str, ...]:
    sentences = [f"It is not in {target}: {verdict.detail or _WHY[reason]}"]
    if reason is not Reason.BUDGET:
        return (*sentences, f"To include it: {_remedy(entry, verdict, reason, prompt)}")
    ahead = [v for v in _ahead(verdict, prompt) if v.is_in]
    if ahead:
        sentences.append(f"{count(ahead, 'entry', 'entries')} rank higher")
    if room:
        named = ", ".join(f"`{ref.without_place()}`" for ref in room)
        sentences.append(f"Removing one of these would make room: {named}")
    elif ahead:
        sentences.append("No single entry frees enough: remove several, or raise the budget")
    else:
        sentences.append("Shorten it, or raise the budget")
    return tuple(sentences)


def _remedy(entry: Entry, verdict: Verdict, reason: Reason, prompt: Prompt) -> str:
    if verdict.detail == NO_TEXT:
        return "write what it says, or remove it"
    if reason is Reason.NOT_LOADED:
        return _way_in(_layer(verdict, prompt))
    if reason is Reason.STATUS and entry.kind == FACT:
        is_active = entry.status is Status.ACTIVE
        return "fix its citations" if is_active else "store the current fact as a new memory"
    if reason is Reason.STATUS and entry.status is Status.CANDIDATE:
        return "approve it"
    return _REMEDY[reason]


def _way_in(layer: Layer | None) -> str:
    """Say what brings an entry in that its file's loader leaves out."""
    if layer is None:
        return _REMEDY[Reason.NOT_LOADED]
    if not layer.budget:
        return "move it out of comments and front matter"
    if layer.unit is Unit.CHARACTERS:  # the last ones of the file
        return "move it down, or archive what follows it"
    return "move it up, or archive what precedes it"


def _layer(verdict: Verdict, prompt: Prompt) -> Layer | None:
    return next((layer for layer in prompt.layers if layer.name == verdict.layer), None)


def _rivals(verdict: Verdict, prompt: Prompt) -> list[Verdict]:
    """Return who competes for the layer, in order of priority."""
    return [
        v for v in prompt.verdicts if v.layer == verdict.layer and v.reason in (None, Reason.BUDGET)
    ]


def _ahead(verdict: Verdict, prompt: Prompt) -> list[Verdict]:
    rivals = _rivals(verdict, prompt)
    return rivals[: rivals.index(verdict)]


def _room(verdict: Verdict, prompt: Prompt) -> tuple[Ref, ...]:
    """Return entries without each of which it is in: tried, for sums of tokens are not the truth.

    Where the least important are all too small, the largest may do.
    """
    layer = _layer(verdict, prompt)
    if layer is None or layer.lets_in is None:
        return ()
    rivals = [
        rival
        for rival in reversed(_rivals(verdict, prompt))
        if rival.is_in
        and (layer.unit is not Unit.TOKENS or rival.tokens + _HEADING >= verdict.lacked)
    ]
    largest = sorted(rivals[_TRIED:], key=lambda rival: -rival.tokens)[:_NAMED]
    found: list[Ref] = []
    for rival in (*rivals[:_TRIED], *largest):
        if layer.lets_in(rival.ref, verdict.ref):
            found.append(rival.ref)
        if len(found) == _NAMED:
            break
    return tuple(found)
