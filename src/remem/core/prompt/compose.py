"""Composes the prompt of a role or persona from what the formats offer (FORMATS 0.7).

It arranges and counts; what a format prints is the format's business, what fits is the budget's.
Nothing is ever written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Protocol, TypeAlias
from weakref import WeakKeyDictionary

from remem.base.frozen import dataclass
from remem.base.turns import in_turns
from remem.core.library import Library
from remem.core.prompt.budget import amount, fill
from remem.core.prompt.counter import Counter
from remem.core.system import Composer, Facets, Ground
from remem.model.entry import Entry, Status
from remem.model.memo import kept
from remem.model.prompt import (
    CROWDED_OUT,
    Ask,
    Frame,
    Layer,
    Line,
    Offer,
    Prompt,
    Reason,
    Segment,
    Unit,
    Verdict,
)
from remem.model.roles import matches
from remem.model.source import LoaderKind, Source

_OUT_OF_FORCE: Final = {
    Status.CANDIDATE: "it is a candidate that needs a decision",
    Status.ARCHIVED: "it is archived",
    Status.SUPERSEDED: "another entry superseded it",
    Status.INVALID: "it was invalidated",
}

_IN_BUT_FOR_ROOM: Final = frozenset((None, *CROWDED_OUT))


class Composing(Protocol):
    """What composing needs of a format."""

    @property
    def name(self) -> str: ...

    @property
    def facets(self) -> Facets: ...

    @property
    def composer(self) -> Composer: ...


class Snapshot(Protocol):
    """What composing needs of a library."""

    @property
    def formats(self) -> Sequence[Composing]: ...

    @property
    def ground(self) -> Ground: ...

    @property
    def sources(self) -> Sequence[Source]: ...

    def of_format(self, name: str) -> Sequence[Source]: ...


@dataclass(frozen=True, slots=True)
class Offered:
    """What all formats offer to one ask, before anything is counted."""

    frame: Frame
    """The text around memory of the first format that has one."""
    given: Mapping[str, tuple[Offer, ...]]
    """Of each format, in order."""
    composed: Mapping[str, Sequence[Source]] = field(compare=False)
    """Of each format, the sources that its prompts are composed of."""

    def gives_as(self, other: Offered) -> bool:
        """Tell whether a prompt of it has the same text, and leaves out the same for want of room.

        What is out of force or for others may be out for another reason.
        """
        return self.frame == other.frame and _printed(self) == _printed(other)


def _printed(offers: Offered) -> dict[str, list[Offer]]:
    return {name: [*map(_but_for_room, given)] for name, given in offers.given.items()}


def _but_for_room(offer: Offer) -> Offer:
    """Return an offer without what it says of entries that are out, unless they lack room."""
    told = (each for each in offer.verdicts if each.reason in _IN_BUT_FOR_ROOM)
    return replace(offer, verdicts=tuple(told))


def offered(library: Snapshot, ask: Ask) -> Offered:
    """Return what a prompt is made of: asks that are offered the same get the same."""
    formats, ground = library.formats, library.ground
    own = {each.name: library.of_format(each.name) for each in formats}
    composed = {**_composed(library)}
    here = [each for each in formats if own[each.name]]
    frames = (each.composer.frame(ground, own[each.name], ask) for each in here)
    frame = next((found for found in frames if found is not None), Frame(()))
    given: dict[str, tuple[Offer, ...]] = {each.name: () for each in formats}
    given |= {each.name: each.composer.offers(ground, own[each.name], ask) for each in here}
    for each in formats:
        joins, joined = each.facets.joins, each.facets.joined
        offer = next(iter(given[each.name]), None)
        if joined is not None and offer is not None and joins in given:
            given[joins] = (joined(offer, next(iter(given[joins]), None), library.sources),)
            given[each.name] = ()
            # What is inherited is told of where it is composed.
            composed[joins] = (*composed.pop(each.name, ()), *composed.get(joins, ()))
    return Offered(frame, given, composed)


def compose(library: Snapshot, ask: Ask, counter: Counter, offers: Offered | None = None) -> Prompt:
    """Return what the role or persona gets, with a verdict on every entry that could be in it.

    The first format that has a text around memory for this ask gives it; the memory layers of all
    formats follow each other at its place for memory, or at its end, parted by one blank line.

    Args:
        library: What there is.
        ask: For whom.
        counter: Counts what is held against a budget.
        offers: What the formats offer, where somebody looked already.
    """
    found_here = offers or offered(library, ask)
    layers: list[Layer] = []
    verdicts: list[Verdict] = []
    remarks: list[str] = []
    for each in library.formats:
        told: list[Verdict] = []
        for offer in found_here.given[each.name]:
            remarks += offer.remarks
            layer, found = fill(_capped(offer, ask), counter)
            layers += [layer] if layer is not None else []
            told += found
        verdicts += (*told, *_missed(found_here.composed.get(each.name, ()), ask, told))
    return _prompt(ask, counter, found_here.frame, layers, verdicts, remarks)


@kept
def _composed(library: Snapshot) -> Mapping[str, Sequence[Source]]:
    """Return by format the sources that prompts are composed of, looked for once a snapshot."""
    found: dict[str, list[Source]] = {}
    for source in library.sources:
        if source.loader.kind is LoaderKind.COMPOSED:
            found.setdefault(source.format, []).append(source)
    return found


def _capped(offer: Offer, ask: Ask) -> Offer:
    return replace(offer, cap=ask.budget, unit=Unit.TOKENS) if ask.budget else offer


def _missed(sources: Sequence[Source], ask: Ask, offered: Sequence[Verdict]) -> Iterator[Verdict]:
    """Yield verdicts on entries of composing sources that no offer spoke of."""
    # Formats speak of the very refs that entries have; looking for those spares a thousand hashes.
    same = {id(verdict.ref) for verdict in offered}
    left = [
        (source, entry)
        for source in sources
        for entry in source.entries
        if id(entry.ref) not in same
    ]
    known = {verdict.ref for verdict in in_turns(offered)} if left else set()
    for source, entry in in_turns(left):
        if entry.ref not in known:
            yield _why_not_offered(source, entry, ask)


def _why_not_offered(source: Source, entry: Entry, ask: Ask) -> Verdict:
    if source.archived:
        return Verdict(entry.ref, Reason.STATUS, _OUT_OF_FORCE[Status.ARCHIVED])
    if entry.status is not Status.ACTIVE:
        return Verdict(entry.ref, Reason.STATUS, _OUT_OF_FORCE[entry.status])
    if ask.role and not matches(ask.role, entry.roles):
        return Verdict(entry.ref, Reason.ROLE, f"it is for {', '.join(entry.roles or ())}")
    whose = f"memory of {source.owner}" if source.owner else f"in `{source.name}`"
    return Verdict(entry.ref, Reason.SCOPE, f"it is {whose}, which this prompt does not include")


def _prompt(
    ask: Ask,
    counter: Counter,
    frame: Frame,
    memory: Sequence[Layer],
    verdicts: Sequence[Verdict],
    remarks: Sequence[str],
) -> Prompt:
    layers = _arranged(frame, memory, counter)
    prompt = Prompt(
        ask=ask,
        encoding=counter.encoding,
        exact=counter.exact,
        layers=layers,
        tokens=0,
        verdicts=tuple(verdicts),
        notes=tuple(filter(None, (frame.note, *remarks, *(_over(layer) for layer in layers)))),
    )
    return replace(prompt, tokens=counter.count(prompt.text))


def _arranged(frame: Frame, memory: Sequence[Layer], counter: Counter) -> tuple[Layer, ...]:
    """Put the memory layers at their place among the segments."""
    parted = [replace(layer, gap=1 if index else 0) for index, layer in enumerate(memory)]
    layers: list[Layer] = []
    placed = False
    for segment in frame.segments:
        if not segment.is_memory:
            layers.append(segment_layer(segment, counter))
        elif not placed:
            layers += [replace(layer, gap=segment.gap) for layer in parted[:1]]
            layers += parted[1:]
            placed = True
    if not placed and parted:
        first = replace(parted[0], gap=1 if layers else 0)
        layers += [first, *parted[1:]]
    return tuple(layers)


def segment_layer(segment: Segment, counter: Counter) -> Layer:
    """Return text that holds no entries as a layer without a budget."""
    lines = tuple(Line(line, counter.count(line)) for line in segment.text.split("\n"))
    return Layer(segment.layer, lines, counter.count(segment.text), gap=segment.gap)


def _over(layer: Layer) -> str:
    if not layer.over_budget:
        return ""
    much = amount(layer.over_budget, layer.unit)
    return f"required entries exceed the budget of {layer.name} by {much}"


_Asked: TypeAlias = tuple[Ask, Counter]


class Prompts:
    """Composes what was not composed yet."""

    def __init__(self, most: int = 32) -> None:
        """Keep the prompts of so many asks for each snapshot, the first ones asked go first."""
        self._most = most
        self._made: WeakKeyDictionary[Library, dict[_Asked, Prompt]] = WeakKeyDictionary()
        self._offers: WeakKeyDictionary[Library, dict[Ask, Offered]] = WeakKeyDictionary()
        """Of those that were compared and are not composed yet."""

    def differ(self, before: Library, after: Library, ask: Ask) -> bool:
        """Tell whether a prompt may be another one afterwards; nothing is counted for that."""
        one, two = offered(before, ask), offered(after, ask)
        if one.gives_as(two):
            return False
        self._offers.setdefault(before, {})[ask] = one
        self._offers.setdefault(after, {})[ask] = two
        return True

    def of(self, library: Library, ask: Ask, counter: Counter) -> Prompt:
        made = self._made.setdefault(library, {})
        known = made.get((ask, counter))
        if known is not None:
            return known
        prompt = compose(library, ask, counter, self._offers.get(library, {}).pop(ask, None))
        if len(made) >= self._most:
            made.pop(next(iter(made)), None)
        made[ask, counter] = prompt
        return prompt
