"""Holds one file against one pattern: of text, or of syntax. A pattern is never trusted with time.

A pattern of text gets 100 ms for a file (FORMATS 1.9); one of syntax needs `ast-grep-py`. Most
files are passed over without running it: those that lack letters which each match must have; and of
a long file only changed lines are read where a match cannot span lines. What cannot be told of a
pattern is not assumed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from remem.base.errors import NotPossible
from remem.base.frozen import dataclass
from remem.code.changed_lines import ChangedFile
from remem.core.checks.code_parts import PARTS, masked
from remem.model.detect import AstPattern, Detect

if TYPE_CHECKING:
    import regex

_SECONDS: Final = 0.1
"""That a pattern may take with one file."""
MOST: Final = 100_000
"""Places in one file that are looked for."""
_LONGEST: Final = 2_000_000
"""Characters of a file that is parsed: a minified one would take minutes."""
_LANGUAGES: Final = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "elixir", "go", "haskell", "html", "java"),
        *("javascript", "json", "kotlin", "lua", "nix", "php", "python", "ruby", "rust", "scala"),
        *("solidity", "swift", "tsx", "typescript", "yaml"),
    }
)


class NotChecked(NotPossible):
    """A pattern could not be held against a file; the message says why."""

    code = "not-checked"


class TooSlow(NotChecked):
    """A pattern was stopped."""

    code = "too-slow"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pattern matched."""

    line: int
    """From 1."""
    text: str
    first: int = 0
    """Where the match begins, which may be before the line that was added; 0 = on it."""


def pattern_of(detect: Detect) -> str | AstPattern:
    """Return what is forbidden, else what is required, else which file stands beside others.

    Raises:
        NotChecked: It is neither, or several: checked by one of them it would pass for the others.
    """
    wanted = (detect.forbid, detect.require, detect.beside)
    found = [each for each in wanted if each is not None]
    if detect.imports and not isinstance(detect.forbid, str):
        raise NotChecked("`imports` only works beside a `forbid` of text", hint="remove it")
    if len(found) > 1:
        raise NotChecked(
            "`detect:` has both `forbid` and `require`", hint="split it into two rules"
        )
    if not found:
        raise NotChecked("`detect:` has neither `forbid` nor `require`")
    if detect.within and (isinstance(found[0], AstPattern) or detect.beside is not None):
        raise NotChecked("`within` only works with text patterns", hint="remove it")
    forbid = detect.forbid
    if isinstance(forbid, str) and not detect.within and shape_of(forbid).needs_several_lines:
        raise NotChecked(
            "the pattern spans lines, but each line is checked by itself",
            hint="add `within: [code, strings, texts, comments]` to check the file as one text",
        )
    return found[0]


def places(
    pattern: str | AstPattern,
    file: ChangedFile,
    within: Collection[str] = (),
    counts: Callable[[regex.Match[str]], bool] = lambda _: True,
) -> tuple[Place, ...]:
    """Return where added lines match, `MOST` at most; of syntax, each node that holds one.

    Args:
        pattern: Of text, or of syntax.
        file: Its added lines are looked at.
        within: Only these parts of the file, as one text: a match may go over several lines.
        counts: Asked for each match in these parts; one of which it says no is none.

    Raises:
        NotChecked: The pattern is none, takes too long, or what it needs is not installed.
    """
    return tuple(_first(_places(pattern, file, within, counts), MOST))


def holds(pattern: str | AstPattern, file: ChangedFile, within: Collection[str] = ()) -> bool:
    """Tell whether a match stands anywhere in the file, added or not.

    Raises:
        NotChecked: As for `places`.
    """
    whole = ChangedFile(file.path, file.lines, None)
    if isinstance(pattern, AstPattern):
        return next(_places(pattern, whole, (), lambda _: True), None) is not None
    return _search(_compiled(pattern), _seen(file, tuple(within)), _SECONDS)


def require_pattern(pattern: str | AstPattern) -> None:
    """Refuse what cannot be a pattern.

    Raises:
        NotChecked: The message says what is wrong with it.
    """
    if isinstance(pattern, str):
        _compiled(pattern)
    else:
        _nodes(pattern, "")


def _first(found: Iterator[Place], most: int) -> Iterator[Place]:
    for _, place in zip(range(most), found, strict=False):
        yield place


