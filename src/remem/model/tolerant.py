"""Reads plain values into a record model: what does not fit becomes a fault, never an exception.

Which fields there are is the models' business, and where they stand in a file is the formats'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from remem.model.entry import Status

Path: TypeAlias = tuple[int | str, ...]


class Record(BaseModel):
    """One record as a file holds it: frozen, unknown keys kept."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)


R = TypeVar("R", bound=Record)


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


def read_record(model: type[R], value: Mapping[str, Any]) -> tuple[R, tuple[Fault, ...]]:
    """Return the record and what was wrong with it, each failing field once.

    A text that arrives as a number or a truth value is taken as written, one text where a list is
    wanted is a list of one, and what cannot be read gives way to the field's default. The fields
    that a model requires are texts or mappings.
    """
    try:
        return model.model_validate(value), ()
    except ValidationError as error:
        complaints = error.errors(include_url=False)
    mended = _copy(value)
    faults: dict[Path, Fault] = {}
    while complaints:
        # A union complains once a branch; one is enough.
        places = {_place(mended, each): each for each in reversed(complaints)}
        # From the back, so that taking out one item of a list leaves the places of those before it.
        found = [_mend(mended, path, each) for path, each in places.items()]
        for fault in reversed(found):
            if fault is not None:
                faults.setdefault(fault.path, fault)
        complaints = _complaints(model, mended)
    return model.model_validate(mended), tuple(faults.values())


def _complaints(model: type[Record], value: Mapping[str, Any]) -> list[ErrorDetails]:
    try:
        model.model_validate(value)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def read_status(word: object, own: Mapping[str, Status]) -> tuple[Status, Fault | None]:
    """Read a format's own status word as one of the five (FORMATS 0.3).

    Args:
        word: What the file holds; `None` = the key is missing.
        own: The words of this kind of record.
    """
    if word is None:
        return Status.ACTIVE, None
    plain = str(word).strip().casefold()
    if plain in own:
        return own[plain], None
    wanted = ", ".join(f"`{each}`" for each in own)
    fault = Fault(
        "value", ("status",), f"`status` is `{word}`, not one of {wanted}", "write one of them"
    )
    return _NEIGHBOURS.get(plain, Status.CANDIDATE), fault


_NEIGHBOURS: Final[Mapping[str, Status]] = {
    "active": Status.ACTIVE,
    "confirmed": Status.ACTIVE,
    "validated": Status.ACTIVE,
    "deprecated": Status.ARCHIVED,
    "archived": Status.ARCHIVED,
    "superseded": Status.SUPERSEDED,
    "draft": Status.CANDIDATE,
    "proposed": Status.CANDIDATE,
    "pending": Status.CANDIDATE,
    "candidate": Status.CANDIDATE,
}


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
        return Fault("type", path, f"`{name}` is one text, not a list", "write `[…]` around it")
    if detail["type"] == "dict_type" and found == "":
        holder[last] = {}
    else:
        del holder[last]
    if found is None:
        # `key:` with nothing after it is an absent field; in a list something is missing.
        return (
            Fault("type", path, f"`{name}` is empty", "take it out")
            if isinstance(last, int)
            else None
        )
    wanted = detail["msg"][:1].lower() + detail["msg"][1:]
    return Fault("value", path, f"`{name}` is {_shown(found)}: {wanted}")


def _inner(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def dotted(path: Path) -> str:
    """Return a path as people read it, places in lists from 1."""
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


def _as_written(found: object) -> str:
    return str(found).lower() if isinstance(found, bool) else str(found)


def _shown(found: object) -> str:
    if isinstance(found, Mapping):
        return "a mapping"
    if isinstance(found, list | tuple):
        return "a list"
    return f"`{found}`"
