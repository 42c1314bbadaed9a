"""Reads prose about code into a `detect:`: the few sentences that have one exact meaning.

A sentence is read whole or not at all. Where it names several things, what can be read of them is
taken and the rest is said to be left. What a pattern finds in code is told elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from remem.base.frozen import dataclass
from remem.code.changed_lines import ChangedFile
from remem.core.checks.detect_forms import FORMS, Form, Scope, files_ending_in, scope_of
from remem.core.checks.patterns import NotChecked, holds
from remem.model.detect import Detect, Examples

_LONGEST: Final = 300
"""Characters of a sentence that is read: a longer one has more to say than one thing."""
_LOOKS: Final = re.compile(
    r"(?:look|search|scan|check|watch|grep) for |(?:find|flag|report|detect) ", re.IGNORECASE
)
"""What a hint may begin with; it says nothing of whether the thing is wanted."""
_AGAINST: Final = re.compile(
    r"(?:no|never|avoid|forbid|disallow|reject|flag|report|(?:do not|don't|must not|never) "
    r"(?:use|write|add|commit|leave|have|allow))(?: any)? (?=\S)",
    re.IGNORECASE,
)
"""What says of the thing after it that it is not wanted."""
_DOING: Final = re.compile(
    r"(?:(?:do not|don't|must not|never|no|avoid) )?"
    r"(?:import(?:ing)?|call(?:ing)?|us(?:e|ing))(?= )",
    re.IGNORECASE,
)
_USE: Final = re.compile(r"^(?:use|using)(?: any)? (?=\S)", re.IGNORECASE)
_LACKS: Final = re.compile(r"(?:no|not|without|missing|lack) ", re.IGNORECASE)
"""What a mistake begins with that consists in something not being there."""
_NOT: Final = re.compile(r"(?:do not|don't|must not|never|no|avoid) ", re.IGNORECASE)
_OR: Final = re.compile(r"\s*(?:;|,? or |,? and )\s*(?:only )?", re.IGNORECASE)
_BOUND: Final = re.compile(
    r"(?:in|under|below|inside|within|outside|except|unless|when|if|where|without|that|which|with|"
    r"by|for|from|of|to|on|at|but|not|only)\b",
    re.IGNORECASE,
)
"""Words that a part cannot begin with: it would belong to the one before it."""

_PLACE: Final = re.compile(r"\b(?:in|under|below|inside|within|outside)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says to a machine."""

    detect: Detect
    said: str
    """The words that were read."""
    left: str = ""
    """Words that were not read; empty = none are left."""


@lru_cache(maxsize=8192)
def read_sentence(sentence: str, *, unwanted: bool) -> Reading | None:
    """Return what a sentence says; `None` = it has no single meaning.

    Args:
        sentence: A hint, or an entry's text.
        unwanted: What it names is not wanted though it does not say so: an anti-pattern's.
    """
    text = " ".join(sentence.split()).rstrip(" .!")
    if not text or len(text) > _LONGEST or (unwanted and _LACKS.match(text)):
        return None
    bare, said = text, unwanted
    against, looks = _AGAINST.match(text), _LOOKS.match(text)
    if against is not None and not _DOING.match(text):
        bare, said = text[against.end() :], True
    elif looks is not None:
        bare = text[looks.end() :]
    elif _DOING.match(text) and _NOT.match(text):
        bare, said = text[_NOT.match(text).end() :], True  # type: ignore[union-attr]
    found = _required(text)
    if found is not None or not said:
        return found
    # `never use default exports`: what is not to be used is the thing, if it is one by itself.
    return _forbidden(bare, text) or _forbidden(_USE.sub("", bare, count=1), text)


def agrees(detect: Detect, examples: Examples | None) -> bool:
    """Tell whether a pattern finds what it should in an entry's examples, and nothing else."""
    told = judged_examples(detect, examples)
    return all(outcome is not False for outcome in told.values())