def _places(
    pattern: str | AstPattern,
    file: ChangedFile,
    within: Collection[str],
    counts: Callable[[regex.Match[str]], bool],
) -> Iterator[Place]:
    if isinstance(pattern, AstPattern):
        yield from _met(file, _nodes(pattern, _text_of(file)))
        return
    if within:
        yield from _met(file, _parts_that_match(pattern, file, within, counts))
        return
    compiled = _compiled(pattern)
    if not shape_of(pattern).may_stand_in(_added_of(file).text):
        return
    end = monotonic() + _SECONDS
    for line, text in _worth_a_look(pattern, file):
        if _search(compiled, text, end - monotonic()):
            yield Place(line, text)


def _met(file: ChangedFile, found: Iterable[tuple[int, int]]) -> Iterator[Place]:
    """Yield the first added line of each match, each line once."""
    told = set[int]()
    for first, last in found:
        line = next((n for n in range(first, last + 1) if file.is_added(n)), None)
        if line is not None and line not in told:
            told.add(line)
            yield Place(line, file.lines[line - 1], first)


def _parts_that_match(
    pattern: str,
    file: ChangedFile,
    within: Collection[str],
    counts: Callable[[regex.Match[str]], bool],
) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of every match that counts in these parts of a file."""
    compiled, shape = _compiled(pattern), shape_of(pattern)
    if not shape.may_stand_in(_added_of(file).text if shape.reach == 0 else _text_of(file)):
        return
    seen = _seen(file, tuple(within))
    line, at = 1, 0
    end = monotonic() + _SECONDS
    try:
        for first, last in _stretches(file, seen, shape.reach):
            left = max(end - monotonic(), 0.001)
            for match in filter(counts, compiled.finditer(seen, first, last, timeout=left)):
                bare = match[0].strip()
                start = match.start() + (len(match[0]) - len(match[0].lstrip()) if bare else 0)
                line += seen.count("\n", at, start)
                at = start
                yield line, line + bare.count("\n")
    except TimeoutError:
        raise _too_slow() from None


@lru_cache(maxsize=1024)
def _stretches(file: ChangedFile, seen: str, reach: int | None) -> tuple[tuple[int, int], ...]:
    """Return where a text has to be looked at: its added lines, and those that a match may join."""
    return tuple(_stretched(file, seen, reach))


def _stretched(file: ChangedFile, seen: str, reach: int | None) -> Iterator[tuple[int, int]]:
    if file.added is None or reach is None or len(file.added) == len(file.lines):
        yield 0, len(seen)
        return
    lines = seen.split("\n")  # of what is not seen, only the ends of lines are left
    starts = (0, *accumulate(len(line) + 1 for line in lines))
    begun, done = 0, 0
    for number in sorted(file.added):
        if number <= done:
            continue
        first = last = number
        while last + 1 in file.added:
            last += 1
        first, last = _reached(lines, first, -reach), _reached(lines, last, reach)
        if done and first > done + 1:
            yield starts[begun - 1], starts[done] - 1
            begun = first
        begun, done = begun or first, last
    if done:
        yield starts[begun - 1], starts[done] - 1


def _reached(lines: Sequence[str], line: int, reach: int) -> int:
    """Return the line that lies so many further, those with nothing on them not counted."""
    step = 1 if reach > 0 else -1
    left = abs(reach)
    while left and 0 < line + step <= len(lines):
        line += step
        left -= bool(lines[line - 1].strip())
    return line


@lru_cache(maxsize=512)
def _text_of(file: ChangedFile) -> str:
    return "\n".join(file.lines)


@lru_cache(maxsize=512)
def _seen(file: ChangedFile, within: tuple[str, ...]) -> str:
    """Return what a pattern sees of a file.

    Raises:
        NotChecked: Its parts cannot be told apart, or there is no such part.
    """
    if not within:
        return _text_of(file)
    odd = [each for each in within if each not in PARTS]
    if odd:
        raise NotChecked(
            f"`{odd[0]}` is not a part of a file", hint=f"`within` takes {', '.join(PARTS)}"
        )
    seen = masked(file.path, _text_of(file), frozenset(within))
    if seen is None:
        raise NotChecked("code and comments cannot be separated in this file")
    return seen


def _worth_a_look(pattern: str, file: ChangedFile) -> Iterable[tuple[int, str]]:
    """Return the added lines that may match: all, where one look does not tell."""
    wider = relaxed(pattern)
    added = _added_of(file)
    if wider is None or not added.lines:
        return added.lines
    try:
        return added.lines_at(
            match.span() for match in wider.finditer(added.text, timeout=_SECONDS / 2)
        )
    except TimeoutError:
        return added.lines


@dataclass(frozen=True, slots=True)
class _Added:
    """The added lines of a file, joined."""

    lines: tuple[tuple[int, str], ...]
    text: str
    starts: tuple[int, ...]
    """Offset in the text of each line."""

    def lines_at(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, str]]:
        """Return the lines that these spans touch, each once."""
        found: dict[int, None] = {}
        for start, end in spans:
            first, last = bisect_right(self.starts, start), bisect_right(self.starts, end)
            found.update(dict.fromkeys(range(first - 1, last)))
        return [self.lines[number] for number in found]


@lru_cache(maxsize=512)
def _added_of(file: ChangedFile) -> _Added:
    lines = tuple(_added(file.lines, file.added))
    starts = accumulate((len(text) + 1 for _, text in lines[:-1]), initial=0)
    return _Added(lines, "\n".join(text for _, text in lines), tuple(starts))


def _added(lines: Sequence[str], added: Collection[int] | None) -> Iterator[tuple[int, str]]:
    if added is None:
        yield from enumerate(lines, 1)
        return
    yield from ((line, lines[line - 1]) for line in sorted(added))


def _search(compiled: regex.Pattern[str], text: str, seconds: float) -> bool:
    try:
        return compiled.search(text, timeout=max(seconds, 0.001)) is not None
    except TimeoutError:
        raise _too_slow() from None


def _too_slow() -> TooSlow:
    return TooSlow(
        "the pattern takes more than 100 ms per file",
        hint="avoid nested repetition such as `(a+)+`",
    )


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex

    try:
        # A required one meets a whole file, where the ends of a line are meant all the same.
        return regex.compile(pattern, regex.MULTILINE)
    except regex.error as error:
        raise NotChecked(
            f"`{pattern}` is not a valid pattern: {error}",
            hint="`detect:` takes regular expressions",
        ) from None


@lru_cache(maxsize=512)
def _words_of(pattern: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the names of a pattern of syntax, which stand in whatever it matches as words."""
    names = re.findall(r"(?<![$\w])[A-Za-z_]\w*", pattern)
    return tuple((each, re.compile(rf"(?<!\w){each}(?!\w)")) for each in names)


