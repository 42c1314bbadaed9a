"""The things that a hint can name exactly, and the folders that it can name them in.

Each form is a phrase that is matched whole and the pattern of text that finds what it names. It is
looked for in the part of a file where it means that: a call in code and never in a comment or a
string, a note in comments alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.core.checks.code_imports import FROM, PYTHON, SCRIPTS, is_package
from remem.model.detect import Detect

_TYPED: Final = ("ts", "tsx", "mts", "cts")
_USING: Final = ("cs", "java", "kt")
"""Languages whose imports name a package between points."""
_BRACED: Final = (
    *SCRIPTS,
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
    *PYTHON,
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
_NAME: Final = r"(?:`[^`\s]+`|[@\w][\w./@-]*)"
_NAMES: Final = rf"(?P<names>{_NAME}(?:(?:, | or | and |, or |, and |/){_NAME})*)"
_CALLED: Final = r"(?:`[\w$.]+(?:\(\))?`|[\w$.]+\(\)|[\w$]+(?:\.[\w$]+)+)"
_CALLS: Final = rf"(?P<names>{_CALLED}(?:(?:, | or | and |, or |, and |/){_CALLED})*)"
_METHOD: Final = r"(?:`\.?[\w$]+(?:\(\))?`|\.?[\w$]+\(\))"
_IDENTIFIER: Final = r"(?:`[\w$]+(?:\.[\w$]+)*`|[\w$]+(?:\.[\w$]+)+)"
_DOTTED: Final = r"(?:`\.[\w$]+(?:\(\))?`|\.[\w$]+\(\))"
_USED: Final = rf"(?P<names>{_IDENTIFIER}(?:(?:, | or | and |, or |, and |/){_IDENTIFIER})*)"
_BETWEEN: Final = re.compile(r", or |, and |, | or | and |/(?![^`]*`(?:,|/|$| or | and ))")
_QUOTED: Final = r"(?P<codes>`[^`\n]+`(?:(?:, or |, | or )`[^`\n]+`)*)"
_DIRECT: Final = r"(?:any |direct |new )*"
_FOLDER: Final = r"(?:`[^`\s]+`|\.?[\w*@.{},-]+/[\w*@./{},-]*|[\w.-]+(?= (?:folder|director)))"
_OUTSIDE: Final = re.compile(
    r"(?P<thing>.+?),? (?:outside(?: of)?|except in|but not in) (?:the )?"
    rf"(?P<folders>(?:{_FOLDER}|`?[\w./*-]+\.\w+`?)(?:(?:, | or | and |, or |, and )"
    rf"(?:{_FOLDER}|`?[\w./*-]+\.\w+`?))*)(?: (?:folders?|director(?:y|ies)))?",
    re.IGNORECASE,
)
_WHERE: Final = re.compile(
    rf"(?P<thing>.+?),? (?:(?:in )?(?P<files>(?!in )(?:\w+ )?(?:files|modules|code)) )?"
    rf"(?P<word>in|under|below|inside|within) (?:any of |the )?"
    rf"(?P<folders>{_FOLDER}(?:(?:, | or | and |, or |, and ){_FOLDER})*)"
    rf"(?: (?:folders?|director(?:y|ies)))?",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r", or |, and |, | or | and ", re.IGNORECASE)
_LANGUAGES: Final = {
    "python": PYTHON,
    "typescript": _TYPED,
    "javascript": ("js", "jsx", "mjs", "cjs"),
    "c#": ("cs",),
    "go": ("go",),
    "java": ("java",),
    "kotlin": ("kt",),
    "rust": ("rs",),
    "ruby": ("rb",),
    "php": ("php",),
    "swift": ("swift",),
}
_KIND: Final = rf"(?:`?\.\w+`?|{'|'.join(map(re.escape, _LANGUAGES))})"
_KINDED: Final = re.compile(
    rf"(?P<thing>.+?),? (?:in|inside|within) (?P<kinds>{_KIND}(?:(?:, | or | and |, or |, and )"
    rf"{_KIND})*) (?:source )?(?:files|code|modules|sources)(?P<where> (?:in|under|below|inside|"
    r"within|outside|except|but) .+)?",
    re.IGNORECASE,
)
_PLAIN_FOLDERS: Final = frozenset(
    {
        *("src", "lib", "libs", "app", "apps", "packages", "internal", "core", "common", "shared"),
        *("utils", "util", "db", "database", "api", "server", "client", "test", "tests", "domain"),
        *("infra", "service", "services", "model", "models", "component", "components", "routes"),
        *("handlers", "controllers", "repositories", "config", "helpers", "types", "hooks"),
    }
)
"""Words that are folders between slashes, and not packages side by side."""
_TOP_FOLDERS: Final = frozenset({"src", "lib", "libs", "app", "apps", "packages", "tests"})
"""Words that a path of the project begins with, and no package does."""
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
    """Empty = a folder that cannot be told from the words; those behind `!` are left out."""
    endings: tuple[str, ...] = ()
    """Of the files that are meant; empty = any."""

    def both(self, endings: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the endings that a thing can stand in and that are meant; `None` = there is none.

        Args:
            endings: Of files that the thing can stand in; empty = any.
        """
        if not (self.endings and endings):
            return self.endings or endings
        return tuple(each for each in self.endings if each in endings) or None

    def ending_in(self, endings: Sequence[str]) -> Iterator[str]:
        """Yield the globs, of folders only the files that the form is about."""
        if endings and all(glob.startswith("!") for glob in self.globs):
            yield files_ending_in(endings)
        for glob in self.globs:
            if glob.endswith("**") and endings and not glob.startswith("!"):
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
    kinded = _KINDED.fullmatch(phrase.strip())
    if kinded is None:
        return _folders_of(phrase)
    endings = tuple(each for kind in _LISTED.split(kinded["kinds"]) for each in _endings(kind))
    if not kinded["where"]:
        return kinded["thing"], Scope(("**",), endings)
    rest, scope = _folders_of(f"x{kinded['where']}")
    is_whole = rest == "x" and scope is not None
    return kinded["thing"], Scope(scope.globs if is_whole and scope else (), endings)


