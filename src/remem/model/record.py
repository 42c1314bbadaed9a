"""What a record is: a frozen class whose annotations say what a file may hold.

The annotations are read twice: by `decode.py` for values that fit as they are, and by pydantic for
all others and for the JSON Schemas. What one says beyond a type (how a value is changed, limited or
shaped) is a mark. Records do not import pydantic, which takes longer to load than a thousand
entries take to read: it asks the marks what they mean when it is loaded, and until then they are
data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, fields
from typing import Any, ClassVar, Final, TypeAlias, dataclass_transform

from remem.base.frozen import dataclass, with_fields

UNKNOWN: Final = "_unknown"


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Frozen:
    """A dataclass that is set up in a tenth of the time: its methods are written once, here."""

    def __init_subclass__(cls) -> None:
        with_fields(cls)

    def __init__(self, **values: Any) -> None:
        state: dict[str, Any] = {}
        for each in fields(self):  # type: ignore[arg-type]
            if each.name in values:
                state[each.name] = values.pop(each.name)
            elif each.default_factory is not MISSING:
                state[each.name] = each.default_factory()
            elif each.default is not MISSING:
                state[each.name] = each.default
            else:
                raise TypeError(f"{type(self).__name__} needs {each.name}")
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(values)}")
        vars(self).update(state)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _values(other) == _values(self)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        names = (each.name for each in fields(self))  # type: ignore[arg-type]
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({shown})"


class Record(Frozen):
    """One record as a file holds it: frozen, unknown keys kept."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        "extra": "ignore",
        "json_schema_extra": {"additionalProperties": True},
    }

    @property
    def unknown(self) -> Mapping[str, Any]:
        """What the file says under keys that the record does not have."""
        found: Mapping[str, Any] = vars(self).get(UNKNOWN, {})
        return found


def _values(record: Any) -> tuple[Any, ...]:
    return tuple([getattr(record, each.name) for each in fields(record)])


def field_names(model: type[Record]) -> tuple[str, ...]:
    """Return the keys that a record has, those of its bases first."""
    return tuple(field.name for field in fields(model))


Path: TypeAlias = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A field that is not what its record wants."""

    code: str
    """`missing`, `type`, `value` or `shape`."""
    path: Path
    """Keys and places in lists, from 0."""
    message: str
    hint: str = ""

    @property
    def field(self) -> str:
        """The path as people read it, places from 1: `seen.2.ref`."""
        return dotted(self.path)


def dotted(path: Path) -> str:
    """Return a path as people read it, places in lists from 1."""
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


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
