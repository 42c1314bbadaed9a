"""What a text is about: its content words, and whether something in force is about the same.

One rule holds for whatever remem does by itself: it waits for a person while anything in force, of
any kind, shares half the content words of the shorter text and is not the same text. Negations are
no content words, so a rule and its opposite are about the same. A false alarm only means waiting.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Final, Generic, NamedTuple, TypeVar

from remem.base.frozen import dataclass
from remem.core.relation.similar import norm

K = TypeVar("K")

SHARE: Final = 0.5
"""From this share of the shorter text's content words on, two texts are about the same."""

_CODE: Final = re.compile(r"`([^`\n]+)`")
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
# Scripts without blanks between words: there pairs of characters stand for words.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NEGATION: Final = re.compile("禁止|不要|不得|不可|不能|没有|切勿|请勿|总是|必须|应该|不|勿|没")
_CONTRACTED: Final = re.compile(r"\w+n['’]t")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STOP: Final = _words(
    # English: what binds a sentence together, what forbids, asks for or merely puts into use.
    "a about again all also always am an and any are as at avoid be because been before being both "
    "but by can cannot could did do does doing done each either ensure every few for forbid "
    "forbidden from further had has have having he her here his how i if in instead into is it its "
    "itself just let like make may me might more most must my need neither never nevertheless no "
    "none nor not nothing of off on once only onto or other ought our out over own per please "
    "prefer prohibit prohibited rather refrain same shall she should since so some still stop such "
    "than that the their them then there these they this those through to too under until up upon "
    "us use used uses using very via was we were what when where whether which while who whose why "
    "will with within without would yet you your "
    # German
    "aber alle allen aller alles als am an auch auf aus bei beim bis da damit dann das dass dem "
    "den der des die dies diese diesem diesen dieser dieses doch durch ein eine einem einen einer "
    "eines er es für gegen hat haben hier ich ihr im immer in ins ist jede jedem jeden jeder jedes "
    "kann kein keine keinem keinen keiner keines man mit muss müssen nach nicht nie niemals noch "
    "nur ob oder ohne sein seine sich sie sind so soll sollen sollte sollten sondern stets über um "
    "und uns unter vermeide vermeiden verwende verwenden vom von vor war was wenn wer werden wie "
    "wird wir wo zu zum zur "
    # French
    "au aucun aucune aux avec ce ces cette chaque comme dans de des doit doivent du elle elles en "
    "est et être évite éviter évitez il ils jamais la le les leur leurs lors lorsque mais ne ni "
    "nos notre nous on ou où par pas plus pour qu que qui sans se ses si son sont sous sur ta tes "
    "toujours tous tout toute toutes un une utilise utiliser utilisez vers vos votre vous"
)

_ENDINGS: Final = ("ings", "ing", "ied", "ies", "ed", "es", "s")
_STEM: Final = 3
"""Letters that are left at least when an ending is taken off."""


class Overlap(NamedTuple, Generic[K]):
    """Something in force that a text is about as well, without being the same text."""

    key: K
    kind: str
    text: str
    shared: tuple[str, ...]
    """The content words that both have, as the text that was asked about writes them."""
    asked: str
    """The text that was asked about."""
    asked_kind: str

    @property
    def words(self) -> str:
        """What both have, as people read it."""
        return ", ".join(self.shared)


@dataclass(frozen=True, slots=True)
class Standing(Generic[K]):
    """A text that is in force."""

    key: K
    kind: str
    text: str