def _endings(kind: str) -> tuple[str, ...]:
    name = kind.strip("`").removeprefix(".").casefold()
    return (name,) if kind.strip("`").startswith(".") else _LANGUAGES[name]


def _folders_of(phrase: str) -> tuple[str, Scope | None]:
    out = _OUTSIDE.fullmatch(phrase.strip())
    if out is not None and "/" not in out["thing"]:
        places = (f"!{_glob(each)}" for each in _LISTED.split(out["folders"]))
        return out["thing"], Scope(tuple(places))
    match = _WHERE.fullmatch(phrase.strip())
    if match is None:
        return phrase, None
    if " " in (match["files"] or ""):
        return phrase, Scope(())  # `test files under x`: which ones are those
    return match["thing"], Scope(tuple(map(_glob, _LISTED.split(match["folders"]))))


def _glob(folder: str) -> str:
    name = folder.strip("`").removeprefix("./")
    if "*" in name:
        return name if re.search(r"[*}]$|\.\w+$", name) else f"{name.rstrip('/')}/**"
    if re.search(r"\.\w+$", name):
        return name if "/" in name else f"**/{name}"
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
        if parts[0] in _TOP_FOLDERS and len(parts) > 1:
            return [text.rstrip("/")]
        if is_path or _PLAIN_FOLDERS.intersection(map(str.casefold, parts)):
            return []
        return parts
    names = [part.strip("` ") for part in _BETWEEN.split(text)]
    if "`" not in text and any(name.casefold() in _VAGUE or "/" in name for name in names):
        return []
    return [name for name in names if name]


