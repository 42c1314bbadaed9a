"""What a rule file says about when it is loaded: front matter, read as loosely as editors write it.

Globs stand there unquoted, which is no YAML; so keys are looked for line by line. Texts are read as
YAML where they are more than plain words: so do the tools that list them (Claude Code 2.1.332,
Codex 0.169.0, Gemini CLI 0.61.0, Copilot 1.0.102, Qwen Code 0.24.4, OpenCode 1.18.33, Continue
1.5.47, each asked on 2026-11-27: quotes, escapes and blocks; `#` within a text is kept).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from remem.base.frozen import dataclass
from remem.edit.markdown import BOM, front_matter_end, front_matter_text
from remem.model.entry import Problem
from remem.model.loader import Front
from remem.model.source import WHOLE, Loader, LoaderKind
from remem.systems.plain.source import NOTHING, Parts, Told

_KEY: Final = re.compile(r"(?P<key>[A-Za-z_][\w-]*)\s*:(?:\s+(?P<value>.*))?")
_ITEM: Final = re.compile(r"\s*-\s+(?P<value>.+)")
_BLOCK: Final = re.compile(r"[|>][-+\d]*")
"""What announces a text in the lines below it."""
_QUOTES: Final = (b'"', b"'")
_PLAIN: Final = re.compile(rb"[A-Za-z0-9(](?:[^:#\r\n]|:(?=\S)|(?<=\S)#)*")
"""A text on one line that is the same as YAML and as it stands: no comment, no key."""
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What does not stand on one line as it is; Claude Code puts a blank for each."""
_NULL: Final = {"", "~", "null", "Null", "NULL"}
_NO_GLOB: Final = re.compile(r"-?\d+(?:\.\d+)?|true|false|[\w-]+: .*", re.IGNORECASE)
"""A number, a switch or a mapping: Claude Code and Cline take texts alone."""
_YES: Final = {"true", "yes", "on"}
_GLOBS: Final = {
    Front.PATHS: "paths",
    Front.CURSOR: "globs",
    Front.APPLY_TO: "applyTo",
    Front.TRIGGER: "globs",
    Front.SKILL: "paths",
    Front.INCLUSION: "fileMatchPattern",
    Front.CONTINUE: "globs",
}
_WHOSE: Final[Mapping[str, str]] = {
    "applyTo": "GitHub Copilot",
    "alwaysApply": "Cursor",
    "globs": "Cursor",
    "trigger": "Windsurf",
    "paths": "Claude Code",
    "inclusion": "Kiro",
}
"""Whose a key of a rule file is."""
_OWN_KEYS: Final[Mapping[Front, tuple[str, ...]]] = {
    Front.PATHS: ("paths",),
    Front.CURSOR: ("globs", "alwaysApply", "description"),
    Front.APPLY_TO: ("applyTo",),
    Front.INCLUSION: ("inclusion",),
}
_EVERY_FILE: Final = {("**",), ("**/*",), ("*",)}
"""What `applyTo` says of a file that Copilot loads at its start."""
_LONGEST: Final = 1_024
"""Characters of a description that Copilot takes."""
_NO_TEXTS: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null"})
"""Words that are no text to one reader of YAML or another."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
_LINES: Final = 3
"""Lines of a text that stand for a description that lacks."""
_TRIGGERS: Final = {
    "always_on": LoaderKind.WHOLE,
    "glob": LoaderKind.BY_PATH,
    "model_decision": LoaderKind.DESCRIBED,
    "manual": LoaderKind.BY_NAME,
}
_INCLUSIONS: Final = {
    "always": LoaderKind.WHOLE,
    "fileMatch": LoaderKind.BY_PATH,
    "auto": LoaderKind.DESCRIBED,
    "manual": LoaderKind.BY_NAME,
}


@dataclass(frozen=True, slots=True)
class Ruled:
    """When a rule file is loaded."""

    loader: Loader
    told: Told = NOTHING
    problem: Problem | None = None
    """Without a path yet."""


@lru_cache(maxsize=2048)
def ruled(data: bytes, front: Front, otherwise: Loader) -> Ruled:
    """Read when a file is loaded.

    Args:
        data: The file.
        front: Whose keys it has.
        otherwise: How it is loaded when front matter says nothing that is known.
    """
    if front is Front.NONE:
        return Ruled(otherwise)
    end = front_matter_end(data)
    if front is Front.SKILL:
        return _skill(data, end, otherwise)
    if front is Front.OPEN_SKILL:
        return _open_skill(data, end, otherwise)
    if not end:
        begins = data.removeprefix(BOM).lstrip().startswith(b"---")
        loader = WHOLE if front is Front.APPLY_TO else otherwise
        return Ruled(loader, problem=_broken() if begins else _missing(front))
    values, wrong = _values(data[:end])
    described = _said(data[:end], values, "description", whole=False)
    told = Told(values.get(_GLOBS[front], ()), described)
    loader, problem = _loader(front, values, told, otherwise)
    problem = problem or _foreign(front, values, loader, len(data))
    return Ruled(loader, told, _broken(wrong) if wrong else problem)


def _skill(data: bytes, end: int, otherwise: Loader) -> Ruled:
    """Read what is listed of a skill; without a description that is its first line."""
    values, _ = _values(data[:end]) if end else ({}, 0)
    parts = _parts(values, data, end)
    if end and not _is_read_by_claude(data):
        values = {}
    is_described = parts.is_described and bool(values)
    description = parts.description if is_described else _first_line(data[end:])
    when = _said(data[:end], values, "when_to_use")
    said = " - ".join(filter(None, (description, when)))
    told = Told(values.get("paths", ()), said, parts.name, parts)
    if told.globs:
        return Ruled(Loader(LoaderKind.BY_PATH), told)
    is_hidden = parts.is_hidden and bool(values)
    return Ruled(Loader(LoaderKind.BY_NAME) if is_hidden else otherwise, told)


def _is_read_by_claude(data: bytes) -> bool:
    """Tell whether Claude Code makes anything of a skill's front matter; else it has none to it."""
    if _as_yaml(data[: front_matter_end(data)])[1]:
        return True  # of a key that stands twice, the last counts
    from remem.systems.plain.front_forms import WITH_ODD_SIGN, values_of  # few are no YAML

    return bool(values_of(data, WITH_ODD_SIGN))


