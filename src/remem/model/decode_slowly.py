"""Reads into a record what does not fit as it is, with pydantic: slower, and only where it has to.

What can be told is taken as it was meant, and each place that was not right is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from remem.model.record import (
    UNKNOWN,
    Fault,
    Path,
    Record,
    dotted,
    field_names,
)

R = TypeVar("R", bound=Record)


def mended(model: type[R], value: Mapping[str, Any]) -> tuple[R, tuple[Fault, ...]]:
    """Return the record and what was wrong with it, as `read_record` promises."""
    plain: dict[str, Any] = _copy(value)
    complaints = _complaints(model, plain)
    faults: dict[Path, Fault] = {}
    while complaints:
        # A union complains once a branch; one is enough.
        places = {_place(plain, each): each for each in reversed(complaints)}
        # From the back, so that taking out one item of a list leaves the places of those before it.
        found = [_mend(plain, path, each) for path, each in places.items()]
        for fault in reversed(found):
            if fault is not None:
                faults.setdefault(fault.path, fault)
        complaints = _complaints(model, plain)
    record: R = _validated(model, plain)
    _keep_unknown(record, plain)
    return record, tuple(faults.values())


@cache
def _adapter_of(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _validated(model: Any, value: Mapping[str, Any]) -> Any:
    return _adapter_of(model).validate_python(value)


def _keep_unknown(record: Record, value: Mapping[str, Any]) -> None:
    names = field_names(type(record))
    vars(record)[UNKNOWN] = {key: each for key, each in value.items() if key not in names}
    for name in names:
        inner, found = getattr(record, name), value.get(name)
        many = inner if isinstance(inner, tuple) else (inner,)
        for each, held in zip(many, found if isinstance(found, list) else (found,), strict=False):
            if isinstance(each, Record) and isinstance(held, Mapping):
                _keep_unknown(each, held)


def _complaints(model: type[Record], value: Mapping[str, Any]) -> list[ErrorDetails]:
    try:
        _validated(model, value)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(each) for each in value]
    return value


def _place(value: Any, detail: ErrorDetails) -> Path:
    """Return where a complaint's value stands; its last step is new where a field is missing.

    The branches of a union are named in a complaint's path too, and lead nowhere.
    """
    steps = detail["loc"]
    for number, step in enumerate(steps):
        if isinstance(value, dict) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif detail["type"] == "missing" and number == len(steps) - 1:
            return steps
        else:
            return steps[:number]
    return steps


def _mend(value: dict[str, Any], path: Path, detail: ErrorDetails) -> Fault | None:
    """Change what one complaint is about so that the next look passes it.

    An empty text stands for what is missing, and where that does not fit, an empty mapping.
    """
    holder, last, name = _inner(value, path[:-1]), path[-1], dotted(path)
    if isinstance(holder, dict) and last not in holder:
        holder[last] = ""
        return Fault("missing", path, f"`{name}` is missing", f"add `{last}`")
    found = holder[last]
    if detail["type"] == "string_type" and isinstance(found, int | float):
        holder[last] = _as_written(found)
        kind = "truth value" if isinstance(found, bool) else "number"
        message = f"`{name}` is the {kind} `{_as_written(found)}`, not a text"
        return Fault("type", path, message, "put it in quotes")
    if detail["type"] in ("tuple_type", "list_type") and isinstance(found, str):
        holder[last] = [found]
        return Fault("type", path, f"`{name}` is text, not a list", "write `[…]` around it")
    if detail["type"] in ("dict_type", "dataclass_type") and found == "":
        holder[last] = {}
    else:
        del holder[last]
    if found is None:
        # `key:` with nothing after it is an absent field; in a list something is missing.
        return (
            Fault("type", path, f"`{name}` is empty", "remove it")
            if isinstance(last, int)
            else None
        )
    wanted = detail["msg"][:1].lower() + detail["msg"][1:]
    return Fault("value", path, f"`{name}` is {_shown(found)}: {wanted}")


def _inner(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _as_written(found: object) -> str:
    return str(found).lower() if isinstance(found, bool) else str(found)


def _shown(found: object) -> str:
    if isinstance(found, Mapping):
        return "a mapping"
    if isinstance(found, list | tuple):
        return "a list"
    return f"`{found}`"
