"""The numbers that two texts give: whether they speak of the same, and differ.

Numbers that both give are set against each other first; what is left over is compared by what it
counts, and a number that nothing says what it counts of only with another one like it.
"""

from __future__ import annotations

from collections.abc import Sequence

from remem.core.relation.comparable_text import Reading, reading
from remem.core.relation.counted import Amount


def other_amounts(first: Reading, second: Reading) -> tuple[Amount, Amount] | None:
    """Return a number of each text that speak of the same and differ."""
    ones, others = _left_over(first.amounts, second.amounts)
    if any("." in each.said for each in (*first.amounts, *second.amounts)):
        ones = [one for one in ones if not any(_is_part(one, each) for each in second.amounts)]
        others = [each for each in others if not any(_is_part(one, each) for one in first.amounts)]
    for one in ones:
        for other in others:
            if _is_comparable(one, other) and not _count_others(first, one, second, other):
                return one, other
    return None


def may_count_otherwise(first: Reading, second: Reading) -> bool:
    """Tell whether numbers are left over: of each text, or of what the other one does not count."""
    ones, others = _left_over(first.amounts, second.amounts)
    if any(not (a.is_article and b.is_article) for a in ones for b in others):
        return True
    left = ((ones, second), (others, first))
    return any(a.of in text.signs for own, text in left for a in own if _is_numeral(a))


def counted_as_none(text: Reading) -> frozenset[str]:
    """Return the words of which a text says that there are 0: each of `zero lint errors`."""
    found = {each.of for each in text.amounts if each.of and not each.value}
    if found:
        for token, behind in zip(text.tokens, text.tokens[1:], strict=False):
            if token.stem in found and token.sort in "wn" and behind.sort in "wn":
                found.add(behind.stem)
    return frozenset(found)


def _left_over(
    first: Sequence[Amount], second: Sequence[Amount]
) -> tuple[list[Amount], list[Amount]]:
    """Return the numbers of each text that the other one does not give."""
    ones, others = list(first), list(second)
    for one in first:
        equal = next((other for other in others if _is_equal(one, other)), None)
        if equal is not None:
            ones.remove(one)
            others.remove(equal)
    return ones, others


def _is_numeral(amount: Amount) -> bool:
    return not amount.is_article or amount.said == "one"


def _is_equal(one: Amount, other: Amount) -> bool:
    return one.value == other.value and (one.unit == other.unit or not (one.unit and other.unit))


def _count_others(first: Reading, one: Amount, second: Reading, other: Amount) -> bool:
    """Tell whether each counts what the other text does not name: `5 cron jobs`, `3 disks`."""
    if not (one.counts and other.counts) or (one.unit and other.unit):
        return False
    return one.of not in second.signs and other.of not in first.signs


def _is_comparable(one: Amount, other: Amount) -> bool:
    if one.is_name or other.is_name:
        return False
    if one.is_article and other.is_article:
        return False
    if one.is_article or other.is_article:
        return bool(one.of or one.unit) and (one.of, one.unit) == (other.of, other.unit)
    if one.unit or other.unit:
        return one.unit == other.unit or one.of == other.of != ""
    return not ((_is_year(one) and "." in other.said) or (_is_year(other) and "." in one.said))


def _is_part(one: Amount, other: Amount) -> bool:
    """Tell whether one is a version, and the other one the same told shorter: `7` of `7.6.2`."""
    shorter, longer = sorted((one.said, other.said), key=len)
    is_called = one.is_version and other.is_version and "." not in shorter
    is_version = not (one.unit or other.unit) and longer.count(".") > (not is_called)
    return is_version and longer.startswith(f"{shorter}.")


def _is_year(amount: Amount) -> bool:
    """Tell whether a number may be a year, which no version is compared with."""
    return len(amount.said) == 4 and amount.said[:2] in ("19", "20") and amount.said.isdigit()


def counts_otherwise(one: str, other: str) -> bool:
    """Tell whether two texts give other numbers of one unit, whatever they are about."""
    pair = other_amounts(reading(one), reading(other))
    return pair is not None and pair[0].unit != "" and pair[0].unit == pair[1].unit


def count_the_same(first: Reading, second: Reading) -> bool:
    """Tell whether two texts count the same thing, named in two words: `5 cron jobs`."""
    return not _counted(first).isdisjoint(_counted(second))


def _counted(text: Reading) -> frozenset[tuple[str, str]]:
    """Return the pairs of words that stand right behind a number."""
    tokens = text.tokens
    return frozenset(
        (one.stem, two.stem)
        for number, one, two in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if number.sort == "#" and one.sort == two.sort == "w"
    )
