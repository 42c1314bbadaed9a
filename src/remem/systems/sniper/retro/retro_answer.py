"""Reads what a language model answered about a sprint: untrusted text that should hold YAML.

What fits the shape of a retro's findings is taken, piece by piece; the rest is left out, and each
time a note says where and why. Nothing that is taken goes into memory here: it becomes findings
that wait or are ingested by the rules, and the analyst's own rules are held against them first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from textwrap import dedent
from typing import Any, Final

from remem.base.frozen import dataclass
from remem.base.text import count
from remem.core.agent.untrusted_text import BadAnswer
from remem.core.checks.secrets import Kind, examine, redacted
from remem.edit.yaml_read import Document, parse_document
from remem.model.change import Json
from remem.systems.sniper.retro.retro_entries import line_of
from remem.systems.sniper.retro.retro_record import Finding, read_retro

SHARE: Final = 0.6
"""Part of the stories that have to show a convention (FORMATS 1.7)."""
SEEN: Final = 2
"""Stories that have to show anything that is recommended for codifying."""

_MAX_BYTES: Final = 256 << 10
_MAX_ITEMS: Final = 100
_MAX_TEXT: Final = 2_000
_MAX_NOTES: Final = 40
_MAX_BLOCKS: Final = 8
_MAX_DEPTH: Final = 200
"""Brackets that are open at once; parsers take very long over thousands."""
_AGAIN: Final = "try again, or correct it by hand and pass it with `--answer FILE`"
_TAKEN: Final = ("new_conventions", "new_anti_patterns", "patterns", "positive_patterns")
_MEASURED: Final = ("review_gate_failures", "overestimates", "underestimates")
_SECTIONS: Final = ("new_conventions", "new_anti_patterns", "review_gate_failures",
                    "estimation_calibration", "positive_patterns")  # fmt: skip
_START: Final = re.compile(rf"(?:findings|sprint|{'|'.join(_SECTIONS)}):(?:\s|$)")
_YAML_LINE: Final = re.compile(r"(?:\s.*|[A-Za-z_][\w-]*:(?:\s.*)?|-(?:\s.*)?|#.*|)")
_FENCE: Final = re.compile(r" {0,8}(`{3,}|~{3,})(.*)")
_BRACKET: Final = re.compile(r"[][{}]")
_OF: Final = re.compile(r"(?<![\d.])(\d{1,6})\s*(?:of|/|out of)\s*(?:the\s+)?(\d{1,6})(?![\d.])")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was taken of an answer."""

    conventions: tuple[dict[str, Json], ...] = ()
    anti_patterns: tuple[dict[str, Json], ...] = ()
    estimation: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What was left out or changed, and what a person should look at, with its place."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the answer that may be YAML."""

    text: str
    line: int
    """Lines of the answer before it."""


@dataclass(slots=True)
class _Judge:
    """Takes findings one by one and keeps what there is to say about them."""

    stories: Mapping[str, str]
    """Names of the sprint's stories by their folded text."""
    total: int
    lines: Mapping[tuple[str | int, ...], int]
    before: int
    notes: dict[str, None] = field(default_factory=dict)
    """In order, each once."""

    def note(self, path: Sequence[str | int], what: str) -> None:
        """Keep a sentence with the line of the answer that it is about."""
        line = line_of(self.lines, tuple(path))
        where = f"line {line + self.before} of the answer" if line else "the answer"
        self.notes[f"{where}: {what}"] = None


def read_answer(text: str, stories: Collection[str], total: int) -> Reading:
    """Read the findings out of an answer, prose and fences around them or not.

    Args:
        text: The whole answer.
        stories: Names of the sprint's stories; empty = not known.
        total: How many stories were completed; 0 = not known.

    Raises:
        BadAnswer: There is no YAML with findings in it.
    """
    document, before, found = _document(text)
    judge = _Judge({name.casefold(): name for name in stories}, total, document.lines, before)
    retro = read_retro({"sprint": 0, "findings": found})
    at = ("findings",) if _is_wrapped(document.value) else ()
    for name in found:
        if name not in _SECTIONS:
            judge.note((*at, name), f"`{name}` is not a kind of finding and was dropped")
    for fault in retro.faults:
        judge.note((*at, *fault.path[1:]), f"{fault.message}, and was dropped")
    taken: dict[str, list[Any]] = {name: [] for name in _TAKEN}
    for finding in retro.findings:
        path = (*at, *_around(finding), finding.section, finding.number - 1)
        value = _taken(judge, path, finding, len(taken.get(finding.section, ())))
        if value is not None:
            taken[finding.section].append(value)
    return Reading(
        tuple(taken["new_conventions"]),
        tuple(taken["new_anti_patterns"]),
        tuple(taken["patterns"]),
        tuple(taken["positive_patterns"]),
        _short(tuple(judge.notes)),
    )


