"""How two texts relate: the same, similar, a possible conflict, or different.

One answer for all systems and doors. Subject and statement are compared apart: what two texts are
about are the words that both have; against each other they speak when one turns down what the other
asks for, when they answer a question otherwise (`oppositions.py`), or give other values to the same
subject. Each answer names the words that decided it. It proves nothing, and a doubt is a conflict:
that only means that a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import groupby, takewhile
from typing import Final

from remem.base.frozen import dataclass
from remem.core.relation.amounts import counted_as_none, may_count_otherwise, other_amounts
from remem.core.relation.apart import (
    are_of_other_kinds,
    are_values_of_others,
    asks_with_it,
    is_of_another,
    is_other_name,
    names_in_passing,
    only_points,
    was_left_out,
)
from remem.core.relation.comparable_text import (
    ASKS,
    BEGINS,
    CHOSEN,
    IS,
    Reading,
    light,
    neutral,
    reading,
    weight_in,
    weight_of,
)
from remem.core.relation.normal_form import is_listed
from remem.core.relation.oppositions import DEEDS
from remem.core.relation.oppositions import words as words_of
from remem.core.relation.stems import answers_of, unit_of
from remem.core.relation.told_once import are_no_rules, is_told_once, tells_results

_PAIRS: Final = 4_096
"""Pairs of texts of which the relation is kept."""
_LEAST: Final = 0.45
"""Share of the shorter text's words below which two say nothing of each other."""
_WORTH: Final = 0.62
"""The same where neither names nor an order are compared: each of the shares below is more."""
ABOUT: Final = 0.7
"""Share of the shorter text's words from which on a denial is about the same."""
REST: Final = 0.6
"""The same where the two answer one question otherwise, which is told by itself."""
VALUES: Final = 0.75
"""The same where they give other numbers."""
NAMES: Final = 0.8
"""The same where they name other things."""
DENIED: Final = 0.6
"""Share of what one text turns down that the other one has to ask for."""
BESIDES: Final = 0.5
"""Share of the other words that two have to have in common where one turns down a part."""
ALIKE: Final = 0.62
"""Share of all their words that two similar texts have in common."""
_LONG: Final = 8
"""Words from which on a text may name in passing what another one is about."""
_OPENING: Final = 4
"""Words with which a text says what it is about."""
_STEMS_ALIKE: Final = 0.8
_ROUNDING: Final = 1e-9
"""More than a sum of weights differs by when they are added in another order."""


_PER: Final = frozenset(("per", "pro", "je"))
_PREPOSITIONS: Final = words_of(
    "in with as on for to from by of at into via through per mit auf als für von bei zu zum zur "
    "im am durch über in"
)


_WAYS: Final = words_of("from to into von zu nach")
"""Prepositions that tell which way something goes."""


class Related(StrEnum):
    """How two texts relate."""

    SAME = "same"
    SIMILAR = "similar"
    CONFLICT = "possible conflict"
    DIFFERENT = "different"


class By(StrEnum):
    """What sets two texts against each other."""

    DENIED = "denied"
    ANSWERED = "answered"
    VALUED = "valued"
    NAMED = "named"
    CHOSEN = "chosen"
    ORDERED = "ordered"


@dataclass(frozen=True, slots=True)
class Relation:
    """How two texts relate, and what decided it."""

    related: Related
    words: tuple[str, ...] = ()
    """What decided it, as the texts write it."""
    because: str = ""
    """One clause for people; empty = nothing to say."""
    share: float = 0.0
    """How much of their words they have in common, from 0 to 1; 0 where they are different."""
    by: By | None = None
    """Of a conflict, what sets them against each other: an answer, where one denies too; `None`
    where one warns in the words of the other."""


_DIFFERENT: Final = Relation(Related.DIFFERENT)


def relate(
    one: str,
    other: str,
    *,
    warns: tuple[bool, bool] = (False, False),
) -> Relation:
    """Tell how two texts relate; the same whichever comes first.

    Args:
        one: A text.
        other: Another one.
        warns: Which of them is a warning, and names what must not be. Of one warning and one rule
            in the same words each asks for the opposite of the other.
    """
    return _related(one, other, warns)


@lru_cache(maxsize=_PAIRS)
def _related(one: str, other: str, warns: tuple[bool, bool]) -> Relation:
    """Return what `relate` does: after one decision almost all pairs are the same as before."""
    return compared(reading(one), reading(other), warns=warns)


