"""The arguments of a tool call, read by name: what does not fit is told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remem.base.errors import RememError
from remem.mcp.tools import Tool
from remem.model.citation import BadCitation, Citation, citations_of

LONGEST = 20_000
"""Characters of one text; no memory needs more, and every one is searched for what hides in it."""


class BadArgument(RememError):
    """An argument is missing, unknown, or of another type."""

    code = "bad-argument"


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a client sent with a call of a tool."""

    tool: Tool
    values: Mapping[str, Any]

    @classmethod
    def of(cls, tool: Tool, values: Mapping[str, Any]) -> Arguments:
        """Take what was sent if the tool knows every name and misses none.

        Raises:
            BadArgument: It does not.
        """
        unknown = [name for name in values if name not in tool.properties]
        if unknown:
            known = ", ".join(f"`{name}`" for name in tool.properties)
            message = f"`{tool.name}` takes no `{unknown[0]}`"
            raise BadArgument(message, hint=f"it takes {known}")
        missing = [name for name in tool.required if values.get(name) is None]
        if missing:
            needs = ", ".join(f"`{name}`" for name in tool.required)
            message = f"`{tool.name}` needs `{missing[0]}`"
            raise BadArgument(message, hint=f"it needs {needs}")
        return cls(tool, values)

    def text(self, name: str) -> str:
        """Return a text; empty where it was left out."""
        return self.text_or_none(name) or ""

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or `None` where it was left out."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._not(name, "a text")
        if len(value) > LONGEST:
            raise BadArgument(f"`{name}` has {len(value):,} characters", hint="say it shorter")
        return value

    def flag(self, name: str) -> bool:
        """Return whether something is wanted; not, where it was left out."""
        value = self.values.get(name)
        if value is None or isinstance(value, bool):
            return value is True
        raise self._not(name, "true or false")

    def number(
        self, name: str, otherwise: int, *, least: int | None = None, most: int | None = None
    ) -> int:
        """Return a whole number between `least` and `most`, both of them allowed."""
        value = self.values.get(name)
        if value is None:
            return otherwise
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._not(name, "a whole number")
        if least is not None and value < least:
            raise self._not(name, f"a whole number of at least {least}")
        if most is not None and value > most:
            raise self._not(name, f"a whole number of at most {most:,}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; empty where it was left out."""
        value = self.values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._not(name, "a list of texts")
        return tuple(value)

    def mapping(self, name: str) -> dict[str, Any]:
        """Return an object; empty where it was left out."""
        value = self.values.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self._not(name, "an object")
        return value

    def citations(self, name: str) -> tuple[Citation, ...]:
        """Return citations.

        Raises:
            BadCitation: One of them names no place.
        """
        value = self.values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self._not(name, "a list of citations")
        if len(value) > _MOST:
            raise BadCitation(f"{len(value)} citations are too many", hint="cite what proves it")
        return citations_of(value)

    def _not(self, name: str, what: str) -> BadArgument:
        return BadArgument(f"`{name}` is not {what}", hint=f"`{self.tool.name}` takes {what} there")


_MOST = 200
