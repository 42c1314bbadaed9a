"""What every document that a command prints under `--json` is made of.

Keys are API: they may be added to, and never change their meaning. What fills them is the command
line's concern; the JSON Schemas in `schemas/output/` are generated from these modules, one for each
group of commands, so that a command builds no other's.
"""

from __future__ import annotations

import json
from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _well_formed(value: object) -> object:
    """Write out lone surrogates, which names of files may hold and JSON may not."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


Text: TypeAlias = Annotated[str, BeforeValidator(_well_formed)]
"""Text that may come from a disk."""


class Part(BaseModel):
    """A piece of a document; other keys are a mistake of ours."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Document(Part):
    """All that one command prints."""

    def to_json(self) -> str:
        """Return the document as indented ASCII."""
        return json.dumps(self.model_dump(mode="json", by_alias=True), indent=2)