def compared(
    first: Reading, second: Reading, *, warns: tuple[bool, bool] = (False, False)
) -> Relation:
    """Tell how two texts relate that were read before."""
    crosses = warns[0] != warns[1]
    if first.form == second.form:
        if not crosses or not first.form:
            return Relation(Related.SAME, share=1.0)
        because = "one requires what the other warns against"
        return Relation(Related.CONFLICT, (), because, 1.0)
    if first.called and second.called and _speak_of_others(first.called, second.called):
        return _DIFFERENT
    if _explain_others(first, second):
        return _DIFFERENT
    common = first.stems & second.stems
    begins = first.begins & second.begins
    endings = len(begins.difference([stem[:BEGINS] for stem in common])) if begins else 0
    if _have_little_in_common(first, second, common, endings):
        return _DIFFERENT
    if not crosses and _cannot_relate(first, second, common, endings):
        return _DIFFERENT
    if first.form > second.form:
        first, second, warns = second, first, (warns[1], warns[0])
    mine = first.turned() if crosses and warns[0] else first.signs
    theirs = second.turned() if crosses and warns[1] else second.signs
    return _Both(first, second, mine, theirs).relation()


def _speak_of_others(ones: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether two texts name other issues or pull requests, or the same in another order."""
    if not {*ones} <= {*others} and not {*others} <= {*ones}:
        return True
    return [one for one in ones if one in others] != [other for other in others if other in ones]


def _explain_others(first: Reading, second: Reading) -> bool:
    """Tell whether each says what a part of one command does: `` `quay add` — … ``.

    Of other commands, `npm test` and `pnpm test`, one may stand in the way of the other.
    """
    one = _explained(first)
    other = _explained(second) if one else ()
    return bool(other) and one != other and one[0] == other[0]


def _explained(text: Reading) -> tuple[str, ...]:
    """Return the words of the code that a text opens with, and then tells of; () = of none."""
    if not text.spans or text.tokens[0].sort != "c":
        return ()
    words = tuple(token.word for token in takewhile(lambda token: token.sort == "c", text.tokens))
    behind = text.tokens[len(words) : len(words) + 2]
    return words if len(behind) > 1 and behind[0].sort == "|" else ()


def _have_little_in_common(
    first: Reading, second: Reading, common: frozenset[str], endings: int
) -> bool:
    """Tell at once of most texts that they are different: too few words could ever be shared.

    Never of two whose names or order are compared, or that answer questions beside those words.

    Args:
        first: A text.
        second: Another one.
        common: The words of both.
        endings: How many more might be one word with other endings.
    """
    if len(common) + endings >= _WORTH * min(first.weight, second.weight):
        return False
    return not _may_differ_in_names(first, second) and not _may_answer(first, second, common)


def _may_answer(first: Reading, second: Reading, common: frozenset[str]) -> bool:
    """Tell whether each answers something in a word of its own."""
    ones, others = first.answering, second.answering
    return bool(ones and others and ones - common and others - common)


def _cannot_relate(first: Reading, second: Reading, common: frozenset[str], endings: int) -> bool:
    """Tell at once of most other texts that `_Both` finds nothing: it changes no answer.

    It bounds from above what they share: their common words, and as many as might be one word with
    other endings. Below each of the shares that `_Both` asks for, nothing is left to be found, and
    two that each tell something more are never similar.
    """
    if first.begins_alike or second.begins_alike or (first.bound and second.bound):
        return False
    if _may_answer(first, second, common):
        return False
    weight, least = weight_in(common) + endings + _ROUNDING, min(first.weight, second.weight)
    are_alike = _are_alike(first.weight, second.weight, weight)
    if are_alike and (endings or not (_tells_more(first, common) and _tells_more(second, common))):
        return False
    if first.amounts and second.amounts and weight >= VALUES * least:
        return False
    if (first.denies or second.denies) and (are_alike or weight >= ABOUT * least):
        one, other = first.signs, second.signs
        if endings or any(one[stem] * other[stem] < 0 for stem in common):
            return False
    return not _may_differ_in_names(first, second) or not _may_name_otherwise(
        first, second, common, weight
    )


def _tells_more(text: Reading, common: frozenset[str]) -> bool:
    """Tell whether a text has a word of its own that may turn what it says."""
    known, aside = neutral(), text.aside
    for stem in text.signs:
        if stem not in common and stem not in aside and stem not in known:
            return True
    return False


def _may_name_otherwise(
    first: Reading, second: Reading, common: frozenset[str], weight: float
) -> bool:
    """Tell whether `_Both` may find other names where two share no more than that weight."""
    ones, others = first.names - common, second.names - common
    if not (ones and others) and not (first.code - common or second.code - common):
        return False
    # Beside code, any word may be the other one's name for it.
    mine = 0 if second.code else first.weight - len(ones)
    theirs = 0 if first.code else second.weight - len(others)
    return weight >= NAMES * max(mine, theirs)


def _are_alike(one: float, other: float, shared: float) -> bool:
    """Tell whether texts of two weights share so much that they would be called similar.

    They do, too, where one says all that the other one says, and little more.
    """
    least, most = min(one, other), max(one, other)
    if most > 0 and 2 * shared / (one + other) >= ALIKE:
        return True
    return least >= 2 and shared >= 0.95 * least and shared >= 0.45 * most


def _may_differ_in_names(first: Reading, second: Reading) -> bool:
    """Tell whether names or an order are compared, which takes fewer words in common."""
    has_names = (first.names and second.names) or first.code or second.code
    return bool(has_names or (first.bound and second.bound))


class _Both:
    """Two texts side by side."""

    __slots__ = (
        "agreed",
        "first",
        "left",
        "mine",
        "opposed",
        "right",
        "second",
        "shared",
        "theirs",
    )

    def __init__(
        self, first: Reading, second: Reading, mine: Mapping[str, int], theirs: Mapping[str, int]
    ) -> None:
        self.first, self.second = first, second
        self.mine, self.theirs = mine, theirs
        both = first.aside & second.aside
        self.shared = [(stem, stem) for stem in mine if stem in theirs and stem not in both]
        self.left = [s for s in mine if s not in theirs and s not in first.aside]
        self.right = [s for s in theirs if s not in mine and s not in second.aside]
        self.opposed: list[tuple[str, str]] = []
        self.agreed: list[tuple[str, str]] = []
        if self.left and self.right:
            self._answers()
            self._near()

    def relation(self) -> Relation:
        weight = weight_in([stem for stem, _ in self.shared])
        least = min(self.first.weight, self.second.weight)
        if (
            not self.opposed
            and weight
            < (_LEAST if _may_differ_in_names(self.first, self.second) else _WORTH) * least
        ):
            return _DIFFERENT
        by, said = next((each for each in self._found(weight) if each[1]), (None, None))
        if said is None and (not self._is_alike(weight) or self._may_turn()):
            return _DIFFERENT
        if said is not None and self._are_apart():
            return _DIFFERENT
        total = self.first.weight + self.second.weight
        share = min(2 * weight / total, 1.0) if total else 0.0
        if said is not None:
            by = By.ANSWERED if by is By.DENIED and self._opposed(weight) else by
            return Relation(Related.CONFLICT, *said, share, by)
        words = tuple(self.first.said[stem] for stem, _ in self.shared)
        return Relation(Related.SIMILAR, words, f"both say {_listed(words)}", share)

    def _found(self, weight: float) -> Iterator[tuple[By, tuple[tuple[str, ...], str] | None]]:
        """Yield what sets them against each other, each looked for when it is asked for."""
        yield By.DENIED, self._denied(weight)
        yield By.ANSWERED, self._opposed(weight)
        yield By.VALUED, self._values(weight)
        yield By.NAMED, self._names(weight)
        yield By.CHOSEN, self._chosen(weight)
        yield By.ORDERED, self._order()

    def _are_apart(self) -> bool:
        """Tell whether they say no rules, or each one of something of its own."""
        if are_no_rules(self.first.form, self.second.form):
            return True
        return are_of_other_kinds(self.first, self.second)

    def _may_turn(self) -> bool:
        """Tell whether anything that only one of them says could turn what both say.

        Nobody knows every word that denies. So two are similar only where what is left over cannot
        carry the opposite: no word of each side in place of the other's, no verb that opens a
        clause, nothing told behind *is*, no other number, no other place of the same word.
        """
        ones, others = (set(left).difference(neutral()) for left in (self.left, self.right))
        if self.opposed or (ones and others) or may_count_otherwise(self.first, self.second):
            return True
        if self.first.spans - self.second.spans and self.second.spans - self.first.spans:
            return True
        if any(self.first.takes_a_stand(stem) for stem in ones - light()):
            return True
        if any(self.second.takes_a_stand(stem) for stem in others - light()):
            return True
        told = (pair for pair in self.shared if pair not in self.agreed)
        if any(self.mine[a] * self.theirs[b] < 0 for a, b in told):
            return True
        return self._differs_in_a_value()

    def _answers(self) -> None:
        """Take out words that answer the same question: otherwise, or by a denial alike."""
        others = [stem for stem in self.right if stem in self.second.answering]
        for one in [stem for stem in self.left if stem in self.first.answering] if others else ():
            answered, unit = answers_of(one), self._rate(self.first, one)
            for other in others:
                if one not in self.left:
                    break
                opposes = _oppose(answered, answers_of(other))
                if opposes:
                    opposes = _oppose(self.first.decided(one), self.second.decided(other))
                if unit:
                    measure = self._rate(self.second, other)
                    opposes = unit != measure if measure and unit[0] == measure[0] else opposes
                if opposes is None:
                    continue
                if not opposes:
                    self.shared.append((one, other))
                elif self._are_steps(one, other):
                    continue
                elif self._is_mirrored(one, other) or self.mine[one] * self.theirs[other] < 0:
                    self.agreed.append((one, other))
                elif self.mine[one] == self.theirs[other] != 0 and self._bound_alike(one, other):
                    self.opposed.append((one, other))
                else:
                    continue
                self.left.remove(one)
                self.right.remove(other)
                others.remove(other)
        self.shared += self.agreed

    @staticmethod
    def _rate(text: Reading, stem: str) -> tuple[str, float] | None:
        """Return what a word measures in `per minute`."""
        unit = unit_of(stem)
        return unit if unit and text.neighbours(stem)[0] in _PER else None

    def _are_steps(self, one: str, other: str) -> bool:
        """Tell whether both are deeds of one command: `git worktree add`, `git worktree remove`.

        Each has its time. What stands in the way of the other, as `git merge` of `git rebase`, is
        no deed that the other one takes back.
        """
        a, b = self.first.said[one], self.second.said[other]
        if a not in DEEDS or b not in DEEDS:
            return False
        ahead = {*_commands(self.first, a)}
        return not ahead.isdisjoint(_commands(self.second, b))

    def _is_mirrored(self, one: str, other: str) -> bool:
        """Tell whether `a before b` meets `b after a`."""
        ahead, behind = self.first.bound.get(one), self.second.bound.get(other)
        if ahead is None or behind is None or ahead & behind:
            return False
        return bool(ahead & (self.theirs.keys() - behind)) and bool(
            behind & (self.mine.keys() - ahead)
        )

    def _bound_alike(self, one: str, other: str) -> bool:
        ahead, behind = self.first.bound.get(one), self.second.bound.get(other)
        return ahead is None or behind is None or bool(ahead & behind)

    def _near(self) -> None:
        """Count words of one stem as shared where their endings differ more than we know."""
        begins = {stem[:BEGINS] for stem in self.right}
        for one in [stem for stem in self.left if stem[:BEGINS] in begins]:
            for other in self.right:
                is_name = one in self.first.names or other in self.second.names
                if not is_name and _is_one_word(one, other):
                    self.shared.append((one, other))
                    self.left.remove(one)
                    self.right.remove(other)
                    break

    def _denied(self, weight: float) -> tuple[tuple[str, ...], str] | None:
        """Tell of words that one text asks for and the other one turns down."""
        mine, theirs = self.mine, self.theirs
        # `0 warnings` is `no warnings`.
        none, nothing = counted_as_none(self.first), counted_as_none(self.second)
        ours = [(a, b) for a, b in self.shared if mine[a] > 0 > theirs[b] and a not in none]
        turned = [(a, b) for a, b in self.shared if mine[a] < 0 < theirs[b] and b not in nothing]
        if not ours and not turned:
            return None
        if (self.first.allows and self.second.restricts) or (
            self.second.allows and self.first.restricts
        ):
            return None  # `never without a review` is `only with a review`
        first, second = self.first, self.second
        if asks_with_it(first, second, theirs) or asks_with_it(second, first, mine):
            return None
        if was_left_out(self.first) or was_left_out(self.second):
            return None
        swapped = bool(ours) and bool(turned)
        both_turn = any(self.mine[a] < 0 and self.theirs[b] < 0 for a, b in self.shared)
        if (both_turn or self._agrees()) and not swapped:
            return None
        if not swapped and self._is_turned_round([*ours, *turned]):
            return None
        ones, others = [a for a, _ in ours], [b for _, b in turned]
        if not swapped and (
            is_of_another(first, ones, second) or is_of_another(second, others, first)
        ):
            return None
        if self._say_alike(a for a, _ in [*ours, *turned]):
            return None
        least = min(self.first.weight, self.second.weight)
        if weight < ABOUT * least and not self._is_alike(weight):
            return None
        if not swapped and (self._says_otherwise(ours, 1) or self._says_otherwise(turned, 0)):
            return None
        denied = [b for _, b in ours] + [a for a, _ in turned]
        if len(denied) == 1 and self._is_passing(denied[0]):
            return None
        if not swapped and not self._is_focus(ours, 1) and not self._is_focus(turned, 0):
            return None
        flipped = sum(map(weight_of, denied))
        if not swapped and least - flipped > 1 and weight - flipped <= BESIDES * (least - flipped):
            return None
        words = tuple(dict.fromkeys(self._said(stem) for stem in denied))
        return words, f"one rejects what the other requires: {_listed(words)}"

    def _is_passing(self, stem: str) -> bool:
        """Tell whether a word is all that a text is about, and a long one names it in passing."""
        shorter, longer = sorted((self.first, self.second), key=lambda text: text.weight)
        if shorter.weight >= 2 or longer.weight < _LONG or stem in longer.names | shorter.names:
            return False
        return stem not in [*longer.signs][:_OPENING]

    def _say_alike(self, flipped: Iterable[str]) -> bool:
        """Tell whether the words stand in a clause that both have, and neither warns of it."""
        if self.mine is not self.first.signs or self.theirs is not self.second.signs:
            return False
        return _said_alike(self.first, self.second).issuperset(flipped)

    def _is_turned_round(self, flipped: Sequence[tuple[str, str]]) -> bool:
        """Tell whether `A never calls B` meets `B calls A`, which agree."""
        signs = (self.mine, self.theirs)
        verbs = {next((stem for stem, sign in each.items() if sign < 0), "") for each in signs}
        for one, other in flipped:
            if one not in verbs and other not in verbs:
                continue
            here, there = self.first.beside.get(one), self.second.beside.get(other)
            is_built_alike = _built(self.first, one) == _built(self.second, other)
            if here is None or there is None or not is_built_alike:
                continue
            sides = [
                (self.first.beside[a] < here, self.second.beside[b] < there)
                for a, b in self.shared
                if a != one and a in self.first.beside and b in self.second.beside
            ]
            if {(True, False), (False, True)} == {*sides}:
                return True
        return False

    def _says_otherwise(self, flipped: Sequence[tuple[str, str]], place: int) -> bool:
        """Tell whether `X is not Y` meets an X of which nobody said that it is Y."""
        told = (self.first, self.second)[place].told_of
        return bool(flipped) and bool(told) and told.isdisjoint(pair[place] for pair in flipped)

    def _agrees(self) -> bool:
        return any(self.mine[a] * self.theirs[b] < 0 for a, b in self.agreed)

    def _is_focus(self, flipped: Sequence[tuple[str, str]], place: int) -> bool:
        """Tell whether what is flipped is what that text turns down, and not a by-word of it."""
        if not flipped:
            return False
        text, signs = ((self.first, self.mine), (self.second, self.theirs))[place]
        asked = self.theirs if place == 0 else self.mine
        denied = [s for s, sign in signs.items() if sign < 0 and s not in text.aside]
        if not denied:
            return False  # all that it turns down stands aside
        if denied[0] in {pair[place] for pair in flipped}:
            return True
        total = sum(map(weight_of, denied))
        met = sum(
            weight_of(pair[place])
            for pair in self.shared
            if signs[pair[place]] < 0 <= asked[pair[1 - place]]
        )
        return met >= DENIED * total

    def _opposed(self, weight: float) -> tuple[tuple[str, ...], str] | None:
        if not self.opposed:
            return None
        mine = self.first.weight - sum(weight_of(a) for a, _ in self.opposed)
        theirs = self.second.weight - sum(weight_of(b) for _, b in self.opposed)
        least = min(mine, theirs)
        if weight < REST * least or (weight <= 0 and max(mine, theirs) > 1):
            return None
        pairs = [(self._said(a), self._said(b)) for a, b in self.opposed]
        words = tuple(word for pair in pairs for word in pair)
        return words, _against(pairs)

    def _values(self, weight: float) -> tuple[tuple[str, ...], str] | None:
        if not self.first.amounts or not self.second.amounts:
            return None
        pair = other_amounts(self.first, self.second)
        least = min(self.first.weight, self.second.weight)
        if pair is None or weight < VALUES * least or weight <= 0:
            return None
        if self._are_told_once(measured=any(each.unit for each in pair)):
            return None
        if are_values_of_others(self.first, self.second):
            return None
        if names_in_passing(self.first, self.second):
            return None
        said = [(pair[0].said, pair[1].said)]
        return said[0], _against(said)

    def _are_told_once(self, *, measured: bool = False) -> bool:
        """Tell whether each reports a time of its own, and neither is wrong in what differs.

        Args:
            measured: It is a time or a size that differs, which a rule for runs may name as well.
        """
        if not measured and tells_results(self.first) and tells_results(self.second):
            return True
        return is_told_once(self.first) and is_told_once(self.second)

    def _asks_for_one_name(self) -> bool:
        """Tell whether both ask for one thing by its name: `in a/, not b/` and `in a/, not c/`."""
        return any(
            self.mine[one] > 0 and self.theirs[other] > 0 and one in self.first.names
            for one, other in self.shared
        )

    def _names(self, weight: float) -> tuple[tuple[str, ...], str] | None:
        """Tell of another name in the same place of the same statement."""
        if not _may_differ_in_names(self.first, self.second):
            return None
        if only_points(self.first, self.second) or are_values_of_others(self.first, self.second):
            return None
        taken = {word for pair in self.shared for word in pair}
        ones = sorted(s for s in self.first.beside if s not in self.theirs and s not in taken)
        others = sorted(s for s in self.second.beside if s not in self.mine and s not in taken)
        places = [
            (one, other)
            for one, other in _standing_alike(self.first, ones, self.second, others)
            if (one in self.first.names and other in self.second.names)
            or (one in self.first.code or other in self.second.code)
        ]
        places = [(one, other) for one, other in places if not self._are_steps(one, other)]
        first, second = self.first, self.second
        places = [(a, b) for a, b in places if is_other_name(first, a, second, b)]
        ones, others = [one for one, _ in places], [other for _, other in places]
        if not ones or self.mine[ones[0]] != self.theirs[others[0]]:
            return None
        if self._are_told_once() or (self.mine[ones[0]] < 0 and self._asks_for_one_name()):
            return None
        rest = max(
            self.first.weight - sum(weight_of(s) for s in {*ones} if s not in self.first.aside),
            self.second.weight - sum(weight_of(s) for s in {*others} if s not in self.second.aside),
        )
        if weight < NAMES * rest or weight <= 0:
            return None
        pairs = [(self._said(ones[0]), self._said(others[0]))]
        return pairs[0], _against(pairs)

    def _differs_in_a_value(self) -> bool:
        """Tell whether another word stands behind the same preposition: something else is meant."""
        if any(
            self.first.neighbours(one)[0] == self.second.neighbours(other)[0]
            for one in self.left
            for other in self.right
            if self.first.neighbours(one)[0] in _PREPOSITIONS
        ):
            return True
        return self._goes_another_way()

    def _goes_another_way(self) -> bool:
        """Tell whether `from a to b` meets `from b to a`."""
        ones: dict[str, set[str]] = {}
        others: dict[str, set[str]] = {}
        for one, other in self.shared:
            for ways, before in (
                (ones, self.first.neighbours(one)[0]),
                (others, self.second.neighbours(other)[0]),
            ):
                if before in _WAYS:
                    ways.setdefault(before, set()).add(one)
        return any(ones[word].isdisjoint(others[word]) for word in ones.keys() & others.keys())

    def _chosen(self, weight: float) -> tuple[tuple[str, ...], str] | None:
        """Tell of two that chose otherwise among the same."""
        ours, others = self.first.bound.get(CHOSEN), self.second.bound.get(CHOSEN)
        if not ours or not others:
            return None
        least = min(self.first.weight, self.second.weight)
        if ours & others or weight < ABOUT * least:
            return None
        # A number, or a second word that prefers, is chosen as well, but is nothing to name.
        mine = next((stem for stem in self.mine if stem in ours), None)
        theirs = next((stem for stem in self.theirs if stem in others), None)
        if mine is None or theirs is None:
            return None
        pairs = [(self._said(mine), self._said(theirs))]
        return pairs[0], _against(pairs)

    def _order(self) -> tuple[tuple[str, ...], str] | None:
        """Tell of two of which one puts first what the other puts last."""
        if not self.first.bound or not self.second.bound:
            return None
        for word in self.first.bound.keys() & self.second.bound.keys() - {CHOSEN}:
            ours, others = self.first.bound[word], self.second.bound[word]
            crosses = ours & (self.theirs.keys() - others) and others & (self.mine.keys() - ours)
            if crosses and not ours & others:
                ahead, behind = self._said(min(ours)), self._said(min(others))
                return (word, ahead, behind), _against([(f"{word} {ahead}", f"{word} {behind}")])
        return None

    def _is_alike(self, weight: float) -> bool:
        """Tell whether they have so many words in common that they would be called similar."""
        return _are_alike(self.first.weight, self.second.weight, weight)

    def _said(self, stem: str) -> str:
        return self.first.said.get(stem) or self.second.said.get(stem) or stem


def _built(text: Reading, verb: str) -> tuple[bool, str]:
    """Return whether a verb is in the passive, and with which preposition it goes on."""
    before, behind = text.neighbours(verb)
    return before in IS, behind if behind in _PREPOSITIONS else ""


def _commands(text: Reading, word: str) -> Iterator[tuple[str, ...]]:
    """Yield what stands before a word where it is a part of a command in code quotes."""
    for span in text.spans:
        parts = span.strip("`").split()
        if word in parts[1:]:
            yield tuple(parts[: parts.index(word)])


def _oppose(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> bool | None:
    """Tell whether two words answer one question otherwise; `None` = they answer none in common."""
    found: bool | None = None
    for question, side in one:
        for asked, answer in other:
            if question == asked:
                if side == answer:
                    return False
                found = True
    return found


def _may_differ(text: Reading, stem: str) -> bool:
    """Tell whether a word is a value: what a text opens with is its subject, unless asked for."""
    return stem != text.head or text.neighbours(stem)[0] in ASKS


def _standing_alike(
    first: Reading, ones: Iterable[str], second: Reading, others: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the words that may differ and stand in one place, in the order that they come in.

    They have a neighbour in common, so that the others are looked up by theirs: of two long texts
    almost no pair has one. What opens a clause is its subject, and stands in no place.
    """
    ahead: dict[str, list[int]] = {}
    behind: dict[str, list[int]] = {}
    theirs = [other for other in others if _may_differ(second, other)]
    for number, other in enumerate(theirs):
        before, after = second.neighbours(other)
        if before:
            ahead.setdefault(before, []).append(number)
            if after:
                behind.setdefault(after, []).append(number)
    for one in ones:
        before, after = first.neighbours(one)
        if before and _may_differ(first, one):
            numbers = {*ahead.get(before, ()), *behind.get(after, ())}
            yield from ((one, theirs[number]) for number in sorted(numbers))


def _is_one_word(one: str, other: str) -> bool:
    if one[:BEGINS] != other[:BEGINS] or min(len(one), len(other)) < BEGINS:
        return False
    shorter, longer = sorted((one, other), key=len)
    if longer.startswith(shorter):
        return len(longer) - len(shorter) <= 3
    common = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(shorter)
    )
    return common >= max(BEGINS, _STEMS_ALIKE * len(longer))


def _said_alike(first: Reading, second: Reading) -> frozenset[str]:
    """Return the stems of the clauses that two texts have in common, word for word."""
    ones, others = ({*_clauses_of(text)} for text in (first, second))
    return frozenset(stem for clause in ones & others if len(clause) > 2 for stem in clause)


def _clauses_of(text: Reading) -> Iterator[tuple[str, ...]]:
    for is_end, tokens in groupby(text.tokens, key=lambda token: token.sort == "|"):
        if not is_end:
            yield tuple(token.stem or token.word for token in tokens)


def _against(pairs: Sequence[tuple[str, str]]) -> str:
    return "; ".join(f"one says `{one}`, the other `{other}`" for one, other in pairs)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


def may_oppose(one: str, other: str, *, warns: tuple[bool, bool] = (False, False)) -> bool:
    """Tell whether two texts that are about the same may say opposite things.

    In a language of which nobody listed how it denies they may: it was not checked.
    """
    if not is_listed(reading(one).form, reading(other).form):
        return True
    return relate(one, other, warns=warns).related is Related.CONFLICT
