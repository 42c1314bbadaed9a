"""Which texts speak of other things although they share most of their words.

Two of them may say opposite things and both be right: of unit tests and of integration tests, of
one label and of another one, or where the one forbids only what the other does not ask for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from itertools import groupby, pairwise
from typing import Final

from remem.core.relation.comparable_text import Reading, weight_in
from remem.core.relation.oppositions import words
from remem.core.relation.stems import sense_of

_KINDS: Final = """
primary | secondary | tertiary
unit | integration | e2e | smoke
frontend | backend
client | server
dev development | staging | production prod
desktop | mobile
request | response
upload | download
inbound incoming | outbound outgoing
source | target
upstream | downstream
reader | writer
minor | major | patch
input | output
"""
"""A line names what there is of a kind, apart by `|`: a text that names one is of that one."""
_LABEL: Final = 4
"""Words of a label at most: `Body text: 34px`."""
_TOLD: Final = 3.0
"""Weight of the words that two share behind their labels from which on these are only topics."""
_FEW: Final = 2.0
"""Weight below which a text is about one word."""
_PAST: Final = words("was were wurde wurden")
_LEFT_OUT: Final = words("skipped omitted übersprungen ausgelassen")
_POINTS: Final = words("see read siehe lies")
"""What a text that only points to another one begins with; there is time to read both."""
_LATER: Final = words(
    "later afterwards afterward after optionally später danach nachher hinterher optional"
)
_CASES: Final = words("for für pour")
"""What follows is what something is for: each has its own."""


@cache
def _kinds() -> tuple[tuple[frozenset[str], ...], ...]:
    lines = (line.split("|") for line in _KINDS.strip().splitlines())
    return tuple(tuple(frozenset(map(sense_of, each.split())) for each in line) for line in lines)


@cache
def _of_a_kind() -> frozenset[str]:
    return frozenset(stem for line in _kinds() for each in line for stem in each)


def are_of_other_kinds(first: Reading, second: Reading) -> bool:
    """Tell whether each text is of another one of a kind: of unit tests, of integration tests.

    Who names both sets them against each other, and is of both.
    """
    ones, others = first.stems & _of_a_kind(), second.stems & _of_a_kind()
    if not (ones and others):
        return False
    for line in _kinds():
        mine, theirs = ([each for each in line if each & own] for own in (ones, others))
        if mine and theirs and not any(each in theirs for each in mine):
            return True
    return False


def are_values_of_others(first: Reading, second: Reading) -> bool:
    """Tell whether each gives the value of a label that has a word of its own.

    Where much is said behind it, a label is only the topic: `Style: …` and `Formatting: …`.
    """
    ones, others = _label(first), _label(second)
    if not (ones - second.stems and others - first.stems):
        return False
    behind = (first.stems & second.stems) - ones - others - first.code - second.code
    return weight_in(behind) < _TOLD


def _label(text: Reading) -> frozenset[str]:
    """Return the stems that stand before the colon with which a text begins; none = it has none."""
    label: set[str] = set()
    for token in text.tokens[: _LABEL + 1]:
        if token.sort == "|":
            # An end says not which one it is.
            head, colon, _ = text.form.partition(":")
            return frozenset(label) if colon and len(head.split()) <= _LABEL else frozenset()
        if token.stem in text.stems:
            label.add(token.stem)
    return frozenset()


def names_in_passing(first: Reading, second: Reading) -> bool:
    """Tell whether one text is about one word, which a longer one does not open with.

    `Age: 36` says nothing of `Received at age 13`.
    """
    shorter, longer = sorted((first, second), key=lambda text: text.weight)
    if shorter.weight >= _FEW or longer.weight < 2 * _FEW:
        return False
    return shorter.stems.isdisjoint([*longer.signs][:2])


def was_left_out(text: Reading) -> bool:
    """Tell whether a text reports that something was left out once: `was skipped in sprint 3`."""
    tokens = [token.word for token in text.tokens if token.word != "not"]
    pairs = pairwise(tokens)
    return any(one in _PAST and other in _LEFT_OUT for one, other in pairs)


def asks_with_it(text: Reading, other: Reading, asked: Mapping[str, int]) -> bool:
    """Tell whether one text asks for what another one allows: `never push without a review`.

    Args:
        text: Turns something down, and allows it with something.
        other: Asks for that. What it asks for later is not with it: `push, review it later`.
        asked: The signs of the other text.
    """
    if any(word.word in _LATER for word in other.tokens):
        return False
    return any(asked.get(stem, 0) > 0 for stem in text.allowed_with)


def only_points(first: Reading, second: Reading) -> bool:
    """Tell whether each only says where something is to be read."""
    return all(text.tokens and text.tokens[0].word in _POINTS for text in (first, second))


def is_of_another(text: Reading, flipped: Collection[str], other: Reading) -> bool:
    """Tell whether a text says some words of something else than what the other text turns down.

    `The pier is of wood; the quay is of stone` says nothing against `the pier is not of stone`.
    """
    clauses = [
        [token.stem for token in clause if token.sort in "wnc"]
        for is_end, clause in groupby(text.tokens, key=lambda token: token.sort == "|")
        if not is_end
    ]
    saying = [each for each in clauses if not {*each}.isdisjoint(flipped)]
    rest = [each for each in clauses if each not in saying]
    if not saying or not any(other.head in each for each in rest):
        return False
    return all(other.head not in each and each[0] not in other.stems for each in saying)


def is_other_name(first: Reading, one: str, second: Reading, other: str) -> bool:
    """Tell whether two names in one place exclude each other.

    A part of a name does not, nor what stands for any name, nor what each is for.
    """
    mine, theirs = ({*name.split("/")} for name in (first.said[one], second.said[other]))
    if mine <= theirs or theirs <= mine:
        return False
    if (one in first.code) != (other in second.code) and (
        _names_two(first, one) or _names_two(second, other)
    ):
        return False
    if "<" in first.form and "<" in second.form and _holds_a_place(first, second, one, other):
        return False
    return not (_before_code(first, one) in _CASES and _before_code(second, other) in _CASES)


def _names_two(text: Reading, stem: str) -> bool:
    """Tell whether a sign in it only parts two words: `new cranes/horns`."""
    said = text.said[stem]
    is_quoted = any(said in span for span in text.spans)
    return not is_quoted and "/" in said and said.replace("/", "", 1).isalpha()


def _before_code(text: Reading, stem: str) -> str:
    """Return the word before a name; before the whole of the code of which it is a part."""
    place = text.beside.get(stem)
    if place is None:
        return ""
    while place and text.tokens[place].sort == text.tokens[place - 1].sort == "c":
        place -= 1
    return text.neighbours(text.tokens[place].stem)[0]


def _holds_a_place(first: Reading, second: Reading, one: str, other: str) -> bool:
    return all(
        text.said[stem].startswith("<") and text.said[stem].endswith(">")
        for text, stem in ((first, one), (second, other))
    )
