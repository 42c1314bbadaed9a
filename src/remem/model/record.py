"""What a record is: a frozen class whose annotations say what a file may hold.

The annotations are read twice: by `decode.py` for values that fit as they are, and by pydantic for
all others and for the JSON Schemas. Records do not import pydantic, which takes longer to load than
a thousand entries take to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from typing import Any, ClassVar, Final, dataclass_transform

UNKNOWN: Final = "_unknown"


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Frozen:
    """A dataclass that is set up in a tenth of the time: its methods are written once, here."""

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)

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
