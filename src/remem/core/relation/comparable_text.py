"""What a text says, in the shape in which two of them are compared.

A text is read as the words that it is about, each with a sign: asked for, or turned down. Numbers
with their units and names (code, paths) stand apart from the subject; so do the
conditions and reasons that come behind. It knows words and no grammar: a word of denial holds up to
the end of its clause, or where nothing follows it, for what stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache, lru_cache
from itertools import takewhile
from types import MappingProxyType
from typing import Final

from remem.base.frozen import dataclass
from remem.core.relation import oppositions as data
from remem.core.relation.content_words import STOP
from remem.core.relation.counted import DATED, Amount, amount_of, counts, is_of_series, numeral_of
from remem.core.relation.normal_form import norm
from remem.core.relation.one_of_many import is_one_of_many
from remem.core.relation.stems import (
    WORDS_KEPT,
    answers_of,
    by_question,
    does_answer,
    is_chinese,
    sense_of,
)
from remem.core.relation.token_patterns import (
    CHARACTERS,
    CJK,
    ENDS,
    characters_in,
    naming,
    plain_words,
    token_pattern,
    words_alone,
)
from remem.core.relation.words import (
    ALSO,
    COLOURED,
    HELPS,
    LINKED,
    NUMBERED,
    Token,
    is_called,
    required,
)

_CUT: Final = " ¦ "
"""Ends a clause."""
_UNLESS: Final = " ¤unless "
_REASON: Final = " ¤reason "
_INSTEAD: Final = " ¤instead "
_KEPT: Final = data.words(
    "before after over under below above more most max min less least vor nach bevor nachdem mehr "
    "weniger"
)
"""Stop words that answer a question."""
_ASKED: Final = data.words("why what how when where who warum was wie wann wo wer")
"""Stop words that are a statement where a clause ends with them: `why, not what`."""
IS: Final = data.words("is are was were be been being wird werden wurde ist sind sei")
"""Behind these a denial holds for what stands before as well: `raw SQL is never written`."""
_GERMAN: Final = data.words(
    "der das dem des ein eine einen einem einer eines nicht und wird werden für auf sind im bei "
    "zum zur statt lieber keine kein keinen von vom aus nach über unter vor dass weil wenn nur "
    "noch oder aber wir sie es sich jede jeder jedes immer beim ohne"
)
"""Words that English does not have: one of them tells that a text is German."""
_ACTS: Final = data.words("deny denies refuse refuses reject rejects skip skips")
"""Verbs that turn down what follows; before a preposition they turn down nothing: `deny by`."""
_BEFORE_NAMES: Final = data.words("by in on at until with from bei in mit bis")
_TOLD: Final = data.words("cannot never nie niemals")
_STAMPED: Final = data.words("date datum updated modified aktualisiert 更新 日期")
_MAY_BE: Final = data.words(
    "allowed permitted welcome wanted needed recommended tolerated accepted acceptable good ok "
    "okay fine used desired necessary required supported possible valid option way idea answer "
    "erlaubt zulässig gewünscht erwünscht nötig notwendig erforderlich möglich empfohlen verwendet "
    "genutzt gestattet"
)
"""Words that say of what they are told only whether it may be."""
CHOSEN: Final = "chosen"
_BY_WORDS: Final = data.words("even also just still sogar auch selbst")
_ARTICLES: Final = data.words("a an the its der die das dem den ein eine einen einem")
_LINKS: Final = data.words(
    "but while whereas which who that when if where then aber sondern während dass wenn falls"
)
"""Words that begin another clause."""
_WHICH: Final = data.words("that which who")
ASKS: Final = data.words(
    "use uses using prefer take let keep return put always do should must write run only open "
    "call verwende verwenden nutze nimm immer"
)
"""Words that ask for something: behind `and` they end what was denied."""
_PREFERS: Final = data.words(
    "prefer prefers favour favor favours favors choose chooses chose chosen decided better lieber "
    "besser vorziehen gewählt entschieden preferred favoured favored bevorzugt"
)
_PASSIVE: Final = data.words("preferred favoured favored bevorzugt")
"""Those of them before which stands what was chosen."""
LIGHT: Final = data.words(
    "keep write run live get make take put set add go need require want follow come run work give "
    "place hold belong carry happen need allow new other way lie become contain have schreiben "
    "schreib machen brauchen brauch enthalten arbeiten laufen lauf stehen gehören gehör haben "
    "geben setzen neu ander before after over under below above more most max min less least nach "
    "vor mehr weniger mindestens höchstens"
)
"""Words that tell little of what a text is about."""
_STANCES: Final = data.words(
    "keep go need require want allow new other before after over under below above more most max "
    "min less least nach vor mehr weniger mindestens höchstens brauchen brauch neu ander"
)
"""Those of them that say whether, when or how much, and may say the opposite."""
_HALF: Final = 0.4
_TEXTS: Final = 1_024
"""Texts of which it is kept what they say, 3 kB each: those that are compared at one moment."""
BEGINS: Final = 5
"""Letters in which words of one stem begin alike."""
_NOTHING: Final[frozenset[str]] = frozenset()
_NO_ORDER: Final[Mapping[str, frozenset[str]]] = MappingProxyType({})
_CLOCK: Final = re.compile(r"[0-9]{1,4}(?::[0-9]{1,2}){0,2}")
_CITES: Final = data.words(
    "see cf also fix fixes fixed close closes closed ref refs reference resolve resolves resolved "
    "learned learnt seen found reported discussed decided source siehe vgl in from by via per at"
)
"""Words of a clause that only says where something was met: `(see PR #12)`."""


def about(text: str) -> frozenset[str]:
    """Return the stems of a text without a look at what it says of them; it is quick.

    Nothing is kept of it: who asks for many texts again keeps what belongs to those that stand.
    """
    folded = text.casefold()
    cjk = characters_in(folded)
    found = set(map(_telling, plain_words(cjk).findall(folded)))
    found.discard("")
    if cjk:
        for run in CHARACTERS.findall(folded):
            found.update(token.stem for token in _chinese(run) if token.sort == "w")
    return frozenset(found)


def opposing(text: str) -> Iterator[str]:
    """Yield the stems of words that answer otherwise what a text answers."""
    every = by_question()
    for stem in about(text) - LIGHT:
        for question, side in answers_of(stem):
            for other, answer in every[question]:
                if answer != side and other not in LIGHT:
                    yield other


_END: Final = Token("", "", "|")


@dataclass(slots=True)
class Reading:
    """What one text says."""

    signs: dict[str, int] = field(default_factory=dict)
    """Stem → 1 asked for, -1 turned down, 0 both or neither."""
    said: dict[str, str] = field(default_factory=dict)
    """Stem → the word as the text writes it, in lower case."""
    aside: frozenset[str] = frozenset()
    """Stems that stand in a condition or a reason only."""
    names: frozenset[str] = frozenset()
    """Stems that are code, paths or names written with capitals."""
    code: frozenset[str] = frozenset()
    """Those that stand in code quotes or are paths."""
    spans: frozenset[str] = frozenset()
    """What stands in code quotes, each whole."""
    beside: dict[str, int] = field(default_factory=dict)
    """Stem → its place among the tokens."""
    tokens: list[Token] = field(default_factory=list)
    """Those of its clauses, an end behind each. One list: of 10,000 texts a list for each clause
    would be what the collector of garbage works on."""
    amounts: tuple[Amount, ...] = ()
    called: tuple[str, ...] = ()
    """The numbers by which it names issues and pull requests that it is about; and packages."""
    bound: Mapping[str, frozenset[str]] = field(default_factory=lambda: _NO_ORDER)
    """`before` or `after` → what it stands before."""
    head: str = ""
    """The first stem: what the text opens with."""
    weight: float = 0.0
    """How much it says, a light word counting less."""
    contrasts: bool = False
    """It sets one thing against another, and so both are what it is about."""
    begins: frozenset[str] = frozenset()
    """What its longer stems begin with: words of one stem may end otherwise."""
    stems: frozenset[str] = frozenset()
    """Those that have a sign."""
    begins_alike: bool = False
    """Two of its stems begin alike."""
    denies: bool = False
    """It turns something down."""
    allows: bool = False
    """What it turns down it allows with something: `never push without a review`."""
    answering: frozenset[str] = frozenset()
    """The stems that answer a question, or measure something."""
    allowed_with: frozenset[str] = frozenset()
    """The stems of that with which, or in which case, it allows what it turns down."""
    told_of: frozenset[str] = frozenset()
    """The stems of Y in `X is not Y`; without such as only say whether X may be."""
    form: str = ""

    @property
    def restricts(self) -> bool:
        """Tell whether it asks for something in one case only."""
        return any(token.word in _ONLY for token in self.tokens)

    def neighbours(self, stem: str) -> tuple[str, str]:
        """Return the words on either side of a stem, articles apart; empty = there is none."""
        place = self.beside.get(stem)
        if place is None:
            return "", ""
        return self._first(range(place - 1, -1, -1)), self._first(
            range(place + 1, len(self.tokens))
        )

    def _first(self, places: Iterable[int]) -> str:
        """Return the first word at some places of one clause that is no article."""
        for token in map(self.tokens.__getitem__, places):
            if token is _END:
                break
            if token.word not in _ARTICLES:
                return token.word
        return ""

    def takes_a_stand(self, stem: str) -> bool:
        """Tell whether a word stands where a verdict stands: it opens a clause, or follows *is*."""
        place = self.beside.get(stem, 0)
        if not place or self.tokens[place - 1].word in IS:
            return True
        for token in map(self.tokens.__getitem__, range(place - 1, -1, -1)):
            if token is _END:
                break
            if _says(token):
                return False
        return True

    def decided(self, stem: str) -> Sequence[tuple[int, int]]:
        """Return what a word answers, but for questions that its clause answers both ways alike.

        `camelCase or snake_case` decides nothing; `tabs, not spaces` does.
        """
        answered = answers_of(stem)
        if not answered or len(self.answering) < 2:
            return answered
        others = {
            pair
            for other in self.answering - {stem}
            if self.signs[other] == self.signs[stem] and self._are_of_one_clause(stem, other)
            for pair in answers_of(other)
        }
        asked = {question for question, side in answered}
        both = {q for q, side in others if q in asked and (q, side) not in answered}
        return tuple(each for each in answered if each[0] not in both) if both else answered

    def _are_of_one_clause(self, one: str, other: str) -> bool:
        if one not in self.beside or other not in self.beside:
            return False
        first, last = sorted((self.beside[one], self.beside[other]))
        return all(token is not _END for token in self.tokens[first:last])

    def turned(self) -> Mapping[str, int]:
        """Return the signs of a warning: what it names is what must not be."""
        if not self.contrasts and -1 in self.signs.values():
            return {stem: 1 if sign < 0 else 0 for stem, sign in self.signs.items()}
        return {stem: -sign for stem, sign in self.signs.items()}


@cache
def light() -> frozenset[str]:
    """Return the stems of words that tell little: none of them denies."""
    return frozenset(map(sense_of, LIGHT)) | LIGHT


@cache
def neutral() -> frozenset[str]:
    """Return those of which one does as well as another: `belong in`, `live in`."""
    return light() - _STANCES - frozenset(map(sense_of, _STANCES))


def weight_of(stem: str) -> float:
    """Return how much a word tells of what a text is about."""
    return _HALF if stem in LIGHT else 1.0


def weight_in(stems: Iterable[str]) -> float:
    """Return how much words tell together."""
    return sum([_HALF if stem in LIGHT else 1.0 for stem in stems])


@lru_cache(maxsize=_TEXTS)
def reading(text: str) -> Reading:
    """Return what a text says; the same object for the same text, which nobody changes."""
    return read(text)


def read(text: str) -> Reading:
    """Return what a text says, worked out anew: who compares very many keeps it while it does."""
    found = Reading(form=norm(text))
    if "`" in text:
        found.spans = frozenset(_SPAN.findall(text.casefold()))
    found.called, tokens = required(text), _tokens(text)
    for stretch, is_aside in _clauses(tokens):
        if stretch:
            _take(found, stretch, is_aside)
    if found.aside and -1 in found.signs.values() and any(t.stem == "¤unless" for t in tokens):
        found.allowed_with |= found.aside
    if any(f" {word} " in found.form for word in _WHICH) and -1 in found.signs.values():
        _allow_what_is(found, tokens)
    core = [*found.signs]
    if found.aside:
        core = [stem for stem in core if stem not in found.aside]
    if not core:
        found.aside, core = frozenset(), [*found.signs]
    found.weight = weight_in(core)
    found.answering = frozenset([s for s in core if does_answer(s)]) or _NOTHING
    found.stems = frozenset(found.signs)
    begins = [stem[:BEGINS] for stem in found.signs if len(stem) >= BEGINS]
    found.begins = frozenset(begins)
    found.begins_alike = len(found.begins) < len(begins)
    found.denies = -1 in found.signs.values()
    found.head = core[0] if core else ""
    return found


def _allow_what_is(found: Reading, tokens: Sequence[Token]) -> None:
    """Take in that `no labels that do not exist` turns down no labels that exist."""
    denied = False
    for at, token in enumerate(tokens):
        if token.sort == "|":
            denied = False
        elif token.sort == "!":
            denied = True
        elif denied and token.word in _WHICH:
            behind = [*takewhile(lambda each: each.sort != "|", tokens[at + 1 :])]
            if any(each.sort == "!" for each in behind[:2]):
                found.allows = True
                found.allowed_with |= {each.stem for each in behind if counts(each)} - LIGHT


@cache
def _phrases(is_ascii: bool) -> re.Pattern[str]:
    every = {
        **dict.fromkeys(data.NO_DENIAL, " "),
        **dict.fromkeys(data.INSTEAD, _INSTEAD),
        **dict.fromkeys(data.EXCEPT, _UNLESS),
        **dict.fromkeys(data.BECAUSE, _REASON),
        **{phrase: f" {word} " for phrase, word in data.PHRASES.items()},
    }
    _REPLACED.update(every)
    ordered = sorted(every, key=len, reverse=True)
    edge = r"(?<![\w-])(?:{})(?![\w-])"
    latin = edge.format(_any_of(each for each in ordered if each.isascii()))
    if is_ascii:
        return re.compile(latin)
    umlaut = edge.format(_any_of(e for e in ordered if not e.isascii() and not is_chinese(e)))
    cjk = "|".join(re.escape(each) for each in ordered if is_chinese(each))
    return re.compile(f"{latin}|{umlaut}|{cjk}")


def _any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for any of some phrases, earlier ones first.

    It is tried at every word of every text, so what begins with another letter is passed over.
    """
    begun: dict[str, list[str]] = {}
    for phrase in phrases:
        begun.setdefault(phrase[0], []).append(re.escape(phrase[1:]))
    return "|".join(f"{re.escape(letter)}(?:{'|'.join(e)})" for letter, e in begun.items())