def _nodes(pattern: AstPattern, text: str) -> list[tuple[int, int]]:
    """Return the first and last line of every node that matches."""
    try:
        import ast_grep_py  # noqa: F401
    except ImportError:
        raise NotChecked(
            "syntax patterns need `ast-grep-py`", hint="`pip install 'remem[code]'`"
        ) from None
    if pattern.ast.casefold() not in _LANGUAGES:
        # Asked for another one, the library ends in a panic of its own.
        raise NotChecked(
            f"`{pattern.ast}` is not a supported language",
            hint=f"use one of {', '.join(sorted(_LANGUAGES))}",
        )
    if not all(name in text and word.search(text) for name, word in _words_of(pattern.pattern)):
        text = ""  # none of it can match, but the pattern is looked at all the same
    if len(text) > _LONGEST:
        raise NotChecked("the file is too long to parse", hint="use a text pattern instead")
    try:
        nodes: Any = _parsed(text, pattern.ast.casefold()).find_all(pattern=pattern.pattern)
    except RuntimeError:
        raise NotChecked(
            f"`{pattern.pattern}` is not a single expression in {pattern.ast.casefold()}",
            hint="write it as code: `$NAME` matches one node, `$$$NAME` several",
        ) from None
    ranges = (node.range() for node in nodes)
    return [(each.start.line + 1, each.end.line + 1) for each in ranges]


@lru_cache(maxsize=128)
def _parsed(text: str, language: str) -> Any:
    """Return the tree of a file; the patterns of syntax of several rules share it."""
    from ast_grep_py import SgRoot

    return SgRoot(text, language).root()