def judged_examples(detect: Detect, examples: Examples | None) -> dict[str, bool | None]:
    """Return for each example whether the pattern judges it rightly; `None` = it cannot be told.

    Examples stand in no file, so that only the pattern is held against them.
    """
    if examples is None:
        return {}
    told: dict[str, bool | None] = {}
    for name, text in (("positive", examples.positive), ("negative", examples.negative)):
        if text.strip():
            told[name] = _judges(detect, text, is_good=name == "positive")
    return told


def _judges(detect: Detect, text: str, *, is_good: bool) -> bool | None:
    pattern = detect.forbid if detect.forbid is not None else detect.require
    if pattern is None:
        return None
    lines = tuple(text.splitlines())
    name = _a_name(detect)
    try:
        if detect.forbid is not None and isinstance(pattern, str) and not detect.parts:
            is_there = any(holds(pattern, ChangedFile(name, (line,), None)) for line in lines)
        else:
            is_there = holds(pattern, ChangedFile(name, lines, None), detect.parts)
    except NotChecked:
        return None
    return is_there is (not is_good if detect.forbid is not None else is_good)


def _a_name(detect: Detect) -> str:
    """Return a name that an example could have as a file, so that it is known how it is read."""
    endings = (re.search(r"\.\{?(\w+)", glob) for glob in detect.files or ())
    return next((f"example.{match[1]}" for match in endings if match), "example.ts")


def _forbidden(bare: str, whole: str) -> Reading | None:
    """Read what is not wanted: one thing, or one of several that stand side by side."""
    thing, scope = scope_of(bare)
    found = _form(thing, scope)
    if found is not None:
        return Reading(found, whole)
    if scope is not None:
        return None  # where it applies would be said of the last part alone
    parts = _OR.split(bare)
    if len(parts) < 2 or any(_BOUND.match(part) or _places(part) for part in parts[1:]):
        return None
    first = _form(parts[0], None)
    if first is None:
        return None
    rest = _OR.sub("", bare[len(parts[0]) :], count=1)
    return Reading(first, parts[0], rest)


def _places(part: str) -> bool:
    """Tell whether a part says where: that would hold for the parts before it too."""
    return _PLACE.search(re.sub(r"`[^`]*`", "", part)) is not None


def _form(thing: str, scope: Scope | None) -> Detect | None:
    if scope is not None and not scope.globs:
        return None
    for form in FORMS:
        match = form.pattern.fullmatch(thing.strip())
        made = form.make(match) if match else None
        if made is not None:
            return _placed(form, made, scope)
    return None


def _placed(form: Form, detect: Detect, scope: Scope | None) -> Detect | None:
    if scope is not None:
        endings = scope.both(form.endings)
        if endings is None:
            return None
        return replace(detect, files=tuple(dict.fromkeys(scope.ending_in(endings))))
    return replace(detect, files=(files_ending_in(form.endings),)) if form.endings else detect


_NEEDS: Final = re.compile(
    r"(?:every|each|all) (?P<kind>\w+ )?(?:files?|modules?) "
    r"(?P<where>(?:in|under|below|inside) .+?) "
    r"(?:must |should )?(?:contains?|have|has|starts? with|begins? with) (?P<what>`[^`]+`)",
    re.IGNORECASE,
)
_KINDS: Final = {
    "python": ("py",),
    "typescript": ("ts", "tsx"),
    "javascript": ("js", "jsx", "mjs", "cjs"),
    "go": ("go",),
    "yaml": ("yaml", "yml"),
}


def _required(text: str) -> Reading | None:
    """Read `every Python file under src/ contains ...`, the words of a literal text."""
    match = _NEEDS.fullmatch(text)
    if match is None:
        return None
    kind = (match["kind"] or "").strip().casefold()
    rest, scope = scope_of(f"x {match['where']}")
    if rest != "x" or scope is None or not scope.globs or (kind and kind not in _KINDS):
        return None
    literal = re.escape(match["what"].strip("`")).replace(r"\ ", " ")
    begins = re.search(r"(?:start|begin)s? with", match[0], re.IGNORECASE)
    files = tuple(dict.fromkeys(scope.ending_in(_KINDS.get(kind, ()))))
    return Reading(Detect(files=files, require=f"\\A{literal}" if begins else literal), text)
