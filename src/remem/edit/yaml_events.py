"""The parser's events as nodes: the only module that loads ruamel.

It reads events, so that no loader ever builds a date, a number or an object, and it stops at the
depth limit while it reads.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scanner import Scanner

from remem.edit.yaml_tree import MAX_DEPTH, Kind, Malformed, Node, content_length

if TYPE_CHECKING:
    from ruamel.yaml.events import Event

_OPENS: Final = re.compile(
    r"""^[^"'#]*?(?:[:\-\[{,]\s+|^\s*|[\[{])(?P<quote>"(?=(?:[^"\\]|\\.)*$)|'(?=[^']*$))"""
)
"""A line on which a quote opens a value and no other follows."""
_UNCLOSED: Final = "the quote that opens here is not closed"
_TRIED: Final = 200_000
"""Characters of a text above which it is not tried what closing a quote would mend."""
_TRIES: Final = 4
_PROPERTIES: Final = re.compile(rb"(?:[ \t\r\n]+|#[^\r\n]*|[!&][^\s]*)*")
_COLON: Final = re.compile(rb"[ \t]*:")
_HEADER: Final = re.compile(rb"[|>][^\r\n]*")
# What ruamel has been seen to raise on hostile text, beside its own errors.
_RUAMEL_FAILS: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip


class _Scanner(Scanner):
    """Looks for further tokens once for each that is taken, and not each time one is asked about.

    It rests on how ruamel keeps its tokens, and a test holds it against ruamel's own.
    """

    def reset_scanner(self) -> None:
        super().reset_scanner()
        self._looked_at = -1

    def check_token(self, *choices: type) -> bool:
        if self._looked_at != self.tokens_taken:
            self._look()
        return bool(self.tokens) and (not choices or isinstance(self.tokens[0], choices))

    def peek_token(self) -> Any:
        if self._looked_at != self.tokens_taken:
            self._look()
        return self.tokens[0] if self.tokens else None

    def get_token(self) -> Any:
        if self._looked_at != self.tokens_taken:
            self._look()
        if not self.tokens:
            return None
        self.tokens_taken += 1
        return self.tokens.pop(0)

    def _look(self) -> None:
        while self.need_more_tokens():
            self.fetch_more_tokens()
        self._looked_at = self.tokens_taken


class _Yaml(YAML):
    """Reads safely and without plug-ins, which ruamel looks for on the disk each time."""

    def __init__(self) -> None:
        super().__init__(typ="safe", pure=True)
        self.Scanner = _Scanner

    def official_plug_ins(self) -> list[str]:
        return []

    def let_go(self) -> None:
        """Part from what it reads with: they hold each other, and garbage would be looked for."""
        self.parser.state = None
        vars(self).clear()


class Builder:
    """Turns events into nodes with a stack of its own: depth is a number and not a crash."""

    def __init__(self, data: bytes, base: int, text: str) -> None:
        self.data, self.text, self.base = data, text, base
        self.stack: list[Node] = []
        self.keys: list[Node | None] = []
        self.root: Node | None = None
        self.documents = 0
        self.offsets: list[int] | None = None
        if not text.isascii():
            self.offsets = list(accumulate((len(char.encode()) for char in text), initial=0))

    def build(self) -> Node | None:
        yaml = _Yaml()
        try:
            for event in yaml.parse(self.text):
                self.take(event)
        except MarkedYAMLError as error:
            place = unclosed_quote(self.text)
            if place is not None:
                raise Malformed("syntax", _UNCLOSED, *place) from None
            mark = error.problem_mark or error.context_mark
            raise Malformed(
                "syntax",
                _sentence(error),
                mark.line + 1 if mark else 0,
                mark.column + 1 if mark else 0,
            ) from None
        except ReaderError as error:
            raise _unreadable(error, self.text) from None
        except (YAMLError, *_RUAMEL_FAILS) as error:
            raise Malformed("syntax", f"the parser gave up: {type(error).__name__}") from None
        finally:
            yaml.let_go()
        return self.root

    def at(self, index: int) -> int:
        return self.base + (self.offsets[index] if self.offsets else index)

    def take(self, event: Event) -> None:
        match event:
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    line = event.start_mark.line + 1
                    raise Malformed("multi-document", "it holds more than one document", line)
            case ScalarEvent():
                self.add(self.scalar(event))
            case AliasEvent():
                start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
                self.add(Node(Kind.ALIAS, start, start, end, str(event.anchor)))
            case SequenceStartEvent():
                self.open(self.collection(Kind.LIST, event), event.start_mark.line)
            case MappingStartEvent():
                self.open(self.collection(Kind.MAP, event), event.start_mark.line)
            case SequenceEndEvent() | MappingEndEvent():
                self.close(self.at(event.end_mark.index))
            case _:
                pass

    def open(self, node: Node, line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise Malformed("too-deep", f"it is nested more than {MAX_DEPTH} levels deep", line + 1)
        self.add(node)
        self.stack.append(node)
        self.keys.append(None)

    def close(self, end: int) -> None:
        node = self.stack.pop()
        self.keys.pop()
        if node.flow:
            node.end = end
        elif node.items or node.pairs:
            node.end = max(node.items[-1].end if node.items else node.pairs[-1][1].end, node.end)
            if node.pairs:
                node.end = max(node.end, node.pairs[-1][0].end)

    def add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent, key = self.stack[-1], self.keys[-1]
        if parent.kind is Kind.LIST:
            parent.items.append(node)
        elif key is None:
            self.keys[-1] = node
        else:
            if node.is_empty and node.outer == node.start:
                self.settle(key, node)
            parent.pairs.append((key, node))
            self.keys[-1] = None

    def settle(self, key: Node, value: Node) -> None:
        """Put a missing value right after its colon: the parser puts it at the next token."""
        colon = _COLON.match(self.data, key.end)
        value.outer = value.start = value.end = colon.end() if colon else key.end

    def scalar(self, event: ScalarEvent) -> Node:
        start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
        node = Node(Kind.SCALAR, start, start, end, str(event.value), event.style or "")
        self.give_properties(node, event)
        if node.style in ("|", ">"):
            header = _HEADER.match(self.data, node.start)
            if header and b"+" in header[0].split(b"#")[0]:
                node.style += "+"
            else:
                node.end = node.start + content_length(self.data[node.start : node.end])
        return node

    def collection(self, kind: Kind, event: SequenceStartEvent | MappingStartEvent) -> Node:
        start, end = self.at(event.start_mark.index), self.at(event.end_mark.index)
        node = Node(kind, start, start, end, flow=bool(event.flow_style))
        self.give_properties(node, event)
        return node

    def give_properties(
        self, node: Node, event: ScalarEvent | SequenceStartEvent | MappingStartEvent
    ) -> None:
        node.anchor = str(event.anchor or "")
        node.tag = str(event.ctag or "")
        if not (node.anchor or node.tag):
            return
        skipped = _PROPERTIES.match(self.data, node.outer)
        node.start = skipped.end() if skipped else node.outer
        if node.kind is Kind.SCALAR and not node.text and not node.style:
            node.start = node.end


def unclosed_quote(text: str) -> tuple[int, int] | None:
    """Return line and column of a quote that opens and is not closed on its line, if that is all.

    The parser reads on to the next quote, lines further down, and gives up behind it. That a quote
    is what is wrong is tried: with it closed at the end of its line, the text has to parse.
    """
    if len(text) > _TRIED:
        return None
    lines = text.split("\n")
    opened = ((number, _OPENS.search(line)) for number, line in enumerate(lines))
    tried = 0
    for number, found in opened:
        if found is None:
            continue
        quote = found["quote"]
        closed = [*lines]
        closed[number] += quote
        if _parses("\n".join(closed)):
            return number + 1, found.start("quote") + 1
        tried += 1
        if tried == _TRIES:
            return None
    return None


def _parses(text: str) -> bool:
    yaml = _Yaml()
    try:
        for _ in yaml.parse(text):
            pass
    except (YAMLError, *_RUAMEL_FAILS):
        return False
    finally:
        yaml.let_go()
    return True


def _sentence(error: MarkedYAMLError) -> str:
    parts = [str(part).strip() for part in (error.problem, error.context) if part]
    return ", ".join(parts).replace("\n", " ") or "it is not YAML"


def _unreadable(error: ReaderError, text: str) -> Malformed:
    before = text[: error.position]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    code = (
        ord(str(error.character)[:1] or "?")
        if not isinstance(error.character, int)
        else error.character
    )
    return Malformed(
        "control-character", f"the character U+{code:04X} is not allowed in YAML", line, column
    )