_REPLACED: Final[dict[str, str]] = {}


def _replaced(match: re.Match[str]) -> str:
    return _REPLACED[match.group()]


_DATE: Final = re.compile(r"(?<![\w.-])([12]\d{3})-([01]\d)-([0-3]\d)(?:t[\d:.+-]*z?)?(?![\w-])")
"""A date, with or without a time: one sign, which is compared with dates alone."""
_RANGE: Final = re.compile(r"(?<![\d.])(\d{1,4})\s?–\s?(?=\d)")
"""Where a range begins: its end is of the same."""
_BETTER: Final = re.compile(r"^(\W*[^\W\d_]+) > ([^\W\d_]+\s*(?::|$))")
"""Opens with what is preferred to what: `Working > perfect: …`."""
_WRAPPED: Final = re.compile(r"(?<=[^\n]{50})(?<![.:;!?,])\n[ \t]*(?=[^\W\d_])")
"""Ends a line in the middle of a sentence, where it became too long."""
_VERSIONS: Final = data.words("version versions release v")
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_VERSION: Final = re.compile(r"([a-z]{2,})-?v(\d+)")
_CAPITAL: Final = re.compile(r"(?<=[\w,;)] )(?:[A-Z][a-z]+[A-Z]\w*|[A-Z][a-z]{2,}|[A-Z]{2,}\w*)\b")


