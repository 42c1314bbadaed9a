"""Writes YAML text: scalars, flow and block collections, and files that do not exist yet.

Owns how a value looks on disk. It refuses to touch a file that stands: `yaml_splice` edits those.
Nothing is written plain that any YAML 1.1 or 1.2 reader could take for something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from remem.base.errors import Refused
from remem.base.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from remem.edit.yaml_read import Value

_NO_MARKS: Final = dict.fromkeys(map(ord, "_ ./()+@%&*'’=–—:,;!?-"))
"""Takes out what may stand among the letters and digits of a plain text."""
_WORDS: Final = frozenset(
    ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
)
_PLAIN_WORD: Final = lazy_pattern(r"[A-Za-z_][\w./@-]*")
_KEY: Final = lazy_pattern(r"[A-Za-z_][\w./-]*")
_JOINERS: Final = "\u200c\u200d"
_SHORT_LIST: Final = 100
"""Columns that a list in brackets may take in a new file or entry."""
STEP: Final = 2
Styles: TypeAlias = Mapping[str, "int | None"]
"""How a sibling writes the collection below a key: `None` in brackets, else columns further in."""


def render(value: Mapping[str, Value], header: str = "") -> bytes:
    """Return a new file: `header` as comment lines, then the mapping.

    Raises:
        Refused: A text holds half of a character.
    """
    comments = "".join(
        f"# {_visible(line)}".rstrip() + "\n" for line in header.split("\n") if header
    )
    lines = block(dict(value), 0)
    return (comments + "\n".join(lines) + "\n").encode()


def block(value: Value, column: int, styles: Styles | None = None) -> list[str]:
    """Return the lines of a collection that begins in `column`, each with its indentation."""
    if isinstance(value, dict) and value:
        return [line for key, child in value.items() for line in pair(key, child, column, styles)]
    if isinstance(value, list) and value:
        return [line for item in value for line in list_item(item, column)]
    return [" " * column + flow(value)]


def pair(key: str, value: Value, column: int, styles: Styles | None = None) -> list[str]:
    """Return the lines of one key with its value, the key in `column`."""
    start = " " * column + name(key) + ":"
    if isinstance(value, str) and is_block_text(value):
        header, *lines = text_block(value, column)
        return [f"{start} {header}", *lines]
    if not isinstance(value, dict | list) or not value:
        return [f"{start} {flow(value)}"]
    step = styles.get(key, STEP) if styles else STEP
    if step is None or (fits_one_line(value) and not (styles and key in styles)):
        return [f"{start} {flow(value)}"]
    # A mapping has to stand to the right of its key; only the dashes of a list may stand below it.
    return [start, *block(value, column + (step if isinstance(value, list) else max(step, 1)))]


def list_item(value: Value, column: int, gap: int = 1, styles: Styles | None = None) -> list[str]:
    """Return the lines of one list item, its dash in `column` and `gap` blanks after it."""
    inner = column + 1 + gap
    dash = " " * column + "-" + " " * gap
    if isinstance(value, dict | list) and value:
        lines = block(value, inner, styles)
        return [dash + lines[0][inner:], *lines[1:]]
    if isinstance(value, str) and is_block_text(value):
        lines = text_block(value, column)
        return [dash + lines[0], *lines[1:]]
    return [dash + flow(value)]


def fits_one_line(value: Value) -> bool:
    """Say whether a collection stands in brackets beside its key: a short list of scalars."""
    if not isinstance(value, list) or any(isinstance(item, dict | list) for item in value):
        return False
    return len(flow(value)) <= _SHORT_LIST


def flow(value: Value) -> str:
    """Return a value in brackets and on one line."""
    if isinstance(value, dict):
        inside = ", ".join(f"{name(key)}: {flow(child)}" for key, child in value.items())
        return "{" + inside + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def scalar(value: bool | int | float | str | None, style: str = "", *, in_flow: bool = True) -> str:
    """Return one scalar on one line.

    Args:
        value: What a reader has to get.
        style: What to keep where that is safe: a quote, `plain`, or empty for a new scalar, which
            is plain if it is one word and quoted otherwise.
        in_flow: Brackets and commas mean something where it goes.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if style == "plain" and is_plain_safe(value, in_flow=in_flow):
        return value
    if not style and _PLAIN_WORD.fullmatch(value) and is_plain_safe(value, in_flow=in_flow):
        return value
    return quoted(value)


def rounded(value: float) -> float:
    """Return a float as it is written: 4 decimals, and no negative zero."""
    return round(value, 4) + 0.0


def number(value: float) -> str:
    """Return a float rounded to 4 decimals, as short as it goes and with its point."""
    if value != value or value in (float("inf"), float("-inf")):
        return {"inf": ".inf", "-inf": "-.inf"}.get(str(value), ".nan")
    whole, _, part = f"{rounded(value):.4f}".partition(".")
    return f"{whole}.{part.rstrip('0') or '0'}"


def is_plain_safe(text: str, *, in_flow: bool = False) -> bool:
    """Say whether every reader takes the bare text for this very text."""
    begins = text[:1]
    if not begins.isalnum() or begins.isdecimal() or not text.translate(_NO_MARKS).isalnum():
        return False
    if text != text.strip() or text.lower() in _WORDS:
        return False
    if ": " in text or " #" in text or text.endswith(":") or not text.isprintable():
        return False
    return not in_flow or not re.search(r"[,\[\]{}:?]", text)


def quoted(text: str) -> str:
    """Return JSON-style double quotes; what does not print is escaped.

    Raises:
        Refused: The text holds half of a character, which no file can hold.
    """
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Refused("the text contains a broken character", hint="write the complete character")
    return _visible(json.dumps(text, ensure_ascii=False))


def _visible(text: str) -> str:
    """Escape what does not print; YAML allows little of it raw, and people could not see it."""
    return "".join(
        char if char.isprintable() or char in _JOINERS else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def name(key: str) -> str:
    """Return a key as it is written: plain where every reader takes it for text."""
    return key if _KEY.fullmatch(key) and key.lower() not in _WORDS else quoted(key)


def is_block_text(text: str) -> bool:
    """Say whether a text of several lines can stand as it is below a `|`."""
    body = text.removesuffix("\n")
    lines = body.split("\n")
    if len(lines) < 2 or not lines[0].strip() or not lines[-1].strip():
        return False
    return not lines[0].startswith(" ") and all(
        line.isprintable() and (line.strip() or not line) and line == line.rstrip()
        for line in lines
    )


def ends_with_break(value: Value) -> bool:
    """Say whether the lines of a value end in a `|` text whose last line break counts."""
    while isinstance(value, dict | list) and value:
        value = list(value.values())[-1] if isinstance(value, dict) else value[-1]
    return isinstance(value, str) and value.endswith("\n") and is_block_text(value)


def text_block(text: str, column: int) -> list[str]:
    """Return the header and the lines of a block scalar whose parent stands in `column`."""
    pad = " " * (column + STEP)
    body = text.removesuffix("\n")
    header = "|" if text.endswith("\n") else "|-"
    return [header, *(pad + line if line else "" for line in body.split("\n"))]
