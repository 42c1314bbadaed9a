"""The content words of a text: what it is about, without what binds, asks for or forbids."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from remem.core.relation.normal_form import norm

_CODE: Final = re.compile(r"`([^`\n]+)`")
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
# Scripts without blanks between words: there pairs of characters stand for words.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NEGATION: Final = re.compile("禁止|不要|不得|不可|不能|没有|切勿|请勿|总是|必须|应该|不|勿|没")
_CONTRACTED: Final = re.compile(r"\w+n['’]t")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP: Final = _words(
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

_WORDS: Final = 8_192
"""Words of which the stem is kept."""
_ENDINGS: Final = ("ings", "ing", "ied", "ies", "ed", "es", "s")
_STEM: Final = 3
"""Letters that are left at least when an ending is taken off."""


def content_words(text: str) -> dict[str, str]:
    """Return what a text is about: the stem of each content word, and how the text writes it.

    Stop words, negations and what asks or forbids are left out; numbers are kept, and so is all
    that stands in code quotes. A text of such words alone is about these. Nothing is kept of it.
    """
    code = {stem for span in _CODE.findall(text) for stem, _ in _tokens(norm(span))}
    found = dict(reversed(_tokens(norm(text))))
    kept = {stem: said for stem, said in found.items() if stem in code or not _is_stop(said)}
    return dict(reversed((kept or found).items()))


def _is_stop(word: str) -> bool:
    return word in STOP or _CONTRACTED.fullmatch(word) is not None


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return the stem and the spelling of each word, number or pair of characters."""
    if _is_spaced(text):
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


def _is_spaced(text: str) -> bool:
    """Tell whether a text has no character of a script without blanks; dashes and signs are none.

    Those scripts lie in two stretches, with what most texts have besides letters between them.
    """
    if max(text, default="") < _UNSPACED[0]:
        return True
    return not any("\u0e00" <= each < "\u1800" or "\u3040" <= each <= "\ud7af" for each in {*text})


@cache
def _any_script() -> re.Pattern[str]:
    """Return what finds words, and else runs without blanks; it takes five milliseconds to make."""
    word = rf"[^\W\d_{_UNSPACED}]+"
    return re.compile(rf"(\d+(?:[.,]\d+)*|{word}(?:['’]{word})?)|([{_UNSPACED}]+)")


@lru_cache(maxsize=_WORDS)
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