def _tokens(text: str) -> list[Token]:
    folded = text.casefold().replace("*", "")
    capital = _capital(text, folded)
    folded = _DATE.sub(rf"\1\2\3 {DATED}", folded)
    if " > " in folded:
        folded = _BETTER.sub(rf"\1 {_INSTEAD} \2", folded)
    if "\n" in folded:
        folded = _WRAPPED.sub(" ", folded)
    if "–" in folded:
        folded = _RANGE.sub(r"\1 ", folded)
    prepared = _phrases(folded.isascii()).sub(_replaced, folded)
    cjk = characters_in(prepared)
    if naming(cjk).search(prepared) is None:
        plain = map(_plain_token, words_alone(cjk).findall(prepared))
        return [_as_name(token, capital) for token in plain] if capital else [*plain]
    known, measures = data.sides(), data.units()
    has_colours = COLOURED.search(prepared) is not None
    tokens: list[Token] = []
    for match in token_pattern(prepared, cjk).finditer(prepared):
        kind = match.lastgroup
        raw = match.group()
        if kind == "word":
            tokens.append(_word(raw, capital) if capital else _known_word(raw))
        elif kind is None:
            tokens.append(Token(raw, raw, "~"))
        elif kind == "end":
            tokens.append(Token(raw, "", "|"))
        elif kind == "code":
            tokens += [Token(each, _name(each), "c") for each in raw.strip("`").split()]
        elif kind in ("path", "name"):
            bare = raw.rstrip(".")
            linked = LINKED.search(bare)
            if linked is not None:
                tokens.append(Token(bare, f"#{linked[1]}", "@"))
                continue
            version = _VERSION.fullmatch(bare)
            if version is not None:
                tokens += [_word(version[1], capital), Token(version[2], "", "#")]
                continue
            sort = "w" if bare in known else "c"
            tokens.append(Token(bare, _name(bare), sort))
        elif kind == "cjk":
            tokens.extend(_chinese(raw))
        elif is_called(tokens, match, measures, has_colours):
            tokens.append(Token(match["number"], f"#{match['number']}", "@"))
            if match["unit"]:
                tokens.append(_word(match["unit"], capital))
        else:
            _number(tokens, match, measures, capital)
    return tokens


