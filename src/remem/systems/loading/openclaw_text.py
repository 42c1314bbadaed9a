"""What OpenClaw hands on of one file of its workspace: which lines, and how they are written.

Of a file that is longer than it takes come the beginning and the end; of `AGENTS.md` also the lines
between that read like rules. Blank lines are drawn together, and an entry for another project is
left out. Lengths are those of JavaScript, which counts a sign beyond the first 65,536 as two.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from remem.base.frozen import dataclass
from remem.base.lazy_pattern import lazy_pattern
from remem.base.text import JS_BLANK

_BLANKS: Final = lazy_pattern(f"[{JS_BLANK}]+")
_BOM: Final = "\ufeff"
_AGENTS: Final = "agents.md"
_FOR_PROJECTS: Final = frozenset({"memory.md", "user.md"})
"""Files whose entries may be for one project."""
_PROJECT: Final = lazy_pattern(r"(?i)<!--\s*project\s*:")
_BEGINS: Final = lazy_pattern(r"- |#{1,6}(?:\s|$)")
"""How an entry begins, or what ends it."""
_OLD_PROMPT: Final = lazy_pattern(
    r"Default heartbeat prompt:\r?\n`(?:Read HEARTBEAT\.md if it exists|Follow the heartbeat "
    r"monitor scratch context when provided\.)[^`\r\n]*HEARTBEAT_OK\.`"
)
"""What an older template of `AGENTS.md` quotes, and OpenClaw takes out."""
_FENCE: Final = lazy_pattern(r"`{3}|~{3}")
_LISTED: Final = lazy_pattern(r"(?:#{1,6}|[-*+]|\d+[.)])\s+\S")
_URGENT_WORDS: Final = (
    *(r"AGENTS\.md", "scoped", "required", "must", "never", "do not", "before subtree"),
    *("read scoped", "security", "secret", "credential"),
)
_MORE_WORDS: Final = ("owner", "test", "validation", "command", "commit", "push", "github", "pr")
_URGENT_SIGNS: Final = ("🔴", "禁止", "嚴禁", "不得", "絕不", "絕對不", "切勿")
_MORE_SIGNS: Final = ("必須", "務必", "一律", "紅線")
_URGENT: Final = lazy_pattern(rf"(?ai)\b(?:{'|'.join(_URGENT_WORDS)})\b|{'|'.join(_URGENT_SIGNS)}")
_RULE: Final = lazy_pattern(
    rf"(?ai)\b(?:{'|'.join((*_URGENT_WORDS, *_MORE_WORDS))})\b"
    rf"|{'|'.join((*_URGENT_SIGNS, *_MORE_SIGNS))}"
)
_LONGEST_RULE: Final = 240
_LEAST_ROOM: Final = 16
"""Characters that must be left beside the long note on what is cut; else there is a short one."""


@dataclass(frozen=True, slots=True)
class HandedOn:
    """One line of what the agent gets; offsets are bytes of the file."""

    number: int
    """From 1."""
    start: int
    end: int
    text: str
    """As it is written there."""
    is_whole: bool = True
    """False: it is too long to be among the lines that read like rules, and is cut."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the agent gets of one file."""

    lines: tuple[HandedOn, ...]
    length: int
    """How many characters it takes of those that all files have together, with the notes on what
    is cut."""
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of the text, or a line of it that is written otherwise."""

    start: int
    end: int
    text: str | None = None


def handed_on(data: bytes, name: str, most: int) -> Told:
    """Return what OpenClaw hands on of a file.

    Args:
        data: The file.
        name: What it is called.
        most: Characters that it may have.
    """
    text = data.decode("utf-8", "surrogateescape")
    end = len(text.rstrip(JS_BLANK))
    parts: tuple[_Part, ...] = (_Part(0, end),)
    length = _length(text[:end])
    is_cut = length > most
    if is_cut:
        is_agents = name.casefold() == _AGENTS
        parts, length = (
            _with_rules(text[:end], most) if is_agents else _ends(text[:end], name, most)
        )
    lines = _Lines(text)
    found = [line for part in parts for line in lines.of(part)]
    if name.casefold() in _FOR_PROJECTS:
        found = [*_for_all(found)]
    return Told(tuple(_drawn_together(found)), length, is_cut)


def _length(text: str) -> int:
    return len(text) + sum(sign > "\uffff" for sign in text)


def _first(text: str, most: int) -> int:
    """Return how many signs of a text fit into so many characters."""
    if text.isascii():
        return min(most, len(text))
    lengths = accumulate(1 + (sign > "\uffff") for sign in text)
    return bisect_right([*lengths], most)


def _last(text: str, most: int) -> int:
    """Return where the end of a text begins that fits into so many characters."""
    return len(text) - _first(text[::-1], most)


def _ends(text: str, name: str, most: int) -> tuple[tuple[_Part, ...], int]:
    """Return three quarters of the room from the beginning and one from the end."""
    length = _length(text)
    note = f"\n[...truncated, read {name} for full content...]\n…(truncated {name}: kept "
    around, sign = len(f"{note}+ chars of {length})…\n"), 1
    if most - (around + 2) - 2 < _LEAST_ROOM:
        around, sign = len(f"[…truncated +/{length}]"), 0

    def used(head: int, tail: int) -> int:
        digits = len(str(head)) + len(str(tail))
        return around + digits + sign * ((head > 0) + (tail > 0))

    head = tail = 0
    for _ in range(3):
        room = max(0, most - used(head, tail))
        before = head, tail
        head, tail = room * 3 // 4, room // 4
        if (head, tail) == before:
            break
    while (over := head + tail + used(head, tail) - most) > 0 and (head or tail):
        head, tail = (head, max(0, tail - over)) if tail else (max(0, head - over), 0)
    at, to = _first(text, head), _last(text, tail)
    taken = _length(text[:at]) + _length(text[to:]) + used(head, tail)
    return (_Part(0, at), _Part(to, len(text))), min(taken, most)


def _with_rules(text: str, most: int) -> tuple[tuple[_Part, ...], int]:
    """Return the beginning, the lines that read like rules, and the end."""
    length, candidates = _length(text), [*_candidates(text)]
    head, tail, room = most * 45 // 100, most * 15 // 100, most * 35 // 100

    def taken() -> int:
        at, to = _first(text, head), _last(text, tail)
        kept, rules_length, left = _picked(candidates, room)
        notes = ["[...truncated, read AGENTS.md for full content...]"]
        notes += ["[Policy digest from AGENTS.md]"] if kept else []
        notes += [f"[...{left} more policy lines omitted...]"] if left else []
        notes += [
            f"…(truncated AGENTS.md: kept {head}+policy {rules_length}+{tail} chars of {length})…"
        ]
        sizes = (_length(text[:at]), _length(text[to:]), rules_length, *map(len, notes))
        return sum(size + 1 for size in sizes if size) - 1

    while (over := taken() - most) > 0 and (tail or head > 1 or room):
        if tail:
            tail = max(0, tail - over)
        elif head > 1:
            head = max(1, head - over)
        else:
            room = max(0, room - over)
    picked = (rule for rule in _picked(candidates, room)[0] if not _OLD_PROMPT.fullmatch(rule.text))
    rules = [part for rule in picked for part in rule.parts]
    at, to = _first(text, head), _last(text, tail)
    return (_Part(0, at), *rules, _Part(to, len(text))), min(taken(), most)


@dataclass(frozen=True, slots=True, eq=False)
class _Rule:
    """A line that reads like a rule, with the line of prose that leads to it."""

    parts: tuple[_Part, ...]
    is_urgent: bool

    @property
    def text(self) -> str:
        return "\n".join(part.text or "" for part in self.parts)

    @property
    def length(self) -> int:
        return _length(self.text)


def _candidates(text: str) -> Iterator[_Rule]:
    at, prose = 0, None
    for raw in text.split("\n"):
        part, at = _Part(at, at + len(raw), _short(raw)), at + len(raw) + 1
        line = part.text
        if not line or _FENCE.match(line):
            prose = None
        elif _LISTED.match(line) or _RULE.search(line):
            parts = (part,) if prose is None else (prose, part)
            yield _Rule(parts, _URGENT.search(line) is not None)
            prose = None
        else:
            prose = part


def _short(line: str) -> str:
    """Return a line with single blanks, and cut where it is long."""
    line = _BLANKS.sub(" ", line.strip(JS_BLANK))
    if _length(line) <= _LONGEST_RULE:
        return line
    return f"{line[: _first(line, _LONGEST_RULE - 1)]}…"


def _picked(rules: Sequence[_Rule], room: int) -> tuple[list[_Rule], int, int]:
    """Return the rules that fit, urgent ones first; how long they are, and how many do not fit."""
    picked: set[_Rule] = set()
    used = 0
    for rule in (*(r for r in rules if r.is_urgent), *(r for r in rules if not r.is_urgent)):
        size = rule.length + bool(picked)
        if room > 0 and used + size <= room:
            picked.add(rule)
            used += size
    left = len(rules) - len(picked) if room > 0 else 0
    return [rule for rule in rules if rule in picked], used, left


class _Lines:
    """The lines of a text, with their places as bytes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ends = len(text.rstrip(JS_BLANK))
        lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._bytes = [0, *accumulate(_size(line) + 1 for line in lines)]
        self._is_ascii = text.isascii()

    def of(self, part: _Part) -> Iterator[HandedOn]:
        """Yield the lines of a part; blank ones are none where something was cut."""
        if part.text is not None:
            line = self._line(part.start, part.end, part.text)
            yield replace(line, is_whole=not part.text.endswith("…"))
            return
        found = [*self._as_written(part)]
        while part.start and found and not found[0].text:
            del found[0]
        while part.end < self._ends and found and not found[-1].text:
            del found[-1]
        yield from found

    def _as_written(self, part: _Part) -> Iterator[HandedOn]:
        begin = part.start
        for gone in _OLD_PROMPT.finditer(self.text, part.start, part.end):
            yield from self._between(begin, gone.start())
            begin = gone.end()
        yield from self._between(begin, part.end)

    def _between(self, begin: int, end: int) -> Iterator[HandedOn]:
        for line in self.text[begin:end].split("\n"):
            yield self._line(begin, begin + len(line), line)
            begin += len(line) + 1

    def _line(self, start: int, end: int, text: str) -> HandedOn:
        number = bisect_right(self._starts, start)
        said = text if self._is_ascii else _bytes(text).decode("utf-8", "replace")
        return HandedOn(number, self._byte(start, number), self._byte(end, number), said)

    def _byte(self, at: int, number: int) -> int:
        if self._is_ascii:
            return at
        return self._bytes[number - 1] + _size(self.text[self._starts[number - 1] : at])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(_bytes(text))


def _for_all(lines: Sequence[HandedOn]) -> Iterator[HandedOn]:
    """Yield the lines of the entries that are for no project."""
    entry: list[HandedOn] = []
    for at, line in enumerate((*lines, None)):
        if line is None or (at and _BEGINS.match(line.text)):
            if not _PROJECT.search("\n".join(each.text for each in entry)):
                yield from entry
            entry = []
        if line is not None:
            entry.append(line)


def _drawn_together(lines: Iterable[HandedOn]) -> Iterator[HandedOn]:
    """Yield lines with one blank line of several, two at the top; each without its line end.

    A blank line that ends in a carriage return is none of them.
    """
    blank, most = 0, 2
    for line in lines:
        blank = 0 if line.text else blank + 1
        if blank > most:
            continue
        most = 2 if blank and most == 2 else 1
        begins = _BOM if line.start == 0 and line.text.startswith(_BOM) else ""
        ends = "\r" if line.text.endswith("\r") else ""
        yield replace(
            line,
            start=line.start + _size(begins),
            end=line.end - len(ends),
            text=line.text.removeprefix(begins).removesuffix(ends),
        )