def _short(notes: Sequence[str]) -> tuple[str, ...]:
    rest = len(notes) - _MAX_NOTES
    return tuple(notes) if rest <= 0 else (*notes[:_MAX_NOTES], f"{count(rest, 'more note')}")


def _document(text: str) -> tuple[Document, int, Mapping[str, Any]]:
    """Return the first part of an answer that holds findings, the lines before it, and these."""
    first: Document | None = None
    before = 0
    for piece in _pieces(text):
        data = piece.text.encode("utf-8", "replace")
        if len(data) > _MAX_BYTES:
            raise BadAnswer(
                f"the answer has {len(data):,} bytes",
                hint=f"{_MAX_BYTES:,} bytes are the limit; ask for fewer findings",
            )
        if _depth(piece.text) > _MAX_DEPTH:
            raise BadAnswer("the answer is nested too deeply", hint=_AGAIN)
        document = parse_document(data)
        value = document.value
        found = value.get("findings", value) if isinstance(value, Mapping) else None
        if isinstance(found, Mapping) and (_is_wrapped(value) or set(found) & {*_SECTIONS}):
            return document, piece.line, found
        if first is None or (document.problems and not first.problems):
            first, before = document, piece.line
    raise _unusable(first, before)


def _is_wrapped(value: Any) -> bool:
    return isinstance(value, Mapping) and "findings" in value


def _unusable(document: Document | None, before: int) -> BadAnswer:
    if document is not None and document.problems:
        problem = document.problems[0]
        place = f" in line {problem.line + before}" if problem.line else ""
        return BadAnswer(f"the answer is not YAML{place}: {problem.message}", hint=_AGAIN)
    value = document.value if document is not None else None
    if isinstance(value, Mapping) and isinstance(value.get("findings"), list):
        named = "`new_conventions:`, `new_anti_patterns:`"
        return BadAnswer(f"the answer's `findings` are not sorted by kind: {named}", hint=_AGAIN)
    return BadAnswer("the answer has no `findings`", hint=_AGAIN)


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield what may be the YAML: fenced blocks, else what begins with a known key."""
    lines = text.removeprefix("\ufeff").split("\n")
    fenced = [
        _Piece(dedent("\n".join(lines[start:end])) + "\n", start)
        for start, end in _fences(lines)
        if any(_START.match(line.strip()) for line in lines[start:end])
    ]
    if fenced:
        yield from fenced[:_MAX_BLOCKS]
        return
    start = next((number for number, line in enumerate(lines) if _START.match(line)), 0)
    end = start
    while end < len(lines) and _YAML_LINE.fullmatch(lines[end]):
        end += 1
    # Prose that mentions nothing we know is parsed as it stands, to say what is wrong with it.
    yield _Piece("\n".join(lines[start : end if end > start else len(lines)]) + "\n", start)


def _depth(text: str) -> int:
    """Return how many brackets are open at most, those in texts counted too."""
    deepest = depth = 0
    for match in _BRACKET.finditer(text):
        depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _fences(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where the insides of fenced blocks begin and end; one that stays open ends last."""
    fence, start = "", 0
    for number, line in enumerate(lines):
        match = _FENCE.match(line)
        if not match:
            continue
        if not fence:
            fence, start = match[1], number + 1
        elif match[1].startswith(fence) and not match[2].strip():
            yield start, number
            fence = ""
    if fence:
        yield start, len(lines)


def _around(finding: Finding) -> tuple[str, ...]:
    of_estimates = finding.section in {"overestimates", "underestimates", "patterns"}
    return ("estimation_calibration",) if of_estimates else ()


