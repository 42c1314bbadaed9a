"""Whether a claim holds that outlives lines: a symbol exists, a constant or a key has a value.

Code is judged by its syntax (the extra `code`), files of values by the parser of their format. What
cannot be parsed here is not judged, and never called held.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.model.citation import MAX_LINES, Citation

_LANGUAGES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("py", "pyi"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "javascript"),
    **dict.fromkeys(("ts", "mts", "cts"), "typescript"),
    **dict.fromkeys(("c", "h"), "c"),
    **dict.fromkeys(("cpp", "cc", "cxx", "hpp", "hh", "hxx"), "cpp"),
    **dict.fromkeys(("kt", "kts"), "kotlin"),
    **dict.fromkeys(("sh", "bash"), "bash"),
    **dict.fromkeys(("ex", "exs"), "elixir"),
    "tsx": "tsx",
    "cs": "csharp",
    "go": "go",
    "hs": "haskell",
    "java": "java",
    "lua": "lua",
    "php": "php",
    "rb": "ruby",
    "rs": "rust",
    "scala": "scala",
    "swift": "swift",
}
_ALWAYS: Final = frozenset({"preproc_def", "const_element", "property_element"})
_WITHOUT_FIELDS: Final = frozenset({"kotlin"})
"""Grammars whose definitions do not say which of their children is the name."""
_LONGEST: Final = 2 << 20
"""Characters of a file that is parsed."""
_VALUES: Final = frozenset({"json", "toml", "yaml", "yml"})
_DEFINES: Final = re.compile(
    "definition|declaration|declarator|_item|_spec|_def$|assignment|class|module|method|function"
    "|^pair$|interface|enum|struct|trait|property|variant|const_element|signature|type_alias|field_def"
)
_USES: Final = re.compile(
    "invocation|call|expression|argument|initializer|_access|parameter|_type$"
)
_WITHIN: Final = re.compile(
    "(?:qualified|scoped)_identifier|variable_name|pattern"
    "|(?:pointer|reference|function|array|parenthesized)_declarator"
)
"""What stands between a name and its definition in some languages."""
_NAMES: Final = ("name", "left", "declarator", "pattern", "key", "type")
_NUMBER: Final = re.compile(
    r"([+-]?(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]+)?(?:e[+-]?\d+)?))[a-z]{0,2}\d*"
)
_STRING: Final = re.compile(r"@?[a-zA-Z]{0,3}?(\"\"\"|\"|'|`)(.*)\1", re.DOTALL)
_EMPTY: Final = frozenset({"null", "none", "nil", "undefined"})
_SEGMENT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([^."]+)')


class NotJudged(Exception):
    """The claim could not be looked at; the message says why, without a full stop."""


@dataclass(frozen=True, slots=True)
class Held:
    """A claim holds, and where."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A claim does not hold."""

    why: str
    start: int = 0
    """Where what it is about stands, with another value; 0 = nowhere."""
    end: int = 0


def is_code(path: str) -> bool:
    """Tell whether a file is in a language whose symbols can be looked up."""
    return PurePosixPath(path).suffix.lstrip(".").casefold() in _LANGUAGES


def judge(lines: Sequence[str], citation: Citation) -> Held | Failed:
    """Tell whether a claim holds of a file.

    Raises:
        NotJudged: The file, or the claim, cannot be parsed here.
    """
    text = "\n".join(lines)
    if len(text) > _LONGEST:
        raise NotJudged("the file is too long to parse")
    suffix = PurePosixPath(citation.path).suffix.lstrip(".").casefold()
    if citation.key:
        return _judge_key(text, lines, citation, suffix)
    return _judge_symbol(text, citation, suffix)


def _judge_symbol(text: str, citation: Citation, suffix: str) -> Held | Failed:
    language = _LANGUAGES.get(suffix)
    if language is None:
        raise NotJudged(f"symbols of `.{suffix}` files are not known here")
    *around, name = [each for each in re.split(r"::|\.", citation.symbol) if each]
    found = [each for each in _definitions(text, language, name) if _is_within(each, around)]
    if not found:
        return Failed(f"there is no `{citation.symbol}`")
    first = found[0].range()
    start, end = first.start.line + 1, min(first.end.line + 1, first.start.line + MAX_LINES)
    if citation.equals is None:
        return Held(start, end)
    values = [value for each in found if (value := _value_of(each)) is not None]
    if not values:
        return Failed(f"`{citation.symbol}` has no value", start, end)
    wrong = next((value for value in values if not _says(value, citation.equals)), None)
    if wrong is not None:
        return Failed(f"`{citation.symbol}` is {_short(wrong)}", start, end)
    return Held(start, end)


def _definitions(text: str, language: str, name: str) -> Iterator[Any]:
    """Yield the nodes that define a name, in their order."""
    seen: set[tuple[int, int]] = set()
    for node in _root(text, language).find_all(regex=f"^{re.escape(name)}$"):
        if any(True for _ in node.children()):
            continue
        inner, outer = node, node.parent()
        while outer is not None and _WITHIN.fullmatch(outer.kind()):
            inner, outer = outer, outer.parent()
        if outer is None or not _is_definition(outer, inner, language):
            continue
        place = outer.range().start.index, outer.range().end.index
        if place not in seen:
            seen.add(place)
            yield outer