def _imports(match: re.Match[str]) -> Detect | None:
    names = _named(match["names"])
    if not names or not all(re.fullmatch(r"@?[\w.*-]+(?:/[\w.*-]+)*", name) for name in names):
        return None
    quoted = "|".join(
        re.escape(name).replace(r"\-", "-").replace(r"\*", "[^/\"'\\n]+") for name in names
    )
    dotted = "|".join(
        re.escape(name.replace("-", "_").replace("/", ".").removeprefix("@"))
        for name in names
        if re.fullmatch(r"[A-Za-z_][\w.-]*", name)
    )
    scoped = "|".join(re.escape(name) for name in names if re.fullmatch(r"\w+", name))
    inside = f"(?:{quoted})(?:-orm|-client|-core|\\.?js)?(?:/[^\"'\\n]*)?"
    if scoped:
        inside = f"(?:{inside}|@(?:{scoped})/[^\"'\\n]*)"
    own = tuple(name for name in names if re.fullmatch(r"[a-z_][\w./-]*", name))
    own = tuple(name for name in own if not is_package(name))
    return replace(_brought_in(inside, dotted), imports=own or None)


def _brought_in(module: str, dotted: str) -> Detect:
    """Return what finds imports: of a script by the text of the module, elsewhere by its name."""
    script = (
        rf"^[ \t]*(?:import|export)\s+(?:type\s+)?{FROM}\K[\"']{module}[\"']"
        rf"|\b(?:require|import)\s*\(\s*[\"']{module}[\"']"
    )
    python = (
        rf"|^[ \t]*from\s+(?:{dotted})(?:\.[\w.]+)?\s+import\b"
        rf"|^[ \t]*import\s+(?:static\s+)?(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*(?:{dotted})"
        r"(?=[\s.,;]|$)(?![ \t]+from\b|[ \t]*,[ \t]*[{*])"
        rf"|^[ \t]*(?:global\s+)?using\s+(?:static\s+|\w+\s*=\s*)?(?:{dotted})(?:\.[\w.]+)?\s*;"
    )
    return Detect(forbid=script + (python if dotted else ""), within=("code", "strings"))


def _members(match: re.Match[str]) -> Detect | None:
    """Read `imports of Optional from typing`: names out of a module that may stay."""
    names, module = _named(match["names"]), match["module"].strip("`")
    if not names or not all(re.fullmatch(r"[A-Za-z_$][\w$]*", name) for name in names):
        return None
    if module.casefold() in _VAGUE or not re.fullmatch(r"@?[\w.-]+(?:/[\w.-]+)*", module):
        return None
    name = rf"(?<![\w$.])(?<!\bas )(?:{'|'.join(map(re.escape, names))})(?![\w$])"
    quoted = re.escape(module).replace(r"\-", "-")
    script = (
        rf"{name}(?=[^{{}}]*\}}\s*from\s*[\"']{quoted}[\"'])"
        r"(?<=\bimport\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{[^{}]*)"
    )
    if not re.fullmatch(r"[A-Za-z_][\w.]*", module):
        return Detect(forbid=script, within=("code", "strings"))
    start = rf"^[ \t]*from[ \t]+{re.escape(module)}[ \t]+import[ \t]*"
    python = rf"{name}(?<={start}(?:\([^()]*|[^\n(]*))"
    return Detect(forbid=f"{script}|{python}", within=("code", "strings"))


def _containing(match: re.Match[str]) -> Detect:
    """Read `lines that contain ...`, wherever in a file the text stands."""
    texts = [part.strip() for part in re.findall(r"`([^`\n]+)`", match["codes"])]
    return Detect(forbid="|".join(map(_spelled, texts)))


def _bare_imports(match: re.Match[str]) -> Detect | None:
    """Read `imports of fs, path without the node: prefix`."""
    names = _named(match["names"])
    if not names or not all(re.fullmatch(r"[\w/]+", name) for name in names):
        return None
    return _brought_in(f"(?:{'|'.join(names)})(?:/[^\"'\\n]*)?", "")