def _open_skill(data: bytes, end: int, otherwise: Loader) -> Ruled:
    values, _ = _values(data[:end]) if end else ({}, 0)
    parts = _parts(values, data, end)
    said, name = parts.description if parts.is_described else "", parts.name
    if said and name:
        return Ruled(otherwise, Told((), said, name, parts))
    lacks = " and ".join(f"`{k}`" for k, v in (("name", name), ("description", said)) if not v)
    hint = "add both between two lines of `---`"
    who = "some tools" if said else "tools"
    problem = Problem(
        "front-matter", f"it has no {lacks}, so {who} skip it as a skill", hint, line=1
    )
    return Ruled(Loader(LoaderKind.BY_NAME), Told(parts=parts), problem)


def _parts(values: Mapping[str, tuple[str, ...]], data: bytes, end: int) -> Parts:
    """Read a skill word for word; where nothing describes it, its first lines do."""
    front, body = data[:end], data[end:]
    said = _said(front, values, "description")
    return Parts(
        _said(front, values, "name"),
        said or " ".join(islice(_texts(body), _LINES)),
        is_described=bool(said),
        is_bare=not end,
        is_hidden="".join(values.get("disable-model-invocation", ())).casefold() in _YES,
        are_texts=not end or _are_texts(front, values),
        refusal=_refusal(front) if end else "",
    )


def _said(
    front: bytes, values: Mapping[str, tuple[str, ...]], key: str, *, whole: bool = True
) -> str:
    """Return a text of front matter on one line; empty = it has none.

    Args:
        front: The front matter.
        values: It, read loosely.
        key: Of the text.
        whole: Where front matter is no YAML, the whole line is the text, also what would be a
            comment: as Claude Code and others read a skill.
    """
    loose = " ".join(values.get(key, ()))
    line = re.search(
        rb"^%s\s*:[ \t]+(?P<said>[^\r\n]*)(?P<more>\r?\n[ \t])?" % key.encode(), front, re.MULTILINE
    )
    if not loose or (line and not line["more"] and _PLAIN.fullmatch(line["said"])):
        return loose
    is_yaml, document = _as_yaml(front)
    if is_yaml:
        found = document.get(key) if isinstance(document, Mapping) else None
        return _CONTROLS.sub(" ", found.strip()) if isinstance(found, str) else loose
    if not whole or line is None or line["more"] or line["said"][:1] in _QUOTES:
        return loose
    return line["said"].decode("utf-8", "replace").strip()