class InForce(Generic[K]):
    """All that is in force, to be asked what speaks against acting by oneself."""

    def __init__(self, standing: Iterable[Standing[K]] = ()) -> None:
        """Index the texts by their content words."""
        self._standing: list[Standing[K]] = []
        self._sizes: list[int] = []
        self._forms: list[str] = []
        self._places: dict[str, list[int]] = {}
        self._same: dict[str, list[int]] = {}
        for each in standing:
            self.add(each)

    def add(self, each: Standing[K]) -> None:
        """Take in one more text."""
        place, words, form = len(self._standing), content_words(each.text), norm(each.text)
        self._standing.append(each)
        self._sizes.append(len(words))
        self._forms.append(form)
        self._same.setdefault(form, []).append(place)
        for word in words:
            self._places.setdefault(word, []).append(place)

    def against(self, kind: str, text: str) -> tuple[Overlap[K], ...]:
        """Return all that makes an automatism wait with a text, in the order it was given.

        The same text in the same kind is no reason to wait, and in another kind it is one: a rule
        and an anti-pattern in the same words ask for opposite things.
        """
        wanted, form = content_words(text), norm(text)
        met = Counter(chain.from_iterable(self._places.get(word, ()) for word in wanted))
        much, sizes = SHARE * len(wanted), self._sizes
        near = (p for p, shared in met.items() if shared >= much or shared >= SHARE * sizes[p])
        found = (
            self._overlap(place, wanted, text, kind)
            for place in sorted({*near, *self._same.get(form, ())})
            if self._standing[place].kind != kind or self._forms[place] != form
        )
        return tuple(found)

    def _overlap(self, place: int, wanted: dict[str, str], text: str, kind: str) -> Overlap[K]:
        each = self._standing[place]
        other = content_words(each.text)
        shared = tuple(said for stem, said in wanted.items() if stem in other)
        return Overlap(each.key, each.kind, each.text, shared, text, kind)


def against(kind: str, text: str, other_kind: str, other: str) -> tuple[str, ...] | None:
    """Return the shared words for which one text waits because of another; `None` = it need not."""
    found = InForce([Standing(None, other_kind, other)]).against(kind, text)
    return found[0].shared if found else None


def paired(ones: Sequence[str], others: Sequence[str]) -> dict[int, int]:
    """Pair texts that are about the same, each at most once, those that share most words first.

    It is for texts that are known to belong together, what was found and what was made of it: two
    texts of which nothing is known are compared by `core/relation/similar.py`.

    Returns:
        Number of a text → number of the other one, for those that have one.
    """
    mine = [content_words(text) for text in ones]
    theirs = [content_words(text) for text in others]
    shares = (
        (len(words.keys() & other.keys()) / min(len(words), len(other)), one, two)
        for one, words in enumerate(mine)
        for two, other in enumerate(theirs)
        if words and other
    )
    pairs: dict[int, int] = {}
    for share, one, two in sorted(shares, key=lambda each: (-each[0], *each[1:])):
        if share >= SHARE and one not in pairs and two not in pairs.values():
            pairs[one] = two
    return pairs


@lru_cache(maxsize=16_384)
def content_words(text: str) -> dict[str, str]:
    """Return what a text is about: the stem of each content word, and how the text writes it.

    Stop words, negations and what asks or forbids are left out; numbers are kept, and so is all
    that stands in code quotes. A text of such words alone is about these.
    """
    code = {stem for span in _CODE.findall(text) for stem, _ in _tokens(norm(span))}
    found = dict(reversed(_tokens(norm(text))))
    kept = {stem: said for stem, said in found.items() if stem in code or not _is_stop(said)}
    return dict(reversed((kept or found).items()))


def _is_stop(word: str) -> bool:
    return word in _STOP or _CONTRACTED.fullmatch(word) is not None


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return the stem and the spelling of each word, number or pair of characters."""
    if max(text, default="") < _UNSPACED[0]:
        return [(stem_of(token), token) for token in _WORD.findall(text)]
    found: list[tuple[str, str]] = []
    for spaced, token in _any_script().findall(text):
        if spaced:
            found.append((stem_of(spaced), spaced))
            continue
        for run in filter(None, _NEGATION.split(token)):
            pairs = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
            found += [(pair, pair) for pair in pairs]
    return found


@cache
def _any_script() -> re.Pattern[str]:
    """Return what finds words, and else runs without blanks; it takes five milliseconds to make."""
    word = rf"[^\W\d_{_UNSPACED}]+"
    return re.compile(rf"(\d+(?:[.,]\d+)*|{word}(?:['’]{word})?)|([{_UNSPACED}]+)")


@lru_cache(maxsize=32_768)
def stem_of(word: str) -> str:
    """Return what is left without an English ending: `caching`, `cached`, `caches` are one."""
    if not word.isascii() or word.isdigit():
        return word
    bare = word.removesuffix("'s")
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) - len(ending) >= _STEM and not bare.endswith("ss"):
            bare = bare.removesuffix(ending) + ("y" if ending in ("ies", "ied") else "")
            break
    if len(bare) > _STEM and bare[-1] == bare[-2] and bare[-1] not in "aeiouls":
        bare = bare[:-1]
    return bare.removesuffix("e") if len(bare) > _STEM else bare
