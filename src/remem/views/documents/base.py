"""What every document that a command prints under `--json` is made of.

Keys are API: they may be added to, and never change their meaning. What fills them is the command
line's concern; the JSON Schemas in `schemas/output/` are generated from these modules, one for each
group of commands, so that a command builds no other's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, TypeAlias

from remem.model.record import Frozen

Text: TypeAlias = str
"""Text that may come from a disk."""


class Part(Frozen):
    """A piece of a document; other keys are a mistake of ours."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    def to_values(self) -> dict[str, Any]:
        """Return it as plain values, as JSON has them."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


class Document(Part):
    """All that one command prints."""

    def to_json(self) -> str:
        """Return the document as indented ASCII."""
        return json.dumps(self.to_values(), indent=2)


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