def _capital(text: str, folded: str) -> frozenset[str]:
    """Return the words that are written as names; in German every noun is."""
    if text[1:].islower():
        return frozenset()
    found = {match.group().casefold() for match in _CAPITAL.finditer(text)}
    if found and not _GERMAN.isdisjoint(folded.split()):
        found = {word for word in found if not text.count(word.capitalize())}
    return frozenset(found)


def _name(text: str) -> str:
    return text.strip("/").casefold() if not text.isalpha() else sense_of(text)


def _word(raw: str, capital: Container[str]) -> Token:
    return _as_name(_known_word(raw), capital)


def _as_name(token: Token, capital: Container[str]) -> Token:
    return token._replace(sort="n") if token.sort == "w" and token.word in capital else token


@lru_cache(maxsize=WORDS_KEPT)
def _plain_token(raw: str) -> Token:
    """Return what stands in a text of words and ends alone."""
    if raw[0] == "¤":
        return Token(raw, raw, "~")
    return Token(raw, "", "|") if raw[0] in ENDS else _known_word(raw)


@lru_cache(maxsize=WORDS_KEPT)
def _known_word(raw: str) -> Token:
    word = raw.replace("’", "'")
    if word in data.NOT or word.endswith("n't"):
        return Token(word, "", "!")
    if word in _LINKS or word in ALSO:
        return Token(word, "", "~")
    stem = sense_of(word)
    is_stop = len(stem) < 2 or word in _BY_WORDS or (word in STOP and word not in _KEPT)
    return Token(word, stem, "." if is_stop else "w")