_PLAIN_GROUPS: Final = re.compile(r"\((?:\?(?::|=|<=|P<\w+>|i\))|(?!\?|\*))")
"""What a group may begin with that finds no less in a longer text."""
_NEGATIVE: Final = re.compile(r"\(\?<?!")
_ODD: Final = re.compile(r"\\[AZzGKRXL]|[*+?}]\+|\{[a-zA-Z]|\[\[|&&|\|\||--|~~")
"""Anchors of the whole text, what gives nothing back, and syntax that is not followed here."""
_QUANTIFIER: Final = frozenset("*+?{")


@lru_cache(maxsize=4096)
def relaxed(pattern: str) -> regex.Pattern[str] | None:
    """Return a pattern that stands in joined lines wherever this one stands in one of them.

    `None` = none is known.
    """
    import regex

    if _ODD.search(pattern):
        return None
    text = "".join(_kept(pattern))
    if text.count(_UNKNOWN):
        return None
    try:
        return regex.compile(text, regex.MULTILINE)
    except regex.error:
        return None


_UNKNOWN: Final = "\0"


def _kept(pattern: str) -> Iterator[str]:
    """Yield the pattern without what must not follow or go before."""
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            yield pattern[at : at + 2]
            at += 2
        elif char == "[":
            end = _end_of_set(pattern, at)
            yield pattern[at:end]
            at = end
        elif _NEGATIVE.match(pattern, at):
            at = _end_of_group(pattern, at)
            if pattern[at : at + 1] in _QUANTIFIER:
                yield _UNKNOWN
        elif char == "(" and not _PLAIN_GROUPS.match(pattern, at):
            yield _UNKNOWN
            return
        else:
            yield char
            at += 1


def _end_of_set(pattern: str, at: int) -> int:
    """Return where a set of characters ends; its first sign may be its own end."""
    at += 2 if pattern[at + 1 : at + 2] == "^" else 1
    at += pattern[at : at + 1] == "]"
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1


def _end_of_group(pattern: str, at: int) -> int:
    depth = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 2
            continue
        if char == "[":
            at = _end_of_set(pattern, at)
            continue
        depth += (char == "(") - (char == ")")
        at += 1
        if not depth:
            break
    return at


Need: TypeAlias = "str | tuple[tuple[Need, ...], ...]"
"""Letters, or several ways of which one is there, each with all that it needs."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of whatever a pattern finds."""

    needs: tuple[Need, ...] = ()
    """All of these stand in it; () = none are known."""
    reach: int | None = None
    """Lines with something on them into which it goes on, at most; `None` = however many."""

    @property
    def needs_several_lines(self) -> bool:
        """True where whatever it finds holds the end of a line."""
        return "\n" in self.needs

    def may_stand_in(self, text: str) -> bool:
        """Tell at once that a text cannot have it."""
        return _has(self.needs, text)


@lru_cache(maxsize=4096)
def shape_of(pattern: str) -> Shape:
    """Return what is known of a pattern; of one with odd syntax that is nothing."""
    text = _RESETS.sub(r"\1", pattern)
    folds = text.startswith("(?i)")
    text = text.removeprefix("(?i)")
    if _STRANGE.search(text):
        return Shape()
    try:
        found, end = _ways(text, 0)
    except _NotFollowed:
        return Shape()
    if end < len(text):
        return Shape()
    is_far = found.reach >= _FAR or (found.reach and _REPEATS.search(text))
    return Shape(() if folds else found.needs, None if is_far else found.reach)


def _has(needs: tuple[Need, ...], text: str) -> bool:
    return all(
        each in text if isinstance(each, str) else any(_has(way, text) for way in each)
        for each in needs
    )


_RESETS: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\K")
_STRANGE: Final = re.compile(
    r"\\[AZzGRXLpPNxuUhHvfr0]|[*+?}]\+|\{[a-zA-Z]|\[\[|&&|\|\||--|~~|\[:|\{[^}\])|(]*[<=~]"
)
"""Anchors of the whole text, what gives nothing back, and syntax that is not followed here."""
_REPEATS: Final = re.compile(r"\\[1-9g]|\(\?P=")
_TIMES: Final = re.compile(r"(?:(?P<sign>[*+?])|\{(?P<least>\d*)(?P<most>,\d*)?\})\??")
_GROUP: Final = re.compile(r"\((?:\?:|\?P?<[A-Za-z_]\w*>|(?!\?|\*))")
_AROUND: Final = re.compile(r"\(\?<?[=!]")
_FAR: Final = 1_000_000
_BLANK_SET: Final = re.compile(r"\[(?:\\[snt]|[ \t\n])+\]")
_MAY_BREAK: Final = re.compile(r"\\[snWD]|\n|[\x00-\t]-|\\t-")


