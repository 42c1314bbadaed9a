"""The things that a hint can name exactly, and the folders that it can name them in.

Each form is a phrase that is matched whole and the pattern of text that finds what it names, line
by line. A line that is only a comment is never found, but where comments are what is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from remem.model.detect import AstPattern, Detect

_SCRIPTS: Final = ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts")
_TYPED: Final = ("ts", "tsx", "mts", "cts")
_PYTHON: Final = ("py",)
_BRACED: Final = (
    *_SCRIPTS,
    "java",
    "kt",
    "cs",
    "php",
    "scala",
    "dart",
    "groovy",
    "cpp",
    "cc",
    "hpp",
)
_CODE: Final = (
    *_BRACED,
    *_PYTHON,
    "go",
    "rb",
    "rs",
    "swift",
    "c",
    "h",
    "ex",
    "lua",
    "vue",
    "svelte",
)
_NO_COMMENT: Final = r"^(?!\s*(?:#|//|/?\*|--\s))"
_NAME: Final = r"(?:`[^`\s]+`|[@\w][\w./@-]*)"
_NAMES: Final = rf"(?P<names>{_NAME}(?:(?:, | or | and |, or |, and |/){_NAME})*)"
_CALLED: Final = r"(?:`[\w$.]+(?:\(\))?`|[\w$.]+\(\)|[\w$]+(?:\.[\w$]+)+)"
_CALLS: Final = rf"(?P<names>{_CALLED}(?:(?:, | or | and |, or |, and |/){_CALLED})*)"
_BETWEEN: Final = re.compile(r", or |, and |, | or | and |/(?![^`]*`(?:,|/|$| or | and ))")
_DIRECT: Final = r"(?:any |direct |new )*"
_FOLDER: Final = r"(?:`[^`\s]+`|\.?[\w*@.{},-]+/[\w*@./{},-]*|[\w.-]+(?= (?:folder|director)))"
_WHERE: Final = re.compile(
    rf"(?P<thing>.+?),? (?:(?:in )?(?P<files>(?!in )(?:\w+ )?(?:files|modules|code)) )?"
    rf"(?P<word>in|under|below|inside|within) (?:any of |the )?"
    rf"(?P<folders>{_FOLDER}(?:(?:, | or | and |, or |, and ){_FOLDER})*)"
    rf"(?: (?:folders?|director(?:y|ies)))?",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r", or |, and |, | or | and ", re.IGNORECASE)
_PLAIN_FOLDERS: Final = frozenset(
    {
        *("src", "lib", "libs", "app", "apps", "packages", "internal", "core", "common", "shared"),
        *("utils", "util", "db", "database", "api", "server", "client", "test", "tests", "domain"),
        *("infra", "service", "services", "model", "models", "component", "components", "routes"),
        *("handlers", "controllers", "repositories", "config", "helpers", "types", "hooks"),
    }
)
"""Words that are folders between slashes, and not packages side by side."""
_VAGUE: Final = frozenset(
    {
        *("the", "a", "an", "any", "all", "other", "another", "module", "modules", "package"),
        *("packages", "library", "libraries", "files", "file", "code", "things", "anything"),
        *("something", "statements", "deprecated", "internal", "private", "external", "raw"),
        *("relative", "absolute", "cross-module", "circular", "default", "named", "unused"),
    }
)
"""Words that stand where a name is expected and name nothing."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where something is not wanted."""

    globs: tuple[str, ...]
    """Empty = a folder that cannot be told from the words."""

    def ending_in(self, endings: Sequence[str]) -> Iterator[str]:
        """Yield the globs, of folders only the files that the form is about."""
        for glob in self.globs:
            if glob.endswith("/**") and endings:
                yield files_ending_in(endings, glob)
            else:
                yield glob


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of thing."""

    pattern: re.Pattern[str]
    make: Callable[[re.Match[str]], Detect | None]
    endings: tuple[str, ...] = ()
    """Of files that it can stand in; empty = any."""


def scope_of(phrase: str) -> tuple[str, Scope | None]:
    """Split off where a thing is meant; `None` = anywhere."""
    match = _WHERE.fullmatch(phrase.strip())
    if match is None:
        return phrase, None
    if " " in (match["files"] or ""):
        return phrase, Scope(())  # `test files under x`: which ones are those
    return match["thing"], Scope(tuple(map(_glob, _LISTED.split(match["folders"]))))


def _glob(folder: str) -> str:
    name = folder.strip("`").removeprefix("./")
    if "*" in name or re.search(r"\.\w+$", name):
        return name
    inside = name.strip("/")
    # A folder of one name lies anywhere; one with a path may lie in a package of a monorepo.
    return f"**/{inside}/**"


def files_ending_in(endings: Sequence[str], folder: str = "**") -> str:
    """Return the glob of files with these endings."""
    return f"{folder}/*.{endings[0] if len(endings) == 1 else '{' + ','.join(endings) + '}'}"


def _named(text: str) -> list[str]:
    """Return the names of a list; none where it cannot be told what is a name in it."""
    if "`" not in text and "/" in text and " " not in text:
        parts = text.split("/")
        is_path = len(parts) < 3 or text.startswith("@") or "." in text
        if is_path or _PLAIN_FOLDERS.intersection(map(str.casefold, parts)):
            return []
        return parts
    names = [part.strip("` ") for part in _BETWEEN.split(text)]
    if "`" not in text and any(name.casefold() in _VAGUE or "/" in name for name in names):
        return []
    return [name for name in names if name]


def _imports(match: re.Match[str]) -> Detect | None:
    names = _named(match["names"])
    if not names or not all(re.fullmatch(r"@?[\w.-]+(?:/[\w.-]+)*", name) for name in names):
        return None
    quoted = "|".join(re.escape(name).replace(r"\-", "-") for name in names)
    dotted = "|".join(
        re.escape(name.replace("-", "_").replace("/", ".").removeprefix("@"))
        for name in names
        if re.fullmatch(r"[A-Za-z_][\w.-]*", name)
    )
    scoped = "|".join(re.escape(name) for name in names if re.fullmatch(r"\w+", name))
    inside = f"(?:{quoted})(?:-orm|-client|-core|\\.?js)?(?:/[^\"']*)?"
    if scoped:
        inside = f"(?:{inside}|@(?:{scoped})/[^\"']*)"
    script = (
        rf"^\s*(?:(?:import|export)\b[^\"'/#]*|\}}\s*from\s*|[^\"'/#]*\b(?:require|import)\s*\(\s*)"
        rf"[\"']{inside}[\"']"
    )
    python = (
        rf"|^\s*from\s+(?:{dotted})(?:\.[\w.]+)?\s+import\b"
        rf"|^\s*import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*(?:{dotted})(?=[\s.,;]|$)"
    )
    return Detect(forbid=script + (python if dotted else ""))


def _calls(match: re.Match[str]) -> Detect | None:
    names = [part.strip("` ").removesuffix("()") for part in _BETWEEN.split(match["names"])]
    if not all(re.fullmatch(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*", name) for name in names):
        return None
    called = "|".join(map(re.escape, names))
    # A method with the name, and where the function itself is written, are other things.
    return Detect(
        forbid=rf"{_NO_COMMENT}(?!.*\b(?:def|function|func|fn|class)\s+(?:{called})\s*\()"
        rf"(?!\s*(?:(?:public|private|static|async)\s+)*(?:{called})\s*\([^()]*\)\s*\{{\s*$)"
        rf".*?(?<![\w$.`])(?:{called})\s*\("
    )


def _fixed(forbid: str | AstPattern) -> Callable[[re.Match[str]], Detect]:
    return lambda _: Detect(forbid=forbid)


def _todo(match: re.Match[str]) -> Detect:
    words = "|".join(re.findall(r"todo|fixme|hack|xxx", match["words"], re.IGNORECASE)).upper()
    ticket = r"[A-Z][A-Z0-9]+-\d+|#\d+|https?://"
    return Detect(forbid=rf"(?:#|//|/\*|<!--|--\s|^\s*\*).*?\b(?:{words})\b(?!.*(?:{ticket}))")


def _form(phrase: str, make: Callable[[re.Match[str]], Detect | None], *endings: str) -> Form:
    return Form(re.compile(phrase, re.IGNORECASE), make, endings)


_PRINT: Final = rf"{_NO_COMMENT}(?!\s*(?:async\s+)?def\b).*?(?<![\w.])print\s*\("
_ANY: Final = rf"{_NO_COMMENT}.*?(?::|\bas|<|\|)\s*any\b(?:\[\])*\s*(?:$|[;,)=>|{{\]])"
_EMPTY_CATCH: Final = r"\bcatch\b\s*(?:\([^()]*\)\s*)?\{\s*\}"
_EMPTY_EXCEPT: Final = AstPattern(ast="python", pattern="try:\n    $$$\nexcept $E:\n    pass")
_CONSOLE: Final = rf"{_NO_COMMENT}.*?\bconsole\.log\s*\("

FORMS: Final[tuple[Form, ...]] = (
    _form(
        rf"{_DIRECT}(?:imports? (?:of|from)|importing(?: from)?|import(?: from)?) {_NAMES}",
        _imports, *_SCRIPTS, *_PYTHON,
    ),
    _form(rf"{_DIRECT}(?=`){_NAMES} imports?", _imports, *_SCRIPTS, *_PYTHON),
    _form(rf"{_DIRECT}(?:use|uses|using|usage of|calls?|call to|calling) ?"
          rf"(?:`?console\.log`?(?:\(\))?)", _fixed(_CONSOLE), *_SCRIPTS),
    _form(r"(?:leftover |stray |new )?`?console\.log`?(?:\(\))?(?: statements?| calls?| lines?)?",
          _fixed(_CONSOLE), *_SCRIPTS),
    _form(r"(?:leftover |stray |new |bare )?(?:`?print`? (?:statements|calls)|`?print\(\)`?"
          r"(?: statements?| calls?)?)", _fixed(_PRINT), *_PYTHON),
    _form(rf"{_DIRECT}(?:calls? (?:to|of)|calling|use of|uses of|using|use|usage of|call) {_CALLS}",
          _calls, *_CODE),
    _form(rf"{_DIRECT}{_CALLS} calls?", _calls, *_CODE),
    _form(r"(?:explicit |uses of |use of |using (?:the )?|use (?:the )?)?(?:`any` types?|`: any`"
          r"|`any`(?: as a type| type annotations?)|any types?(?: annotations?)?)",
          _fixed(_ANY), *_TYPED),
    _form(r"(?:empty catch(?:es| blocks?| clauses?| bodies)?|catch (?:blocks|clauses) with "
          r"(?:an )?empty bod(?:y|ies)|catch blocks that are empty)",
          _fixed(_EMPTY_CATCH), *_BRACED),
    _form(r"(?:empty except(?: blocks?| clauses?| bodies)|except (?:blocks|clauses) "
          r"(?:with|that) (?:only|just|contain only) (?:a )?`?pass`?)",
          _fixed(_EMPTY_EXCEPT), *_PYTHON),
    _form(r"(?:bare `?except`?(?:s| clauses?| blocks?|:)?|`except:`)",
          _fixed(r"^\s*except\s*:"), *_PYTHON),
    _form(r"(?:wildcard|star) imports?|`?from \S+ import \*`?",
          _fixed(r"^\s*from\s+\S+\s+import\s+\*"), *_PYTHON),
    _form(r"(?:`?export default`?|default exports?)(?: statements?)?",
          _fixed(r"^\s*export\s+default\b"), *_SCRIPTS),
    _form(r"`?debugger`?(?: statements?)?", _fixed(r"^\s*debugger\s*;?\s*$"), *_SCRIPTS),
    _form(r"`?breakpoint\(\)`?(?: calls?)?",
          _fixed(rf"{_NO_COMMENT}.*?(?<![\w.])breakpoint\s*\("), *_PYTHON),
    _form(r"(?P<words>`?(?:todos?|fixmes?|hack|xxx)`?(?:(?:, | or | and |/)`?(?:todos?|fixmes?|hack"
          r"|xxx)`?)*)(?: comments?| notes?)? (?:without|with no|lacking) (?:an? )?"
          r"(?:ticket|issue|issue number|ticket number|issue reference|ticket reference|reference"
          r"|link)s?", _todo, *_CODE),
)  # fmt: skip
"""In the order in which they are tried."""