def _taken(
    judge: _Judge, path: Sequence[str | int], finding: Finding, before: int
) -> dict[str, Json] | str | None:
    """Return a finding as the retro will have it, or `None` where it is left out."""
    if finding.section in _MEASURED:
        judge.note(path, f"`{finding.section}` are measured, so the answer's are dropped")
        return None
    text = finding.text.strip()
    if not text:
        judge.note(path, f"a finding of `{finding.section}` has no text and was dropped")
        return None
    if max(map(len, (text, finding.evidence, *finding.roles, *finding.stories))) > _MAX_TEXT:
        judge.note(path, f"a text has more than {_MAX_TEXT:,} characters; it was dropped")
        return None
    if before >= _MAX_ITEMS:
        judge.note(path[:-1], f"`{finding.section}` has more than {_MAX_ITEMS} findings")
        return None
    for fault in finding.faults:
        judge.note(path, fault.message)
    for each in (text, finding.evidence, *finding.roles, *finding.stories):
        for found in examine(each):
            does = "it was redacted" if found.kind is Kind.SECRET else "it needs your review"
            judge.note(path, f"{found.message}; {does}")
    match finding.section:
        case "new_conventions":
            return _convention(judge, path, finding)
        case "new_anti_patterns":
            return _anti_pattern(judge, path, finding)
        case _:
            return redacted(text)


def _convention(judge: _Judge, path: Sequence[str | int], finding: Finding) -> dict[str, Json]:
    return {
        "rule": redacted(finding.text.strip()),
        **({"confidence": finding.confidence} if finding.says_confidence else {}),
        "evidence": redacted(finding.evidence.strip()),
        **_recommended(judge, path, finding, _against_convention(judge, finding)),
        "applies_to": [redacted(role) for role in finding.roles],
    }


def _anti_pattern(judge: _Judge, path: Sequence[str | int], finding: Finding) -> dict[str, Json]:
    stories = dict.fromkeys(judge.stories.get(name.casefold(), name) for name in finding.stories)
    strange = [name for name in stories if judge.stories and name.casefold() not in judge.stories]
    if strange:
        names = ", ".join(f"`{name}`" for name in strange[:5])
        judge.note(path, f"{names} is not a story of this sprint and was dropped")
    known: list[Json] = [redacted(name) for name in stories if name not in strange]
    evidence = redacted(finding.evidence.strip())
    # Who names stories that are none is not believed how often it happened, either.
    is_sure = finding.confidence == "high" and not (strange and len(known) <= SEEN)
    return {
        "description": redacted(finding.text.strip()),
        "occurrences": len(known) if strange else max(finding.occurrences, len(known)),
        "stories": known,
        **_recommended(judge, path, finding, _against_anti_pattern(len(known))),
        "severity": finding.severity,
        **({"confidence": "high" if is_sure else "medium"} if finding.says_confidence else {}),
        **({"evidence": evidence} if evidence else {}),
        "applies_to": [redacted(role) for role in finding.roles],
    }


def _recommended(
    judge: _Judge, path: Sequence[str | int], finding: Finding, against: str
) -> dict[str, Json]:
    """Return the recommendation; codifying becomes watching where a rule speaks against it."""
    if finding.recommendation == "codify" and against:
        judge.note(path, f"`{finding.text.strip()[:60]}` {against}; set to monitor")
        return {"recommendation": "monitor"}
    return {"recommendation": finding.recommendation or "monitor"}


def _against_convention(judge: _Judge, finding: Finding) -> str:
    """Return what the analyst's own rules say against codifying; empty = nothing."""
    if not finding.evidence.strip():
        return "has no evidence"
    match = _OF.search(finding.evidence)
    if match is None:
        seen, total = _named(judge, finding.evidence), judge.total
    else:
        seen, total = int(match[1]), int(match[2])
        if seen > total or (judge.total and total != judge.total):
            measured = f", and there were {judge.total}" if judge.total else ""
            return f"counts `{match[0]}` stories{measured}"
    if seen < SEEN:
        return f"was seen in fewer than {SEEN} stories that the evidence names"
    if total and seen / total < SHARE:
        return f"was seen in {seen} of {total} stories, less than {SHARE:.0%}"
    return ""


def _named(judge: _Judge, evidence: str) -> int:
    """Return how many of the sprint's stories a text names."""
    words = {word.strip(".,;:()").casefold() for word in evidence.split()}
    return len(words & set(judge.stories))


def _against_anti_pattern(stories: int) -> str:
    return "" if stories >= SEEN else f"was seen in fewer than {SEEN} stories of this sprint"
