"""What an annotation says beyond a type: how a value is changed, limited or shaped.

pydantic asks these marks what they mean when it is loaded; until then they are data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from remem.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Before:
    """Marks a field whose value is changed before it is looked at."""

    change: Callable[[object], object]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_before_validator_function

        return no_info_before_validator_function(self.change, handler(source))


@dataclass(frozen=True, slots=True)
class Shaped:
    """Marks a text whose shape a JSON Schema checks; reading takes any."""

    pattern: str

    def __get_pydantic_json_schema__(
        self, schema: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(schema), "pattern": self.pattern}


@dataclass(frozen=True, slots=True)
class After:
    """Marks a value that is looked at once its type is right; `check` raises `ValueError`."""

    check: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(self.check, handler(source))


@dataclass(frozen=True, slots=True)
class Limit:
    """Marks a bound in pydantic's own word: `ge`, `min_length`, `pattern`."""

    name: str
    bound: int | str

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return {**handler(source), self.name: self.bound}


def lower(value: object) -> object:
    """Read an enumeration's word as people write it."""
    return value.strip().casefold() if isinstance(value, str) else value


Word = Before(lower)
"""Marks a word that is read in small letters, whatever way it is written."""
