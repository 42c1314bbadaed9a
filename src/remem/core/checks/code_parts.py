"""Tells code, strings and comments of a file apart, for the languages that are known by its name.

It reads a file once, from opener to opener, and knows no grammar. What does not close is code: a
lone quote in a text must not hide the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

CODE: Final = "code"
STRINGS: Final = "strings"
"""What stands between quotes within one line; the quotes themselves are code."""
TEXTS: Final = "texts"
"""The same over several lines, and what stands between three quotes: docstrings, templates."""
COMMENTS: Final = "comments"
PARTS: Final = (CODE, STRINGS, TEXTS, COMMENTS)


class _Span(NamedTuple):
    start: int
    end: int
    part: str


class _Language:
    """How strings and comments begin, and what each of them is; most are never asked for."""

    def __init__(self, signs: str, before: int, openers: Mapping[str, str]) -> None:
        """Keep what each opener looks like: its name is the key of `_READ`.

        Args:
            signs: One of these stands in each opener.
            before: Letters that it may have before that sign, at most.
            openers: By what reads on from there.
        """
        self.before = before
        self.quotes = "".join(each for each in "'\"" if each in openers.get("string", ""))
        self.has_triple = "triple" in openers
        self._signs_text, self._openers_text = signs, openers

    @cached_property
    def signs(self) -> re.Pattern[str]:
        return re.compile(f"[{re.escape(self._signs_text)}]")

    @cached_property
    def _openers(self) -> re.Pattern[str]:
        every = self._openers_text.items()
        return re.compile("|".join(f"(?P<{name}>{one})" for name, one in every))

    def next(self, text: str, at: int) -> re.Match[str] | None:
        """Return the first opener from a place on."""
        sign = self.signs.search(text, at)
        while sign is not None:
            found = sign.start()
            for start in range(max(at, found - self.before), found + 1):
                match = self._openers.match(text, start)
                if match is not None:
                    return match
            sign = self.signs.search(text, found + 1)
        return None


def masked(path: str, text: str, within: Collection[str]) -> str | None:
    """Return a text of which all is blank but these parts; lines and columns stay.

    `None` = the language of that file is not known.
    """
    language = language_of(path)
    if language is None:
        return None
    out: list[str] = []
    at, keeps_code = 0, CODE in within
    for start, end, part in _spans(language, text):
        if (part in within) is keeps_code:
            continue  # it stays, or goes, as the code around it does
        if keeps_code:
            out += (text[at:start], _blank(text[start:end]))
        else:
            out += (_blank(text[at:start]), text[start:end])
        at = end
    out.append(text[at:] if keeps_code else _blank(text[at:]))
    return "".join(out)


@lru_cache(maxsize=65_536)
def language_of(path: str) -> _Language | None:
    """Return how a file is read, by its name; `None` = it is not known."""
    name = path.rpartition("/")[2].casefold()
    return _NAMED.get(name) or _ENDING.get(name.rpartition(".")[2] if "." in name else "")


def _blank(piece: str) -> str:
    """Return blanks in place of a piece: of lines that end in it only the ends are left."""
    last = piece.rfind("\n")
    if last < 0:
        return " " * len(piece)
    return "\n" * piece.count("\n") + " " * (len(piece) - last - 1)


@lru_cache(maxsize=512)
def _spans(language: _Language, text: str) -> tuple[_Span, ...]:
    return tuple(_found(language, text))


def _found(language: _Language, text: str) -> Iterator[_Span]:
    """Yield what is no code, in order.

    Nearly all of it are strings of one line, which are read without asking what opens them: their
    quote is not one of three, and has no letters before it that would belong to it.
    """
    search, quotes = language.signs.search, language.quotes
    before, has_triple = language.before, language.has_triple
    at = 0
    while True:
        sign = search(text, at)
        if sign is None:
            return
        start, quote = sign.start(), sign[0]
        if (
            quote in quotes
            and not (has_triple and text.startswith(quote * 3, start))
            and not (before and start > at and text[start - 1].isalpha())
        ):
            closed = _PLAIN[quote].match(text, start + 1)
            if closed is None:
                at = start + 1
                continue
            at = closed.end()
            if at > start + 2:
                yield _Span(start + 1, at - 1, STRINGS)
            continue
        match = language.next(text, at)
        if match is None:
            return
        kind = match.lastgroup or ""
        spans, at = _READ[kind](text, match)
        for span in spans:
            if span[0] < span[1]:
                yield span


_Spans = tuple[list[_Span], int]


def _line(text: str, match: re.Match[str]) -> _Spans:
    end = text.find("\n", match.start())
    end = len(text) if end < 0 else end
    return [_Span(match.start(), end, COMMENTS)], end


def _block(text: str, match: re.Match[str]) -> _Spans:
    closer = _CLOSERS[match[0][:4]]
    end = text.find(closer, match.end())
    end = len(text) if end < 0 else end + len(closer)
    return [_Span(match.start(), end, COMMENTS)], end


_CLOSERS: Final[Mapping[str, str]] = {"/*": "*/", "<!--": "-->", "--[[": "]]", "{-": "-}"}
_PLAIN: Final[Mapping[str, re.Pattern[str]]] = {
    quote: re.compile(rf"(?:\\.|[^{quote}\\\n])*{quote}", re.DOTALL) for quote in ("'", '"')
}


def _nested(text: str, match: re.Match[str]) -> _Spans:
    """Read a comment that may hold comments."""
    at, depth = match.end(), 1
    while depth:
        sign = _NESTED.search(text, at)
        if sign is None:
            return [_Span(match.start(), len(text), COMMENTS)], len(text)
        at = sign.end()
        depth += 1 if sign[0] == "/*" else -1
    return [_Span(match.start(), at, COMMENTS)], at


_NESTED: Final = re.compile(r"/\*|\*/")
_LONG: Final = re.compile(r'(?:\\.|[^"\\])*"', re.DOTALL)


def _long(text: str, match: re.Match[str]) -> _Spans:
    """Read a string that may go over several lines."""
    found = _LONG.match(text, match.end())
    if found is None:
        return [], match.end()
    part = TEXTS if "\n" in found[0] else STRINGS
    return [_Span(match.end(), found.end() - 1, part)], found.end()


def _fenced(text: str, match: re.Match[str]) -> _Spans:
    """Read `r#"..."#`, which ends with as many signs as it begins with."""
    closer = '"' + "#" * match[0].count("#")
    end = text.find(closer, match.end())
    if end < 0:
        return [], match.end()
    part = TEXTS if "\n" in text[match.end() : end] else STRINGS
    return [_Span(match.end(), end, part)], end + len(closer)


def _string(text: str, match: re.Match[str]) -> _Spans:
    """Read a string of one line; a quote that does not close there is code."""
    found = _PLAIN[match[0][-1]].match(text, match.end())
    if found is None:
        return [], match.end()
    return [_Span(match.end(), found.end() - 1, STRINGS)], found.end()


def _formatted(text: str, match: re.Match[str]) -> _Spans:
    """Read a string of one line with code between braces, which may hold strings again."""
    at, ends = match.end(), _ENDS[match[0][-1]]
    while True:
        sign = ends.search(text, at)
        if sign is None or sign[0] == "\n":
            return [], match.end()
        at = sign.end()
        if sign[0] == "{":
            at = max(at, _hole(text, at, len(text))[0])
        elif sign[0] == match[0][-1]:
            return [*_with_holes(text, match.end(), at - 1, STRINGS)], at


_ENDS: Final[Mapping[str, re.Pattern[str]]] = {
    quote: re.compile(rf"\\.|\{{\{{|\{{|\n|{quote}", re.DOTALL) for quote in ("'", '"')
}
_BRACE: Final = re.compile(r"\{\{|\}\}|\{")
_IN_HOLE: Final = re.compile(r"[{}\n]|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


def _hole(text: str, at: int, end: int) -> tuple[int, list[_Span]]:
    """Return where the braces close that were opened, and strings between them; -1 = nowhere."""
    spans: list[_Span] = []
    braces = 1
    while braces:
        sign = _IN_HOLE.search(text, at, end)
        if sign is None or sign[0] == "\n":
            return -1, []
        at = sign.end()
        if sign[0] in "{}":
            braces += 1 if sign[0] == "{" else -1
        else:
            spans.append(_Span(sign.start() + 1, at - 1, STRINGS))
    return at, spans


def _with_holes(text: str, start: int, end: int, part: str) -> Iterator[_Span]:
    at = now = start
    while True:
        sign = _BRACE.search(text, now, end)
        if sign is None:
            break
        now = sign.end()
        if sign[0] != "{":
            continue
        closed, inside = _hole(text, now, end)
        if closed > 0:
            yield _Span(at, now, part)
            yield from inside
            at, now = closed - 1, closed
    yield _Span(at, end, part)


def _triple(text: str, match: re.Match[str]) -> _Spans:
    quotes = match[0][match[0].index(match[0][-1]) :]
    end = text.find(quotes, match.end())
    while end > 0 and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quotes, end + 1)
    if end < 0:
        return [_Span(match.end(), len(text), TEXTS)], len(text)
    if match[0][:1] in "fF$" or match[0][1:2] in ("f", "F"):
        return [*_with_holes(text, match.end(), end, TEXTS)], end + len(quotes)
    return [_Span(match.end(), end, TEXTS)], end + len(quotes)


_VERBATIM: Final = re.compile(r'(?:""|[^"])*"')


def _verbatim(text: str, match: re.Match[str]) -> _Spans:
    """Read `@"..."`, in which a quote is written twice and line ends stand as they are."""
    found = _VERBATIM.match(text, match.end())
    if found is None:
        return [], match.end()
    part = TEXTS if "\n" in found[0] else STRINGS
    if "$" in match[0]:
        return [*_with_holes(text, match.end(), found.end() - 1, part)], found.end()
    return [_Span(match.end(), found.end() - 1, part)], found.end()


def _raw(text: str, match: re.Match[str]) -> _Spans:
    """Read what stands between two backticks and knows no escapes."""
    end = text.find("`", match.end())
    if end < 0:
        return [], match.end()
    part = TEXTS if "\n" in text[match.end() : end] else STRINGS
    return [_Span(match.end(), end, part)], end + 1


_TEMPLATE: Final = re.compile(r"\\.|`|\$\{", re.DOTALL)
_INSIDE: Final = re.compile(
    r"[{}`]|//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|/", re.DOTALL
)


def _template(text: str, match: re.Match[str]) -> _Spans:
    """Read a template; what stands in its `${...}` is code, templates and all."""
    spans: list[_Span] = []
    end = _template_from(text, match.end(), spans, 0)
    if end < 0:
        return [], match.end()
    part = TEXTS if "\n" in text[match.end() : end] else STRINGS
    found = (each if each.part != TEXTS else _Span(each.start, each.end, part) for each in spans)
    return sorted(found, key=lambda each: each.start), end


_DEEPEST: Final = 20


def _template_from(text: str, at: int, spans: list[_Span], depth: int) -> int:
    """Read on from inside a template; return where it ends, -1 where it does not."""
    start = at
    while depth < _DEEPEST:
        sign = _TEMPLATE.search(text, at)
        if sign is None:
            return -1
        at = sign.end()
        if sign[0] == "`":
            spans.append(_Span(start, sign.start(), TEXTS))
            return at
        if sign[0] == "${":
            spans.append(_Span(start, sign.start(), TEXTS))
            at = _hole_from(text, at, spans, depth)
            if at < 0:
                return -1
            start = at
    return -1


def _hole_from(text: str, at: int, spans: list[_Span], depth: int) -> int:
    braces = 1
    while True:
        sign = _INSIDE.search(text, at)
        if sign is None:
            return -1
        at = sign.end()
        if sign[0] == "{":
            braces += 1
        elif sign[0] == "}":
            braces -= 1
            if not braces:
                return at
        elif sign[0] == "`":
            at = _template_from(text, at, spans, depth + 1)
            if at < 0:
                return -1
        elif sign[0] == "/":
            end = _regex_from(text, sign.start())
            if end > 0:
                spans.append(_Span(at, end, STRINGS))
                at = end
        elif sign[0].startswith("/"):
            spans.append(_Span(sign.start(), at, COMMENTS))
        else:
            spans.append(_Span(sign.start() + 1, at - 1, STRINGS))


_REGEX: Final = re.compile(r"(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_BEFORE_REGEX: Final = re.compile(
    r"(?:=>|[(,=:\[!&|?;+\-*%~^{]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield))"
    r"\s*$|^\s*$"
)


def _slash(text: str, match: re.Match[str]) -> _Spans:
    """Read a regular expression where one may stand; elsewhere it divides."""
    end = _regex_from(text, match.start())
    return ([_Span(match.end(), end, STRINGS)], end) if end > 0 else ([], match.end())


def _regex_from(text: str, slash: int) -> int:
    """Return where the expression ends that a slash begins; -1 = it begins none."""
    line = text.rfind("\n", 0, slash) + 1
    if not _BEFORE_REGEX.search(text[max(line, slash - 60) : slash]):
        return -1
    found = _REGEX.match(text, slash + 1)
    return found.end() if found else -1


def _char(text: str, match: re.Match[str]) -> _Spans:
    return [_Span(match.start() + 1, match.end() - 1, STRINGS)], match.end()


_READ: Final[Mapping[str, Callable[[str, re.Match[str]], _Spans]]] = {
    "line": _line,
    "block": _block,
    "nested": _nested,
    "long": _long,
    "fenced": _fenced,
    "string": _string,
    "formatted": _formatted,
    "triple": _triple,
    "verbatim": _verbatim,
    "raw": _raw,
    "template": _template,
    "slash": _slash,
    "char": _char,
}


def _language(signs: str, before: int = 0, **openers: str) -> _Language:
    return _Language(signs, before, openers)


_CHAR: Final = r"'(?:\\[^\n]{1,9}?|[^'\\\n])'"
_SCRIPT: Final = _language(
    "/<'\"`",
    line=r"(?<!\bhttp:)(?<!\bhttps:)//",
    block=r"/\*|<!--",
    string=r"['\"]",
    template=r"`",
    slash=r"/",
)
_PYTHON: Final = _language(
    "#'\"",
    2,
    line=r"#",
    triple=r"(?:\b[rRbBuUfF]{1,2})?(?:\"\"\"|''')",
    formatted=r"\b(?:[fF][rR]?|[rR][fF])['\"]",
    string=r"['\"]",
)
_SHARP: Final = _language(
    "/'\"$@",
    line=r"//",
    block=r"/\*",
    triple=r"\$*\"{3,}",
    verbatim=r"(?:\$@|@\$|@)\"",
    formatted=r"\$\"",
    char=_CHAR,
    string=r"\"",
)
_BRACED: Final = _language(
    "/'\"", line=r"//", block=r"/\*", triple=r"\"\"\"", char=_CHAR, string=r"\""
)
_NESTING: Final = _language(
    "/'\"", line=r"//", nested=r"/\*", triple=r"\"\"\"", char=_CHAR, string=r"\""
)
_RUST: Final = _language(
    "/'\"",
    8,
    line=r"//",
    nested=r"/\*",
    fenced=r"\b[bc]?r#*\"",
    char=_CHAR,
    long=r"\"",
)
_GO: Final = _language("/`'\"", line=r"//", block=r"/\*", raw=r"`", char=_CHAR, string=r"\"")
_PHP: Final = _language("/#'\"", line=r"//|#(?!\[)", block=r"/\*", string=r"['\"]")
_STYLE: Final = _language("/'\"", line=r"(?<!:)//", block=r"/\*", string=r"['\"]")
_HASHED: Final = _language("#'\"", line=r"(?<![^\s;])#", string=r"['\"]")
_ELIXIR: Final = _language("#'\"", line=r"#", triple=r"\"\"\"", string=r"['\"]")
_DASHED: Final = _language("-/'\"", block=r"--\[\[|/\*", line=r"--", string=r"['\"]")
_MARKUP: Final = _language("<", block=r"<!--")
_ENDINGS: Final = (
    (_SCRIPT, "js jsx mjs cjs ts tsx mts cts vue svelte astro dart"),
    (_PYTHON, "py pyi"),
    (_SHARP, "cs"),
    (_BRACED, "java c h cc cpp hpp groovy gradle m mm proto"),
    (_NESTING, "kt kts scala swift"),
    (_RUST, "rs"),
    (_GO, "go"),
    (_PHP, "php"),
    (_STYLE, "css scss less"),
    (_HASHED, "sh bash zsh rb yaml yml toml r pl nix tf cfg ini"),
    (_ELIXIR, "ex exs"),
    (_DASHED, "sql lua"),
    (_MARKUP, "html htm xml csproj props targets xaml"),
)
_ENDING: Final = {ending: one for one, names in _ENDINGS for ending in names.split()}
_NAMED: Final = {
    "dockerfile": _HASHED,
    "makefile": _HASHED,
    "gemfile": _HASHED,
    "rakefile": _HASHED,
}