def _telling(word: str) -> str:
    """Return the stem of a word that a text may be about; empty = it only binds or denies."""
    token = _known_word(word)
    return token.stem if token.sort == "w" else ""


def _number(
    tokens: list[Token],
    match: re.Match[str],
    measures: Mapping[str, tuple[str, float]],
    capital: Container[str],
) -> None:
    digits, unit = match["number"], match["unit"] or ""
    is_clock = ":" in digits or unit in ("am", "pm", "uhr")
    if is_clock and _CLOCK.fullmatch(digits):  # no address with its port, and no ratio
        hours, _, minutes = digits.partition(":")
        clock = int(hours) + 12 * (unit == "pm" and int(hours) < 12)
        tokens.append(Token(f"{clock}.{minutes or '00'}", "clock", "#"))
        return
    is_measured = unit in measures or unit == DATED
    tokens.append(Token(digits, unit if is_measured else "", "#"))
    if unit and not is_measured:
        if is_chinese(unit):
            tokens.extend(_chinese(unit))
        elif unit in data.JUDGES:
            # What went wrong is counted: nobody asks for so many.
            tokens[-1] = Token(unit, unit, ".")
        else:
            tokens.append(_word(unit, capital))


@cache
def _chinese_words() -> re.Pattern[str]:
    listed = sorted((w for w in data.sides() if is_chinese(w)), key=len, reverse=True)
    measures = sorted((w for w in data.units() if is_chinese(w)), key=len, reverse=True)
    numeral = "".join(data.CHINESE_NUMERALS)
    return re.compile(
        rf"(?P<number>[{numeral}]+)(?P<unit>{'|'.join(measures)}|级|行|字|倍|处|轮|个(?!月))?"
        r"(?!律|定|直|般|致)"
        rf"|(?P<listed>{'|'.join(w for w in listed if len(w) > 1)}"
        rf"|(?<=[{CJK}]{{2}})[前后](?=再|执|$))"
        rf"|(?P<deny>{data.CHINESE_NOT})"
        rf"|(?P<plain>{data.CHINESE_PLAIN})"
    )