def _are_texts(front: bytes, values: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether name and description are texts to a reader of YAML, as far as they are there."""
    found = [" ".join(values.get(key, ())) for key in ("name", "description")]
    if all(each[:1].isalpha() and each.casefold() not in _NO_TEXTS for each in found):
        return True
    is_yaml, document = _as_yaml(front)
    if not is_yaml or not isinstance(document, Mapping):
        return True
    known = (document[key] for key in ("name", "description") if key in document)
    return all(isinstance(each, str) for each in known)


@lru_cache(maxsize=8)
def _as_yaml(front: bytes) -> tuple[bool, object]:
    """Tell whether front matter is YAML that can be read, and return its value."""
    # The rest of this module does without a parser, which takes as long to load as it all.
    from remem.edit.yaml_read import parse_document

    read = parse_document(front_matter_text(front))
    return not read.problems, read.value


def _refusal(front: bytes) -> str:
    """Say why a tool that reads front matter as YAML, and holds it against a form, skips a skill.

    As Copilot was seen to: texts are no lists and no numbers, switches are `true` or `false`.
    """
    is_yaml, value = _as_yaml(front)
    if not is_yaml or not isinstance(value, dict):
        return "its front matter is no YAML that can be read"
    for key in ("name", "description"):
        if key in value and not isinstance(value[key], str):
            return f"its `{key}` is no text"
    if not isinstance(value.get("argument-hint"), str | None):
        return "its `argument-hint` is no text: write it between quotes"
    for key in ("disable-model-invocation", "user-invocable"):
        if not isinstance(value.get(key), bool | None):
            return f"its `{key}` is neither `true` nor `false`"
    tools = value.get("allowed-tools")
    each = tools if isinstance(tools, list) else [tools or ""]
    if not all(isinstance(one, str) for one in each):
        return "its `allowed-tools` are no texts"
    if len(str(value.get("description", ""))) > _LONGEST:
        return f"its `description` has more than {_LONGEST:,} characters"
    name = str(value.get("name", "a")).replace(" ", "-")
    return "" if _NAME.fullmatch(name) else f"`{name}` is no name that it takes"


def _texts(body: bytes) -> Iterator[str]:
    """Yield the lines that say something and are no headings."""
    for line in body.removeprefix(BOM).decode("utf-8", "replace").splitlines():
        if (said := line.strip()) and not said.startswith("#"):
            yield said


def _first_line(body: bytes) -> str:
    lines = body.removeprefix(BOM).decode("utf-8", "replace").splitlines()
    return next((said for line in lines if (said := line.strip().lstrip("# "))), "")


def _loader(
    front: Front, values: Mapping[str, tuple[str, ...]], told: Told, otherwise: Loader
) -> tuple[Loader, Problem | None]:
    by_path = Loader(LoaderKind.BY_PATH)
    match front:
        case Front.PATHS:
            globs = (glob for glob in told.globs if not _NO_GLOB.fullmatch(glob))
            waits = any(glob.removesuffix("/**") != "**" for glob in globs)
            return (by_path if waits else WHOLE), None
        case Front.APPLY_TO:
            if not told.globs:
                return WHOLE, _missing(front)
            return (WHOLE if told.globs in _EVERY_FILE else by_path), None
        case Front.TRIGGER:
            word = "".join(values.get("trigger", ()))
            kind = _TRIGGERS.get(word)
            return (Loader(kind), None) if kind else (otherwise, _unknown("trigger", word))
        case Front.INCLUSION:
            word = "".join(values.get("inclusion", ("always",)))
            kind = _INCLUSIONS.get(word)
            return (Loader(kind), None) if kind else (otherwise, _unknown("inclusion", word))
        case Front.CONTINUE:
            return _continue(values, told), None
        case _:
            return _cursor(values, told), None


def _cursor(values: Mapping[str, tuple[str, ...]], told: Told) -> Loader:
    if "".join(values.get("alwaysApply", ())).casefold() in _YES:
        return WHOLE
    if told.globs:
        return Loader(LoaderKind.BY_PATH)
    return Loader(LoaderKind.DESCRIBED if told.description else LoaderKind.BY_NAME)


def _continue(values: Mapping[str, tuple[str, ...]], told: Told) -> Loader:
    """Read a rule of Continue, whose default is to load what names no files.

    Seen of its CLI 1.5.47 on 2026-11-28: an `alwaysApply` without a value is false, a `regex`
    without one is none, and with `invokable` it is a command.
    """
    applies = "".join(values.get("alwaysApply", ())).casefold()
    if "".join(values.get("invokable", ())).casefold() in _YES:
        return Loader(LoaderKind.BY_NAME)
    if applies in _YES:
        return WHOLE
    if told.globs or "".join(values.get("regex", ())):
        return Loader(LoaderKind.BY_PATH)
    return Loader(LoaderKind.BY_NAME) if "alwaysApply" in values else WHOLE


def _values(front: bytes) -> tuple[dict[str, tuple[str, ...]], int]:
    """Return key → values, and the first line that is none of both; 0 = there is none."""
    found: dict[str, tuple[str, ...]] = {}
    key, wrong = "", 0
    for number, line in _folded(front.decode("utf-8-sig", "replace").splitlines()[1:-1]):
        item, named = _ITEM.fullmatch(line), _KEY.fullmatch(line)
        if item is not None and key:
            found[key] = (*found[key], _bare(item["value"]))
        elif named is not None:
            key = named["key"]
            found[key] = tuple(_listed(key, named["value"] or ""))
            wrong = wrong or (number if _is_open(line) else 0)
        else:
            wrong = wrong or number
    return found, wrong


def _folded(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each key or item with what goes on below it in one line, and its number in the file."""
    number, whole = 0, ""
    for at, line in enumerate(lines, 2):
        said = _uncommented(line).rstrip()
        if not said.strip():
            continue
        goes_on = said[0].isspace() and _ITEM.fullmatch(said) is None
        if whole and (goes_on or (_is_open(whole) and _KEY.fullmatch(said) is None)):
            whole = f"{whole} {said.strip()}"
            continue
        if whole:
            yield number, whole
        named = _KEY.fullmatch(said)
        is_block = named is not None and _BLOCK.fullmatch(named["value"] or "") is not None
        number, whole = at, f"{named['key']}:" if named is not None and is_block else said
    if whole:
        yield number, whole


def _is_open(line: str) -> bool:
    """Tell whether a list in brackets goes on in the next line."""
    named = _KEY.fullmatch(line)
    value = (named["value"] or "").strip() if named is not None else ""
    return value.startswith("[") and not value.endswith("]")


def _uncommented(line: str) -> str:
    """Return a line without the comment at its end."""
    quote = ""
    for at, sign in enumerate(line):
        begins = at == 0 or line[at - 1] in " \t[,"
        if quote:
            quote = "" if sign == quote else quote
        elif begins and sign in "\"'":
            quote = sign
        elif sign == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line


def _listed(key: str, value: str) -> Iterator[str]:
    """Yield the values on one line; globs may be parted by commas, though not within braces."""
    value = value.strip()
    if value in _NULL:
        return
    if key not in _GLOBS.values():
        yield _bare(value)
        return
    inner = value[1:-1] if value.startswith("[") and value.endswith("]") else _bare(value)
    for part in re.split(r",(?![^{]*\})", inner):
        if part.strip():
            yield _bare(part)


def _bare(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _broken(line: int = 0) -> Problem:
    where = f" in line {line}" if line else ""
    return Problem(
        "front-matter",
        f"its front matter cannot be read{where}"
        + ("" if line else ": it is not closed or has no keys"),
        "write `key: value` lines between two lines of `---`",
        line=line or 1,
    )


def _foreign(
    front: Front, values: Mapping[str, tuple[str, ...]], loader: Loader, size: int
) -> Problem | None:
    """Tell of a key by which another tool decides, and what it costs that this one does not."""
    if front not in _OWN_KEYS or any(key in values for key in _OWN_KEYS[front]):
        return None
    found = next((key for key in values if key in _WHOSE), None)
    is_always = "".join(values.get("alwaysApply", ())).casefold() in _YES and "globs" not in values
    if found is None or is_always:
        return None
    own = _OWN_KEYS[front][0]
    costs = (
        f"it is loaded at every start, for ≈{max(size // 4, 1):,} tokens"
        if loader.kind is LoaderKind.WHOLE
        else "it is loaded as if the key were not there"
    )
    return Problem(
        "foreign-key",
        f"`{found}` is a key of {_WHOSE[found]}, which is ignored here: {costs}",
        f"write `{own}` instead",
        line=1,
    )


def _missing(front: Front) -> Problem | None:
    match front:
        case Front.CURSOR:
            hint = "write `alwaysApply`, `globs` or `description` between two lines of `---`"
            said = "it has no front matter, so only its name loads it"
        case Front.APPLY_TO:
            hint = 'write `applyTo: "**"` between two lines of `---`'
            said = "nothing says which files it applies to: Copilot's command line loads it always"
        case Front.TRIGGER:
            hint = "write `trigger: always_on` between two lines of `---`"
            said = "nothing says when it is loaded"
        case _:
            return None
    return Problem("no-front-matter", said, hint)


def _unknown(key: str, word: str) -> Problem:
    names = _TRIGGERS if key == "trigger" else _INCLUSIONS
    known = ", ".join(f"`{name}`" for name in names)
    said = f"`{word}` is no `{key}` that is known" if word else "nothing says when it is loaded"
    return Problem("front-matter", said, f"write `{key}:` with one of {known}")