def _calls(match: re.Match[str]) -> Detect | None:
    names = [part.strip("` ").removesuffix("()") for part in _BETWEEN.split(match["names"])]
    is_new = any(name.startswith("new ") for name in names)
    names = [name.removeprefix("new ").strip() for name in names]
    if not all(re.fullmatch(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*", name) for name in names):
        return None
    called = "|".join(map(re.escape, names))
    if is_new:
        return _in_code(rf"\bnew\s+(?:{called})\s*(?:<[^<>()]*>)?\s*\(")
    # A method with the name, and where the function itself is written, are other things.
    return _in_code(
        rf"(?<![\w$.])(?<!\bdef )(?<!\bfunction )(?<!\bfunc )(?<!\bfn )(?<!\bclass )(?:{called})"
        rf"\s*\((?!(?<=^[ \t]*(?:(?:public|private|static|async)[ \t]+)*(?:{called})\s*\()"
        rf"[^()\n]*\)\s*\{{[ \t]*$)"
    )


def _uses(match: re.Match[str]) -> Detect | None:
    """Read names that are used in whatever way, called or not."""
    names = [part.strip("` ") for part in _BETWEEN.split(match["names"])]
    if not all(re.fullmatch(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*", name) for name in names):
        return None
    # What is named by its class may have its name space before it.
    whole = [re.escape(name) for name in names if "." in name and name[0].isupper()]
    plain = [re.escape(name) for name in names if not ("." in name and name[0].isupper())]
    ways = [rf"(?<![\w$])(?:{'|'.join(whole)})(?![\w$])"] if whole else []
    if plain:
        ways.append(rf"(?<![\w$.])(?:{'|'.join(plain)})(?![\w$])(?!\s*[:?](?!:))")
    return _in_code("|".join(ways))


def _methods(match: re.Match[str]) -> Detect | None:
    names = [
        part.strip("` ").strip(".").removesuffix("()") for part in _BETWEEN.split(match["names"])
    ]
    if not all(re.fullmatch(r"[A-Za-z_$][\w$]*", name) for name in names):
        return None
    return _in_code(rf"\.\s*(?:{'|'.join(map(re.escape, names))})\s*\(")


def _literal(match: re.Match[str]) -> Detect | None:
    """Read pieces of code between backticks as what they say, with any space between words."""
    texts = [part.strip() for part in re.findall(r"`([^`\n]+)`", match["codes"])]
    if not all(re.search(r"\w{2}|\W\w|\w\W", text) for text in texts):
        return None
    quotes = any(sign in text for text in texts for sign in "'\"")
    return Detect(
        forbid="|".join(map(_spelled, texts)), within=("code", "strings") if quotes else "code"
    )


def _spelled(text: str) -> str:
    words = r"\s+".join(re.escape(word) for word in text.split())
    before = r"(?<![\w$])" if re.match(r"\w", text) else ""
    after = r"(?![\w$])" if re.search(r"\w$", text) else ""
    return f"{before}{words}{after}"


def _noted(match: re.Match[str]) -> Detect:
    """Read `TODO comments`: words that comments are not to hold."""
    texts = [part.strip("` ") for part in _BETWEEN.split(match["texts"])]
    words = "|".join(re.escape(text) for text in texts)
    return Detect(forbid=rf"(?<![\w])(?:{words})(?!\w)", within="comments")


def _silenced(match: re.Match[str]) -> Detect:
    """Read `noqa without a code`: a comment that silences whatever a checker says."""
    word = r"\s*".join(match["word"].casefold().split())
    return Detect(forbid=rf"#\s*{word}\b(?!\s*[\[:])", within="comments")


def _lacking(match: re.Match[str]) -> Detect | None:
    """Read `folders under src without index.ts`."""
    scope = scope_of(f"x {match['where']}")[1] if match["where"] else Scope(("**/*",))
    name = match["file"].strip("`")
    if scope is None or not scope.globs:
        return None
    ending = name.rpartition(".")[2] if "." in name else ""
    endings = _TYPED[:2] if ending in ("ts", "tsx") else (ending,) if ending else ()
    return Detect(files=tuple(dict.fromkeys(scope.ending_in(endings))), beside=name)


def _in_code(forbid: str) -> Detect:
    return Detect(forbid=forbid, within="code")


def _fixed(forbid: str) -> Callable[[re.Match[str]], Detect]:
    return lambda _: Detect(forbid=forbid)


def _todo(match: re.Match[str]) -> Detect:
    words = "|".join(re.findall(r"todo|fixme|hack|xxx", match["words"], re.IGNORECASE)).upper()
    ticket = r"[A-Z][A-Z0-9]+-\d+|#\d+|https?://"
    return Detect(forbid=rf"\b(?:{words})\b(?!.*(?:{ticket}))", within="comments")


def _form(phrase: str, make: Callable[[re.Match[str]], Detect | None], *endings: str) -> Form:
    return Form(lazy_pattern(phrase, re.IGNORECASE), make, endings)


def _code(forbid: str) -> Callable[[re.Match[str]], Detect]:
    return lambda _: _in_code(forbid)


_PRINT: Final = r"(?<![\w.])(?<!\bdef )print\s*\("
_ANY: Final = (
    r"(?:[:<,|&=(\[]|=>|\b(?:as|extends|keyof|is|infer|readonly|satisfies))\s*\Kany\b(?![\w$])"
    r"(?!\s*[(.:`])"
)
_EMPTY_CATCH: Final = r"\bcatch\b\s*(?:\([^()]*\)\s*)?(?:when\s*\([^()]*\)\s*)?\{\s*\}"
_EMPTY_EXCEPT: Final = (
    r"^(?P<in>[ \t]*)except\b[^:]*:\s*(?:pass|\.\.\.)[ \t]*;?[ \t]*$(?!\s*?\n(?P=in)[ \t]+\S)"
)
_CONSOLE: Final = r"(?<![\w.])console\.log\s*\("
_DEBUGGER: Final = r"(?:^|[;{})]|\belse|=>)[ \t]*\Kdebugger(?![\w$])[ \t]*(?=;|\}|$)"
_NOTE: Final = (
    r"(?:`[^`]+`|TODO|FIXME|HACK|XXX|@[a-z]+(?:-[a-z]+)*|(?-i:[a-z]+-(?:disable|ignore)))"
)
_MUTABLE: Final = (
    r"\bdef\s+\w+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?"
    r"(?<![=!<>])=\s*\K(?:\[|\{|(?:list|dict|set|bytearray)\s*\()"
)
_LOGGED: Final = r"\blog(?:ger|ging)?\.(?:debug|info|warn|warning|error|exception|critical|log)"

FORMS: Final[tuple[Form, ...]] = (
    _form(
        rf"{_DIRECT}(?:imports? (?:of|from)) {_NAMES} (?:without|lacking) (?:the |a )?`?node:`?"
        r"(?: prefix(?:es)?)?", _bare_imports, *SCRIPTS,
    ),
    _form(
        rf"{_DIRECT}(?:imports? (?:of|from)|importing(?: from)?|import(?: from)?) {_NAMES}",
        _imports, *SCRIPTS, *PYTHON, *_USING,
    ),
    _form(rf"{_DIRECT}imports? of {_NAMES} from (?P<module>{_NAME})",
          _members, *SCRIPTS, *PYTHON),
    _form(rf"{_DIRECT}(?=`){_NAMES} imports?", _imports, *SCRIPTS, *PYTHON, *_USING),
    _form(rf"{_DIRECT}(?:use|uses|using|usage of|calls?|call to|calling) ?"
          rf"(?:`?console\.log`?(?:\(\))?)", _code(_CONSOLE), *SCRIPTS),
    _form(r"(?:leftover |stray |new )?`?console\.log`?(?:\(\))?(?: statements?| calls?| lines?)?",
          _code(_CONSOLE), *SCRIPTS),
    _form(r"(?:leftover |stray |new |bare )?(?:`?print`? (?:statements|calls)|`?print\(\)`?"
          r"(?: statements?| calls?)?)", _code(_PRINT), *PYTHON),
    _form(rf"{_DIRECT}(?:calls? (?:to|of)|calling|call|(?:uses? of|using|use|usage of)"
          rf"(?=[^`]*\(\)|`[^`]*\(\)`)) (?P<names>`new [\w$.]+(?:\(\))?`|new [\w$.]+\(\))",
          _calls, *_CODE),
    _form(rf"{_DIRECT}(?:calls? (?:to|of)|calling|call) {_CALLS}", _calls, *_CODE),
    _form(rf"{_DIRECT}(?:use of|uses of|using|use|usage of) (?=[^ ]*\(\)){_CALLS}", _calls, *_CODE),
    _form(rf"{_DIRECT}{_CALLS} calls?", _calls, *_CODE),
    _form(rf"{_DIRECT}(?P<names>{_DOTTED}(?:(?:, | or | and ){_DOTTED})*) (?:method )?calls?",
          _methods, *_CODE),
    _form(rf"{_DIRECT}(?:calls? (?:to|of)|calling|call) (?P<names>{_DOTTED}(?:(?:, | or | and )"
          rf"{_DOTTED})*)", _methods, *_CODE),
    _form(rf"{_DIRECT}method calls? (?:of|to) (?P<names>{_METHOD}(?:(?:, | or | and )"
          rf"{_METHOD})*)", _methods, *_CODE),
    _form(rf"{_DIRECT}(?:use of|uses of|usages? of|using|use|references? to) {_USED}",
          _uses, *_CODE),
    _form(r"(?P<names>(?-i:[a-z]+[A-Z]\w*(?:(?:, | or | and |, or )[a-z]+[A-Z]\w*)*"
          r"|[a-z]\w*\.[a-z]\w*(?:(?:, | or | and |, or )[a-z]\w*\.[a-z]\w*)*))", _uses, *_CODE),
    _form(r"(?:explicit |uses of |use of |using (?:the )?|use (?:the )?)?(?:`any` types?|`: any`"
          r"|`any`(?: as a type| type annotations?)|any types?(?: annotations?)?)",
          _code(_ANY), *_TYPED),
    _form(r"(?:empty|comment-only|silent)(?:(?: or |/)comment-only)? catch(?:es| blocks?| clauses?"
          r"| bodies)?|catch (?:blocks|clauses) (?:with (?:an )?empty bod(?:y|ies)|that are empty)",
          _code(_EMPTY_CATCH), *_BRACED),
    _form(r"(?:empty except(?: blocks?| clauses?| bodies)|except (?:blocks|clauses) "
          r"(?:with|that) (?:only|just|contain only) (?:a )?`?pass`?)",
          _code(_EMPTY_EXCEPT), *PYTHON),
    _form(r"(?:bare `?except`?(?:s| clauses?| blocks?|:)?|`except:`)",
          _code(r"^[ \t]*except\s*:"), *PYTHON),
    _form(r"(?:wildcard|star) imports?|`?from \S+ import \*`?",
          _code(r"^[ \t]*from\s+\S+\s+import\s+\*"), *PYTHON),
    _form(r"(?:`?export default`?|default exports?)(?: statements?)?",
          _code(r"^[ \t]*export\s+default\b"), *SCRIPTS),
    _form(r"`?debugger`?(?: statements?)?", _code(_DEBUGGER), *SCRIPTS),
    _form(r"`?breakpoint\(\)`?(?: calls?)?", _code(r"(?<![\w.])breakpoint\s*\("), *PYTHON),
    _form(r"`?var`? (?:declarations?|statements?|keywords?)", _code(r"(?<![\w$.])var\s+[\w$\[{]"),
          *SCRIPTS),
    _form(r"`?(?:namespace|module)`? declarations?",
          _code(r"^[ \t]*(?:export\s+)?(?:declare\s+)?namespace\s+[\w$.]+\s*\{"), *_TYPED),
    _form(r"`?enum`? declarations?",
          _code(r"^[ \t]*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w"), *_TYPED),
    _form(r"inline (?:`?type`?[ -])?(?:type )?imports?(?: specifiers?)?",
          _code(r"^[ \t]*(?:import|export)\s*(?:[\w$]+\s*,\s*)?\{[^{}]*?\btype\s+[\w$]"), *_TYPED),
    _form(r"triple-slash (?:references?|directives?)(?: directives?)?",
          lambda _: Detect(forbid=r"^[ \t]*///\s*<reference\b", within="comments"), *_TYPED),
    _form(r"`with` statements?", _code(r"^[ \t]*with\s*\("), *SCRIPTS),
    _form(r"`?goto`? statements?", _code(r"(?<![\w.])goto\s+\w"), *_CODE),
    _form(r"f-strings? in (?:logging|log|logger) calls?",
          _code(rf"{_LOGGED}\s*\(\s*(?:[\w.]+\s*,\s*)?(?:[fF][rR]?|[rR][fF])[\"']"), *PYTHON),
    _form(r"mutable (?:default arguments?|defaults?|argument defaults?|default values?)",
          _code(_MUTABLE), *PYTHON),
    _form(r"lambda assignments?|(?:assigning|assignments? of) (?:a )?lambdas?"
          r"|lambdas? (?:that (?:is|are) )?assigned to (?:an? )?(?:names?|variables?)",
          _code(r"^[ \t]*\w+(?:[ \t]*:[^=\n]+)?[ \t]+=[ \t]+lambda\b(?!.*,[ \t]*$)"), *PYTHON),
    _form(r"(?:several|multiple) (?:modules (?:imported )?|imports )(?:on|in) (?:one|a|the same)"
          r" line",
          _code(r"^[ \t]*import\s+[\w.]+(?:\s+as\s+\w+)?\s*,"), *PYTHON),
    _form(r"comparisons? (?:to|with) `?None`? (?:with|by|using) `?==`?",
          _code(r"==\s*None\b|\bNone\s*=="), *PYTHON),
    _form(r"`?async void`?(?: methods?| functions?| lambdas?)?", _code(r"\basync\s+void\b"), "cs"),
    _form(r"(?:trailing (?:white ?space|spaces)|(?:white ?space|spaces) at (?:the )?line ends?)",
          _fixed(r"[ \t]+$")),
    _form(r"(?P<words>`?(?:todos?|fixmes?|hack|xxx)`?(?:(?:, | or | and |/)`?(?:todos?|fixmes?|hack"
          r"|xxx)`?)*)(?: comments?| notes?)? (?:without|with no|lacking) (?:an? )?"
          r"(?:ticket|issue|issue number|ticket number|issue reference|ticket reference|reference"
          r"|link)s?", _todo, *_CODE),
    _form(rf"(?P<texts>{_NOTE}(?:(?:, | or | and |/){_NOTE})*) (?:comments?|notes?"
          r"|tags?|markers?)", _noted, *_CODE),
    _form(r"(?:new )?(?:folders?|director(?:y|ies)) ?(?P<where>(?:in|under|below|inside) .+?)? ?"
          r"(?:without|missing|lacking|with no|that lack)(?: an?)? (?P<file>`?[\w.-]+\.\w+`?)",
          _lacking),
    _form(r"(?:blanket |bare |unspecific )?`?#? ?(?P<word>type: ignore|noqa)`?(?: comments?)?"
          r" (?:without|with no|lacking) (?:an? |its )?(?:error |rule )?codes?",
          _silenced, *PYTHON),
    _form(rf"lines? (?:that )?(?:contain(?:ing|s)?|with|having) {_QUOTED}", _containing),
    _form(r"(?:uses? of |usages? of |using )?"
          rf"{_QUOTED}(?: casts?| expressions?"
          r"| statements?| calls?| prefix(?:es)?| declarations?| directives?| keywords?"
          r"| operators?| attributes?)?", _literal, *_CODE),
)  # fmt: skip
"""In the order in which they are tried."""
