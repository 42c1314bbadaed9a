"""What every document that a command prints under `--json` is made of.

Keys are API: they may be added to, and never change their meaning. What fills them is the command
line's concern; the JSON Schemas in `schemas/output/` are generated from these modules, one for each
group of commands, so that a command builds no other's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, ClassVar, Final, TypeAlias

from remem.model.record import Frozen

Text: TypeAlias = str
"""Text that may come from a disk."""


class Part(Frozen):
    """A piece of a document; other keys are a mistake of ours."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    def to_values(self) -> dict[str, Any]:
        """Return it as plain values, as JSON has them."""
        return {name: _plain(getattr(self, name)) for name in _names(self)}


class Document(Part):
    """All that one command prints."""

    def to_json(self) -> str:
        """Return the document as indented ASCII, byte for byte as `json.dumps` has it.

        That one has C for compact text alone: a list of 26,000 entries takes a third of the time
        written in one pass over the parts.
        """
        return _indented(self, "\n")


def _indented(value: Any, line: str) -> str:
    """Return a value as JSON; `line` is the break and the indentation of what stands in it."""
    if isinstance(value, str):
        return _quoted(value.encode("utf-8", "backslashreplace").decode())
    inner = f"{line}  "
    if isinstance(value, Part):
        held = [
            f"{inner}{_quoted(name)}: {_indented(getattr(value, name), inner)}"
            for name in _names(value)
        ]
        return f"{{{','.join(held)}{line}}}" if held else "{}"
    if isinstance(value, Mapping):
        held = [f"{inner}{_key(key)}: {_indented(each, inner)}" for key, each in value.items()]
        return f"{{{','.join(held)}{line}}}" if held else "{}"
    if isinstance(value, list | tuple):
        held = [f"{inner}{_indented(each, inner)}" for each in value]
        return f"[{','.join(held)}{line}]" if held else "[]"
    return json.dumps(value)


def _names(part: Part) -> tuple[str, ...]:
    """Return the names of a part's fields."""
    kind = type(part)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(part))
    return _NAMES[kind]


_NAMES: Final[dict[type[Part], tuple[str, ...]]] = {}


def _key(key: Any) -> str:
    return json.dumps({_plain(key): 0})[1:-4]  # keys that are no text become it there


def _plain(value: Any) -> Any:
    """Return a value as JSON has it.

    Lone surrogates, which names of files may hold and JSON may not, are written out.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Part):
        return value.to_values()
    if isinstance(value, Mapping):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