class _NotFollowed(Exception):
    """The pattern has something that is not followed here."""


class _Row(NamedTuple):
    """What is known of a part of a pattern."""

    needs: tuple[Need, ...]
    reach: int


class _Sign(NamedTuple):
    """One thing that may be repeated."""

    end: int
    letter: str = ""
    """The one that it is; empty = it may be several."""
    needs: tuple[Need, ...] = ()
    reach: int = 0
    repeated: int = 0
    """How far it goes when it stands there however often."""


def _ways(text: str, at: int) -> tuple[_Row, int]:
    """Read what may stand there instead of each other, to the end or to that of the group."""
    rows: list[_Row] = []
    while True:
        row, at = _row(text, at)
        rows.append(row)
        if text[at : at + 1] != "|":
            break
        at += 1
    reach = sum(each.reach for each in rows)
    if len(rows) == 1:
        return rows[0], at
    is_known = all(each.needs for each in rows)
    return _Row((tuple(each.needs for each in rows),) if is_known else (), reach), at


def _row(text: str, at: int) -> tuple[_Row, int]:
    """Read what stands one behind the other."""
    needs, run, reach = list[Need](), "", 0
    while at < len(text) and text[at] not in "|)":
        sign = _sign(text, at)
        times = _TIMES.match(text, sign.end)
        at = times.end() if times else sign.end
        is_there, is_again = _often(times)
        if is_there and sign.letter:
            run += sign.letter
        if run and not (is_there and sign.letter and not is_again):
            needs.append(run)
            run = ""
        if is_there:
            needs += sign.needs
        reach += sign.repeated if is_again else sign.reach
    if run:
        needs.append(run)
    return _Row(tuple(needs), reach), at


def _often(times: re.Match[str] | None) -> tuple[bool, bool]:
    """Return whether what comes before must be there, and whether it may be there again."""
    if times is None:
        return True, False
    if times["sign"]:
        return times["sign"] == "+", times["sign"] != "?"
    return times["least"] not in ("", "0"), True


def _sign(text: str, at: int) -> _Sign:
    char = text[at]
    if char == "\\":
        return _escaped(text, at)
    if char == "[":
        return _set(text, at)
    if char == "(":
        return _group(text, at)
    if char in ".^$":
        return _Sign(at + 1)
    if char == "\n":
        return _Sign(at + 1, needs=("\n",), reach=1, repeated=1)
    return _Sign(at + 1, char)


def _escaped(text: str, at: int) -> _Sign:
    letter = text[at + 1 : at + 2]
    if not letter:
        raise _NotFollowed
    if letter in "sn":
        return _Sign(at + 2, needs=("\n",) if letter == "n" else (), reach=1, repeated=1)
    if letter in "WD":
        return _Sign(at + 2, reach=1, repeated=_FAR)
    if letter == "g":
        raise _NotFollowed
    return _Sign(at + 2, "" if letter.isalnum() else letter)


def _set(text: str, at: int) -> _Sign:
    """Read a set of characters; its first sign may be its own end."""
    end = at + (2 if text[at + 1 : at + 2] == "^" else 1)
    end += text[end : end + 1] == "]"
    while end < len(text) and text[end] != "]":
        end += 2 if text[end] == "\\" else 1
    end += 1
    found = text[at:end]
    if _BLANK_SET.fullmatch(found):
        return _Sign(end, reach=1, repeated=1)
    names_breaks = _MAY_BREAK.search(found) is not None
    if found.startswith("[^"):
        is_kept = any(each in found for each in ("\\n", "\\s", "\n"))
        return _Sign(end) if is_kept else _Sign(end, reach=1, repeated=_FAR)
    return _Sign(end, reach=1, repeated=_FAR) if names_breaks else _Sign(end)


def _group(text: str, at: int) -> _Sign:
    around, group = _AROUND.match(text, at), _GROUP.match(text, at)
    opened = around or group
    if opened is None:
        raise _NotFollowed
    inner, end = _ways(text, opened.end())
    if text[end : end + 1] != ")":
        raise _NotFollowed
    far = _FAR if inner.reach else 0
    needs = () if around else inner.needs
    return _Sign(end + 1, needs=needs, reach=inner.reach, repeated=far)