def _is_definition(outer: Any, inner: Any, language: str) -> bool:
    kind = outer.kind()
    if kind in _ALWAYS:
        return True
    if _USES.search(kind) or not _DEFINES.search(kind):
        return False
    if language in _WITHOUT_FIELDS:
        return True
    named = (outer.field(each) for each in _NAMES)
    return any(each is not None and each.range() == inner.range() for each in named)


def _is_within(node: Any, around: Sequence[str]) -> bool:
    """Tell whether a definition stands within others of these names, the outermost first."""
    left = [*around]
    for outer in (node, *node.ancestors()):
        if not left:
            break
        named = [outer.field(each) for each in ("receiver", *_NAMES)]
        words = {
            word
            for each in named
            if each is not None and (outer is not node or each == named[0])
            for word in re.findall(r"\w+", each.text())
        }
        if outer is not node and _DEFINES.search(outer.kind()):
            words |= {
                each.text() for each in outer.children() if each.kind().endswith("identifier")
            }
        if left[-1] in words:
            left.pop()
    return not left


def _value_of(node: Any) -> str | None:
    for name in ("value", "right"):
        field = node.field(name)
        if field is not None:
            return str(field.text()).strip()
    for each in (node, node.parent()):
        _, found, rest = each.text().partition("=") if each is not None else ("", "", "")
        if found and "\n" not in rest:
            return str(rest).strip().rstrip(";,").strip()
        if node.kind() != "variable_declaration":
            break
    return None


@lru_cache(maxsize=16)
def _root(text: str, language: str) -> Any:
    try:
        from ast_grep_py import SgRoot
    except ImportError:
        raise NotJudged(
            "claims about symbols need `ast-grep-py`: `pip install 'remem[code]'`"
        ) from None
    return SgRoot(text, language).root()


def _judge_key(text: str, lines: Sequence[str], citation: Citation, suffix: str) -> Held | Failed:
    if suffix not in _VALUES:
        raise NotJudged(f"keys of `.{suffix}` files are not known here: YAML, JSON or TOML")
    path = [
        quoted.replace('\\"', '"') if quoted else plain
        for quoted, plain in _SEGMENT.findall(citation.key)
    ]
    for document in _documents(text, suffix):
        is_there, value = _at(document, path)
        if not is_there:
            continue
        line = _line_of(lines, path)
        if citation.equals is None or _equal(value, _expected(citation.equals)):
            return Held(line, line)
        return Failed(f"`{citation.key}` is {_short(_shown(value))}", line, line)
    return Failed(f"there is no `{citation.key}`")


def _documents(text: str, suffix: str) -> list[Any]:
    try:
        if suffix == "json":
            return [json.loads(text)]
        if suffix == "toml":
            return [tomllib.loads(text)]
        from ruamel.yaml import YAML

        return [*YAML(typ="safe").load_all(text)]
    except RecursionError:
        raise NotJudged("the file is nested too deep to be read") from None
    except Exception as error:
        first = str(error).strip().splitlines() or [type(error).__name__]
        raise NotJudged(f"the file cannot be parsed: {first[0]}") from None


def _at(document: Any, path: Sequence[str]) -> tuple[bool, Any]:
    value = document
    for segment in path:
        if isinstance(value, Mapping):
            named = {str(key): each for key, each in value.items()}
            if segment not in named:
                return False, None
            value = named[segment]
        elif isinstance(value, list) and segment.isdecimal() and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return False, None
    return bool(path), value


def _line_of(lines: Sequence[str], path: Sequence[str]) -> int:
    """Return about where a key stands: each of its parts behind the one before."""
    at = 0
    for segment in path:
        key = re.compile(rf"""(?:^|[\s,{{\["'.-]){re.escape(segment)}["']?\s*[:=\].]""")
        at = next((n for n in range(at, len(lines)) if key.search(lines[n])), at)
    return at + 1


def _expected(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, date | time):  # a datetime is a date, too
        value = value.isoformat()
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return value == wanted
    return type(value) is type(wanted) and bool(value == wanted)


def _shown(value: Any) -> str:
    try:
        return json.dumps(value, default=str, ensure_ascii=False)
    except (RecursionError, ValueError, TypeError):
        return type(value).__name__


def _says(code: str, wanted: str) -> bool:
    """Tell whether a literal in code is the wanted one, however its language writes it."""
    said, meant = _literal(code), _literal(wanted)
    if said == meant:
        return True
    return said[0] == "text" and meant == ("code", said[1])


def _literal(text: str) -> tuple[str, object]:
    text = text.strip()
    folded = text.casefold()
    if folded in ("true", "false"):
        return "truth", folded == "true"
    if folded in _EMPTY:
        return "nothing", None
    number = _NUMBER.fullmatch(folded)
    if number is not None:
        digits = number[1].replace("_", "")
        is_whole = digits.lstrip("+-").isdecimal() or digits.lstrip("+-")[1:2] in ("x", "o", "b")
        with_base = 10 if digits.lstrip("+-").isdecimal() else 0
        return "number", float(int(digits, with_base) if is_whole else float(digits))
    string = _STRING.fullmatch(text)
    if string is not None:
        return "text", string[2]
    return "code", " ".join(text.split())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line if len(line) <= 60 else line[:59] + '…'}`"