def _chinese(run: str) -> Iterator[Token]:
    """Yield the words of a run without blanks: listed ones, and pairs of characters of the rest."""
    place = 0
    for match in _chinese_words().finditer(run):
        yield from _pairs(run[place : match.start()])
        place = match.end()
        match match.lastgroup:
            case "listed":
                yield Token(match.group(), match.group(), "w")
            case "deny":
                yield Token(match.group(), "", "!")
            case "number" | "unit":
                value = data.CHINESE_NUMERALS[match["number"][-1]]
                unit = match["unit"] or ""
                if unit:
                    yield Token(str(value), unit if unit in data.units() else "", "#")
                elif match.group() != "一":
                    yield from _pairs(match.group())
            case _:
                pass
    yield from _pairs(run[place:])


def _pairs(run: str) -> Iterator[Token]:
    for at in range(max(len(run) - 1, min(len(run), 1))):
        pair = run[at : at + 2]
        yield Token(pair, pair, "w")


_SENTENCE_ENDS: Final = frozenset(".;:!?\n。；")


def _clauses(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Yield the clauses that say something, and whether each is a condition or a reason."""
    clause: list[Token] = []
    is_aside = False
    for at, token in enumerate(tokens):
        if token.sort == "|":
            if is_one_of_many(clause, tokens, at):
                continue
            if not _only_cites(clause):
                yield clause, is_aside
            clause = []
            if not _SENTENCE_ENDS.isdisjoint(token.word):
                is_aside = False
        elif token.stem in ("¤unless", "¤reason"):
            yield clause, is_aside
            clause, is_aside = [], True
        elif token.word in _LINKS:
            yield clause, is_aside
            clause = []
        else:
            clause.append(token)
    if not _only_cites(clause):
        yield clause, is_aside


def _only_cites(clause: Sequence[Token]) -> bool:
    """Tell whether a clause says nothing but where something was met: `(see PR #12)`."""
    cites = False
    for token in clause:
        cites = cites or token.sort == "@"
        if token.sort not in "@.~" and token.word not in _CITES and token.word not in NUMBERED:
            return False
    return cites


_TURNING: Final = (
    _ACTS | _PREFERS | ALSO | _ASKED | data.words("¤instead for für over than als to in im within")
)
"""What may turn the sign of what stands around it, besides denials, or has none itself."""


def _signed(found: Reading, clause: list[Token]) -> list[tuple[Token, int, int]]:
    """Return the words of a clause, each with its sign and its place."""
    signs: list[tuple[Token, int, int]] = []
    sign, prefers, denied = 1, False, False
    also, part, since = False, 0, 0
    for place, token in enumerate(clause):
        if token.word not in _TURNING and token.sort != "!":
            if also and sign < 0 and token.word in ASKS:
                sign = 1
            also = False
            signs.append((token, sign, place))
            continue
        if _only_acts(clause, place):
            token = token._replace(stem=sense_of(token.word), sort="w")
        if token.sort == "!":
            if token.word in _WITHOUT and sign < 0:
                found.allows = True
                with_it = {t.stem for t in clause[place + 1 :] if counts(t) and t.stem}
                found.allowed_with |= with_it - LIGHT
            denied, since = True, len(signs)
            is_last = not any(_says(t) for t in clause[place + 1 :])
            is_told = bool(place) and clause[place - 1].word in IS
            if is_last or is_told:
                signs[part:] = [(each, -was, at) for each, was, at in signs[part:]]
            if is_told and not is_last:
                told = {t.stem for t in clause[place + 1 :] if counts(t)} - LIGHT
                found.told_of |= told - {sense_of(word) for word in _MAY_BE}
            elif not is_last and sign > 0 and _is_helped(clause, place):
                signs[part:] = [(each, 0, at) for each, _, at in signs[part:]]
            sign = 1 if is_last else -sign
            continue
        if token.stem == "¤instead":
            sign, found.contrasts, since = -1 if not denied else 1, True, len(signs)
            continue
        if token.word in _PREFERS:
            prefers = True
            if token.word in _PASSIVE:
                continue
            behind = [t.stem for t in clause[place + 1 :] if counts(t)][:4]
            chosen = found.bound.get(CHOSEN, frozenset()) | frozenset(behind)
            found.bound = {**found.bound, CHOSEN: chosen}
            continue
        if sign < 0 and found.contrasts and token.word in ("for", "für"):
            sign = 1
            continue
        if sign < 0 and token.word in _PURPOSE and _has_name(signs[since:]):
            # What it is used for is not turned down: `never use eval to parse it`.
            sign = 0
            continue
        if prefers and token.word in ("over", "than", "als", "to"):
            sign, found.contrasts = -1, True
            continue
        if token.word in ALSO:
            also, part = True, len(signs)
            continue
        also = False
        if token.word in _ASKED and not _ends(clause, place):
            continue
        signs.append((token, sign, place))
    return signs


_WITHOUT: Final = data.words("without ohne")
_ONLY: Final = data.words("only nur")
_PURPOSE: Final = data.words("to in im within")
"""Behind a name that is turned down, what these words begin says where or what for it is used."""


def _has_name(signs: Iterable[tuple[Token, int, int]]) -> bool:
    """Tell whether any of some words is code or a name."""
    return any(token.sort in "nc" for token, _, _ in signs)


def _only_acts(clause: list[Token], place: int) -> bool:
    """Tell whether a verb that turns down says of nothing that it does: `deny by default`."""
    if clause[place].word not in _ACTS:
        return False
    return place + 1 == len(clause) or clause[place + 1].word in _BEFORE_NAMES


def _is_helped(clause: list[Token], place: int) -> bool:
    """Tell whether a denial holds for all that is told of a subject: `logs must not hold names`.

    The subject is then neither asked for nor turned down: `names must not be in logs` is the same.
    """
    if not place or clause[0].word in ASKS or clause[0].stem in light():
        return False
    denial = clause[place].word
    helped = denial in _TOLD or denial.endswith("n't") or clause[place - 1].word in HELPS
    return helped or is_chinese(denial)


_COUNTED: Final = _ASKED | data.NUMERALS.keys()
"""Stop words that say something of their own."""


def _take(found: Reading, clause: list[Token], is_aside: bool) -> None:
    signs = _signed(found, clause)
    first = len(found.tokens)
    for place, (token, sign, at) in enumerate(signs):
        if token.sort == "." and token.word not in _COUNTED:
            continue
        if token.sort == "@":
            if not is_aside:
                found.called += (token.stem,)
            continue
        if token.sort == "#":
            if not is_aside and not _is_stamp(found, token):
                after = _behind(signs, place)
                before = signs[place - 1][0] if place else _END
                is_name = is_of_series(before, after) or _is_range(found, before)
                is_version = before.sort in ("n", "c") or before.word in _VERSIONS
                amount = amount_of(token, after, is_name=is_name)
                found.amounts += (amount._replace(is_version=is_version),)
            continue
        if token.word in data.NUMERALS and not is_aside:
            found.amounts += (numeral_of(token, _behind(signs, place)),)
            continue
        if token.sort not in "wnc" and token.word not in _ASKED:
            continue
        stem = token.stem
        if is_aside:
            if stem not in found.signs:
                found.aside |= {stem}
                found.signs[stem] = sign
                found.said[stem] = token.word
                if token.sort in "nc":
                    found.names |= {stem}
                    found.beside[stem] = first + at
            continue
        if stem in found.signs and stem not in found.aside:
            if sign and found.signs[stem] != sign and found.said[stem] == token.word:
                found.signs[stem] = 0
        else:
            found.signs[stem] = sign
            found.said[stem] = token.word
            found.beside[stem] = first + at
            if found.aside:
                found.aside -= {stem}
        if token.sort in "nc":
            found.names |= {stem}
        if token.sort == "c":
            found.code |= {stem}
        if stem in ("before", "after", "vor", "nach"):
            behind = [t.stem for t in _behind(signs, place) if counts(t)][:4]
            found.bound = {**found.bound, stem: frozenset(behind)}
    found.tokens += clause
    found.tokens.append(_END)


def _is_stamp(found: Reading, token: Token) -> bool:
    """Tell whether a date only says when a text was written: `Date: 2026-03-02`."""
    if token.stem != DATED or len(found.tokens) < 2:
        return False
    return found.tokens[-2].word in _STAMPED and found.tokens[-1] is _END


def _behind(signs: Sequence[tuple[Token, int, int]], place: int) -> list[Token]:
    return [token for token, _, _ in signs[place + 1 :]]


def _ends(clause: list[Token], place: int) -> bool:
    """Tell whether a word ends what is said: nothing follows, or something else is said."""
    if place + 1 == len(clause):
        return True
    behind = clause[place + 1]
    return behind.sort == "!" or behind.word in ALSO


def _says(token: Token) -> bool:
    return token.sort in "#@" or counts(token) or token.word in _ASKED


def _is_range(found: Reading, before: Token) -> bool:
    """Tell whether a number ends a range of a series: `Phase 0–4`."""
    return before.sort == "#" and bool(found.amounts) and found.amounts[-1].is_name
